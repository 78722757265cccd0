"""What people read: whose turn it is, and what has happened."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.rules.events import DIRECTION_WORDS
from companion.games.kingdomino.rules.kingdom import Direction
from companion.games.kingdomino.text.words import describe_event
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, play, session_of, started

CHOSEN = "line 4 31 39\n1 takes 4\n2 takes 31\n3 takes 39\n"


@pytest.mark.parametrize(
    ("players", "story", "options", "action", "player"),
    (
        (3, "", "", "Draw 3 dominoes for the first line", None),
        (4, "", "", "Draw 4 dominoes for the first line", None),
        (3, "line 4 31 39", "", "Draw a king: who chooses a domino?", None),
        (3, "line 4 31 39\nkings 3 1 2", "", "Choose a domino", 2),
        (3, CHOSEN, "", "Draw 3 dominoes for the next line", None),
        (3, CHOSEN + "line 1 2 3", "", "Place domino 4", 0),
        (3, CHOSEN + "line 1 2 3\n1 lays 4 at 1,0 E", "", "Choose a domino", 0),
        (2, "", "score_only", "Tap in each kingdom as it lies", None),
        (2, "1 shows 5 ##w0", "score_only", "Tap in each kingdom as it lies", None),
        (2, "1 shows 5 ##w0\n2 shows 5 ##w0", "score_only", "The game is over", None),
    ),
)
def test_the_table_is_told_what_it_is_waiting_for(
    players: int, story: str, options: str, action: str, player: int | None
) -> None:
    turn = KINGDOMINO.turn(play(players, story, options))

    assert (str(turn.action), turn.player) == (action, player)
    assert turn.over is (action == "The game is over")


@pytest.mark.parametrize(
    ("line", "text", "player"),
    (
        ("removed 1 2 3", "Set aside: dominoes 1 · 2 · 3", None),
        ("line 4 31 39", "New line: 4 · 31 · 39", None),
        ("kings 1 3 2", "The kings are drawn", None),
        ("3 takes 26", "chooses domino 26", 2),
        ("1 lays 26 at -1,2 E", "places domino 26", 0),
        ('2 discards 47 because "so"', "discards domino 47", 1),
        ("1 shows 5 ##", "shows a kingdom of 0 squares", 0),
        ("1 shows 5 ##w0", "shows a kingdom of 1 square", 0),
        ("2 shows 5 ##w0w0", "shows a kingdom of 2 squares", 1),
    ),
)
def test_every_event_is_told_in_words(line: str, text: str, player: int | None) -> None:
    deed = describe_event(KINGDOMINO.parse(line))

    assert (str(deed.text), deed.player) == (text, player)


def test_every_direction_has_words() -> None:
    assert set(DIRECTION_WORDS) == {direction.value for direction in Direction}


def test_a_dynasty_is_told_which_game_is_over() -> None:
    game = GAMES["2p-01"]
    twice = session_of(started(2, "dynasty"), [*game.events, *game.events])
    thrice = session_of(started(2, "dynasty"), [*game.events, *game.events, *game.events])

    assert str(twice.turn.action) == "Game 2 is over. Draw the first line of the next one"
    assert (str(thrice.turn.action), thrice.turn.over) == ("The game is over", True)
