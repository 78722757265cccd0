"""Equal points: how many turns each had, and what is said where nobody knows."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.dominion.rules.position import Phase
from tests.games.dominion.stories import DOMINION, evening, session_of, started
from tests.games.stories import tell

EQUAL_DECKS = ("1 has copper:7 estate:3", "2 has copper:7 estate:3")
UNKNOWN = (
    "Equal points, and nobody knows all their turns: the victory is shared. "
    "Say how many turns each had: fewer win."
)


def scored(*players: tuple[dict[str, int], int | None]) -> Any:
    rows = [{"cards": cards, **({} if turns is None else {"turns": turns})} for cards, turns in players]
    return DOMINION.score_document({"players": rows})


def test_turns_that_nobody_told_win_nothing() -> None:
    answer = scored(({"province": 1}, 12), ({"province": 1}, None))

    assert (answer["winners"], answer["decided_by"]) == ([0, 1], "shared")
    assert answer["problems"] == [UNKNOWN]
    assert [player["turns"] for player in answer["players"]] == [12, None]


def test_turns_of_whoever_lost_need_not_be_known() -> None:
    answer = scored(({"province": 1}, 12), ({"estate": 1}, None), ({"province": 1}, 11))

    assert (answer["winners"], answer["decided_by"], answer["problems"]) == ([2], "turns", [])


def test_one_of_three_equals_without_turns_makes_all_of_them_share() -> None:
    answer = scored(({"province": 1}, 12), ({"province": 1}, None), ({"province": 1}, 11))

    assert (answer["winners"], answer["decided_by"]) == ([0, 1, 2], "shared")


def test_more_points_win_without_any_turns() -> None:
    answer = scored(({"province": 1}, None), ({"duchy": 1}, None))

    assert (answer["winners"], answer["decided_by"], answer["problems"]) == ([0], "score", [])


def test_decks_counted_by_the_page_alone_are_told_to_be_in_doubt() -> None:
    """It writes no turns, or none that anybody has said."""
    session = session_of(started(2, "score_only"), ("1 has province:1 turns:0", "2 has province:1 turns:9"))

    assert session.tally.standing.winners == (0, 1)
    assert [str(problem) for problem in session.problems] == [UNKNOWN]
    session = tell(session, ("1 has province:1 turns:10",))
    assert (session.tally.standing.winners, session.problems) == ((1,), ())


@pytest.mark.parametrize(
    ("story", "turns", "winners"),
    (
        # Nobody has begun the turn after the last end.
        ("1 ends / stop", (1, 0), (1,)),
        ("1 ends / 2 ends / stop", (1, 1), (0, 1)),
        ("1 ends / 2 ends / 1 ends / stop", (2, 1), (1,)),
        # The turn in which the table stops was being played.
        ("1 ends / 2 ends / 1 ends / 2 plays copper / stop", (2, 2), (0, 1)),
        ("1 ends / 2 to buy / stop", (1, 1), (0, 1)),
        ("1 ends / 2 buys copper / stop", (1, 1), (0, 1)),
        # What is told of another turn is none of this one.
        ('1 ends / 2 ends / 2 gains curse because "forgotten" / stop', (1, 1), (0, 1)),
        # Whoever ends a turn has had it, whatever was done in it.
        ("1 ends / pile province 0 / 2 ends", (1, 1), (0, 1)),
    ),
)
def test_a_turn_counts_once_it_is_played(
    story: str, turns: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    session = evening(2, story)

    assert session.position.phase is Phase.COUNT
    assert session.position.turns == turns
    session = tell(session, ("1 has province:1", "2 has province:1"))
    assert session.tally.standing.winners == winners
    assert [str(p) for p in session.problems if str(p) == UNKNOWN] == []


def test_a_turn_played_after_all_counts_after_all() -> None:
    """The table stopped, and then played on: the turn that had not begun has."""
    session = evening(2, '1 ends / stop / 2 plays copper because "we went on" / 2 ends / stop')

    assert session.position.turns == (1, 1)


def test_a_stop_in_a_turn_that_is_played_on_counts_it_once() -> None:
    session = evening(2, '1 plays copper / stop / 1 plays copper because "we went on" / 1 ends / stop')

    assert session.position.turns == (1, 0)


def test_turns_people_correct_are_believed() -> None:
    session = tell(evening(2, "1 ends / stop"), ("1 has copper:7 turns:3", "2 has copper:7 turns:4"))

    assert session.position.turns == (3, 4)
    assert session.tally.standing.winners == (0,)
