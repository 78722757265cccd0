"""What the watcher does to the log.

Record what a table shows, take back a step, and the ways out when table and log disagree; and what was done,
in words short enough for an announcement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.errors import IllegalEvent, StaleSession
from companion.core.log import Source, recorded_together
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Contradiction
from companion.core.session import Session, entry_in_words
from companion.sessions.live import LiveSessions
from companion.watch.state import WayOut

MOVED_ON = _("The table has changed since you looked. Nothing was recorded: look again.")
MOST_TOLD = 3


def record_events(
    sessions: LiveSessions, id: str, seq: int, events: Sequence[object], source: Source
) -> Session:
    """Record what a table shows, if the log is still where it was read."""
    session = sessions.session(id)
    if session.seq != seq:
        raise StaleSession(MOVED_ON)
    return sessions.record_all(id, seq, [session.game.write(event) for event in events], source)


def recorded_in_words(session: Session, events: Sequence[object], player: int | None) -> Message:
    return _("Recorded: %(what)s.", what=_all(session, events, player))


def take_back_last_step(
    sessions: LiveSessions, session: Session, source: Source, player: int | None
) -> tuple[Session, Message]:
    """Take back what was recorded last in one step, and say what it was."""
    after = sessions.undo_all(session.id, session.seq, source)
    return after, _("Taken back: %(what)s.", what=last_step(session, player))


def last_step(session: Session, player: int | None = None) -> Message:
    """What was recorded last in one step."""
    last = recorded_together(session.entries)
    return _all(session, [entry.event for entry in session.entries if entry.seq in last], player)


def rejected_events(session: Session) -> tuple[object, ...]:
    """What people took back or put right: it comes into the log again by their word only."""
    stays = {step.seq: step.event for step in session.fold.steps}
    return tuple(entry.event for entry in session.entries if stays.get(entry.seq) != entry.event)


def event_in_words(session: Session, event: object, player: int | None = None) -> Message:
    """A deed, and who did it unless that is said already."""
    remark = entry_in_words(session, event)
    if remark.player is None or remark.player == player:
        return remark.text
    return _("%(name)s %(what)s", name=session.setup.players[remark.player].name, what=remark.text)


def _all(session: Session, events: Sequence[object], player: int | None) -> Message:
    words = [event_in_words(session, event, player) for event in events[:MOST_TOLD]]
    more = len(events) - MOST_TOLD
    return joined([*words, _n("%(count)d more", "%(count)d more", more)] if more > 0 else words)


WAY_UNDO, WAY_MOVED, WAY_GO_ON, WAY_AGAIN = "undo", "moved", "go-on", "again"


def entry_of(session: Session, event: object) -> int | None:
    """The entry of the log that brought an event, the latest if there are several."""
    return next((step.seq for step in reversed(session.fold.steps) if step.event == event), None)


def ways_out(session: Session, found: Sequence[Contradiction]) -> tuple[WayOut, ...]:
    """What people can tap, about the first disagreement; the others come up once it is settled."""
    return tuple(_ways(session, found[0])) if found else ()


def _ways(session: Session, first: Contradiction) -> Iterator[WayOut]:
    yield WayOut(WAY_AGAIN, _("Put right on the table: look again"))
    seq = entry_of(session, first.meant) if first.meant is not None else None
    if seq is not None and first.lies is not None:
        yield WayOut(WAY_MOVED, _("The table is right: it lies there now"))
    elif seq is not None and seq in recorded_together(session.entries):
        yield WayOut(WAY_UNDO, _("It was taken back: undo “%(what)s”", what=last_step(session)))
    yield WayOut(WAY_GO_ON, _("The log is right: go on as it is"))


def take_way(
    sessions: LiveSessions, session: Session, first: Contradiction, way: str, source: Source
) -> Session:
    """Do to the log what a way out says."""
    entry = entry_of(session, first.meant)
    if way == WAY_UNDO:
        return sessions.undo_all(session.id, session.seq, source)
    if way == WAY_MOVED and entry is not None:
        changes = {entry: session.game.write(first.lies)}
        if sessions.difference(session.id, changes).left_out:
            # Such a correction has its own page, which shows first what would be lost.
            what = event_in_words(session, first.meant)
            raise IllegalEvent(_("Later entries would be lost. Correct “%(what)s” in the log.", what=what))
        return sessions.correct(session.id, session.seq, changes, source)
    return session
