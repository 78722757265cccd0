"""Everything that lies on the table, kept from one look to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.observation import Area, Observation
from companion.vision.gallery.drawn import FINE, DrawnFace, FaceShape, shapes_of
from companion.vision.live.locator import (
    HALF,
    TAKEN,
    Detection,
    Locator,
    StandingLocator,
    Workspace,
    unexplained,
)
from companion.vision.live.matcher import Masks, Matcher, Scores
from companion.vision.poses import cut_crops, fill_footprint
from companion.vision.table.foreground import Mask, components

SAMPLE, CLEAR = 12, 0.85
"""Pieces that tell how sharp the camera's pictures are, and how much they must look like their faces."""
COVERED, UNSURE = 0.03, 0.3
"""Part of a piece that something known hides, and confidence that does not speak against what was known before."""
UNSURE_SHAPE = 0.5
"""How clear it must be that something of another shape does not stand there."""
UNKNOWN_AROUND = 0.5
"""Part of the square around what stands that nothing explains."""
TOUCHED = 0.02
"""Part of a piece that has changed for it to be looked at again."""
AROUND_MM = 40.0
"""How much wider than a piece that was found under something is looked at for what stands there."""
SAME_MM, SAME_DEGREES = 1.0, 1.5
"""A piece that seems to have moved less has not been touched."""
WORK = 20_000
"""Poses compared for one picture, after which what is left waits for the next; a full table takes some 50,000."""
UNKNOWN_MM2, THICK_MM = 250, 10
"""Smaller or thinner things are not worth a question."""


class TableReader:
    """Locates and names pieces; what has not changed is not looked at again."""

    def __init__(self, drawn: Sequence[DrawnFace]) -> None:
        self._shapes = shapes_of(drawn)
        self._locator, self._finder = Locator(self._shapes), StandingLocator(self._shapes)
        self._matchers = {shape: Matcher(shape) for shape in self._shapes}
        for shape in self._shapes:
            shape.prepare()
        self._pieces: tuple[Detection, ...] = ()
        self._fresh: tuple[Detection, ...] = ()
        """Pieces whose names are not sure yet."""
        self._view: Workspace | None = None
        self._barred: Mask | None = None
        """Where something lies that is not looked at."""
        self._left: Mask | None = None
        """Where something was left for the next picture."""
        self._begun: Mask | None = None
        """Where everything has been looked for since something was left, but for what stands."""
        self._found: tuple[Detection, ...] = ()
        """What was found there."""
        self.complete = False
        """Whether everything has been looked at since `forget`, but for what came later."""
        self.unknown: tuple[Area, ...] = ()

    @property
    def busy(self) -> bool:
        """Whether something was left for the next picture."""
        return self._left is not None

    @property
    def seen(self) -> tuple[Observation, ...]:
        return tuple(_observation(piece) for piece in self._pieces)

    def forget(self) -> None:
        """Drop what was found."""
        self._pieces, self._fresh, self._view, self.unknown = (), (), None, ()
        self._left, self._begun, self._found, self.complete = None, None, (), False

    def covered(self, shape: tuple[int, ...]) -> Mask:
        """255 where known pieces lie, with a little around them."""
        mask = np.zeros(shape[:2], np.uint8)
        px_per_mm = HALF if self._view is None else HALF * shape[1] / self._view.half.shape[1]
        for piece in self._pieces:
            fill_footprint(mask, piece.pose, piece.shape.width + 8, piece.shape.height + 8, px_per_mm)
        return mask

    def locate(self, picture: Pixels, foreground: Mask, news: Mask, barred: Mask) -> None:
        """Find what lies where, in a picture in which something has changed; what is barred stays unknown."""
        self._barred = np.asarray(foreground & barred, np.uint8)
        view = self._view = Workspace.of(picture, np.asarray(foreground & ~barred, np.uint8))
        touched = _within(view, self._pieces, news)
        kept = [piece for piece in self._pieces if piece not in touched and piece not in self._found]
        for piece in kept:
            view.place(piece)
        first = len(view.lying), len(view.standing)
        for piece in self._found:
            if piece not in touched:
                view.place(piece)
        self._locator.verify(view, [piece for piece in touched if not piece.shape.stands])
        self._stand(view, self._search(view, news), first[0])
        self._fresh = (*view.lying[first[0] :], *view.standing[first[1] :])
        self._pieces = (*view.lying, *view.standing)

    def _search(self, view: Workspace, news: Mask) -> Mask:
        """Find what lies there, and where something was left before; the answer is where to look for what stands."""
        nothing = np.zeros_like(news)
        waiting = nothing if self._left is None else self._left
        begun = news | waiting | (nothing if self._begun is None else self._begun)
        self._left = self._locator.find(view, (news, waiting), WORK)
        if self._left is None:
            self._begun, self.complete = None, True
            return np.asarray(begun, np.uint8)
        self._begun = np.asarray(begun & ~self._left, np.uint8)
        return np.asarray(news & ~self._left if self.complete else nothing, np.uint8)

    def _stand(self, view: Workspace, where: Mask, fresh: int) -> None:
        """Find what stands there, and what lies under it; the first so many pieces were known before."""
        if not cv2.countNonZero(where):
            return
        standing = len(view.standing)
        self._put_up(view, where)
        half_seen = self._half_seen(view, fresh) if len(view.standing) > standing else []
        view.take_away(half_seen)
        lying = len(view.lying)
        if len(view.standing) > standing:
            self._locator.find(view, (view.hidden,), WORK)
            self._put_back(view, half_seen)
        around = np.zeros_like(view.hidden)
        for piece in view.lying[lying:]:
            fill_footprint(
                around, piece.pose, piece.shape.width + AROUND_MM, piece.shape.height + AROUND_MM, HALF
            )
        if len(view.lying) > lying:  # what stands on these was looked for as if it stood on something unknown
            view.take_away(_within(view, view.standing[standing:], around, 0))
            self._put_up(view, np.asarray(where & around, np.uint8))

    def _half_seen(self, view: Workspace, fresh: int) -> list[Detection]:
        """What was named before it was known that something stands on it, which may have looked like a part of it."""
        named = [
            piece for piece in view.lying[fresh:] if not (piece.before and piece.before.confidence > UNSURE)
        ]
        return [
            piece for piece in named if view.share(view.hidden, piece.shape, piece.pose[None])[0] > COVERED
        ]

    def _put_back(self, view: Workspace, pieces: Sequence[Detection]) -> None:
        """Where nothing else was found instead, they lie as they did."""
        for piece in pieces:
            if view.share(view.covered, piece.shape, piece.pose[None])[0] <= TAKEN:
                view.place(piece)

    def _put_up(self, view: Workspace, where: Mask) -> None:
        self._finder.find(view, unexplained(view, _within(view, view.lying, where)), where)

    def classify(self, _sharpness: float) -> None:
        """Name what was found anew."""
        view = self._view
        if view is None:
            return
        named: dict[Detection, Detection | None] = {}
        for shape in self._shapes:
            same = [piece for piece in self._fresh if piece.shape is shape]
            visible = self._visible(view, shape, same)
            names = self._names(view, shape, same, visible)
            for piece, mask, scores in zip(same, visible, names, strict=True):
                name = _named(piece, scores, bool((~mask).mean() > COVERED))
                named[piece] = self._doubted(view, name) if name and shape.stands else name
        pieces = (named.get(old, old) for old in self._pieces)
        self._pieces = tuple(piece for piece in pieces if piece is not None)
        view.take_away(piece for piece, name in named.items() if name is None)
        self._found = tuple(name for name in named.values() if name) if self.busy else ()
        self._fresh = ()
        self.unknown = self._unexplained(view)

    def _doubted(self, view: Workspace, piece: Detection) -> Detection:
        """What stands on something unknown may well be a part of it."""
        around = view.share(view.open, piece.shape, piece.pose[None])[0]
        own = piece.shape.fine.mask.mean()
        doubt = (around - own) / (1 - own) > UNKNOWN_AROUND
        return replace(piece, confidence=min(piece.confidence, UNSURE)) if doubt else piece

    def _visible(self, view: Workspace, shape: FaceShape, pieces: Sequence[Detection]) -> Masks:
        """Which cells of each piece are not under a known one."""
        columns, rows = shape.fine.size
        if shape.stands or not pieces:
            return np.ones((len(pieces), rows, columns), bool)
        poses = np.stack([piece.pose for piece in pieces])
        return np.asarray(cut_crops(view.hidden, poses, shape.fine.size, FINE, HALF) < 128, np.bool_)

    def _names(
        self, view: Workspace, shape: FaceShape, pieces: Sequence[Detection], visible: Masks
    ) -> Sequence[Scores]:
        if not pieces:
            return ()
        crops = view.fine(shape.fine, np.stack([piece.pose for piece in pieces]))
        matcher = self._matchers[shape]
        if not shape.stands:
            order = sorted(range(len(pieces)), key=lambda index: -pieces[index].likeness)
            clear = [index for index in order[:SAMPLE] if pieces[index].likeness > CLEAR]
            matcher.adapt(crops[clear], [pieces[index].label for index in clear])
        return matcher.recognise(crops, visible)

    def _unexplained(self, view: Workspace) -> tuple[Area, ...]:
        rest = cv2.bitwise_and(view.open, cv2.bitwise_not(cv2.dilate(view.hidden, np.ones((5, 5)))))
        rest = cv2.bitwise_and(rest, cv2.bitwise_not(cv2.dilate(view.covered, np.ones((3, 3)))))
        if self._barred is not None:
            rest = cv2.bitwise_or(rest, self._barred)
        return tuple(areas_of(without_thin(np.asarray(rest, np.uint8), THICK_MM)))


def _within(
    view: Workspace, pieces: Iterable[Detection], where: Mask, share: float = TOUCHED
) -> list[Detection]:
    """The pieces of which a larger part lies there."""
    return [piece for piece in pieces if view.share(where, piece.shape, piece.pose[None])[0] > share]


def without_thin(mask: Mask, millimetres: float) -> Mask:
    side = max(1, round(millimetres * HALF))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.uint8)


def areas_of(mask: Mask) -> Iterable[Area]:
    for part in components(mask):
        if cv2.countNonZero(part) / HALF**2 < UNKNOWN_MM2:
            return
        (x, y), (width, height), angle = cv2.minAreaRect(cv2.findNonZero(part))
        yield Area((x + 0.5) / HALF, (y + 0.5) / HALF, (width + 1) / HALF, (height + 1) / HALF, angle)


def _named(piece: Detection, scores: Scores, covered: bool) -> Detection | None:
    """The piece as it was recognised, or as it was known before something known was put on it; None if it is none."""
    if not scores and not piece.before:
        return None
    (label, sure), *others = scores or (("", 0.0),)
    before = piece.before
    if covered and before and before.confidence > sure and (label == before.label or sure < UNSURE):
        moved, turned = np.hypot(*(piece.pose - before.pose)[:2]), abs(piece.pose[2] - before.pose[2])
        if moved < SAME_MM and turned < SAME_DEGREES:
            label, sure, others = before.label, before.confidence, [(before.runner_up, 0.0)]
    runner_up = piece.rival if piece.clear < UNSURE_SHAPE else others[0][0] if others else ""
    confidence = float(sure * piece.clear)
    return replace(piece, label=label or piece.label, confidence=confidence, runner_up=runner_up, before=None)


def _observation(piece: Detection) -> Observation:
    x, y, angle = piece.pose.tolist()
    angle = 0.0 if piece.shape.face.round else angle % 360
    return Observation(piece.label, x, y, angle, round(piece.confidence, 3), piece.runner_up)
