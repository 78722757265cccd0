"""Several groups of squares in one picture: the kingdoms of a table, without the line and what else lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.beyond import others
from companion.vision.grid import Cell, Grid, grown
from companion.vision.likeness import SquareGallery
from companion.vision.photo import WORKED_ON, Found, around, worked_on
from companion.vision.seeds import Seed, seeds

Group = tuple[Grid, frozenset[Cell]]

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


def find_all(picture: Pixels, gallery: SquareGallery, most: int) -> tuple[Found, ...]:
    """Every group of squares in a picture of a whole table, each without what belongs to the others."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = worked_on(picture)
    points = left = seeds(small, gallery, ABOVE)
    lying = list[Group]()
    while len(lying) < most and (group := _one(left)) and len(group[1]) >= FEWEST:
        lying.append(group)
        left = [seed for seed in left if not _within(group, (seed.x, seed.y))]
    back = np.diag([1 / scale, 1 / scale, 1])
    found = []
    for index, (grid, known) in enumerate(lying):
        rest = lying[:index] + lying[index + 1 :]
        one = around(_cleared(small, rest), gallery, grid, known, _touching)
        if one is not None:
            # Where there are several, people are asked whose each is.
            beside = one.beside or (len(lying) == 1 and others(one.grid, one.columns, one.rows, points) > 0)
            found.append(replace(one, grid=Grid(back @ one.grid.matrix), beside=beside))
    return tuple(found)


def _one(left: Sequence[Seed]) -> Group | None:
    """The group that most squares agree on, without one whose rows happen to run on in its own."""
    group = grown(left, STARTS)
    if group is None:
        return None
    grid, known = group
    parts = [part for part in _apart(known) if len(part) >= FEWEST]
    if len(parts) < 2:
        return group
    part = max(parts, key=len)
    own = [seed for seed in left if _within((grid, part), (seed.x, seed.y))]
    return grown(own, STARTS) or (grid, part)


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


def _within(group: Group, at: tuple[float, float]) -> bool:
    """Whether a point lies where a group has a square, or beside one."""
    grid, known = group
    x, y = Grid(np.asarray(np.linalg.inv(grid.matrix), np.float64)).pixels(np.array([at]))[0]
    return any(abs(x - a) < BESIDE and abs(y - b) < BESIDE for a, b in known)


def _cleared(picture: Pixels, groups: Sequence[Group]) -> Pixels:
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
