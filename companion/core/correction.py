"""What a correction would come to: what follows it, what stays as it lies, and what could not count any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.game import EntryReader, ReplayedEntry
from companion.core.log import (
    Change,
    Corrected,
    CountedEvent,
    Entry,
    Source,
    Started,
    check_refers,
    effective_events,
    without_effect,
)
from companion.core.message import message as _
from companion.core.notation import split_reason, write_entry
from companion.core.observation import Doubt
from companion.core.session import Misfit, Session, play_event

AnyEntry = ReplayedEntry[Any, Any]

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
    """Later entries that break the rules now, but stay in some way, as it lies on the table if they can."""
    left_out: tuple[Misfit, ...]
    """Later entries that could not count any more."""
    displaced: frozenset[int] = frozenset()
    """Those of them that cannot lie where they lay, and that the game tells in another way instead."""
    asked: frozenset[int] = frozenset()
    """The entries that somebody asked to correct."""
    back: int | None = None
    """The correction that is taken back."""
    questions: tuple[tuple[Change, Doubt], ...] = ()
    """What the changed entries ask and nobody has answered."""

    @property
    def refused(self) -> Misfit | None:
        """What was asked for and does not fit: such a correction cannot be accepted."""
        return next((misfit for misfit in self.left_out if misfit.seq in self.asked), None)

    @property
    def differing(self) -> tuple[Change, ...]:
        """The entries that read differently then, and what they say."""
        was, now = (_counting(session.entries) for session in (self.before, self.after))
        gone = {misfit.seq for misfit in self.left_out}
        return tuple(
            Change(seq, now.get(seq))
            for seq in sorted(was.keys() | now.keys())
            if was.get(seq) != now.get(seq) and seq not in gone
        )

    @property
    def final(self) -> Corrected:
        """The entry to record: what no longer fits is left out by the same step, so undo brings all back."""
        gone = (Change(misfit.seq, None) for misfit in self.left_out)
        final = {change.seq: change for change in (*self.changes, *gone)}
        return Corrected(tuple(final[seq] for seq in sorted(final)), self.back)


def work_out_correction(session: Session, asked: Changes, because: str, time: datetime) -> Difference:
    """Fold the log with the corrections, and keep as many later entries as can stand."""
    if not asked:
        raise IllegalEvent(_("There is nothing to correct."))
    check_refers(session.entries, Corrected(tuple(Change(seq, event) for seq, event in asked.items())))
    returning = _returning(session, asked)
    return _Walk(session, {**returning, **asked}, because, asked=asked, returning=frozenset(returning)).go(
        time
    )


def take_back_correction(session: Session, seq: int, because: str, time: datetime) -> Difference:
    """What it comes to that an earlier correction was never made, whatever was recorded since."""
    back = Corrected((), seq)
    check_refers(session.entries, back)
    taken = Entry(session.seq + 1, back, session.entries[-1].source, time)
    counts = _counting((*session.entries, taken))
    once = _counting((*map(_afresh, session.entries), taken))
    told = {seq: once.get(seq) for seq in counts.keys() | once.keys() if counts.get(seq) != once.get(seq)}
    return _Walk(session, told, because, back=seq).go(time)


def _counting(entries: Iterable[Entry]) -> dict[int, object]:
    return {step.seq: step.event for step in effective_events(entries)}


def _returning(session: Session, asked: Changes) -> dict[int, object | None]:
    """What could not stand without the entries that are asked for again, as it was told until then."""
    counts, found = _counting(session.entries), dict[int, object | None]()
    for seq in (seq for seq, event in asked.items() if event is not None and seq not in counts):
        if by := _taken_out_by(session, seq):
            until = _counting(entry for entry in session.entries if entry.seq < by[0])
            left_out = [number for number in by[1] if number not in counts and number in until]
            found |= {each: until[each] for each in left_out if not _stands(session, each, until[each])}
    return found


def _taken_out_by(session: Session, seq: int) -> tuple[int, tuple[int, ...]] | None:
    """The newest correction that took an entry out, and all that it took out."""
    gone = without_effect(session.entries)
    for entry in reversed(session.entries):
        if isinstance(entry.event, Corrected) and entry.seq not in gone:
            out = tuple(change.seq for change in entry.event.changes if change.event is None)
            if seq in out:
                return entry.seq, out
    return None


def _stands(session: Session, seq: int, event: object) -> bool:
    """Whether the rules allow that entry as the log is: then it was taken out on purpose."""
    try:
        play_event(session.game, session.entries, session.fold.before(seq), event)
    except IllegalEvent:
        return False
    return True


def _afresh(entry: Entry) -> Entry:
    """Without what followed from taking back a correction in entries older than that: it is worked out anew."""
    if not isinstance(entry.event, Corrected) or entry.event.back is None:
        return entry
    later = tuple(change for change in entry.event.changes if change.seq > entry.event.back)
    return replace(entry, event=replace(entry.event, changes=later))


class _Walk:
    """Both logs, entry by entry: each later one reads as it would have been told, and stays if anything can keep it."""

    def __init__(
        self,
        session: Session,
        changes: dict[int, object | None],
        because: str,
        *,
        asked: Changes = MappingProxyType({}),
        returning: frozenset[int] = frozenset(),
        back: int | None = None,
    ) -> None:
        self._session, self._because, self._back = session, because, back
        self._asked, self._returning = asked, returning
        self._changes, self._kept, self._displaced = changes, set[int](), set[int]()
        self._known = {misfit.seq for misfit in session.fold.misfits}

    def go(self, time: datetime) -> Difference:
        reader = self._go_along()
        changes = tuple(Change(seq, self._changes[seq]) for seq in sorted(self._changes))
        after = self._session.record(Corrected(changes, self._back), Source.PAGE, time)
        left_out = tuple(misfit for misfit in after.fold.misfits if misfit.seq not in self._known)
        gone = {misfit.seq for misfit in left_out}
        return Difference(
            before=self._session,
            after=after,
            changes=changes,
            kept=frozenset(self._kept) - gone,
            left_out=left_out,
            displaced=frozenset(self._displaced) - gone,
            asked=frozenset(self._asked),
            back=self._back,
            questions=tuple(
                (change, doubt)
                for change in changes
                if change.event is not None and not isinstance(change.event, Started)
                for doubt in reader.questions(change.event)
            ),
        )

    def _go_along(self) -> EntryReader[Any, Any]:
        game, fold = self._session.game, self._session.fold
        counted = {
            step.seq: ReplayedEntry(step.seq, step.event, position)
            for step, position in zip(fold.steps, fold.positions[1:], strict=True)
        }
        first, *steps = self._corrected()
        setup = first.event.setup if isinstance(first.event, Started) else fold.setup
        was, now = fold.positions[0], game.start(setup)
        reader = game.entry_reader(was, now, fold.position)
        events = {step.seq: step.event for step in steps}
        for seq in sorted(events.keys() | counted.keys()):
            before = counted.get(seq, ReplayedEntry(seq, None, was))
            after: AnyEntry = ReplayedEntry(seq, None, now)
            if seq in events:
                after = self._replayed(reader, before, events[seq], now)
                after = self._completed(reader, before, after, now)
            reader.advance(before, after)
            was, now = before.position, after.position
        return reader

    def _corrected(self) -> tuple[CountedEvent, ...]:
        """The events that count, those that are asked for among them."""
        session = self._session
        changes = tuple(Change(seq, event) for seq, event in self._changes.items())
        last = session.entries[-1]
        corrected = Entry(session.seq + 1, Corrected(changes, self._back), last.source, last.time)
        return effective_events((*session.entries, corrected))

    def _replayed(
        self, reader: EntryReader[Any, Any], was: AnyEntry, event: object, position: Any
    ) -> AnyEntry:
        """The entry as it can stand; the last way of telling it, where none can."""
        seq = was.seq
        read = event if seq in self._asked else reader.read(was, event)
        ways = [event if self._as_then(seq) else read]
        if seq not in self._asked.keys() | self._known:
            ways += [read, *reader.alternatives(read, self._because)]
        for way in ways:
            now = self._played(seq, way, position)
            if now.event is not None:
                break
        if now.event is None and seq in self._returning - self._asked.keys():
            del self._changes[seq]
            return now
        if way != event:
            self._changes[seq] = way
        if way not in (event, read):
            self._kept.add(seq)
            if self._but_for_reason(way) != self._but_for_reason(read):
                self._displaced.add(seq)
        return now

    def _but_for_reason(self, event: object) -> str:
        return split_reason(write_entry(self._session.game, event))[0]

    def _as_then(self, seq: int) -> bool:
        """What was told before a correction that is taken back, and what comes back with another entry."""
        return seq in self._returning or seq < (self._back or 0)

    def _completed(
        self, reader: EntryReader[Any, Any], was: AnyEntry, now: AnyEntry, position: Any
    ) -> AnyEntry:
        """The entry with answers to what it asks now; what reads as it did before a correction asks as it did then."""
        while now.event is not None and not self._as_then(now.seq):
            event = reader.complete(was, now.event, now.position)
            if event == now.event:
                break
            again = self._played(now.seq, event, position)
            if again.event is None:
                break
            now, self._changes[now.seq] = again, event
        return now

    def _played(self, seq: int, event: object, position: Any) -> AnyEntry:
        session = self._session
        try:
            return ReplayedEntry(seq, event, play_event(session.game, session.entries, position, event))
        except IllegalEvent:
            return ReplayedEntry(seq, None, position)
