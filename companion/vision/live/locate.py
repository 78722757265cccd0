"""Finding the pieces that lie flat: the best explanation first, the next from its neighbours, until nothing is left."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress, count
from math import inf

import cv2
import numpy as np

from companion.vision.gallery.gallery import FaceShape, Templates, Vectors
from companion.vision.live.refine import refine_poses
from companion.vision.live.workspace import HALF, Detection, Workspace
from companion.vision.poses import Poses, displaced, offsets, stamp
from companion.vision.table.ground import Mask, components

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
        stamp(own, first.pose, first.shape.width, first.shape.height, HALF)
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
