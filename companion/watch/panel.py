"""The panel's side of watching: what its lamps show, how long a press waits, and what to say when it records
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.devices import Lamp, Lamps
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Reading
from companion.core.session import Session
from companion.watch.cross_check import LOOK, CheckedReading
from companion.watch.state import UNSEEING, Status, WatchState


def lamps_for(session: Session, status: Status, reading: Reading) -> Lamps:
    """Whose turn it is, what waits for a confirmation, and whether there is something to look at."""
    seats = [Lamp.OFF] * len(session.setup.players)
    turn = session.turn
    if turn.over:
        return Lamps(tuple(seats))
    if status is Status.PAUSED:
        return _lit(seats, turn.player, Lamp.STEADY, common=Lamp.BLINK)
    if reading.doubts and status not in UNSEEING:
        asked = reading.doubts[0].player
        return _lit(seats, turn.player if asked is None else asked, Lamp.BLINK, common=Lamp.BLINK)
    lamp = Lamp.PULSE if reading.proposals and status not in UNSEEING else Lamp.STEADY
    return _lit(seats, turn.player, lamp, common=lamp if turn.player is None else Lamp.OFF)


def _lit(seats: list[Lamp], player: int | None, lamp: Lamp, common: Lamp) -> Lamps:
    if player is not None:
        seats[player] = lamp
    return Lamps(tuple(seats), common)


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
