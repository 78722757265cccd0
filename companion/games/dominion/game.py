"""Dominion as the house sees it: both boxes, one engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from companion.core.errors import IllegalEvent
from companion.core.game import (
    Colour,
    Earlier,
    Option,
    Player,
    Remark,
    Setup,
    SimpleGame,
    Turn,
    check_setup,
)
from companion.core.message import message as _
from companion.games.dominion.page.book import book_view
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules import cards, scoring
from companion.games.dominion.rules.cards import read_cards
from companion.games.dominion.rules.correction import DominionEntryReader
from companion.games.dominion.rules.events import Event, FirstPlayer, KingdomChosen
from companion.games.dominion.rules.history import beginners, draw_wishes, handed_down_events
from companion.games.dominion.rules.kingdom import OPTIONS, Variant, draw_kingdom
from companion.games.dominion.rules.legal import legal_events
from companion.games.dominion.rules.moves import apply
from companion.games.dominion.rules.position import Phase, Position, start
from companion.games.dominion.text import documents, notation, rulings, words


class Dominion(SimpleGame[Position, Event]):
    """The protocol `companion.core.game.Game`, each part by the module that knows it."""

    key = "dominion"
    name = _("Dominion")
    seats = range(2, 7)
    # The boxes have no pieces of a player's own: the colours are for the page alone.
    colours: Sequence[Colour] = (
        Colour.RED,
        Colour.BLUE,
        Colour.GREEN,
        Colour.YELLOW,
        Colour.PURPLE,
        Colour.ORANGE,
    )
    options: Sequence[Option] = OPTIONS
    folder = Path(__file__).parent
    documents = documents

    apply = staticmethod(apply)
    tally = staticmethod(scoring.tally)
    page = staticmethod(page)
    book = staticmethod(book_view)
    write = staticmethod(notation.write_event)
    parse = staticmethod(notation.parse_event)
    entry_reader = DominionEntryReader
    prepare = staticmethod(documents.setup_document)
    tell_preparation = staticmethod(documents.tell_setup)

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        variants = frozenset(map(Variant, setup.options))
        if {Variant.ONLY_DOMINION, Variant.ONLY_INTRIGUE} <= variants:
            raise IllegalEvent(_("Choose one of the boxes alone, or neither to play with both."))
        return start(tuple(player.name for player in setup.players), variants)

    def legal(self, position: Position) -> Sequence[Event]:
        return tuple(legal_events(position))

    def draw(self, position: Position, seed: int) -> Event | None:
        """Chance decides the kingdom, and then who begins."""
        if position.ended or position.turn is not None:
            return None
        random = Random(seed)
        if position.kingdom:
            return FirstPlayer(random.choice(beginners(position)))
        try:
            return KingdomChosen(draw_kingdom(draw_wishes(position), random))
        except IllegalEvent:
            # What cannot be promised is shown on the page; nothing is drawn instead.
            return None

    def turn(self, position: Position) -> Turn:
        return Turn(words.next_action(position), position.player, position.phase is Phase.OVER)

    def turns_taken(self, position: Position) -> Sequence[int] | None:
        return position.turns

    def problems(self, position: Position) -> Sequence[Remark]:
        return tuple(words.problems(position))

    def describe(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:  # noqa: ARG002
        return words.describe(event)

    def known(self, earlier: Iterable[Earlier[Position, Event]]) -> Sequence[Event]:
        last = next(iter(earlier), None)
        return tuple(handed_down_events(last.position)) if last else ()

    def learn(self, text: str) -> None:
        if rulings.is_rulings_file(text):
            rulings.add_rulings(text)
        else:
            cards.add_cards(*read_cards(text))
