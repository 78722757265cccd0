"""A clock that stands still until a test lets it go on, and a panel on mock pins that goes by it."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from companion.core.message import Message
from companion.virtual.mock_pins import MockPins
from hardware.panel import Panel
from hardware.pins import load_pin_map

BOARD = load_pin_map()


def sounding(pins: MockPins) -> bool:
    """Whether the buzzer sounds."""
    pin = pins.factory.pin(BOARD.buzzer)
    return bool(pin.function == "output" and pin.state)


class Clock:
    """Time for the panel and for the fingers on its pins."""

    def __init__(self) -> None:
        self.now = 100.0
        self._todo: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def __call__(self) -> float:
        return self.now

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        heappush(self._todo, (self.now + seconds, next(self._numbers), action))

    def go(self, seconds: float, tick: Callable[[float], None], beat: float = 0.03) -> None:
        """Let time pass: what is due is done, and every now and then somebody looks."""
        end, look = self.now + seconds, self.now + beat
        while min(look, self._due) <= end + 1e-9:
            if self._due <= look:
                due, _number, action = heappop(self._todo)
                self.now = due
                action()
            else:
                self.now = look
                tick(look)
                look += beat
        self.now = end
        tick(end)

    @property
    def _due(self) -> float:
        return self._todo[0][0] if self._todo else float("inf")


class Table:
    """A panel on mock pins, and what came of it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.pins = MockPins(BOARD, later=self.clock.later)
        self.pressed: list[tuple[int | None, bool]] = []
        self.troubled: list[tuple[str, int | None]] = []
        self.panel = self.reach()

    def reach(self) -> Panel:
        return Panel(BOARD, self.pins.factory, self.press, self.trouble, self.clock)

    def press(self, seat: int | None, long: bool) -> None:
        self.pressed.append((seat, long))

    def trouble(self, text: Message, seat: int | None) -> None:
        self.troubled.append((str(text), seat))

    def go(self, seconds: float) -> None:
        self.clock.go(seconds, self.panel.tick)

    def lamps_over(self, seconds: float, step: float = 0.05) -> str:
        """How the lamp of the first seat shines in the course of time."""
        shown = ""
        for _number in range(round(seconds / step)):
            self.go(step)
            shown += "●" if self.pins.lit[0] else "·"
        return shown
