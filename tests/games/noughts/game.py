"""Noughts and crosses: the smallest whole game of the house, and the example of docs/adding-a-game.md.

    1 marks b2

Squares are named as in chess: columns a to c from the left, rows 1 to 3 from below. Player 1 begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import Colour, Remark, Setup, SimpleGame, Turn, check_setup
from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand

ROWS = (("a3", "b3", "c3"), ("a2", "b2", "c2"), ("a1", "b1", "c1"))
"""The board as people see it."""
LINES = (*ROWS, *zip(*ROWS, strict=True), ("a3", "b2", "c1"), ("a1", "b2", "c3"))
"""Everything that counts as three in a row."""

_MARKS = re.compile(r"([12]) marks ([abc][123])")


@dataclass(frozen=True)
class Position:
    """What is on the board."""

    marks: Mapping[str, int]
    """Who has marked each square, players counted from 0."""

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return len(self.marks) % 2

    @property
    def won(self) -> tuple[int, tuple[str, ...]] | None:
        """Who has three in a row, and where."""
        for line in LINES:
            owners = {self.marks.get(square) for square in line}
            if len(owners) == 1 and (owner := owners.pop()) is not None:
                return owner, line
        return None

    @property
    def over(self) -> bool:
        return self.won is not None or len(self.marks) == 9


@dataclass(frozen=True)
class Marked:
    """A player has marked a square: the only event of this game."""

    player: int
    square: str


class Noughts(SimpleGame[Position, Marked]):
    """The protocol `companion.core.game.Game`."""

    key = "noughts"
    name = _("Noughts and crosses")
    seats = range(2, 3)
    colours = (Colour.BLUE, Colour.RED)
    folder = Path(__file__).parent

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        return Position({})

    def apply(self, position: Position, event: Marked) -> Position:
        if position.over:
            raise IllegalEvent(_("The game is over."))
        if event.player != position.player:
            raise IllegalEvent(_("It is not your turn."))
        if event.square in position.marks:
            raise IllegalEvent(_("%(square)s is taken.", square=event.square))
        return replace(position, marks={**position.marks, event.square: event.player})

    def legal(self, position: Position) -> Sequence[Marked]:
        free = [square for row in ROWS for square in row if square not in position.marks]
        return [] if position.over else [Marked(position.player, square) for square in free]

    def turn(self, position: Position) -> Turn:
        if position.over:
            return Turn(_("The game is over."), over=True)
        return Turn(_("Mark a square"), position.player)

    def tally(self, position: Position) -> Tally:
        lines: tuple[TallyLine, ...] = ()
        if position.won:
            winner, squares = position.won
            lines = (TallyLine(winner, _("Three in a row"), 1, where=squares),)
        points = tuple(sum(line.points for line in lines if line.player == player) for player in (0, 1))
        return Tally(2, lines, stand([Criterion("score", _("points"), points)]))

    def describe(self, event: Marked, *_table: object) -> Remark:
        return Remark(_("marks %(square)s", square=event.square), event.player, where=(event.square,))

    def write(self, event: Marked) -> str:
        return f"{event.player + 1} marks {event.square}"

    def parse(self, text: str) -> Marked:
        if not (found := _MARKS.fullmatch(text)):
            raise NotationError(_("“%(text)s” is no move of this game.", text=text[:80]))
        return Marked(int(found[1]) - 1, found[2])

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG002
        moves = {event.square: self.write(event) for event in self.legal(position)}
        return {"rows": ROWS, "marks": position.marks, "moves": moves}
