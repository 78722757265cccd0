"""The log: numbered entries, never changed; undo, redo and corrections are entries too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.message import message as _


class Source(StrEnum):
    """Where an entry came from."""

    PAGE = "page"
    CAMERA = "camera"
    BUTTON = "button"
    DEMO = "demo"
    COMMAND = "command"
    HOUSE = "house"
    """What earlier games of this household told: the game begins with it."""


@dataclass(frozen=True)
class Started:
    """The first entry of every session."""

    setup: Setup


@dataclass(frozen=True)
class Withdrawn:
    """Takes an entry back."""

    seq: int


@dataclass(frozen=True)
class Restored:
    """Gives a withdrawn entry its place again."""

    seq: int


@dataclass(frozen=True)
class Change:
    """What an earlier entry should have said; without an event it should not have been there."""

    seq: int
    event: object | None


@dataclass(frozen=True)
class Corrected:
    """Puts earlier entries right, all of them in one step."""

    changes: tuple[Change, ...]
    back: int | None = None
    """The earlier correction that it takes back; the changes are what follows from that."""


class FiledAs(StrEnum):
    """What people do with a session as a whole; it changes nothing in the game."""

    NAMED = "named"
    CLOSED = "closed"
    """Put away before its end."""
    REOPENED = "reopened"
    DELETED = "deleted"
    """In the bin: nowhere shown but there, and in no statistics."""
    UNDELETED = "undeleted"
    KEPT = "kept"
    """A demonstration that somebody took over, and wants among the games of people."""


@dataclass(frozen=True)
class Filed:
    """Says how people keep the session. The newest word holds, so that it needs no undo."""

    as_: FiledAs
    name: str = ""
    """With NAMED: how people call the session; empty for no name of its own."""


@dataclass(frozen=True)
class Unreadable:
    """An entry whose text nobody understands: kept as it is, left out of the game, and reported."""

    text: str
    reason: str


@dataclass(frozen=True)
class Entry:
    """One line of the log."""

    seq: int
    event: object
    source: Source
    time: datetime


@dataclass(frozen=True)
class CountedEvent:
    """An event that counts, and the number of the entry it came with."""

    seq: int
    event: object


def effective_events(entries: Iterable[Entry]) -> tuple[CountedEvent, ...]:
    """The events that count once everything taken back and corrected is settled, in the order of their first entry."""
    entries = tuple(entries)
    gone = without_effect(entries)
    events: dict[int, object | None] = {
        entry.seq: entry.event
        for entry in entries
        if entry.seq not in gone and not isinstance(entry.event, (Withdrawn, Restored, Corrected, Filed))
    }
    for entry in entries:
        if isinstance(entry.event, Corrected) and entry.seq not in gone:
            events.update(
                {change.seq: change.event for change in entry.event.changes if change.seq in events}
            )
    return tuple(CountedEvent(seq, event) for seq, event in events.items() if event is not None)


@dataclass(frozen=True)
class Filing:
    """How people keep a session, by all that was said of it."""

    name: str = ""
    closed: bool = False
    deleted: bool = False
    kept: bool = False


def filing(entries: Iterable[Entry]) -> Filing:
    """How people keep the session with this log."""
    found = Filing()
    for entry in entries:
        match entry.event:
            case Filed(FiledAs.NAMED, name):
                found = replace(found, name=name)
            case Filed(FiledAs.CLOSED | FiledAs.REOPENED as said):
                found = replace(found, closed=said is FiledAs.CLOSED)
            case Filed(FiledAs.DELETED | FiledAs.UNDELETED as said):
                found = replace(found, deleted=said is FiledAs.DELETED)
            case Filed():
                found = replace(found, kept=True)
    return found


def withdrawn_entries(entries: Iterable[Entry]) -> frozenset[int]:
    """Numbers of the entries taken back and not given again."""
    gone: set[int] = set()
    for entry in entries:
        if isinstance(entry.event, Withdrawn):
            gone.add(entry.event.seq)
        elif isinstance(entry.event, Restored):
            gone.discard(entry.event.seq)
    return frozenset(gone)


def without_effect(entries: Sequence[Entry]) -> frozenset[int]:
    """Numbers of the entries taken back by undo, and of the corrections that a later one takes back."""
    gone = set(withdrawn_entries(entries))
    for entry in reversed(entries):
        if isinstance(entry.event, Corrected) and entry.event.back and entry.seq not in gone:
            gone.add(entry.event.back)
    return frozenset(gone)


def undoable(entries: Sequence[Entry]) -> int | None:
    """The entry that undo would take back: the last that counts, a correction too, never what a game begins with."""
    gone = withdrawn_entries(entries)
    for entry in reversed(entries):
        begins = isinstance(entry.event, Started) or entry.source is Source.HOUSE
        if begins or isinstance(entry.event, (Withdrawn, Restored, Filed)) or entry.seq in gone:
            continue
        return entry.seq
    return None


def recorded_together(entries: Sequence[Entry]) -> tuple[int, ...]:
    """The entries recorded in one step with the one that undo would take back, the last first."""
    last, gone = undoable(entries), withdrawn_entries(entries)
    if last is None:
        return ()
    step = {(entry.time, entry.source) for entry in entries if entry.seq == last}
    found = []
    for entry in reversed([entry for entry in entries if entry.seq <= last]):
        if (entry.time, entry.source) not in step or isinstance(entry.event, Started):
            break
        if entry.seq not in gone:
            found.append(entry.seq)
    return tuple(found)


def redoable(entries: Sequence[Entry]) -> int | None:
    """The entry that redo would give back, unless something new was recorded since."""
    stack: list[int] = []
    for entry in entries:
        match entry.event:
            case Withdrawn(seq):
                stack.append(seq)
            case Restored(seq):
                stack = [s for s in stack if s != seq]
            case Filed():
                pass
            case _:
                stack = []
    return stack[-1] if stack else None


def check_refers(entries: Sequence[Entry], event: object) -> None:
    """Refuse an undo, redo or correction that speaks of an entry it cannot speak of."""
    by_seq = {entry.seq: entry.event for entry in entries}
    gone = withdrawn_entries(entries)
    match event:
        case Withdrawn(seq) if (
            seq not in by_seq or seq in gone or isinstance(by_seq[seq], (Withdrawn, Restored, Started, Filed))
        ):
            raise IllegalEvent(_("Entry %(seq)d cannot be taken back.", seq=seq))
        case Restored(seq) if seq not in gone:
            raise IllegalEvent(_("Entry %(seq)d was not taken back.", seq=seq))
        case Corrected(changes, back):
            if back is not None and (
                not isinstance(by_seq.get(back), Corrected) or back in without_effect(entries)
            ):
                raise IllegalEvent(_("Entry %(seq)d is no correction that counts.", seq=back))
            for change in changes:
                _check_change(by_seq.get(change.seq), change)
        case Started() if entries:
            raise IllegalEvent(_("The session has started already."))
        case Unreadable(text):
            raise IllegalEvent(_("Nobody understands “%(text)s”.", text=text[:80]))


def _check_change(target: object, change: Change) -> None:
    if target is None or isinstance(target, (Withdrawn, Restored, Corrected, Filed)):
        raise IllegalEvent(_("Entry %(seq)d cannot be corrected.", seq=change.seq))
    if isinstance(change.event, (Withdrawn, Restored, Corrected, Unreadable, Filed)):
        raise IllegalEvent(_("Entry %(seq)d can only become an event of the game.", seq=change.seq))
    if isinstance(target, Started) != isinstance(change.event, Started):
        raise IllegalEvent(
            _("Entry %(seq)d says who plays: it can only be replaced by another such entry.", seq=change.seq)
        )
