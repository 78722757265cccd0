"""A whole game laid on the virtual table, read from frames and presses, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.log import Source
from tests.watch.night import Night


@dataclass(frozen=True)
class Played:
    """What came of a game."""

    log: tuple[object, ...]
    """The events, as the log has them and as they happened."""
    script: tuple[object, ...]
    pushed: int
    """Entries that a push of a button recorded."""
    answered: int
    """Entries that somebody tapped: answers to questions, and what had to be told by hand."""
    doubts: int
    by_hand: int
    wrong: int
    """Entries that a push recorded though nothing of that kind had happened: nobody had been asked."""
    minutes: float

    def told(self, table: str) -> str:
        """A line for the docs."""
        return (
            f"{table}: {len(self.log)} events, {self.pushed} by button, {self.answered} tapped;"
            f" {self.doubts} doubts, {self.by_hand} times by hand, {self.minutes:.0f} minutes at the table"
        )


def play(night: Night, most_s: float = 7200.0) -> Played:
    """Play a night to its end."""
    try:
        night.play(most_s)
        session = night.session
        return Played(
            tuple(step.event for step in session.fold.steps),
            tuple(night.truth),
            sum(entry.source is Source.BUTTON for entry in session.entries[1:]),
            sum(entry.source is Source.PAGE for entry in session.entries[1:]),
            night.doubts,
            night.by_hand,
            night.wrong,
            night.clock.now / 60,
        )
    finally:
        night.close()
