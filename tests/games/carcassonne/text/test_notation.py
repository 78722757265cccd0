"""What a line of Carcassonne may be, and why another may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import notation
from companion.core.errors import NotationError
from companion.games.carcassonne.rules.board import TILES, Placement
from companion.games.carcassonne.rules.events import (
    Event,
    FollowerPlaced,
    GameEnded,
    NoFollower,
    StartLaid,
    TableShown,
    TileDiscarded,
    TileDrawn,
    TileLaid,
    WholeTable,
)
from companion.games.carcassonne.text.words import describe
from tests.games.carcassonne.stories import CARCASSONNE

players = st.integers(0, 4)
letters = st.sampled_from(sorted(TILES))
coordinates = st.integers(-99, 99)
placements = st.builds(Placement, letters, coordinates, coordinates, st.integers(0, 3))
segments = st.tuples(coordinates, coordinates, st.sampled_from("c0 c1 r0 r1 r2 r3 f0 f1 f2 f3 m0".split()))
reasons = st.text(max_size=60)
tables = st.builds(
    WholeTable,
    st.lists(placements, max_size=80).map(tuple),
    st.lists(st.tuples(players, segments), max_size=40).map(tuple),
    st.lists(st.integers(0, 999), max_size=5).map(tuple),
)
events = st.one_of(
    st.builds(StartLaid, placements),
    st.builds(TileDrawn, players, letters),
    st.builds(TileDiscarded, players, letters, reasons),
    st.builds(TileLaid, players, placements, st.just(""), reasons),
    st.builds(FollowerPlaced, players, segments, reasons),
    st.builds(NoFollower, players),
    st.builds(GameEnded),
    st.builds(TableShown, tables),
)


@given(events)
def test_every_event_is_read_as_it_is_written(event: Event) -> None:
    line = CARCASSONNE.write(event)

    assert CARCASSONNE.parse(line) == event
    assert notation.parse_entry(CARCASSONNE, line) == event
    assert line.isprintable()
    assert len(line) < notation.LINE_LIMIT


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("1 lays K at 0,1 S with c0", TileLaid(0, Placement("K", 0, 1, 2), "c0")),
        ("5 lays K at -9,12 W", TileLaid(4, Placement("K", -9, 12, 3))),
        (
            '2 places r0 at 0,1 because "late"',
            FollowerPlaced(1, (0, 1, "r0"), "late"),
        ),
        ("table | |", TableShown(WholeTable(()))),
    ),
)
def test_lines_mean_what_they_say(line: str, expected: Event) -> None:
    assert CARCASSONNE.parse(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("1 lays Z at 0,1 N", "There is no tile “Z”."),
        ("1 lays K at 0,1 N with c1", "Tile K has no part “c1”."),
        ("1 lays K at 0,1", "is not a move of Carcassonne"),
        ("1 lays K at 0,100 N", "100 is too far from the first tile."),
        ("6 lays K at 0,1 N", "There is no player 6."),
        ("0 places none", "There is no player 0."),
        ("1 places c9 at 0,1", "There is no part “c9” of a tile."),
        ("table K@0,0 | |", "“K@0,0” is not a tile as it lies."),
        ("table K@0,0N | 1c0 |", "“1c0” is not a follower as it stands."),
        ("table K@0,0N | | 12345", "Nobody has 12345 points."),
        (f"table {'K@0,0N ' * 201}| |", "There is too much on this table."),
        ("takes 5", "is not a move of Carcassonne"),
        ("1 lays E at ١,٠ N", "is not a move of Carcassonne"),
    ),
)
def test_a_line_that_means_nothing_is_refused_with_the_reason(line: str, expected: str) -> None:
    with pytest.raises(NotationError) as refused:
        CARCASSONNE.parse(line)

    assert expected in str(refused.value)


@pytest.mark.parametrize(
    ("line", "player", "expected"),
    (
        ("first D at 0,0 W", None, "First tile"),
        ("1 draws K", 0, "draws a tile"),
        ("2 discards C", 1, "puts a tile aside"),
        ("1 lays K at 3,7 S", 0, "lays a tile"),
        ("1 lays K at 3,7 S with c0", 0, "lays a tile and places a knight"),
        ("1 places r0 at 3,7", 0, "places a thief"),
        ("1 places f0 at 3,7", 0, "places a farmer"),
        ("1 places m0 at 3,7", 0, "places a monk"),
        ("1 places none", 0, "places no follower"),
        ("end", None, "The game ends before the last tile"),
        ("table D@0,0W | |", None, "Table with 1 tile"),
    ),
)
def test_every_event_is_told_in_words(line: str, player: int | None, expected: str) -> None:
    remark = describe(CARCASSONNE.parse(line))

    assert (remark.player, str(remark)) == (player, expected)
