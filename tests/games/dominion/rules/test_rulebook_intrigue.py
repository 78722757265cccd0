"""Every worked example of rulebook 003, and what it says about its cards."""

from __future__ import annotations

import pytest

from tests.games.dominion.stories import DOMINION, counter, evening, notes, play, refusal, turn_of
from tests.games.stories import tell

IN_THE_EXAMPLE = "mining_village courtyard pawn great_hall scout silver silver"


def test_the_example_turn() -> None:
    """ "Un turno de ejemplo": Mining Village, Courtyard, Pawn; 7 coins and 2 Buys for a Great Hall and a Scout."""
    session = evening(2, "1 plays mining_village", hand=IN_THE_EXAMPLE)
    session = tell(session, ("1 chooses keep",))
    assert counter(session.position) == (2, 1, 0, 1)
    session = tell(session, ("1 plays courtyard",))
    assert counter(session.position) == (1, 1, 0, 4)
    assert notes(session.position) == ["1: Draw 3 cards.", "1: Put a card from the hand on the deck."]
    session = tell(session, ("1 plays pawn", "1 chooses coin buy"))
    assert counter(session.position) == (0, 2, 1, 4)
    session = tell(session, ("1 plays 2 silver", "1 plays 2 copper"))
    assert turn_of(session.position).coins == 7
    session = tell(session, ("1 buys great_hall",))
    assert turn_of(session.position).coins == 4
    session = tell(session, ("1 buys scout",))

    assert counter(session.position) == (0, 0, 0, 4)
    assert (session.position.owned[0]["great_hall"], session.position.owned[0]["scout"]) == (2, 2)


def test_two_golds_and_two_buys() -> None:
    """ "Fase de Compra": a Courtyard for 2 and an Ironworks for the other 4."""
    story = "1 plays pawn / 1 chooses buy card / 1 plays 2 gold / 1 buys courtyard / 1 buys ironworks"

    assert counter(play(2, story, hand="pawn gold gold courtyard ironworks")) == (0, 0, 0, 1)


def test_throne_room_on_a_mining_village() -> None:
    """ "Aldea Minera": trashed once only; the second time it is worth a card and 2 Actions."""
    story = "1 plays throne_room / 1 plays mining_village / 1 chooses trash"
    position = play(2, story, hand="throne_room mining_village")

    assert counter(position) == (4, 1, 2, 2)
    assert position.trash == {"mining_village": 1}
    assert turn_of(position).in_play == ("throne_room", "")
    assert turn_of(position).tasks == ()


def test_a_mining_village_kept_at_first_may_go_the_second_time() -> None:
    story = "1 plays throne_room / 1 plays mining_village / 1 chooses keep / 1 chooses trash"

    assert counter(play(2, story, hand="throne_room mining_village")) == (4, 1, 2, 2)


def test_another_mining_village_in_play_is_not_the_one_that_is_gone() -> None:
    story = (
        "1 plays mining_village / 1 chooses keep"
        " / 1 plays throne_room / 1 plays mining_village / 1 chooses trash"
    )
    position = play(2, story, hand="throne_room mining_village mining_village")

    assert turn_of(position).tasks == ()
    assert position.trash == {"mining_village": 1}


@pytest.mark.parametrize(
    ("hand", "story", "coins"),
    (
        ("coppersmith", "1 plays coppersmith / 1 plays 2 copper", 4),
        ("throne_room coppersmith", "1 plays throne_room / 1 plays coppersmith / 1 plays copper", 3),
        ("coppersmith silver", "1 plays coppersmith / 1 plays silver", 2),
    ),
)
def test_coppersmiths_add_up(hand: str, story: str, coins: int) -> None:
    """ "Artesano del Cobre": with a Throne Room each Copper is worth 3."""
    assert turn_of(play(2, story, hand=hand)).coins == coins


def test_baron_gains_an_estate_unless_one_is_discarded() -> None:
    """ "Barón": as long as there are any; the Buy alone cannot be chosen."""
    gained = play(2, "1 plays baron / 1 chooses gain", hand="baron")
    assert (gained.owned[0]["estate"], gained.supply["estate"]) == (4, 7)
    none_left = play(2, "pile estate 0 / 1 plays baron / 1 chooses gain", hand="baron")

    assert none_left.owned[0]["estate"] == 3
    assert notes(none_left) == ["1: There is no Estate left."]


def test_secret_chamber_and_then_a_moat() -> None:
    """ "Cámara Secreta": several Reactions against one Attack, each done before the next."""
    before = '2 gains secret_chamber because "before" / 2 gains moat because "before"'
    session = evening(3, f"{before} / 1 plays militia", hand="militia secret_chamber moat")
    session = tell(session, ("2 reveals secret_chamber",))
    assert notes(session.position) == ["2: First draw 2 cards, and put 2 from the hand on the deck."]
    assert {task.player for task in turn_of(session.position).tasks} == {1, 2}
    session = tell(session, ("2 reveals moat",))

    assert {task.player for task in turn_of(session.position).tasks} == {2}


def test_a_secret_chamber_alone_keeps_nothing_off() -> None:
    before = '2 gains secret_chamber because "before"'
    position = play(
        2, f"{before} / 1 plays witch / 2 reveals secret_chamber / 2 suffers", hand="witch secret_chamber"
    )

    assert position.owned[1]["curse"] == 1


@pytest.mark.parametrize(
    ("hand", "story", "expected"),
    (
        ("village conspirator", "1 plays village / 1 plays conspirator", (1, 1, 2, 1)),
        (
            "village great_hall conspirator",
            "1 plays village / 1 plays great_hall / 1 plays conspirator",
            (2, 1, 2, 3),
        ),
        ("throne_room conspirator", "1 plays throne_room / 1 plays conspirator", (1, 1, 4, 1)),
        (
            "village village conspirator smithy",
            "1 plays village / 1 plays conspirator / 1 plays village",
            (2, 1, 2, 2),
        ),
    ),
)
def test_conspirator_looks_back_only(hand: str, story: str, expected: tuple[int, ...]) -> None:
    """ "Conspirador": a Throne Room is the first, the Action the second, and once more the third."""
    assert counter(play(2, story, hand=hand)) == expected


def test_swindled_cards_come_back_at_the_same_price() -> None:
    """ "Embaucador": a Curse for a Copper; the same card again; nothing where nothing costs the same."""
    session = evening(2, "1 plays swindler", hand="swindler")
    curse = tell(session, ("2 trashes copper", "2 gains curse")).position
    assert (curse.owned[1]["copper"], curse.owned[1]["curse"]) == (6, 1)
    again = tell(session, ("2 trashes estate", "2 gains estate")).position
    assert again.owned[1]["estate"] == 3
    assert refusal(tell(session, ("2 trashes copper",)), "2 gains estate").startswith(
        "Estate cannot be gained"
    )
    none = evening(2, 'pile province 0 / 2 gains gold because "x" / 1 plays swindler', hand="swindler")
    none = tell(none, ("pile gold 0", "2 trashes gold"))

    assert notes(none.position) == ["2: No card in the supply fits: nothing is gained."]
    assert turn_of(none.position).tasks == ()


def test_a_moat_against_a_swindler() -> None:
    story = '2 gains moat because "x" / 1 plays swindler / 2 reveals moat'

    assert turn_of(play(2, story, hand="swindler moat")).tasks == ()


def test_minion_is_answered_before_it_is_decided() -> None:
    """ "Esbirro": a Moat keeps the hand; whoever has fewer than 5 cards may react all the same."""
    session = evening(3, '2 gains moat because "x" / 1 plays minion / 2 reveals moat', hand="minion moat")
    session = tell(session, ("1 chooses hand",))
    assert {task.player for task in turn_of(session.position).tasks} == {2}
    assert counter(session.position) == (1, 1, 0, 4)
    session = tell(session, ("3 suffers",))

    assert notes(session.position) == ["3: With 5 cards or more in hand: discard the hand, and draw 4."]


def test_nobody_reacts_to_a_masquerade() -> None:
    """ "Mascarada": it is no Attack, and a passed card is neither gained nor trashed."""
    session = evening(3, '2 gains moat because "x" / 1 plays masquerade', hand="masquerade moat")

    assert notes(session.position) == [
        "1: Draw 2 cards.",
        "1: Everybody passes a card to the left, face down.",
    ]
    assert refusal(session, "2 reveals moat").startswith("A Reaction is revealed when another player")
    # Whoever played it has to trash a card; nobody else does.
    assert [task.player for task in turn_of(session.position).tasks] == [0]
    assert str(DOMINION.turn(session.position).action) == "Masquerade: Which card is trashed?"
    # What was passed may be trashed, though the log does not know whose it was.
    assert tell(session, ("1 trashes curse",)).position.trash == {"curse": 1}


def test_bridge_and_everything_it_makes_cheaper() -> None:
    """ "Puente": Village, Bridge, Workshop for a Duchy; then a Silver for 2 and an Estate for 1."""
    story = (
        "1 plays village / 1 plays bridge / 1 plays workshop / 1 gains duchy"
        " / 1 plays 2 copper / 1 buys silver / 1 buys estate"
    )
    position = play(2, story, hand="village bridge workshop")

    assert counter(position) == (0, 0, 0, 1)
    assert {position.price(id) for id in ("copper", "curse")} == {0}
    assert position.price("province") == 7


def test_throne_room_on_a_bridge() -> None:
    """ "Puente": all cards cost 2 less."""
    position = play(2, "1 plays throne_room / 1 plays bridge", hand="throne_room bridge")

    assert counter(position) == (0, 3, 2, 0)
    assert [position.price(id) for id in ("copper", "estate", "silver", "province")] == [0, 0, 1, 6]


def test_a_bridge_lasts_one_turn() -> None:
    assert play(2, "1 plays bridge / 1 ends", hand="bridge").price("gold") == 6


@pytest.mark.parametrize("card", ("estate", "pawn"))
def test_upgrade_after_a_bridge(card: str) -> None:
    """ "Mejora" and "Puente": a Copper still costs 0, an Estate or a Pawn 1."""
    story = f"1 plays village / 1 plays bridge / 1 plays upgrade / 1 trashes copper / 1 gains {card}"
    position = play(2, story, hand="village bridge upgrade pawn")

    assert position.trash == {"copper": 1}
    assert position.owned[0][card] == (4 if card == "estate" else 2)


def test_upgrade_gains_exactly_one_more() -> None:
    """ "Mejora": where nothing costs that, nothing is gained."""
    session = evening(2, "1 plays upgrade", hand="upgrade")
    assert refusal(tell(session, ("1 trashes estate",)), "1 gains estate").startswith(
        "Estate cannot be gained"
    )
    nothing = tell(session, ("1 trashes copper",))

    assert notes(nothing.position) == ["1: No card in the supply fits: nothing is gained."]
    assert turn_of(nothing.position).tasks == ()


def test_trading_post_needs_two_cards() -> None:
    """ "Puesto Comercial": one card alone brings no Silver; without Silver two are trashed all the same."""
    one = play(2, "1 plays trading_post / 1 trashes estate", hand="trading_post")
    assert (one.trash, one.owned[0].get("silver", 0)) == ({"estate": 1}, 0)
    two = play(2, "1 plays trading_post / 1 trashes estate copper / 1 plays silver", hand="trading_post")
    assert (two.owned[0]["silver"], turn_of(two).coins) == (1, 2)
    none = play(2, "pile silver 0 / 1 plays trading_post / 1 trashes estate copper", hand="trading_post")

    assert none.trash == {"estate": 1, "copper": 1}
    assert none.owned[0].get("silver", 0) == 0


def test_saboteur_gives_something_cheaper() -> None:
    """ "Saboteador": for a card of 5 up to 3, or nothing; Bridge counts."""
    before = '2 gains duchy because "x"'
    session = evening(2, f"{before} / 1 plays saboteur / 2 trashes duchy", hand="saboteur")
    assert refusal(session, "2 gains smithy").startswith("Smithy cannot be gained now: it costs 4")
    assert tell(session, ("2 gains silver",)).position.owned[1]["silver"] == 1
    assert turn_of(tell(session, ("2 gains nothing",)).position).tasks == ()
    bridged = evening(
        2,
        '2 gains silver because "x" / 1 plays village / 1 plays bridge / 1 plays saboteur',
        hand="village bridge saboteur",
    )

    assert refusal(bridged, "2 trashes silver") == "Silver cannot be trashed by this."
    # A card of exactly 3 is one.
    plain = evening(2, '2 gains silver because "x" / 1 plays saboteur / 2 trashes silver', hand="saboteur")
    assert plain.position.trash == {"silver": 1}


def test_torturer_leaves_the_choice() -> None:
    """ "Torturador": a Curse may be chosen when there is none; it goes into the hand."""
    session = evening(3, "1 plays torturer", hand="torturer")
    chosen = tell(session, ("2 chooses curse",))
    assert notes(chosen.position) == ["2: Take Curse into the hand."]
    assert chosen.position.owned[1]["curse"] == 1
    none = tell(session, ("pile curse 0", "2 chooses curse", "3 chooses discard"))

    assert none.position.owned[1].get("curse", 0) == 0
    assert turn_of(none.position).tasks == ()
    assert counter(none.position) == (0, 1, 0, 3)


@pytest.mark.parametrize(
    ("revealed", "expected"),
    (
        ("copper harem", (0, 1, 4, 2)),
        ("silver silver", (0, 1, 2, 0)),
        ("curse curse", (0, 1, 0, 0)),
        ("great_hall duchy", (2, 1, 0, 4)),
    ),
)
def test_tribute_of_the_player_to_the_left(revealed: str, expected: tuple[int, ...]) -> None:
    """ "Tributo": a bonus for each card of another name, for each of its types."""
    session = evening(3, "1 plays tribute", hand="tribute")

    assert counter(tell(session, (f"2 reveals {revealed}",)).position) == expected
    assert refusal(session, f"3 reveals {revealed}") != ""


def test_tribute_is_paid_by_the_first_player_to_the_last() -> None:
    story = '1 ends / 2 ends / 3 gains tribute because "x" / 3 plays tribute / 1 reveals copper estate'

    assert counter(play(3, story, hand="tribute")) == (0, 1, 2, 2)


def test_a_harem_is_treasure_for_a_mine() -> None:
    """ "Reglas Intriga": of two types for all purposes."""
    story = "1 plays mine / 1 trashes silver / 1 gains harem / 1 plays harem"

    assert counter(play(2, story, hand="mine silver harem"))[2] == 2
