"""What a correction of an earlier entry of Carcassonne does to later ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.core.game import EntryReader, ReplayedEntry
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, TileDiscarded, TileLaid


class CarcassonneEntryReader(EntryReader[Any, Event]):
    """Followers stand on their tile, wherever it lies."""

    def __init__(self, was: object, now: object, last: object) -> None:
        super().__init__(was, now, last)
        self._moved: dict[tuple[int, int], tuple[int, int]] = {}

    def read(self, was: ReplayedEntry[Any, Event], event: Event) -> Event:
        match event:
            case FollowerPlaced(_, (x, y, part)) if was.event is not None and (x, y) in self._moved:
                return replace(event, segment=(*self._moved[x, y], part))
            case _:
                return event

    def alternatives(self, event: Event, because: str) -> Sequence[Event]:
        """A tile lies where it lies, a follower stands where it stands.

        A follower that has no place on its tile any more is left out; where another tile lies, the tile is missing.
        """
        match event:
            case TileLaid(player, placement, follower, reason):
                lying = TileLaid(player, placement, follower, reason or because)
                missing = TileDiscarded(player, placement.tile, reason or because)
                return (lying, replace(lying, follower=""), missing) if follower else (lying, missing)
            case FollowerPlaced() | TileDiscarded():
                return (replace(event, because=event.because or because),)
            case _:
                return ()

    def advance(self, was: ReplayedEntry[Any, Event], now: ReplayedEntry[Any, Event]) -> None:
        match was.event, now.event:
            case TileLaid(_, old), TileLaid(_, new) if (old.x, old.y) != (new.x, new.y):
                self._moved[old.x, old.y] = new.x, new.y
