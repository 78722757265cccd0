"""A session: who plays, the log, what follows from it, and its entries in words.

A `Session` is an immutable snapshot; `fold` plays its log from the start. What does not fit is left out and
reported, never a reason to refuse a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from companion.core import notation
from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import AnyGame, Earlier, Option, Remark, Setup, Turn
from companion.core.log import (
    Corrected,
    CountedEvent,
    Entry,
    Filed,
    FiledAs,
    Filing,
    Restored,
    Source,
    Started,
    Unreadable,
    Withdrawn,
    check_refers,
    effective_events,
    filing,
    without_effect,
)
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.tally import Tally

PAUSE = timedelta(minutes=15)
"""A silence longer than this is a break, and counts as nobody's thinking time."""


@dataclass(frozen=True)
class Misfit:
    """An entry of the log that cannot count, and why."""

    seq: int
    event: object
    reason: Message


@dataclass(frozen=True)
class Fold:
    """What a log comes to: every position on the way, and what did not fit."""

    setup: Setup
    steps: tuple[CountedEvent, ...]
    positions: tuple[Any, ...]
    """The position before the first step, then after each step."""
    misfits: tuple[Misfit, ...]

    @property
    def position(self) -> Any:
        return self.positions[-1]

    def before(self, seq: int) -> Any:
        """The position just before the entry of that number."""
        return self.positions[sum(step.seq < seq for step in self.steps)]


def fold(game: AnyGame, entries: Iterable[Entry]) -> Fold:
    """Play the log from its start; what does not fit is left out and reported, never a reason to refuse a session."""
    entries = tuple(entries)
    counting = effective_events(entries)
    if not counting or not isinstance(counting[0].event, Started):
        raise NotationError(_("This log does not begin by saying who plays."))
    setup = counting[0].event.setup
    position = game.start(setup)
    steps, positions, misfits = [], [position], []
    for step in counting[1:]:
        try:
            position = play_event(game, entries, position, step.event)
        except IllegalEvent as error:
            misfits.append(Misfit(step.seq, step.event, error.message))
        else:
            steps.append(step)
            positions.append(position)
    return Fold(setup, tuple(steps), tuple(positions), tuple(misfits))


def play_event(game: AnyGame, entries: Sequence[Entry], position: Any, event: object) -> Any:
    """The position after one more event of the log, or IllegalEvent."""
    if isinstance(event, (Started, Unreadable)):
        check_refers(entries, event)
    return game.apply(position, event)


@dataclass(frozen=True)
class Session:
    """An immutable snapshot: recording something gives a new one."""

    id: str
    game: AnyGame
    entries: tuple[Entry, ...]

    @cached_property
    def fold(self) -> Fold:
        return fold(self.game, self.entries)

    @property
    def setup(self) -> Setup:
        return self.fold.setup

    @property
    def options(self) -> tuple[Option, ...]:
        """What this table has switched on, in the order the game offers it."""
        return tuple(option for option in self.game.options if option.key in self.setup.options)

    @property
    def position(self) -> Any:
        return self.fold.position

    @property
    def earlier(self) -> Earlier[Any, Any]:
        """This game as the next ones of the household remember it."""
        gone = without_effect(self.entries)
        said = {entry.seq: entry.time for entry in self.entries}
        for entry in self.entries:
            if isinstance(entry.event, Corrected) and entry.seq not in gone:
                said.update((change.seq, entry.time) for change in entry.event.changes)
        return Earlier(self.position, [(said[step.seq], step.event) for step in self.fold.steps])

    @cached_property
    def filing(self) -> Filing:
        """How people keep it: by which name, put away, in the bin."""
        return filing(self.entries)

    @property
    def demonstration(self) -> bool:
        """Whether it began as a demonstration, and nobody has said that it is a game of people."""
        return self.entries[0].source is Source.DEMO and not self.filing.kept

    @property
    def going(self) -> bool:
        """Whether people are at it: it has not come to its end, and nobody has put it away."""
        return not (self.turn.over or self.filing.closed or self.filing.deleted)

    @property
    def untouched(self) -> bool:
        """Whether nobody has moved: what counts is only what the household knew."""
        told = {entry.seq for entry in self.entries if entry.source is Source.HOUSE}
        return all(step.seq in told for step in self.fold.steps)

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self.entries[-1].seq

    @cached_property
    def tally(self) -> Tally:
        return self.game.tally(self.position)

    @cached_property
    def turn(self) -> Turn:
        return self.game.turn(self.position)

    @cached_property
    def problems(self) -> tuple[Remark, ...]:
        """Everything about this session that people should look at."""
        misfits = (
            Remark(_("Entry %(seq)d does not count: %(reason)s", seq=misfit.seq, reason=misfit.reason))
            for misfit in self.fold.misfits
        )
        return (*misfits, *self.game.problems(self.position))

    def record(self, event: object, source: Source, time: datetime) -> Session:
        """The session with one more entry, or IllegalEvent when the log or the rules do not allow it."""
        check_refers(self.entries, event)
        if len(notation.write_entry(self.game, event)) > notation.LINE_LIMIT:
            raise IllegalEvent(_("This is too much for one entry of the log: change less at a time."))
        entry = Entry(self.seq + 1, event, source, time)
        grown = replace(self, entries=(*self.entries, entry))
        if isinstance(event, Filed):
            grown.__dict__["fold"] = self.fold
            return grown
        if self.filing.closed or self.filing.deleted:
            raise IllegalEvent(_("This game was put away: open it again before anything else is recorded."))
        if isinstance(event, (Withdrawn, Restored, Corrected)):
            # Folded at once, because who plays can be corrected to a table that cannot play.
            grown.__dict__["fold"] = fold(self.game, grown.entries)
            return grown
        position = self.game.apply(self.position, event)
        # A plain event only adds a position; refolding the whole log would make a long game slower with each move.
        grown.__dict__["fold"] = replace(
            self.fold,
            steps=(*self.fold.steps, CountedEvent(entry.seq, event)),
            positions=(*self.fold.positions, position),
        )
        return grown

    def thinking(self, now: datetime) -> tuple[timedelta, ...]:
        """How long each player has been waited for, breaks left out."""
        spent = [timedelta()] * len(self.setup.players)
        times = {entry.seq: entry.time for entry in self.entries}
        moments = [times[step.seq] for step in self.fold.steps]
        started = [self.entries[0].time, *moments]
        ended = [*moments, now]
        for position, start, end in zip(self.fold.positions, started, ended, strict=True):
            turn = self.game.turn(position)
            if turn.player is not None and not turn.over and timedelta() < end - start <= PAUSE:
                spent[turn.player] += end - start
        return tuple(spent)


_FILED: Mapping[FiledAs, Message] = {
    FiledAs.NAMED: _("Its name was taken away"),
    FiledAs.CLOSED: _("Put away before its end"),
    FiledAs.REOPENED: _("Opened again"),
    FiledAs.DELETED: _("Put into the bin"),
    FiledAs.UNDELETED: _("Taken out of the bin"),
    FiledAs.KEPT: _("Kept among the games of people"),
}


def begin_session(id: str, game: AnyGame, setup: Setup, source: Source, time: datetime) -> Session:
    """A new session with its first entry."""
    session = Session(id, game, (Entry(1, Started(setup), source, time),))
    game.start(setup)
    return session


def entry_in_words(session: Session, event: object) -> Remark:
    """Any entry of the log in words."""
    match event:
        case Started(setup):
            options = [option.name for option in session.game.options if option.key in setup.options]
            names = [player.name for player in setup.players]
            return Remark(_("The game begins: %(who)s", who=joined([*names, *options])))
        case Corrected(changes, back) if back:
            return Remark(_("Correction %(seq)d taken back", seq=back))
        case Corrected(changes):
            numbers, count = ", ".join(str(change.seq) for change in changes), len(changes)
            return Remark(
                _n(
                    "Correction of entry %(entries)s",
                    "Correction of entries %(entries)s",
                    count,
                    entries=numbers,
                )
            )
        case Unreadable(text):
            return Remark(_("Cannot be understood: %(text)s", text=text[:80]))
        case Filed(said, name):
            return Remark(_FILED[said] if not name else _("Named “%(name)s”", name=name), whole=True)
        case _:
            return session.game.describe(event, session.position, session.setup.players)
