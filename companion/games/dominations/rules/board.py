"""The table: territories, the Cradle and Monuments on the lattice, and what a territory produces where it lies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.box import CRADLE, LETTERS, UNKNOWN, VESTIGIUM, Domain
from companion.games.dominations.rules.lattice import Cell, Point, cells_round, shared_corners

NO_DOT = "-"
CRADLE_POINTS: tuple[tuple[Cell, Point], ...] = tuple(
    (cell, point) for cell in sorted(CRADLE) for point in cell.corners if point != (0, 0)
)
"""Where the Cradle's dots lie, in the order in which they are told: two in each of its six cells."""


@dataclass(frozen=True)
class Tile:
    """A territory: its Field, and its three resources in the order of its cell's corners."""

    field: Domain
    dots: str

    def __str__(self) -> str:
        return f"{self.field}:{self.dots}"


@dataclass(frozen=True)
class BoardPiece:
    """What fills a cell: a territory, half of a lozenge, or a part of the Cradle."""

    dots: Mapping[Point, str]
    tile: Tile | None = None
    monument: str = ""
    """The Monument whose piece this is half of."""
    shut: frozenset[Cell] = frozenset()
    """The cells beside it that nothing can be joined from: a coast."""


@dataclass(frozen=True)
class SharedSide:
    """A side that two pieces have in common."""

    cell: Cell
    own: tuple[tuple[Cell, Point], ...]
    theirs: tuple[tuple[Cell, Point], ...]


def _cradle() -> Mapping[Cell, BoardPiece]:
    return {cell: BoardPiece({}) for cell in CRADLE}


@dataclass(frozen=True)
class Board:
    """Everything that lies there; laying something gives a new one."""

    pieces: Mapping[Cell, BoardPiece] = field(default_factory=_cradle)
    circles: Mapping[Point, str] = field(default_factory=dict)
    """The round Monuments, by the point they stand on."""

    @property
    def tiles(self) -> Mapping[Cell, Tile]:
        return {cell: piece.tile for cell, piece in self.pieces.items() if piece.tile}

    def laid(self, cell: Cell, tile: Tile) -> Board:
        piece = BoardPiece(dict(zip(cell.corners, tile.dots, strict=True)), tile)
        return replace(self, pieces={**self.pieces, cell: piece})

    def with_cradle(self, dots: str) -> Board:
        """The Cradle with its dots, in the order of `CRADLE_POINTS`."""
        found: dict[Cell, dict[Point, str]] = {cell: {} for cell in CRADLE}
        for (cell, point), dot in zip(CRADLE_POINTS, dots, strict=True):
            found[cell][point] = dot
        return replace(
            self, pieces={**self.pieces, **{cell: BoardPiece(each) for cell, each in found.items()}}
        )

    def with_lozenge(self, name: str, cells: tuple[Cell, Cell], dots: str, shut: frozenset[Cell]) -> Board:
        halves = {
            cell: BoardPiece(dict(zip(cell.corners, dots[3 * n : 3 * n + 3], strict=True)), None, name, shut)
            for n, cell in enumerate(cells)
        }
        return replace(self, pieces={**self.pieces, **halves})

    def with_circle(self, name: str, point: Point) -> Board:
        return replace(self, circles={**self.circles, point: name})

    @property
    def free(self) -> tuple[Cell, ...]:
        """Every cell where a territory may be laid now."""
        beside = {near for cell in self.pieces for near in cell.neighbours} - self.pieces.keys()
        return tuple(cell for cell in sorted(beside) if not self.at_a_coast(cell))

    def at_a_coast(self, cell: Cell) -> bool:
        """Whether this cell touches a side of a coast that shows no reward."""
        return any(near in self.pieces and cell in self.pieces[near].shut for near in cell.neighbours)

    def joined(self, cell: Cell) -> Iterator[SharedSide]:
        """The sides by which something in this cell is connected to what lies there."""
        for near in sorted(cell.neighbours):
            piece, here = self.pieces.get(near), self.pieces.get(cell)
            if piece is None or cell in piece.shut or (here and near in here.shut):
                continue
            if here and here.monument and here.monument == piece.monument:
                continue
            points = shared_corners(cell, near)
            yield SharedSide(near, tuple((cell, p) for p in points), tuple((near, p) for p in points))

    def dot(self, place: tuple[Cell, Point]) -> str:
        """The resource of a cell at one of its corners; nothing where there is none."""
        dot = self.pieces[place[0]].dots.get(place[1], NO_DOT)
        return "" if dot in (NO_DOT, UNKNOWN) else dot

    def closed(self, cell: Cell) -> tuple[Point, ...]:
        """The points round which this cell is one of six that are filled."""
        return tuple(point for point in sorted(cell.corners) if self.complete(point))

    def complete(self, point: Point) -> bool:
        """Whether six lie round a point, and not the Cradle alone."""
        ring = {*cells_round(point)}
        return ring <= self.pieces.keys() and not ring <= CRADLE

    def of_cradle(self, point: Point) -> bool:
        return any(cell in CRADLE for cell in cells_round(point))

    def of_lozenge(self, point: Point) -> bool:
        return any(self.pieces[cell].monument for cell in cells_round(point) if cell in self.pieces)

    def beside(self, monument: str) -> frozenset[Cell]:
        """The territories beside a Monument: joined to its lozenge, or in the circle under it."""
        for point, name in self.circles.items():
            if name == monument:
                return frozenset(cell for cell in cells_round(point) if cell in self.tiles)
        halves = [cell for cell, piece in self.pieces.items() if piece.monument == monument]
        near = {side.cell for half in halves for side in self.joined(half)}
        return frozenset(cell for cell in near if self.pieces[cell].tile)


@dataclass(frozen=True)
class Yield:
    """What territories produce, before anybody's cards and Cities."""

    field: Domain
    dots: tuple[str, ...]
    """The letters of the resources that are activated, one each."""
    concentration: tuple[str, ...] = ()
    locus: Point | None = None


@dataclass(frozen=True)
class DotCounting:
    """How a table counts what the rulebook leaves open."""

    per_side: bool = False
    white: bool = False


def side_yield(board: Board, cell: Cell, counting: DotCounting) -> Yield:
    """Rulebook 004, "Fase de Crescimento": the Field, the four resources of each joined side, and concentration."""
    places: list[tuple[Cell, Point]] = []
    pairs: list[str] = []
    for side in board.joined(cell):
        for own, theirs in zip(side.own, side.theirs, strict=True):
            places += [own, theirs]
            pairs += _concentrated(board.dot(own), board.dot(theirs), counting)
    counted = places if counting.per_side else [*dict.fromkeys(places)]
    return Yield(_field(board, cell), tuple(filter(None, map(board.dot, counted))), tuple(pairs))


def _concentrated(one: str, other: str, counting: DotCounting) -> list[str]:
    """Rulebook 004, "Concentração de Conhecimento"."""
    if one == other:
        # White has no colour: two of them are not of the same one.
        return [one] if one in {*LETTERS} else []
    if counting.white and VESTIGIUM in (one, other) and one and other:
        return [one if other == VESTIGIUM else other]
    return []


def locus_yield(board: Board, cell: Cell, point: Point) -> Yield:
    """Rulebook 004, "O Locus": the Field and the six resources at its centre, without concentration."""
    dots = tuple(filter(None, (board.dot((near, point)) for near in cells_round(point))))
    return Yield(_field(board, cell), dots, locus=point)


def field_yield(board: Board, cell: Cell) -> Yield:
    """What a territory produces wherever it lies."""
    return Yield(_field(board, cell), ())


def _field(board: Board, cell: Cell) -> Domain:
    tile = board.pieces[cell].tile
    if tile is None:
        raise IllegalEvent(_("There lies no territory."))
    return tile.field
