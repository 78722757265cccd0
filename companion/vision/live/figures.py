"""Finds what stands on the pieces: figures of wood in a player's colour, by their drawings from above.

A figure is looked for where a place is strange: where what is seen differs from what is known to lie there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import brightness
from companion.vision.gallery.known import DrawnFace, KnownPieces
from companion.vision.gallery.squares import Origin, Vectors
from companion.vision.live.second_look import OFF, drawn_cells, fit_light, lead_in, light_errors, ramp
from companion.vision.live.workspace import COARSE_MM, EDGE, HALF, PX_PER_MM, Detection, Shape, Workspace
from companion.vision.poses import Poses, cut_crops, displaced, grid, lay, offsets
from companion.vision.table.foreground import Mask

Crops = NDArray[np.float32]
"""Pictures of one size: which one, row, column, colour."""
Masks = NDArray[np.bool_]

FINE_MM = 1.0
"""From one cell of a crop to the next, where a figure is fitted; `COARSE_MM` where it is looked for."""
TINT = 0.6
"""How much a crop's own colour weighs beside what is drawn on it."""
FAINT = 0.3
"""A crop with less contrast than this part of the figures' own is never made to look like more."""
SOFT_MM = 0.55
"""How far a camera blurs."""


@dataclass(frozen=True, eq=False)
class Templates:
    """All figures of one shape, as a camera sees them from straight above."""

    step: float
    labels: tuple[str, ...]
    pictures: Crops
    mask: Masks
    """The cells that belong to the figure."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.pictures.shape[2], self.pictures.shape[1]

    @cached_property
    def vectors(self) -> Vectors:
        found = light_free(self.pictures, self.mask)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    @cached_property
    def faint(self) -> float:
        """The contrast below which a crop counts as faint."""
        return float(np.median(np.linalg.norm(light_free(self.pictures, self.mask), axis=1))) * FAINT

    def scores(self, crops: Crops) -> Vectors:
        """How much each crop (row) looks like each figure (column): 1 is the same."""
        found = light_free(crops, self.mask)
        norms = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), self.faint)
        return np.asarray((found / norms) @ self.vectors.T, np.float32)

    @cached_property
    def slopes(self) -> Crops:
        """How cells change when a figure moves right, down, or turns by a radian: the last of their axes."""
        across = np.gradient(self.pictures, self.step, axis=2)
        down = np.gradient(self.pictures, self.step, axis=1)
        around = grid(*self.size, self.step).reshape(*self.mask.shape, 1, 2)
        turning = down * around[..., 0] - across * around[..., 1]
        return np.asarray(np.stack([across, down, turning], -1), np.float32)


def light_free(crops: Crops, mask: Masks) -> Vectors:
    """A crop as numbers that do not change with the strength of the light."""
    cells = crops[:, mask]
    mean = cells.mean(axis=1, keepdims=True)
    shift = mean - (mean - mean.mean(axis=-1, keepdims=True)) * np.float32(TINT)
    return np.asarray((cells - shift).reshape(len(crops), -1), np.float32)


@dataclass(frozen=True, eq=False)
class FigureShape:
    """Figures that only differ in their colour."""

    faces: tuple[DrawnFace, ...]

    @cached_property
    def shape(self) -> Shape:
        face = self.faces[0].face
        outline = np.where(self.fine.mask, np.uint8(255), np.uint8(0))
        return Shape(face.width, face.height, stands=True, round=face.round, outline=outline)

    @cached_property
    def coarse(self) -> Templates:
        return self._templates(COARSE_MM, max(SOFT_MM, COARSE_MM * 0.4))

    @cached_property
    def fine(self) -> Templates:
        return self._templates(FINE_MM, SOFT_MM)

    def _templates(self, step: float, soft: float) -> Templates:
        face = self.faces[0].face
        size = int(face.width / step + 0.01), int(face.height / step + 0.01)
        crops = [_crop(drawn, size, step, soft) for drawn in self.faces]
        mask = np.min([crop[..., 3] for crop in crops], axis=0) > 0.6
        pictures = np.ascontiguousarray(np.stack([crop[..., :3] for crop in crops]), np.float32)
        return Templates(step, tuple(drawn.face.label for drawn in self.faces), pictures, mask)


def _crop(drawn: DrawnFace, size: tuple[int, int], step: float, soft: float) -> Crops:
    """A drawn figure as a camera would see it from straight above; its fourth channel is 1 where the figure is."""
    px_per_mm = drawn.picture.shape[1] / drawn.face.width
    flat = drawn.picture.astype(np.float32)
    cover = flat[..., 3:] / 255
    ground = (flat[..., :3] * cover).sum((0, 1)) / np.maximum(cover.sum(), 1)
    flat = np.concatenate([flat[..., :3] * cover + ground * (1 - cover), cover * 255], axis=2)
    blurred = cv2.GaussianBlur(flat, (0, 0), soft * px_per_mm)
    pose = np.array([[drawn.face.width / 2, drawn.face.height / 2, 0.0]])
    crop = cut_crops(np.clip(np.rint(blurred), 0, 255).astype(np.uint8), pose, size, step, px_per_mm)[0]
    return np.asarray(crop.astype(np.float32) / (1, 1, 1, 255), np.float32)


def figure_shapes(drawn: Iterable[DrawnFace]) -> tuple[FigureShape, ...]:
    """The figures by shape, in the order in which they came."""
    groups: dict[tuple[float, float, bool], list[DrawnFace]] = {}
    for one in drawn:
        groups.setdefault((one.face.width, one.face.height, one.face.round), []).append(one)
    return tuple(FigureShape(tuple(group)) for group in groups.values())


# -- fitting ----------------------------------------------------------------------------------------------------

ROUNDS = 4
HALF_WEIGHT = 30.0
"""Levels at which a cell's say is halved, so that what hides a part does not pull the rest."""
ROUND_MM, ROUND_RADIANS = 1.5, 0.05
"""Not further in one round."""


def refine_poses(
    view: Workspace, templates: Templates, rows: NDArray[np.intp], poses: Poses
) -> tuple[Poses, Poses]:
    """Better poses for some figures, each beginning at its own; how much it looks like its drawing there."""
    mask = templates.mask
    known, slopes = templates.pictures[rows][:, mask], templates.slopes[rows][:, mask]
    for _ in range(ROUNDS):
        crops = _fine(view, templates, poses)[:, mask]
        poses = displaced(poses, _step(_alike(crops, known), known, slopes))
    scores = templates.scores(_fine(view, templates, poses))
    return poses, np.asarray(scores[np.arange(len(rows)), rows], np.float64)


def _fine(view: Workspace, templates: Templates, poses: Poses) -> Crops:
    return cut_crops(view.full, poses, templates.size, templates.step, PX_PER_MM).astype(np.float32)


def _alike(crops: Crops, known: Crops) -> Crops:
    """The crops in the light of their drawings."""
    mean, there = crops.mean(axis=1, keepdims=True), known.mean(axis=1, keepdims=True)
    found, wanted = crops - mean, known - there
    spreads = [np.sqrt((part**2).mean(axis=(1, 2))) for part in (found, wanted)]
    gain = np.minimum(spreads[1] / (spreads[0] + 1), 4)
    return np.asarray(found * gain[:, None, None] + there, np.float32)


def _step(crops: Crops, known: Crops, slopes: Crops) -> Poses:
    off = crops - known
    weight = 1 / (1 + (brightness(np.abs(off))[..., None] / HALF_WEIGHT) ** 2)
    count = len(known)
    flat = (slopes * weight[..., None]).reshape(count, -1, 3)
    pull = flat.transpose(0, 2, 1) @ off.reshape(count, -1, 1)
    stiff = flat.transpose(0, 2, 1) @ slopes.reshape(count, -1, 3) + np.diag([1, 1, 100]) * 1e3
    step = -np.linalg.solve(stiff.astype(np.float64), pull.astype(np.float64))[..., 0]
    step[:, :2] = np.clip(step[:, :2], -ROUND_MM, ROUND_MM)
    step[:, 2] = np.degrees(np.clip(step[:, 2], -ROUND_RADIANS, ROUND_RADIANS))
    return np.asarray(step, np.float64)


# -- strange places ---------------------------------------------------------------------------------------------

Strangeness = NDArray[np.float32]
"""How far each place is from what is known to lie there, in levels."""

STRANGE_FROM = 28.0
"""From here on something may stand there."""
MEAN_MM = 8
SPREAD_PX = 2.0
"""Pixels over which strangeness is spread: the size of a small figure."""
UNDRAWN, BARE = (40.0, 60.0), (0.5, 0.9)
"""Levels that a piece counts as strange all over of which nobody knows how it looks on this table: most where it looks
least like what the gallery has, since something that stands there hides a part of it."""
PEAKS_LIMIT = 250
"""Places looked at: more figures than that do not stand on a table."""
APART_MM = 12.0


@dataclass(frozen=True, eq=False)
class Strange:
    """What of the table its pieces, and the cloth around them, do not explain."""

    levels: Mask
    """How many levels each place is from them."""
    undrawn: Mask
    """255 where nobody knows how a piece looks on this table: there, only figures speak for figures."""

    def at(self, pose: Poses) -> float:
        """How strange a place is, in the mean of a few millimetres."""
        return float(cut_crops(self.levels, pose[None], (MEAN_MM, MEAN_MM), FINE_MM, HALF).mean())


def unexplained(view: Workspace, known: KnownPieces, pieces: Sequence[Detection], printed: bool) -> Strange:
    """What these pieces leave strange, by our drawings of them or by how they looked when nothing stood on them.

    Among printed pieces nobody knows either how what is not explained looks.
    """
    wrong, there = np.zeros_like(view.foreground), np.zeros_like(view.foreground)
    undrawn = view.open if printed else np.zeros_like(view.foreground)
    side = round(known.side) - 2 * EDGE
    for piece in pieces:
        least, most = UNDRAWN
        strange = most - (most - least) * ramp(piece.likeness, BARE)
        levels = np.full((side, side), round(strange), np.uint8)
        if (look := _bare_look(known, piece)) is None:
            lay(undrawn, np.full_like(levels, 255), piece.pose, HALF)
        else:
            crop = view.inside(piece.pose, known.side)
            error = light_errors(crop.reshape(-1, 3).astype(np.float32), look)
            levels = np.clip(error, 0, 255).astype(np.uint8).reshape(side, side)
        lay(wrong, levels, piece.pose, HALF)
        lay(there, np.full_like(levels, 255), piece.pose, HALF)
    # Along the edges, where a piece is not compared, it is as strange as beside them.
    spread = np.where(there > 127, wrong, cv2.dilate(wrong, np.ones((5, 5), np.uint8)))
    nothing = cv2.morphologyEx(view.open, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
    levels = np.maximum(spread, np.asarray(nothing, np.uint8) // 4)
    return Strange(np.asarray(levels, np.uint8), undrawn)


def _bare_look(known: KnownPieces, piece: Detection) -> Vectors | None:
    """The cells of a piece on which nothing stands."""
    drawing = known.pictures[piece.row // 4]
    if drawing is not None and known.gallery.origins[piece.row] is Origin.DRAWN:
        return drawn_cells(drawing)
    return None if piece.bare is None else piece.bare.reshape(-1, 3).astype(np.float32)


def strange_peaks(strange: Strangeness) -> Iterator[Poses]:
    """The strangest places, none of them near another one."""
    left = strange.copy()
    for _ in range(PEAKS_LIMIT):
        _, level, _, (column, row) = cv2.minMaxLoc(left)
        if level < STRANGE_FROM:
            return
        yield np.array([[(column + 0.5) / HALF, (row + 0.5) / HALF, 0.0]])
        cv2.circle(left, (column, row), round(APART_MM * HALF), (0.0,), -1)


# -- finding ----------------------------------------------------------------------------------------------------

TURNS = tuple(float(turn) for turn in range(0, 360, 15))
AROUND, AROUND_ROUND = offsets(8.0, COARSE_MM, TURNS), offsets(8.0, COARSE_MM, (0.0,))
LIKE, LIKELY = 0.6, 0.74
"""Likeness to a figure from which something is taken for it, alone and with what it explains."""
RIGHT, BETTER = 32.0, 18.0
"""Levels by which something may differ from a figure of its colour, and by how many more from what lies there."""
GAIN, GAIN_LIMIT = 0.01, 0.25
"""What explaining a place by one level better counts for, and all of it at most."""
STARTS = 3
"""Rough poses from which each figure is fitted."""
WINDOW_MM, COSTS = 45, 0.00003
"""Side of the square in which what is left unexplained is counted, and what a level of a square millimetre counts."""
CLEARLY = (0.0, 0.12)
"""From no confidence to all of it: by how much more speaks for one shape than for another."""
GUESSED = 0.2
"""Part of a figure's square that may lie on what nobody knows the look of for the rest to speak for it."""
COMMON = 0.3
"""How much of two standing pieces' squares may be the same place."""


class FigureLocator:
    """Finds and names the figures of some shapes."""

    def __init__(self, drawn: Iterable[DrawnFace]) -> None:
        self._shapes = figure_shapes(drawn)
        self._of = {one.shape: one for one in self._shapes}
        for one in self._shapes:
            _ = one.coarse.vectors, one.fine.vectors, one.fine.slopes

    def find(self, view: Workspace, strange: Strange, where: Mask) -> None:
        """Place what stands where it is strange, the strangest place first."""
        levels = strange.levels.astype(np.float32)
        spread = np.asarray(cv2.GaussianBlur(levels, (0, 0), SPREAD_PX), np.float32)
        for place in strange_peaks(np.where(where > 0, spread, np.float32(0))) if self._shapes else ():
            tried = [self._best(view, one, place) for one in self._shapes]
            for found in self._clearest(view, strange.levels, place, tried):
                free = view.share(view.hidden, found.shape, found.pose[None])[0] <= COMMON
                if free and self._convincing(view, found, spread, strange.undrawn):
                    view.place(found)
                    break

    def _best(self, view: Workspace, one: FigureShape, place: Poses) -> Detection:
        rough, fine = one.coarse, one.fine
        poses = displaced(place, AROUND_ROUND if one.shape.round else AROUND)
        crops = cut_crops(view.half, poses, rough.size, COARSE_MM, HALF).astype(np.float32)
        starts = np.argsort(-rough.scores(crops), axis=0)[:STARTS]
        rows = np.tile(np.arange(len(fine.labels)), len(starts))
        exact, likeness = refine_poses(view, fine, rows, poses[starts.ravel()])
        best = int((likeness - _level_errors(view, fine, rows, exact) * GAIN).argmax())
        row = int(rows[best])
        return Detection(one.shape, fine.labels[row], exact[best], float(likeness[best]), row=row)

    def _clearest(
        self, view: Workspace, levels: Mask, place: Poses, pieces: Sequence[Detection]
    ) -> Iterator[Detection]:
        """What looks most like what is seen and leaves least unexplained first; how clearly is remembered with it."""
        if len(pieces) == 1:
            yield from pieces
            return
        speaks = [
            piece.likeness - self._error(view, piece) * GAIN - self._left(view, levels, place, piece) * COSTS
            for piece in pieces
        ]
        order = sorted(range(len(pieces)), key=lambda index: -speaks[index])
        for index in order:
            rival = next(other for other in order if other != index)
            clear = ramp(speaks[index] - speaks[rival], CLEARLY)
            yield replace(pieces[index], rival=pieces[rival].label, clear=clear)

    def _error(self, view: Workspace, piece: Detection) -> float:
        """How many levels a figure differs from what is seen, in colour and all."""
        fine = self._of[piece.shape].fine
        return float(_level_errors(view, fine, np.array([piece.row]), piece.pose[None])[0])

    def _left(self, view: Workspace, levels: Mask, place: Poses, piece: Detection) -> float:
        """How many levels in all a figure leaves unexplained around a place."""
        fine = self._of[piece.shape].fine
        columns, rows = fine.size
        around = cut_crops(levels, place, (WINDOW_MM, WINDOW_MM), FINE_MM, HALF)[0]
        crop = _fine(view, fine, piece.pose[None])[0]
        error = np.zeros((rows, columns), np.float32)
        error[fine.mask] = light_errors(crop[fine.mask], fine.pictures[piece.row][fine.mask])
        pose = piece.pose - place[0] + (WINDOW_MM / 2, WINDOW_MM / 2, 0)
        own, there = np.zeros_like(around), np.zeros_like(around)
        lay(own, np.asarray(np.clip(error, 0, 255), np.uint8), pose, 1 / FINE_MM)
        lay(there, np.asarray(fine.mask * np.uint8(255), np.uint8), pose, 1 / FINE_MM)
        return float(np.where(there > 127, own, around).sum())

    def _convincing(self, view: Workspace, piece: Detection, strange: Strangeness, undrawn: Mask) -> bool:
        """Whether this figure explains its place so much better than what is known to lie there."""
        if view.share(undrawn, piece.shape, piece.pose[None])[0] > GUESSED:
            return piece.likeness >= LIKELY
        fine, mine = self._of[piece.shape].fine, self._error(view, piece)
        levels = np.clip(strange, 0, 255).astype(np.uint8)
        other = float(cut_crops(levels, piece.pose[None], fine.size, FINE_MM, HALF)[0][fine.mask].mean())
        gain = float(np.clip((other - mine) * GAIN, -GAIN_LIMIT, GAIN_LIMIT))
        # A figure in one dark colour has little to be like, but its colour can be right.
        return (piece.likeness >= LIKE and piece.likeness + gain >= LIKELY) or (
            mine <= RIGHT and other - mine >= BETTER
        )

    # -- naming -------------------------------------------------------------------------------------------------

    def named(self, view: Workspace, piece: Detection) -> Detection | None:
        """The figure in the colour it has, and how sure that is; None where it is no figure."""
        fine = self._of[piece.shape].fine
        crop = _fine(view, fine, piece.pose[None])[0]
        scores = fine.scores(crop[None])[0]
        first = int(scores.argmax())
        seen = fit_light(crop[fine.mask], fine.pictures[first][fine.mask])
        drawn = fine.pictures[:, fine.mask]
        leads = {row: lead_in(seen, drawn[first], drawn[row]) for row in range(len(drawn)) if row != first}
        error = np.abs(seen - fine.pictures[first][fine.mask]).mean(axis=1)
        off = float(np.abs(crop[fine.mask] - fine.pictures[first][fine.mask]).mean())
        alike = max(ramp(float(scores[first]), ALIKE), 1 - ramp(off, OTHER))
        shown = ramp(float((error < OFF).mean()), SHOWN) * (1 - ramp(_veil(crop[fine.mask], seen), VEIL))
        if alike * shown < NOTHING:
            return None
        rival = min(leads, key=lambda row: leads[row], default=None)
        sure = alike * shown * ramp(min(leads.values(), default=1.0), CLEAR)
        runner_up = "" if rival is None else fine.labels[rival]
        return replace(
            piece, label=fine.labels[first], row=first, confidence=float(sure), runner_up=runner_up
        )


def _level_errors(view: Workspace, fine: Templates, rows: NDArray[np.intp], poses: Poses) -> Poses:
    crops = _fine(view, fine, poses)[:, fine.mask]
    return np.asarray(np.abs(crops - fine.pictures[rows][:, fine.mask]).mean(axis=(1, 2)), np.float64)


NOTHING = 0.12
"""Below this it is none of the figures."""
ALIKE, CLEAR, SHOWN = (0.45, 0.8), (0.15, 0.65), (0.75, 0.95)
"""From no confidence to all of it: likeness to the figure, lead over others, and part explained."""
OTHER = (18.0, 36.0)
"""From all confidence to none: levels by which a crop differs from a figure in the same white light."""
VEIL = (30.0, 60.0)
"""From all confidence to none: levels that a reflection adds."""


def _veil(seen: Vectors, fitted: Vectors) -> float:
    """The levels of what would be black: a lamp's reflection lies over a drawing like a veil, light itself does not."""
    x, y = seen.ravel(), fitted.ravel()
    low, high = int(x.argmin()), int(x.argmax())
    gain = float((y[high] - y[low]) / (x[high] - x[low] + 1e-6))
    return float(x[low] - y[low] / max(gain, 0.1))
