"""Dominations as the house sees it; its rules are read when somebody plays, so that commands start at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.game import (
    Colour,
    Earlier,
    Line,
    Option,
    Player,
    Remark,
    Setup,
    SimpleGame,
    Turn,
    check_setup,
)
from companion.core.message import message as _
from companion.core.tally import Tally

if TYPE_CHECKING:
    from companion.games.dominations.rules.correction import DominationsEntryReader
    from companion.games.dominations.rules.events import Event
    from companion.games.dominations.rules.position import Position


class Dominations(SimpleGame["Position", "Event"]):
    """The protocol `companion.core.game.Game`, each part by the module that knows it."""

    key = "dominations"
    name = _("Dominations")
    seats = range(2, 5)
    colours: Sequence[Colour] = (Colour.WHITE, Colour.BLACK, Colour.GREEN, Colour.PURPLE)
    folder = Path(__file__).parent
    shared: Sequence[Event] = ()
    """What files of the household tell about its box."""

    @property
    def options(self) -> Sequence[Option]:  # type: ignore[override]  # a property where others have a tuple
        from companion.games.dominations.rules.box import OPTIONS

        return OPTIONS

    def start(self, setup: Setup) -> Position:
        from companion.games.dominations.rules.box import rulings_of
        from companion.games.dominations.rules.position import start

        check_setup(self, setup)
        return start(len(setup.players), rulings_of(setup.options))

    def apply(self, position: Position, event: Event) -> Position:
        from companion.games.dominations.rules.moves import apply

        return apply(position, event)

    def legal(self, position: Position) -> Sequence[Event]:
        """What needs no territory or card of the box; of those, the table tells."""
        from companion.games.dominations.rules.moves import offered_events

        return offered_events(position)

    def turn(self, position: Position) -> Turn:
        from companion.games.dominations.text.words import turn_of

        return turn_of(position)

    def tally(self, position: Position) -> Tally:
        from companion.games.dominations.text.tally import tally

        return tally(position)

    def problems(self, position: Position) -> Sequence[Remark]:
        from companion.games.dominations.page.problems import problems

        return [*problems(position)]

    def describe(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:
        from companion.games.dominations.page.growth import retelling_wishes
        from companion.games.dominations.text.words import TableNames, describe

        told = describe(event, TableNames(position, tuple(player.name for player in players)))
        return replace(told, told_at=retelling_wishes(position, event))

    def entry_reader(self, was: Position, now: Position, last: Position) -> DominationsEntryReader:
        from companion.games.dominations.rules.correction import DominationsEntryReader

        return DominationsEntryReader(was, now, last)

    def known(self, earlier: Iterable[Earlier[Position, Event]]) -> Sequence[Event]:
        from companion.games.dominations.text.notation import known_box

        files = ((datetime.min.replace(tzinfo=UTC), event) for event in self.shared)
        return known_box((*files, *(told for one in earlier for told in one.told)))

    def learn(self, text: str) -> None:
        from companion.games.dominations.text.box_file import parse_box

        self.shared = (*self.shared, *parse_box(text))

    def write(self, event: Event) -> str:
        from companion.games.dominations.text.notation import write_event

        return write_event(event)

    def parse(self, text: str) -> Event:
        from companion.games.dominations.text.notation import parse_event

        return parse_event(text)

    def boards(self, position: Position) -> Sequence[Mapping[str, Any]]:
        from companion.games.dominations.text.words import boards

        return boards(position)

    def tell_board(self, board: Mapping[str, Any]) -> Iterable[Line]:
        from companion.games.dominations.text.words import tell_board

        return tell_board(board)

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
        from companion.games.dominations.page.presenter import page

        return page(position, wish)
