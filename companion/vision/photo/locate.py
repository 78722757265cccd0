"""Locates square pieces in a photo from anywhere.

`find_squares` one block of them, `find_all_squares` every group on a whole table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.photo import Corners
from companion.vision.gallery.squares import SquareGallery
from companion.vision.photo.extent import (
    LONGEST_ROW,
    LocatedSquares,
    candidates_beside,
    discount_table,
    find_extent,
    may_go_on,
    pale_cells,
)
from companion.vision.photo.grid import (
    Cell,
    Grid,
    beside,
    coarser,
    connected_parts,
    find_groups,
    grid_between,
    grid_of_picture,
    likeness_of,
    refine_grid,
    refined_grid,
    score_cells,
    view_grid,
)
from companion.vision.photo.keypoints import (
    CLOSELY,
    LOOKED_AT,
    Floats,
    SquareCandidate,
    candidate_between,
    find_candidates,
    look_at,
)
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
SURE_OF_SIDE = 0.8
"""The median likeness of squares that nobody takes for mirrored ones: those have less, others 0.84 or more."""
CLEARLY_MIRRORED = 0.1
"""By how much more they look like pieces in a mirror; drawings that are the same in a mirror do by nothing."""
PIECE = 0.5
"""The likeness of another piece that is seen beside them; what is none was taught to have less than 0.45."""
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
    found = _anywhere(picture, gallery, clock, closely)
    if closely or (found and _filled(found) > SURE_OF_SIDE):
        return found
    mirrored = _anywhere(np.ascontiguousarray(picture[:, ::-1]), gallery, clock)
    least = max(SURE_OF_SIDE, _filled(found) + CLEARLY_MIRRORED if found else 0)
    if mirrored is None or _filled(mirrored) < least:
        return found and replace(found, times=clock.laps)
    return mirrored.mirrored_in(picture.shape[1])


def _anywhere(
    picture: Pixels, gallery: SquareGallery, clock: _Clock, closely: bool = False
) -> LocatedSquares | None:
    """The squares in a picture: all of it, or wherever they lie in it."""
    cropped = _cropped(picture, gallery)
    clock.lap("cropped")
    if cropped is not None:
        return replace(cropped, cropped=True, times=clock.laps)
    return _lying(picture, gallery, clock, closely)


def _lying(
    picture: Pixels, gallery: SquareGallery, clock: _Clock, closely: bool = False
) -> LocatedSquares | None:
    """The squares that lie somewhere in a picture."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = working_size(picture)
    points = find_candidates(look_at(small, CLOSELY if closely else LOOKED_AT), gallery)
    clock.lap("seeds")
    lying = find_groups(small, gallery, points)
    clock.lap("groups")
    found = next(filter(None, (_extent(small, gallery, one.grid, one.known) for one in lying)), None)
    if found is None:
        return None
    beside = (
        found.beside
        or _pieces_beside(small, gallery, found, points)
        or may_go_on(small, found.grid, found.columns, found.rows, cropped=False)
    )
    back = Grid(np.diag([1 / scale, 1 / scale, 1]) @ found.grid.matrix)
    return replace(found, grid=back, beside=beside, times=clock.lap("squares"))


def _pieces_beside(
    picture: Pixels, gallery: SquareGallery, found: LocatedSquares, points: Sequence[SquareCandidate]
) -> bool:
    """Whether other pieces are seen: a drawing may be seen in noise or a carpet, too, which looks like none."""
    beside = candidates_beside(found.grid, found.columns, found.rows, points)
    return any(likeness_of(picture, gallery, one) > PIECE for one in beside)


def _extent(
    picture: Pixels, gallery: SquareGallery, grid: Grid, known: frozenset[Cell]
) -> LocatedSquares | None:
    """All pieces beside the known ones, in a picture that is no finer than they are looked at."""
    by = coarser(grid, min(known))
    less: Any = cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA) if by < 1 else picture
    fine = Grid(np.diag([by, by, 1]) @ grid.matrix)
    found = find_extent(less, gallery, refine_grid(less, gallery, fine, known), known)
    return found and replace(found, grid=Grid(np.diag([1 / by, 1 / by, 1]) @ found.grid.matrix))


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
    best, grid = found, found.grid
    for _each in range(NUDGES):
        grid = refined_grid(best.grid, best.looks)
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
    corners = np.array(found.outline_of(cell))
    wide = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * around
    matrix = cv2.getPerspectiveTransform(wide.astype(np.float32), edge)
    return np.asarray(cv2.warpPerspective(picture, matrix, (side, side), flags=cv2.INTER_LINEAR), np.uint8)


GridCells = tuple[Grid, frozenset[Cell]]

ABOVE = 1800
"""Pixels of the longer side of a picture of a whole table in which points are looked for."""
STARTS = 8
"""Seeds tried, the surest first, for the group that has most squares."""
FEWEST = 4
"""Squares known by their points, of a group that may be somebody's."""
GAP = 2
"""Squares from one to the next of the same group: one between them may not be known by its points."""
BESIDE = 0.8
"""Squares around the middle of a square that belong to its group."""
STANDS = 0.3
"""Likeness of what may stand between two pieces of one group."""


def find_all_squares(
    picture: Pixels, gallery: SquareGallery, most: int, pieces: Sequence[Corners] = ()
) -> tuple[LocatedSquares, ...]:
    """Every group of squares in a picture of a whole table, each without what belongs to the others; some of the
    squares may be known."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = working_size(picture)
    known_squares = (np.asarray(corners, np.float64) * scale for corners in pieces)
    points = left = [*map(candidate_between, known_squares), *find_candidates(look_at(small, ABOVE), gallery)]
    lying = list[GridCells]()
    while len(lying) < most and (group := _one(small, gallery, left)) and len(group[1]) >= FEWEST:
        lying.append(group)
        left = [seed for seed in left if not _within(group, (seed.x, seed.y))]
    back = np.diag([1 / scale, 1 / scale, 1])
    found = []
    for index, (grid, known) in enumerate(lying):
        rest = lying[:index] + lying[index + 1 :]
        one = find_extent(_cleared(small, rest), gallery, grid, known, _touching)
        if one is not None:
            # Where there are several, people are asked whose each is.
            beside = one.beside or (len(lying) == 1 and _pieces_beside(small, gallery, one, points))
            found.append(replace(one, grid=Grid(back @ one.grid.matrix), beside=beside))
    return tuple(found)


def _one(picture: Pixels, gallery: SquareGallery, left: Sequence[SquareCandidate]) -> GridCells | None:
    """The group that most squares agree on, without one whose rows happen to run on in its own."""
    group = _best(picture, gallery, left)
    if group is None:
        return None
    grid, known = group
    parts = [short for part in _apart(known) for short in _cut_to_rows(part) if len(short) >= FEWEST]
    if not parts or len(parts[0]) == len(known):
        return group
    part = max(parts, key=len)
    own = [seed for seed in left if _within((grid, part), (seed.x, seed.y))]
    return _best(picture, gallery, own) or (grid, part)


def _best(picture: Pixels, gallery: SquareGallery, left: Sequence[SquareCandidate]) -> GridCells | None:
    found = find_groups(picture, gallery, left, STARTS)
    return (found[0].grid, found[0].known) if found else None


def _apart(known: frozenset[Cell]) -> list[frozenset[Cell]]:
    """Squares in parts that are further apart than one square."""

    def near(cell: Cell) -> set[Cell]:
        return {one for one in known if max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) <= GAP}

    return connected_parts(known, near)


def _cut_to_rows(part: frozenset[Cell]) -> list[frozenset[Cell]]:
    """Squares in parts that are not longer than a kingdom: cut between columns or rows where fewest go on."""
    low, high = np.min(list(part), axis=0), np.max(list(part), axis=0)
    axis = int(np.argmax(high - low))
    if high[axis] - low[axis] < LONGEST_ROW:
        return [part]
    lines = range(int(low[axis]) + 1, int(high[axis]) + 1)
    line = min(lines, key=lambda line: _across(part, axis, line))
    before = frozenset(cell for cell in part if cell[axis] < line)
    return [*_cut_to_rows(before), *_cut_to_rows(part - before)]


def _across(part: frozenset[Cell], axis: int, line: int) -> tuple[int, float]:
    """How many squares lie side by side across a line, and how far that is from the middle of all."""
    beyond = [(x - (axis == 0), y - (axis == 1)) for x, y in part if (x, y)[axis] == line]
    middle = float(np.mean([cell[axis] for cell in part]))
    return sum(cell in part for cell in beyond), abs(line - 0.5 - middle)


def _within(group: GridCells, at: tuple[float, float]) -> bool:
    """Whether a point lies where a group has a square, or beside one."""
    grid, known = group
    x, y = grid.place(*at)
    return any(abs(x - a) < BESIDE and abs(y - b) < BESIDE for a, b in known)


def _cleared(picture: Pixels, groups: Sequence[GridCells]) -> Pixels:
    """The picture with other groups painted over in the colour of the table."""
    cleared = picture.copy()
    mask = np.zeros(picture.shape[:2], np.uint8)
    for grid, known in groups:
        for x, y in known:
            r = BESIDE - 0.1
            around = grid.pixels(np.array([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]))
            cv2.fillConvexPoly(mask, np.rint(around).astype(np.int32), 255)
    cleared[mask > 0] = np.median(picture.reshape(-1, 3)[::97], axis=0).astype(np.uint8)
    return cleared


def _touching(reached: set[Cell], likeness: Mapping[Cell, float]) -> set[Cell]:
    """The largest part of the pieces that lie side by side, or with one thing between them that is no table."""
    bridges = {cell for cell, likely in likeness.items() if likely > STANDS} - reached

    def near(cell: Cell) -> set[Cell]:
        # A castle that stands on its tile looks like nothing in the box.
        return beside(cell) & (reached | bridges if cell in reached else reached)

    return set(max(connected_parts(reached, near), key=len, default=()))
