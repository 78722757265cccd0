"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core import notation
from companion.core.correction import Difference, work_out_correction
from companion.core.session import Session
from companion.games.dominations.game import Dominations
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.position import Position
from tests.games.stories import EVENING, begun, lines_of, refused, start_line

DOMINATIONS = Dominations()
SEATS = ("White", "Black", "Green", "Purple")
UNASKED = "unasked"

FISHING = (
    'mastery fishing "Pescaria" C 3 advance C 3 basic 0 0 "turn start: 1 C" advanced 2 1 "turn start: 2 C"'
)
AGRICULTURE = 'mastery agriculture "Agricultura" C 3 basic 0 0 "produce 2 C: 1 C"'
LIVESTOCK = 'mastery livestock "Gado" C 6 basic 0 0 "field: 1 C"'
LIGHTHOUSE = (
    'monument lighthouse "O Farol" lozenge beside T reward TS 10 level T 5 5 0 "now: 1 T per limit T"'
    ' level T 8 8 0 level T 6 12 0 level T 8 24 0 level T 5 15 0 "compare: 2 V"'
)
GARDENS = 'monument gardens "Jardins Suspensos" circle reward C 5 level C 3 4 0'
ROMAN = (
    'objective roman "Romana" "influence 45" "cities 1:5 2:1 3:1" "control 1" "nodi T7 A5 P3" "adjacent 5"'
)
EGYPTIAN = 'objective egyptian "Egípcia" "influence 2" "cities 1:1" "apart 1" "control 1" "masteries 3:1 C"'
CARDS = "\n".join((FISHING, AGRICULTURE, LIVESTOCK, LIGHTHOUSE, GARDENS, ROMAN, EGYPTIAN))


def started(players: int, options: str = UNASKED) -> str:
    """The line that starts a game of that many players."""
    return start_line(DOMINATIONS, SEATS[:players], options)


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines."""
    return begun(DOMINATIONS, start, lines)


def evening(players: int, story: str = "", options: str = UNASKED) -> Session:
    return session_of(started(players, options), lines_of(story))


def play(players: int, story: str = "", options: str = UNASKED) -> Position:
    """The position after a story told in notation."""
    position: Position = evening(players, story, options).position
    return position


def refusal(players: int, story: str, line: str, options: str = UNASKED) -> str:
    """Why the last line cannot be recorded; an empty text when it can."""
    session = evening(players, story, options)
    return refused(session, lines_of(line))


def has(position: Position, player: int) -> dict[str, int]:
    """The Knowledge of a player, counted from 1, by letter, without what there is none of."""
    knowledge = position.seats[player - 1].knowledge
    return {domain.value: knowledge[domain] for domain in Domain if knowledge[domain]}


def rich(player: int, amounts: str, limit: int = 20) -> str:
    """Lines that set up Knowledge as `T9 C3`, with limits wide enough for it."""
    lines = []
    for word in amounts.split():
        if limit > 5:
            lines.append(f"{player} adjusts limit {word[0]} +{limit - 5}")
        lines.append(f"{player} adjusts {word[0]} +{word[1:]}")
    return "\n".join(lines)


def passing(turns: int, players: int = 2, first: int = 0) -> str:
    """Turns in which nobody does anything, in the order people sit."""
    lines = []
    for number in range(first, first + turns):
        who = number % players + 1
        lines += [f"{who} passes", f"{who} ends"]
    return "\n".join(lines)


def era_over(players: int = 2) -> str:
    """A whole Era in which nobody does anything."""
    return passing(5 * players, players)


def seq_of(session: Session, line: str) -> int:
    """The number of the first entry that says so."""
    return next(s.seq for s in session.fold.steps if notation.write_entry(DOMINATIONS, s.event) == line)


def corrected(session: Session, line: str, new: str = "") -> Difference:
    """The difference when the first entry that says so had said something else, or had not been there."""
    event = DOMINATIONS.parse(new) if new else None
    return work_out_correction(session, {seq_of(session, line): event}, "as it lies", EVENING)
