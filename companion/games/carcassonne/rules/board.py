"""The box of 72 tiles of 24 types, and the board they form: the features on it, kept up to date tile by tile.

`tiles.toml` has a row for each type; a part of a tile is called by a letter and a number (`c0` a city, `r0` a
road, `m0` the monastery, `f0` a field). x grows to the right and y down, the tile that began the game is at
0,0; turns are quarters clockwise, 0 to 3. A board is never changed: laying a tile gives a new one, which
shares every feature that the tile does not touch.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.message import Message
from companion.core.message import message as _

Cell = tuple[int, int]
"""Where a tile lies: x grows to the right, y grows down, the tile that began the game is at 0,0."""

STEPS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""To the neighbours on the four sides, clockwise from the north."""

AROUND: tuple[Cell, ...] = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0))
"""To the eight places round a monastery."""

PORTS_OF_A_SIDE = 3
PORTS = 12
"""Each side has three ports, clockwise: a field, the road or city in the middle, and a field again."""

FACING = tuple(PORTS_OF_A_SIDE * ((port // 3 + 2) % 4) + 2 - port % 3 for port in range(PORTS))
"""The port of the neighbour that each port meets."""

START_TILE = "D"
TURNS = range(4)
"""Quarter turns clockwise from the way the rulebook's chart shows a tile."""

MONASTERY_ID = "m0"
OPEN_SIDE = "."
"""In a need: nothing lies on that side yet."""


class FeatureKind(StrEnum):
    """What followers stand on; the first letter of each begins the names of its parts."""

    ROAD = "road"
    CITY = "city"
    MONASTERY = "monastery"
    FIELD = "field"


KIND_OF_LETTER: Mapping[str, FeatureKind] = {kind.value[0]: kind for kind in FeatureKind}

KIND_NAMES: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("Road"),
    FeatureKind.CITY: _("City"),
    FeatureKind.MONASTERY: _("Monastery"),
    FeatureKind.FIELD: _("Field"),
}

UNFINISHED: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("Unfinished road"),
    FeatureKind.CITY: _("Unfinished city"),
    FeatureKind.MONASTERY: _("Unfinished monastery"),
    FeatureKind.FIELD: KIND_NAMES[FeatureKind.FIELD],
}

ROLE_NAMES: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("thief"),
    FeatureKind.CITY: _("knight"),
    FeatureKind.MONASTERY: _("monk"),
    FeatureKind.FIELD: _("farmer"),
}
"""What a follower is called where it stands."""


class TilePart(NamedTuple):
    """One road, city, monastery or field of a tile."""

    id: str
    kind: FeatureKind
    ports: tuple[int, ...]
    """Where it reaches the edge of the tile."""
    pennants: int
    cities: tuple[str, ...]
    """For a field: the cities of this tile that it borders."""


@dataclass(frozen=True)
class TurnedTile:
    """A type of tile in one of its rotations."""

    letter: str
    turn: int
    parts: tuple[TilePart, ...]
    ports: tuple[str, ...]
    """The part at each port; empty where there is none."""
    edges: str
    """What each side shows, clockwise from the north: c for a city, r for a road, f for a field."""

    def part(self, id: str) -> TilePart | None:
        return next((part for part in self.parts if part.id == id), None)


@dataclass(frozen=True)
class Tile:
    """A type of tile and how many of it are in the box."""

    letter: str
    count: int
    turned: tuple[TurnedTile, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(part.id for part in self.turned[0].parts)


def _read_side(text: str) -> tuple[str, str, str]:
    match text.split():
        case [left, road, right]:
            return left, road, right
        case [city] if city.startswith("c"):
            return "", city, ""
        case [field]:
            return field, "", field
        case _:
            raise ValueError(text)


def _read_parts(row: Mapping[str, Any], ports: tuple[str, ...]) -> tuple[TilePart, ...]:
    ids = sorted({id for id in ports if id} | ({MONASTERY_ID} if row.get("monastery") else set()))
    contacts = [contact.split("-") for contact in row.get("touching", "").split()]
    return tuple(
        TilePart(
            id=id,
            kind=KIND_OF_LETTER[id[0]],
            ports=tuple(port for port in range(PORTS) if ports[port] == id),
            pennants=row.get("pennants", "").split().count(id),
            cities=tuple(city for field, city in contacts if field == id),
        )
        for id in ids
    )


def _turned(letter: str, turn: int, parts: tuple[TilePart, ...], ports: tuple[str, ...]) -> TurnedTile:
    shift = PORTS_OF_A_SIDE * turn
    around = tuple(ports[(port - shift) % PORTS] for port in range(PORTS))
    moved = tuple(
        part._replace(ports=tuple(sorted((port + shift) % PORTS for port in part.ports))) for part in parts
    )
    edges = "".join((around[3 * side + 1] or around[3 * side])[0] for side in range(4))
    return TurnedTile(letter, turn, moved, around, edges)


def read_tile(letter: str, row: Mapping[str, Any]) -> Tile:
    """A type of tile from its row of the table."""
    ports = tuple(id for side in row["around"].split("/") for id in _read_side(side))
    parts = _read_parts(row, ports)
    return Tile(letter, row["count"], tuple(_turned(letter, turn, parts, ports) for turn in TURNS))


def _read_tiles() -> Mapping[str, Tile]:
    boxes = tomllib.loads((Path(__file__).parents[1] / "tiles.toml").read_text(encoding="utf-8"))
    return {letter: read_tile(letter, row) for letter, row in boxes["base"].items()}


TILES = _read_tiles()
"""The types of tiles by their letters."""

TILES_IN_THE_BOX = sum(tile.count for tile in TILES.values())


@cache
def fitting_turns(letter: str, need: str) -> tuple[int, ...]:
    """The rotations in which a tile continues what lies beside it; a need is written like `TurnedTile.edges`."""
    return tuple(tile.turn for tile in TILES[letter].turned if _continues(tile.edges, need))


@cache
def fitting_tiles(need: str) -> frozenset[str]:
    """The types of tiles that could be laid where this is needed."""
    return frozenset(letter for letter in TILES if fitting_turns(letter, need))


def _continues(edges: str, need: str) -> bool:
    return all(wanted in (OPEN_SIDE, edge) for edge, wanted in zip(edges, need, strict=True))


@cache
def upright(letter: str, turn: int) -> int:
    """The first rotation in which a tile shows the same on every side: nobody can tell it from a later one."""
    tiles = TILES[letter].turned
    return next(other.turn for other in tiles if _same(other, tiles[turn]))


def _same(a: TurnedTile, b: TurnedTile) -> bool:
    return a.edges == b.edges and _joins(a) == _joins(b)


def _joins(tile: TurnedTile) -> frozenset[tuple[int, ...]]:
    """Which ports of a tile belong together."""
    return frozenset(part.ports for part in tile.parts)


Segment = tuple[int, int, str]
"""One part of one tile: its place and the name of the part, as `(3, 7, "c0")`."""


def cell_name(cell: Cell) -> str:
    """The name of a place for a tile, as `3,7`."""
    return f"{cell[0]},{cell[1]}"


def place_name(segment: Segment) -> str:
    """The name of a part of a tile on the table, as the drawing marks it: `3,7:c0`."""
    x, y, id = segment
    return f"{x},{y}:{id}"


def feature_kind(segment: Segment) -> FeatureKind:
    return KIND_OF_LETTER[segment[2][0]]


def reading_order(segment: Segment) -> tuple[int, int, str]:
    """Row by row: in this order places are told."""
    x, y, id = segment
    return y, x, id


NOTHING_NEAR = OPEN_SIDE * 4
Beside = tuple[tuple[int, int, TurnedTile] | None, ...]
"""What lies on the four sides of a place, clockwise from the north."""


class Placement(NamedTuple):
    """Where a tile lies, and how."""

    tile: str
    x: int
    y: int
    turn: int = 0
    """Quarter turns clockwise."""

    @property
    def cell(self) -> Cell:
        return self.x, self.y


@dataclass(frozen=True, eq=False, slots=True)
class Feature:
    """A road, city, monastery or field, over however many tiles; the same thing for each of its segments."""

    kind: FeatureKind
    segments: frozenset[Segment]
    open: int
    """Ends that nothing has met yet; for a monastery the empty places around it."""
    pennants: int = 0
    cities: frozenset[Segment] = frozenset()
    """For a field: the segments of cities that it borders."""

    @property
    def name(self) -> Message:
        return (KIND_NAMES if self.complete else UNFINISHED)[self.kind]

    @property
    def complete(self) -> bool:
        return self.open == 0 and self.kind is not FeatureKind.FIELD

    @property
    def cells(self) -> frozenset[Cell]:
        """The tiles it lies on; a tile that it enters twice is one of them once."""
        return frozenset([segment[:2] for segment in self.segments])


@dataclass(frozen=True)
class Board:
    """Tiles as they lie, rightly or wrongly; everything but the tiles follows from them."""

    tiles: Mapping[Cell, TurnedTile] = field(default_factory=dict)
    """In the order they were laid."""
    features: Mapping[Segment, Feature] = field(default_factory=dict, compare=False, repr=False)
    frontier: Mapping[Cell, str] = field(default_factory=dict, compare=False, repr=False)
    """The empty places beside tiles, and what each of their sides has to show."""

    def laid(self, placement: Placement) -> Board:
        """The board with one more tile; where it does not continue its neighbours, nothing is joined."""
        x, y = placement.x, placement.y
        tile = TILES[placement.tile].turned[placement.turn]
        beside = self._beside(x, y)
        features = dict(self.features)
        for part in tile.parts:
            grown = (
                self._monastery(x, y)
                if part.kind is FeatureKind.MONASTERY
                else _joined(part, x, y, beside, features)
            )
            features.update(dict.fromkeys(grown.segments, grown))
        self._fill_surroundings(x, y, features)
        return Board({**self.tiles, (x, y): tile}, features, self._grown_frontier(x, y, tile.edges))

    def placements(self, letter: str) -> Iterator[Placement]:
        """Every legal place and rotation for a tile; rotations that look alike are counted each."""
        for (x, y), need in self.frontier.items():
            for turn in fitting_turns(letter, need):
                yield Placement(letter, x, y, turn)

    def has_place_for(self, letter: str) -> bool:
        return any(fitting_turns(letter, need) for need in self.frontier.values())

    def holes(self, letters: Iterable[str]) -> tuple[Cell, ...]:
        """The empty places that no tile of these types could fill."""
        left = frozenset(letters)
        return tuple(cell for cell, need in self.frontier.items() if left.isdisjoint(fitting_tiles(need)))

    def completed_by(self, cell: Cell) -> Sequence[Feature]:
        """The features that the tile at this place completes, if it was the last to be laid."""
        x, y = cell
        near = [(x, y, part.id) for part in self.tiles[cell].parts]
        near += [(x + dx, y + dy, MONASTERY_ID) for dx, dy in AROUND]
        touched = dict.fromkeys(self.features[segment] for segment in near if segment in self.features)
        return [feature for feature in touched if feature.complete]

    def mismatches(self) -> Iterator[tuple[Cell, Cell]]:
        """Neighbours that do not continue each other."""
        for (x, y), tile in self.tiles.items():
            for side in (1, 2):
                near = (x + STEPS[side][0], y + STEPS[side][1])
                other = self.tiles.get(near)
                if other is not None and other.edges[side + 2 & 3] != tile.edges[side]:
                    yield (x, y), near

    def _beside(self, x: int, y: int) -> Beside:
        return tuple(
            (x + dx, y + dy, tile) if (tile := self.tiles.get((x + dx, y + dy))) else None for dx, dy in STEPS
        )

    def _monastery(self, x: int, y: int) -> Feature:
        empty = sum((x + dx, y + dy) not in self.tiles for dx, dy in AROUND)
        return Feature(FeatureKind.MONASTERY, frozenset([(x, y, MONASTERY_ID)]), empty)

    def _fill_surroundings(self, x: int, y: int, features: dict[Segment, Feature]) -> None:
        """Every monastery around has one empty place less."""
        for dx, dy in AROUND:
            segment = (x + dx, y + dy, MONASTERY_ID)
            if segment in self.features:
                features[segment] = replace(features[segment], open=features[segment].open - 1)

    def _grown_frontier(self, x: int, y: int, edges: str) -> Mapping[Cell, str]:
        frontier = dict(self.frontier)
        frontier.pop((x, y), None)
        for side, (dx, dy) in enumerate(STEPS):
            near = (x + dx, y + dy)
            if near not in self.tiles:
                need, facing = frontier.get(near, NOTHING_NEAR), (side + 2) % 4
                frontier[near] = need[:facing] + edges[side] + need[facing + 1 :]
        return frontier


def _joined(part: TilePart, x: int, y: int, beside: Beside, features: Mapping[Segment, Feature]) -> Feature:
    """The feature that a part of a new tile forms with all that it meets."""
    met: set[Feature] = set()
    open = len(part.ports)
    letter = part.id[0]
    for port in part.ports:
        neighbour = beside[port // 3]
        if neighbour is not None:
            near_x, near_y, tile = neighbour
            id = tile.ports[FACING[port]]
            if id and id[0] == letter:
                met.add(features[near_x, near_y, id])
                open -= 2  # this end is met, and so is the other one
    return Feature(
        part.kind,
        frozenset([(x, y, part.id)]).union(*[feature.segments for feature in met]),
        open + sum([feature.open for feature in met]),
        part.pennants + sum([feature.pennants for feature in met]),
        frozenset([(x, y, city) for city in part.cities]).union(*[feature.cities for feature in met]),
    )
