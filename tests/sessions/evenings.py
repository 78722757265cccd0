"""Sessions as the log gets them: played by the rules, each entry from somewhere and at its own moment."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from companion.core import notation
from companion.core.game import Colour, Player, Setup
from companion.core.log import Corrected, Restored, Source, Withdrawn, undoable
from companion.core.session import Session, begin_session
from companion.games import GAMES

KINGDOMINO = GAMES["kingdomino"]
TABLE = Setup((Player("Ana “A”", Colour.PINK), Player("Zoë 🎲", Colour.BLUE)), frozenset({"harmony"}))
EVENING = datetime(2026, 5, 1, 20, 30, 0, 123456, tzinfo=UTC)
SOURCES = tuple(source for source in Source if source is not Source.HOUSE)
"""Of an evening itself: what the household knew comes before it."""


def evening(id: str = "evening1", seed: int = 7) -> Session:
    """A session just begun."""
    return begin_session(id, KINGDOMINO, TABLE, SOURCES[seed % len(SOURCES)], EVENING + timedelta(days=seed))


def grow(session: Session, event: object) -> Session:
    """One more entry, a moment later and from the next source."""
    last = session.entries[-1]
    time = last.time + timedelta(seconds=1, microseconds=1)
    return session.record(event, SOURCES[session.seq % len(SOURCES)], time)


def move(session: Session, random: Random) -> Session:
    """One more move by the rules."""
    drawn = session.game.draw(session.position, random.randrange(1000))
    return grow(session, drawn or random.choice(list(session.game.legal(session.position))))


def growing(session: Session, moves: int, seed: int = 7) -> Iterator[Session]:
    """The session after every one of so many moves."""
    random = Random(seed)
    for _move in range(moves):
        if session.turn.over:
            return
        session = move(session, random)
        yield session


def played(id: str = "evening1", moves: int = 200, seed: int = 7) -> Session:
    """A session with as many moves as asked for, or as the game has."""
    *_before, last = (evening(id, seed), *growing(evening(id, seed), moves, seed))
    return last


def eventful(id: str = "eventful") -> Session:
    """A session with everything that a log can hold: reasons, undo, redo and corrections."""
    session = played(id, moves=20)
    for _each in range(3):
        last = undoable(session.entries)
        assert last
        session = grow(session, Withdrawn(last))
    session = grow(session, Restored(session.entries[-1].event.seq))  # type: ignore[attr-defined]
    lays = next(e for e in session.entries if " lays " in notation.write_entry(session.game, e.event))
    reasoned = notation.with_reason(
        notation.write_entry(session.game, lays.event), 'it "fell"; 7: nothing\u00a0'
    )
    correction = notation.parse_entry(session.game, f"correct {lays.seq}: {reasoned}")
    assert isinstance(correction, Corrected)
    return grow(session, correction)


def lines(session: Session) -> list[str]:
    return [notation.write_entry(session.game, entry.event) for entry in session.entries]
