"""A real log for each test of a game, and somebody at its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.serving import knowing_the_pin


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveSessions]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    yield table
    table.close()


@pytest.fixture
def player(table: LiveSessions) -> FlaskClient:
    return knowing_the_pin(create_app(House(table, PinRateLimiter("1234"), b"s" * 32)))
