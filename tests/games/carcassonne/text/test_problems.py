"""What cannot be is named, and what can be counted is counted all the same."""

from __future__ import annotations

import pytest

from companion.games.carcassonne.text.words import problems
from tests.games.carcassonne.stories import evening, play, troubles

LAID_WRONGLY = """
    first D at 0,0 W
    1 lays E at 0,-1 N with c0 because "it was late"
"""


@pytest.mark.parametrize(
    ("table", "expected"),
    (
        ("D@0,0W E@0,-1S | 1:f0@0,-1 | 4 0", []),
        (
            "D@0,0W E@0,-1N | | 0 0",
            ["Two tiles do not continue each other."],
        ),
        (
            "D@0,0W C@0,-1N C@0,-2N | | 0 0",
            ["There is 1 tile of this kind too many: the box has 1."],
        ),
        ("D@0,0W U@3,0E | | 0 0", ["A tile lies apart from the others."]),
        ("E@0,-1S | | 0 0", ["The first tile is missing: none of its kind lies on the table."]),
        ("D@0,0W E@0,0S | | 0 0", ["Two tiles lie in one place: only the first counts."]),
        (
            "D@0,0W E@0,-1S | 1:c0@0,-1 | 0 0",
            ["A knight stands in a complete city, which was not counted yet: it counts in full."],
        ),
        (
            "D@0,0W | 1:c0@0,0 2:f0@0,0 | 0 0",
            ["More than one follower stands on this tile."],
        ),
        (
            "D@0,0W | 1:c1@0,0 2:m0@5,5 | 0 0",
            [
                "A follower stands on nothing: it does not count.",
                "A follower stands on nothing: it does not count.",
            ],
        ),
        (
            "D@0,0W | 1:c0@0,0 2:c0@0,0 | 0 0",
            ["A second follower stands on the same spot: it does not count."],
        ),
        (
            "D@0,0W U@1,0E U@2,0E U@3,0E U@4,0E U@5,0E U@6,0E U@7,0E"
            " | 1:f1@0,0 1:f0@1,0 1:f0@2,0 1:f0@3,0 1:f0@4,0 1:f0@5,0 1:f0@6,0 1:f0@7,0 | 0 0",
            ["There are 8 followers on the table, but only 7 may be: one is on the track."],
        ),
    ),
)
def test_a_table_is_looked_through(table: str, expected: list[str]) -> None:
    session = evening(2, f"table {table}", "score_only")

    assert troubles(session) == expected


def test_what_can_be_counted_is_counted_all_the_same() -> None:
    story = "table D@0,0W E@0,-1S C@9,9N C@9,8N | 1:c0@0,-1 2:c0@9,9 2:r3@0,0 | 10 20"
    session = evening(2, story, "score_only")

    assert len(session.problems) == 5
    assert session.tally.totals == (14, 24)


def test_problems_say_where_and_whose() -> None:
    position = play(2, "table D@0,0W E@0,-1S | 2:c0@0,-1 | 0 0", "score_only")

    assert [(problem.player, problem.where) for problem in problems(position)] == [(1, ("0,-1:c0",))]


def test_a_tile_laid_against_the_rules_stays_as_it_lies_with_the_reason() -> None:
    session = evening(2, LAID_WRONGLY)

    assert troubles(session) == ["A tile was laid against the rules: it was late"]
    assert session.tally.totals == (1, 0)
    assert session.turn.player == 1


def test_a_reason_that_was_not_needed_is_no_problem() -> None:
    assert troubles(evening(2, 'first D at 0,0 W\n1 lays E at 0,-1 S because "I say so"')) == []


def test_a_follower_placed_later_stays_with_the_reason() -> None:
    story = """
        first D at 0,0 W
        1 lays E at 0,1 S
        2 lays U at 1,0 E
        1 places f0 at 0,1 because "we forgot"
    """
    session = evening(2, story)

    assert troubles(session) == ["A follower was placed against the rules: we forgot"]
    assert session.position.followers == {(0, 1, "f0"): 0}
    assert session.position.supply(0) == 6


def test_a_knight_placed_in_a_city_completed_long_ago_is_told() -> None:
    story = """
        first D at 0,0 W
        1 lays E at 0,-1 S
        2 lays U at 1,0 E
        1 places c0 at 0,-1 because "we forgot"
    """

    assert troubles(evening(2, story)) == [
        "A follower was placed against the rules: we forgot",
        "A knight stands in a complete city, which was not counted yet: it counts in full.",
    ]
    assert evening(2, story).tally.totals == (4, 0)


def test_a_tile_put_aside_although_it_fits_is_told() -> None:
    assert troubles(evening(2, 'first D at 0,0 W\n1 discards E because "lost"')) == [
        "A tile was put aside although it fits: lost"
    ]


def test_a_farmer_where_there_are_none() -> None:
    session = evening(2, "table D@0,0W | 1:f0@0,0 | 0 0", "score_only no_farmers")

    assert troubles(session) == ["There is a farmer, but this table plays without."]
