"""The ways out when table and log disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.errors import IllegalEvent
from companion.core.log import Source, recorded_together
from companion.core.message import message as _
from companion.core.observation import Contradiction
from companion.core.session import Session
from companion.sessions.table import LiveSessions
from companion.watch.deeds import event_in_words, last_step
from companion.watch.state import WayOut

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
    table: LiveSessions, session: Session, first: Contradiction, way: str, source: Source
) -> Session:
    """Do to the log what a way out says."""
    entry = entry_of(session, first.meant)
    if way == WAY_UNDO:
        return table.undo_all(session.id, session.seq, source)
    if way == WAY_MOVED and entry is not None:
        changes = {entry: session.game.write(first.lies)}
        if table.difference(session.id, changes).left_out:
            # Such a correction has its own page, which shows first what would be lost.
            what = event_in_words(session, first.meant)
            raise IllegalEvent(_("Later entries would be lost. Correct “%(what)s” in the log.", what=what))
        return table.correct(session.id, session.seq, changes, source)
    return session
