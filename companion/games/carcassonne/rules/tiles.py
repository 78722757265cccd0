"""The pieces in the box: 72 tiles of 24 types, and what each shows in each of its four rotations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
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
