"""What the page is told of a turn, an Attack, the end, and a deck that is being counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.dominion.page.decks import MOST_KINDS, MOST_TAPPED, _read_held, write_held
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules.cards import CARDS
from tests.games.dominion.stories import DOMINION, FIRST_GAME, evening, session_of, started
from tests.games.stories import tell

IDS = tuple(CARDS)


def view(session: Any, **wish: str) -> Mapping[str, Any]:
    return page(session.position, wish)


def tapped(session: Any) -> dict[str, str]:
    """What a tap on each pile would record."""
    return {pile.id: pile.event for pile in view(session)["piles"] if pile.event}


def test_a_pile_is_bought_when_there_are_coins_and_a_buy() -> None:
    session = evening(2, "", FIRST_GAME)
    assert tapped(session) == {"copper": "1 buys copper", "curse": "1 buys curse"}
    session = tell(session, ("1 plays 2 copper",))
    assert set(tapped(session)) == {"copper", "curse", "estate", "cellar", "moat"}
    session = tell(session, ("1 buys moat",))

    assert tapped(session) == {}


def test_a_pile_is_gained_where_a_card_says_so() -> None:
    session = evening(2, "1 plays workshop", FIRST_GAME, hand="workshop")

    assert tapped(session)["smithy"] == "1 gains smithy"
    assert "market" not in tapped(session)
    assert view(session)["asked"].gains


def test_an_attack_goes_round_in_turn_order() -> None:
    session = evening(4, '3 gains moat because "x" / 1 plays witch', hand="witch moat")

    def states() -> list[tuple[int, str]]:
        attack = view(session)["attack"]
        return [(other.player, other.state) for other in attack[1]] if attack else []

    assert states() == [(1, "waits"), (2, "waits"), (3, "waits")]
    assert [b.event for b in view(session)["attack"][1][1].buttons] == ["3 reveals moat"]
    session = tell(session, ("3 reveals moat", "2 suffers"))
    assert states() == [(1, "done"), (2, "safe"), (3, "waits")]
    session = tell(session, ("4 suffers",))

    assert states() == []


def test_the_end_is_told_with_its_reason() -> None:
    session = session_of(started(4), (f"kingdom {FIRST_GAME}", "1 starts", "pile moat 0", "pile curse 0"))
    assert view(session)["end"].reason is None
    assert [str(name) for name in view(session)["end"].empty] == ["Curse", "Moat"]
    three = tell(session, ("pile market 0",))
    assert str(view(three)["end"].reason) == "3 piles are empty: Curse, Moat, Market."
    provinces = tell(session, ("pile province 0",))

    assert str(view(provinces)["end"].reason) == "Province: none is left."


def test_cards_are_picked_one_by_one_and_never_more_than_there_are() -> None:
    session = evening(2, "1 plays chapel", hand="chapel")
    picking = view(session, picked="estate estate estate estate harem")["asked"].picking
    assert (picking.event, len(picking.picked)) == ("1 trashes estate estate estate", 3)
    full = view(session, picked="copper copper copper copper estate")["asked"].picking

    assert (full.event, full.more) == ("1 trashes copper copper copper copper", ())


def test_the_first_deck_not_counted_is_shown_or_whoever_is_looked_at() -> None:
    session = evening(3, "stop / 1 has copper:7")

    assert view(session)["counting"].player == 1
    assert view(session, look="3")["counting"].player == 2
    assert view(session, deck="1", look="3")["counting"].player == 0


@given(st.dictionaries(st.sampled_from(IDS), st.integers(1, MOST_TAPPED), max_size=MOST_KINDS))
def test_a_deck_fits_into_the_address(held: dict[str, int]) -> None:
    text = write_held(held, IDS)

    assert len(text) <= 99
    assert _read_held(text, IDS) == held


def test_a_deck_holds_no_more_than_the_address_can_say() -> None:
    """One Copper fewer than can be told is one more tap away, and then there is none."""
    places = view(evening(2, "stop"))["counting"].cards
    ids = tuple(card.id for card in places)

    def more(count: int) -> dict[str, int]:
        held = write_held(dict.fromkeys(ids, 0) | {"copper": count}, ids)
        deck = view(evening(2, "stop"), held=held)["counting"]
        return _read_held(next(card.more for card in deck.cards if card.id == "copper"), ids)

    assert more(MOST_TAPPED - 1) == {"copper": MOST_TAPPED}
    assert more(MOST_TAPPED) == {"copper": MOST_TAPPED}
    deck = view(evening(2, "stop"), held="00Z")["counting"]
    assert next(card.more for card in deck.cards if card.id == "copper") == "00Z"


def test_a_pile_without_cards_is_not_bought() -> None:
    """Not by a tap, and not by any of the other buttons."""
    session = evening(2, "1 plays 4 copper / pile moat 0", FIRST_GAME)

    assert "moat" not in tapped(session)
    assert "1 buys moat" not in [DOMINION.write(event) for event in DOMINION.legal(session.position)]
    assert tapped(session)["cellar"] == "1 buys cellar"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=110), st.text(max_size=6), st.text(max_size=4))
def test_any_wish_shows_a_deck(held: str, deck: str, turns: str) -> None:
    session = evening(2, "stop")

    assert view(session, held=held, deck=deck, turns=turns)["counting"].player in (0, 1)
