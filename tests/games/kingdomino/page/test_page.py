"""What the page draws, given what somebody points at."""

from __future__ import annotations

from companion.games.kingdomino.page.board import board_view
from companion.games.kingdomino.rules.kingdom import Bounds
from tests.games.kingdomino.stories import play

PLACING = "line 4 31 39\n1 takes 4\n2 takes 31\n3 takes 39\nline 1 2 3"
"""The first player holds a domino of two forests over an empty kingdom."""


def test_the_kingdom_of_whose_king_came_out_is_large() -> None:
    first = play(3, "line 4 31 39")

    shown = [board_view(first, {"who": who})["focus"] for who in ("", "2", "3", "9")]
    assert shown == [0, 1, 2, 0]
    assert board_view(first, {"who": "2", "look": "3"})["focus"] == 2


def test_the_picture_has_no_column_or_row_the_domino_cannot_reach() -> None:
    """Two wheat squares to the right and a lake below: forests join nothing but the castle, and reach no further."""
    story = f"{PLACING}\n1 lays 4 at 1,0 E\n1 takes 1\n2 lays 31 at 1,0 E\n2 takes 2\n3 lays 39 at 1,0 E\n3 takes 3"
    position = play(3, f"{story}\nline 11 12 13")

    assert board_view(position, {})["placing"].window == Bounds(-2, -2, 2, 2)
    assert board_view(position, {"all": "1"})["placing"].window == Bounds(-2, -2, 4, 2)


def test_a_domino_held_over_the_edge_is_in_the_picture_whole() -> None:
    placing = board_view(play(3, PLACING), {"all": "1", "at": "4@2,0", "turn": "0"})["placing"]

    assert placing.refusal is not None
    assert placing.window == Bounds(-2, -2, 3, 2)
    assert [part.x for part in placing.ghost] == [200, 300]


def test_a_domino_is_tapped_by_either_of_its_squares() -> None:
    position = play(3, f"{PLACING}\n1 lays 4 at 1,0 E")
    touched = [
        board_view(position, {"look": "1", "on": place})["touched"] for place in ("1:1,0", "1:2,0", "1:0,0")
    ]

    assert touched == [("1:1,0", "1:2,0"), ("1:1,0", "1:2,0"), ()]
    assert board_view(position, {"look": "1"})["kingdoms"][0].numbers == ((4, 200, 50),)


def test_a_correction_begins_with_the_domino_where_it_lay() -> None:
    before = play(3, PLACING)
    lying = board_view(before, {"was": "1 lays 4 at 0,1 S"})["placing"]
    moved = board_view(before, {"was": "1 lays 4 at 0,1 S", "at": "4@1,0"})["placing"]
    other = board_view(before, {"was": "1 lays 5 at 0,1 S"})["placing"]

    assert (lying.event, moved.event) == ("1 lays 4 at 0,1 S", "1 lays 4 at 1,0 E")
    assert [(part.x, part.y) for part in moved.lay] == [(0, 100), (0, 200)]
    assert (other.ghost, other.lay) == (None, None)
