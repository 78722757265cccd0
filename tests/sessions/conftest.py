from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.sessions.playing import KINGDOMINO, MOVES, PAIR, Clock, play

VARIABLE = "COMPANION_TEST_POSTGRESQL"
"""Names an empty PostgreSQL database that the tests may fill and clear."""


POSTGRESQL = os.environ.get(VARIABLE, "")


@pytest.fixture(params=("sqlite", "postgresql") if POSTGRESQL else ("sqlite",))
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    engine = create_engine(POSTGRESQL)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE IF EXISTS entries, sessions, alembic_version, scratch"))
    engine.dispose()
    return POSTGRESQL


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the log lies when it is a file."""
    return tmp_path / "companion.db"


@pytest.fixture
def store(url: str) -> Iterator[SessionRepository]:
    store = SessionRepository(url, GAMES)
    yield store
    store.close()


@pytest.fixture
def other(url: str, store: SessionRepository) -> Iterator[SessionRepository]:
    """The same log, opened by somebody else."""
    assert store.url == url
    other = SessionRepository(url, GAMES)
    yield other
    other.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(store: SessionRepository, clock: Clock) -> Iterator[LiveSessions]:
    table = LiveSessions(store, clock)
    yield table
    table.close()


@pytest.fixture
def neighbour(url: str) -> Iterator[LiveSessions]:
    """Another companion on the same log."""
    store = SessionRepository(url, GAMES)
    neighbour = LiveSessions(store)
    yield neighbour
    neighbour.close()
    store.close()


@pytest.fixture
def game(table: LiveSessions) -> Session:
    """A game of two that has come to entry 11."""
    return play(table, table.begin(KINGDOMINO, PAIR, Source.PAGE), *MOVES)
