"""Presses of buttons that record nothing at once: how long they wait, and what to say about them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.session import Session
from companion.watch.judgement import LOOK, CheckedReading
from companion.watch.state import UNSEEING, Status, WatchState

PRESS_S = 6.0
"""How long a press waits for the table to become still and show something new."""

ASKED = _("There is a question on the page.")


@dataclass
class PendingPress:
    """A press that waits for the table."""

    player: int | None
    seq: int
    """The entry of the log that was the last when the button was pressed."""
    until: float | None = None
    """Without a frame so far, known with the first."""

    def over(self, now: float) -> bool:
        if self.until is None:
            self.until = now + PRESS_S
        return now > self.until


def why_not_recorded(session: Session, seat: int | None, watch: WatchState) -> Message | None:
    """Why a short press of that button records nothing now; None when it may."""
    turn = session.turn
    if turn.over:
        return turn.action
    if turn.player is not None and seat is not None and seat != turn.player:
        return _("It is the turn of %(name)s.", name=session.setup.players[turn.player].name)
    if watch.status is Status.PAUSED:
        return LOOK
    if watch.status in UNSEEING:
        return watch.said
    if watch.status is Status.WATCHING and watch.reading.doubts:
        return ASKED
    return None


def waited_in_vain(watch: WatchState, judged: CheckedReading) -> Message:
    """What to say about a press that has waited in vain."""
    if watch.status is Status.MOVING:
        return _("The table is not still yet. Press again when it is.")
    if watch.reading.contradictions:
        return LOOK
    if watch.reading.doubts:
        return ASKED
    if judged.said is None:
        return _("There is nothing new on the table.")
    return _("There is nothing new on the table. %(next)s", next=judged.said)
