"""A deck that something else recognised is shown on the page, put right by a tap, and confirmed by another."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import pytest

from companion.core.errors import IllegalEvent
from companion.games.dominion.rules.recognised import DeckReader, proposed
from companion.sessions.table import LiveSessions
from tests.games.dominion.pages import page_of
from tests.games.dominion.stories import kingdom_with, play


class Sheet:
    """Reads a deck from the picture of a list."""

    def read(self, picture: bytes) -> Mapping[str, int]:
        return {card: int(count) for card, count in (row.split(":") for row in picture.decode().split())}


def test_a_recognised_deck_is_confirmed_on_the_page(table: LiveSessions) -> None:
    reader: DeckReader = Sheet()
    page = page_of(table, 2, lines=(kingdom_with(["masquerade", "gardens"]), "1 starts", "stop"))
    wish = proposed(page.session.position, 1, reader.read(b"copper:6 gardens:2 province:1 estate:0"))
    query = f"?{urlencode(wish)}"
    assert page.session.position.decks == (None, None)
    page.tap("2 has copper:6 province:1 gardens:2 turns:0", query=query)

    assert page.session.tally.totals == (0, 6)


@pytest.mark.parametrize(
    ("player", "counts", "why"),
    (
        (0, {"witch": 1}, "Witch is not in this game."),
        (0, {"copper": 400}, "400 is no number of copies of Copper."),
        (0, {"copper": -1}, "-1 is no number of copies of Copper."),
        (2, {"copper": 1}, "There is no such player."),
    ),
)
def test_what_cannot_be_a_deck_is_refused(player: int, counts: dict[str, int], why: str) -> None:
    position = play(2, "stop", kingdom=kingdom_with(["moat"]).removeprefix("kingdom "))
    with pytest.raises(IllegalEvent) as refused:
        proposed(position, player, counts)

    assert str(refused.value) == why


def test_no_deck_is_proposed_before_the_end() -> None:
    with pytest.raises(IllegalEvent) as refused:
        proposed(play(2, "1 ends"), 0, {"copper": 7})

    assert str(refused.value) == "Decks are counted when the game is over."
