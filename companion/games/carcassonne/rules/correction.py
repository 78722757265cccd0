"""What else changes when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.carcassonne.rules.events import Event, FollowerPlaced, TileDiscarded, TileLaid


def follow(before: Event, after: Event, later: Event) -> Event:
    """Followers stand on the tile wherever it lies."""
    match before, after, later:
        case TileLaid(_, old), TileLaid(_, new), FollowerPlaced(_, (x, y, part)) if (x, y) == (old.x, old.y):
            return replace(later, segment=(new.x, new.y, part))
        case _:
            return later


def keep(event: Event, because: str) -> Sequence[Event]:
    """A tile lies where it lies, a follower stands where it stands.

    A follower that has no place on its tile any more is left out; where another tile lies already, the tile is missing.
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
