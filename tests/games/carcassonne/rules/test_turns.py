"""A turn: a tile, a follower or none, the points; rulebook 001, "Andamento do Jogo"."""

from __future__ import annotations

import pytest

from companion.core.errors import IllegalEvent
from tests.games.carcassonne.golden_games import GAMES, GoldenLine
from tests.games.carcassonne.stories import evening, play, refusal, session_of
from tests.games.stories import tell

ROAD_TO_THE_SOUTH = """
    first D at 0,0 N          # a road from north to south, a city to the east
    1 lays U at 0,1 N with r0
"""


def test_a_turn_is_a_tile_and_then_a_follower() -> None:
    session = evening(2, "1 draws U\n1 lays U at 0,1 N")

    assert (session.turn.player, str(session.turn.action)) == (0, "Place a follower, or none")
    assert [part for _x, _y, part in session.position.claims] == ["f0", "f1", "r0"]


def test_a_follower_ends_the_turn_and_so_does_none() -> None:
    assert evening(2, "1 lays U at 0,1 N\n1 places r0 at 0,1").turn.player == 1
    assert evening(2, "1 lays U at 0,1 N\n1 places none").turn.player == 1
    assert evening(2, "1 lays U at 0,1 N with r0").turn.player == 1


def test_who_says_nothing_before_the_next_tile_places_no_follower() -> None:
    position = play(2, "1 lays U at 0,1 N\n2 lays U at 0,2 N")

    assert (position.player, position.followers) == (1, {})


def test_whoever_lays_the_first_tile_begins() -> None:
    assert play(3, "3 lays U at 0,1 N with r0").player == 0
    assert refusal(3, "3 lays U at 0,1 N with r0", "3 lays U at 0,2 N") == "It is another player's turn."


def test_a_turn_that_leaves_nothing_to_claim_ends_by_itself() -> None:
    # A road all along: whoever lays the next piece may only stand on the fields; with no farmers there is nothing.
    session = evening(2, ROAD_TO_THE_SOUTH + "2 lays U at 0,2 N", "no_farmers")

    assert session.turn.player == 0


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("2 lays U at 0,0 N", "A tile lies there already."),
        ("2 lays U at 5,5 N", "A tile has to lie beside another one, side by side."),
        ("2 lays U at 1,1 E", "The tile does not continue what lies beside it."),
        ("2 lays U at 1,-1 N", "A tile has to lie beside another one, side by side."),
        ("2 lays U at 0,2 E", "The tile does not continue what lies beside it."),
        ("1 lays U at 0,2 N", "It is another player's turn."),
        ("3 lays U at 0,2 N", "There is no such player."),
        ("2 lays U at 0,2 N with r0", "Somebody stands there already, however far away."),
        ("2 places f0 at 0,1", "A follower may only be placed on the tile just laid."),
        ("2 places none", "No follower can be placed now."),
        ("2 places r1 at 0,1", "There is no such place for a follower on the table."),
        ("2 discards U", "The tile fits somewhere, so it has to be laid."),
        ("first D at 0,0 N", "The first tile can only be turned before another one is laid."),
        ("table D@0,0N | |", "In this game the table grows tile by tile."),
    ),
)
def test_what_the_rules_do_not_allow_is_refused_with_the_reason(line: str, expected: str) -> None:
    assert refusal(2, ROAD_TO_THE_SOUTH, line) == expected


def test_what_was_drawn_has_to_be_laid() -> None:
    story = ROAD_TO_THE_SOUTH + "2 draws V"

    assert refusal(2, story, "2 lays U at 0,2 N") == "Another tile was drawn."
    assert refusal(2, story, "2 draws U") == "A tile is drawn already: it has to be laid first."
    assert refusal(2, story, "1 lays V at 0,2 S") == "It is another player's turn."
    assert refusal(2, story, "2 lays V at 0,2 S") == ""


def test_no_more_tiles_than_the_box_has() -> None:
    # Rulebook 001: four tiles D, one of which begins the game.
    story = "1 lays D at 0,1 N\n2 lays D at 0,2 N\n1 lays D at 0,3 N"

    assert refusal(2, story, "2 lays D at 0,4 N") == "All tiles of this type are out of the bag."
    assert refusal(2, story, "2 draws D") == "All tiles of this type are out of the bag."
    assert play(2, story).bag["D"] == 0


def test_a_tile_that_fits_nowhere_is_put_aside_and_the_player_draws_again() -> None:
    # All around the first tile: fields and roads, no open city; tile C is city on all sides.
    story = "first D at 0,0 N\n1 lays E at 1,0 W"
    position = play(2, story + "\n2 draws C\n2 discards C")

    assert (position.player, position.discards, position.bag["C"]) == (1, ("C",), 0)
    assert position.tiles_in_the_bag == 72 - 3
    assert refusal(2, story + "\n2 discards C", "2 lays U at 0,1 N") == ""
    assert refusal(2, story + "\n2 discards C", "1 lays U at 0,1 N") == "It is another player's turn."


def test_the_game_ends_early_when_people_say_so() -> None:
    session = evening(2, ROAD_TO_THE_SOUTH + "end")

    assert (session.turn.over, session.turn.player, str(session.turn.action)) == (
        True,
        None,
        "The game is over",
    )
    assert refusal(2, ROAD_TO_THE_SOUTH + "end", "2 lays U at 0,2 N") == "The game is over."
    assert refusal(2, ROAD_TO_THE_SOUTH + "end", "end") == "The game is over."


def test_the_last_tile_may_be_one_that_fits_nowhere() -> None:
    position = play(2)
    tiles = {letter: count for letter, count in position.bag.items() if count}
    story = "\n".join(f'1 discards {letter} because "lost"' for letter, n in tiles.items() for _ in range(n))

    assert evening(2, story).turn.over


def test_a_follower_comes_home_once_it_has_brought_points() -> None:
    # Rulebook 001, "Retorno dos seguidores": place a knight in the city just completed, count, take it back.
    session = evening(2, "first D at 0,0 W\n1 lays E at 0,-1 S")
    ended = tell(session, ["1 places c0 at 0,-1"])

    assert (session.position.points, session.position.supply(0)) == ((0, 0), 7)
    assert (ended.position.points, ended.position.supply(0), ended.position.followers) == ((4, 0), 7, {})


def test_an_eighth_follower_is_refused() -> None:
    golden = next(golden for golden in GAMES.values() if any(empty_handed(line) for line in golden.log))
    number = next(number for number, line in enumerate(golden.log) if empty_handed(line))
    session = session_of(golden.start, [*golden.events[:number], golden.log[number].tile_alone])
    player, place = golden.events[number].split()[0], golden.events[number].split()[4]

    assert session.position.claims == ()
    assert session.position.supply(int(player) - 1) == 0
    with pytest.raises(IllegalEvent, match="may only be placed on the tile just laid"):
        tell(session, [f"{player} places f0 at {place}"])
    before = session_of(golden.start, golden.events[:number])
    with pytest.raises(IllegalEvent, match="All 7 followers of this player are on the table"):
        tell(before, [f"{golden.log[number].tile_alone} with f0"])


def empty_handed(line: GoldenLine) -> bool:
    """Whether the player had no follower before the tile, and none came back with it."""
    return (
        line.lays
        and line.claims == ()
        and not line.counted
        and not (line.hands or "?")[int(line.text[0]) - 1]
    )
