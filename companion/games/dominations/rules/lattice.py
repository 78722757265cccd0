"""The triangular lattice that territories lie on: cells, their corners and neighbours, circles round a point.

A point @i,j is i steps to the right and j steps up to the right of the Cradle's middle. A cell is one of the two
triangles, `u` or `d`, of the rhombus to the upper right of a point. A step is a side of a territory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.core.errors import NotationError
from companion.core.message import message as _

FARTHEST = 99
"""Steps from the middle: all 90 territories in a row stay below."""

_CELL = re.compile(r"(-?\d{1,2}),(-?\d{1,2})([ud])", re.ASCII)
_POINT = re.compile(r"@(-?\d{1,2}),(-?\d{1,2})", re.ASCII)


class Point(NamedTuple):
    """Where six cells meet: i steps to the right, j steps up to the right; the Cradle's middle is 0,0."""

    i: int
    j: int

    def __str__(self) -> str:
        return f"@{self.i},{self.j}"


class Cell(NamedTuple):
    """A triangle that points up or down, in the rhombus to the upper right of the point i,j."""

    i: int
    j: int
    down: int

    def __str__(self) -> str:
        return f"{self.i},{self.j}{'ud'[self.down]}"

    @property
    def corners(self) -> tuple[Point, Point, Point]:
        """In the order in which a territory's three resources are told."""
        i, j, down = self
        if down:
            return Point(i + 1, j), Point(i + 1, j + 1), Point(i, j + 1)
        return Point(i, j), Point(i + 1, j), Point(i, j + 1)

    @property
    def neighbours(self) -> tuple[Cell, Cell, Cell]:
        """The cells that share a side."""
        i, j, down = self
        if down:
            return Cell(i, j, 0), Cell(i + 1, j, 0), Cell(i, j + 1, 0)
        return Cell(i, j, 1), Cell(i - 1, j, 1), Cell(i, j - 1, 1)


def shared_corners(one: Cell, other: Cell) -> tuple[Point, ...]:
    """The points that two cells have in common; two when they lie side by side."""
    return tuple(point for point in one.corners if point in other.corners)


def cells_round(point: Point) -> tuple[Cell, ...]:
    """The six cells round a point."""
    i, j = point
    return (
        Cell(i, j, 0),
        Cell(i - 1, j, 1),
        Cell(i - 1, j, 0),
        Cell(i - 1, j - 1, 1),
        Cell(i, j - 1, 0),
        Cell(i, j - 1, 1),
    )


def cells_beside(cells: frozenset[Cell]) -> Iterator[Cell]:
    """Every cell beside these, once."""
    yield from sorted({beside for cell in cells for beside in cell.neighbours} - cells)


def parse_cell(text: str) -> Cell:
    found = _CELL.fullmatch(text)
    if not found:
        raise NotationError(_("“%(text)s” is not a place: write one like 2,-1u.", text=text[:40]))
    return Cell(int(found[1]), int(found[2]), "ud".index(found[3]))


def parse_point(text: str) -> Point:
    found = _POINT.fullmatch(text)
    if not found:
        raise NotationError(_("“%(text)s” is not a point: write one like @2,-1.", text=text[:40]))
    return Point(int(found[1]), int(found[2]))
