"""What was recorded or taken back, in words short enough for an announcement."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import StaleSession
from companion.core.log import Source, recorded_together
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session
from companion.core.telling import entry_in_words
from companion.sessions.table import LiveSessions

MOVED_ON = _("The table has changed since you looked. Nothing was recorded: look again.")
MOST_TOLD = 3


def record_events(
    table: LiveSessions, id: str, seq: int, events: Sequence[object], source: Source
) -> Session:
    """Record what a table shows, if the log is still where it was read."""
    session = table.session(id)
    if session.seq != seq:
        raise StaleSession(MOVED_ON)
    return table.record_all(id, seq, [session.game.write(event) for event in events], source)


def recorded_in_words(session: Session, events: Sequence[object], player: int | None) -> Message:
    return _("Recorded: %(what)s.", what=_all(session, events, player))


def take_back_last_step(
    table: LiveSessions, session: Session, source: Source, player: int | None
) -> tuple[Session, Message]:
    """Take back what was recorded last in one step, and say what it was."""
    after = table.undo_all(session.id, session.seq, source)
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
