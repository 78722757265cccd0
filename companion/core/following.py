"""Going along with a log as it was told and as it is corrected, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Position = TypeVar("Position")
Event = TypeVar("Event")


@dataclass(frozen=True)
class ReplayedEntry(Generic[Position, Event]):
    """What came of one entry."""

    event: Event | None
    """Nothing where the entry does not count."""
    position: Position


class EntryReader(Protocol[Position, Event]):
    """What a game knows of both logs, up to the entry that comes next."""

    def read(self, event: Event) -> Event:
        """How that entry reads: by what it spoke of, as this is called now."""
        ...

    def ways(self, event: Event, because: str) -> Sequence[Event]:
        """Ways in which it may still stand, against the rules; the best first."""
        ...

    def completed(self, was: ReplayedEntry[Position, Event], event: Event, now: Position) -> Event:
        """With the answer to what it asks now and did not ask before, as far as the log knows it."""
        ...

    def told(
        self, seq: int, was: ReplayedEntry[Position, Event], now: ReplayedEntry[Position, Event]
    ) -> None:
        """Go on: the entry came to this in either log."""
        ...


class UnchangedReader(Generic[Position, Event]):
    """For a game whose entries speak of nothing that another entry made."""

    def __init__(self, keep: Callable[[Event, str], Sequence[Event]]) -> None:
        self.ways = keep

    def read(self, event: Event) -> Event:
        return event

    def completed(self, was: ReplayedEntry[Position, Event], event: Event, now: Position) -> Event:  # noqa: ARG002
        return event

    def told(
        self, seq: int, was: ReplayedEntry[Position, Event], now: ReplayedEntry[Position, Event]
    ) -> None:
        pass
