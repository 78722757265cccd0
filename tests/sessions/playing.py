"""A table in tests: a clock that can be set, a game of two, and what is said when something is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from companion.core import notation
from companion.core.errors import CompanionError
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions

KINGDOMINO = GAMES["kingdomino"]
PAIR = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE)))
MOVES = (
    "line 4 31 39 41",  # entry 2
    "1 takes 41",
    "1 takes 31",
    "2 takes 39",
    "2 takes 4",  # 6
    "line 10 17 19 25",
    "2 lays 4 at 0,-2 S",  # 8
    "2 takes 19",
    "1 lays 31 at -1,-1 S",  # 10
    "1 takes 10",
)
MOVED_ON = "StaleSession: The game has moved on since you looked. Nothing was recorded: look again."


class Clock:
    """A clock that a test can set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def play(table: LiveSessions, session: Session, *moves: str) -> Session:
    for move in moves:
        session = table.record(session.id, session.seq, move, Source.PAGE)
    return session


def lines(session: Session) -> list[str]:
    return [notation.write_entry(session.game, entry.event) for entry in session.entries[1:]]


def refused(work: Callable[[], object]) -> str:
    try:
        work()
    except CompanionError as error:
        return f"{type(error).__name__}: {error}"
    return ""
