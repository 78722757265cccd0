"""What goes into the log comes out of it, entry by entry, from any process that opens it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from companion.core.errors import StaleSession, StoreError, UnknownSession
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.database import open_engine, reading, writing
from companion.sessions.repository import LONG_AGO, SessionRepository
from tests.sessions.conftest import POSTGRESQL, VARIABLE
from tests.sessions.evenings import EVENING, SOURCES, evening, eventful, growing, move, played


@pytest.mark.skipif(not POSTGRESQL, reason=f"{VARIABLE} names no empty PostgreSQL database to try")
def test_postgresql_is_tried_like_sqlite() -> None:
    engine = open_engine(POSTGRESQL)
    with writing(engine) as connection:
        assert connection.dialect.name == "postgresql"
    engine.dispose()


def test_a_new_log_is_empty(store: SessionRepository) -> None:
    assert list(store.list()) == []
    assert store.latest() == 0
    assert store.damage() == ""


def test_a_session_comes_back_as_it_was_begun(store: SessionRepository) -> None:
    session = evening()

    store.begin(session)

    assert store.load("evening1") == session


def test_a_game_recorded_move_by_move_comes_back_equal(
    store: SessionRepository, other: SessionRepository
) -> None:
    store.begin(evening())
    for session in growing(evening(), moves=200):
        store.append(session)

    loaded = other.load("evening1")

    assert loaded.entries == session.entries
    assert loaded.position == session.position
    assert loaded.tally == session.tally
    assert loaded.turn.over
    assert {entry.source for entry in loaded.entries} == set(SOURCES)


def test_undo_redo_reasons_and_corrections_come_back_equal(store: SessionRepository) -> None:
    session = eventful()
    store.begin(session)

    loaded = store.load("eventful")

    assert loaded.entries == session.entries
    assert loaded.fold == session.fold


def test_a_time_in_another_zone_comes_back_as_the_same_moment(store: SessionRepository) -> None:
    there = EVENING.astimezone(timezone(timedelta(hours=-3)))
    begun = evening()
    session = begun.record(GAMES["kingdomino"].parse("line 1 2 3 4"), Source.PAGE, there)
    store.begin(session)

    assert store.load("evening1").entries[-1].time == there


def test_a_number_is_given_once(store: SessionRepository, other: SessionRepository) -> None:
    store.begin(evening())
    one, another = next(growing(evening(), 1, seed=1)), next(growing(evening(), 1, seed=2))
    store.append(one)

    with pytest.raises(StaleSession, match="Somebody else recorded something at the same moment"):
        other.append(another)

    assert store.load("evening1").entries == one.entries


def test_a_session_is_begun_once(store: SessionRepository, other: SessionRepository) -> None:
    store.begin(evening())

    with pytest.raises(StaleSession):
        other.begin(played("evening1", moves=3))

    assert store.load("evening1") == evening()
    assert store.latest() == 1


def test_a_session_begins_with_all_its_entries_or_not_at_all(store: SessionRepository) -> None:
    session = played(moves=3)
    twice = Session(session.id, session.game, (*session.entries, session.entries[-1]))

    with pytest.raises(StaleSession):
        store.begin(twice)

    assert list(store.list()) == []
    assert store.latest() == 0


@pytest.mark.parametrize("id", ("nobody", "", "x" * 10_000, "' OR 1=1 --", "évening", "a\0b"))
def test_a_session_that_is_not_there_is_named(store: SessionRepository, id: str) -> None:
    with pytest.raises(UnknownSession, match="There is no session “"):
        store.load(id)


def test_a_game_we_do_not_have_is_kept_and_named(url: str, store: SessionRepository) -> None:
    store.begin(evening())
    narrow = SessionRepository(url, {})

    with pytest.raises(
        StoreError, match="evening1 is a game of “kingdomino”, which this version does not know"
    ):
        narrow.load("evening1")
    narrow.close()

    assert store.load("evening1") == evening()


def test_the_list_has_the_newest_first(store: SessionRepository) -> None:
    for number in (1, 3, 2):
        store.begin(played(f"evening{number}", moves=number, seed=number))

    assert [(item.id, item.entries) for item in store.list()] == [
        ("evening3", 4),
        ("evening2", 3),
        ("evening1", 2),
    ]
    assert [item.id for item in store.list(limit=1, offset=1)] == ["evening2"]
    assert list(store.list(limit=5, offset=3)) == []
    first = store.list()[0]
    assert (first.game, first.created) == ("kingdomino", evening(seed=3).entries[0].time)
    assert first.source is evening(seed=3).entries[0].source


def test_the_newest_number_grows_with_every_entry_of_anybody(
    store: SessionRepository, other: SessionRepository
) -> None:
    store.begin(evening("one"))
    other.begin(evening("two"))
    assert (store.latest(), other.latest()) == (2, 2)

    other.append(next(growing(evening("two"), 1)))

    assert (store.latest(), other.latest()) == (3, 3)


def test_a_refused_entry_leaves_no_gap_in_a_session(
    store: SessionRepository, other: SessionRepository
) -> None:
    store.begin(evening())
    one, two = list(growing(evening(), 2))
    store.append(one)
    with pytest.raises(StaleSession):
        other.append(one)
    other.append(two)

    assert [entry.seq for entry in store.load("evening1").entries] == [1, 2, 3]


def spoil(store: SessionRepository, change: str) -> None:
    """Change the log behind everybody's back, as a hand with an editor would."""
    engine = open_engine(store.url)
    with writing(engine) as connection:
        connection.execute(text(change))
    engine.dispose()


def test_a_line_nobody_understands_is_kept_and_reported(store: SessionRepository) -> None:
    store.begin(played(moves=5))
    spoil(store, "UPDATE entries SET event = 'eats the box' WHERE seq = 3")

    loaded = store.load("evening1")

    assert len(loaded.entries) == 6
    assert str(loaded.problems[0]) == "Entry 3 does not count: Nobody understands “eats the box”."


@pytest.mark.parametrize("change", ("source = 'oracle'", "time = 'yesterday'", "time = ''"))
def test_what_no_version_of_ours_wrote_is_kept_and_named(store: SessionRepository, change: str) -> None:
    store.begin(evening("good"))
    store.begin(played("odd", moves=5))
    spoil(store, f"UPDATE entries SET {change} WHERE session = 'odd' AND seq = 1")

    with pytest.raises(StoreError, match="Session odd cannot be read by this version; it is kept as it is"):
        store.load("odd")
    assert store.load("good") == evening("good")
    assert {item.id for item in store.list()} == {"good", "odd"}


@pytest.mark.parametrize("created", ("last week", "", "2026-01-01"))
def test_one_odd_session_does_not_spoil_the_list(store: SessionRepository, created: str) -> None:
    store.begin(played("good", seed=1, moves=1))
    store.begin(played("odd", seed=2, moves=1))
    spoil(store, f"UPDATE sessions SET created = '{created}' WHERE id = 'odd'")
    spoil(store, "DELETE FROM entries WHERE session = 'odd' AND seq = 1")

    listed = {item.id: item for item in store.list()}

    assert listed["odd"].created == LONG_AGO
    assert listed["good"].created == evening(seed=1).entries[0].time


def test_sqlite_is_told_to_keep_every_entry_through_a_power_cut(file: Path) -> None:
    store = SessionRepository(f"sqlite:///{file}", GAMES)
    engine = open_engine(store.url)
    with reading(engine) as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    engine.dispose()
    store.close()

    full = 2
    assert said == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1}


def test_an_entry_is_in_the_file_as_soon_as_it_is_recorded(file: Path) -> None:
    store = SessionRepository(f"sqlite:///{file}", GAMES)
    store.begin(evening())
    for session in growing(evening(), 5):
        store.append(session)
        with closing(sqlite3.connect(file)) as reader:
            assert reader.execute("SELECT max(seq) FROM entries").fetchone() == (session.seq,)
    store.close()


def test_an_entry_needs_its_session(store: SessionRepository) -> None:
    with pytest.raises(StaleSession):
        store.append(played("nobody", moves=1))

    assert store.latest() == 0


def test_reading_goes_on_while_somebody_writes(store: SessionRepository, other: SessionRepository) -> None:
    store.begin(evening())
    engine = open_engine(store.url)
    with writing(engine) as connection:
        connection.execute(text("UPDATE sessions SET game = 'changed'"))
        assert other.load("evening1") == evening()
        assert len(other.list()) == 1
    engine.dispose()


def test_moves_are_equal_however_often_they_are_played() -> None:
    assert move(evening(), Random(3)).entries == move(evening(), Random(3)).entries
