"""What the rules do not allow, and what people are told: position, event, message."""

from __future__ import annotations

import pytest

from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, play, refusal, session_of, started
from tests.games.stories import lines_of

NOTHING = ""
LINE = "line 4 31 39\n"
DRAWN = LINE + "kings 2 3 1\n"
CHOOSING = DRAWN + "2 takes 4\n"
CHOSEN = CHOOSING + "3 takes 31\n1 takes 39\n"
PLACING = CHOSEN + "line 10 17 19\n"
PLACED = PLACING + "2 lays 4 at 1,0 E\n"
NEXT = PLACED + "2 takes 19\n"
KING_LATE = "The kings are drawn before the first domino is chosen."
LINE_LATE = "A new line is drawn when every domino of the last one is taken."
SET_ASIDE_LATE = "Dominoes are set aside before the first line is drawn."
NO_KING = "No king can be set now."
NO_PLACING = "No domino can be placed now."
TURN = "It is another player's turn."
TWELVE = "1 2 3 5 6 7 8 9 11 12 13 14"


@pytest.mark.parametrize(
    ("story", "event", "message"),
    (
        # setting aside
        (NOTHING, "removed 1 2 3", "With 3 players 12 dominoes are set aside."),
        (NOTHING, f"removed {TWELVE} 15", "With 3 players 12 dominoes are set aside."),
        (NOTHING, f"removed 2 {TWELVE[2:]}", "With 3 players 12 dominoes are set aside."),
        (LINE, f"removed {TWELVE}", SET_ASIDE_LATE),
        (CHOSEN, f"removed {TWELVE}", SET_ASIDE_LATE),
        (PLACING, f"removed {TWELVE}", SET_ASIDE_LATE),
        # drawing lines
        (NOTHING, "line 4 31", "A line has 3 different dominoes."),
        (NOTHING, "line 4 31 39 41", "A line has 3 different dominoes."),
        (NOTHING, "line 4 31 31", "A line has 3 different dominoes."),
        (f"removed {TWELVE}", "line 4 31 14", "Domino 14 was set aside."),
        (LINE, "line 10 17 19", LINE_LATE),
        (CHOOSING, "line 10 17 19", LINE_LATE),
        (CHOSEN, "line 10 17 31", "Domino 31 is out of the box already."),
        (PLACING, "line 1 2 3", LINE_LATE),
        (PLACED, "line 1 2 3", LINE_LATE),
        (NEXT, "line 1 2 3", LINE_LATE),
        # drawing kings
        (NOTHING, "kings 1 2", "Each player has 1 king in the hand."),
        (NOTHING, "kings 1 2 2", "Each player has 1 king in the hand."),
        (NOTHING, "kings 1 2 4", "Each player has 1 king in the hand."),
        (CHOOSING, "kings 3 1 2", KING_LATE),
        (CHOSEN, "kings 3 1 2", KING_LATE),
        (NEXT, "kings 3 1 2", KING_LATE),
        # choosing
        (NOTHING, "1 takes 4", NO_KING),
        (LINE, "1 takes 10", "Domino 10 is not in the line."),
        (LINE, "4 takes 4", "This player has no king left to set."),
        (LINE + "1 takes 4", "1 takes 31", "This player has no king left to set."),
        (DRAWN, "1 takes 4", TURN),
        (CHOOSING, "3 takes 4", "There is a king on domino 4 already."),
        (CHOSEN, "1 takes 4", NO_KING),
        (PLACING, "2 takes 10", NO_KING),
        (PLACED, "3 takes 10", TURN),
        (PLACED, "2 takes 31", "Domino 31 is not in the line."),
        (NEXT, "3 takes 10", NO_KING),
        # placing
        (NOTHING, "1 lays 4 at 1,0 E", NO_PLACING),
        (LINE, "1 lays 4 at 1,0 E", NO_PLACING),
        (CHOSEN, "2 lays 4 at 1,0 E", NO_PLACING),
        (PLACING, "3 lays 31 at 1,0 E", TURN),
        (PLACING, "2 lays 31 at 1,0 E", "Domino 4 comes next."),
        (PLACING, "2 lays 4 at 0,0 E", "There is a square in that place already."),
        (PLACING, "2 lays 4 at -1,0 E", "There is a square in that place already."),
        (
            PLACING,
            "2 lays 4 at 2,0 E",
            "There it touches neither the castle nor a square of its own terrain.",
        ),
        (PLACING, "2 lays 4 at 4,0 E", "There the kingdom would be larger than 5 by 5 squares."),
        (PLACED, "2 lays 4 at 0,1 S", NO_PLACING),
        # discarding
        (NOTHING, "1 discards 4", NO_PLACING),
        (PLACING, "2 discards 4", "Domino 4 fits somewhere, so it has to be placed."),
        (PLACING, "3 discards 31", TURN),
        (PLACING, "2 discards 31", "Domino 4 comes next."),
        # showing whole kingdoms
        (NOTHING, "1 shows 5 ##w0", "In this game kingdoms grow domino by domino."),
    ),
)
def test_an_event_the_rules_do_not_allow_is_refused_with_the_reason(
    story: str, event: str, message: str
) -> None:
    assert refusal(3, story, event) == message


@pytest.mark.parametrize(
    ("players", "event", "message"),
    (
        (2, "kings 1 2", "Each player has 2 kings in the hand."),
        (2, "kings 1 1 1 2", "Each player has 2 kings in the hand."),
        (2, "removed 1 2 3", "With 2 players 24 dominoes are set aside."),
        (4, "removed 1 2 3", "With 4 players 0 dominoes are set aside."),
        (4, "line 1 2 3", "A line has 4 different dominoes."),
    ),
)
def test_counts_depend_on_the_number_of_players(players: int, event: str, message: str) -> None:
    assert refusal(players, "", event) == message


@pytest.mark.parametrize(
    ("event", "message"),
    (
        ("line 1 2 3", LINE_LATE),
        ("kings 1 2 3", KING_LATE),
        ("1 takes 4", NO_KING),
        ("1 lays 4 at 1,0 E", NO_PLACING),
        ("1 discards 4", NO_PLACING),
        (f"removed {TWELVE}", SET_ASIDE_LATE),
    ),
)
def test_after_the_last_domino_nothing_more_can_happen(event: str, message: str) -> None:
    story = "\n".join(GAMES["3p-01"].events)

    assert refusal(3, story, event) == message


@pytest.mark.parametrize(
    ("event", "message"),
    (
        ("line 1 2 3 4", LINE_LATE),
        ("kings 1 1 2 2", KING_LATE),
        ("removed " + " ".join(map(str, range(1, 25))), SET_ASIDE_LATE),
        ("1 takes 4", NO_KING),
        ("1 lays 4 at 1,0 E", NO_PLACING),
        ("3 shows 5 ##w0", "There is no such player."),
        ("1 shows 7 ##w0w0w0w0w0", "This table plays with kingdoms of 5 by 5 squares."),
    ),
)
def test_a_table_that_only_counts_has_no_moves(event: str, message: str) -> None:
    assert refusal(2, "", event, options="score_only") == message


def test_a_kingdom_tapped_in_can_be_tapped_in_again() -> None:
    story = "1 shows 5 ##w0\n2 shows 5 ##f1\n1 shows 5 ##w1"

    assert KINGDOMINO.tally(play(2, story, "score_only")).totals == (1, 1)


@pytest.mark.parametrize("story", (NOTHING, LINE, DRAWN, CHOOSING, CHOSEN, PLACING, PLACED, NEXT))
def test_a_refused_event_leaves_everything_as_it_was(story: str) -> None:
    session = session_of(started(3), lines_of(story))
    position = session.position

    assert refusal(3, story, "4 discards 48") != ""
    assert session.position == position == play(3, story)
