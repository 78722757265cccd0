"""What lies on the table: territories, the Cradle and Monuments on the lattice, and everybody's Civilization Tree.

Board and Tree are frozen: laying something gives a new one. What a territory produces where it lies, and the
Nodi that cards make side by side, is counted here, before anybody's cards, Roles and Cities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import (
    CORRUPTIO,
    CRADLE,
    LETTERS,
    UNKNOWN,
    VESTIGIUM,
    Amounts,
    Domain,
)
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


@dataclass(frozen=True)
class Board:
    """Everything that lies there; laying something gives a new one."""

    pieces: Mapping[Cell, BoardPiece] = field(
        default_factory=lambda: {cell: BoardPiece({}) for cell in CRADLE}
    )
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
    def cradle(self) -> str:
        """The Cradle's dots in the order of `CRADLE_POINTS`; nothing until people have said what they can."""
        return "".join(self.pieces[cell].dots.get(point, "") for cell, point in CRADLE_POINTS)

    def untold(self, cell: Cell, point: Point | None = None) -> Iterator[Cell]:
        """The pieces whose dots nobody has told and that are counted there, at its sides or in a circle."""
        if point is not None:
            places = [(near, point) for near in cells_round(point)]
        else:
            places = [place for side in self.joined(cell) for place in side.theirs]
        for near, at in places:
            if near in self.pieces and not (near in CRADLE and at == (0, 0)):
                default = UNKNOWN if near in CRADLE else NO_DOT
                if self.pieces[near].dots.get(at, default) == UNKNOWN:
                    yield near

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


Spot = tuple[int, int]
"""Where a card lies: x to the right, y down, the Campfire at 0,0."""
STEPS: tuple[Spot, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""To the cards on the four sides, in the order in which the half Nodi of a card are told."""
CAMPFIRE = "campfire"
NO_HALF = "-"
HALVES = f"{LETTERS}{VESTIGIUM}{CORRUPTIO}{NO_HALF}"
FARTHEST = 20


@dataclass(frozen=True)
class Planted:
    """A card of a Tree."""

    key: str
    level: int = 0
    """Of a Monument; nothing for a Mastery."""
    advanced: bool = False
    spot: Spot | None = None
    """None when nobody told where it lies."""
    halves: str = UNKNOWN * 4
    """Its half Nodi: above, right, below, left."""
    nodi: tuple[Domain, ...] = ()
    """The Nodi it made, as they were told for a card whose place nobody knows."""


@dataclass(frozen=True)
class Nodus:
    """Two halves that have met."""

    domain: Domain
    spots: frozenset[Spot]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tree:
    """The cards of a player; the Campfire is its root."""

    cards: tuple[Planted, ...] = (Planted(CAMPFIRE, spot=(0, 0)),)

    @property
    def at(self) -> Mapping[Spot, Planted]:
        return {card.spot: card for card in self.cards if card.spot is not None}

    @property
    def masteries(self) -> tuple[Planted, ...]:
        return tuple(card for card in self.cards if not card.level and card.key != CAMPFIRE)

    @property
    def levels(self) -> tuple[Planted, ...]:
        return tuple(card for card in self.cards if card.level)

    def find(self, key: str) -> Planted | None:
        return next((card for card in self.masteries if card.key == key), None)

    def with_card(self, card: Planted) -> Tree:
        return replace(self, cards=(*self.cards, card))

    def advanced(self, key: str) -> Tree:
        turned = (replace(c, advanced=True) if c.key == key and not c.level else c for c in self.cards)
        return replace(self, cards=tuple(turned))

    def with_campfire(self, halves: str) -> Tree:
        return replace(self, cards=(replace(self.cards[0], halves=halves), *self.cards[1:]))

    def made_by(self, card: Planted) -> tuple[Domain, ...]:
        """The Nodi between a card and those beside it."""
        if card.spot is None:
            return card.nodi
        return tuple(domain for _side, _other, domain in self._meetings(card) if domain)

    def _meetings(self, card: Planted) -> Iterator[tuple[int, Planted, Domain | None]]:
        """The sides on which a card lies beside another one, with that one and the Nodus they make."""
        assert card.spot is not None
        at, (x, y) = self.at, card.spot
        for side, (dx, dy) in enumerate(STEPS):
            if beside := at.get((x + dx, y + dy)):
                yield side, beside, nodus_of(card.halves[side], beside.halves[(side + 2) % 4])

    def meeting(self, spot: Spot, side: int) -> str:
        """The half Nodi that meet the card on that side; all where none lies there."""
        beside = self.at.get((spot[0] + STEPS[side][0], spot[1] + STEPS[side][1]))
        if beside is None:
            return HALVES
        return "".join(half for half in HALVES if nodus_of(half, beside.halves[(side + 2) % 4]))

    def against(self, card: Planted) -> Iterator[Message]:
        """Why a card may not come where it is to lie; rulebook 004, "Árvore de Civilização"."""
        if card.spot is None:
            return
        if card.spot in self.at:
            yield _("There lies a card of the Tree already.")
            return
        met = [*self._meetings(card)]
        if not met:
            yield _("A card has to lie beside another one of the Tree.")
        if any(domain is None for _side, _other, domain in met):
            yield _("A card has to make a Nodus with every card beside it.")

    @property
    def nodi(self) -> tuple[Nodus, ...]:
        """Every complete Nodus, once."""
        met = (
            Nodus(domain, frozenset(filter(None, (card.spot, beside.spot))), (_kind(card), _kind(beside)))
            for card in self.at.values()
            for side, beside, domain in self._meetings(card)
            if domain and side in (1, 2)
        )
        told = (
            Nodus(domain, frozenset(), (_kind(card),))
            for card in self.cards
            for domain in card.nodi
            if card.spot is None
        )
        return (*met, *told)

    def count(self, masteries_only: bool = False) -> Amounts:
        """How many Nodi there are of each Domain."""
        found = Counter(n.domain for n in self.nodi if not masteries_only or set(n.keys) == {"mastery"})
        return {domain: found[domain] for domain in Domain}


def _kind(card: Planted) -> str:
    return "level" if card.level else CAMPFIRE if card.key == CAMPFIRE else "mastery"


def nodus_of(one: str, other: str) -> Domain | None:
    """The Nodus that two halves make; white takes the colour it meets, black meets nothing."""
    if one == other and one in LETTERS:
        return Domain(one)
    for blank, half in ((one, other), (other, one)):
        # What nobody knows of the Campfire may be any colour: the card beside it says which.
        if blank in (VESTIGIUM, UNKNOWN) and half in LETTERS:
            return Domain(half)
    return None
