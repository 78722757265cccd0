"""Finds flat pieces in a still picture of the table by what the gallery knows, the next from its neighbours.

What makes this cheaper than a photo: the scale is known, pieces lie on a cloth that is known, and what was
found before is looked at once, where it lay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.gallery.known import KnownPieces
from companion.vision.gallery.squares import CELL, INNER_SIDE, Vectors
from companion.vision.live.second_look import Spot, earlier_look
from companion.vision.live.workspace import HALF, PX_PER_MM, Detection, Shape, Workspace
from companion.vision.poses import Poses, cut_crops, displaced, offsets
from companion.vision.table.foreground import Mask, components
from models.registry import INPUT_SIDE

LIKE = 0.62
"""Likeness from which something is taken for a piece where nothing speaks for it but itself."""
STILL_LIKE = 0.5
"""Likeness from which a piece lies where a neighbour lets one expect it."""
ROUGH = 0.15
"""How much less it may look like one where its pose is only roughly known."""
SAME_LOOK = 0.55
"""Likeness to how it looked before from which a piece still lies where it lay."""
SAME_PART = 0.45
"""How much of it must look as before where something may stand on the rest."""
OPEN, TAKEN = 0.6, 0.15
"""How much of a footprint must be unexplained, and how much of it may belong to another piece."""
PLAIN, FAINT, SQUEEZED = 0.7, 0.3, 0.3
"""Likeness of what is plainly a piece; how much of that must stand out from a ground that may have its colours, and how
much of it may belong to neighbours whose places are only nearly known."""
GAP = 0.5
"""Millimetres between pieces laid side by side, mostly."""
MISSING = 0.4
"""Of a side: what looks like the table, and is less wide than that, may be a part of a piece."""
GRID_PARTS = 8
"""Of a side: how far apart places are tried all over a heap."""
STRAY = (-4.0, 0.0, 4.0)
"""Degrees by which pieces of one heap lie askew."""
ANY = tuple(float(turn) for turn in range(0, 90, 7))
PLACES_LIMIT = 8_000
"""Places tried for one heap; a larger one is searched more roughly."""
AT_A_TIME = 500
"""Places of a heap that are compared before the best of them is tried."""
PATIENCE = 12
"""Places of a heap that are looked at in vain, one after the other, before it is left alone."""
BESIDE = offsets(0.1, 0.1, (-3.0, 0.0, 3.0))
"""In parts of a side and degrees: where a neighbour may lie instead of where it was expected."""
CLOSER = tuple(offsets(reach, reach, (0.0,)) for reach in (0.075, 0.04))
"""The same, for a pose that is nearly known."""
TURNS = np.array([(0.0, 0.0, turn) for turn in (-4.0, -2.0, 0.0, 2.0, 4.0)])
FREE = 0.5
"""What ground counts for that is nobody else's: pieces lie where something lies, and not on each other."""
PULL = 40.0
"""How much more the better of two places counts: where a piece lies is the middle of the places that look like it."""


class Locator:
    """Explains what lies on the table with the pieces of a gallery."""

    def __init__(self, known: KnownPieces) -> None:
        self.known = known
        self.shape = Shape(known.side, known.side)
        self._step = known.side * INNER_SIDE / CELL / INPUT_SIDE
        """Millimetres in a cell of what the network looks at."""
        self.elsewhere = np.zeros(len(known.faces), bool)
        """Rows that show pieces of another box than the one on this table."""
        self._work = 0
        """Crops compared since `find` began."""

    # -- looking ------------------------------------------------------------------------------------------------

    def looks(self, view: Workspace, poses: Poses) -> Vectors:
        """Embeddings of what lies at some poses."""
        self._work += len(poses)
        size = INPUT_SIDE, INPUT_SIDE
        crops = cut_crops(view.full, poses, size, self._step, PX_PER_MM).astype(np.float32)
        return self.known.gallery.embed(crops)

    def scores(self, looks: Vectors) -> Vectors:
        """The likeness of each look to each row of the gallery; to those of another box, none."""
        scores = np.asarray(looks @ self.known.gallery.traits.T, np.float32)
        scores[..., self.elsewhere] = -1
        return scores

    def _rows(self, view: Workspace, poses: Poses) -> Vectors:
        return self.scores(self.looks(view, poses))

    def settle(self, view: Workspace, poses: Poses, first: Poses = BESIDE) -> list[Detection]:
        """What lies at or near each pose, and where exactly."""
        side = np.array([self.known.side, self.known.side, 1.0])
        rows = np.zeros(0, np.intp)
        for by in (first * side, *(closer * side for closer in CLOSER), TURNS):
            every = displaced(poses[:, None], by[None]).reshape(-1, 3)
            scores = self._rows(view, every).reshape(len(poses), len(by), -1)
            free = view.share(view.open, self.shape, every).reshape(len(poses), len(by))
            scores += (free * FREE)[..., None].astype(np.float32)
            rows = scores.max(axis=1).argmax(axis=1)
            like = scores[np.arange(len(poses)), :, rows]
            weight = np.exp(PULL * (like - like.max(axis=1, keepdims=True)))
            middle = (weight[..., None] * by).sum(axis=1) / weight.sum(axis=1, keepdims=True)
            poses = displaced(poses, middle)
        found = self._rows(view, poses)
        return [self._detection(pose, int(row.argmax()), row) for pose, row in zip(poses, found, strict=True)]

    def _detection(self, pose: Poses, row: int, scores: Vectors) -> Detection:
        turn = 90.0 * float(self.known.gallery.turns[row])
        return Detection(
            self.shape, self.known.faces[row], pose + np.array((0, 0, turn)), float(scores[row]), row=row
        )

    # -- what lay there before ----------------------------------------------------------------------------------

    def verify(self, view: Workspace, pieces: Sequence[Detection]) -> None:
        """Place again what still lies where it was."""
        if not pieces:
            return
        lay = np.stack([piece.pose for piece in pieces])
        lies = view.share(view.foreground, self.shape, lay)
        now = self.looks(view, lay)
        for piece, part, look in zip(pieces, lies, now, strict=True):
            like = float(self.scores(look).max())
            same = float(piece.look @ look) >= SAME_LOOK if piece.look is not None else like >= STILL_LIKE
            pose = piece.pose
            if not same and piece.bare is not None:
                still = earlier_look(view, piece.pose, piece.bare)
                same, pose = still.share >= SAME_PART, still.pose
            if same and stands_out(float(part), like):
                lain = replace(piece, pose=pose, before=None)
                view.place(replace(lain, likeness=like, before=lain))

    # -- what is new --------------------------------------------------------------------------------------------

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
        if not self.known.faces:
            return
        least = OPEN * (self.known.side * HALF) ** 2
        rest = components(view.open, least)[::-1]
        for mask in where:
            reached = [cv2.countNonZero(cv2.bitwise_and(heap, mask)) > 0 for heap in rest]
            yield from compress(rest, reached)
            rest = [heap for heap, done in zip(rest, reached, strict=True) if not done]

    def _explain(self, view: Workspace, heap: Mask) -> None:
        before = len(view.lying)
        askew = heap_angle(heap)
        self._sow(view, heap, tuple(askew + stray for stray in STRAY))
        if len(view.lying) == before:
            self._sow(view, heap, ANY)

    def _sow(self, view: Workspace, heap: Mask, turns: tuple[float, ...]) -> None:
        """Place what looks most like a piece anywhere in a heap, let it grow, and so on."""
        heap = closed(heap, self.known.side)
        poses = candidate_poses(heap, self.known.side, turns)
        poses = poses[view.share(heap, self.shape, poses) > 0.8] if len(poses) else poses
        if not len(poses):
            return
        every = [
            self._rows(view, poses[at : at + AT_A_TIME]).max(axis=1) for at in range(0, len(poses), AT_A_TIME)
        ]
        likeness, failed = np.concatenate(every), 0
        for index in np.argsort(-likeness):
            if likeness[index] < LIKE - ROUGH or failed == PATIENCE:
                return
            pose = poses[index]
            if self._taken(view, pose):
                continue
            (found,) = self.settle(view, pose[None])
            if found.likeness >= LIKE and self._fits(view, found):
                found = self._exact(view, found)
                view.place(found)
                self._grow(view, [found])
                failed = 0
            else:
                failed += 1

    def _taken(self, view: Workspace, pose: Poses) -> bool:
        x, y = (int(value * HALF) for value in pose[:2])
        return bool(view.covered[y, x] or view.share(view.covered, self.shape, pose[None])[0] > TAKEN)

    def _grow(self, view: Workspace, roots: Sequence[Detection]) -> None:
        """Place the neighbours of placed pieces, those of the placed ones, and so on; the most convincing first."""
        while len(places := self._beside(view, roots)):
            least = np.where(view.share(view.open, self.shape, places) >= OPEN, STILL_LIKE, PLAIN)
            settled = self.settle(view, places)
            found = [one for one, like in zip(settled, least, strict=True) if one.likeness >= like]
            roots = []
            for one in sorted(found, key=lambda one: -one.likeness):
                if self._fits(view, one):
                    view.place(exact := self._exact(view, one))
                    roots = [*roots, exact]

    def _exact(self, view: Workspace, piece: Detection) -> Detection:
        """The piece where its drawing lies best over what is seen, where its drawing is known."""
        drawing = self.known.pictures[piece.row // 4]
        if drawing is None:
            return piece
        return replace(piece, pose=Spot(view, piece.pose, len(drawing)).fit(drawing).pose)

    def beside(self, piece: Detection, pieces: Sequence[Detection]) -> Poses:
        """Where it would lie beside others, of the places that are near to where it was found."""
        poses = self._around([one for one in pieces if one is not piece])
        away = np.hypot(*(poses - piece.pose)[:, :2].T)
        return np.asarray(poses[away < self.known.side / 4])

    def _around(self, pieces: Sequence[Detection]) -> Poses:
        if not pieces:
            return np.zeros((0, 3))
        away = self.known.side + GAP
        steps = np.array([(away, 0, 0), (0, away, 0), (-away, 0, 0), (0, -away, 0)])
        return displaced(np.stack([piece.pose for piece in pieces])[:, None], steps[None]).reshape(-1, 3)

    def _beside(self, view: Workspace, pieces: Sequence[Detection]) -> Poses:
        """Where pieces could lie that touch these, if something unexplained lies there."""
        poses = self._around(pieces)
        poses = poses[view.share(view.open, self.shape, poses) >= FAINT]
        kept: list[Poses] = []
        for pose in poses:
            if all(np.hypot(*(pose - other)[:2]) > self.known.side / 4 for other in kept):
                kept.append(pose)
        return np.stack(kept) if kept else np.zeros((0, 3))

    def _fits(self, view: Workspace, piece: Detection) -> bool:
        pose = piece.pose[None]
        taken = view.share(view.covered, self.shape, pose)[0]
        lies = view.share(view.foreground, self.shape, pose)[0]
        room = taken <= (SQUEEZED if piece.likeness >= PLAIN else TAKEN)
        return bool(room and stands_out(float(lies), piece.likeness))


def stands_out(part: float, likeness: float) -> bool:
    """Whether enough of a piece stands out from the ground."""
    return part >= (FAINT if likeness >= PLAIN else OPEN)


def closed(heap: Mask, side: float) -> Mask:
    """A heap with what is missing inside of pieces: a part of a print may have the colours of the table."""
    gap = round(side * HALF * MISSING)
    padded = cv2.copyMakeBorder(heap, gap, gap, gap, gap, cv2.BORDER_CONSTANT, value=(0,))
    whole = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    return np.ascontiguousarray(whole[gap:-gap, gap:-gap], np.uint8)


def heap_angle(heap: Mask) -> float:
    """By how much the straight edges of a heap are turned, between 0 and 90 degrees."""
    outlines, _ = cv2.findContours(heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    corners = cv2.approxPolyDP(max(outlines, key=cv2.contourArea), 2.5, True)[:, 0].astype(np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    long = np.hypot(sides[:, 0], sides[:, 1])
    turns = np.arctan2(sides[:, 1], sides[:, 0])
    four = (long**2 * np.exp(4j * turns)).sum()
    return float(np.degrees(np.angle(four)) / 4 % 90)


def candidate_poses(heap: Mask, side: float, turns: tuple[float, ...]) -> NDArray[np.float64]:
    """Poses to try all over a heap: a grid of middles that are deep enough inside it, and every turn."""
    inside = cv2.distanceTransform(cv2.copyMakeBorder(heap, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)
    reach, step = 0.35 * side * HALF, max(1, round(side / GRID_PARTS * HALF))
    while np.count_nonzero(inside[1:-1:step, 1:-1:step] >= reach) * len(turns) > PLACES_LIMIT:
        step += 1
    rows, columns = np.nonzero(inside[1:-1:step, 1:-1:step] >= reach)
    middles = (np.stack([columns, rows], -1) * step + 0.5) / HALF
    return np.concatenate([np.column_stack([middles, np.full(len(middles), turn)]) for turn in turns])
