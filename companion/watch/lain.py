"""What lay on the table when it was still last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.game import AnyGame
from companion.core.observation import Observation
from companion.watch.covered import with_covered
from companion.watch.judgement import same_table

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading

SURE_S = 0.6
"""How long something has to lie unchanged before it is recorded without a confirmation."""


class LastPositions:
    """Keeps what people would say lies there, although an eye never measures it twice alike."""

    def __init__(self) -> None:
        self.seen: tuple[Observation, ...] | None = None
        self._since = 0.0

    def take(self, glance: FrameReading, game: AnyGame) -> None:
        """Another look at a still table."""
        seen = with_covered(self.seen or (), glance.seen or (), glance.unknown, game)
        if self.seen is None or not same_table(self.seen, seen):
            self.seen, self._since = seen, glance.frame.time

    def stirred(self, now: float) -> None:
        """Something moves: from now on it has to lie again."""
        self._since = now

    def long_enough(self, now: float) -> bool:
        return now - self._since >= SURE_S

    def forget(self) -> None:
        self.seen = None
