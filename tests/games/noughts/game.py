"""Noughts and crosses: the smallest whole game of the house, and the example of docs/adding-a-game.md.

    1 marks b2
    board a1=1 b2=2

Squares are named as in chess: columns a to c from the left, rows 1 to 3 from below. Player 1 begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import Colour, Remark, Setup, SimpleGame, Turn, check_setup
from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand
from tests.games.noughts.rules import ROWS, BoardShown, Marked, Position
from tests.games.noughts.sight import NoughtsSight

_MARKS = re.compile(r"([12]) marks ([abc][123])")
_BOARD = re.compile(r"board((?: [abc][123]=[12]){0,9})")
Event = Marked | BoardShown


class Noughts(SimpleGame[Position, Event]):
    """The protocol `companion.core.game.Game`."""

    key = "noughts"
    name = _("Noughts and crosses")
    seats = range(2, 3)
    colours = (Colour.BLUE, Colour.RED)
    folder = Path(__file__).parent
    sight = NoughtsSight()

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        return Position({})

    def apply(self, position: Position, event: Event) -> Position:
        if isinstance(event, BoardShown):
            shown = Position(dict(event.marks))
            crosses = sum(player == 0 for player in shown.marks.values())
            if 2 * crosses - len(shown.marks) not in (0, 1):
                raise IllegalEvent(_("One of the players has had too many turns."))
            return shown
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

    def describe(self, event: Event, *_table: object) -> Remark:
        if isinstance(event, BoardShown):
            return Remark(_("The board as it lies"))
        return Remark(_("marks %(square)s", square=event.square), event.player, where=(event.square,))

    def write(self, event: Event) -> str:
        if isinstance(event, BoardShown):
            return " ".join(["board", *(f"{square}={player + 1}" for square, player in event.marks)])
        return f"{event.player + 1} marks {event.square}"

    def parse(self, text: str) -> Event:
        if found := _BOARD.fullmatch(text):
            marks = (said.split("=") for said in found[1].split())
            return BoardShown(tuple(sorted((square, int(player) - 1) for square, player in marks)))
        if not (found := _MARKS.fullmatch(text)):
            raise NotationError(_("“%(text)s” is no move of this game.", text=text[:80]))
        return Marked(int(found[1]) - 1, found[2])

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG002
        moves = {event.square: self.write(event) for event in self.legal(position)}
        return {"rows": ROWS, "marks": position.marks, "moves": moves}
