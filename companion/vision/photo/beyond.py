"""What lies beyond squares that are known: the ends of their rows, the table, other pieces."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import Vectors
from companion.vision.photo.grid import Cell, Grid
from companion.vision.photo.seeds import SquareCandidate

LONGEST_ROW = 7
"""Squares side by side."""
OUTSIDE_BY = 0.8
"""Squares by which the middle of another piece is at least outside what is read."""
AS_LARGE = 0.45
"""How much its side may differ, as a logarithm: drawings seen in a carpet are larger or smaller than that."""


def row_range(low: int, high: int, beyond: int) -> tuple[int, int]:
    """Where a row of places begins that may lie with those from low to high, and how many they are."""
    first, last = max(low - beyond, high - LONGEST_ROW), min(high + beyond, low + LONGEST_ROW)
    return min(first, low - 1), max(last, high + 1) - min(first, low - 1) + 1


def is_sound(grid: Grid, left: int, columns: int, top: int, rows: int) -> bool:
    """Whether the rows and columns go on to their ends without turning inside out."""
    ends = (
        (left, top),
        (left + columns - 1, top),
        (left, top + rows - 1),
        (left + columns - 1, top + rows - 1),
    )
    w = [float((grid.matrix @ (x, y, 1.0))[2]) for x, y in ends]
    sides = [grid.side(cell) for cell in ends]
    if max(columns, rows) > 2 * LONGEST_ROW:
        return False
    return min(w) * max(w) > 0 and max(sides) < 5 * min(sides)


def zero_outside(likeness: dict[Cell, float], picture: Pixels, grid: Grid) -> None:
    """Take places whose middle the picture does not show for nothing."""
    height, width = picture.shape[:2]
    for cell in likeness:
        x, y = grid.pixels(np.array([cell]))[0]
        if not (0 <= x < width and 0 <= y < height):
            likeness[cell] = 0.0


def table_colours(picture: Pixels, grid: Grid, known: frozenset[Cell]) -> Vectors:
    """The colours of the picture where no piece that lies with the known ones can be: too far from one of them."""
    step = 2 / grid.side(next(iter(known)))
    small = cv2.resize(picture, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    rows, columns = np.mgrid[: small.shape[0], : small.shape[1]]
    places = grid.places((np.stack([columns, rows], -1).reshape(-1, 2) + 0.5) / step)
    low, high = (
        np.max(list(known), axis=0) - LONGEST_ROW + 0.2,
        np.min(list(known), axis=0) + LONGEST_ROW - 0.2,
    )
    outside = ((places < low) | (places > high)).any(axis=1)
    return np.asarray(small.reshape(-1, 3)[outside], np.float32)


def count_others(grid: Grid, columns: int, rows: int, seeds: Iterable[SquareCandidate]) -> int:
    """How many other pieces of the same size are seen outside so many columns and rows."""
    count = 0
    for seed in seeds:
        x, y = grid.place(seed.x, seed.y)
        nearest = round(min(max(x, 0), columns - 1)), round(min(max(y, 0), rows - 1))
        outside = max(abs(x - nearest[0]), abs(y - nearest[1])) > OUTSIDE_BY
        count += bool(outside and abs(np.log(seed.side / grid.side(nearest))) < AS_LARGE)
    return count
