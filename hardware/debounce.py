"""From the edges of a worn contact to presses: one for each time somebody meant it, and none that nobody did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

NOISE_S = 0.015
"""A contact that never stays closed for so long was touched by static, not by a finger."""
BOUNCE_S = 0.03
"""A contact that opens and closes again within this has not been released."""
LONG_S = 0.8
"""A press that lasts so long is a long one; it counts once the button comes up again."""
PAUSE_S = 0.15
"""Presses that follow each other faster than this are one."""
CHATTER_S = 1.5
"""Edges for so long, without a pause, are a loose wire."""
CHATTER_EDGES = 12
"""Fewer edges than that are a person, who shifts their weight on a button."""
CALM_S = 3.0
"""A loose wire is believed again after so long without an edge."""
STUCK_S = 10.0
"""Nobody presses for so long; something lies on the button, and nothing was done."""


@dataclass(frozen=True)
class Press:
    """Somebody pressed a button."""

    seat: int | None
    """None is the button that belongs to everybody."""
    long: bool = False


class ButtonFault(Enum):
    """What can be wrong with a button."""

    STUCK = auto()
    """It is held and held; it counts again once it has been released."""
    CHATTERING = auto()
    """It opens and closes without end; it counts again once it has been calm."""


@dataclass(frozen=True)
class ButtonTrouble:
    """A button is ignored, for a reason that people should know."""

    seat: int | None
    fault: ButtonFault


ButtonEvent = Press | ButtonTrouble


class _Phase(Enum):
    READY = auto()
    PRESSED = auto()
    """Closed by a finger: whether for a short or a long press is still open."""
    ARMED = auto()
    """Closed for so long that it is a long press when it ends, unless that takes too long."""
    SPENT = auto()
    """The press was told; another one begins after a pause."""
    STUCK = auto()
    CHATTERING = auto()


_PRESSES = (_Phase.PRESSED, _Phase.ARMED)
"""A dip of the contact does not end these, nor begin another press."""
_HELD = (*_PRESSES, _Phase.SPENT)
"""Who is in one of these for too long is stuck."""
_REST = {_Phase.SPENT: PAUSE_S, _Phase.STUCK: PAUSE_S, _Phase.CHATTERING: CALM_S}
"""For how long the contact has to be open to be ready again."""


class Contact:
    """One button, from its edges and the time that passes."""

    def __init__(self, seat: int | None, closed: bool = False, time: float = 0.0) -> None:
        self.seat = seat
        self.closed = closed
        # Who holds a button while the companion starts does not mean it.
        self._phase = _Phase.SPENT if closed else _Phase.READY
        self._changed = self._closed_since = time
        self._restless_since = time
        self._edges = 0

    @property
    def armed(self) -> bool:
        """Whether letting go now is a long press."""
        return self._phase is _Phase.ARMED

    def edge(self, closed: bool, time: float) -> Iterator[ButtonEvent]:
        """The contact closed or opened at that time; edges come in order, ticks may be ahead of them."""
        time = max(time, self._changed)
        yield from self.tick(time)
        if closed == self.closed:
            return
        if time - self._changed >= PAUSE_S:
            self._restless_since, self._edges = time, 0
        self._edges += 1
        if closed and self._phase not in _PRESSES:
            self._closed_since = time
        self.closed, self._changed = closed, time
        lasting = time - self._restless_since >= CHATTER_S and self._edges >= CHATTER_EDGES
        if lasting and self._phase not in (_Phase.STUCK, _Phase.CHATTERING):
            self._phase = _Phase.CHATTERING
            yield ButtonTrouble(self.seat, ButtonFault.CHATTERING)

    def tick(self, now: float) -> Iterator[ButtonEvent]:
        """That time has come, and nothing changed since the last edge."""
        lasted = now - self._changed
        if self.closed:
            yield from self._held(now, lasted)
        elif self._phase in _PRESSES and lasted >= BOUNCE_S:
            yield Press(self.seat, long=self.armed)
            self._phase = _Phase.SPENT
        if not self.closed and lasted >= _REST.get(self._phase, lasted + 1):
            self._phase = _Phase.READY

    def _held(self, now: float, lasted: float) -> Iterator[ButtonEvent]:
        if self._phase is _Phase.READY and lasted >= NOISE_S:
            self._phase = _Phase.PRESSED
        if self._phase is _Phase.PRESSED and lasted >= LONG_S:
            self._phase = _Phase.ARMED
        if self._phase in _HELD and now - self._closed_since >= STUCK_S:
            self._phase = _Phase.STUCK
            yield ButtonTrouble(self.seat, ButtonFault.STUCK)
