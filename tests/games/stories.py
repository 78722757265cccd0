"""Tables of any game as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.game import Game
from companion.core.log import Entry, Source, Started
from companion.core.session import Session, begin_session

EVENING = datetime(2026, 1, 1, 20, tzinfo=UTC)
SECOND = timedelta(seconds=1)
AnyGame = Game[Any, Any]


def start_line(game: AnyGame, seats: Sequence[str], options: str = "") -> str:
    """The line that starts a game of people called like their colours."""
    people = ", ".join(f'"{name}" {name.lower()}' for name in seats)
    return " ".join(f"start {game.key} {options} with {people}".split())


def begun(game: AnyGame, start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines, each recorded a second after the one before."""
    event = notation.parse_entry(game, start)
    assert isinstance(event, Started)
    return tell(begin_session("story", game, event.setup, Source.COMMAND, EVENING), lines)


def tell(session: Session, lines: Iterable[str]) -> Session:
    """The session after some more lines."""
    for line in lines:
        time = session.entries[-1].time + SECOND
        session = session.record(notation.parse_entry(session.game, line), Source.COMMAND, time)
    return session


def stored(game: AnyGame, lines: Iterable[str]) -> tuple[Entry, ...]:
    """A log as it would come from a store, nothing checked."""
    events = (notation.read_entry(game, line) for line in lines)
    return tuple(
        Entry(seq, event, Source.COMMAND, EVENING + seq * SECOND) for seq, event in enumerate(events, 1)
    )


def lines_of(story: str) -> Iterator[str]:
    """The lines of a story, its indentation and remarks left out."""
    for line in story.splitlines():
        if text := line.partition(" # ")[0].strip():
            yield text


def refused(session: Session, lines: Iterable[str]) -> str:
    """Why these lines cannot be recorded; an empty text when they can."""
    try:
        tell(session, lines)
    except IllegalEvent as error:
        return str(error)
    return ""
