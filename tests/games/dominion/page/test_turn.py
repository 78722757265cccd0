"""What the page is told of a turn, an Attack and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.dominion.page.presenter import page
from tests.games.dominion.stories import DOMINION, FIRST_GAME, evening, session_of, started
from tests.games.stories import tell


def view(session: Any, **wish: str) -> Mapping[str, Any]:
    return page(session.position, wish)


def tapped(session: Any) -> dict[str, str]:
    """What a tap on each pile would record."""
    return {pile.id: pile.event for pile in view(session)["piles"] if pile.event}


def test_a_pile_is_bought_when_there_are_coins_and_a_buy() -> None:
    session = evening(2, "", FIRST_GAME)
    # A tap on the pile of Copper ends nothing: whoever means to play one is still in the Action phase.
    assert tapped(session) == {}
    session = tell(session, ("1 to buy",))
    assert tapped(session) == {"copper": "1 buys copper ends", "curse": "1 buys curse ends"}
    session = tell(session, ("1 plays 2 copper",))
    assert set(tapped(session)) == {"copper", "curse", "estate", "cellar", "moat"}
    session = tell(session, ("1 buys moat",))

    assert tapped(session) == {}


def test_only_the_last_buy_ends_the_turn() -> None:
    session = evening(2, "1 plays market / 1 plays 3 copper", hand="market")
    assert tapped(session)["village"] == "1 buys village"
    session = tell(session, ("1 buys village",))
    assert tapped(session)["copper"] == "1 buys copper ends"
    session = tell(session, ("1 buys copper ends",))

    assert (session.turn.player, session.position.turns) == (1, (1, 1))
    assert [str(note) for _who, note in view(session)["told"]] == [
        "Put Copper on the discard pile.",
        "Discard everything, and draw 5 cards.",
    ]


def test_a_purchase_put_right_ends_a_turn_only_where_it_did() -> None:
    """A log of before has the end of the turn on a line of its own."""
    session = evening(2, "1 plays 3 copper", FIRST_GAME)
    piles = {pile.id: pile.event for pile in view(session, was="1 buys silver")["piles"]}
    assert piles["village"] == "1 buys village"
    piles = {pile.id: pile.event for pile in view(session, was="1 buys silver ends")["piles"]}

    assert piles["village"] == "1 buys village ends"


def test_a_treasure_says_that_it_ends_the_action_phase() -> None:
    over = "The Action phase is over. Was an Action still to be played? Undo brings it back."
    before = evening(2, "", hand="smithy")
    assert view(before)["begins_buying"]
    after = tell(before, ("1 plays 2 copper",))
    assert [str(note) for _who, note in view(after)["told"]] == [over]
    assert not view(after)["begins_buying"]

    # Nothing is lost where no Action could be in the hand, or none is left.
    assert [*view(evening(2, "1 plays 2 copper"))["told"]] == []
    spent = evening(2, "1 plays smithy / 1 plays 2 copper", hand="smithy smithy")
    assert [*view(spent)["told"]] == []


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


def test_a_pile_without_cards_is_not_bought() -> None:
    """Not by a tap, and not by any of the other buttons."""
    session = evening(2, "1 plays 4 copper / pile moat 0", FIRST_GAME)

    assert "moat" not in tapped(session)
    assert "1 buys moat" not in [DOMINION.write(event) for event in DOMINION.legal(session.position)]
    assert tapped(session)["cellar"] == "1 buys cellar ends"
