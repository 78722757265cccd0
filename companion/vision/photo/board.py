"""Boards of tiles laid edge to edge in a photo: each tile looked for beside those that are known.

People lay by hand, so that rows drift by a fifth of a tile: a tile lies where its neighbours have its place, or a
little beside that, where it looks most like a tile. What lies in a place and looks like none, but not like the table
either, may be a tile of another box, or one that something hides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from time import perf_counter
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import CELL, CLOSER, SquareGallery, Vectors, colour_features
from companion.vision.photo.extent import LocatedSquares
from companion.vision.photo.figures import find_figures
from companion.vision.photo.grid import (
    CORNERS,
    Cell,
    Grid,
    GridScores,
    SquareGroup,
    beside,
    connected_parts,
    find_groups,
    likeness_of,
)
from companion.vision.photo.keypoints import Floats, LookedPoints, SquareCandidate, find_candidates, look_at
from models.registry import INPUT_SIDE

FIRST_LOOK = 800
LOOKED_AT = ((FIRST_LOOK, 1.0), (1200, 1.0), (1200, 1.8), (2000, 1.0))
"""Pixels of the longer side of the picture in which points are looked for, and how much higher it is made: from the
side tiles look flat, and their points like no drawing's. The next look where one is not enough."""
ENOUGH = 10
"""Tiles known by their points that all others are found beside."""
GROUPS = 3
"""Groups of rows and columns of which the board is the largest."""
SIDE = CELL * CLOSER
"""Pixels of a tile's side where the network looks at it."""
FAR, NEAR = 4, 2
"""Pixels of that from one look to the next, when a tile is first looked for and when its place is known."""
LOOKS = tuple((x * FAR, y * FAR) for y in range(-2, 3) for x in range(-2, 3))
CLOSER_LOOKS = ((0, 0), (-NEAR, 0), (NEAR, 0), (0, -NEAR), (0, NEAR))
TURNS = (-3.0, 0.0, 3.0)
"""Degrees by which a tile may be turned against its neighbours."""
TILE = 0.6
"""Likeness of a place beside known tiles that is one as well; the network was taught less than 0.45 of what is none."""
PLAIN = 0.4
"""Contrast of a place, in parts of what tiles usually have, up to which it is none."""
HELPS = 0.7
"""Likeness of a tile that says where its neighbours lie."""
TILTED = 8
"""Tiles it takes to know how a picture is tilted."""
STRAY = 0.15
"""Tiles by which one may lie beside its row and column and still say where these are."""
AROUND = 2.9
"""Tiles within which one says so."""
SMALLEST = 14.0
"""Pixels of a tile's side, below which nobody can tell tiles apart."""
LARGEST = 36
"""Tiles side by side at most: a box has 72, and an address has so many signs for a column."""
COLOURS = 12
"""Levels of each colour by which a table is told from tiles."""
STRANGE, COLOURED = 0.75, 0.4
"""How much of a place has the colours of tiles where something lies that looks like none, and at least where a tile
lies that is not certain."""
LIKE_ONE, LIKE_THEM = 0.4, 0.6
"""Likeness and colours of a place beside the board on which a tile may lie that is not seen well enough."""
BEYOND = 0.65
"""Tiles from the middle of one to where the picture has to show the table, else another one may lie there."""
CLOSE_BY, ALONG = np.linspace(0.57, BEYOND, 4), np.linspace(-0.35, 0.35, 9)
"""Places beside a tile, away from its middle and along its edge, whose colours say whether another one begins there."""
CERTAIN = 0.8
"""Likeness of a tile whatever the colours of the table."""
STRANGERS = 4
"""How often tiles are looked for beyond what is none of the box."""
APART, PIECE, MOST_ELSEWHERE = 1.2, 0.5, 12
"""Sides of a tile away from all others, and the likeness, from which on one that gives itself away is no part of this
board; how many such are looked at."""
FEWEST = 3
"""Tiles of a board that is worth a word."""
SURE_OF_SIDE, CLEARLY_MIRRORED = 0.93, 0.04
"""The median likeness of tiles that nobody takes for mirrored ones, and by how much more they look like tiles in a
mirror: half of them are nearly the same there."""


@dataclass(frozen=True, eq=False)
class PlacedTile:
    """A place that was looked at."""

    middle: tuple[float, float]
    """Where it lies, in columns and rows of the grid."""
    scores: Vectors
    """How much it looks like each row of the gallery."""
    contrast: float
    """How much the levels within it differ."""

    @property
    def likeness(self) -> float:
        return float(self.scores.max())


@dataclass(eq=False)
class _Pyramid:
    """A picture, and the same smaller and smaller, so that no pixel of a large tile is skipped."""

    levels: list[Pixels]

    @classmethod
    def of(cls, picture: Pixels) -> _Pyramid:
        levels = [picture]
        while min(levels[-1].shape[:2]) > 2 * SIDE:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        return cls(levels)

    def cut(self, grid: Grid, places: Floats, turn: float = 0.0, around: int = 0) -> Pixels:
        """The insides of tiles whose middles are at some columns and rows, straightened, with so many pixels more on
        each side; what lies outside the picture is black."""
        side = INPUT_SIDE + 2 * around
        along = (np.arange(side) + 0.5 - side / 2) / SIDE
        x, y = np.meshgrid(along, along)
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        within = np.stack([c * x - s * y, s * x + c * y], -1).reshape(-1, 2)
        crops = np.empty((len(places), side, side, 3), np.uint8)
        for crop, place in zip(crops, places, strict=True):
            pixels = grid.pixels(within + place).reshape(side, side, 2)
            large = float(np.hypot(*(pixels[-1, -1] - pixels[0, 0]))) / np.sqrt(2) / side
            level = int(np.clip(np.rint(np.log2(max(large, 1e-3))), 0, len(self.levels) - 1))
            there = ((pixels + 0.5) / 2**level - 0.5).astype(np.float32)
            crop[:] = cv2.remap(self.levels[level], there[..., 0], there[..., 1], cv2.INTER_LINEAR)
        return crops


@dataclass(eq=False)
class _Board:
    """A board as it grows from the tiles that gave themselves away."""

    picture: Pixels
    gallery: SquareGallery
    grid: Grid
    tiles: dict[Cell, PlacedTile] = field(default_factory=dict)
    others: dict[Cell, PlacedTile] = field(default_factory=dict)
    """Places beside them that look like none."""

    @cached_property
    def pyramid(self) -> _Pyramid:
        return _Pyramid.of(self.picture)

    def grow(self, known: Iterable[Cell]) -> None:
        """Look at some places, and on from every tile to those beside it."""
        waiting = self._unseen(known)
        while waiting:
            for cell, looked in zip(waiting, self.look(waiting), strict=True):
                (self.tiles if self._is_tile(looked) else self.others)[cell] = looked
            self._set_right()
            waiting = self._unseen(cell for tile in self.tiles for cell in beside(tile))

    def _set_right(self) -> None:
        """Lay rows and columns anew through the tiles that are known: a few say little of how a picture is tilted."""
        clear = {cell: tile for cell, tile in self.tiles.items() if tile.likeness > HELPS}
        if len(clear) < TILTED or min(np.ptp([*clear], axis=0)) < 2:
            return
        lies = np.array([tile.middle for tile in clear.values()])
        found: Any = cv2.findHomography(np.array([*clear], np.float64), lies, cv2.RANSAC, STRAY)[0]
        if found is None:
            return
        back = Grid(np.asarray(found, np.float64))
        self.grid = Grid(self.grid.matrix @ found)
        self.tiles, self.others = (
            {cell: replace(one, middle=back.place(*one.middle)) for cell, one in places.items()}
            for places in (self.tiles, self.others)
        )

    def grow_past_strangers(self) -> None:
        """Go on from what lies there and looks like no tile of the box: others may lie beside it."""
        for _again in range(STRANGERS):
            before = len(self.tiles)
            self.leave_table_out()
            strangers = self.strange(self.colours())
            self.grow(cell for one in strangers for cell in beside(one))
            if len(self.tiles) <= before:
                break
        self.leave_table_out()

    def _unseen(self, cells: Iterable[Cell]) -> Sequence[Cell]:
        return sorted(filter(self._may_have_one, {*cells} - self.tiles.keys() - self.others.keys()))

    def _is_tile(self, looked: PlacedTile) -> bool:
        return looked.likeness > TILE and not self._is_plain(looked)

    def _is_plain(self, looked: PlacedTile) -> bool:
        """Whether so little is drawn in a place that it is none; the grain of a table, made as strong as what is drawn,
        may look like anything."""
        usual = sorted(tile.contrast for tile in self.tiles.values())
        return bool(usual) and looked.contrast < PLAIN * usual[len(usual) // 2]

    def look(self, cells: Sequence[Cell]) -> Sequence[PlacedTile]:
        """What lies in places, each looked for around where its neighbours have it."""
        middles = self._settled(np.array([self._expected(cell) for cell in cells]))
        seen = [self.pyramid.cut(self.grid, middles, turn, NEAR) for turn in TURNS]
        crops = [_shifted(one, NEAR, look) for one in seen for look in CLOSER_LOOKS]
        scores = self._scores(np.stack(crops, 1)).max(axis=1)
        contrasts = crops[0].std(axis=(1, 2)).mean(axis=1).tolist()
        return [
            PlacedTile((x, y), row, contrast)
            for (x, y), row, contrast in zip(middles.tolist(), scores, contrasts, strict=True)
        ]

    def _settled(self, expected: Floats) -> Floats:
        """Where tiles lie: in the middle of the places around that look like one, for the network looks past small
        displacements."""
        reach = 2 * FAR
        seen = self.pyramid.cut(self.grid, expected, around=reach)
        like = self._scores(np.stack([_shifted(seen, reach, look) for look in LOOKS], 1)).max(axis=2)
        weight = np.maximum(like - like.max(axis=1, keepdims=True) + 0.12, 0) ** 2
        off = (weight[..., None] * np.array(LOOKS)).sum(axis=1) / weight.sum(axis=1, keepdims=True)
        return np.asarray(expected + off / SIDE, np.float64)

    def _scores(self, crops: Pixels) -> Vectors:
        """Of crops (places × looks × side × side × 3), how much each looks like each row of the gallery."""
        places, looks = crops.shape[:2]
        flat = crops.reshape(places * looks, INPUT_SIDE, INPUT_SIDE, 3).astype(np.float32)
        return self.gallery.scores(flat).reshape(places, looks, -1)

    def _expected(self, cell: Cell) -> tuple[float, float]:
        """Where a tile should lie by those near it, the nearest most."""
        x, y, total = 0.0, 0.0, 0.0
        for (column, row), tile in self.tiles.items():
            away = (column - cell[0]) ** 2 + (row - cell[1]) ** 2
            if 0 < away < AROUND**2 and tile.likeness > HELPS:
                x += (tile.middle[0] - column) / away
                y += (tile.middle[1] - row) / away
                total += 1 / away
        return (cell[0] + x / total, cell[1] + y / total) if total else (float(cell[0]), float(cell[1]))

    def _may_have_one(self, cell: Cell) -> bool:
        large = SMALLEST < self.grid.side(cell) < max(self.picture.shape[:2])
        columns, rows = zip(*self.tiles, *self.others, cell, strict=True)
        spread = max(max(columns) - min(columns), max(rows) - min(rows))
        return large and spread < LARGEST and self._is_shown(cell)

    def keep_largest_part(self) -> None:
        """Leave out what lies apart: tiles of the supply, or of another table."""
        lying = {*self.tiles, *self.strange(self.colours())}
        parts = connected_parts(lying, lambda cell: beside(cell) & lying)
        largest = max(parts, key=lambda part: len(self.tiles.keys() & part), default=frozenset())
        self.tiles = {cell: tile for cell, tile in self.tiles.items() if cell in largest}

    def leave_table_out(self) -> None:
        """Take places in the colours of the table for bare, though they look a little like a tile."""
        parts = self.colours()
        bare = {
            cell
            for cell, tile in self.tiles.items()
            if tile.likeness < CERTAIN and (parts[cell] < COLOURED or self._is_plain(tile))
        }
        self.others |= {cell: self.tiles.pop(cell) for cell in bare}

    def colours(self) -> dict[Cell, float]:
        """How much of each place that was looked at has the colours of tiles rather than of the table."""
        looked, speaks = self.tiles | self.others, self._speaks()
        every = self._levels(list(looked.values()))
        return {cell: float(speaks[levels].mean()) for cell, levels in zip(looked, every, strict=True)}

    def _speaks(self) -> Floats:
        """How much each colour speaks for tiles rather than for the table, from 0 to 1."""
        looked = self.tiles | self.others
        tiles = [cell for cell, tile in self.tiles.items() if tile.likeness > CERTAIN] or list(self.tiles)
        clear = [cell for cell, one in self.others.items() if one.likeness < TILE / 2 or self._is_plain(one)]
        there, around = (
            self._levels([looked[cell] for cell in cells]) for cells in (tiles, clear or list(self.others))
        )
        bins = COLOURS**3
        in_tiles, in_table = (
            np.bincount(levels.ravel(), minlength=bins) / max(levels.size, 1) for levels in (there, around)
        )
        return np.asarray((in_tiles + 1e-5) / (in_tiles + in_table + 2e-5), np.float64)

    def strange(self, parts: Mapping[Cell, float]) -> dict[Cell, PlacedTile]:
        """Places beside tiles where something of their colours lies that looks like none of them."""
        return {
            cell: one
            for cell, one in self.others.items()
            if parts[cell] > STRANGE and not self._is_plain(one) and self.tiles.keys() & beside(cell)
        }

    def beyond(self, parts: Mapping[Cell, float]) -> frozenset[Cell]:
        """Where more may lie beside the board: something in its colours that is none of it, or what the picture does
        not show any more."""
        strange = self.strange(parts)
        left_out = (
            cell
            for cell, one in self.others.items()
            if cell not in strange and one.likeness > LIKE_ONE and parts[cell] > LIKE_THEM
        )
        known, speaks = {**self.tiles, **self.others}, self._speaks()
        unseen = (
            near
            for cell in self.tiles
            for near in beside(cell) - known.keys()
            if self._goes_on(cell, near, speaks)
        )
        return frozenset((*left_out, *unseen))

    def _goes_on(self, cell: Cell, near: Cell, speaks: Floats) -> bool:
        """Whether another tile may lie beside one where the picture ends: it shows nothing there, or the colours of
        tiles."""
        (x, y), (dx, dy) = self.tiles[cell].middle, (near[0] - cell[0], near[1] - cell[1])
        if not self._is_shown((x + BEYOND * dx, y + BEYOND * dy)):
            return True
        away, along = np.meshgrid(CLOSE_BY, ALONG)
        strip = np.stack([x + away * dx + along * dy, y + away * dy + along * dx], -1).reshape(-1, 2)
        height, width = self.picture.shape[:2]
        pixels = np.floor(self.grid.pixels(strip)).astype(np.int64)
        shown = pixels[((pixels >= 0) & (pixels < (width, height))).all(axis=1)]
        levels = self.picture[shown[:, 1], shown[:, 0]].astype(np.int64) * COLOURS // 256
        return float(speaks[levels @ (1, COLOURS, COLOURS**2)].mean()) > LIKE_THEM

    def cut(self) -> frozenset[Cell]:
        """Places, also beside the board, of which the picture does not show all."""
        known = {**self.tiles, **self.others}
        around = {near for tile in self.tiles for near in beside(tile)} - known.keys()
        parts = (
            cell
            for cell, one in known.items()
            if not all(self._is_shown((one.middle[0] + dx, one.middle[1] + dy)) for dx, dy in CORNERS)
        )
        return frozenset((*parts, *around))

    def _is_shown(self, place: tuple[float, float]) -> bool:
        height, width = self.picture.shape[:2]
        x, y = self.grid.pixels(np.array([place], np.float64))[0]
        return bool(0 <= x < width and 0 <= y < height)

    def _levels(self, looked: Sequence[PlacedTile]) -> NDArray[np.int64]:
        """The colour of each pixel in places, as one number."""
        if not looked:
            return np.zeros((0, 1), np.int64)
        seen = self.pyramid.cut(self.grid, np.array([one.middle for one in looked]))
        levels = seen[:, ::2, ::2].astype(np.int64) * COLOURS // 256
        return np.asarray(levels @ (1, COLOURS, COLOURS**2), np.int64).reshape(len(looked), -1)


def _shifted(crops: Pixels, around: int, look: tuple[int, int]) -> Pixels:
    """The part of crops that lies so many pixels to the right and below."""
    x, y = around + look[0], around + look[1]
    return crops[:, y : y + INPUT_SIDE, x : x + INPUT_SIDE]


def find_board(
    picture: Pixels,
    gallery: SquareGallery,
    corners: Floats | None = None,
    points: LookedPoints | None = None,
) -> LocatedSquares | None:
    """The largest board of tiles in a picture, or of what lies between corners somebody showed; None where there is
    none. `points` are those of the first look, where they are known."""
    found = _largest(picture, gallery, corners, points)
    if corners is not None or (found and found.typical > SURE_OF_SIDE):
        return found
    mirrored = _largest(np.ascontiguousarray(picture[:, ::-1]), gallery)
    least = found.typical + CLEARLY_MIRRORED if found else SURE_OF_SIDE
    return found if mirrored is None or mirrored.typical < least else mirrored.mirrored_in(picture.shape[1])


def _largest(
    picture: Pixels,
    gallery: SquareGallery,
    corners: Floats | None = None,
    points: LookedPoints | None = None,
) -> LocatedSquares | None:
    began = perf_counter()
    group: SquareGroup | None = None
    seeds: list[SquareCandidate] = []
    for look in LOOKED_AT:
        seeds, found_here = _group(picture, gallery, corners, *look, points)
        group, points = max(group, found_here, key=_known), None
        if _known(group) >= ENOUGH:
            break
    found = perf_counter()
    if group is None:
        return None
    board = _grown(picture, gallery, group)
    if len(board.tiles) < FEWEST:
        return None
    located = _located(board)
    if corners is None and not located.beside:
        located = replace(located, beside=_tiles_elsewhere(board, seeds))
    return replace(located, times=(("seeds", found - began), ("squares", perf_counter() - found)))


def _known(group: SquareGroup | None) -> int:
    return len(group.known) if group else 0


def _group(
    picture: Pixels,
    gallery: SquareGallery,
    corners: Floats | None,
    looked_at: int,
    higher: float,
    points: LookedPoints | None,
) -> tuple[list[SquareCandidate], SquareGroup | None]:
    """The tiles that give themselves away by their points, and the rows and columns that most of them agree on."""
    looked = picture
    if higher > 1:
        looked = np.asarray(
            cv2.resize(picture, None, fx=1, fy=higher, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    seeds = find_candidates(points or look_at(looked, looked_at), gallery)
    if corners is not None:
        seeds = [seed for seed in seeds if _is_within(corners, (seed.x, seed.y / higher))]
    group = next(iter(find_groups(looked, gallery, seeds, GROUPS)), None)
    back = np.diag([1, 1 / higher, 1])
    seeds = [] if higher > 1 else seeds  # which are squares where the picture is higher
    return seeds, group and replace(group, grid=Grid(back @ group.grid.matrix))


def _tiles_elsewhere(board: _Board, seeds: Sequence[SquareCandidate]) -> bool:
    """Whether tiles lie apart from the board, as many as of another board."""
    lying = np.array([tile.middle for tile in board.tiles.values()])
    away = (
        seed for seed in seeds if np.abs(lying - board.grid.place(seed.x, seed.y)).max(axis=1).min() > APART
    )
    like = (likeness_of(board.picture, board.gallery, seed) for seed in islice(away, MOST_ELSEWHERE))
    return len([one for one in like if one > PIECE]) >= FEWEST


def _is_within(corners: Floats, point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(corners.astype(np.float32), point, measureDist=False) >= 0


def _grown(picture: Pixels, gallery: SquareGallery, group: SquareGroup) -> _Board:
    board = _Board(picture, gallery, group.grid)
    board.grow(group.known)
    if board.tiles:
        board.grow_past_strangers()
        board.keep_largest_part()
    return board


def _located(board: _Board) -> LocatedSquares:
    """The board with its upper left corner at 0, 0, and beside its tiles what lies there and looks like none."""
    parts = board.colours()
    every = dict(sorted({**board.tiles, **board.strange(parts)}.items()))
    columns, rows = zip(*every, strict=True)
    left, top = min(columns), min(rows)
    moved = {(x - left, y - top): tile for (x, y), tile in every.items()}
    looks = _looks(board, moved, [parts[cell] for cell in every])
    middles = {cell: (tile.middle[0] - left, tile.middle[1] - top) for cell, tile in moved.items()}
    beyond, cut = (
        frozenset((x - left, y - top) for x, y in some) for some in (board.beyond(parts), board.cut())
    )
    found = LocatedSquares(
        board.grid.moved(left, top),
        max(columns) - left + 1,
        max(rows) - top + 1,
        looks,
        bool(beyond),
        lying=middles,
        beyond=beyond,
        cut=cut,
    )
    outlines = {cell: np.array(found.outline_of(cell)) for cell in moved}
    return replace(found, figures=find_figures(board.picture, outlines))


def _looks(board: _Board, tiles: Mapping[Cell, PlacedTile], parts: Sequence[float]) -> GridScores:
    seen = board.pyramid.cut(board.grid, np.array([one.middle for one in tiles.values()])).astype(np.float32)
    count = len(tiles)
    return GridScores(
        tuple(tiles),
        np.stack([one.scores for one in tiles.values()]),
        np.asarray(seen.mean(axis=(1, 2)), np.float32),
        np.array([one.contrast for one in tiles.values()], np.float32),
        np.linalg.norm(colour_features(seen), axis=1),
        np.clip(1 - np.asarray(parts, np.float32), 0, 1),
        np.zeros(count, bool),
        np.zeros((count, 5), np.float32),
    )
