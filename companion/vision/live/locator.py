"""Finds pieces in a still picture of the table: the best explanation first, the next from its neighbours.

Then what stands.

A `Workspace` holds the picture and what of it is explained; `refine_poses` moves a pose to a fraction of a
millimetre and a degree; `Locator` finds what lies, `StandingLocator` what stands in what no lying piece explains.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, count
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import brightness
from calibration.plane import Pixels
from companion.vision.gallery.drawn import COARSE, FINE, Crops, FaceShape, Masks, Templates, Vectors
from companion.vision.live.matcher import light_errors, ramp
from companion.vision.poses import Poses, cut_crops, displaced, fill_footprint, lay, offsets
from companion.vision.table.foreground import Mask, components

PX_PER_MM = 1.0
"""Of the picture from above."""
SHADOW_MM = 5
"""Millimetres around the outline of what stands that its body and its shadow hide."""
LEAST_SEEN = 0.4
"""How much of a piece must be seen for it to be compared at all."""
HALF = 0.5
"""Of the masks, and of the picture that pieces are searched in."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A piece where it was found."""

    shape: FaceShape
    label: str
    pose: Poses
    """x, y and the angle by which the face itself is turned."""
    likeness: float
    """Between the crop and the face."""
    confidence: float = 0
    explained: float = 0
    """How much of the crop the face explains."""
    runner_up: str = ""
    rival: str = ""
    """What of another shape might stand there instead."""
    clear: float = 1
    """How clear it is that it does not."""
    before: Detection | None = None
    """What lay there when the table was explained before, if it has not been moved since."""

    @property
    def row(self) -> int:
        """Its upright template."""
        return self.shape.fine.labels.index(self.label)


@dataclass(eq=False)
class Workspace:
    """The table as it is seen, and what of it is explained so far."""

    full: Pixels
    half: Pixels
    foreground: Mask
    """255 where something lies."""
    covered: Mask
    """255 where a known piece lies."""
    hidden: Mask
    """255 where something known stands on it."""
    lying: list[Detection] = field(default_factory=list)
    standing: list[Detection] = field(default_factory=list)

    @classmethod
    def of(cls, full: Pixels, foreground: Mask) -> Workspace:
        size = foreground.shape[1], foreground.shape[0]
        half = np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(full, half, foreground, np.zeros_like(foreground), np.zeros_like(foreground))

    def coarse(self, templates: Templates, poses: Poses) -> Crops:
        return cut_crops(self.half, poses, templates.size, COARSE, HALF).astype(np.float32)

    def fine(self, templates: Templates, poses: Poses) -> Pixels:
        return cut_crops(self.full, poses, templates.size, FINE, PX_PER_MM)

    def share(self, mask: Mask, shape: FaceShape, poses: Poses) -> Poses:
        """Which part of each footprint is set in a mask."""
        size = max(2, round(shape.width / COARSE)), max(2, round(shape.height / COARSE))
        return np.asarray(cut_crops(mask, poses, size, COARSE, HALF).mean(axis=(1, 2)) / 255, np.float64)

    @property
    def open(self) -> Mask:
        """255 where something lies that is not explained."""
        return np.asarray(cv2.bitwise_and(self.foreground, cv2.bitwise_not(self.covered)), np.uint8)

    def seen_through(self, templates: Templates, poses: Poses) -> tuple[Crops, Masks]:
        """Crops, and which of their cells nothing hides that stands there."""
        crops = self.coarse(templates, poses) if templates.step == COARSE else self.fine(templates, poses)
        floats = crops.astype(np.float32)
        seen = np.broadcast_to(templates.mask, floats.shape[:3])
        if not self.standing:
            return floats, seen
        hidden = cut_crops(self.hidden, poses, templates.size, templates.step, HALF) > 127
        bare = seen & ~hidden
        enough = bare.sum(axis=(1, 2)) > LEAST_SEEN * templates.mask.sum()
        return floats, np.where(enough[:, None, None], bare, seen)

    def take_away(self, pieces: Iterable[Detection]) -> None:
        """Take pieces for something unknown after all."""
        gone = set(pieces)
        lying, standing = self.lying, self.standing
        self.lying, self.standing = [], []
        self.covered[:], self.hidden[:] = 0, 0
        for piece in (*lying, *standing):
            if piece not in gone:
                self.place(piece)

    def place(self, piece: Detection) -> None:
        """Take a piece as found."""
        if piece.shape.stands:
            self.standing.append(piece)
            outline = np.pad(np.where(piece.shape.fine.mask, np.uint8(255), np.uint8(0)), SHADOW_MM)
            kernel = np.ones((2 * SHADOW_MM + 1, 2 * SHADOW_MM + 1), np.uint8)
            lay(self.hidden, np.asarray(cv2.dilate(outline, kernel), np.uint8), piece.pose, HALF)
        else:
            self.lying.append(piece)
            fill_footprint(self.covered, piece.pose, piece.shape.width + 1, piece.shape.height + 1, HALF)


ROUNDS = 4
HALF_WEIGHT = 30.0
"""Levels at which a cell's say is halved, so that what hides a part does not pull the rest."""
ROUND_MM, ROUND_RADIANS = 1.5, 0.05
"""Not further in one round."""


def refine_poses(
    view: Workspace, templates: Templates, rows: NDArray[np.intp], poses: Poses, rounds: int = ROUNDS
) -> tuple[Poses, Poses, Poses]:
    """Better poses for some templates, each beginning at its own; how much it looks like its template there, and
    how much of it that template explains."""
    known = templates.pictures[rows].reshape(len(rows), -1, 3)
    slopes = templates.slopes[rows].reshape(len(rows), -1, 3, 3)
    crops, seen = _crops(view, templates, poses)
    for _ in range(rounds):
        poses = displaced(poses, _step(_alike(crops, known, seen), known, slopes, seen))
        crops, seen = _crops(view, templates, poses)
    scores = templates.likeness(crops, rows, seen)
    return poses, scores, _explained(_alike(crops, known, seen), known, seen)


def _crops(view: Workspace, templates: Templates, poses: Poses) -> tuple[Crops, Masks]:
    """What is seen of lying pieces beside what stands on them, or of what stands."""
    if templates.stands:
        crops = view.fine(templates, poses).astype(np.float32)
        return crops, np.broadcast_to(templates.mask, crops.shape[:3])
    return view.seen_through(templates, poses)


def _explained(crops: Crops, known: Crops, seen: Masks) -> Poses:
    """How much of each crop its template explains: what hides a part costs nothing."""
    off, weights = brightness(np.abs(crops - known)), _weights(seen)
    return np.asarray(((1 / (1 + (off / HALF_WEIGHT) ** 2)) * weights).sum(1), np.float64)


def _weights(seen: Masks) -> Vectors:
    """What each cell counts for."""
    weights = seen.reshape(len(seen), -1).astype(np.float32)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _alike(crops: Crops, known: Crops, seen: Masks) -> Crops:
    """The crops in the light of their templates."""
    found, weights = crops.reshape(known.shape), _weights(seen)
    mean, there = (np.einsum("ni,nic->nc", weights, part)[:, None] for part in (found, known))
    found, wanted = found - mean, known - there
    spreads = [np.sqrt(np.einsum("nij,nij,ni->n", part, part, weights) / 3) for part in (found, wanted)]
    gain = np.minimum(spreads[1] / (spreads[0] + 1), 4)
    return np.asarray(found * gain[:, None, None] + there, np.float32)


def _step(crops: Crops, known: Crops, slopes: Crops, seen: Masks) -> Poses:
    off = crops - known
    weight = seen.reshape(*off.shape[:2], 1) / (1 + (brightness(np.abs(off))[..., None] / HALF_WEIGHT) ** 2)
    count = len(known)
    flat = (slopes * weight[..., None]).reshape(count, -1, 3)
    pull = flat.transpose(0, 2, 1) @ off.reshape(count, -1, 1)
    stiff = flat.transpose(0, 2, 1) @ slopes.reshape(count, -1, 3) + np.diag([1, 1, 100]) * 1e3
    step = -np.linalg.solve(stiff.astype(np.float64), pull.astype(np.float64))[..., 0]
    step[:, :2] = np.clip(step[:, :2], -ROUND_MM, ROUND_MM)
    step[:, 2] = np.degrees(np.clip(step[:, 2], -ROUND_RADIANS, ROUND_RADIANS))
    return np.asarray(step, np.float64)


LIKE = 0.55
"""Likeness from which something is taken for a face where nothing speaks for it but itself."""
STILL_LIKE = 0.5
"""Likeness from which a piece is still there, or lies where a neighbour lets one expect it."""
DRAWN, DRAWN_PALE, PALE = 0.15, 0.5, 0.6
"""Likeness of the drawing alone, below which only the colours are right, as those of a lamp's reflection may be; more
is wanted of what has less than that part of the face's contrast."""
SAME_COLOUR = 30.0
"""Levels by which a piece of one colour may differ from it."""
ROUGH = 0.13
"""How much less it may look like one where its pose is only roughly known."""
HIDDEN, PLAIN = 0.3, 0.7
"""Likeness of a known or expected piece with something on it, and how much of an expected one must be explained."""
OPEN, TAKEN = 0.6, 0.25
"""How much of a footprint must be unexplained, and how much of it may belong to another piece."""
GAP = 0.5
"""Millimetres between pieces laid side by side, mostly."""
NEAR_OFFSETS = offsets(4.0, 2.0, (-3.0, 0.0, 3.0))
"""Where a neighbour may lie instead of where it was expected."""
GRID_MM = 4
STRAY = (-4.0, 0.0, 4.0)
"""Degrees by which pieces of one heap lie askew."""
ANY = tuple(range(0, 90, 6))
WINDOWS_LIMIT = 4000
"""Crops compared at once: enough for two kingdoms, and little memory."""
PATIENCE = 30
"""Places of a heap that are looked at in vain, one after the other, before it is left alone."""
PLACES_LIMIT = 40_000
"""Poses tried for one heap; a larger one is searched more roughly."""
LOOK_WORK = 250
"""As many poses are compared in the time of one close look."""
TRIES, TURNED, FINALISTS = 5, 2, 2
"""Faces that are looked at closely for one place, ways to lie of each, and how many of them very closely."""
INSTEAD, BESIDE_MM = 4, 8.0
"""Other places of a heap's piece that are looked at closely, and how far they are from each other."""

PoseCandidate = tuple[float, int, FaceShape, Poses]
"""Where something may lie, after the likeliest: how unlike any face it is, which one, its shape, and its pose."""


class Locator:
    """Explains what lies on the table with the faces of some shapes."""

    def __init__(self, shapes: Sequence[FaceShape]) -> None:
        self.shapes = tuple(shape for shape in shapes if not shape.stands)
        self._work = 0
        """Poses compared since `find` began."""

    def verify(self, view: Workspace, known: Sequence[Detection]) -> None:
        """Place again what still lies where it was."""
        for shape in self.shapes:
            same = [piece for piece in known if piece.shape is shape]
            if not same:
                continue
            rows = np.array([piece.row for piece in same])
            found = refine_poses(view, shape.fine, rows, np.stack([piece.pose for piece in same]))
            for piece, pose, like, explained in zip(same, *found, strict=True):
                moved = float(np.hypot(*(pose - piece.pose)[:2]))
                # Something put on it hides a part, but does not move it.
                lies = view.share(view.foreground, shape, pose[None])[0] >= OPEN
                plain, covered = like >= STILL_LIKE, like >= HIDDEN and explained >= STILL_LIKE
                sure = piece.confidence >= STILL_LIKE and covered
                if lies and ((plain and moved < 3) or (sure and moved < 1.5)):
                    view.place(
                        Detection(shape, piece.label, pose, float(like), before=replace(piece, before=None))
                    )

    def find(self, view: Workspace, where: Sequence[Mask], work: float = inf) -> Mask | None:
        """Explain what is not explained yet in the heaps that reach into these masks, in their order; after so much
        work no other heap is begun, and the answer is where that would have been."""
        self._work, left = 0, None
        self._grow(view, view.lying)
        for heap in self._heaps(view, where):
            if left is not None:
                left |= heap
                continue
            self._explain(view, heap)
            if self._work > work:
                left = np.zeros_like(heap)
        return left

    def _heaps(self, view: Workspace, where: Sequence[Mask]) -> Iterator[Mask]:
        """The smallest first: a single piece is small, and what is no piece may be large."""
        rest = [heap for heap in reversed(components(view.open)) if self._large_enough(heap)]
        for mask in where:
            reached = [cv2.countNonZero(cv2.bitwise_and(heap, mask)) > 0 for heap in rest]
            yield from compress(rest, reached)
            rest = [heap for heap, done in zip(rest, reached, strict=True) if not done]

    def _large_enough(self, heap: Mask) -> bool:
        area = cv2.countNonZero(heap) / HALF**2
        return any(area > OPEN * shape.fill * shape.width * shape.height for shape in self.shapes)

    def _explain(self, view: Workspace, heap: Mask) -> None:
        before = len(view.lying)
        askew = heap_angle(heap)
        self._sow(view, heap, tuple(askew + stray for stray in STRAY))
        if len(view.lying) == before:
            self._sow(view, heap, tuple(map(float, ANY)))

    def _sow(self, view: Workspace, heap: Mask, turns: tuple[float, ...]) -> None:
        """Place what looks most like a face anywhere in a heap, let it grow, and so on."""
        seeds = [seed for shape in self.shapes for seed in self._seeds(view, shape, heap, turns)]
        seeds.sort(key=lambda seed: seed[:2])
        failed = 0
        for _, _, shape, pose in seeds:
            x, y = (int(value * HALF) for value in pose[:2])
            if view.covered[y, x] or view.share(view.covered, shape, pose[None])[0] > TAKEN:
                continue
            found = self._seen_at(view, shape, pose)
            if found:
                found = self._clearest(view, found, seeds)
                view.place(found)
                self._grow(view, [found])
                failed = 0
            elif (failed := failed + 1) >= PATIENCE:
                return

    def _clearest(self, view: Workspace, first: Detection, seeds: Sequence[PoseCandidate]) -> Detection:
        """What may lie there instead, if that is clearer: two drawings that repeat themselves look much like a third
        one between them, and only a closer look shows where each begins."""
        own, looked, found = np.zeros_like(view.covered), [first.pose], [first]
        fill_footprint(own, first.pose, first.shape.width, first.shape.height, HALF)
        for _, _, shape, pose in seeds:
            if min(np.hypot(*(pose - other)[:2]) for other in looked) < BESIDE_MM:
                continue
            if view.share(own, shape, pose[None])[0] > TAKEN:
                looked.append(pose)
                found += filter(None, [self._seen_at(view, shape, pose)])
            if len(looked) > INSTEAD:
                break
        return max(found, key=lambda piece: piece.likeness + piece.explained)

    def _seen_at(self, view: Workspace, shape: FaceShape, pose: Poses) -> Detection | None:
        """What lies there without any neighbour that speaks for it."""
        found = self._look(view, shape, pose[None])
        return found if found and found.likeness >= LIKE and self._fits(view, found) else None

    def _seeds(
        self, view: Workspace, shape: FaceShape, heap: Mask, turns: tuple[float, ...]
    ) -> Iterator[PoseCandidate]:
        poses = candidate_poses(heap, shape, turns)
        poses = poses[view.share(heap, shape, poses) > 0.8 * shape.fill] if len(poses) else poses
        self._work += len(poses)
        order = count()
        for start in range(0, len(poses), WINDOWS_LIMIT):
            part = poses[start : start + WINDOWS_LIMIT]
            best = shape.coarse.scores(view.coarse(shape.coarse, part)).max(axis=1)
            for index in np.flatnonzero(best > LIKE - ROUGH).tolist():
                yield -float(best[index]), next(order), shape, part[index]

    def _grow(self, view: Workspace, roots: Sequence[Detection]) -> None:
        """Place the neighbours of placed pieces, the most convincing first."""
        order = count()
        waiting: list[tuple[float, int, Detection]] = []

        def ask(piece: Detection) -> None:
            for shape, pose in self._beside(view, piece):
                found = self._look(view, shape, displaced(pose, NEAR_OFFSETS))
                if found and (found.likeness >= STILL_LIKE or _half_hidden(found)):
                    heapq.heappush(waiting, (-found.likeness, next(order), found))

        for piece in tuple(roots):
            ask(piece)
        while waiting:
            found = heapq.heappop(waiting)[2]
            if self._fits(view, found):
                view.place(found)
                ask(found)

    def _beside(self, view: Workspace, piece: Detection) -> Iterator[tuple[FaceShape, Poses]]:
        """Where pieces could lie that touch this one, if something unexplained lies there."""
        for shape in self.shapes:
            for side in shape.sides:
                width, height = (shape.height, shape.width) if side else (shape.width, shape.height)
                x, y = (piece.shape.width + width) / 2 + GAP, (piece.shape.height + height) / 2 + GAP
                steps = np.array([(x, 0, side), (0, y, side), (-x, 0, side), (0, -y, side)])
                poses = displaced(np.broadcast_to(piece.pose, (4, 3)), steps)
                for pose in poses[view.share(view.open, shape, poses) >= OPEN * shape.fill]:
                    yield shape, pose

    def _fits(self, view: Workspace, piece: Detection) -> bool:
        pose = piece.pose[None]
        taken, lies = (
            view.share(view.covered, piece.shape, pose)[0],
            view.share(view.foreground, piece.shape, pose)[0],
        )
        if taken > TAKEN or lies < OPEN * piece.shape.fill:
            return False
        fine = piece.shape.fine
        (crop, seen), rows = view.seen_through(fine, pose), np.array([piece.row])
        if fine.plain(piece.row):  # only its colour can speak for it: it has to be the very one
            off = np.abs(crop[0] - fine.pictures[piece.row])[seen[0]].mean()
            return bool(off <= SAME_COLOUR)
        drawn = fine.structure(crop, rows, seen[0])[0]
        return bool(drawn >= (DRAWN if fine.contrast(crop, rows, seen[0])[0] > PALE else DRAWN_PALE))

    def _look(self, view: Workspace, shape: FaceShape, poses: Poses) -> Detection | None:
        """What lies at one of these poses, most likely."""
        self._work += LOOK_WORK
        rough, fine = shape.coarse, shape.fine
        scores = rough.scores(*view.seen_through(rough, poses))
        rows = np.array(best_templates(rough, scores))
        starts = poses[scores[:, rows].argmax(axis=0)]
        exact, likeness, explained = refine_poses(view, fine, rows, starts, 2)
        first = np.argsort(-likeness - explained)[:FINALISTS]
        rows = rows[first]
        exact, likeness, explained = refine_poses(view, fine, rows, exact[first], 2)
        best = int((likeness + explained).argmax())
        pose = exact[best] + (0, 0, fine.turns[rows[best]])
        label = fine.labels[rows[best]]
        return Detection(shape, label, pose, float(likeness[best]), explained=float(explained[best]))


def _half_hidden(piece: Detection) -> bool:
    """Whether something may stand on a piece that lies where it is expected."""
    return piece.likeness >= HIDDEN and piece.explained >= PLAIN


def best_templates(templates: Templates, scores: Vectors) -> list[int]:
    """The templates that fit best at any of the poses; more than one way for a label, as a part may be hidden."""
    best: list[int] = []
    for row in np.argsort(-scores.max(axis=0)).tolist():
        if sum(templates.labels[row] == templates.labels[other] for other in best) < TURNED:
            best.append(row)
        if len(best) == TRIES:
            break
    return best


def heap_angle(heap: Mask) -> float:
    """By how much the straight edges of a heap are turned, between 0 and 90 degrees."""
    outlines, _ = cv2.findContours(heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    corners = cv2.approxPolyDP(max(outlines, key=cv2.contourArea), 2.5, True)[:, 0].astype(np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    long = np.hypot(sides[:, 0], sides[:, 1])
    turns = np.arctan2(sides[:, 1], sides[:, 0])
    four = (long**2 * np.exp(4j * turns)).sum()
    return float(np.degrees(np.angle(four)) / 4 % 90)


def candidate_poses(heap: Mask, shape: FaceShape, turns: tuple[float, ...]) -> Poses:
    """Poses to try all over a heap: a grid of middles that are deep enough inside it, and every turn."""
    inside = cv2.distanceTransform(cv2.copyMakeBorder(heap, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)
    reach = 0.35 * min(shape.width, shape.height) * HALF
    step = max(1, round(min(GRID_MM, min(shape.width, shape.height) / 12) * HALF))
    while np.count_nonzero(inside[1:-1:step, 1:-1:step] >= reach) * len(turns) > PLACES_LIMIT:
        step += 1
    rows, columns = np.nonzero(inside[1:-1:step, 1:-1:step] >= reach)
    middles = (np.stack([columns, rows], -1) * step + 0.5) / HALF
    every = sorted({turn + side for turn in turns for side in shape.sides}) if not shape.face.round else [0.0]
    return np.concatenate([np.column_stack([middles, np.full(len(middles), turn)]) for turn in every])


Strangeness = NDArray[np.float32]
"""How far each place is from what is known to lie there, in levels."""

STRANGE_FROM = 28.0
"""From here on something may stand there."""
SPREAD_PX = 2.0
"""Pixels over which strangeness is spread: the size of a small figure."""
STANDING_TURNS = tuple(float(turn) for turn in range(0, 360, 15))
STANDING_OFFSETS = offsets(10.0, COARSE, STANDING_TURNS)
ROUND_OFFSETS = offsets(10.0, COARSE, (0.0,))
STANDING_LIKE, STANDING_LIKELY = 0.6, 0.74
"""Likeness to a face from which something is taken for it, alone and with what it explains."""
RIGHT, BETTER = 32.0, 18.0
"""Levels by which something may differ from a face of its colour, and by how many what lies there must differ more."""
GAIN, GAIN_LIMIT = 0.01, 0.25
"""What explaining a place by one level better counts for, and all of it at most."""
STARTS = 3
"""Rough poses from which each face is fitted."""
PEAKS_LIMIT = 60
"""Places looked at: more figures than that do not stand on a table."""
APART_MM = 12.0
WINDOW_MM, COSTS = 45, 0.00003
"""Side of the square in which what is left unexplained is counted, and what a level of a square millimetre counts."""
CLEARLY = (0.0, 0.12)
"""From no confidence to all of it: by how much more speaks for one shape than for another."""
COMMON = 0.3
"""How much of two standing pieces' squares may be the same place."""


def unexplained(view: Workspace, pieces: Sequence[Detection]) -> Mask:
    """How many levels each place is from what these pieces, and the cloth around them, explain of it."""
    wrong, known = np.zeros_like(view.foreground), np.zeros_like(view.foreground)
    for piece in pieces:
        templates = piece.shape.fine
        columns, rows = templates.size
        crop = view.fine(templates, piece.pose[None])[0].astype(np.float32)
        error = light_errors(crop.reshape(-1, 3), templates.pictures[piece.row].reshape(-1, 3))
        levels = np.clip(error, 0, 255).astype(np.uint8).reshape(rows, columns)
        lay(wrong, np.asarray(levels * templates.mask, np.uint8), piece.pose, HALF)
        lay(known, np.full_like(levels, 255), piece.pose, HALF)
    # Along the edges, where a piece is not compared, it is as strange as beside them.
    spread = np.where(known > 127, wrong, cv2.dilate(wrong, np.ones((5, 5), np.uint8)))
    nothing = cv2.morphologyEx(view.open, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
    return np.asarray(np.maximum(spread, np.asarray(nothing, np.uint8) // 4), np.uint8)


def strangeness(levels: Mask) -> Strangeness:
    """How strange each place is for something as large as a small figure."""
    return np.asarray(cv2.GaussianBlur(levels.astype(np.float32), (0, 0), SPREAD_PX), np.float32)


class StandingLocator:
    """Finds the standing pieces of some shapes."""

    def __init__(self, shapes: Sequence[FaceShape]) -> None:
        self.shapes = tuple(shape for shape in shapes if shape.stands)

    def find(self, view: Workspace, levels: Mask, where: Mask) -> None:
        """Place what stands where it is strange, the strangest place first."""
        strange = strangeness(levels)
        for place in strange_peaks(np.where(where > 0, strange, np.float32(0))) if self.shapes else ():
            found = _clearest(view, levels, place, [self._best(view, shape, place) for shape in self.shapes])
            for one in found:
                if convincing(view, one, strange) and _free(view, one):
                    view.place(one)
                    break

    def _best(self, view: Workspace, shape: FaceShape, place: Poses) -> Detection:
        rough, fine = shape.coarse, shape.fine
        poses = displaced(place, ROUND_OFFSETS if shape.face.round else STANDING_OFFSETS)
        scores = rough.scores(view.coarse(rough, poses))
        starts = np.argsort(-scores, axis=0)[:STARTS]
        rows = np.tile(np.arange(scores.shape[1]), len(starts))
        exact, likeness, _ = refine_poses(view, fine, rows, poses[starts.ravel()])
        alike = likeness - level_error(view, shape, rows, exact) * GAIN
        best = int(alike.argmax())
        return Detection(shape, fine.labels[rows[best]], exact[best], float(likeness[best]))


def level_error(view: Workspace, shape: FaceShape, rows: NDArray[np.intp], poses: Poses) -> Poses:
    """How many levels each template differs from what is seen at its pose, in colour and all."""
    templates = shape.fine
    crops = view.fine(templates, poses).astype(np.float32)[:, templates.mask]
    return np.asarray(
        np.abs(crops - templates.pictures[rows][:, templates.mask]).mean(axis=(1, 2)), np.float64
    )


def _free(view: Workspace, piece: Detection) -> bool:
    return bool(view.share(view.hidden, piece.shape, piece.pose[None])[0] <= COMMON)


def _clearest(
    view: Workspace, levels: Mask, place: Poses, pieces: Sequence[Detection]
) -> Iterator[Detection]:
    """What looks most like what is seen and leaves least unexplained first; how clearly is remembered with it."""
    if len(pieces) == 1:
        yield from pieces
        return
    speaks = [_speaking(view, piece) - _left(view, levels, place, piece) * COSTS for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda index: -speaks[index])
    for index in order:
        rival = next(other for other in order if other != index)
        clear = ramp(speaks[index] - speaks[rival], CLEARLY)
        yield replace(pieces[index], rival=pieces[rival].label, clear=clear)


def _speaking(view: Workspace, piece: Detection) -> float:
    """What speaks for a piece by itself: what it looks like, and its very colour."""
    wrong = level_error(view, piece.shape, np.array([piece.row]), piece.pose[None])
    return piece.likeness - float(wrong[0]) * GAIN


def _left(view: Workspace, levels: Mask, place: Poses, piece: Detection) -> float:
    """How many levels in all a piece leaves unexplained around a place."""
    templates, (columns, rows) = piece.shape.fine, piece.shape.fine.size
    around = cut_crops(levels, place, (WINDOW_MM, WINDOW_MM), FINE, HALF)[0]
    crop = view.fine(templates, piece.pose[None])[0].astype(np.float32)
    error = np.zeros((rows, columns), np.float32)
    error[templates.mask] = light_errors(crop[templates.mask], templates.pictures[piece.row][templates.mask])
    pose = piece.pose - place[0] + (WINDOW_MM / 2, WINDOW_MM / 2, 0)
    own, there = np.zeros_like(around), np.zeros_like(around)
    lay(own, np.asarray(np.clip(error, 0, 255), np.uint8), pose, 1 / FINE)
    lay(there, np.asarray(templates.mask * np.uint8(255), np.uint8), pose, 1 / FINE)
    return float(np.where(there > 127, own, around).sum())


def convincing(view: Workspace, piece: Detection, strange: Strangeness) -> bool:
    """Whether this piece explains its place so much better than what is known to lie there."""
    templates, pose = piece.shape.fine, piece.pose[None]
    mine = float(level_error(view, piece.shape, np.array([piece.row]), pose)[0])
    levels = np.clip(strange, 0, 255).astype(np.uint8)
    other = float(cut_crops(levels, pose, templates.size, templates.step, HALF)[0][templates.mask].mean())
    gain = float(np.clip((other - mine) * GAIN, -GAIN_LIMIT, GAIN_LIMIT))
    # A face in one dark colour has little to be like, but its colour can be right.
    return (piece.likeness >= STANDING_LIKE and piece.likeness + gain >= STANDING_LIKELY) or (
        mine <= RIGHT and other - mine >= BETTER
    )


def strange_peaks(strange: Strangeness) -> Iterator[Poses]:
    """The strangest places, none of them near another one."""
    left = strange.copy()
    for _ in range(PEAKS_LIMIT):
        _, level, _, (column, row) = cv2.minMaxLoc(left)
        if level < STRANGE_FROM:
            return
        yield np.array([[(column + 0.5) / HALF, (row + 0.5) / HALF, 0.0]])
        cv2.circle(left, (column, row), round(APART_MM * HALF), (0.0,), -1)
