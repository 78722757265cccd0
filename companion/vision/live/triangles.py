"""Reads pieces that only the colours of their spots tell apart, each looked for beside its neighbours as they lie."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Area, Face, Observation, Tint
from companion.core.tinted import Tinted
from companion.vision.gallery.gallery import DrawnFace
from companion.vision.live.outlines import (
    corners_of,
    fill_outline,
    large_components,
    outline_area,
    outline_share,
)
from companion.vision.live.reading import THICK_MM, areas_of, without_thin
from companion.vision.live.stencil import Grey, Stencils, best_of, grey_of, sampled
from companion.vision.live.tints import Inks, colour_at, light_of
from companion.vision.live.workspace import HALF
from companion.vision.poses import Poses, displaced
from companion.vision.table.ground import Mask

LIKE, STILL = 0.62, 0.5
"""How much a place has to show of what is printed: for a piece that is new, and for one that lay there."""
OPEN, TAKEN = 0.62, 0.2
"""How much of its outline has to be unexplained, and how much of it may belong to another piece."""
REACH, NEIGHBOUR_DEGREES = 8.0, 8.0
"""Millimetres and degrees by which a neighbour may lie beside its place."""
GAP = 0.6
"""Millimetres between neighbours, mostly."""
STIRRED = 0.02
"""Part of a piece that has changed for it to be looked at again."""
WORK = 24
"""Pieces looked for in one picture: what is left waits for the next."""
PLACES_LIMIT = 12_000
GRID_MM = 5
PATCH_PX = 11
"""A little more than a patch of the card is wide, at two millimetres a pixel."""
PATCHY = 0.4
"""How much of the card has to differ from the table: most of it is colours."""
TRIES, CARD_TRIES = (4, 12.0), (20, 6.0)
"""Places of a heap that are looked at closely, and how many millimetres these are apart at least."""
PLAIN = 0.95
"""Of the lightest that is printed: what is as light is cardboard."""


@dataclass(frozen=True, eq=False)
class FoundTriangle:
    """A piece where it lies."""

    stencils: Stencils
    pose: Poses
    likeness: float
    tints: tuple[Tint, ...] = ()

    @property
    def face(self) -> Face:
        return self.stencils.face


class TriangleReader:
    """What `companion.vision.reading.Reader` is for other games."""

    as_lit = True

    def __init__(self, tinted: Tinted, blank: DrawnFace, centre: DrawnFace, card: DrawnFace) -> None:
        self._tinted = tinted
        self._blank = Stencils(blank, 3.0)
        self._centre = Stencils(centre, 6.0)
        self._card = Stencils(card, 3.0)
        self._cardboard = self._light_part()
        self._inks: Inks | None = None
        self._barred: Mask | None = None
        self._open: Mask | None = None
        self._light: NDArray[np.float32] | None = None
        self.forget()

    def forget(self) -> None:
        """Drop what was found."""
        self._pieces: tuple[FoundTriangle, ...] = ()
        self._fresh: tuple[FoundTriangle, ...] = ()
        self.unknown: tuple[Area, ...] = ()
        self.complete = self.busy = False

    @property
    def seen(self) -> tuple[Observation, ...]:
        return tuple(map(self._observation, self._pieces))

    def covered(self, shape: tuple[int, ...]) -> Mask:
        """255 where known pieces lie, with a little around them."""
        mask = np.zeros(shape[:2], np.uint8)
        width = self._open.shape[1] if self._open is not None else shape[1]
        scale = HALF * shape[1] / width
        for piece in self._pieces:
            fill_outline(mask, piece.pose, piece.face, scale, 4.0)
        return mask

    # -- what lies where ------------------------------------------------------------------------------------------

    def locate(self, picture: Pixels, foreground: Mask, news: Mask, barred: Mask) -> None:
        """Find what lies where, in a picture in which something has changed; what is barred stays unknown."""
        grey = np.asarray(cv2.GaussianBlur(grey_of(picture), (0, 0), 0.6), np.float32)
        self._light, self._barred = light_of(picture), np.asarray(foreground & barred, np.uint8)
        lies = np.asarray(foreground & ~barred, np.uint8)
        search = _Search(grey, lies)
        for piece in self._pieces:
            if outline_share(news, piece.pose, piece.face) <= STIRRED:
                search.place(piece)
            elif still := self._still(grey, lies, piece):
                search.place(still)
        known = set(search.found)
        left = self._grow(search, [*search.found]) or self._sow(search)
        self._open = search.open
        self._fresh = tuple(
            piece for piece in search.found if piece not in known or piece not in self._pieces
        )
        self._pieces = tuple(search.found)
        self.busy = left
        self.complete = self.complete or not left

    def _still(self, grey: Grey, lies: Mask, piece: FoundTriangle) -> FoundTriangle | None:
        """The piece, if it lies where it lay."""
        pose, like = piece.stencils.settled(grey, piece.pose, 2.0, 2.0)
        near = np.hypot(*(pose - piece.pose)[:2]) < 4
        there = outline_share(lies, pose, piece.face) >= (PATCHY if piece.stencils is self._card else OPEN)
        return replace(piece, pose=pose, likeness=like) if near and there and like >= STILL else None

    def _grow(self, search: _Search, roots: Sequence[FoundTriangle]) -> bool:
        """Place the neighbours of what lies there, the most convincing first; whether something was left."""
        order, waiting = count(), list[tuple[float, int, FoundTriangle]]()

        def ask(piece: FoundTriangle) -> None:
            for pose in self._beside(piece):
                if search.done >= WORK or not search.free(pose, self._blank.face):
                    continue
                search.done += 1
                exact, like = self._blank.settled(search.grey, pose, REACH, NEIGHBOUR_DEGREES)
                if like >= LIKE:
                    heapq.heappush(waiting, (-like, next(order), FoundTriangle(self._blank, exact, like)))

        for piece in roots:
            ask(piece)
        while waiting:
            found = heapq.heappop(waiting)[2]
            if search.free(found.pose, found.face):
                search.place(found)
                ask(found)
        return search.done >= WORK

    def _beside(self, piece: FoundTriangle) -> Iterator[Poses]:
        """Where the neighbours of a piece lie, as it lies itself."""
        if piece.stencils is self._card:
            return
        inner = self._tinted.side / 12**0.5
        if piece.stencils is self._centre:
            far, ways = self._tinted.side * 0.75**0.5 + inner + GAP, range(30, 390, 60)
        else:
            far, ways = 2 * inner + GAP, range(90, 450, 120)
        for way in ways:
            by = far * np.cos(np.radians(way)), far * np.sin(np.radians(way)), way + 90.0
            x, y, turn = displaced(piece.pose, np.array(by))  # one of its sides faces the piece
            yield np.array([x, y, turn % 120])

    def _sow(self, search: _Search) -> bool:
        """Look for what lies anywhere, and let it grow; whether something was left."""
        for stencils in (self._centre, self._card):
            if any(one.stencils is stencils for one in search.found):
                continue
            # A patch may look like the table itself.
            whole = cv2.morphologyEx(search.open, cv2.MORPH_CLOSE, np.ones((PATCH_PX, PATCH_PX), np.uint8))
            for heap in large_components(np.asarray(whole, np.uint8), 0.7 * outline_area(stencils.face)):
                if seed := self._seed(search, stencils, heap):
                    search.place(seed)
                    if self._grow(search, [seed]):
                        return True
                    break
        for heap in large_components(search.open, OPEN * outline_area(self._blank.face)):
            while seed := self._seed(search, self._blank, np.asarray(heap & search.open, np.uint8)):
                search.place(seed)
                if self._grow(search, [seed]):
                    return True
        return False

    def _seed(self, search: _Search, stencils: Stencils, heap: Mask) -> FoundTriangle | None:
        """What looks most like it anywhere in a heap."""
        poses = _poses_in(heap, stencils, 120 if stencils is self._blank else 360)
        best: FoundTriangle | None = None
        many = stencils is self._card  # one patch beside its place, it looks nearly the same
        for pose in best_of(stencils.coarse, search.grey, poses, *(CARD_TRIES if many else TRIES)):
            search.done += 1
            exact, like = stencils.settled(search.grey, pose, 4.0, 6.0)
            if (
                like >= LIKE
                and (best is None or like > best.likeness)
                and search.free(exact, stencils.face, PATCHY if stencils is self._card else OPEN)
            ):
                best = FoundTriangle(stencils, exact, like)
        return best

    # -- which colours --------------------------------------------------------------------------------------------

    def classify(self, sharpness: float) -> None:
        """Read the colours of what was found anew."""
        light = self._light
        if light is None:
            return
        card = next((piece for piece in self._pieces if piece.stencils is self._card), None)
        patches, bare = self._tinted.patches, self._tinted.bare
        self._inks = Inks.of(light, card.pose, patches, bare) if card else None
        # What was found before the card was is read now.
        unread = (*self._fresh, *(piece for piece in self._pieces if not piece.tints))
        read = {piece: replace(piece, tints=self._tints(light, piece, sharpness)) for piece in unread}
        self._pieces = tuple(read.get(piece, piece) for piece in self._pieces)
        self._fresh = ()
        self.unknown = self._unexplained()

    def _tints(self, light: NDArray[np.float32], piece: FoundTriangle, sharpness: float) -> tuple[Tint, ...]:
        if piece.stencils is not self._blank or self._inks is None:
            return ()
        cells = self._cardboard
        cardboard = np.median(sampled(light, piece.pose[None], cells)[0], axis=0).astype(np.float64)
        return tuple(
            self._inks.name(colour_at(light, piece.pose, spot), cardboard, allowed, sharpness)
            for spot, allowed in zip(self._tinted.spots, self._tinted.letters, strict=True)
        )

    def _light_part(self) -> NDArray[np.float32]:
        """The cells where only cardboard is printed, far enough from every line for a picture that is not sharp."""
        soft = self._blank.coarse
        return np.asarray(soft.cells[soft.levels > PLAIN * soft.levels.max()], np.float32)

    def _unexplained(self) -> tuple[Area, ...]:
        rest = np.zeros((1, 1), np.uint8) if self._open is None else self._open
        rest = rest & ~np.asarray(cv2.dilate(self.covered(rest.shape), np.ones((3, 3))), np.uint8)
        if self._barred is not None and self._barred.shape == rest.shape:
            rest = rest | self._barred
        return tuple(areas_of(without_thin(np.asarray(rest, np.uint8), THICK_MM)))

    def _observation(self, piece: FoundTriangle) -> Observation:
        x, y, angle = piece.pose.tolist()
        sure = min([tint.confidence for tint in piece.tints], default=1.0)
        if piece.stencils is self._blank and not piece.tints:
            sure = 0.0
        return Observation(piece.face.label, x, y, angle % 360, round(sure, 3), "", piece.tints)


class _Search:
    """One picture while it is being explained."""

    def __init__(self, grey: Grey, lies: Mask) -> None:
        self.grey = grey
        self.open = lies.copy()
        """255 where something lies that is not explained."""
        self.taken = np.zeros_like(lies)
        self.found: list[FoundTriangle] = []
        self.done = 0

    def place(self, piece: FoundTriangle) -> None:
        self.found.append(piece)
        fill_outline(self.taken, piece.pose, piece.face, HALF, 0.0)
        fill_outline(self.open, piece.pose, piece.face, HALF, 2.0, 0)

    def free(self, pose: Poses, face: Face, open: float = OPEN) -> bool:
        return outline_share(self.open, pose, face) >= open and outline_share(self.taken, pose, face) <= TAKEN


def _poses_in(heap: Mask, stencils: Stencils, every: int) -> Poses:
    """Poses to try all over a heap: middles that are deep enough inside it, and every turn."""
    face, coarse = stencils.face, stencils.coarse
    inside = cv2.distanceTransform(cv2.copyMakeBorder(heap, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)[
        1:-1, 1:-1
    ]
    corners = corners_of(face)
    middles = (corners + np.roll(corners, 1, 0)) / 2
    inner = float(np.hypot(middles[:, 0], middles[:, 1]).min())
    turns = np.arange(0, every, 5.0)
    step = max(1, round(min(GRID_MM, coarse.step + 2) * HALF))
    while np.count_nonzero(inside[::step, ::step] >= 0.7 * inner * HALF) * len(turns) > PLACES_LIMIT:
        step += 1
    rows, columns = np.nonzero(inside[::step, ::step] >= 0.7 * inner * HALF)
    places = (np.stack([columns, rows], -1) * step + 0.5) / HALF
    return np.concatenate([np.column_stack([places, np.full(len(places), turn)]) for turn in turns])
