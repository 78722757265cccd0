"""The page over real HTTP in this process, where a test can look behind it; and games to look at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.app import _server
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.sessions.playing import MOVES as MOVES
from tests.web.visitor import PATIENCE_S, Visitor

PIN = "2468"
FORM = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "blue"}


@dataclass(frozen=True)
class Serving:
    """A server that answers."""

    port: int
    house: House

    @property
    def pin(self) -> str:
        return self.house.doorkeeper.pin

    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def unlocked(self) -> Visitor:
        visitor = self.visitor()
        visitor.unlock(self.pin)
        return visitor


@contextmanager
def serving(app: Flask, house: House) -> Iterator[Serving]:
    """Serve until the test is done, and leave no socket or thread behind."""
    server: Any = _server(app, "127.0.0.1", 0, house.listeners)  # type: ignore[arg-type]  # no door before it
    thread = Thread(target=server.run, name="server")
    thread.start()
    yield Serving(int(server.effective_port), house)
    house.sessions.news.close()
    server.task_dispatcher.shutdown()
    with suppress(OSError):  # awake for another reason, the server may be gone before it is woken
        server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
    thread.join(10)
    assert not thread.is_alive()


@contextmanager
def household(folder: Path, **inside: Any) -> Iterator[Serving]:
    """A house with its log in that folder, and what else is in it, served until the test is done."""
    table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
    house = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, **inside)
    with serving(create_app(house), house) as served:
        yield served
    table.close()


def knowing_the_pin(app: Flask) -> FlaskClient:
    """Somebody whose device knows the PIN."""
    client = app.test_client()
    with client.session_transaction() as session:
        session["pin"] = app.extensions["companion"].pin_mark
    return client


def begin(table: LiveSessions, players: int = 2, options: str = "", names: tuple[str, ...] = ()) -> Session:
    people = tuple(
        Player(name, colour)
        for name, colour in zip(names or ("Ana", "Rui", "Eva", "Teo"), list(Colour), strict=False)
    )
    setup = Setup(people[:players], frozenset(options.split()))
    return table.begin(GAMES["kingdomino"], setup, Source.PAGE)


def play(table: LiveSessions, session: Session, *moves: str) -> Session:
    for move in moves:
        session = table.record(session.id, session.seq, move, Source.PAGE)
    return session


def to_the_end(table: LiveSessions, session: Session) -> Session:
    """The game played through with the first choice each time."""
    while not session.turn.over:
        drawn = session.game.draw(session.position, session.seq)
        event = drawn or session.game.legal(session.position)[0]
        session = play(table, session, session.game.write(event))
    return session


class Listener:
    """A page that listens for news of a session."""

    def __init__(self, port: int, id: str, headers: Mapping[str, str] | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._connection.request("GET", f"/s/{id}/events", headers=dict(headers or {}))
        self.response: HTTPResponse = self._connection.getresponse()

    def line(self) -> str:
        """The next line of the stream; empty when it has ended."""
        return self.response.readline().decode()

    def news(self) -> int:
        """The number of the next entry told, or -1 when the stream has ended."""
        while line := self.line():
            if found := re.fullmatch(r'data: \{"seq": (\d+)\}\n', line):
                return int(found[1])
        return -1

    def close(self) -> None:
        self.response.close()
        self._connection.close()
