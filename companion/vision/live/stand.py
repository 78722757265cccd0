"""Finding what stands on pieces or on the cloth: in what no lying piece explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.gallery.gallery import COARSE, FINE, FaceShape
from companion.vision.live.classify import light_errors, ramp
from companion.vision.live.refine import refine_poses
from companion.vision.live.workspace import HALF, Detection, Workspace
from companion.vision.poses import Poses, cut, displaced, lay, offsets
from companion.vision.table.ground import Mask

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
    around = cut(levels, place, (WINDOW_MM, WINDOW_MM), FINE, HALF)[0]
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
    other = float(cut(levels, pose, templates.size, templates.step, HALF)[0][templates.mask].mean())
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
