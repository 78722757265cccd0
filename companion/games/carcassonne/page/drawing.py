"""What lies on the table as shapes, 450 units to a tile, and what somebody asked about it, with the sum it
stands for.

The address says what is asked: `about` names a part of a tile on the table, `why` a player's line of the
tally.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.game import Colour
from companion.core.message import Message
from companion.games.carcassonne.rules.board import (
    KIND_OF_LETTER,
    TILES,
    Board,
    Cell,
    FeatureKind,
    Segment,
    cell_name,
    place_name,
    reading_order,
)
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.scoring import Count, count_feature, count_unclaimed, owners
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.sight.shapes import HALF_SIDE, TILE_SIDE, shapes, turned_point
from companion.games.carcassonne.text.tally import all_counts

TILE_UNITS = int(TILE_SIDE)

HATCHES: Mapping[Colour, str] = {
    Colour.RED: "M45 35a10 10 0 1 1 0 20 10 10 0 1 1 0-20z",
    Colour.BLUE: "M0 0 90 90M90 0 0 90",
    Colour.GREEN: "M45 0V90M0 45H90",
    Colour.YELLOW: "M45 25a20 20 0 1 1 0 40 20 20 0 1 1 0-40z",
    Colour.BLACK: "M45 27V63M27 45H63",
}
"""What is drawn on all that belongs to a colour, in squares of 90; it goes on over tiles however they are turned."""


@dataclass(frozen=True)
class TileView:
    """A tile on the table, or one that is held over it, as a `Placement` says."""

    tile: str
    x: int
    y: int
    turn: int
    last: bool = False
    """Whether it is the last that was laid."""

    @property
    def place(self) -> str:
        return cell_name((self.x, self.y))

    @property
    def lies(self) -> tuple[int, int, str, int]:
        """What is the same for two tiles that lie alike."""
        return self.x, self.y, self.tile, self.turn

    @property
    def parts(self) -> tuple[str, ...]:
        return TILES[self.tile].parts

    @property
    def transform(self) -> str:
        turn = f" rotate({90 * self.turn} {HALF_SIDE:g} {HALF_SIDE:g})" if self.turn else ""
        return f"translate({self.x * TILE_UNITS} {self.y * TILE_UNITS}){turn}"


@dataclass(frozen=True)
class PartView:
    """A part of a tile as it lies there."""

    tile: TileView
    part: str

    @property
    def place(self) -> str:
        return place_name((self.tile.x, self.tile.y, self.part))

    @property
    def kind(self) -> FeatureKind:
        return KIND_OF_LETTER[self.part[0]]

    @property
    def spot(self) -> tuple[float, float]:
        """Where a follower of this part stands."""
        x, y = turned_point(shapes(self.tile.tile)[self.part].spot, self.tile.turn)
        return round(self.tile.x * TILE_SIDE + x, 1), round(self.tile.y * TILE_SIDE + y, 1)


@dataclass(frozen=True)
class FollowerView:
    """A follower on the table."""

    player: int
    at: PartView

    @property
    def place(self) -> str:
        return self.at.place

    @property
    def lies(self) -> tuple[int, str]:
        return self.player, self.at.place


@dataclass(frozen=True)
class FeatureView:
    """A road, city, monastery or field over all its tiles."""

    place: str
    name: Message
    kind: FeatureKind
    parts: tuple[PartView, ...]
    owners: tuple[int, ...]
    """Whoever would get its points; nobody while nobody stands on it."""


def tile_views(board: Board) -> dict[Cell, TileView]:
    last = next(reversed([*board.tiles]), None)
    return {
        (x, y): TileView(tile.letter, x, y, tile.turn, (x, y) == last) for (x, y), tile in board.tiles.items()
    }


def follower_views(position: Position) -> Iterator[FollowerView]:
    """From the back to the front, so that nobody hides another one's hat."""
    for segment in sorted(position.followers, key=reading_order):
        yield FollowerView(position.followers[segment], part_view(position.board, segment))


def feature_views(position: Position) -> Iterator[FeatureView]:
    """Everything somebody may ask about: what is large first, so that small things are never below it."""
    lying = tile_views(position.board)
    found = dict.fromkeys(position.board.features.values())
    for feature in sorted(found, key=lambda feature: -len(feature.segments)):
        segments = sorted(feature.segments, key=reading_order)
        yield FeatureView(
            place=place_name(segments[0]),
            name=feature.name,
            kind=feature.kind,
            parts=tuple(PartView(lying[x, y], id) for x, y, id in segments),
            owners=owners(position.held.get(feature, ())),
        )


def part_view(board: Board, segment: Segment) -> PartView:
    x, y, id = segment
    tile = board.tiles[x, y]
    return PartView(TileView(tile.letter, x, y, tile.turn), id)


def board_bounds(position: Position) -> tuple[int, int, int, int]:
    """The leftmost, topmost, rightmost and lowest place, those where a tile may come to lie included."""
    grows = position.phase is not Phase.OVER or position.table is not None
    cells = [*position.board.tiles, *(position.board.frontier if grows else ())] or [(0, 0)]
    columns, rows = zip(*cells, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def part_paths() -> Iterator[tuple[str, str]]:
    """The area of every part of every type of tile, by a name that is one in the whole page."""
    for letter in TILES:
        for id, shape in shapes(letter).items():
            yield f"{letter}-{id}", shape.path


_CELL = re.compile(r"(-?[0-9]{1,2}),(-?[0-9]{1,2})")
_LINE = re.compile(r"([0-4])\.([0-9]{1,3})")


@dataclass(frozen=True)
class Explanation:
    """The answer."""

    counts: tuple[Count, ...]
    """One, but for fields that are counted city by city."""
    done: bool
    """Whether its points are on the track already."""
    hidden: bool
    """Whether the table plays without looking ahead."""
    at: PartView | None = None
    """The part of a tile that was tapped."""

    @property
    def places(self) -> frozenset[str]:
        return frozenset(place for count in self.counts for place in count.places)


def looking_ahead(position: Position) -> bool:
    """Whether people may see what would be counted if the game ended now."""
    return Variant.PURIST not in position.variants or position.phase is Phase.OVER


def explanation(position: Position, wish: Mapping[str, str]) -> Explanation | None:
    if segment := parse_place(position, wish.get("about", "")):
        return _explain_part(position, segment)
    if found := _LINE.fullmatch(wish.get("why", "")):
        return _explain_line(position, int(found[1]), int(found[2]))
    return None


def parse_cell(text: str) -> Cell | None:
    """The place for a tile that is named so."""
    found = _CELL.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None


def parse_place(position: Position, text: str) -> Segment | None:
    """The part of a tile on the table that is named so."""
    at, _colon, part = text.partition(":")
    cell = parse_cell(at)
    segment = (*cell, part) if cell else None
    return segment if segment in position.board.features else None


def _explain_part(position: Position, segment: Segment) -> Explanation:
    now = [count for count in position.outlook if segment in count.segments]
    before = [count for count in reversed(position.scored) if segment in count.segments]
    found = now or before[:1] or [_unclaimed(position, segment)]
    return Explanation(
        counts=tuple(found),
        done=not now and bool(before),
        hidden=found != before[:1] and not looking_ahead(position),
        at=part_view(position.board, segment),
    )


def _unclaimed(position: Position, segment: Segment) -> Count:
    feature = position.board.features[segment]
    if feature.kind is FeatureKind.FIELD:
        return count_unclaimed(position.board, feature)
    return count_feature(feature, (), position.variants)


def _explain_line(position: Position, player: int, number: int) -> Explanation | None:
    lines = [*_tally_counts(position, player)]
    found = lines[number] if number < len(lines) else None
    return Explanation((found,), found in position.scored, hidden=False) if found else None


def _tally_counts(position: Position, player: int) -> Iterator[Count | None]:
    """What a player's lines of the tally speak of; nothing for points that were on the track before."""
    on_track = position.table.points if position.table else position.told
    if on_track and on_track[player] is not None:
        yield None
    for count in all_counts(position):
        yield from [count] * count.owners.count(player)
