"""A deck as it is counted: what is filled in, what stands as `?`, and the pad of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.dominion.page.decks import ALL, MOST_KINDS, DeckView, _read_held, write_held
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.kingdom import MOST_COPIES
from tests.games.dominion.stories import FIRST_GAME, evening, lines_of, session_of, started
from tests.games.stories import tell

IDS = tuple(CARDS)
PASSED = "1 plays masquerade / 1 trashes estate / stop"


def deck_of(session: Any, **wish: str) -> DeckView:
    counting: DeckView = page(session.position, wish)["counting"]
    return counting


def shown(deck: DeckView) -> Mapping[str, int | None]:
    return {card.id: card.count for card in deck.cards}


def tapped(session: Any, *numbers: int, **wish: str) -> DeckView:
    """The deck after a tap on each of these numbers, one card after the other."""
    deck = deck_of(session, **wish)
    for number in numbers:
        assert deck.pad
        wish = {**wish, "held": dict(deck.pad.numbers)[number]}
        deck = deck_of(session, **wish)
    return deck


def light(story: str, kingdom: str = FIRST_GAME, players: int = 2) -> Any:
    lines = (f"kingdom {kingdom}", "1 starts", *lines_of(story))
    return session_of(started(players, "light"), lines)


def test_the_first_deck_not_counted_is_shown_or_whoever_is_looked_at() -> None:
    session = evening(3, "stop / 1 has copper:7")

    assert deck_of(session).player == 1
    assert deck_of(session, look="3").player == 2
    assert deck_of(session, deck="1", look="3").player == 0


def test_cards_that_count_come_first_and_a_number_takes_two_taps() -> None:
    session = evening(2, "stop", FIRST_GAME)
    deck = deck_of(session)
    assert [card.id for card in deck.cards][:5] == ["province", "duchy", "estate", "curse", "copper"]
    assert (deck.pad, deck.event) == (None, "1 has copper:7 estate:3 turns:0")
    deck = tapped(session, 2, at="estate")

    assert deck.event == "1 has copper:7 estate:2 turns:0"
    assert deck.points == 2


def test_larger_numbers_are_one_pad_further() -> None:
    session = evening(2, "stop", FIRST_GAME)
    pad = deck_of(session, at="copper").pad
    assert pad
    assert (pad.numbers[0][0], pad.numbers[-1][0], pad.fewer, pad.more) == (0, 12, None, 1)
    second = deck_of(session, at="copper", pad="1")
    assert second.pad
    assert (second.pad.numbers[0][0], second.pad.fewer) == (13, 0)
    far = deck_of(session, at="copper", pad="999").pad

    assert far
    assert far.numbers[0][0] <= MOST_COPIES


def test_a_light_game_asks_for_what_counts_alone() -> None:
    session = light("1 buys province ends / stop")
    deck = deck_of(session)
    assert shown(deck) == {"province": None, "duchy": None, "estate": None, "curse": None}
    assert [card.by_log for card in deck.cards] == [1, 0, 3, 0]
    assert (deck.event, deck.size) == ("", None)
    assert tapped(session, 1, 0, 2).event == ""

    assert tapped(session, 1, 0, 2, 0).event == "1 has province:1 estate:2 turns:1"


def test_gardens_ask_for_all_cards_once_there_are_any() -> None:
    kingdom = "gardens village smithy moat market merchant militia mine workshop remodel"
    session = light("stop", kingdom)
    assert shown(tapped(session, 0, 0, 0, 0, 0)).keys() >= {"gardens"}
    none = tapped(session, 0, 0, 0, 3, 0)
    assert ALL not in shown(none)
    asked = tapped(session, 0, 0, 2, 3, 0)
    assert (asked.event, shown(asked)[ALL]) == ("", None)
    assert tapped(session, 0, 0, 2, 3, 0, 4).event == ""
    whole = deck_of(
        session,
        held=write_held(
            {"gardens": 2, "province": 0, "duchy": 0, "curse": 0, "estate": 3, ALL: 37},
            ("province", "duchy", "gardens", "estate", "curse"),
        ),
    )
    assert whole.event == "1 has gardens:2 estate:3 all:37 turns:0"

    told = tell(session, (whole.event,))
    assert told.tally.totals == (9, 0)
    again = deck_of(told, deck="1")
    assert (again.event, again.size) == (whole.event, 37)


def test_a_passed_card_leaves_the_decks_and_asks_for_what_counts() -> None:
    session = evening(2, PASSED, hand="masquerade")
    deck = deck_of(session, deck="2")
    assert {id for id, count in shown(deck).items() if count is None} == {
        "province",
        "duchy",
        "gardens",
        "estate",
        "curse",
    }
    assert shown(deck)["copper"] == 7
    assert [(passed.giver, passed.receiver) for passed in deck.passed] == [(0, 1), (1, 0)]
    assert "2 passes copper" in [button.event for passed in deck.passed for button in passed.buttons]
    assert deck.event == ""
    assert tapped(session, 0, 0, 0, 4, 0, deck="2").event == "2 has copper:7 estate:4 turns:0"
    named = tell(session, ("1 passes estate", "2 passes copper"))

    assert deck_of(named, deck="2").event == "2 has copper:6 estate:4 turns:0"
    assert deck_of(named, deck="1").event == "1 has copper:8 estate:1 masquerade:1 turns:1"


@given(st.dictionaries(st.sampled_from((*IDS, ALL)), st.integers(0, MOST_COPIES), max_size=MOST_KINDS))
def test_a_deck_fits_into_the_address(held: dict[str, int]) -> None:
    text = write_held(held, IDS)

    assert len(text) <= 100
    assert _read_held(text, IDS) == held


def test_no_more_numbers_are_told_than_the_address_can_say() -> None:
    session = session_of(started(2), (f"kingdom {FIRST_GAME}", "1 starts", "stop"))
    own = {f"own{number}": 1 for number in range(MOST_KINDS)}
    ids = (*[card.id for card in deck_of(session).cards], *own)
    full = write_held(dict.fromkeys(ids[:MOST_KINDS], 1), ids)

    assert deck_of(session, held=full, at="copper").player == 0


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=110), st.text(max_size=6), st.text(max_size=4), st.text(max_size=6), st.text(max_size=4)
)
def test_any_wish_shows_a_deck(held: str, deck: str, turns: str, at: str, pad: str) -> None:
    session = evening(2, "stop")

    assert deck_of(session, held=held, deck=deck, turns=turns, at=at, pad=pad).player in (0, 1)
