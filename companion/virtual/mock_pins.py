"""Fingers on the mock pins of the panel, and eyes on its lamps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import RLock, Timer

from hardware.pins import PinFactory, PinMap

LONGEST_S = 60.0
"""Nobody pushes a button for longer."""
BOUNCES_S = (0.001, 0.002, 0.004, 0.001, 0.006, 0.002)
"""Between the edges of a contact that bounces while it closes, and again while it opens."""
CHATTER_GAP_S = 0.012

CallLater = Callable[[float, Callable[[], None]], None]
"""Does something after so many seconds; the call itself returns at once."""


class MockPins:
    """The very pins that a panel on `factory` uses; None is the seat of the common button."""

    def __init__(self, board: PinMap, later: CallLater | None = None) -> None:
        from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

        self.factory: PinFactory = MockFactory()
        """To be handed to the panel."""
        self._board = board
        self._later = later or self._by_timer
        self._timers: list[Timer] = []
        self._turn = dict.fromkeys(board.spots, 0)
        self._lock = RLock()
        for spot in board.spots.values():
            # As the panel will do: a button that nobody touches is open.
            self.factory.pin(spot.button).pull = "up"

    @property
    def lit(self) -> tuple[bool, ...]:
        """Which lamps are lit, seat by seat."""
        return tuple(self._shines(spot.lamp) for spot in self._board.seats)

    @property
    def common_lit(self) -> bool:
        return self._shines(self._board.common.lamp)

    def push(self, seat: int | None, seconds: float = 0.1) -> None:
        """Hold a button down for so long; like all that moves a button it returns at once, or KeyError."""
        self._play(seat, _limited(seconds))

    def bounce(self, seat: int | None, seconds: float = 0.1) -> None:
        """Push a button whose contact bounces."""
        self._play(seat, *BOUNCES_S, _limited(seconds), *BOUNCES_S)

    def chatter(self, seat: int | None, seconds: float) -> None:
        """Let a loose wire open and close for so long."""
        pairs = max(1, round(_limited(seconds) / CHATTER_GAP_S / 2))
        self._play(seat, *[CHATTER_GAP_S] * (2 * pairs - 1))

    def stick(self, seat: int | None) -> None:
        """Press a button that does not come up again until `release`."""
        self._play(seat)

    def release(self, seat: int | None) -> None:
        """Whatever happens to a button, nobody touches it any more."""
        with self._lock:
            self._turn[seat] += 1
            self._touch(seat, False)

    def close(self) -> None:
        """Take all fingers off and leave no thread behind."""
        for seat in self._board.spots:
            self.release(seat)
        while self._timers:
            timer = self._timers.pop()
            timer.cancel()
            timer.join()

    def _play(self, seat: int | None, *gaps: float) -> None:
        """Close, open, close … with these gaps between; what the button was doing is given up."""
        with self._lock:
            self._turn[seat] += 1
            self._step(seat, self._turn[seat], iter(gaps), True)

    def _step(self, seat: int | None, turn: int, gaps: Iterator[float], closed: bool) -> None:
        with self._lock:
            if turn != self._turn[seat]:
                return
            self._touch(seat, closed)
            gap = next(gaps, None)
        if gap is not None:
            self._later(gap, lambda: self._step(seat, turn, gaps, not closed))

    def _by_timer(self, seconds: float, action: Callable[[], None]) -> None:
        timer = Timer(seconds, action)
        timer.daemon = True
        with self._lock:
            timer.start()
            self._timers = [one for one in self._timers if one.is_alive()] + [timer]

    def _touch(self, seat: int | None, closed: bool) -> None:
        pin = self.factory.pin(self._board.spots[seat].button)
        pin.drive_low() if closed else pin.drive_high()

    def _shines(self, number: int) -> bool:
        pin = self.factory.pin(number)
        return bool(pin.function == "output" and pin.state)


def _limited(seconds: float) -> float:
    return min(seconds, LONGEST_S) if seconds > 0 else 0.0  # so that no number at all is 0, too
