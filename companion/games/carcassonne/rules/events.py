"""What can happen in a game of Carcassonne.

Players are counted from 0 here, from 1 in notation. Events that people may record against the rules carry
`because`.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.carcassonne.rules.board import FeatureKind, Placement, Segment


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
    """What each player has on the track; empty until people say so, and then the table is told whole."""


@dataclass(frozen=True)
class TableShown:
    """A whole table, for people who only want its score."""

    table: WholeTable


@dataclass(frozen=True)
class TrackTold:
    """What a player has on the track, on the sheet of a game of which nobody shows the table."""

    player: int
    points: int


@dataclass(frozen=True)
class FeatureTold:
    """Something that is counted at the end, told in numbers on that sheet."""

    kind: FeatureKind
    things: int
    """Its tiles; of a field, the complete cities that bring its owners points."""
    owners: tuple[int, ...]
    pennants: int = 0


Event = (
    StartLaid
    | TileDrawn
    | TileDiscarded
    | TileLaid
    | FollowerPlaced
    | NoFollower
    | GameEnded
    | TableShown
    | TrackTold
    | FeatureTold
)
