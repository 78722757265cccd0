"""The table: recorded first, then shown, and the same tap never counts twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from companion.core.errors import IllegalEvent, NotationError, StaleSession, UnknownSession
from companion.core.log import Source
from companion.core.session import Session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.sessions.playing import KINGDOMINO, MOVED_ON, MOVES, PAIR, Clock, lines, refused


def test_what_is_shown_is_what_is_recorded(
    table: LiveSessions, store: SessionRepository, game: Session
) -> None:
    assert lines(game) == list(MOVES)
    assert table.session(game.id) is game
    assert store.load(game.id).entries == game.entries


def test_every_entry_has_its_source_and_its_moment(table: LiveSessions, clock: Clock) -> None:
    session = table.begin(KINGDOMINO, PAIR, Source.DEMO)
    session = table.record(session.id, 1, MOVES[0], Source.CAMERA)
    session = table.undo(session.id, 2, Source.BUTTON)

    assert [(entry.source, entry.time) for entry in session.entries] == [
        (source, clock.now - timedelta(seconds=ago))
        for source, ago in ((Source.DEMO, 2), (Source.CAMERA, 1), (Source.BUTTON, 0))
    ]


def test_undo_goes_back_step_by_step_and_redo_forth(table: LiveSessions, game: Session) -> None:
    undone = table.undo(game.id, game.seq, Source.PAGE)
    twice = table.undo(game.id, undone.seq, Source.PAGE)
    redone = table.redo(game.id, twice.seq, Source.PAGE)
    again = table.redo(game.id, redone.seq, Source.PAGE)

    assert lines(again)[-4:] == ["withdraw 11", "withdraw 10", "restore 10", "restore 11"]
    assert undone.position == redone.position
    assert again.position == game.position


def test_nothing_to_take_back_or_to_bring_back_is_said(table: LiveSessions) -> None:
    session = table.begin(KINGDOMINO, PAIR, Source.PAGE)

    assert refused(lambda: table.undo(session.id, 1, Source.PAGE)) == (
        "IllegalEvent: There is nothing to take back."
    )
    assert refused(lambda: table.redo(session.id, 1, Source.PAGE)) == (
        "IllegalEvent: There is nothing to bring back."
    )
    assert table.session(session.id).seq == 1


def test_who_looked_at_an_older_table_is_refused(table: LiveSessions, game: Session) -> None:
    for seq in (0, 1, game.seq - 1, game.seq + 1, 10**8):
        assert refused(partial(table.record, game.id, seq, "1 takes 17", Source.PAGE)) == MOVED_ON
    for seq in (0, game.seq - 1, game.seq + 1, 10**8):
        assert refused(partial(table.correct, game.id, seq, {9: "2 takes 25"}, Source.PAGE)) == MOVED_ON
    assert refused(lambda: table.undo(game.id, game.seq - 1, Source.PAGE)) == MOVED_ON

    assert table.session(game.id) is game


def test_the_same_tap_sent_twice_counts_once(table: LiveSessions, game: Session) -> None:
    once = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)
    twice = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

    assert twice is once
    assert table.session(game.id).seq == game.seq + 1


def test_the_same_undo_redo_and_correction_sent_twice_count_once(table: LiveSessions, game: Session) -> None:
    undone = table.undo(game.id, game.seq, Source.PAGE)
    assert table.undo(game.id, game.seq, Source.PAGE) is undone
    redone = table.redo(game.id, undone.seq, Source.PAGE)
    assert table.redo(game.id, undone.seq, Source.PAGE) is redone
    changes = {2: "line 4 31 39 43"}
    corrected = table.correct(game.id, redone.seq, changes, Source.PAGE)
    assert table.correct(game.id, redone.seq, changes, Source.PAGE) is corrected

    assert lines(corrected)[-3:-1] == ["withdraw 11", "restore 11"]
    assert lines(corrected)[-1] == "correct 2: line 4 31 39 43; 3: 1 takes 43"


def test_the_same_event_from_elsewhere_is_not_the_same_tap(table: LiveSessions, game: Session) -> None:
    table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.CAMERA)

    with pytest.raises(StaleSession):
        table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)


@pytest.mark.parametrize(
    ("text", "expected"),
    (
        ("", "NotationError: “” is not a move of Kingdomino."),
        ("1 takes 17", "IllegalEvent: No king can be set now."),
        ("withdraw 1", "NotationError: “withdraw 1” is not a move."),
        ("restore 3", "NotationError: “restore 3” is not a move."),
        ("correct 99: nothing", "NotationError: “correct 99: nothing” is not a move."),
        (
            'start kingdomino with "A" pink, "B" blue',
            'NotationError: “start kingdomino with "A" pink, "B" blue” is not a move.',
        ),
        ("x" * 30_000, "NotationError: This line is too long, or has characters that do not belong in it."),
        (
            "2 lays 39\nat 0,2 N",
            "NotationError: This line is too long, or has characters that do not belong in it.",
        ),
    ),
)
def test_what_cannot_be_recorded_changes_nothing(
    table: LiveSessions, store: SessionRepository, game: Session, text: str, expected: str
) -> None:
    assert refused(lambda: table.record(game.id, game.seq, text, Source.PAGE)) == expected
    assert store.load(game.id).entries == game.entries


def test_an_unknown_session_is_named(table: LiveSessions) -> None:
    with pytest.raises(UnknownSession, match="There is no session “nobody”"):
        table.session("nobody")


def test_looking_at_a_correction_records_nothing(
    table: LiveSessions, store: SessionRepository, game: Session
) -> None:
    difference = table.difference(game.id, {8: "2 lays 4 at 0,1 S"})

    assert difference.before is game
    assert difference.after.seq == game.seq + 1
    assert store.load(game.id).entries == game.entries
    assert table.session(game.id) is game


def test_a_correction_leaves_out_what_no_longer_fits_and_undo_brings_all_back(
    table: LiveSessions, store: SessionRepository, game: Session
) -> None:
    difference = table.difference(game.id, {8: "nothing"})
    corrected = table.correct(game.id, game.seq, {8: "nothing"}, Source.PAGE)

    assert [misfit.seq for misfit in difference.left_out] == [9, 10, 11]
    assert lines(corrected)[-1] == "correct 8: nothing; 9: nothing; 10: nothing; 11: nothing"
    assert corrected.problems == ()
    assert store.load(game.id).entries == corrected.entries
    undone = table.undo(game.id, corrected.seq, Source.PAGE)
    assert (undone.position, undone.problems) == (game.position, game.problems)


def test_a_correction_that_cannot_count_itself_is_refused(table: LiveSessions, game: Session) -> None:
    said = refused(lambda: table.correct(game.id, game.seq, {9: "2 takes 48"}, Source.PAGE))

    assert said == "IllegalEvent: Domino 48 is not in the line."
    assert table.session(game.id) is game


@pytest.mark.parametrize("changes", ({}, {99: "nothing"}, {0: "nothing"}, {1: "nothing"}, {2: "withdraw 3"}))
def test_a_correction_of_nothing_is_refused(
    table: LiveSessions, game: Session, changes: dict[int, str]
) -> None:
    works: tuple[Callable[[], object], ...] = (
        lambda: table.difference(game.id, changes),
        lambda: table.correct(game.id, game.seq, changes, Source.PAGE),
    )
    for work in works:
        with pytest.raises((IllegalEvent, NotationError)):
            work()

    assert table.session(game.id) is game


def test_who_plays_can_be_corrected(table: LiveSessions, game: Session) -> None:
    start = 'start kingdomino harmony with "Eva" green, "Rui" blue'

    corrected = table.correct(game.id, game.seq, {1: start}, Source.PAGE)

    assert [player.name for player in corrected.setup.players] == ["Eva", "Rui"]
    assert corrected.problems == ()
