"""The box of one household as a file, taken in by another."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.core.errors import NotationError
from companion.core.game import Earlier
from companion.games import GAMES
from companion.games.dominations.game import Dominations
from companion.games.dominations.page.presenter import page
from companion.sessions.live import LiveSessions
from tests.games.dominations.stories import CARDS, FISHING, play
from tests.games.dominations.text.test_known_cards import begun, tell
from tests.games.stories import EVENING

CRADLE = "cradle TCASPRTCASPR"


def test_a_file_of_one_household_tells_another_all_of_its_box() -> None:
    position = play(2, f"{CARDS}\n{CRADLE}")
    file = page(position, {"do": "card"})["box_file"]
    other = Dominations()
    other.learn(file)

    known = "\n".join(map(other.write, other.known(())))
    after = play(2, known)

    assert (after.taught, after.cards, after.board) == (position.taught, position.cards, position.board)


@pytest.mark.parametrize(
    ("text", "problem"),
    (("box = [", "no TOML"), ("cards = []", "a list called"), ('box = ["1 passes"]', "tells no card")),
)
def test_a_file_that_is_wrong_is_not_taken_in(text: str, problem: str) -> None:
    game = Dominations()

    with pytest.raises(NotationError, match=problem):
        game.learn(text)
    assert game.known(()) == ()


def test_what_the_household_tells_itself_comes_after_its_files() -> None:
    game, misread = Dominations(), FISHING.replace("Pescaria", "Pescadia")
    game.learn(f"box = ['{misread}']")
    earlier = Earlier(play(2), [(EVENING, game.parse(FISHING))])

    assert [game.write(event) for event in game.known(())] == [misread]
    assert [game.write(event) for event in game.known((earlier,))] == [FISHING]


def test_the_cradle_is_told_once_for_all_games(table: LiveSessions, player: FlaskClient) -> None:
    tell(table, begun(player), CRADLE, "1 lays T:TTC at 0,0d")
    second = begun(player)
    tell(table, second, "1 lays T:TTC at 0,0d")
    seats = [table.session(id).position.seats[0].knowledge for id in (second,)]

    assert table.session(second).position.board.cradle == "TCASPRTCASPR"
    assert seats[0]["P"] > 0


def test_a_cradle_of_which_nobody_knows_anything_is_asked_for_again(
    table: LiveSessions, player: FlaskClient
) -> None:
    tell(table, begun(player), f"cradle {'?' * 12}")

    assert table.session(begun(player)).position.board.cradle == ""
    assert GAMES["dominations"].known(()) == ()
