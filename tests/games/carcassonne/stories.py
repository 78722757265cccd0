"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.log import Entry, Source, Started
from companion.core.session import Session, begin
from companion.core.tally import Tally
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.position import Position

CARCASSONNE = Carcassonne()
SEATS = ("Red", "Blue", "Green", "Yellow", "Black")
EVENING = datetime(2026, 1, 1, 20, tzinfo=UTC)


def started(players: int, options: str = "") -> str:
    """The line that starts a game of that many players."""
    seats = ", ".join(f'"{name}" {name.lower()}' for name in SEATS[:players])
    return f"start carcassonne {options} with {seats}".replace("  ", " ")


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines, each recorded a second after the one before."""
    event = notation.parse(CARCASSONNE, start)
    assert isinstance(event, Started)
    session = begin("golden", CARCASSONNE, event.setup, Source.COMMAND, EVENING)
    return tell(session, lines)


def tell(session: Session, lines: Iterable[str]) -> Session:
    """The session after some more lines."""
    for line in lines:
        time = session.entries[-1].time + timedelta(seconds=1)
        session = session.record(notation.parse(session.game, line), Source.COMMAND, time)
    return session


def entries_of(lines: Iterable[str]) -> tuple[Entry, ...]:
    """A log as it would come from a store, nothing checked."""
    events = (notation.read(CARCASSONNE, line) for line in lines)
    return tuple(
        Entry(seq, event, Source.COMMAND, EVENING + timedelta(seconds=seq))
        for seq, event in enumerate(events, 1)
    )


def lines_of(story: str) -> Iterator[str]:
    """The lines of a story, its indentation and remarks left out."""
    for line in story.splitlines():
        if text := line.partition(" # ")[0].strip():
            yield text


def evening(players: int, story: str = "", options: str = "") -> Session:
    """The session after a story told in notation."""
    return session_of(started(players, options), lines_of(story))


def play(players: int, story: str = "", options: str = "") -> Position:
    """The position after a story told in notation."""
    position: Position = evening(players, story, options).position
    return position


def refusal(players: int, story: str, line: str, options: str = "") -> str:
    """Why the last line cannot be recorded; an empty text when it can."""
    session = evening(players, story, options)
    try:
        tell(session, [line])
    except IllegalEvent as error:
        return str(error)
    return ""


def said(tally: Tally, player: int) -> list[tuple[str, str, int]]:
    """A player's lines of a tally as people read them."""
    return [(str(line.reason), line.working, line.points) for line in tally.of(player)]


def troubles(session: Session) -> list[str]:
    """What the page tells people to look at."""
    return [str(problem) for problem in session.problems]
