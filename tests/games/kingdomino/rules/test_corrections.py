"""Putting an earlier entry right: what follows from it in a game of Kingdomino."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import notation
from companion.core.correction import Difference, take_back_correction, work_out_correction
from companion.core.game import ReplayedEntry
from companion.core.log import Change, Corrected, Source
from companion.core.session import Session
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, entries_of, session_of, started
from tests.games.stories import EVENING, tell


def followed(before: str, after: str, later: str) -> str:
    """How a later line reads once a line is corrected."""
    table = session_of(started(2)).position
    reader = KINGDOMINO.entry_reader(table, table, table)
    was, now = (ReplayedEntry[Any, Any](3, KINGDOMINO.parse(line), table) for line in (before, after))
    reader.advance(was, now)
    return KINGDOMINO.write(reader.read(was, KINGDOMINO.parse(later)))


def corrected_entry(session: Session, seq: int, line: str) -> Difference:
    return work_out_correction(session, {seq: notation.parse_entry(KINGDOMINO, line)}, "", EVENING)


@pytest.mark.parametrize(
    ("before", "after", "later", "expected"),
    (
        # A domino misread in a line was misread wherever it went.
        ("line 4 31 39 41", "line 4 31 39 43", "1 takes 41", "1 takes 43"),
        ("line 4 31 39 41", "line 4 31 39 43", "1 takes 39", "1 takes 39"),
        ("line 4 31 39 41", "line 4 31 39 43", "1 lays 41 at 1,0 E", "1 lays 43 at 1,0 E"),
        ("line 4 31 39 41", "line 4 31 39 43", "1 discards 41", "1 discards 43"),
        (
            "line 4 31 39 41",
            "line 4 31 39 43",
            '1 lays 41 at 1,0 E because "so"',
            '1 lays 43 at 1,0 E because "so"',
        ),
        ("line 4 31 39 41", "line 4 31 39 43", '1 discards 41 because "so"', '1 discards 43 because "so"'),
        # The domino taken for it comes later, under the other's name.
        ("line 4 31 39 41", "line 4 31 39 43", "line 10 17 19 43", "line 10 17 19 41"),
        ("line 4 31 39 41", "line 4 31 39 43", "2 takes 43", "2 takes 41"),
        ("line 4 31 39 41", "line 5 31 40 41", "line 2 5 6 40", "line 2 4 6 39"),
        # Two kings on each other's domino change places.
        ("1 takes 41", "1 takes 31", "2 takes 31", "2 takes 41"),
        ("1 takes 41", "1 takes 31", "1 lays 41 at 1,0 E", "1 lays 31 at 1,0 E"),
        ("1 takes 41", "1 takes 31", "2 lays 31 at 1,0 E", "2 lays 41 at 1,0 E"),
        ("1 takes 41", "1 takes 31", "2 takes 4", "2 takes 4"),
        # Everything else stays as it was told.
        ("1 takes 41", "2 takes 41", "1 lays 41 at 1,0 E", "1 lays 41 at 1,0 E"),
        ("1 lays 41 at 1,0 E", "1 lays 41 at 0,1 S", "1 lays 4 at 3,0 E", "1 lays 4 at 3,0 E"),
        ("line 4 31 39 41", "line 4 31 39 43", "kings 1 2 2 1", "kings 1 2 2 1"),
        ("kings 1 2 2 1", "kings 1 2 1 2", "1 takes 41", "1 takes 41"),
        ("removed 1 2 3", "removed 1 2 4", "line 5 6 7 8", "line 5 6 7 8"),
        ("line 4 31 39 41", "line 4 31 39 43", "1 shows 5 ##w0", "1 shows 5 ##w0"),
    ),
)
def test_a_later_line_follows(before: str, after: str, later: str, expected: str) -> None:
    assert followed(before, after, later) == expected


def without_removed(name: str) -> list[str]:
    """The log of a golden game whose table did not tell which dominoes stayed in the box."""
    return [text for text in GAMES[name].events if not text.startswith("removed")]


def test_a_misread_number_put_right_leaves_the_whole_game_standing() -> None:
    # Dominoes 32 and 33 show the same: a forest, and a lake with a crown.
    log = without_removed("2p-01")
    session = session_of(started(2), log)
    seq = 2 + log.index("line 21 27 33 44")
    corrected = corrected_entry(session, seq, "line 21 27 32 44").after

    assert corrected.fold.misfits == ()
    assert corrected.tally.totals == session.tally.totals
    assert 33 in dominoes(session) - dominoes(corrected)
    assert 32 in dominoes(corrected) - dominoes(session)
    assert tell(corrected, [f"withdraw {corrected.seq}"]).position == session.position


def dominoes(session: Session) -> set[int]:
    return {placement.domino for kingdom in session.position.kingdoms for placement in kingdom.placements}


def test_a_placement_put_right_leaves_out_what_cannot_lie_there_any_more() -> None:
    session = session_of(started(2), without_removed("2p-01"))
    seq = next(
        step.seq
        for step in session.fold.steps
        if notation.write_entry(KINGDOMINO, step.event) == "1 lays 31 at -1,-1 S"
    )
    event = Corrected((Change(seq, KINGDOMINO.parse("1 lays 31 at 1,0 E")),))
    corrected = session.record(event, Source.PAGE, EVENING)

    assert notation.write_entry(KINGDOMINO, corrected.fold.misfits[0].event) == "1 lays 41 at -1,1 S"
    assert str(corrected.fold.misfits[0].reason) == (
        "There it touches neither the castle nor a square of its own terrain."
    )


def test_what_cannot_lie_where_it_lay_is_told_apart_from_what_stays() -> None:
    log = without_removed("2p-01")
    session = session_of(started(2), log[:40])
    asked = {2 + log.index("1 lays 31 at -1,-1 S"): KINGDOMINO.parse("1 lays 31 at 1,0 E")}
    difference = work_out_correction(session, asked, "put right", EVENING)
    told = {change.seq: notation.write_entry(KINGDOMINO, change.event) for change in difference.changes}

    assert [told[seq] for seq in sorted(difference.kept - difference.displaced)] == [
        '1 lays 41 at -1,1 S because "put right"'
    ]
    assert [told[seq] for seq in sorted(difference.displaced)] == ['1 discards 17 because "put right"']


def test_a_correction_in_one_game_of_a_dynasty_leaves_the_next_games_alone() -> None:
    log = without_removed("2p-01")
    session = session_of(started(2, "dynasty"), [*log, *log])
    seq = 2 + log.index("line 21 27 33 44")
    difference = corrected_entry(session, seq, "line 21 27 32 44")

    assert [notation.write_entry(KINGDOMINO, change.event) for change in difference.changes] == [
        "line 21 27 32 44",
        "1 takes 32",
        "1 lays 32 at 1,2 N",
    ]
    assert difference.after.fold.misfits == ()
    assert difference.after.tally.totals == session.tally.totals


def test_a_correction_in_the_last_game_of_a_dynasty_reaches_its_end() -> None:
    log = without_removed("2p-01")
    session = session_of(started(2, "dynasty"), [*log, *log])
    seq = 2 + len(log) + log.index("line 21 27 33 44")
    difference = corrected_entry(session, seq, "line 21 27 32 44")

    assert len(difference.changes) == 3
    assert all(change.seq >= seq for change in difference.changes)


def test_what_was_told_after_a_correction_reads_by_the_old_name_once_that_is_taken_back() -> None:
    session = session_of(started(2), ["line 4 31 39 41", "1 takes 41", "1 takes 31"])
    wrong = corrected_entry(session, 2, "line 4 31 39 43")
    session = tell(
        session.record(wrong.final, Source.PAGE, EVENING), ["2 takes 39", "2 takes 4", "line 10 17 19 25"]
    )
    told = [
        "2 lays 4 at 0,-2 S",
        "2 takes 19",
        "1 lays 31 at -1,-1 S",
        "1 takes 10",
        "2 lays 39 at 0,2 N",
        "2 takes 25",
    ]
    session = tell(session, [*told, "1 lays 43 at -1,1 S"])
    difference = take_back_correction(session, wrong.after.seq, "", EVENING)

    assert (difference.kept, difference.left_out) == (frozenset(), ())
    assert [notation.write_entry(KINGDOMINO, change.event) for change in difference.changes] == [
        "1 lays 41 at -1,1 S"
    ]


def test_two_misread_entries_corrected_together_follow_once() -> None:
    log = ["line 4 31 39 41", "1 takes 41", "1 takes 31", "2 takes 39", "2 takes 4", "line 10 17 19 25"]
    session = session_of(started(2), [*log, "2 lays 4 at 0,-2 S", "2 takes 19", "1 lays 31 at -1,-1 S"])
    lines = {2: "line 4 31 39 43", 3: "1 takes 43"}
    asked = {seq: notation.parse_entry(KINGDOMINO, line) for seq, line in lines.items()}
    after = work_out_correction(
        tell(session, ["1 takes 10", "2 lays 39 at 0,2 N", "2 takes 25", "1 lays 41 at -1,1 S"]),
        asked,
        "",
        EVENING,
    )

    assert [notation.write_entry(KINGDOMINO, change.event) for change in after.changes] == [
        *lines.values(),
        "1 lays 43 at -1,1 S",
    ]


def test_a_correction_that_leaves_out_a_whole_dynasty_can_be_read_back() -> None:
    start = GAMES["4p-01"].started("dynasty")
    log = [line for name in ("4p-01", "4p-02", "4p-03") for line in GAMES[name].events]
    session = Session("golden", KINGDOMINO, entries_of([start, *log]))
    nothing_left = Corrected(tuple(Change(seq, None) for seq in range(2, session.seq + 1)))
    corrected = session.record(nothing_left, Source.PAGE, EVENING)

    assert notation.parse_entry(KINGDOMINO, notation.write_entry(KINGDOMINO, nothing_left)) == nothing_left
    assert corrected.position == session_of(start).position


def test_a_players_two_dominoes_chosen_the_other_way_round_leave_the_game_standing() -> None:
    log = ["line 4 31 39 41", "1 takes 41", "2 takes 39", "1 takes 31", "2 takes 4", "line 10 17 19 25"]
    session = session_of(started(2), [*log, "2 lays 4 at 0,-2 S", "2 takes 19", "1 lays 31 at -1,-1 S"])
    difference = corrected_entry(session, 3, "1 takes 31")

    assert (difference.kept, difference.left_out) == (frozenset(), ())
    assert [notation.write_entry(KINGDOMINO, change.event) for change in difference.changes] == [
        "1 takes 31",
        "1 takes 41",
    ]
