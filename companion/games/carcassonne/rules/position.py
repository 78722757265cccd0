"""Where a game of Carcassonne stands: everything on the table, and what it is waiting for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from companion.games.carcassonne.rules.board import (
    START_TILE,
    TILES,
    TILES_IN_THE_BOX,
    Board,
    Cell,
    FeatureKind,
    Placement,
    Segment,
)
from companion.games.carcassonne.rules.events import Event, TileLaid, WholeTable
from companion.games.carcassonne.rules.scoring import (
    Count,
    Followers,
    Holdings,
    count_feature,
    count_fields,
    holdings,
)
from companion.games.carcassonne.rules.variants import Variant

FOLLOWERS_EACH = 7
"""Of the eight of each colour, one counts points on the track."""


class Phase(StrEnum):
    """What the table is waiting for."""

    DRAW = "draw"
    LAY = "lay"
    FOLLOWER = "follower"
    SHOW = "show"
    OVER = "over"


@dataclass(frozen=True)
class Position:
    """Everything that lies on the table, and how it came about as far as it matters."""

    variants: frozenset[Variant]
    players: int
    board: Board = field(default_factory=Board)
    player: int = 0
    """Whose turn it is."""
    drawn: str = ""
    """The tile in the player's hand, if anybody told."""
    lays: Mapping[Cell, TileLaid] = field(default_factory=dict, compare=False, repr=False)
    """How each tile came to lie where it lies, in that order; not those that lay there from the start."""
    bare: tuple[Cell, ...] = field(default=(), compare=False, repr=False)
    """The tiles of which somebody said that no follower comes on them."""
    laid: Cell | None = None
    """The tile just laid, as long as its follower and the points are still to come."""
    followers: Followers = field(default_factory=dict)
    returning: tuple[tuple[int, Segment], ...] = field(default=(), compare=False, repr=False)
    """Followers that the last turn counted, as they stood: people take them back before the next tile is laid."""
    scored: tuple[Count, ...] = ()
    """Everything counted during the game, in its order."""
    discards: tuple[str, ...] = ()
    """Tiles that left the game."""
    overruled: tuple[Event, ...] = ()
    """What people did against the rules, each with its reason."""
    ended: bool = False
    """Whether people stopped before the last tile."""
    table: WholeTable | None = None
    """The table as it was shown, when the game itself was not watched."""
    told: tuple[int | None, ...] = ()
    """What each has on the track, as the sheet says it; None for those of whom nobody has said it."""

    @property
    def phase(self) -> Phase:
        if self.laid is not None:
            return Phase.FOLLOWER
        if self.drawn:
            return Phase.LAY
        if Variant.SCORE_ONLY in self.variants:
            whole = self.table and self.table.tiles and self.table.points
            return Phase.OVER if whole or self.ended else Phase.SHOW
        return Phase.OVER if self.ended or self.tiles_in_the_bag <= 0 else Phase.DRAW

    @property
    def tiles_in_the_bag(self) -> int:
        """How many tiles are still to be drawn."""
        return TILES_IN_THE_BOX - len(self.board.tiles) - len(self.discards) - len(self._in_hand)

    @property
    def sheet(self) -> bool:
        """Whether the end of this game is told in numbers."""
        return bool(self.told) or (Variant.SCORE_ONLY in self.variants and bool(self.scored))

    @property
    def begun(self) -> bool:
        """Whether anything has happened since the first tile lay there."""
        return len(self.board.tiles) > 1 or bool(self.discards or self.drawn)

    @cached_property
    def bag(self) -> Mapping[str, int]:
        """How many tiles of each type are still to be drawn; below zero when there are too many on the table."""
        out = Counter(tile.letter for tile in self.board.tiles.values())
        out.update([*self.discards, *self._in_hand])
        return {letter: tile.count - out[letter] for letter, tile in TILES.items()}

    @property
    def holes(self) -> tuple[Cell, ...]:
        """The empty places beside tiles that no tile left can fill."""
        left = [letter for letter, count in self.bag.items() if count > 0]
        return self.board.holes([*self._in_hand, *left])

    @property
    def _in_hand(self) -> tuple[str, ...]:
        return (self.drawn,) if self.drawn else ()

    def supply(self, player: int) -> int:
        """The followers a player has in hand."""
        return FOLLOWERS_EACH - list(self.followers.values()).count(player)

    @property
    def points(self) -> tuple[int, ...]:
        """What each player has on the track."""
        start = self.table.points if self.table else tuple(points or 0 for points in self.told)
        return add_counts(start or (0,) * self.players, self.scored)

    @property
    def claims(self) -> tuple[Segment, ...]:
        """Where the player may place a follower now: the parts of the tile just laid that belong to nobody."""
        if self.laid is None or self.supply(self.player) <= 0:
            return ()
        x, y = self.laid
        parts = self.board.tiles[self.laid].parts
        return tuple((x, y, part.id) for part in parts if self.may_claim((x, y, part.id)))

    def may_claim(self, segment: Segment) -> bool:
        """Whether nobody stands on the feature of this segment, and it may be stood on at all."""
        feature = self.board.features[segment]
        if feature.kind is FeatureKind.FIELD and Variant.NO_FARMERS in self.variants:
            return False
        return self.followers.keys().isdisjoint(feature.segments)

    @cached_property
    def held(self) -> Holdings:
        """The features that somebody stands on."""
        return holdings(self.board, self.followers)

    @cached_property
    def outlook(self) -> tuple[Count, ...]:
        """What would be counted if the game ended now: features as they stand first, then the fields."""
        features = [
            count_feature(feature, holders, self.variants)
            for feature, holders in self.held.items()
            if feature.kind is not FeatureKind.FIELD
        ]
        return (*features, *count_fields(self.board, self.held, self.variants))


def add_counts(points: Iterable[int], counts: Iterable[Count]) -> tuple[int, ...]:
    """Points of all players after something was counted."""
    sums = list(points)
    for count in counts:
        for owner in count.owners:
            sums[owner] += count.points
    return tuple(sums)


def start(players: int, variants: frozenset[Variant]) -> Position:
    """The tile that begins the game lies there, nothing else; or nothing at all, when a table is to be shown."""
    board = Board() if Variant.SCORE_ONLY in variants else Board().laid(Placement(START_TILE, 0, 0))
    return Position(variants, players, board)


def show_table(position: Position, table: WholeTable) -> Position:
    """A table as it lies; what cannot be on it is left out here, and told among the problems."""
    board = Board()
    for placement in table.tiles:
        if placement.cell not in board.tiles:
            board = board.laid(placement)
    followers: dict[Segment, int] = {}
    for player, segment in table.followers:
        if segment in board.features:
            followers.setdefault(segment, player)
    return replace(position, board=board, followers=followers, table=table)
