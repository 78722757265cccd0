"""Small things that go wrong unseen: who is waited for, what is told against the rules, which deck was counted."""

from __future__ import annotations

import pytest

from companion.core.session import Session
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules.position import Deck, Phase
from tests.games.dominion.stories import (
    DOMINION,
    FIRST_GAME,
    evening,
    notes,
    play,
    refusal,
    session_of,
    started,
    turn_of,
)
from tests.games.stories import tell


def offered(session_lines: str, hand: str, players: int = 3) -> list[str]:
    """The lines that the buttons of the table have."""
    position = play(players, session_lines, hand=hand)
    return [DOMINION.write(event) for event in DOMINION.legal(position)]


def lines_offered(session: Session) -> list[str]:
    return [DOMINION.write(event) for event in DOMINION.legal(session.position)]


def test_whoever_suffers_next_is_waited_for() -> None:
    session = evening(4, '1 ends / 2 ends / 3 gains torturer because "x" / 3 plays torturer', hand="torturer")
    waited = []
    for answer in ("4 chooses discard", "1 chooses discard", "2 chooses discard"):
        waited.append(session.turn.player)
        session = tell(session, (answer,))

    assert waited == [3, 0, 1]
    assert session.turn.player == 2


def test_decks_are_counted_in_any_order() -> None:
    session = session_of(
        started(3, "score_only"), ("2 has duchy:1 turns:7", "1 has estate:2", "3 has curse:1")
    )

    assert session.position.decks == (Deck({"estate": 2}), Deck({"duchy": 1}), Deck({"curse": 1}))
    assert session.position.turns == (0, 7, 0)
    assert session.position.phase is Phase.OVER
    again = tell(session, ("1 has estate:3 turns:5",))
    assert (again.tally.totals, again.position.turns) == ((3, 3, -1), (5, 7, 0))


def test_a_line_of_the_tally_names_its_place() -> None:
    session = session_of(started(2, "score_only"), ("1 has estate:1", "2 has duchy:1"))

    assert [line.where for line in session.tally.lines] == [("1:estate",), ("2:duchy",)]


def test_buttons_of_a_moneylender_need_a_copper() -> None:
    assert offered("1 plays moneylender", "moneylender") == ["1 chooses trash", "1 chooses keep"]
    gone = " / ".join(['1 trashes copper because "gone"'] * 7)
    assert offered(f"{gone} / 1 plays moneylender", "moneylender") == ["1 chooses keep"]


def test_buttons_of_a_throne_room_are_the_actions_left() -> None:
    assert offered("1 plays throne_room", "throne_room village") == ["1 plays nothing", "1 plays village"]


def test_buttons_against_an_attack() -> None:
    story = '2 gains moat because "x" / 1 plays witch'

    assert offered(story, "witch moat") == ["2 suffers", "all suffer", "2 reveals moat"]


def test_whoever_played_a_swindler_chooses_what_others_gain() -> None:
    """Rulebook 003, "Embaucador": the player who was swindled decides nothing."""
    session = evening(3, "1 plays swindler / 2 trashes copper", hand="swindler")
    asked = page(session.position, {})["asked"]

    assert session.turn.player == asked.player == 0
    assert str(session.turn.action) == "Swindler: Which card does player 2 gain?"
    assert asked.gains
    session = tell(session, ("2 gains curse",))
    assert session.position.owned[1]["curse"] == 1
    assert session.turn.player == 2
    session = tell(session, ("3 trashes copper",))
    assert session.turn.player == 0
    assert str(session.turn.action) == "Swindler: Which card does player 3 gain?"


def test_whoever_lost_a_card_to_a_saboteur_chooses_alone() -> None:
    story = '2 gains gold because "x" / 1 plays saboteur / 2 trashes gold'

    assert evening(2, story, hand="saboteur").turn.player == 1


def test_nobody_shows_a_reaction_after_the_attack_was_done() -> None:
    late = "The Attack has been done to this player: it is too late for a Reaction."
    moats = '2 gains moat because "x" / 3 gains moat because "x"'
    witch = evening(3, f"{moats} / 1 plays witch / 2 suffers", hand="witch moat")
    assert refusal(witch, "2 reveals moat") == late
    assert refusal(witch, "3 reveals moat") == ""
    torturer = evening(3, f"{moats} / 1 plays torturer / 2 chooses discard", hand="torturer moat")
    assert refusal(torturer, "2 reveals moat") == late
    minion = evening(3, f"{moats} / 1 plays minion", hand="minion moat")
    assert refusal(minion, "2 reveals moat") == ""


@pytest.mark.parametrize(
    ("hand", "story"),
    (
        ("swindler moat", "1 plays swindler / 2 trashes copper"),
        ("saboteur moat", '2 gains gold because "x" / 1 plays saboteur / 2 trashes gold'),
    ),
)
def test_what_follows_of_an_attack_is_not_answered_once_more(hand: str, story: str) -> None:
    """What was trashed is trashed: a Moat does not stop the card that comes for it."""
    session = evening(2, f'2 gains moat because "x" / {story}', hand=hand)

    assert not any(task.attack for task in turn_of(session.position).tasks)
    assert "2 reveals moat" not in [DOMINION.write(event) for event in DOMINION.legal(session.position)]
    assert refusal(session, "2 reveals moat").startswith("The Attack has been done")


def test_a_curse_that_was_chosen_comes_without_another_question() -> None:
    """Rulebook 003, "Torturador"."""
    position = play(2, "1 plays torturer / 2 chooses curse", hand="torturer moat")

    assert (turn_of(position).tasks, position.owned[1]["curse"]) == ((), 1)


def test_a_mine_puts_its_treasure_into_the_hand() -> None:
    """Rulebook 000, "Mina": it can be played in this very turn."""
    session = evening(2, "1 plays mine / 1 trashes copper / 1 gains silver", hand="mine")

    assert notes(session.position) == ["1: Take Silver into the hand."]


def test_what_was_swapped_away_is_not_ticked() -> None:
    session = session_of(started(2), (f"kingdom {FIRST_GAME}", "ticked moat", "ticked trash"))
    session = tell(session, ("swap moat witch",))

    assert session.position.ticked == {"trash"}
    assert tell(session, ("swap witch moat",)).position.ticked == {"trash"}


def test_a_bridge_makes_what_is_trashed_cheaper() -> None:
    """Rulebook 003, "Puente": a Copper and a Curse stay at 0, and an Estate gives what costs 2 more than 1."""
    session = evening(
        2,
        "1 plays village / 1 plays bridge / 1 plays remodel / 1 trashes estate",
        hand="village bridge remodel",
    )
    gained = {line.split()[2] for line in lines_offered(session)}

    assert "smithy" in gained
    assert "market" not in gained
    session = evening(
        2,
        "1 plays village / 1 plays bridge / 1 plays remodel / 1 trashes copper",
        hand="village bridge remodel",
    )
    assert "village" in {line.split()[2] for line in lines_offered(session)}


def test_a_bridge_saves_a_silver_from_the_saboteur() -> None:
    hand = '2 gains silver because "x" / 2 gains smithy because "x"'
    position = play(
        2, f"{hand} / 1 plays village / 1 plays bridge / 1 plays saboteur", hand="village bridge saboteur"
    )
    offered_now = [DOMINION.write(event) for event in DOMINION.legal(position)]

    assert "2 trashes smithy" in offered_now
    assert "2 trashes silver" not in offered_now


def test_a_question_answered_against_the_rules_is_answered() -> None:
    """A Gold that the log knows nothing of is trashed by a Chapel, and the Chapel is done."""
    position = play(2, '1 plays chapel / 1 trashes gold because "it was there"', hand="chapel")

    assert position.trash == {"gold": 1}
    assert turn_of(position).tasks == ()


def test_a_card_bought_without_buys_takes_none_away() -> None:
    position = play(2, '1 buys copper / 1 buys gold because "a gift"')

    assert (turn_of(position).buys, turn_of(position).coins) == (0, 0)
    assert position.owned[0]["gold"] == 1


def test_a_card_played_without_actions_takes_none_away() -> None:
    position = play(2, '1 plays smithy / 1 plays village because "we allow it"', hand="smithy village")

    assert turn_of(position).actions == 2


def test_only_what_is_in_the_hand_can_be_thrown_into_the_trash_twice() -> None:
    session = evening(2, "1 plays trading_post", hand="trading_post")

    assert refusal(session, "1 trashes estate estate estate") == "At most 2 cards are trashed."
    assert refusal(session, "1 trashes curse copper") == "By the log, this player has no such cards to trash."
    assert refusal(session, "1 trashes estate estate") == ""


def test_an_attack_that_is_played_again_can_be_answered_again() -> None:
    """Rulebook 000, "Sala do Trono": before the second Minion has done anything, a Moat may be shown to it."""
    story = '2 gains moat because "x" / 1 plays throne_room / 1 plays minion / 1 chooses hand / 2 suffers'
    session = evening(2, story, hand="throne_room minion moat")

    assert session.turn.player == 0
    assert refusal(session, "2 reveals moat") == ""
    assert "2 reveals moat" in lines_offered(session)


def test_a_reaction_is_shown_to_an_attack_that_does_nothing() -> None:
    """Rulebook 003, "Cámara Secreta": "aunque el Ataque no te afecte"; nobody is made to answer."""
    have = '2 gains secret_chamber because "x" / 2 gains moat because "x"'
    witch = evening(3, f"{have} / pile curse 0 / 1 plays witch", hand="witch moat secret_chamber")
    assert turn_of(witch.position).tasks == ()
    assert [line for line in lines_offered(witch) if "reveals" in line] == ["2 reveals secret_chamber"]
    assert refusal(witch, "3 reveals secret_chamber") == "By the log, this player has no Secret Chamber."
    shown = tell(witch, ("2 reveals secret_chamber",))
    assert notes(shown.position) == ["2: First draw 2 cards, and put 2 from the hand on the deck."]
    gone_on = tell(shown, ("1 to buy",))
    assert refusal(gone_on, "2 reveals secret_chamber").startswith("A Reaction is revealed when another")

    # The Moat keeps it off already, and the Chamber may follow.
    moat = evening(2, f"{have} / 1 plays militia / 2 reveals moat", hand="militia moat secret_chamber")
    assert refusal(moat, "2 reveals secret_chamber") == ""
