"""Several groups of squares in one picture: the kingdoms of a table, without the line and what else lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import SquareGallery
from companion.vision.photo.beyond import LONGEST_ROW, count_others
from companion.vision.photo.extent import LocatedSquares, find_extent
from companion.vision.photo.grid import Cell, Grid
from companion.vision.photo.groups import find_groups
from companion.vision.photo.seeds import SquareCandidate, find_candidates
from companion.vision.picture_file import WORKED_ON, working_size

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


def find_all_squares(picture: Pixels, gallery: SquareGallery, most: int) -> tuple[LocatedSquares, ...]:
    """Every group of squares in a picture of a whole table, each without what belongs to the others."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = working_size(picture)
    points = left = find_candidates(small, gallery, ABOVE)
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
            beside = one.beside or (
                len(lying) == 1 and count_others(one.grid, one.columns, one.rows, points) > 0
            )
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
    parts, left = [], set(known)
    while left:
        part, frontier = set[Cell](), [left.pop()]
        while frontier:
            x, y = frontier.pop()
            part.add((x, y))
            near = {cell for cell in left if max(abs(cell[0] - x), abs(cell[1] - y)) <= GAP}
            frontier += near
            left -= near
        parts.append(frozenset(part))
    return parts


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
    bridges = {cell for cell, likely in likeness.items() if likely > STANDS}
    parts, left = [], set(reached)
    while left:
        part, frontier = set[Cell](), [left.pop()]
        while frontier:
            x, y = frontier.pop()
            part.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - part
            # A castle that stands on its tile looks like nothing in the box.
            frontier += near & left if (x, y) not in reached else (near & left) | (near & bridges - reached)
            left -= near
        parts.append(part & reached)
    return max(parts, key=len, default=set())
