"""What lies on the table as shapes: what a template needs to draw it, in units of 450 to a tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.game import Colour
from companion.core.message import Message
from companion.games.carcassonne.rules.board import Board, Feature, Placement, Segment
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.scoring import owners, reading_order
from companion.games.carcassonne.rules.tiles import KIND_NAMES, KIND_OF_LETTER, TILES, Cell, FeatureKind
from companion.games.carcassonne.sight.curves import HALF_SIDE, TILE_SIDE, turned_point
from companion.games.carcassonne.sight.shapes import shapes
from companion.games.carcassonne.text.tally import UNFINISHED
from companion.games.carcassonne.text.words import cell_name, place_name

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
    """A tile on the table."""

    x: int
    y: int
    tile: str
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
        (x, y): TileView(x, y, tile.letter, tile.turn, (x, y) == last) for (x, y), tile in board.tiles.items()
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
            name=feature_name(feature),
            kind=feature.kind,
            parts=tuple(PartView(lying[x, y], id) for x, y, id in segments),
            owners=owners(position.held.get(feature, ())),
        )


def feature_name(feature: Feature) -> Message:
    return KIND_NAMES[feature.kind] if feature.complete else UNFINISHED[feature.kind]


def part_view(board: Board, segment: Segment) -> PartView:
    x, y, id = segment
    tile = board.tiles[x, y]
    return PartView(TileView(x, y, tile.letter, tile.turn), id)


def held_view(placement: Placement) -> TileView:
    """A tile that is held over the table."""
    return TileView(placement.x, placement.y, placement.tile, placement.turn)


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
