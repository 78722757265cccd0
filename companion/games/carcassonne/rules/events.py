"""What can happen in a game of Carcassonne, and what else changes when an earlier entry is put right.

Players are counted from 0 here, from 1 in notation. Events that people may record against the rules carry
`because`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.core.game import EntryReader, ReplayedEntry
from companion.games.carcassonne.rules.board import Placement, Segment


@dataclass(frozen=True)
class StartLaid:
    """How the tile that begins the game lies; without it, it lies as the rulebook's chart shows it."""

    placement: Placement


@dataclass(frozen=True)
class TileDrawn:
    """A tile was drawn and shown to everybody; a tile may be laid without this being told."""

    player: int
    tile: str


@dataclass(frozen=True)
class TileDiscarded:
    """A tile that fits nowhere left the game, and the same player draws another."""

    player: int
    tile: str
    because: str = ""
    """Why people took it out of the game although it fits somewhere."""


@dataclass(frozen=True)
class TileLaid:
    """A tile was laid, with a follower on it if that is told at once."""

    player: int
    placement: Placement
    follower: str = ""
    """The part of the tile that the follower stands on."""
    because: str = ""
    """Why people laid it against the rules."""


@dataclass(frozen=True)
class FollowerPlaced:
    """A follower was placed on the tile just laid, or against the rules on another one."""

    player: int
    segment: Segment
    because: str = ""


@dataclass(frozen=True)
class NoFollower:
    """A player keeps the followers; so does who says nothing before the next tile comes."""

    player: int


@dataclass(frozen=True)
class GameEnded:
    """People stop before the last tile."""


@dataclass(frozen=True)
class WholeTable:
    """Everything as it lies on a table nobody watched, rightly or wrongly."""

    tiles: tuple[Placement, ...]
    followers: tuple[tuple[int, Segment], ...] = ()
    """Whose they are, and where they stand."""
    points: tuple[int, ...] = ()
    """What each player has on the track."""


@dataclass(frozen=True)
class TableShown:
    """A whole table, for people who only want its score."""

    table: WholeTable


Event = (
    StartLaid | TileDrawn | TileDiscarded | TileLaid | FollowerPlaced | NoFollower | GameEnded | TableShown
)


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
