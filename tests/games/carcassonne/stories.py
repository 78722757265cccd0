"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.log import Entry
from companion.core.session import Session
from companion.core.tally import Tally
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.rules.position import Position
from tests.games.stories import begun, lines_of, refused, start_line, stored

CARCASSONNE = Carcassonne()
SEATS = ("Red", "Blue", "Green", "Yellow", "Black")


def started(players: int, options: str = "") -> str:
    """The line that starts a game of that many players."""
    return start_line(CARCASSONNE, SEATS[:players], options)


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines."""
    return begun(CARCASSONNE, start, lines)


def entries_of(lines: Iterable[str]) -> tuple[Entry, ...]:
    """A log as it would come from a store, nothing checked."""
    return stored(CARCASSONNE, lines)


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
    return refused(session, [line])


def said(tally: Tally, player: int) -> list[tuple[str, str, int]]:
    """A player's lines of a tally as people read them."""
    return [(str(line.reason), line.working, line.points) for line in tally.of(player)]


def troubles(session: Session) -> list[str]:
    """What the page tells people to look at."""
    return [str(problem) for problem in session.problems]
