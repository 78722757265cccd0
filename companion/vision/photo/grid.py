"""Squares laid side by side in a picture: where their rows and columns run, and how well each fits the gallery."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.likeness import (
    CELL,
    CLOSER,
    INNER_SIDE,
    TRIM,
    SquareGallery,
    Vectors,
    colour_features,
)
from companion.vision.photo.seeds import Floats

Masks = NDArray[np.bool_]

Cell = tuple[int, int]
"""Column and row."""

BESIDE = 2
"""Pixels of a described square by which it is looked at beside its place as well, to four sides: people lay by hand."""
DISC, CORNER = 0.33, 0.35
"""What is the middle of a square, and from where on its corners are, in parts of its side from its middle."""
EVEN, OTHERWISE, DARK = 0.1, 0.3, 20.0
"""Levels of one colour differ by less than this part of what they are, those of another one by more than that part; in
the dark of this many."""
FINE = 3
"""How many times finer the picture is before it is made as small as squares are described."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows and columns of squares as a picture shows them."""

    matrix: Floats
    """From columns and rows (the middle of the first square is 0, 0) to pixels."""

    def pixels(self, places: Floats) -> Floats:
        """Where columns and rows are in the picture."""
        return _mapped(self.matrix, places)

    def places(self, pixels: Floats) -> Floats:
        """Which columns and rows pixels of the picture show."""
        return _mapped(np.asarray(np.linalg.inv(self.matrix), np.float64), pixels)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Which column and row a pixel shows."""
        column, row = self.places(np.array([(x, y)]))[0].tolist()
        return column, row

    def corners(self, cell: Cell) -> Floats:
        """Clockwise from the upper left of the square."""
        x, y = cell
        around = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return self.pixels(np.array([(x + dx, y + dy) for dx, dy in around]))

    def outline(self, places: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """Where places are in the picture, as plain numbers."""
        return tuple((float(x), float(y)) for x, y in self.pixels(np.array(places)))

    def outline_of(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """The corners of a square, as plain numbers."""
        return tuple((float(x), float(y)) for x, y in self.corners(cell))

    def side(self, cell: Cell) -> float:
        """Pixels of the square's side."""
        return float(np.sqrt(max(cv2.contourArea(self.corners(cell).astype(np.float32)), 1e-6)))

    def angle(self, cell: Cell) -> float:
        """Degrees clockwise by which the square's row is turned in the picture."""
        left, right, *_ = self.corners(cell)
        return float(np.degrees(np.arctan2(right[1] - left[1], right[0] - left[0])))

    def moved(self, columns: int, rows: int) -> Grid:
        """The same squares, counted from another one."""
        return Grid(self.matrix @ np.array([(1, 0, columns), (0, 1, rows), (0, 0, 1.0)]))


def _mapped(matrix: Floats, points: Floats) -> Floats:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(-1, 2), np.float64)


@dataclass(frozen=True, eq=False)
class GridView:
    """The squares of a grid, straightened, with a little of the picture around them."""

    picture: Vectors
    closer: Pixels
    """The same, finer."""
    left: int
    top: int
    columns: int
    rows: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        rows, columns = range(self.top, self.top + self.rows), range(self.left, self.left + self.columns)
        return tuple((x, y) for y in rows for x in columns)

    def crops(self, cells: Sequence[Cell]) -> Vectors:
        """The inside of each cell."""
        return self._cut(self.picture, cells, 1)

    def closer_crops(self, cells: Sequence[Cell], right: int, down: int) -> Vectors:
        """The same, finer, beside its place."""
        return self._cut(self.closer, cells, CLOSER, right, down)

    def _cut(self, picture: Any, cells: Sequence[Cell], finer: int, right: int = 0, down: int = 0) -> Vectors:
        places = np.array([(x - self.left, y - self.top) for x, y in cells]).reshape(-1, 2)
        x, y = (places * CELL + BESIDE + TRIM + (right, down)).T * finer
        inside = np.arange(INNER_SIDE * finer)
        rows, columns = y[:, None, None] + inside[:, None], x[:, None, None] + inside
        return np.ascontiguousarray(picture[rows, columns], np.float32)


def view_grid(picture: Pixels, grid: Grid, left: int, top: int, columns: int, rows: int) -> GridView:
    """Straighten a part of the grid; what lies outside the picture repeats its edge."""
    px = CELL * FINE
    start = grid.matrix @ np.array([(1 / px, 0, left - 0.5), (0, 1 / px, top - 0.5), (0, 0, 1)])
    step = np.array([(1, 0, 0.5 - BESIDE * FINE), (0, 1, 0.5 - BESIDE * FINE), (0, 0, 1)])
    size = columns * px + 2 * BESIDE * FINE, rows * px + 2 * BESIDE * FINE
    middle = (left + columns // 2, top + rows // 2)
    coarser = min(1.0, 1.3 * px / grid.side(middle))
    if coarser < 0.8:  # many small pixels would be skipped, and their noise kept
        picture = np.asarray(
            cv2.resize(picture, None, fx=coarser, fy=coarser, interpolation=cv2.INTER_AREA), np.uint8
        )
        start = np.diag([coarser, coarser, 1]) @ start
    half = np.array([(1, 0, -0.5), (0, 1, -0.5), (0, 0, 1.0)])
    straight: Any = cv2.warpPerspective(
        picture,
        half @ start @ step,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    small, closer = (
        cv2.resize(straight, (by * size[0] // FINE, by * size[1] // FINE), interpolation=cv2.INTER_AREA)
        for by in (1, CLOSER)
    )
    return GridView(np.asarray(small, np.float32), np.asarray(closer, np.uint8), left, top, columns, rows)


@dataclass(frozen=True, eq=False)
class GridScores:
    """How much each square of a view looks like each row of the gallery."""

    cells: tuple[Cell, ...]
    scores: Vectors
    colours: Vectors
    """The mean blue, green and red of each square."""
    contrast: Vectors
    """How much the levels within each square differ."""
    strength: Vectors
    """How much each has of colour and drawing, whatever it is."""
    bare: Vectors
    """From 0 to 1, how much each is plain and of another colour than those it is taken for: a table, a mat."""
    covered: Masks
    """Whether something round and of one colour seems to lie on each."""

    def of(self, chosen: Sequence[int]) -> GridScores:
        """Some of these."""
        here = list(chosen)
        cells = tuple(self.cells[index] for index in here)
        numbers = (self.scores, self.colours, self.contrast, self.strength, self.bare)
        scores, colours, contrast, strength, bare = (each[here] for each in numbers)
        return GridScores(cells, scores, colours, contrast, strength, bare, self.covered[here])

    def moved(self, columns: int, rows: int) -> GridScores:
        """The same squares, counted from another one."""
        return replace(self, cells=tuple((x + columns, y + rows) for x, y in self.cells))

    @property
    def best(self) -> Vectors:
        return np.asarray(self.scores.max(axis=1), np.float32)


PLACES = ((0, 0), (-BESIDE, 0), (BESIDE, 0), (0, -BESIDE), (0, BESIDE))
"""Where a square is looked at."""


def score_in_place(seen: GridView, gallery: SquareGallery, cells: Iterable[Cell]) -> GridScores:
    """Compare squares with the gallery where they are."""
    return score_cells(seen, gallery, cells, PLACES[:1])


def score_cells(
    seen: GridView,
    gallery: SquareGallery,
    cells: Iterable[Cell] | None = None,
    places: Sequence[tuple[int, int]] = PLACES,
) -> GridScores:
    """Compare squares with the gallery, each drawing where it looks most like the picture."""
    cells = tuple(seen.cells if cells is None else cells)
    there = seen.crops(cells)
    closer = [seen.closer_crops(cells, *place) for place in places]
    scores = gallery.scores(np.concatenate(closer))
    return GridScores(
        cells,
        scores.reshape(len(places), len(cells), -1).max(axis=0),
        np.asarray(there.mean(axis=(1, 2)), np.float32),
        np.asarray(there.std(axis=(1, 2)).mean(axis=1), np.float32),
        np.linalg.norm(colour_features(there), axis=1),
        np.zeros(len(cells), np.float32),
        _covered(closer[0]),
    )


def _covered(crops: Vectors) -> Masks:
    """Whether the middle of each is of one colour and at least three of its corners are of others."""
    disc, corners = _middle_and_corners()
    middles = crops[:, disc]
    colours = middles.mean(axis=1)
    level = np.maximum(np.sqrt((colours**2).mean(axis=1)), DARK)
    apart = np.array([np.abs(crops[:, corner].mean(axis=1) - colours).max(axis=1) for corner in corners])
    third = np.sort(apart, axis=0)[1]
    return np.asarray((middles.std(axis=1).mean(axis=1) < EVEN * level) & (third > OTHERWISE * level))


@cache
def _middle_and_corners() -> tuple[Masks, tuple[Masks, ...]]:
    """Which pixels of a crop are within a round thing, and which in each of the corners beside it."""
    side = (np.arange(INNER_SIDE * CLOSER) + 0.5 + TRIM * CLOSER) / (CELL * CLOSER) - 0.5
    x, y = np.meshgrid(side, side)
    beside = (np.abs(x) > CORNER) & (np.abs(y) > CORNER)
    corners = tuple(beside & (right == (x > 0)) & (low == (y > 0)) for right in (0, 1) for low in (0, 1))
    return np.hypot(x, y) < DISC, corners


def grid_of_picture(picture: Pixels, columns: int, rows: int) -> Grid:
    """The grid of a picture that shows nothing but so many columns and rows."""
    height, width = picture.shape[:2]
    x, y = width / columns, height / rows
    return Grid(np.array([(x, 0, x / 2), (0, y, y / 2), (0, 0, 1.0)]))


def grid_between(corners: Floats, columns: int, rows: int) -> Grid:
    """The grid between four corners, clockwise from the upper left."""
    x, y = columns - 0.5, rows - 0.5
    known = np.array([(-0.5, -0.5), (x, -0.5), (x, y), (-0.5, y)], np.float32)
    return Grid(np.asarray(cv2.getPerspectiveTransform(known, np.asarray(corners, np.float32)), np.float64))
