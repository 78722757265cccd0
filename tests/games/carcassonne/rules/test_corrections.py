"""Putting an earlier entry right, as people do when they find out three turns later."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import notation
from companion.core.correction import Difference, take_back_correction, work_out_correction
from companion.core.game import ReplayedEntry
from companion.core.log import Source
from companion.core.session import Session
from tests.games.carcassonne.stories import CARCASSONNE, evening, said, troubles
from tests.games.stories import EVENING

# Blue's bend was recorded to the north of the road; it lies to the south, at its other end.
MISPLACED = """
    first D at 0,0 N
    1 lays U at 0,1 N with r0
    2 lays V at 0,-1 N
    1 lays B at -1,0 N with m0
    2 lays E at 1,0 W with f0
"""


def corrected(session: Session, seq: int, line: str, because: str = "so it lies") -> Difference:
    return work_out_correction(session, {seq: notation.parse_entry(CARCASSONNE, line)}, because, EVENING)


def accepted(session: Session, difference: Difference) -> Session:
    return session.record(difference.final, Source.PAGE, EVENING)


def test_a_tile_recorded_in_the_wrong_place_three_turns_ago() -> None:
    session = evening(2, MISPLACED)
    difference = corrected(session, 4, "2 lays V at 0,2 E")
    after = accepted(session, difference)

    assert (difference.kept, difference.left_out) == (frozenset(), ())
    assert {(0, 2), (-1, 0), (1, 0)} <= set(after.position.board.tiles)
    assert (0, -1) not in after.position.board.tiles
    assert said(session.tally, 0)[0] == ("Unfinished road", "3 × 1", 3)
    assert said(after.tally, 0) == [("Unfinished road", "3 × 1", 3), ("Unfinished monastery", "3 × 1", 3)]
    assert troubles(after) == []


def test_what_lay_beside_the_wrong_place_stays_as_it_lies() -> None:
    session = evening(2, MISPLACED + "1 lays B at 1,-1 N")
    difference = corrected(session, 4, "2 lays V at 0,2 E")
    after = accepted(session, difference)

    assert difference.kept == frozenset()
    assert troubles(after) == []
    apart = corrected(session, 6, "2 lays E at -2,0 N with f0")
    assert apart.kept == frozenset()
    assert troubles(accepted(session, apart)) == []


def test_a_follower_that_was_forgotten() -> None:
    session = evening(2, MISPLACED)
    difference = corrected(session, 4, "2 lays V at 0,-1 N with f0")
    after = accepted(session, difference)

    assert after.position.followers[0, -1, "f0"] == 1
    assert (session.position.supply(1), after.position.supply(1)) == (6, 5)
    assert troubles(after) == []


def test_a_forgotten_knight_gets_the_points_of_a_city_completed_since() -> None:
    story = """
        first D at 0,0 W
        1 lays R at 0,-1 S
        2 lays D at 1,0 W
        1 lays N at 1,-1 W
        2 lays E at -1,-1 E
        1 lays V at 0,1 N
    """
    session = evening(2, story)
    after = accepted(session, corrected(session, 3, "1 lays R at 0,-1 S with c0"))

    assert session.position.points == (0, 0)
    assert after.position.points == (10, 0)
    assert after.position.supply(0) == 7


def test_a_follower_goes_along_when_its_tile_lay_somewhere_else() -> None:
    session = evening(2, "first D at 0,0 N\n1 lays U at 0,1 N\n1 places r0 at 0,1\n2 lays B at -1,0 N")
    after = accepted(session, corrected(session, 3, "1 lays U at 0,-1 N"))

    assert after.position.followers == {(0, -1, "r0"): 0}
    assert troubles(after) == []


def test_a_tile_that_does_not_fit_any_more_is_kept_with_the_reason() -> None:
    session = evening(2, "first D at 0,0 N\n1 lays U at 0,1 N with r0\n2 lays V at 0,2 E\n1 lays B at -1,0 N")
    difference = corrected(session, 3, "1 lays U at 0,-1 N with r0", "so it lies")
    after = accepted(session, difference)

    assert difference.kept == {4}
    assert troubles(after) == ["A tile was laid against the rules: so it lies"]
    assert said(after.tally, 0) == [("Unfinished road", "2 × 1", 2)]


def test_a_tile_whose_place_is_taken_is_missing_until_somebody_says_where_it_is() -> None:
    session = evening(2, "first D at 0,0 N\n1 lays U at 0,1 N\n2 lays V at 0,2 E with f1\n1 lays B at -1,0 N")
    difference = corrected(session, 3, "1 lays B at -1,0 N", "so it lies")
    after = accepted(session, difference)

    assert len(after.position.board.tiles) == 3
    assert after.position.discards == ("B",)
    assert difference.left_out == ()
    assert any("was put aside although it fits: so it lies" in trouble for trouble in troubles(after))


def test_one_step_takes_a_correction_back_exactly() -> None:
    session = evening(2, MISPLACED)
    after = accepted(session, corrected(session, 4, "2 lays V at 0,2 E"))
    again = take_back_correction(after, after.seq, "", EVENING)

    assert accepted(after, again).position == session.position


@pytest.mark.parametrize(
    ("before", "after", "later", "expected"),
    (
        ("1 lays U at 0,1 N", "1 lays U at 0,2 N", "1 places r0 at 0,1", "1 places r0 at 0,2"),
        ("1 lays U at 0,1 N", "1 lays U at 0,2 N", "1 places r0 at 0,3", "1 places r0 at 0,3"),
        ("1 lays U at 0,1 N", "1 lays U at 0,2 N", "2 lays U at 0,3 N", "2 lays U at 0,3 N"),
        ("1 draws U", "1 draws V", "1 lays U at 0,1 N", "1 lays U at 0,1 N"),
    ),
)
def test_a_later_line_follows(before: str, after: str, later: str, expected: str) -> None:
    reader, table = CARCASSONNE.entry_reader(None, None, None), evening(2, "").position
    was, now = (ReplayedEntry[Any, Any](3, CARCASSONNE.parse(line), table) for line in (before, after))
    reader.advance(was, now)

    assert CARCASSONNE.write(reader.read(was, CARCASSONNE.parse(later))) == expected


@pytest.mark.parametrize(
    ("line", "ways"),
    (
        (
            "1 lays U at 0,1 N with r0",
            [
                '1 lays U at 0,1 N with r0 because "so"',
                '1 lays U at 0,1 N because "so"',
                '1 discards U because "so"',
            ],
        ),
        ("1 lays U at 0,1 N", ['1 lays U at 0,1 N because "so"', '1 discards U because "so"']),
        ("1 places r0 at 0,1", ['1 places r0 at 0,1 because "so"']),
        ("1 discards U", ['1 discards U because "so"']),
        ('1 discards U because "lost"', ['1 discards U because "lost"']),
        ("1 draws U", []),
        ("1 places none", []),
    ),
)
def test_ways_in_which_a_line_may_stand_against_the_rules(line: str, ways: list[str]) -> None:
    reader = CARCASSONNE.entry_reader(None, None, None)

    assert [CARCASSONNE.write(way) for way in reader.alternatives(CARCASSONNE.parse(line), "so")] == ways


def test_what_nothing_can_keep_takes_nothing_else_with_it() -> None:
    story = """
        first D at 0,0 N
        1 lays K at 1,0 S
        1 places r0 at 1,0
        2 lays U at 0,-1 N
        2 places none
        1 lays B at -1,0 N
        1 places m0 at -1,0
        2 lays U at 0,1 N
    """
    session = evening(2, story)
    difference = corrected(session, 3, "1 lays E at 1,0 W")

    assert [misfit.seq for misfit in difference.left_out] == [4]
    assert len(difference.after.position.board.tiles) == 5
    assert difference.after.position.followers == {(-1, 0, "m0"): 0}
