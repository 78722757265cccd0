"""Square pieces laid side by side, found in a picture that may come from anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import SquareGallery
from companion.vision.photo.beyond import LONGEST_ROW, count_others
from companion.vision.photo.edges import may_go_on
from companion.vision.photo.extent import LocatedSquares, discount_table, find_extent, pale_cells
from companion.vision.photo.grid import Cell, Grid, grid_between, grid_of_picture, score_cells, view_grid
from companion.vision.photo.groups import find_groups
from companion.vision.photo.seeds import CLOSELY, LOOKED_AT, Floats, find_candidates
from companion.vision.photo.settling import refine_grid, refine_grid_once
from companion.vision.picture_file import WORKED_ON, working_size

WHOLE = (5, LONGEST_ROW)
"""Sides of most kingdoms."""
SHAPES = tuple((x, y) for x in range(3, LONGEST_ROW + 1) for y in range(3, LONGEST_ROW + 1))
"""Columns and rows there may be between corners that somebody showed."""
WHOLE_FIRST = 0.04
"""By how much more squares have to look like pieces when there are another number of them."""
ODD = 1.3
"""The longer side of a picture that shows nothing but the pieces, in parts of the shorter one."""
BETTER = 0.02
"""By how much more squares have to look like pieces where their rows and columns are set right."""
NUDGES = 2
FILLED = 0.6
"""The median likeness of squares that shows that a picture is nothing but rows and columns of them."""


def find_squares(
    picture: Pixels, gallery: SquareGallery, corners: Floats | None = None, closely: bool = False
) -> LocatedSquares | None:
    """The squares in a picture: all of it, between corners somebody showed, or wherever they lie in it."""
    clock = _Clock()
    if corners is not None:
        tried = [_placed(picture, gallery, grid_between(corners, x, y), x, y) for x, y in SHAPES]
        return replace(max(tried, key=_whole_first), times=clock.lap("squares"))
    cropped = _cropped(picture, gallery)
    clock.lap("cropped")
    if cropped is not None:
        return replace(cropped, cropped=True, times=clock.laps)
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = working_size(picture)
    points = find_candidates(small, gallery, CLOSELY if closely else LOOKED_AT)
    clock.lap("seeds")
    lying = find_groups(small, gallery, points)
    clock.lap("groups")
    around_each = (
        find_extent(small, gallery, refine_grid(small, gallery, one.grid, one.known), one.known)
        for one in lying
    )
    found = next(filter(None, around_each), None)
    if found is None:
        return None
    beside = (
        found.beside
        or bool(count_others(found.grid, found.columns, found.rows, points))
        or may_go_on(small, found.grid, found.columns, found.rows, cropped=False)
    )
    back = Grid(np.diag([1 / scale, 1 / scale, 1]) @ found.grid.matrix)
    return replace(found, grid=back, beside=beside, times=clock.lap("squares"))


class _Clock:
    def __init__(self) -> None:
        self.laps: tuple[tuple[str, float], ...] = ()
        self._began = perf_counter()

    def lap(self, name: str) -> tuple[tuple[str, float], ...]:
        now = perf_counter()
        self.laps, self._began = (*self.laps, (name, now - self._began)), now
        return self.laps


def _placed(picture: Pixels, gallery: SquareGallery, grid: Grid, columns: int, rows: int) -> LocatedSquares:
    looks = score_cells(view_grid(picture, grid, 0, 0, columns, rows), gallery)
    return LocatedSquares(grid, columns, rows, discount_table(looks, gallery), pale=pale_cells(looks))


def _whole_first(found: LocatedSquares) -> float:
    return _filled(found) + (WHOLE_FIRST if found.columns == found.rows and found.columns in WHOLE else 0)


def _filled(found: LocatedSquares) -> float:
    return float(np.median(found.looks.best))


def _cropped(picture: Pixels, gallery: SquareGallery) -> LocatedSquares | None:
    """The picture as nothing but rows and columns of squares, if it is that."""
    for columns, rows in _shapes(picture.shape[1] / picture.shape[0]):
        found = _placed(picture, gallery, grid_of_picture(picture, columns, rows), columns, rows)
        if _filled(found) > FILLED:
            return _fitted(picture, gallery, found)
    return None


def _fitted(picture: Pixels, gallery: SquareGallery, found: LocatedSquares) -> LocatedSquares:
    """Whoever cropped the picture has left a margin, or cut into the squares; or more pieces, in part."""
    cells, best, grid = frozenset(found.looks.cells), found, found.grid
    for _each in range(NUDGES):
        grid = refine_grid_once(picture, gallery, best.grid, cells)
        fitted = _placed(picture, gallery, grid, found.columns, found.rows)
        if _filled(fitted) < _filled(best) + BETTER:
            break
        best = fitted
    return replace(best, beside=may_go_on(picture, grid, found.columns, found.rows, cropped=True))


def _shapes(aspect: float) -> Iterator[tuple[int, int]]:
    """Columns and rows that such a picture may have; whole kingdoms first."""
    sizes = (5, LONGEST_ROW, 6, 4, 3)
    shapes = [(a, b) for a in sizes for b in sizes if abs(np.log(a / b / aspect)) < 0.06]
    if 1 / ODD < aspect < ODD:
        yield from sorted(shapes, key=lambda shape: shape[0] != shape[1])


def crop_cell(
    picture: Pixels, found: LocatedSquares, cell: Cell, side: int = 128, around: float = 1.2
) -> Pixels:
    """One square upright, with a little around it, for somebody to look at."""
    edge = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    corners = found.grid.corners(cell)
    wide = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * around
    matrix = cv2.getPerspectiveTransform(wide.astype(np.float32), edge)
    return np.asarray(cv2.warpPerspective(picture, matrix, (side, side), flags=cv2.INTER_LINEAR), np.uint8)
