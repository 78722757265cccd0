"""How tiles look; `python -m companion.games.carcassonne.faces` writes them and the followers as the page's symbols."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import hypot

from companion.games.carcassonne.rules.tiles import MONASTERY_ID, TILES, FeatureKind, TilePart, TurnedTile
from companion.games.carcassonne.sight import figures, scenery
from companion.games.carcassonne.sight.curves import (
    TILE_SIDE,
    WALL_SLANT,
    closed_path,
    point_at,
    turned_point,
)
from companion.games.carcassonne.sight.shapes import (
    GATE_DISTANCE,
    HALF_PRECINCT,
    HALF_ROAD,
    art_table,
    city_line,
    precinct,
    road_band,
    shapes,
    sides_of,
    walls,
)

TILE_SIZE = 45.0
"""The side of a tile, in millimetres."""

_LAYERS = ((0.0, scenery.SHADE), (4.0, scenery.STONE), (17.0, scenery.SHADE), (20.0, scenery.GROUND))
"""How deep in a city each layer of its wall begins."""
_TOWER = tuple(
    (depth * WALL_SLANT, colour)
    for (_, colour), (depth, _) in zip(_LAYERS[2::-1], _LAYERS[:0:-1], strict=True)
)
"""The same layers around a corner that is all city, the widest first."""
_GARDEN = (
    (HALF_PRECINCT, scenery.SHADE),
    (HALF_PRECINCT - 5, scenery.STONE),
    (HALF_PRECINCT - 13, scenery.GARDEN),
)
"""Half the width of each layer of a monastery's wall."""
_BORDER = 8.0
"""Of a road, on either side."""
_CLEAR = 92.0
"""How far houses keep from a shield."""
_OPEN = 50.0
"""How far houses keep from where a knight stands, in a city that has room for it."""

_LIES: Mapping[str, tuple[int, ...]] = {
    "cap": (0,),
    "through": (1, 3),
    "bend": (0, 3),
    "three": (0, 1, 3),
    "all": (0, 1, 2, 3),
}
"""The sides that a city of each kind reaches where its houses are listed."""
_CROSSINGS = {"market": scenery.market, "linden": scenery.linden, "fountain": scenery.fountain}


@cache
def tile_face(letter: str) -> str:
    """The face of an unturned tile, the inside of an SVG of 450 by 450."""
    turned, row = TILES[letter].turned[0], art_table()["tiles"][letter]
    roads = [part for part in turned.parts if part.kind is FeatureKind.ROAD]
    cities = [part for part in turned.parts if part.kind is FeatureKind.CITY]
    return "".join(
        (
            f'<path fill="{scenery.FIELD_COLOUR}" d="M0 0H{TILE_SIDE:g}V{TILE_SIDE:g}H0z"/>',
            scenery.meadow(row.get("bushes", ())),
            _roads(turned, roads),
            *(_city(letter, part) for part in cities),
            _where_roads_end(turned, len(roads)),
            scenery.trees(row["trees"]) if "trees" in row else "",
        )
    )


def _roads(tile: TurnedTile, roads: Sequence[TilePart]) -> str:
    layers = ((HALF_ROAD, scenery.VERGE), (HALF_ROAD - _BORDER, scenery.ROAD_COLOUR))
    return "".join(
        f'<path fill="{colour}" d="{closed_path(*(road_band(tile, road, half) for road in roads))}"/>'
        for half, colour in layers
        if roads
    )


def _city(letter: str, city: TilePart) -> str:
    sides = sides_of(city)
    bends = walls(city)
    grounds = (
        f'<path fill="{colour}" d="{closed_path(city_line(city, depth))}"/>' for depth, colour in _LAYERS
    )
    towers = (scenery.quarter_tower(s, _TOWER) for s in sides if (s - 1) % 4 in sides)
    turrets = (scenery.turret(*point_at(w.inset(10), t)) for w in bends for t in _turrets(w.end - w.start))
    shield = art_table()["tiles"][letter]["shield"] if city.pennants else None
    return "".join(
        (
            *grounds,
            scenery.houses(_houses(letter, city), sides),
            *towers,
            scenery.battlements(wall.inset(10.5) for wall in bends),
            *turrets,
            scenery.coat_of_arms(*shield) if shield else "",
        )
    )


def _turrets(gap: int) -> tuple[float, ...]:
    return (0.3, 0.7) if gap % 4 == 1 else (0.25, 0.5, 0.75)


def _houses(letter: str, city: TilePart) -> Iterator[tuple[float, ...]]:
    kind, turns = _kind(sides_of(city))
    spot = shapes(letter)[city.id].spot
    shield = art_table()["tiles"][letter]["shield"] if city.pennants else None
    for x, y, length, depth, angle in art_table()["houses"][kind]:
        px, py = turned_point((x, y), turns)
        clear = kind == "cap" or hypot(px - spot[0], py - spot[1]) > _OPEN
        if clear and (not shield or hypot(px - shield[0], py - shield[1]) > _CLEAR):
            yield px, py, length, depth, angle + 90 * turns


def _kind(sides: tuple[int, ...]) -> tuple[str, int]:
    """The kind of a city, and by how many quarters it is turned."""
    return next(
        (kind, turns)
        for kind, lies in _LIES.items()
        for turns in range(4)
        if {(side + turns) % 4 for side in lies} == set(sides)
    )


def _where_roads_end(tile: TurnedTile, roads: int) -> str:
    if tile.part(MONASTERY_ID):
        grounds = (f'<path fill="{colour}" d="{closed_path(precinct(half))}"/>' for half, colour in _GARDEN)
        return "".join(grounds) + scenery.monastery()
    if roads > 2:
        return _CROSSINGS[art_table()["tiles"][tile.letter]["crossing"]]()
    if roads and tile.edges.count("r") == 1:
        return scenery.gatehouse(tile.edges.index("r"), GATE_DISTANCE)
    return ""


def tile_back() -> str:
    """The back of a tile, 450 by 450."""
    lozenges = "".join(
        f"M{x} {y - 30}l30 30-30 30-30-30z" for y in range(75, 400, 75) for x in range(75, 400, 75)
    )
    return (
        f'<path fill="#2f5b47" d="M0 0H{TILE_SIDE:g}V{TILE_SIDE:g}H0z"/><path fill="#3f7159" d="{lozenges}"/>'
        '<path fill="none" stroke="#6fa65e" stroke-width="8" d="M22 22H428V428H22z"/>'
    )


def symbol_sheet() -> str:
    """The symbols that the page and the picture of a result share."""
    symbols = [_symbol(f"tile-{letter}", (TILE_SIDE, TILE_SIDE), tile_face(letter)) for letter in TILES]
    symbols.append(_symbol("follower", (100, 100), figures.FOLLOWER_SYMBOL))
    symbols.append(_symbol("follower-lying", (200, 220), figures.LYING_SYMBOL))
    symbols.append(_symbol("tile-back", (TILE_SIDE, TILE_SIDE), tile_back()))
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "".join(symbols) + "</svg>\n"


def _symbol(name: str, size: tuple[float, float], drawing: str) -> str:
    return f'  <symbol id="{name}" viewBox="0 0 {size[0]:g} {size[1]:g}">{drawing}</symbol>\n'


if __name__ == "__main__":
    sys.stdout.write(symbol_sheet())
