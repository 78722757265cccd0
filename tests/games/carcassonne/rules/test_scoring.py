"""What is counted, for whom, and how it is told; rulebook 001, "Contagem de Pontos" and "Contagem Final"."""

from __future__ import annotations

from companion.core.tally import Criterion
from companion.games.carcassonne.page.presenter import TrackPlace, track_place
from companion.games.carcassonne.text.tally import final_steps
from tests.games.carcassonne.stories import evening, play, said

CITY_OF_TWO = "first D at 0,0 W\n1 lays E at 0,-1 S with c0"

SHARED_CITY = """
    first D at 0,0 W
    1 lays R at 0,-1 S with c0
    2 lays D at 1,0 W with c0
    1 lays N at 1,-1 W
    2 lays E at -1,-1 E
"""

FIELD_OF_TWO = """
    first D at 0,0 W
    1 lays E at 0,-1 S with f0
    2 lays U at 1,0 E with f0
    1 lays E at 1,-1 N
"""


def test_a_complete_city_brings_two_points_a_tile() -> None:
    session = evening(2, CITY_OF_TWO)

    assert said(session.tally, 0) == [("City", "2 × 2", 4)]
    assert session.tally.lines[0].where == ("0,-1:c0", "0,0:c0")


def test_a_shared_city_brings_everything_to_both() -> None:
    session = evening(2, SHARED_CITY)

    assert said(session.tally, 0) == said(session.tally, 1) == [("City, shared", "5 × 2", 10)]
    assert session.tally.standing.ranks == (1, 1)


def test_a_pennant_counts_like_a_tile() -> None:
    story = "first D at 0,0 W\n1 lays Q at 0,-1 E with c0"

    assert said(evening(2, story).tally, 0) == [("Unfinished city", "(2 + 1) × 1", 3)]
    closed = evening(2, story + "\n2 lays E at 0,-2 S\n1 lays E at 1,-1 W")
    assert said(closed.tally, 0) == [("City", "(4 + 1) × 2", 10)]


def test_a_road_that_comes_back_to_itself_is_complete() -> None:
    session = evening(
        2,
        """
        first D at 0,0 W
        1 lays V at 0,1 W with r0
        2 lays V at 1,1 N
        1 lays V at 1,2 E
        2 lays V at 0,2 S
        """,
    )

    assert said(session.tally, 0) == [("Road", "4 × 1", 4)]


def test_a_tile_that_a_road_enters_twice_counts_once() -> None:
    # Out of the crossing to the east, round, and into the same crossing from the south.
    session = evening(
        2,
        """
        first D at 0,0 W
        1 lays W at 0,1 N with r0
        2 lays V at 1,1 N
        1 lays V at 1,2 E
        2 lays V at 0,2 S
        """,
    )

    assert said(session.tally, 0) == [("Road", "4 × 1", 4)]


def test_two_thieves_beat_one() -> None:
    # Three roads side by side, Red, Blue and Red; two bends below and two above make one road of them.
    session = evening(
        2,
        """
        first D at 0,0 N
        1 lays U at -1,0 N with r0
        2 lays U at -2,0 N with r0
        1 lays U at -3,0 N with r0
        2 lays V at -1,1 E
        1 lays V at -2,1 S
        2 lays V at -3,-1 W
        1 lays V at -2,-1 N
        """,
    )

    assert said(session.tally, 0) == [("Unfinished road", "7 × 1", 7)]
    assert said(session.tally, 1) == []
    assert [count.holders for count in session.position.outlook] == [
        ((0, (-3, 0, "r0")), (0, (-1, 0, "r0")), (1, (-2, 0, "r0")))
    ]


def test_a_monastery_counts_the_tiles_around_it() -> None:
    session = evening(2, "first D at 0,0 N\n1 lays B at -1,0 N with m0\n2 lays B at -2,0 N")

    assert said(session.tally, 0) == [("Unfinished monastery", "3 × 1", 3)]
    assert session.tally.lines[0].where == ("-1,0:m0",)


def test_a_field_brings_three_points_a_complete_city() -> None:
    session = evening(2, FIELD_OF_TWO)

    assert said(session.tally, 0) == said(session.tally, 1) == [("Field, shared", "1 × 3", 3)]
    assert {"0,-1:f0", "1,-1:f0", "1,0:f0", "0,-1:c0", "0,0:c0"} <= set(session.tally.lines[0].where)


def test_points_and_nothing_else_decide() -> None:
    standing = evening(2, CITY_OF_TWO).tally.standing

    assert standing.ranks == (1, 2)
    assert isinstance(standing.decided_by, Criterion)
    assert (standing.decided_by.key, standing.decided_by.values) == ("score", (4, 0))


def test_the_end_is_told_in_the_rulebook_s_order() -> None:
    session = evening(
        3,
        """
        first D at 0,0 W
        1 lays E at 0,-1 S with f0
        2 lays B at 0,1 N with m0
        3 lays U at 1,0 E with r0
        1 lays N at -1,-1 N with c0
        end
        """,
    )
    steps = list(final_steps(session.position))

    assert [(str(step.text), step.points) for step in steps] == [
        ("Unfinished road", (0, 0, 2)),
        ("Unfinished city", (1, 0, 2)),
        ("Unfinished monastery", (1, 3, 2)),
        ("Take every follower off the table but the farmers", (1, 3, 2)),
        ("Field", (4, 3, 2)),
    ]
    assert steps[-1].points == session.tally.totals


def test_the_track_has_50_spaces_and_goes_round() -> None:
    assert [track_place(points) for points in (0, 49, 50, 127)] == [
        TrackPlace(0, 0),
        TrackPlace(49, 0),
        TrackPlace(0, 1),
        TrackPlace(27, 2),
    ]


def test_purists_see_the_track_alone_until_the_end() -> None:
    story = "first D at 0,0 W\n1 lays E at 0,-1 S with f0"

    assert evening(2, story).tally.totals == (3, 0)
    assert evening(2, story, "purist").tally.totals == (0, 0)
    assert evening(2, story + "\nend", "purist").tally.totals == (3, 0)


def test_places_that_no_tile_left_can_fill_are_known() -> None:
    # Four cities round one place: only tile C could lie there, and there is one of it.
    ring = "table E@0,-1S E@1,0W E@0,1N E@-1,0E"

    assert (0, 0) not in play(2, f"{ring} | |", "score_only").holes
    assert (0, 0) in play(2, f"{ring} C@5,5N | |", "score_only").holes
