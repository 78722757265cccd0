"""Kingdoms as shapes: what a template needs to draw them, in units of a hundred to a square."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.games.kingdomino.rules.kingdom import Bounds, Cell, Kingdom, Placement, Property
from companion.games.kingdomino.rules.pieces import DOMINOES, TERRAIN_NAMES, Square
from companion.games.kingdomino.rules.tally import place_name

UNIT = 100


@dataclass(frozen=True)
class SquareDrawing:
    """One square where it lies."""

    x: int
    y: int
    square: Square
    place: str = ""
    """Its name on the table, which lines of the tally refer to."""

    @property
    def name(self) -> Message:
        return TERRAIN_NAMES[self.square.terrain]


@dataclass(frozen=True)
class PropertyDrawing:
    """The outline of a property, and its product to be written in it."""

    path: str
    label: str
    x: int
    y: int
    points: int


@dataclass(frozen=True)
class KingdomDrawing:
    """A whole kingdom."""

    player: int
    window: Bounds
    """The cells that are in the picture."""
    squares: tuple[SquareDrawing, ...]
    properties: tuple[PropertyDrawing, ...]

    @property
    def view_box(self) -> str:
        window = self.window
        corner = f"{window.left * UNIT - 6} {window.top * UNIT - 6}"
        return f"{corner} {window.columns * UNIT + 12} {window.rows * UNIT + 12}"


def draw_kingdom(player: int, kingdom: Kingdom, window: Bounds | None = None) -> KingdomDrawing:
    return KingdomDrawing(
        player,
        window or rest_window(kingdom),
        tuple(
            SquareDrawing(x * UNIT, y * UNIT, square, place_name(player, (x, y)))
            for (x, y), square in sorted(kingdom.squares.items())
        ),
        tuple(map(_draw_property, kingdom.properties())),
    )


def draw_domino(number: int) -> tuple[SquareDrawing, SquareDrawing]:
    """A domino on its own, left half first."""
    domino = DOMINOES[number]
    return SquareDrawing(0, 0, domino.left), SquareDrawing(UNIT, 0, domino.right)


def draw_placement(placement: Placement) -> tuple[SquareDrawing, SquareDrawing]:
    """A domino where it is about to be placed."""
    domino, ((x, y), (x2, y2)) = DOMINOES[placement.domino], placement.cells
    return SquareDrawing(x * UNIT, y * UNIT, domino.left), SquareDrawing(x2 * UNIT, y2 * UNIT, domino.right)


def rest_window(kingdom: Kingdom) -> Bounds:
    """A window of always the same size, the kingdom in its middle."""
    left, top = kingdom.bounds.left, kingdom.bounds.top
    left -= max(0, kingdom.size - kingdom.bounds.columns) // 2
    top -= max(0, kingdom.size - kingdom.bounds.rows) // 2
    columns, rows = max(kingdom.size, kingdom.bounds.columns), max(kingdom.size, kingdom.bounds.rows)
    return Bounds(left, top, left + columns - 1, top + rows - 1)


def growth_window(kingdom: Kingdom) -> Bounds:
    """A window with every cell where the next domino could come to lie."""
    left, top, right, bottom = kingdom.bounds
    low_x, high_x, low_y, high_y = kingdom.room()
    return Bounds(
        min(left, max(left - 2, low_x)),
        min(top, max(top - 2, low_y)),
        max(right, min(right + 2, high_x)),
        max(bottom, min(bottom + 2, high_y)),
    )


def cells_of(window: Bounds) -> Iterator[Cell]:
    for y in range(window.top, window.bottom + 1):
        for x in range(window.left, window.right + 1):
            yield x, y


def _draw_property(found: Property) -> PropertyDrawing:
    x, y = _middle(found.cells)
    label = f"{found.size}×{found.crowns}"
    return PropertyDrawing(_outline(frozenset(found.cells)), label, x * UNIT, y * UNIT, found.points)


def _middle(cells: tuple[Cell, ...]) -> Cell:
    """The cell nearest to the centre of all."""
    centre_x, centre_y = (sum(axis) / len(cells) for axis in zip(*cells, strict=True))
    return min(cells, key=lambda cell: (cell[0] - centre_x) ** 2 + (cell[1] - centre_y) ** 2)


def _outline(cells: frozenset[Cell]) -> str:
    return "".join(_edges(cells))


def _edges(cells: Iterable[Cell]) -> Iterator[str]:
    cells = frozenset(cells)
    for x, y in sorted(cells):
        left, top = x * UNIT, y * UNIT
        if (x, y - 1) not in cells:
            yield f"M{left} {top}h{UNIT}"
        if (x, y + 1) not in cells:
            yield f"M{left} {top + UNIT}h{UNIT}"
        if (x - 1, y) not in cells:
            yield f"M{left} {top}v{UNIT}"
        if (x + 1, y) not in cells:
            yield f"M{left + UNIT} {top}v{UNIT}"
