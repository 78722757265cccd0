"""A clock that stands still until a test lets it go on."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


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
