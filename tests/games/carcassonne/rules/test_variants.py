"""The options of a table, each beside the rulebook's own rule."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.games.carcassonne.rules.events import StartLaid, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import start
from companion.games.carcassonne.rules.variants import OPTIONS, Variant
from companion.games.carcassonne.text.words import still_missing
from tests.games.carcassonne.stories import (
    CARCASSONNE,
    evening,
    play,
    refusal,
    said,
    session_of,
    started,
)
from tests.games.stories import lines_of

SMALL_CITY = "first D at 0,0 W\n1 lays E at 0,-1 S with c0"

# A city of three tiles with a field on either side, both Red's; Blue has a farmer in one of them.
TWO_FIELDS_OF_RED = """
    first D at 0,0 W
    1 lays G at 0,-1 N with f0
    2 lays E at 0,-2 S
    1 lays B at -1,-1 N with f0
"""


def test_no_option_is_on_by_itself() -> None:
    assert play(2).variants == frozenset()
    assert {option.key for option in OPTIONS} == set(Variant)


@pytest.mark.parametrize(
    ("options", "story", "expected"),
    (
        ("", SMALL_CITY, (4, 0)),
        ("two_tile_cities", SMALL_CITY, (2, 0)),
        # With a pennant it is one point more.
        ("two_tile_cities", "first D at 0,0 W\n1 lays G at 0,-1 N with c0\n2 lays E at 0,-2 S", (6, 0)),
        ("", TWO_FIELDS_OF_RED, (6, 0)),
        ("farms_once", TWO_FIELDS_OF_RED, (3, 0)),
        ("farms_by_city", TWO_FIELDS_OF_RED, (4, 0)),
        # Blue joins with a field of their own: by the oldest rules Red has most farmers around the city.
        ("", TWO_FIELDS_OF_RED + "2 lays U at 1,0 E with f0", (6, 3)),
        ("farms_once", TWO_FIELDS_OF_RED + "2 lays U at 1,0 E with f0", (3, 3)),
        ("farms_by_city", TWO_FIELDS_OF_RED + "2 lays U at 1,0 E with f0", (4, 0)),
    ),
)
def test_what_an_option_makes_of_the_same_table(options: str, story: str, expected: tuple[int, ...]) -> None:
    assert evening(2, story, options).tally.totals == expected


def test_a_city_of_one_player_alone_counts_by_the_older_rule() -> None:
    # One player is no table for the house, but the rules do not mind.
    position = start(1, frozenset({Variant.TWO_TILE_CITIES}))
    for line in lines_of(
        """
        first D at 0,0 W
        1 lays G at 0,-1 S with c0
        1 lays H at 0,-2 E with c1
        1 lays E at 0,-3 S
        """
    ):
        position = apply(position, CARCASSONNE.parse(line))

    assert position.points == (6,)
    assert [count.points for count in position.outlook] == [2]


def test_without_farmers_nobody_stands_on_a_field() -> None:
    story = "first D at 0,0 W"

    assert (
        refusal(2, story, "1 lays E at 0,-1 S with f0", "no_farmers") == "This table plays without farmers."
    )
    assert [part for *_cell, part in play(2, story + "\n1 lays E at 0,-1 S", "no_farmers").claims] == ["c0"]


@pytest.mark.parametrize("options", ("farms_by_city farms_once", "farms_once no_farmers"))
def test_a_table_has_one_rule_about_farmers(options: str) -> None:
    with pytest.raises(ValueError, match="more than one rule about farmers"):
        session_of(started(2, options))


def test_only_the_end_can_be_counted() -> None:
    session = evening(3, "table D@0,0W E@0,-1S | 1:f0@0,-1 2:r0@0,0 | 31 44 0", "score_only")

    assert session.turn.over
    assert said(session.tally, 0) == [("On the track", "", 31), ("Field", "1 × 3", 3)]
    assert said(session.tally, 1) == [("On the track", "", 44), ("Unfinished road", "1 × 1", 1)]
    assert session.tally.totals == (34, 45, 0)


def test_a_table_is_counted_once_the_track_is_told() -> None:
    tiles = evening(2, "table D@0,0W | |", "score_only")
    followers = evening(2, "table D@0,0W | 1:r0@0,0 |", "score_only")
    whole = evening(2, "table D@0,0W | 1:r0@0,0 | 31 0", "score_only")

    assert [session.turn.over for session in (tiles, followers, whole)] == [False, False, True]
    assert [list(map(str, still_missing(one.position))) for one in (tiles, followers, whole)] == [
        [
            "No followers yet",
            "Track not told yet",
        ],
        ["Track not told yet"],
        [],
    ]
    assert list(map(str, still_missing(play(2, "table D@0,0W | | 31 0", "score_only")))) == [
        "No followers yet"
    ]


def test_a_table_still_to_be_shown() -> None:
    session = evening(2, "", "score_only")

    assert (session.turn.over, str(session.turn.action)) == (False, "Tap in the table as it lies")
    assert session.problems == ()
    assert "Only the end" in refusal(2, "", "1 lays E at 0,-1 S", "score_only")
    assert "points of each player" in refusal(2, "", "table D@0,0W | | 1 2 3", "score_only")
    assert refusal(2, "", "table D@0,0W | 3:r0@0,0 | 1 2", "score_only") == "There is no such player."


def test_unknown_options_are_refused() -> None:
    with pytest.raises(NotationError, match="no option called"):
        session_of(started(2, "river"))


def test_the_first_tile_lies_as_people_like() -> None:
    assert isinstance(CARCASSONNE.parse("first D at 0,0 W"), StartLaid)
    assert isinstance(CARCASSONNE.parse("1 lays D at 0,0 W"), TileLaid)
    assert play(2, "first D at 0,0 W").board.tiles[0, 0].edges == "crfr"
    assert play(2).board.tiles[0, 0].edges == "rcrf"
