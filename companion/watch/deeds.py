"""What was recorded or taken back, in words short enough for an announcement."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.log import Source, redoable, together
from companion.core.message import Message, listed
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session
from companion.core.telling import tell
from companion.table import Table

MOST_TOLD = 3


def recorded(session: Session, events: Sequence[object], player: int | None) -> Message:
    return _("Recorded: %(what)s.", what=_all(session, events, player))


def take_back(table: Table, session: Session, source: Source, player: int | None) -> tuple[Session, Message]:
    """Take back what was recorded last in one step, and say what it was."""
    after = table.undo_all(session.id, session.seq, source)
    return after, _("Taken back: %(what)s.", what=last_step(session, player))


def last_step(session: Session, player: int | None = None) -> Message:
    """What was recorded last in one step."""
    last = together(session.entries)
    return _all(session, [entry.event for entry in session.entries if entry.seq in last], player)


def taken_back(session: Session) -> object | None:
    """What was taken back last, unless something else was recorded since."""
    number = redoable(session.entries)
    return next((entry.event for entry in session.entries if entry.seq == number), None)


def told(session: Session, event: object, player: int | None = None) -> Message:
    """A deed, and who did it unless that is said already."""
    remark = tell(session, event)
    if remark.player is None or remark.player == player:
        return remark.text
    return _("%(name)s %(what)s", name=session.setup.players[remark.player].name, what=remark.text)


def _all(session: Session, events: Sequence[object], player: int | None) -> Message:
    words = [told(session, event, player) for event in events[:MOST_TOLD]]
    more = len(events) - MOST_TOLD
    return listed([*words, _n("%(count)d more", "%(count)d more", more)] if more > 0 else words)
