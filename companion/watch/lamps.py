"""What the lamps beside the buttons show."""

from __future__ import annotations

from companion.core.observation import Reading
from companion.core.panel import Lamp, Lamps
from companion.core.session import Session
from companion.watch.state import UNSEEING, Status


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
