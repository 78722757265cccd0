"""Rulebook 002, "Como Jogar" and the last round of "Final da Partida e Pontuação"."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.rules.position import Phase
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, play, refusal, session_of, started
from tests.games.stories import lines_of

FIRST = """
    line 4 31 39
    2 takes 4
    3 takes 31
    1 takes 39
    line 10 17 19
"""
SECOND = """
    2 lays 4 at 1,0 E
    2 takes 19
    3 lays 31 at 1,0 E
    3 takes 10
    1 lays 39 at 1,0 E
"""


def test_kings_play_in_the_order_of_the_line() -> None:
    session = session_of(started(3), lines_of(FIRST + SECOND + "1 takes 17\nline 1 2 3"))
    placing = [position.player for position in session.fold.positions if position.phase is Phase.PLACE]

    # Players 2, 3 and 1 stand on dominoes 4, 31 and 39; player 3 chose the first of the new line.
    assert placing == [1, 2, 0, 2]


def test_the_king_on_the_smallest_domino_of_the_new_line_begins_the_next_round() -> None:
    position = play(3, FIRST + SECOND + "1 takes 17\nline 1 2 3")

    assert [slot.player for slot in position.line] == [2, 0, 1]
    assert (position.phase, position.player, position.domino) == (Phase.PLACE, 2, 10)


def test_a_player_first_places_the_chosen_domino() -> None:
    position = play(3, FIRST)

    assert (position.phase, position.player, position.domino) == (Phase.PLACE, 1, 4)
    assert refusal(3, FIRST, "2 takes 10") == "No king can be set now."
    assert {KINGDOMINO.write(event).split()[1] for event in KINGDOMINO.legal(position)} == {"lays"}


def test_and_then_chooses_a_new_one() -> None:
    story = FIRST + "2 lays 4 at 1,0 E"
    position = play(3, story)

    assert (position.phase, position.player) == (Phase.CHOOSE, 1)
    assert refusal(3, story, "3 lays 31 at 1,0 E") == "No domino can be placed now."
    assert [KINGDOMINO.write(event) for event in KINGDOMINO.legal(position)] == [
        "2 takes 10",
        "2 takes 17",
        "2 takes 19",
    ]


def test_a_domino_that_was_chosen_is_gone_for_the_others() -> None:
    story = FIRST + "2 lays 4 at 1,0 E\n2 takes 19\n3 lays 31 at 1,0 E"

    assert [KINGDOMINO.write(event) for event in KINGDOMINO.legal(play(3, story))] == [
        "3 takes 10",
        "3 takes 17",
    ]
    assert refusal(3, story, "3 takes 19") == "There is a king on domino 19 already."


def test_a_player_whose_domino_is_discarded_chooses_all_the_same() -> None:
    story = FIRST + '2 discards 4 because "it fell off the table"'

    assert (play(3, story).phase, play(3, story).player) == (Phase.CHOOSE, 1)


def test_a_new_line_is_drawn_before_the_next_round() -> None:
    story = FIRST + SECOND + "1 takes 17"

    assert play(3, story).phase is Phase.DRAW
    assert refusal(3, story, "3 lays 10 at 0,1 S") == "No domino can be placed now."


def test_with_two_players_each_plays_once_for_each_king() -> None:
    position = play(
        2, "line 4 31 39 41\nkings 1 2 2 1\n1 takes 4\n2 takes 31\n2 takes 39\n1 takes 41\nline 1 2 3 5"
    )

    assert [slot.player for slot in position.line] == [0, 1, 1, 0]


@pytest.mark.parametrize(("name", "rounds"), (("2p-01", 6), ("3p-01", 12), ("4p-01", 12), ("duel-01", 12)))
def test_a_game_has_12_rounds_and_6_with_two_players(name: str, rounds: int) -> None:
    session = session_of(GAMES[name].start, GAMES[name].events)

    assert session.position.rounds == rounds
    assert session.position.round == rounds
    assert sum(line.startswith("line") for line in GAMES[name].events) == rounds


def test_rounds_are_counted_from_the_first_placement() -> None:
    assert play(3, "line 4 31 39").round == 0
    assert play(3, FIRST).round == 1
    assert play(3, FIRST + SECOND).round == 1
    assert play(3, FIRST + SECOND + "1 takes 17\nline 1 2 3").round == 2


@pytest.mark.parametrize("name", ("2p-01", "3p-01", "4p-01", "duel-01"))
def test_in_the_last_round_dominoes_are_placed_and_none_is_chosen(name: str) -> None:
    session = session_of(GAMES[name].start, GAMES[name].events)
    before_last, last = (
        [
            position.phase
            for position in session.fold.positions
            if position.round == session.position.rounds - back
        ]
        for back in (1, 0)
    )
    kings = session.position.line_length

    assert before_last.count(Phase.CHOOSE) == kings
    assert last == [Phase.PLACE] * kings + [Phase.OVER]


def test_a_king_cannot_be_set_in_the_last_round() -> None:
    game = GAMES["3p-01"]
    story = "\n".join(game.events[:-2])

    assert play(3, story).round == 12
    assert refusal(3, story, "1 takes 40") == "No king can be set now."


def test_when_the_last_domino_is_placed_the_game_is_over() -> None:
    game = GAMES["3p-01"]
    before, after = session_of(game.start, game.events[:-1]), session_of(game.start, game.events)

    assert (before.turn.over, after.turn.over) == (False, True)
    assert str(after.turn.action) == "The game is over"
    assert after.turn.player is None
    assert list(KINGDOMINO.legal(after.position)) == []
    assert KINGDOMINO.draw(after.position, seed=1) is None


def test_every_domino_is_drawn_once() -> None:
    story = FIRST + SECOND + "1 takes 17"

    assert refusal(3, story, "line 1 2 31") == "Domino 31 is out of the box already."
    assert play(3, story + "\nline 1 2 3").drawn == (4, 31, 39, 10, 17, 19, 1, 2, 3)
