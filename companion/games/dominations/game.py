"""Dominations as the house sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.core.game import Colour, Option, Remark, Setup, Turn, check_setup
from companion.core.message import message as _
from companion.core.plain import Plain
from companion.core.tally import Tally
from companion.games.dominations import notation, tally, words
from companion.games.dominations.correction import follow, keep
from companion.games.dominations.eras import leader
from companion.games.dominations.events import Event
from companion.games.dominations.moves import apply
from companion.games.dominations.offers import offered
from companion.games.dominations.page import page
from companion.games.dominations.position import OF_A_TURN, Position, Stage, start
from companion.games.dominations.problems import problems
from companion.games.dominations.rulings import OPTIONS, rulings_of


class Dominations(Plain[Position, Event]):
    """The protocol `companion.core.game.Game`, each part by the module that knows it."""

    key = "dominations"
    name = _("Dominations")
    seats = range(2, 5)
    colours: Sequence[Colour] = (Colour.WHITE, Colour.BLACK, Colour.GREEN, Colour.PURPLE)
    options: Sequence[Option] = OPTIONS
    folder = Path(__file__).parent

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        return start(len(setup.players), rulings_of(setup.options))

    def apply(self, position: Position, event: Event) -> Position:
        return apply(position, event)

    def legal(self, position: Position) -> Sequence[Event]:
        """What needs no territory or card of the box; of those, the table tells."""
        return offered(position)

    def turn(self, position: Position) -> Turn:
        player: int | None = position.player if position.stage in OF_A_TURN else None
        if position.stage is Stage.ASSIMILATION:
            player = leader(position)
        if position.stage is Stage.NEXT and position.governor >= 0:
            player = position.governor
        if position.held:
            player = position.held.need.player if position.held.need.player >= 0 else None
        return Turn(words.action(position), player, position.stage is Stage.OVER and not position.held)

    def tally(self, position: Position) -> Tally:
        return tally.tally(position)

    def problems(self, position: Position) -> Sequence[Remark]:
        return [*problems(position)]

    def describe(self, event: Event) -> Remark:
        return words.describe(event)

    def follow(self, before: Event, after: Event, later: Event) -> Event:
        return follow(before, after, later)

    def keep(self, event: Event, because: str) -> Sequence[Event]:
        return keep(event, because)

    def write(self, event: Event) -> str:
        return notation.write_event(event)

    def parse(self, text: str) -> Event:
        return notation.parse_event(text)

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
        return page(position, wish)
