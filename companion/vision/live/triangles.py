"""Reads pieces that only the colours of their spots tell apart.

The print is found in grey, the inks are compared with a colour card.

The reader for games that fulfil `companion.core.tinted.Tinted`. Light is linear, 1 for white paper.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import UNREAD, Area, ColourSpot, Face, Observation, Tint, Tinted
from companion.vision.gallery.drawn import SOFT_MM, DrawnFace, Vectors
from companion.vision.live.locator import HALF
from companion.vision.live.matcher import ramp
from companion.vision.live.reader import THICK_MM, areas_of, without_thin
from companion.vision.poses import ROWS_LIMIT, Poses, displaced, offsets
from companion.vision.table.foreground import Mask, components

Grey = NDArray[np.float32]
"""The table from above, a millimetre a pixel."""

SOLID = 0.75
"""How much of a cell has to be printed for it to count."""
TURNED = 40.0
"""Degrees from which two ways to lie in the same place are two."""
FLAT = 4.0
"""Levels of contrast below which nothing is printed anywhere."""


class Stencil:
    """One drawing at one fineness."""

    def __init__(self, drawn: DrawnFace, step: float) -> None:
        face = drawn.face
        px = drawn.picture.shape[1] / face.width
        soft = max(SOFT_MM, 0.4 * step) * px
        cover = drawn.picture[..., 3].astype(np.float32) / 255
        grey = grey_of(drawn.picture[..., :3])
        spread = cv2.GaussianBlur(cover, (0, 0), soft)
        light = cv2.GaussianBlur(grey * cover, (0, 0), soft) / np.maximum(spread, 1e-3)
        columns, rows = (int(side / step) for side in (face.width, face.height))
        x = (np.arange(columns) - (columns - 1) / 2) * step
        y = (np.arange(rows) - (rows - 1) / 2) * step
        cells = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
        u = np.clip(((cells[:, 0] + face.width / 2) * px).astype(int), 0, light.shape[1] - 1)
        v = np.clip(((cells[:, 1] + face.height / 2) * px).astype(int), 0, light.shape[0] - 1)
        printed = cv2.erode(spread, np.ones((3, 3), np.uint8))[v, u] > SOLID
        self.step = step
        self.cells = cells[printed].astype(np.float32)
        """Where they are from the middle, in millimetres."""
        values = light[v, u][printed]
        self.levels = np.asarray(values, np.float32)
        centred = values - values.mean()
        self._known = np.asarray(centred / np.linalg.norm(centred), np.float32)

    def crops(self, grey: Grey, poses: Poses) -> Vectors:
        """The cells as each pose shows them."""
        return sampled(grey, poses, self.cells)

    def scores(self, grey: Grey, poses: Poses) -> Vectors:
        """How much each pose shows what is printed: 1 is the same, 0 has nothing to do with it."""
        found = self.crops(grey, poses)
        found -= found.mean(axis=1, keepdims=True)
        norms = np.maximum(np.linalg.norm(found, axis=1), FLAT * np.sqrt(len(self.cells)))
        return np.asarray(found @ self._known / norms, np.float32)


class Stencils:
    """One drawing, from rough to fine."""

    def __init__(self, drawn: DrawnFace, coarse: float) -> None:
        self.face = drawn.face
        self.coarse, self.middle, self.fine = (Stencil(drawn, step) for step in (coarse, 2.0, 1.0))

    def settled(self, grey: Grey, pose: Poses, reach: float, turn: float) -> tuple[Poses, float]:
        """The pose near this one that shows most of it, and how much."""
        turns = tuple(np.arange(-turn, turn + 0.1, 2.0)) if turn else (0.0,)
        around = displaced(pose, offsets(reach, 2.0, turns))
        pose = around[int(self.middle.scores(grey, around).argmax())]
        for step in (0.8, 0.4):
            around = displaced(pose, offsets(2 * step, step, tuple(np.arange(-2, 2.1) * step)))
            scores = self.fine.scores(grey, around)
            pose = around[int(scores.argmax())]
        return pose, float(scores.max())


def grey_of(picture: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def sampled(picture: NDArray[np.float32], poses: Poses, cells: Vectors) -> Vectors:
    """A picture at places counted from each pose's middle, along its own axes."""
    turns = np.radians(poses[:, 2, None])
    c, s = np.cos(turns).astype(np.float32), np.sin(turns).astype(np.float32)
    x = poses[:, 0, None].astype(np.float32) + c * cells[:, 0] - s * cells[:, 1] - np.float32(0.5)
    y = poses[:, 1, None].astype(np.float32) + s * cells[:, 0] + c * cells[:, 1] - np.float32(0.5)
    parts = [
        cv2.remap(picture, x[i : i + ROWS_LIMIT], y[i : i + ROWS_LIMIT], cv2.INTER_LINEAR)
        for i in range(0, len(poses), ROWS_LIMIT)
    ]
    return np.asarray(np.concatenate(parts), np.float32)


def best_of(stencil: Stencil, grey: Grey, poses: Poses, most: int, apart: float) -> Sequence[Poses]:
    """The most promising of many poses, none of them near another one."""
    if not len(poses):
        return ()
    scores = stencil.scores(grey, poses)
    found: list[Poses] = []
    for index in np.argsort(-scores).tolist():
        pose = poses[index]
        if all(_far_apart(pose, other, apart) for other in found):
            found.append(pose)
        if len(found) == most:
            break
    return found


def _far_apart(one: Poses, other: Poses, millimetres: float) -> bool:
    turned = abs((one[2] - other[2] + 180) % 360 - 180)
    return bool(np.hypot(*(one - other)[:2]) > millimetres or turned > TURNED)


Light = NDArray[np.float64]
"""Blue, green and red as the light comes in, 1 for white paper; or as levels of a picture, where it is said."""

INNER = 0.5
"""How much of a spot is looked at: its rim is mixed with what lies around it."""
ERROR = np.array([5.0, 3.6, 5.0])
"""Levels of blue, green and red by which a spot is off where the camera has a pixel to a millimetre; less with more."""
PRINT, BRIGHTER = 0.02, 0.05
"""By which part of a level spots of the same ink differ: each colour of light for itself, and all of them alike."""
ODDS = (2.0, 8.0)
"""From no confidence to all of it: the logarithm of how much likelier the first colour is than the second."""
FAR = (4.0, 7.0)
"""From all confidence to none: how many times as far as is usual a spot is from the colour that is nearest."""
LEAST = 0.004
"""Light below which there is only noise."""


def _linear() -> NDArray[np.float32]:
    levels = np.arange(256) / 255
    return np.asarray(
        np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4), np.float32
    )


LINEAR = _linear()


def light_of(picture: Pixels) -> NDArray[np.float32]:
    """A picture as the light that came in."""
    return np.asarray(LINEAR[picture], np.float32)


def levels_of(light: Light) -> Light:
    """What a picture says of light that comes in."""
    light = np.maximum(light, 0)
    return np.asarray(
        255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055), np.float64
    )


def disc(spot: ColourSpot) -> NDArray[np.float32]:
    """The places looked at, half a millimetre apart."""
    reach = spot.radius * INNER
    along = np.arange(-reach, reach + 0.01, 0.5)
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    inside = np.hypot(x, y) <= reach
    return np.stack([x[inside] + spot.x, y[inside] + spot.y], -1).astype(np.float32)


def colour_at(light: NDArray[np.float32], pose: Poses, spot: ColourSpot) -> Light:
    return np.asarray(np.median(sampled(light, pose[None], disc(spot))[0], axis=0), np.float64)


@dataclass(frozen=True, eq=False)
class Inks:
    """The game's colours as they look now."""

    letters: tuple[str, ...]
    ratios: Light
    """How much light each gives back, in parts of what cardboard does."""

    @classmethod
    def of(
        cls, light: NDArray[np.float32], pose: Poses, patches: Mapping[str, ColourSpot], bare: str
    ) -> Inks:
        found = {letter: colour_at(light, pose, spot) for letter, spot in patches.items()}
        return cls(tuple(found), np.stack([*found.values()]) / np.maximum(found[bare], LEAST))

    def name(self, seen: Light, cardboard: Light, allowed: Sequence[str], sharpness: float) -> Tint:
        """The colour of a spot on a piece whose cardboard looks like that: light and shadow lie on both alike.

        A colour of which the light shows little, as a warm lamp does of blue, says as little here.
        """
        off = _colour_distance(levels_of(seen), levels_of(self.ratios * cardboard), sharpness)
        first, second = [n for n in np.argsort(off).tolist() if self.letters[n] in allowed][:2]
        # What is nearest of all speaks against what is allowed here: a marker may hide a Field.
        strange = 2 * off[first] - off.min()
        if off[first] > FAR[1]:
            return Tint(UNREAD, 0.0, self.letters[first])
        sure = ramp(float(off[second] ** 2 - off[first] ** 2) / 2, ODDS) * (1 - ramp(float(strange), FAR))
        return Tint(self.letters[first], round(sure, 3), self.letters[second])


def _colour_distance(seen: Light, expected: Light, sharpness: float) -> Light:
    """How far levels are from those that are expected, in parts of what is usual."""
    usual = np.hypot(ERROR / sharpness, PRINT * expected)
    by, whole = (seen - expected) / usual, expected / usual
    # What all of it is brighter or darker says little.
    alike = (by * whole).sum(axis=1) ** 2 / (BRIGHTER**-2 + (whole**2).sum(axis=1))
    return np.asarray(np.sqrt((by**2).sum(axis=1) - alike), np.float64)


EDGE_MM = 5.0
"""How far inside its corners a piece is asked for: neighbours and shadows look in at its very edge."""


def face_corners(face: Face) -> NDArray[np.float64]:
    """From its middle, in millimetres."""
    w, h = face.width / 2, face.height / 2
    return np.array(face.outline or ((-w, -h), (w, -h), (w, h), (-w, h)), np.float64)


def outline_area(face: Face) -> float:
    return float(cv2.contourArea(face_corners(face).astype(np.float32)))


def _polygon(pose: Poses, face: Face, scale: float, grown: float) -> NDArray[np.int32]:
    corners = face_corners(face)
    far = np.hypot(corners[:, 0], corners[:, 1])[:, None]
    corners = corners * (1 + grown / far)
    by = np.column_stack([corners, np.zeros(len(corners))])
    places = displaced(np.broadcast_to(pose, by.shape), by)[:, :2]
    return np.rint((places * scale - 0.5) * 16).astype(np.int32)


def fill_outline(mask: Mask, pose: Poses, face: Face, scale: float, grown: float, value: int = 255) -> None:
    """Fill what a piece covers, with so many millimetres around its corners."""
    cv2.fillConvexPoly(mask, _polygon(pose, face, scale, grown), (value,), cv2.LINE_8, 4)


def outline_share(mask: Mask, pose: Poses, face: Face) -> float:
    """Which part of a piece's outline is set in a mask of two millimetres a pixel, but for its very edge."""
    reach = max(face.width, face.height) / 2 + 4
    left, top = (max(0, int((pose[i] - reach) * HALF)) for i in (0, 1))
    part = mask[top : top + int(2 * reach * HALF) + 1, left : left + int(2 * reach * HALF) + 1]
    if not part.size:
        return 0.0
    own = np.zeros_like(part)
    moved = np.array([pose[0] - left / HALF, pose[1] - top / HALF, pose[2]])
    fill_outline(own, moved, face, HALF, -EDGE_MM)
    total = outline_area(face) * (1 - EDGE_MM / float(np.hypot(*face_corners(face)[0]))) ** 2 * HALF**2
    return float(cv2.countNonZero(part & own) / max(total, 1))


def large_components(mask: Mask, least: float) -> Iterator[Mask]:
    """What lies there that is large enough, in square millimetres."""
    for heap in components(mask):
        if cv2.countNonZero(heap) / HALF**2 < least:
            return
        yield heap


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
    corners = face_corners(face)
    middles = (corners + np.roll(corners, 1, 0)) / 2
    inner = float(np.hypot(middles[:, 0], middles[:, 1]).min())
    turns = np.arange(0, every, 5.0)
    step = max(1, round(min(GRID_MM, coarse.step + 2) * HALF))
    while np.count_nonzero(inside[::step, ::step] >= 0.7 * inner * HALF) * len(turns) > PLACES_LIMIT:
        step += 1
    rows, columns = np.nonzero(inside[::step, ::step] >= 0.7 * inner * HALF)
    places = (np.stack([columns, rows], -1) * step + 0.5) / HALF
    return np.concatenate([np.column_stack([places, np.full(len(places), turn)]) for turn in turns])
