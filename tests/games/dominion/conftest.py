"""A real log for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSessions]:
    """A real log, the same for all tests here."""
    table = LiveSessions(
        SessionRepository(f"sqlite:///{tmp_path_factory.mktemp('data') / 'companion.db'}", GAMES)
    )
    yield table
    table.close()
