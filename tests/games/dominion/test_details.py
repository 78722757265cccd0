"""Small things that go wrong unseen: who is waited for, what is told against the rules, which deck was counted."""

from __future__ import annotations

from companion.games.dominion.position import Deck, Phase
from tests.games.dominion.stories import DOMINION, evening, play, refusal, session_of, started, tell, turn_of


def offered(session_lines: str, hand: str, players: int = 3) -> list[str]:
    """The lines that the buttons of the table have."""
    position = play(players, session_lines, hand=hand)
    return [DOMINION.write(event) for event in DOMINION.legal(position)]


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
