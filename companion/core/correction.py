"""What a correction would come to: what follows it, what stays as it lies, and what could not count any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.following import Following, Told
from companion.core.log import Change, Corrected, Entry, Source, Started, Step, check_refers, effective
from companion.core.message import message as _
from companion.core.session import Misfit, Session, play

AnyTold = Told[Any, Any]
AnyFollowing = Following[Any, Any]

Changes = Mapping[int, object | None]
"""What entries should have said, by their numbers; nothing for one that should not have been there."""


@dataclass(frozen=True)
class Difference:
    """A correction before it is accepted."""

    before: Session
    after: Session
    changes: tuple[Change, ...]
    """The corrections asked for, and those that follow from them."""
    kept: frozenset[int]
    """Later entries that break the rules now, but stay because that is how it lies on the table."""
    left_out: tuple[Misfit, ...]
    """Later entries that could not count any more."""

    @property
    def final(self) -> Corrected:
        """The entry to record: what no longer fits is left out by the same step, so undo brings all back."""
        gone = (Change(misfit.seq, None) for misfit in self.left_out)
        final = {change.seq: change for change in (*self.changes, *gone)}
        return Corrected(tuple(final[seq] for seq in sorted(final)))


def work_out(session: Session, asked: Changes, because: str, time: datetime) -> Difference:
    """Fold the log with the corrections, and keep as many later entries as can stand."""
    if not asked:
        raise IllegalEvent(_("There is nothing to correct."))
    check_refers(session.entries, Corrected(tuple(Change(seq, event) for seq, event in asked.items())))
    followed = session.follow([Change(seq, event) for seq, event in sorted(asked.items())])
    walk = _Walk(session, {change.seq: change.event for change in followed}, asked, because)
    walk.go()
    changes = tuple(Change(seq, walk.changes[seq]) for seq in sorted(walk.changes))
    after = session.record(Corrected(changes), Source.PAGE, time)
    known = {misfit.seq for misfit in session.fold.misfits}
    left_out = tuple(misfit for misfit in after.fold.misfits if misfit.seq not in known)
    kept = walk.kept - {misfit.seq for misfit in left_out}
    return Difference(session, after, changes, kept, left_out)


class _Walk:
    """Both logs, entry by entry: each later one reads as it would have been told, and stays if anything can keep it."""

    def __init__(
        self, session: Session, changes: dict[int, object | None], asked: Changes, because: str
    ) -> None:
        self.changes = changes
        self.kept: frozenset[int] = frozenset()
        self._session, self._asked, self._because = session, asked, because
        self._undone = _undone(session, asked)
        self._known = {misfit.seq for misfit in session.fold.misfits}

    def go(self) -> None:
        game, fold = self._session.game, self._session.fold
        counted = {
            step.seq: Told(step.event, position)
            for step, position in zip(fold.steps, fold.positions[1:], strict=True)
        }
        first, *steps = self._corrected()
        if not isinstance(first.event, Started):
            return
        was, now = fold.positions[0], game.start(first.event.setup)
        following = game.following(was, now)
        events = {step.seq: step.event for step in steps}
        for seq in sorted(events.keys() | counted.keys()):
            before = counted.get(seq, Told(None, was))
            after = self._told(following, seq, events[seq], now) if seq in events else Told(None, now)
            following.told(seq, before, after)
            was, now = before.position, after.position

    def _corrected(self) -> tuple[Step, ...]:
        """The events that count, those that are asked for among them."""
        session = self._session
        changes = tuple(Change(seq, event) for seq, event in self.changes.items())
        last = session.entries[-1]
        return effective(
            (*session.entries, Entry(session.seq + 1, Corrected(changes), last.source, last.time))
        )

    def _told(self, following: AnyFollowing, seq: int, event: object, position: Any) -> AnyTold:
        """The entry as it can stand; the last way of telling it, where none can."""
        read = event if seq in self._asked else following.read(event)
        ways = [event if seq < self._undone else read]
        if seq not in self._asked.keys() | self._known:
            ways += [read, *following.ways(read, self._because)]
        for way in ways:
            told = self._played(way, position)
            if told.event is not None:
                break
        if way != event:
            self.changes[seq] = way
        if way not in (event, read):
            self.kept |= {seq}
        return told

    def _played(self, event: object, position: Any) -> AnyTold:
        session = self._session
        try:
            return Told(event, play(session.game, session.entries, position, event))
        except IllegalEvent:
            return Told(None, position)


def _undone(session: Session, asked: Changes) -> int:
    """The number of the correction that is taken back, if one is: what was told before it reads as it did then."""
    corrections = [entry.seq for entry in session.entries if isinstance(entry.event, Corrected)]
    return next((seq for seq in reversed(corrections) if taken_back(session, seq) == asked), 0)


def taken_back(session: Session, seq: int) -> Changes:
    """The corrections that undo an earlier correction, whatever was recorded since."""
    wrong = next((entry.event for entry in session.entries if entry.seq == seq), None)
    if not isinstance(wrong, Corrected):
        raise IllegalEvent(_("Entry %(seq)d is no correction.", seq=seq))
    without = {step.seq: step.event for step in effective(e for e in session.entries if e.seq != seq)}
    return {change.seq: without.get(change.seq) for change in wrong.changes}
