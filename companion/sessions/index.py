"""What every session came to, in a few numbers: for lists, people and statistics.

Nothing of it is stored. A summary is worked out from the log, and again when the log has grown; so it can never
say anything else than the log, whatever was corrected since or counts otherwise in a new version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice, pairwise
from threading import Lock

from companion.core.errors import CompanionError
from companion.core.game import Player
from companion.core.log import Filing, Source
from companion.core.session import Session
from companion.sessions.repository import SessionHead, SessionRepository

AT_ONCE = 25
"""Sessions that one look adds up: a Raspberry Pi 4 needs well under a second for them."""


class SessionState(StrEnum):
    """How far a session has come."""

    GOING = "going"
    OVER = "over"
    CLOSED = "closed"
    """Put away before its end."""
    UNREADABLE = "unreadable"
    """Kept as it is; this version cannot play it."""


@dataclass(frozen=True)
class PlayerResult:
    """What a session came to for one player."""

    player: Player
    points: int
    rank: int
    won: bool
    """A shared victory is one."""
    turns: int
    thought: timedelta
    """How long it waited, breaks left out."""


@dataclass(frozen=True)
class SessionSummary:
    """A session in a few numbers."""

    id: str
    game: str
    began: datetime
    ended: datetime
    """When its last move was recorded."""
    state: SessionState = SessionState.UNREADABLE
    filing: Filing = field(default_factory=Filing)
    demonstration: bool = False
    by_people: bool = True
    """Whether people had a part in it; a demonstration that they took over stays one until somebody keeps it."""
    first: int | None = None
    """Who was waited for first."""
    played: bool = True
    """Whether anything happened in it besides its being ended; a whole table may be told by one entry."""
    untold: bool = False
    """Whether somebody has still to tell what may change who has won."""
    options: frozenset[str] = frozenset()
    results: tuple[PlayerResult, ...] = ()
    """In the order people sit."""

    @property
    def counts(self) -> bool:
        """Whether it is a game of people that came to its end, with a winner: statistics are about these alone."""
        ended = self.state is SessionState.OVER and not self.untold and self.played
        return ended and not self.demonstration and not self.filing.deleted

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(result.player for result in self.results)

    @property
    def lasted(self) -> timedelta:
        """How long people were waited for, all together."""
        return sum((result.thought for result in self.results), timedelta())


def summary(session: Session) -> SessionSummary:
    """The session in a few numbers; a session whose log no game can play any more is UNREADABLE."""
    filing = session.filing
    if session.turn.over:
        state = SessionState.OVER
    else:
        state = SessionState.CLOSED if filing.closed else SessionState.GOING
    steps = {step.seq for step in session.fold.steps}
    played = [entry.time for entry in session.entries if entry.seq in steps]
    ended = max(played, default=session.entries[0].time)
    turns, thought = turns_of(session), session.thinking(ended)
    tally = session.tally
    return SessionSummary(
        id=session.id,
        game=session.game.key,
        began=session.entries[0].time,
        ended=ended,
        state=state,
        filing=filing,
        demonstration=session.demonstration,
        by_people=any(entry.source is not Source.DEMO for entry in session.entries),
        first=next((player for player in _asked(session) if player is not None), None),
        played=_played(session),
        untold=tally.standing.open,
        options=session.setup.options,
        results=tuple(
            PlayerResult(
                player,
                tally.totals[seat],
                tally.standing.ranks[seat],
                seat in tally.standing.winners,
                turns[seat],
                thought[seat],
            )
            for seat, player in enumerate(session.setup.players)
        ),
    )


def turns_of(session: Session) -> tuple[int, ...]:
    """How many turns each player has had: by the game's own count, or as often as the table began to wait for them."""
    if (counted := session.game.turns_taken(session.position)) is not None:
        return tuple(counted)
    turns = [0] * len(session.setup.players)
    for before, now in pairwise((None, *_asked(session))):
        if now is not None and now != before:
            turns[now] += 1
    return tuple(turns)


def _played(session: Session) -> bool:
    known = {entry.seq for entry in session.entries if entry.source is Source.HOUSE}
    steps = zip(session.fold.positions, session.fold.steps, strict=False)
    return any(step.seq not in known and step.event != session.game.stop(before) for before, step in steps)


def _asked(session: Session) -> Iterator[int | None]:
    """Whom the table waited for, position by position."""
    return (session.game.turn(position).player for position in session.fold.positions)


class SessionIndex:
    """The summaries of all sessions, the newest first; brought up to date a few at a time."""

    def __init__(self, store: SessionRepository) -> None:
        self._store = store
        self._lock = Lock()
        self._seen = 0
        self._heads: dict[str, SessionHead] = {}
        """Every session, the newest first."""
        self._known: dict[str, SessionSummary] = {}
        self._waiting: set[str] = set()
        """Those that are new or have grown."""

    def refresh(self, most: int | None = AT_ONCE) -> int:
        """Add up so many of the sessions that are new or have grown, the newest first; how many are left."""
        with self._lock:
            self._look()
            for head in islice([head for id, head in self._heads.items() if id in self._waiting], most):
                self._known[head.id] = self._sum_up(head)
                self._waiting.discard(head.id)
            return len(self._waiting)

    def summaries(self) -> Sequence[SessionSummary]:
        """What is known by now, the newest session first."""
        with self._lock:
            return [self._known[id] for id in self._heads if id in self._known]

    def _look(self) -> None:
        """Take note of what has grown since the last look."""
        latest = self._store.latest()
        if latest == self._seen:
            return
        grown = self._store.heads(self._seen)
        if any(head.id not in self._heads for head in grown):
            found = {head.id: head for head in grown}
            heads = sorted((self._heads | found).values(), key=lambda head: head.id)
            self._heads = {
                head.id: head for head in sorted(heads, key=lambda head: head.created, reverse=True)
            }
        self._waiting.update(head.id for head in grown)
        self._seen = latest

    def _sum_up(self, head: SessionHead) -> SessionSummary:
        try:
            return summary(self._store.load(head.id))
        except CompanionError:
            return SessionSummary(head.id, head.game, head.created, head.created)
