"""One player's kingdom: where a domino may go, and what has grown there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square, Terrain

Cell = tuple[int, int]
"""Column and row counted from the castle: x grows to the right, y grows down."""

HOME: Cell = (0, 0)


class Direction(StrEnum):
    """Where the right half of a domino lies, seen from its left half."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"


STEPS: Mapping[Direction, Cell] = {
    Direction.EAST: (1, 0),
    Direction.SOUTH: (0, 1),
    Direction.WEST: (-1, 0),
    Direction.NORTH: (0, -1),
}


class Placement(NamedTuple):
    """A domino in a kingdom: the cell of its left half and the direction of its right half.

    One whose halves are alike lies the same whichever of them is the left one.
    """

    domino: int
    x: int
    y: int
    direction: Direction
    because: str = ""
    """Why people laid it so although the rules do not allow it."""

    @property
    def cells(self) -> tuple[Cell, Cell]:
        dx, dy = STEPS[self.direction]
        return (self.x, self.y), (self.x + dx, self.y + dy)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placement):
            return NotImplemented
        if tuple.__eq__(self, other):
            return True
        same = (self.domino, self.because) == (other.domino, other.because)
        halves = DOMINOES[self.domino][1:] if same and self.domino in DOMINOES else (None, ...)
        return halves[0] == halves[1] and set(self.cells) == set(other.cells)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.domino, frozenset(self.cells)))


class Bounds(NamedTuple):
    """The smallest rectangle around a kingdom, its edges included."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0

    @property
    def columns(self) -> int:
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        return self.bottom - self.top + 1

    def around(self, cells: tuple[Cell, ...]) -> Bounds:
        xs, ys = zip(*cells, strict=True)
        return Bounds(min(self.left, *xs), min(self.top, *ys), max(self.right, *xs), max(self.bottom, *ys))


class Property(NamedTuple):
    """Squares of one terrain joined edge to edge."""

    terrain: Terrain
    cells: tuple[Cell, ...]
    crowns: int

    @property
    def size(self) -> int:
        return len(self.cells)

    @property
    def points(self) -> int:
        # Rulebook 002, "Final da Partida e Pontuação": squares times crowns, nothing without a crown.
        return len(self.cells) * self.crowns


@dataclass(frozen=True)
class Kingdom:
    """The squares around a castle, and the dominoes they came with."""

    size: int = 5
    """Side of the square area it has to fit in."""
    squares: Mapping[Cell, Square] = field(default_factory=lambda: {HOME: CASTLE})
    placements: tuple[Placement, ...] = ()
    bounds: Bounds = field(default_factory=Bounds)

    def laid(self, placement: Placement) -> Kingdom:
        """The kingdom with one more domino; squares already taken are the only thing that cannot be overruled."""
        cells = placement.cells
        if any(cell in self.squares for cell in cells):
            raise IllegalEvent(_("There is a square in that place already."))
        domino = DOMINOES[placement.domino]
        refusal = self.refusal(cells, (domino.left, domino.right))
        if refusal and not placement.because:
            raise IllegalEvent(refusal)
        if not refusal:
            # A reason nobody needed overrules nothing; it stays in the log.
            placement = placement._replace(because="")
        squares = {**self.squares, cells[0]: domino.left, cells[1]: domino.right}
        return Kingdom(self.size, squares, (*self.placements, placement), self.bounds.around(cells))

    def placements_of(self, number: int) -> tuple[Placement, ...]:
        """Every way the domino may be laid."""
        if self.bounds.columns > self.size or self.bounds.rows > self.size:
            return ()
        domino, found = DOMINOES[number], set()
        for cell in self._open_to(domino.left.terrain):
            for direction, (dx, dy) in STEPS.items():
                found.add((*cell, direction, cell[0] + dx, cell[1] + dy))
        for x, y in self._open_to(domino.right.terrain):
            for direction, (dx, dy) in STEPS.items():
                found.add((x - dx, y - dy, direction, x, y))
        squares, (low_x, high_x, low_y, high_y) = self.squares, self.room()
        return tuple(
            Placement(number, x, y, direction)
            for x, y, direction, x2, y2 in sorted(found)
            if low_x <= x <= high_x
            and low_x <= x2 <= high_x
            and low_y <= y <= high_y
            and low_y <= y2 <= high_y
            and (x, y) not in squares
            and (x2, y2) not in squares
        )

    def properties(self) -> tuple[Property, ...]:
        """Every property, the one furthest up and left first."""
        squares = self.squares
        left = {cell for cell, square in squares.items() if square.terrain is not Terrain.CASTLE}
        found = []
        for cell in sorted(left, key=lambda cell: (cell[1], cell[0])):
            if cell in left:
                left.discard(cell)
                found.append(self._grow(cell, left))
        return tuple(found)

    @property
    def crowns(self) -> int:
        return sum(square.crowns for square in self.squares.values())

    @property
    def complete(self) -> bool:
        """Whether every square of the area is filled, which takes all dominoes."""
        return len(self.squares) == self.size**2

    @property
    def centred(self) -> bool:
        """Whether the castle lies in the very middle of the kingdom's rectangle."""
        left, top, right, bottom = self.bounds
        return left + right == 0 == top + bottom

    def refusal(self, cells: tuple[Cell, Cell], halves: tuple[Square, Square]) -> Message | None:
        """Why the rules do not allow a domino with these halves in these free cells; None when they do."""
        bounds = self.bounds.around(cells)
        # Rulebook 002, "Como Ligar os Dominós": all dominoes within 5 by 5 squares, the castle anywhere in them.
        if bounds.columns > self.size or bounds.rows > self.size:
            return _("There the kingdom would be larger than %(size)d by %(size)d squares.", size=self.size)
        if not any(self._joins(cell, square.terrain) for cell, square in zip(cells, halves, strict=True)):
            return _("There it touches neither the castle nor a square of its own terrain.")
        return None

    def _joins(self, cell: Cell, terrain: Terrain) -> bool:
        neighbours = (self.squares.get(near) for near in around(cell))
        return any(square and square.terrain in (terrain, Terrain.CASTLE) for square in neighbours)

    def _open_to(self, terrain: Terrain) -> set[Cell]:
        squares = self.squares
        return {
            near
            for cell, square in squares.items()
            if square.terrain is terrain or square.terrain is Terrain.CASTLE
            for near in around(cell)
            if near not in squares
        }

    def room(self) -> tuple[int, int, int, int]:
        """Lowest and highest column and row that any square may still have."""
        left, top, right, bottom = self.bounds
        return right - self.size + 1, left + self.size - 1, bottom - self.size + 1, top + self.size - 1

    def _grow(self, start: Cell, left: set[Cell]) -> Property:
        squares, terrain = self.squares, self.squares[start].terrain
        cells, crowns = [start], 0
        for cell in cells:
            crowns += squares[cell].crowns
            for near in around(cell):
                if near in left and squares[near].terrain is terrain:
                    left.discard(near)
                    cells.append(near)
        return Property(terrain, tuple(sorted(cells, key=lambda cell: (cell[1], cell[0]))), crowns)


def around(cell: Cell) -> Iterator[Cell]:
    """The four cells that share an edge with this one."""
    x, y = cell
    return iter(((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)))


def kingdom_of(squares: Mapping[Cell, Square], size: int) -> Kingdom:
    """A kingdom seen as it lies, without knowing its dominoes."""
    return Kingdom(size, dict(squares), (), Bounds().around(tuple(squares)))


def kingdom_around_castle(squares: Mapping[Cell, Square], size: int) -> Kingdom | None:
    """The same, with cells counted from anywhere; None without a castle."""
    home = next((cell for cell, square in squares.items() if square == CASTLE), None)
    if home is None:
        return None
    return kingdom_of({(x - home[0], y - home[1]): square for (x, y), square in squares.items()}, size)
