"""Every worked example of rulebook 000, and what it says about its cards."""

from __future__ import annotations

import pytest

from companion.games.dominion.rules.kingdom import cards_in_game
from companion.games.dominion.rules.position import Phase
from tests.games.dominion.stories import counter, evening, notes, play, refusal, turn_of
from tests.games.stories import tell


def test_the_example_of_three_turns() -> None:
    """ "Exemplos de Turnos": Remodel, Silver, then Remodel makes a Smithy of an Estate, and Militia."""
    session = evening(2, "", "remodel militia smithy cellar market merchant mine moat village workshop")
    session = tell(session, ("1 plays 4 copper",))
    assert counter(session.position) == (1, 1, 4, 0)
    session = tell(session, ("1 buys remodel",))
    assert counter(session.position) == (1, 0, 0, 0)
    assert session.position.phase is Phase.CLEAN_UP
    session = tell(session, ("1 ends", "2 ends", "1 plays 3 copper", "1 buys silver", "1 ends", "2 ends"))
    session = tell(session, ("1 plays remodel", "1 trashes estate", "1 gains smithy"))
    assert counter(session.position) == (0, 1, 0, 0)
    session = tell(session, ("1 plays 2 copper", "1 plays silver"))
    assert counter(session.position) == (0, 1, 4, 0)
    session = tell(session, ("1 buys militia", "1 ends"))

    assert session.position.owned[0] == {
        "copper": 7,
        "estate": 2,
        "remodel": 1,
        "silver": 1,
        "smithy": 1,
        "militia": 1,
    }
    assert session.position.trash == {"estate": 1}
    assert session.position.turns == (3, 3)


def test_actions_of_the_action_phase() -> None:
    """ "Fase de Ação": Militia alone ends it; Market, Market, Militia may be played one after the other."""
    assert counter(play(3, "1 plays militia", hand="militia")) == (0, 1, 2, 0)
    assert counter(
        play(3, "1 plays market / 1 plays market / 1 plays militia", hand="market market militia")
    ) == (0, 3, 4, 2)


def test_four_coppers_and_a_silver_buy_a_market() -> None:
    """ "Fase de Compra": 6 coins, of which 1 is left."""
    bought = play(2, "1 plays 4 copper / 1 plays silver / 1 buys market", hand="silver")

    assert counter(bought) == (1, 0, 1, 0)
    assert bought.owned[0]["market"] == 1


def test_two_buys_share_the_coins() -> None:
    """ "Fase de Compra": 6 coins and two Buys are two Silvers; Copper costs nothing."""
    both = "1 plays festival / 1 plays 4 copper / 1 buys silver / 1 buys silver"

    assert counter(play(2, both, hand="festival")) == (2, 0, 0, 0)
    assert counter(play(2, "1 buys copper")) == (1, 0, 0, 0)


def test_what_is_left_over_is_lost() -> None:
    """ "Fase de Descarte"."""
    position = play(2, "1 plays festival / 1 plays 3 copper / 1 ends", hand="festival")

    assert turn_of(position).player == 1
    assert counter(position) == (1, 1, 0, 0)


def test_throne_room_on_a_village() -> None:
    """ "Sala do Trono": a card, 2 Actions, a card and 2 Actions again: 4 Actions."""
    position = play(2, "1 plays throne_room / 1 plays village", hand="throne_room village")

    assert counter(position) == (4, 1, 0, 2)
    assert turn_of(position).in_play == ("throne_room", "village")
    assert turn_of(position).actions_played == 3


def test_throne_room_on_a_throne_room() -> None:
    """ "Sala do Trono": one Action twice, and then another one twice; none of them four times."""
    session = evening(
        2, "1 plays throne_room / 1 plays throne_room", hand="throne_room throne_room market smithy"
    )
    session = tell(session, ("1 plays market",))
    assert counter(session.position) == (2, 3, 2, 2)
    session = tell(session, ("1 plays smithy",))
    assert counter(session.position) == (2, 3, 2, 8)
    assert turn_of(session.position).tasks == ()
    assert refusal(session, "1 plays smithy") == "By the log, this player has no more Smithy to play."


def test_throne_room_asks_twice_what_is_asked_once() -> None:
    story = "1 plays throne_room / 1 plays workshop / 1 gains village / 1 gains smithy"
    position = play(2, story, hand="throne_room workshop")

    assert (position.owned[0]["village"], position.owned[0]["smithy"]) == (1, 1)
    assert turn_of(position).tasks == ()


def test_throne_room_on_a_vassal_plays_two_cards_for_no_action() -> None:
    story = "1 plays throne_room / 1 plays vassal / 1 plays market / 1 plays nothing"

    assert counter(play(2, story, hand="throne_room vassal market")) == (1, 2, 5, 1)


@pytest.mark.parametrize(
    ("hand", "story", "coins"),
    (
        ("merchant silver silver", "1 plays merchant / 1 plays silver", 3),
        ("merchant silver silver", "1 plays merchant / 1 plays silver / 1 plays silver", 5),
        ("merchant merchant silver silver", "1 plays merchant / 1 plays merchant / 1 plays 2 silver", 6),
        ("throne_room merchant silver", "1 plays throne_room / 1 plays merchant / 1 plays silver", 4),
        ("merchant gold", "1 plays merchant / 1 plays gold / 1 plays 2 copper", 5),
    ),
)
def test_merchants_and_the_first_silver(hand: str, story: str, coins: int) -> None:
    """ "Mercador": each Merchant one more for the first Silver, nothing for the second."""
    assert turn_of(play(2, story, hand=hand)).coins == coins


def test_a_merchant_is_forgotten_with_its_turn() -> None:
    story = "1 plays merchant / 1 ends / 2 ends / 1 plays silver"

    assert turn_of(play(2, story, hand="merchant silver")).coins == 2


@pytest.mark.parametrize(("empty", "said"), ((0, 0), (1, 1), (2, 2)))
def test_poacher_discards_for_every_empty_pile(empty: int, said: int) -> None:
    """ "Gatuno": any pile, Curses and Copper too."""
    piles = " / ".join(f"pile {card} 0" for card in ("curse", "copper")[:empty])
    position = play(2, f"{piles} / 1 plays poacher", hand="poacher")

    assert notes(position)[-1] == f"1: Discard {said} card{'' if said == 1 else 's'}."


def test_bandit_gains_gold_and_the_others_show_two_cards() -> None:
    """ "Bandido": in turn order; Copper is safe."""
    story = '2 gains silver because "before" / 1 plays bandit / 2 trashes silver / 3 trashes nothing'
    position = play(3, story, hand="bandit")

    assert position.owned[0]["gold"] == 1
    assert position.owned[1]["silver"] == 0
    assert position.trash == {"silver": 1}


@pytest.mark.parametrize("attack", ("bandit", "bureaucrat", "militia", "witch"))
def test_moat_keeps_an_attack_off_whoever_shows_it(attack: str) -> None:
    """ "Fosso": it does nothing for the others, nor to whoever attacks."""
    session = evening(3, f'2 gains moat because "before" / 1 plays {attack}', hand=f"{attack} moat")
    session = tell(session, ("2 reveals moat",))
    assert notes(session.position) == ["2: The Attack does nothing to this player."]
    assert {task.player for task in turn_of(session.position).tasks} == {2}
    session = tell(session, ("3 trashes nothing" if attack == "bandit" else "3 suffers",))

    assert turn_of(session.position).tasks == ()
    assert session.position.owned[1].get("curse", 0) == 0
    assert session.position.owned[2].get("curse", 0) == (attack == "witch")


def test_the_same_moat_keeps_several_attacks_off() -> None:
    """ "Fosso": each of them, but each has to be answered."""
    story = (
        '2 gains moat because "before" / 1 plays throne_room / 1 plays witch'
        " / 2 reveals moat / 3 suffers / 2 reveals moat / 3 suffers"
    )
    position = play(3, story, hand="throne_room witch moat")

    assert (position.owned[1].get("curse", 0), position.owned[2]["curse"]) == (0, 2)
    assert counter(position) == (0, 1, 0, 4)


def test_an_attack_once_answered_is_not_answered_for_the_next() -> None:
    story = (
        '2 gains moat because "before" / 1 plays throne_room / 1 plays witch / 2 reveals moat / all suffer'
    )
    session = evening(3, story, hand="throne_room witch moat")

    assert {task.player for task in turn_of(session.position).tasks} == {1, 2}
    assert tell(session, ("all suffer",)).position.owned[1]["curse"] == 1


def test_only_who_has_a_moat_shows_one() -> None:
    session = evening(3, "1 plays witch", hand="witch moat")

    assert refusal(session, "2 reveals moat") == "By the log, this player has no Moat."
    assert refusal(session, "2 reveals village") == "One Reaction is revealed at a time."


def test_curses_run_out_in_turn_order() -> None:
    """ "Bruxa" and "Regras Adicionais": then a Witch is still worth her two cards."""
    position = play(4, "pile curse 2 / 1 plays witch", hand="witch")
    assert [owned.get("curse", 0) for owned in position.owned] == [0, 1, 1, 0]
    again = play(4, "pile curse 0 / 1 plays witch", hand="witch moat")

    assert counter(again) == (0, 1, 0, 2)
    assert turn_of(again).tasks == ()


def test_everybody_else_draws_for_a_council_room() -> None:
    """ "Sala do Conselho": not as an Attack."""
    session = evening(3, "1 plays council_room", hand="council_room moat")

    assert notes(session.position) == ["1: Draw 4 cards.", "2: Draw a card.", "3: Draw a card."]
    assert refusal(session, "2 reveals moat").startswith("A Reaction is revealed when another player")


def test_mine_makes_gold_of_silver() -> None:
    """ "Mina": into the hand, so that it can be played."""
    story = "1 plays mine / 1 trashes silver / 1 gains gold / 1 plays gold"
    position = play(2, story, hand="mine silver")

    assert counter(position) == (0, 1, 3, 0)
    assert position.trash == {"silver": 1}


def test_remodel_may_gain_the_same_card_again() -> None:
    """ "Remodelar": up to 2 more, the same, or less."""
    assert play(2, "1 plays remodel / 1 trashes estate / 1 gains estate", hand="remodel").trash == {
        "estate": 1
    }
    assert play(2, "1 plays remodel / 1 trashes gold / 1 gains province", hand="remodel gold").owned[0][
        "province"
    ]
    session = evening(2, "1 plays remodel / 1 trashes copper", hand="remodel")
    assert refusal(session, "1 gains silver") == "Silver cannot be gained now: it costs 3, and 40 are left."


def test_moneylender_needs_a_copper() -> None:
    """ "Agiota": 3 coins only for a Copper that was trashed."""
    none_left = "1 plays chapel / 1 trashes copper copper copper copper / 1 ends / 2 ends"
    rest = "1 plays chapel / 1 trashes copper copper copper / 1 ends / 2 ends / 1 plays moneylender"
    session = evening(2, f"{none_left} / {rest}", hand="chapel moneylender")

    assert refusal(session, "1 chooses trash") == "By the log, this player has no such cards to trash."
    assert turn_of(tell(session, ("1 chooses keep",)).position).coins == 0


def test_gains_to_hand_and_deck_are_told() -> None:
    """ "Artesão" and "Burocrata"."""
    assert notes(play(2, "1 plays artisan / 1 gains duchy", hand="artisan")) == [
        "1: Take Duchy into the hand.",
        "1: Put a card from the hand on the deck.",
    ]
    assert notes(play(2, "1 plays bureaucrat", hand="bureaucrat"))[0] == "1: Put Silver on the deck."


def test_nothing_is_lost_while_cards_move() -> None:
    story = "1 plays chapel / 1 trashes estate copper / 1 plays 3 copper / 1 buys silver / 1 ends"
    position = play(3, story, hand="chapel")
    everywhere = [position.supply, position.trash, *position.owned]
    total = {id: sum(cards.get(id, 0) for cards in everywhere) for id in cards_in_game(position.kingdom, 3)}

    assert total == cards_in_game(position.kingdom, 3)
