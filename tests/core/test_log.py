"""Undo, redo and corrections as entries of the log; nothing is ever changed or deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from companion.core.errors import IllegalEvent
from companion.core.game import Colour, Player, Setup
from companion.core.log import (
    Change,
    Corrected,
    Entry,
    Filed,
    FiledAs,
    Filing,
    Restored,
    Source,
    Started,
    Unreadable,
    Withdrawn,
    check_refers,
    effective_events,
    filing,
    recorded_together,
    redoable,
    undoable,
    withdrawn_entries,
)

START = Started(Setup((Player("Pink", Colour.PINK), Player("Blue", Colour.BLUE))))
OTHER_START = Started(Setup((Player("Pink", Colour.GREEN), Player("Blue", Colour.BLUE))))
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def log(*events: object) -> tuple[Entry, ...]:
    """A log that starts with entry 1; the events may be anything at all."""
    return tuple(Entry(seq, event, Source.PAGE, NOON) for seq, event in enumerate((START, *events), start=1))


def counts(*events: object) -> str:
    """The letters that count, in their order."""
    return "".join(str(step.event) for step in effective_events(log(*events))[1:])


def corrected(**changes: object) -> Corrected:
    """A correction of entries named `_2`, `_3` …"""
    return Corrected(tuple(Change(int(name[1:]), event) for name, event in changes.items()))


def refusal(events: tuple[object, ...], event: object) -> str:
    try:
        check_refers(log(*events), event)
    except IllegalEvent as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("events", "expected"),
    (
        (("a", "b", "c"), "abc"),
        (("a", "b", Withdrawn(3)), "a"),
        (("a", "b", Withdrawn(2)), "b"),
        (("a", "b", Withdrawn(3), Withdrawn(2)), ""),
        (("a", "b", Withdrawn(3), Restored(3)), "ab"),
        (("a", "b", Withdrawn(3), Withdrawn(2), Restored(2)), "a"),
        (("a", "b", Withdrawn(2), "c", Restored(2)), "abc"),
        (("a", "b", Withdrawn(3), Restored(3), Withdrawn(3)), "a"),
        # corrections
        (("a", "b", corrected(_2="A")), "Ab"),
        (("a", "b", corrected(_2=None)), "b"),
        (("a", "b", corrected(_2="A", _3="B")), "AB"),
        (("a", "b", corrected(_2="x"), corrected(_2="y")), "yb"),
        (("a", "b", corrected(_2=None), corrected(_2="y")), "yb"),
        (("a", "b", corrected(_2="A"), "c"), "Abc"),
        # undo and redo of a correction
        (("a", "b", corrected(_2="A"), Withdrawn(4)), "ab"),
        (("a", "b", corrected(_2="A"), Withdrawn(4), Restored(4)), "Ab"),
        (("a", "b", corrected(_2="x"), corrected(_2="y"), Withdrawn(5)), "xb"),
        (("a", "b", corrected(_2="x"), corrected(_2="y"), Withdrawn(4)), "yb"),
        # a correction of what was taken back waits until it is given back
        (("a", "b", Withdrawn(3), corrected(_3="B")), "a"),
        (("a", "b", Withdrawn(3), corrected(_3="B"), Restored(3)), "aB"),
        (("a", "b", corrected(_3="B"), Withdrawn(3)), "a"),
        (("a", "b", corrected(_3="B"), Withdrawn(3), Restored(3)), "aB"),
    ),
)
def test_what_counts_once_everything_is_settled(events: tuple[object, ...], expected: str) -> None:
    assert counts(*events) == expected


def test_events_keep_the_number_and_the_order_of_their_first_entry() -> None:
    steps = effective_events(log("a", "b", "c", corrected(_3="B"), "d"))

    assert [(step.seq, step.event) for step in steps[1:]] == [(2, "a"), (3, "B"), (4, "c"), (6, "d")]


def test_who_plays_can_be_corrected_like_anything_else() -> None:
    steps = effective_events(log("a", Corrected((Change(1, OTHER_START),))))

    assert [(step.seq, step.event) for step in steps] == [(1, OTHER_START), (2, "a")]


def test_only_what_was_not_given_back_is_withdrawn() -> None:
    assert withdrawn_entries(log("a", "b", Withdrawn(3), Withdrawn(2), Restored(3))) == {2}


@pytest.mark.parametrize(
    ("events", "undo", "redo"),
    (
        ((), None, None),
        (("a",), 2, None),
        (("a", "b"), 3, None),
        (("a", "b", Withdrawn(3)), 2, 3),
        (("a", "b", Withdrawn(3), Withdrawn(2)), None, 2),
        (("a", "b", Withdrawn(3), Withdrawn(2), Restored(2)), 2, 3),
        (("a", "b", Withdrawn(3), Withdrawn(2), Restored(2), Restored(3)), 3, None),
        # something new was recorded: what was taken back stays taken back
        (("a", "b", Withdrawn(3), "c"), 5, None),
        (("a", "b", Withdrawn(3), "c", Withdrawn(5)), 2, 5),
        (("a", "b", Withdrawn(3), "c", Withdrawn(5), Restored(5)), 5, None),
        # a correction is a step like any other
        (("a", "b", corrected(_2="A")), 4, None),
        (("a", "b", corrected(_2="A"), Withdrawn(4)), 3, 4),
        (("a", "b", Withdrawn(3), corrected(_2="A")), 5, None),
        # an entry in the middle, taken back by hand
        (("a", "b", Withdrawn(2)), 3, 2),
    ),
)
def test_undo_and_redo_know_their_entry(
    events: tuple[object, ...], undo: int | None, redo: int | None
) -> None:
    assert (undoable(log(*events)), redoable(log(*events))) == (undo, redo)


def at(minute: int, *entries: Entry) -> tuple[Entry, ...]:
    return tuple(replace(entry, time=NOON + timedelta(minutes=minute)) for entry in entries)


def test_what_was_recorded_in_one_step_is_undone_in_one_step() -> None:
    start, a, b, c, d = log("a", "b", "c", Withdrawn(4))
    steps = (start, *at(1, a, b), *at(2, c))

    assert recorded_together(steps) == (4,)
    assert recorded_together((*steps, *at(3, d))) == (3, 2)
    assert recorded_together((start, *at(1, a, replace(b, source=Source.BUTTON)))) == (3,)
    assert recorded_together((start,)) == (), "nothing but the start"
    assert recorded_together((start, replace(a, time=start.time))) == (2,), "the start is no part of a step"


def test_undo_to_the_start_and_redo_to_the_end_is_the_whole_game() -> None:
    events: list[object] = ["a", corrected(_2="A"), "c"]
    undone = 0
    while (seq := undoable(log(*events))) is not None:
        events.append(Withdrawn(seq))
        undone += 1
    assert (undone, counts(*events)) == (3, "")

    while (seq := redoable(log(*events))) is not None:
        events.append(Restored(seq))
    assert counts(*events) == "Ac"


@pytest.mark.parametrize(
    ("events", "event", "message"),
    (
        (("a",), Withdrawn(2), ""),
        (("a",), Withdrawn(3), "Entry 3 cannot be taken back."),
        (("a",), Withdrawn(1), "Entry 1 cannot be taken back."),
        (("a", Withdrawn(2)), Withdrawn(2), "Entry 2 cannot be taken back."),
        (("a", Withdrawn(2)), Withdrawn(3), "Entry 3 cannot be taken back."),
        (("a", Withdrawn(2), Restored(2)), Withdrawn(2), ""),
        (("a", Withdrawn(2), Restored(2)), Withdrawn(4), "Entry 4 cannot be taken back."),
        (("a", corrected(_2="A")), Withdrawn(3), ""),
        (("a", Withdrawn(2)), Restored(2), ""),
        (("a",), Restored(2), "Entry 2 was not taken back."),
        (("a", Withdrawn(2), Restored(2)), Restored(2), "Entry 2 was not taken back."),
        (("a",), Restored(9), "Entry 9 was not taken back."),
        (("a",), corrected(_2="A"), ""),
        (("a", Withdrawn(2)), corrected(_2="A"), ""),
        (("a",), corrected(_2="A", _3="B"), "Entry 3 cannot be corrected."),
        (("a", Withdrawn(2)), corrected(_3="B"), "Entry 3 cannot be corrected."),
        (("a", corrected(_2="A")), corrected(_3="B"), "Entry 3 cannot be corrected."),
        (("a",), Corrected((Change(1, OTHER_START),)), ""),
        (
            ("a",),
            corrected(_1="A"),
            "Entry 1 says who plays: it can only be replaced by another such entry.",
        ),
        (
            ("a",),
            corrected(_1=None),
            "Entry 1 says who plays: it can only be replaced by another such entry.",
        ),
        (
            ("a",),
            Corrected((Change(2, OTHER_START),)),
            "Entry 2 says who plays: it can only be replaced by another such entry.",
        ),
        (("a",), corrected(_2=Withdrawn(1)), "Entry 2 can only become an event of the game."),
        (("a",), corrected(_2=Restored(1)), "Entry 2 can only become an event of the game."),
        (("a",), corrected(_2=corrected(_1=None)), "Entry 2 can only become an event of the game."),
        (("a",), corrected(_2=Unreadable("?", "")), "Entry 2 can only become an event of the game."),
        (("a",), Unreadable("1 eats 26", "no move"), "Nobody understands “1 eats 26”."),
        ((), START, "The session has started already."),
        (("a",), "b", ""),
    ),
)
def test_an_entry_may_only_speak_of_entries_it_can_speak_of(
    events: tuple[object, ...], event: object, message: str
) -> None:
    assert refusal(events, event) == message


def test_the_first_entry_of_all_starts_the_session() -> None:
    check_refers((), START)


def test_how_a_session_is_kept_is_what_was_said_last_and_no_part_of_the_game() -> None:
    said = [Filed(FiledAs.NAMED, "Friday"), "a", Filed(FiledAs.CLOSED), Filed(FiledAs.DELETED)]
    changed = [*said, Filed(FiledAs.REOPENED), Filed(FiledAs.UNDELETED), Filed(FiledAs.NAMED, "At Rui's")]

    assert filing(log(*said)) == Filing("Friday", closed=True, deleted=True)
    assert filing(log(*changed)) == Filing("At Rui's")
    assert counts(*changed) == "a"
    assert undoable(log(*changed)) == 3
    assert redoable(log("a", Withdrawn(2), Filed(FiledAs.CLOSED))) == 2
    assert refusal((Filed(FiledAs.CLOSED),), Withdrawn(2)) == "Entry 2 cannot be taken back."
    assert refusal((Filed(FiledAs.CLOSED),), corrected(_2="a")) == "Entry 2 cannot be corrected."
    assert (
        refusal(("a",), corrected(_2=Filed(FiledAs.CLOSED)))
        == "Entry 2 can only become an event of the game."
    )
