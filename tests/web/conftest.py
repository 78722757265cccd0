from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.state import Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.pretending import PretendedWatcher
from tests.web.serving import MOVES, PIN, Serving, begin, knowing_the_pin, play, serving
from tests.web.visitor import Visitor


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house on a real file, the same for all tests of a module."""
    path = tmp_path_factory.mktemp("data") / "companion.db"
    table = LiveSessions(SessionRepository(f"sqlite:///{path}", GAMES))
    yield House(
        sessions=table,
        doorkeeper=PinRateLimiter(PIN),
        secret=b"s" * 32,
        names=frozenset({"localhost", "den", "den.local"}),
        addresses=("http://192.168.1.7:8000/",),
        listeners=8,
    )
    table.close()


@pytest.fixture(scope="module")
def app(house: House) -> Flask:
    return create_app(house)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody who only looks."""
    return app.test_client()


@pytest.fixture
def player(app: Flask) -> FlaskClient:
    return knowing_the_pin(app)


@pytest.fixture(scope="module")
def server(app: Flask, house: House) -> Iterator[Serving]:
    """The page over real HTTP."""
    with serving(app, house) as served:
        yield served


@pytest.fixture
def game(house: House) -> Session:
    """A game of Ana and Rui that has come to entry 11."""
    return play(house.sessions, begin(house.sessions), *MOVES)


@pytest.fixture
def player_at(server: Serving) -> Visitor:
    return server.unlocked()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Serving]:
    """A house whose camera watches a game of Ana and Rui that has come to entry 11."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    house = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, watcher=cast("Any", watcher))
    session = play(table, begin(table), *MOVES)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    with serving(create_app(house), house) as served:
        yield served
    table.close()


@pytest.fixture
def watcher(watched: Serving) -> PretendedWatcher:
    assert isinstance(watched.house.watcher, PretendedWatcher)
    return watched.house.watcher


@pytest.fixture
def ana(watched: Serving) -> Visitor:
    return watched.unlocked()
