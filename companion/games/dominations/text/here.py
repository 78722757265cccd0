"""What a table calls its players, its cards and its territories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.dominations.rules.board import Board
from companion.games.dominations.rules.box import (
    CORRUPTIO,
    CRADLE,
    DOMAIN_NAMES,
    LETTERS,
    UNKNOWN,
    Domain,
    colour_name,
)
from companion.games.dominations.rules.lattice import Cell, cells_round, parse_cell, parse_point
from companion.games.dominations.rules.placing import Lozenge, Place
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.titles import card_title


@dataclass(frozen=True)
class TableNames:
    """A table that words are said at; without one, they name what is printed."""

    position: Position | None = None
    names: tuple[str, ...] = ()

    def card(self, key: str) -> Message:
        return self.position.title(key) if self.position else card_title(key, key, True)

    def who(self, players: Iterable[int]) -> Message:
        return joined(
            self.names[player] if player < len(self.names) else _("player %(number)d", number=player + 1)
            for player in players
        )

    def territory(self, cell: Cell) -> Message:
        return territory_by_number(self.position.board, cell) if self.position else _("a territory")

    def beside_cell(self, cell: Cell) -> Message | None:
        """What lay beside a place of the map when a territory came there."""
        if self.position is None:
            return None
        board = self.position.board
        own = territory_number(board, cell) or len(board.tiles) + 1
        before = [near for near in cell.neighbours if 0 < territory_number(board, near) < own]
        found = [_("the Cradle")] if any(near in CRADLE for near in cell.neighbours) else []
        told = territory_numbers(board, before)
        return joined((*found, told) if told else found) if found or told else None

    def beside(self, key: str, place: Place) -> Message:
        """Where a Monument's piece stands: on a Locus, or beside what its map shows."""
        if self.position is None:
            return _("on the map")
        board = self.position.board
        beside = cells_round(place) if not isinstance(place, Lozenge) else sorted(board.beside(key))
        return territory_numbers(board, beside) or _("on the map")

    def choice(self, choice: str) -> Message:
        """An answer: one of several Loci, or Domains."""
        if choice.startswith("@"):
            board = self.position.board if self.position else Board()
            return _(
                "the Locus of %(territories)s",
                territories=territory_numbers(board, cells_round(parse_point(choice))) or "?",
            )
        return domains_text(choice) if set(choice) <= {*LETTERS} else _("the sides")


def territory_number(board: Board, cell: Cell) -> int:
    """Territories are counted as they were laid; 0 where none lies."""
    return next((number for number, each in enumerate(board.tiles, 1) if each == cell), 0)


def territory_by_number(board: Board, cell: Cell) -> Message:
    """A territory by its number and its Field: both stand on the map when it is tapped."""
    tile = board.tiles.get(cell)
    if tile is None:
        return _("a territory")
    return _(
        "territory %(number)d (%(field)s)",
        number=territory_number(board, cell),
        field=DOMAIN_NAMES[tile.field],
    )


def territory_by_place(board: Board, place: str) -> Message:
    return territory_by_number(board, parse_cell(place))


def territory_numbers(board: Board, cells: Iterable[Cell]) -> Message | None:
    """Several territories by their numbers; nothing where none of them lies on the map."""
    found = sorted(number for cell in cells if (number := territory_number(board, cell)))
    if len(found) == 1:
        return _("territory %(number)d", number=found[0])
    return _("territories %(numbers)s", numbers=", ".join(map(str, found))) if found else None


def half_nodus_text(letter: str) -> Message:
    """A half Nodus in words."""
    if letter == CORRUPTIO:
        return Message("%(text)s", {"text": "Corruptio"})
    return _("unknown") if letter == UNKNOWN else colour_name(letter)


def domains_text(letters: str) -> Message:
    """Domains by their names, each with how often it is meant."""
    found = [Domain(letter) for letter in dict.fromkeys(letters)]
    return joined(
        _("%(count)d %(domain)s", count=letters.count(domain), domain=DOMAIN_NAMES[domain])
        if letters.count(domain) > 1
        else DOMAIN_NAMES[domain]
        for domain in found
    )
