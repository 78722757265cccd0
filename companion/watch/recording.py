"""What was recorded, in words short enough for an announcement, and the ways out when table and log disagree."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import IllegalEvent
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


def events_in_words(session: Session, events: Sequence[object], player: int | None) -> Message:
    """What happened, and who did it unless that is this player."""
    words = [event_in_words(session, event, player) for event in events[:MOST_TOLD]]
    more = len(events) - MOST_TOLD
    return joined([*words, _n("%(count)d more", "%(count)d more", more)] if more > 0 else words)


def event_in_words(session: Session, event: object, player: int | None = None) -> Message:
    remark = entry_in_words(session, event)
    if remark.player is None or remark.player == player:
        return remark.text
    return _("%(name)s %(what)s", name=session.setup.players[remark.player].name, what=remark.text)


def last_step(session: Session, player: int | None = None) -> Message:
    """What was recorded last in one step."""
    last = recorded_together(session.entries)
    return events_in_words(session, [entry.event for entry in session.entries if entry.seq in last], player)


def rejected_events(session: Session) -> tuple[object, ...]:
    """What people took back or put right: it comes into the log again by their word only."""
    stays = {step.seq: step.event for step in session.fold.steps}
    return tuple(entry.event for entry in session.entries if stays.get(entry.seq) != entry.event)


WAY_AGAIN, WAY_MOVED, WAY_UNDO, WAY_GO_ON = "again", "moved", "undo", "go-on"


def ways_out(session: Session, first: Contradiction) -> tuple[WayOut, ...]:
    """What people can tap about the first disagreement; the others come up once it is settled."""
    ways = [WayOut(WAY_AGAIN, _("Put right on the table: look again"))]
    seq = _entry_of(session, first)
    if seq is not None and first.lies is not None:
        ways.append(WayOut(WAY_MOVED, _("The table is right: it lies there now")))
    elif seq is not None and seq in recorded_together(session.entries):
        ways.append(WayOut(WAY_UNDO, _("It was taken back: undo “%(what)s”", what=last_step(session))))
    return (*ways, WayOut(WAY_GO_ON, _("The log is right: go on as it is")))


def correct_place(sessions: LiveSessions, session: Session, first: Contradiction, source: Source) -> Session:
    """Let the log say that it lies where the table has it, or IllegalEvent when later entries would be lost."""
    entry = _entry_of(session, first)
    if entry is None:
        return session
    changes = {entry: session.game.write(first.lies)}
    if sessions.difference(session.id, changes).left_out:
        # Such a correction has its own page, which shows first what would be lost.
        what = event_in_words(session, first.meant)
        raise IllegalEvent(_("Later entries would be lost. Correct “%(what)s” in the log.", what=what))
    return sessions.correct(session.id, session.seq, changes, source)


def _entry_of(session: Session, found: Contradiction) -> int | None:
    """The entry of the log that brought what is meant, the latest if there are several."""
    return next((step.seq for step in reversed(session.fold.steps) if step.event == found.meant), None)
