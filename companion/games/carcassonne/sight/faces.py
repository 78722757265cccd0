"""How tiles and followers look; `python -m companion.games.carcassonne.sight.faces` writes them as the page's
symbols.

Drawings are the inside of an SVG: tiles 450 by 450, followers 100 by 100, or in tenths of a millimetre as a
camera sees them from above.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import cos, hypot, radians, sin

from companion.core.game import INKS, Colour
from companion.games.carcassonne.rules.board import MONASTERY_ID, TILES, FeatureKind, TilePart, TurnedTile
from companion.games.carcassonne.sight.shapes import (
    GATE_DISTANCE,
    HALF_PRECINCT,
    HALF_ROAD,
    HALF_SIDE,
    TILE_SIDE,
    WALL_SLANT,
    Curve,
    Point,
    art_table,
    city_line,
    closed_path,
    middle_part,
    open_path,
    point_at,
    polygons,
    precinct,
    road_band,
    shapes,
    sides_of,
    svg_number,
    turned_point,
    walls,
)

FIELD_COLOUR, SUNNY, TUFT = "#b3cf77", "#cce396", "#86aa4d"
ROAD_COLOUR, VERGE = "#f7ecd0", "#96784c"
GROUND, LANE = "#e3be88", "#c4965a"
ROOF_LIGHT, ROOF, ROOF_DARK = "#de7a54", "#c55c3b", "#9f442b"
STONE, SHADE, BATTLEMENT = "#d2c3a6", "#5b4837", "#f5ecd8"
LEAF, LEAF_LIGHT = "#3c7150", "#6fa65e"
SLATE_LIGHT, SLATE, SLATE_DARK = "#8aa2bd", "#647f9e", "#46607d"
GARDEN = "#eadfc6"
WATER = "#559dcd"

House = Sequence[float]
"""Its x, y, length, depth and angle."""
Polygon = Sequence[Point]

_ON_EDGES = ((118.0, 26.0), (HALF_SIDE, 36.0), (TILE_SIDE - 118, 26.0))
"""Houses on the border of two tiles of a city, half of each on either: where on the edge, and half their width."""


def houses(standing: Iterable[House], sides: Iterable[int]) -> str:
    """Roofs within a city, and those it shares with its neighbours on some sides."""
    placed = tuple(standing)
    hips = [_hip_roof(*house) for house in placed]
    halves = [_half_roof(side, *place) for side in sides for place in _ON_EDGES]
    light, middle, dark = (
        [polygon for roof in (*hips, *halves) for polygon in roof[shade]] for shade in range(3)
    )
    feet = polygons(_rectangle(x, y, length + 12, depth + 12, angle) for x, y, length, depth, angle in placed)
    return (
        f'<path fill="{LANE}" d="{feet}"/><path fill="{ROOF_LIGHT}" d="{polygons(light)}"/>'
        f'<path fill="{ROOF}" d="{polygons(middle)}"/><path fill="{ROOF_DARK}" d="{polygons(dark)}"/>'
    )


def _hip_roof(x: float, y: float, length: float, depth: float, angle: float) -> tuple[list[Polygon], ...]:
    """The sides of a roof: those in the light, the ends, and those in the shade."""
    nw, ne, se, sw = _rectangle(x, y, length, depth, angle)
    ridge = (length - depth) / 2
    (west, east) = _placed(x, y, angle, ((-ridge, 0), (ridge, 0)))
    return [(nw, ne, east, west)], [(nw, west, sw), (ne, east, se)], [(sw, se, east, west)]


def _half_roof(side: int, along: float, half: float) -> tuple[list[Polygon], ...]:
    left, right, top = (along - half, 0.0), (along + half, 0.0), (along, 0.0)
    near, far = (along - half, half), (along + half, half)
    inner, west, east = (
        [turned_point(point, side) for point in points]
        for points in ((near, far, top), (left, near, top), (right, far, top))
    )
    return [inner], [west, east], []


def _rectangle(x: float, y: float, length: float, depth: float, angle: float) -> list[Point]:
    a, b = length / 2, depth / 2
    return _placed(x, y, angle, ((-a, -b), (a, -b), (a, b), (-a, b)))


def _placed(x: float, y: float, angle: float, points: Iterable[Point]) -> list[Point]:
    c, s = cos(radians(angle)), sin(radians(angle))
    return [(x + px * c - py * s, y + px * s + py * c) for px, py in points]


def battlements(middles: Iterable[Curve]) -> str:
    """The top of a wall, along its middle."""
    path = "".join(open_path((middle_part(curve, 0.06, 0.94),)) for curve in middles)
    return f'<path fill="none" stroke="{BATTLEMENT}" stroke-width="9" stroke-dasharray="13 7" d="{path}"/>'


def turret(x: float, y: float) -> str:
    return (
        f'<circle cx="{svg_number(x)}" cy="{svg_number(y)}" r="17" fill="{SHADE}"/>'
        f'<circle cx="{svg_number(x)}" cy="{svg_number(y)}" r="12.5" fill="{BATTLEMENT}"/>'
        f'<circle cx="{svg_number(x)}" cy="{svg_number(y)}" r="6" fill="{STONE}"/>'
    )


def quarter_tower(side: int, radii: Iterable[tuple[float, str]]) -> str:
    """Where the walls of neighbours meet in a corner that is all city."""
    drawn = []
    for radius, colour in radii:
        (x, y), (x1, y1), (x2, y2) = (turned_point(p, side) for p in ((0, 0), (radius, 0), (0, radius)))
        arc = f"A{svg_number(radius)} {svg_number(radius)} 0 0 1 {svg_number(x2)} {svg_number(y2)}"
        drawn.append(
            f'<path fill="{colour}" d="M{svg_number(x)} {svg_number(y)}L{svg_number(x1)} {svg_number(y1)}{arc}Z"/>'
        )
    return "".join(drawn)


def gatehouse(side: int, depth: float) -> str:
    """Two towers and a gate where a road from a side leads through a wall."""
    return (
        f'<g transform="rotate({90 * (side - 2)} {HALF_SIDE:g} {HALF_SIDE:g}) '
        f'translate({HALF_SIDE:g} {svg_number(TILE_SIDE - depth)})">'
        f'<path fill="{SHADE}" d="M-46-30h92v44h-92z"/><path fill="{BATTLEMENT}" d="M-41-25h82v34h-82z"/>'
        f'<path fill="{SLATE}" d="M-41-25h26v34h-26zM15-25h26v34h-26z"/>'
        f'<path fill="{SLATE_LIGHT}" d="M-41-25h13v34h-13zM15-25h13v34h-13z"/>'
        f'<path fill="{SHADE}" d="M-12 14v-20q0-10 12-10t12 10v20z"/></g>'
    )


def coat_of_arms(x: float, y: float) -> str:
    """A coat of arms of our own: a white pale on blue, edged in white."""
    outer = "M-49-52H49V4C49 34 26 50 0 62-26 50-49 34-49 4Z"
    inner = "M-37-40H37V4C37 25 20 37 0 47-20 37-37 25-37 4Z"
    return (
        f'<g transform="translate({svg_number(x)} {svg_number(y)})"><path fill="#2b2118" d="{outer}"/>'
        f'<path fill="#fffdf2" transform="scale(.9)" d="{outer}"/><path fill="#24509a" d="{inner}"/>'
        '<path fill="#fffdf2" d="M-12-40h24v82.5L0 47l-12-4.5z"/></g>'
    )


def trees(standing: Iterable[Sequence[float]]) -> str:
    """Crowns of trees from above, the lit part a little aside."""
    crowns = tuple(standing)
    dark = "".join(_disc(x, y, r) for x, y, r in crowns)
    light = "".join(_disc(x - r * 0.2, y - r * 0.22, r * 0.6) for x, y, r in crowns)
    return f'<path fill="{LEAF}" d="{dark}"/><path fill="{LEAF_LIGHT}" d="{light}"/>'


def meadow(bushes: Iterable[Sequence[float]]) -> str:
    """A sunny patch and blades of grass around each place."""
    patches, blades = "", ""
    for x, y in bushes:
        patches += _oval(x, y, min(44.0, _room(x)), min(26.0, _room(y)))
        for dx, dy in ((-14, 4), (2, -6), (16, 6)):
            blades += f"M{svg_number(x + dx)} {svg_number(y + dy)}l-4-9M{svg_number(x + dx)} {svg_number(y + dy)}l4-9"
    return (
        f'<path fill="{SUNNY}" d="{patches}"/>'
        f'<path fill="none" stroke="{TUFT}" stroke-width="3.5" stroke-linecap="round" d="{blades}"/>'
    )


def monastery() -> str:
    """A church with a cross of roofs and a tower over its crossing, in a garden with a wall."""
    nave, aisle = (
        _rectangle(HALF_SIDE, HALF_SIDE + 6, 52, 128, 0),
        _rectangle(HALF_SIDE, HALF_SIDE - 4, 116, 50, 0),
    )
    left, right = HALF_SIDE - 26, HALF_SIDE + 26
    top, bottom, middle = HALF_SIDE - 58, HALF_SIDE + 70, HALF_SIDE - 4
    wings = f"M{HALF_SIDE - 58} {middle}H{HALF_SIDE + 58}V{middle + 25}H{HALF_SIDE - 58}z"
    return (
        f'<path fill="{SHADE}" d="{polygons((_grown(nave, 6), _grown(aisle, 6)))}"/>'
        f'<path fill="{SLATE_LIGHT}" d="{polygons((aisle,))}"/><path fill="{SLATE_DARK}" d="{wings}"/>'
        f'<path fill="{SLATE_LIGHT}" d="M{left} {top}H{HALF_SIDE}V{bottom}H{left}z"/>'
        f'<path fill="{SLATE}" d="M{HALF_SIDE} {top}H{right}V{bottom}H{HALF_SIDE}z"/>'
        f'<path fill="{SHADE}" d="M{HALF_SIDE - 24} {middle - 24}h48v48h-48z"/>'
        f'<path fill="{BATTLEMENT}" d="M{HALF_SIDE - 19} {middle - 19}h38v38h-38z"/>'
        f'<path fill="none" stroke="{ROOF}" stroke-width="8"'
        f' d="M{HALF_SIDE} {middle - 15}v30M{HALF_SIDE - 11} {middle - 4}h22"/>'
    )


def fountain() -> str:
    return _place(_ring(31, STONE, SHADE) + _ring(20, WATER, BATTLEMENT) + _ring(6, BATTLEMENT, WATER))


def linden() -> str:
    return _place(
        _ring(34, LEAF, LEAF) + f'<path fill="{LEAF_LIGHT}" d="{_disc(HALF_SIDE - 8, HALF_SIDE - 8, 20)}"/>'
    )


def market() -> str:
    """A hall in the middle of a place."""
    return _place(houses(((HALF_SIDE, HALF_SIDE, 62, 44, 90),), ()))


def _place(middle: str) -> str:
    return f"{_ring(54, ROAD_COLOUR, VERGE)}{middle}"


def _ring(radius: float, fill: str, rim: str) -> str:
    return (
        f'<circle cx="{HALF_SIDE:g}" cy="{HALF_SIDE:g}" r="{radius:g}" fill="{fill}" stroke="{rim}"'
        f' stroke-width="{8 if radius > 40 else 5}"/>'
    )


def _disc(x: float, y: float, r: float) -> str:
    return _oval(x, y, r, r)


def _oval(x: float, y: float, rx: float, ry: float) -> str:
    radii = f"{svg_number(rx)} {svg_number(ry)}"
    start, there, back = f"{svg_number(x - rx)} {svg_number(y)}", svg_number(2 * rx), svg_number(-2 * rx)
    return f"M{start}a{radii} 0 1 1 {there} 0a{radii} 0 1 1 {back} 0z"


def _room(value: float) -> float:
    """How far it is to the nearest edge of the tile, less a little."""
    return min(value, TILE_SIDE - value) - 12


def _grown(points: Sequence[Point], by: float) -> list[Point]:
    (x1, y1), (x2, y2) = points[0], points[2]
    return [(x1 - by, y1 - by), (x2 + by, y1 - by), (x2 + by, y2 + by), (x1 - by, y2 + by)]


STANDING_SIZE = 15.0
"""Millimetres across a standing follower seen from above, with what it darkens around it."""
LYING_SIZE = (16.0, 17.6)
"""Width and height of a follower that lies, its hat up, in millimetres."""

_INK, _HALO = "#2b2118", "#fff6df"
_CLOAK = "M39 46Q50 42 61 46C73 55 83 74 88 88Q90 94 83 95 50 101 17 95 10 94 12 88C17 74 27 55 39 46Z"
_HEAD = "M37 34H63V40Q61 51 50 51T37 40Z"
_HAT = "M19 33Q18 28 25 27L34 25C35 12 40 5 50 5S65 12 66 25L75 27Q82 28 81 33 79 37 50 37T19 33Z"
_ALL = _CLOAK + _HEAD + _HAT

FOLLOWER_SYMBOL = (
    '<g transform="translate(4.5 3.2) scale(.91)">'
    f'<path fill="{_HALO}" stroke="{_HALO}" stroke-width="9" stroke-linejoin="round" d="{_ALL}"/>'
    f'<g fill="currentColor" stroke="{_INK}" stroke-width="4" stroke-linejoin="round">'
    f'<path d="{_CLOAK}"/><path d="{_HEAD}"/><path d="{_HAT}"/></g>'
    f'<path fill="{_INK}" opacity=".24" d="M50 44Q56 43.5 61 46C73 55 83 74 88 88Q90 94 83 95 66 98 50 98Z'
    'M50 37V51Q61 51 63 40V35.5Q58 37 50 37ZM50 5Q65 5 66 25L75 27Q82 28 81 33 79 37 50 37Z"/>'
    f'<g fill="none" stroke="{_HALO}" stroke-linecap="round" opacity=".6">'
    '<path stroke-width="3" d="M41 18Q43 11 48 10M24 86Q28 74 34 65"/>'
    '<path stroke-width="2.5" d="M36 27Q50 31 64 27M50 56Q48 76 49 94"/></g></g>'
)
"""A follower upright, for the page: 100 by 100, in the colour of the text around it."""

_FROM_ABOVE = (
    f'<circle cx="75" cy="75" r="75" fill="{_INK}" opacity=".22"/>'
    f'<circle cx="75" cy="75" r="65" fill="{_HALO}"/>'
    f'<circle cx="75" cy="75" r="60" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="60" fill="{_INK}" opacity=".24"/>'
    f'<circle cx="75" cy="75" r="43" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="21" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="32" fill="none" stroke="{_HALO}" stroke-width="4" opacity=".5"/>'
)
LYING_SYMBOL = f'<g transform="translate(-15 -5) scale(2.3)">{FOLLOWER_SYMBOL}</g>'
"""A follower that lies, 200 by 220, in the colour of the text around it."""


def standing_follower(colour: Colour) -> str:
    """A standing follower as a camera above the table sees it, in tenths of a millimetre."""
    return _coloured(_FROM_ABOVE, colour)


def lying_follower(colour: Colour) -> str:
    """A follower that lies, as a farmer does, in tenths of a millimetre."""
    return _coloured(f'<g transform="scale(.8)">{LYING_SYMBOL}</g>', colour)


def _coloured(drawing: str, colour: Colour) -> str:
    return f'<g color="{INKS[colour]}">{drawing}</g>'


_LAYERS = ((0.0, SHADE), (4.0, STONE), (17.0, SHADE), (20.0, GROUND))
"""How deep in a city each layer of its wall begins."""
_TOWER = tuple(
    (depth * WALL_SLANT, colour)
    for (_, colour), (depth, _) in zip(_LAYERS[2::-1], _LAYERS[:0:-1], strict=True)
)
"""The same layers around a corner that is all city, the widest first."""
_GARDEN = (
    (HALF_PRECINCT, SHADE),
    (HALF_PRECINCT - 5, STONE),
    (HALF_PRECINCT - 13, GARDEN),
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
_CROSSINGS = {"market": market, "linden": linden, "fountain": fountain}


@cache
def tile_face(letter: str) -> str:
    """The face of an unturned tile, the inside of an SVG of 450 by 450."""
    turned, row = TILES[letter].turned[0], art_table()["tiles"][letter]
    roads = [part for part in turned.parts if part.kind is FeatureKind.ROAD]
    cities = [part for part in turned.parts if part.kind is FeatureKind.CITY]
    return "".join(
        (
            f'<path fill="{FIELD_COLOUR}" d="M0 0H{TILE_SIDE:g}V{TILE_SIDE:g}H0z"/>',
            meadow(row.get("bushes", ())),
            _roads(turned, roads),
            *(_city(letter, part) for part in cities),
            _where_roads_end(turned, len(roads)),
            trees(row["trees"]) if "trees" in row else "",
        )
    )


def _roads(tile: TurnedTile, roads: Sequence[TilePart]) -> str:
    layers = ((HALF_ROAD, VERGE), (HALF_ROAD - _BORDER, ROAD_COLOUR))
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
    towers = (quarter_tower(s, _TOWER) for s in sides if (s - 1) % 4 in sides)
    turrets = (turret(*point_at(w.inset(10), t)) for w in bends for t in _turrets(w.end - w.start))
    shield = art_table()["tiles"][letter]["shield"] if city.pennants else None
    return "".join(
        (
            *grounds,
            houses(_houses(letter, city), sides),
            *towers,
            battlements(wall.inset(10.5) for wall in bends),
            *turrets,
            coat_of_arms(*shield) if shield else "",
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
        return "".join(grounds) + monastery()
    if roads > 2:
        return _CROSSINGS[art_table()["tiles"][tile.letter]["crossing"]]()
    if roads and tile.edges.count("r") == 1:
        return gatehouse(tile.edges.index("r"), GATE_DISTANCE)
    return ""


_ON_A_TILE = 160.0
"""Tenths of a millimetre across a follower that is drawn on its tile to be recognised."""


def placed_tile(letter: str, turn: int, part: str = "", colour: str = "") -> str:
    """A tile as it lies, 450 by 450, with a follower on one of its parts (farmers lie), by symbols of `faces.svg`."""
    half, side = svg_number(HALF_SIDE), svg_number(TILE_SIDE)
    drawn = (
        f'<g transform="rotate({90 * turn} {half} {half})">'
        f'<use href="faces.svg#tile-{letter}" width="{side}" height="{side}"/></g>'
    )
    if not part:
        return drawn
    x, y = turned_point(shapes(letter)[part].spot, turn)
    scale, lies = _ON_A_TILE / 100, part.startswith(FeatureKind.FIELD[0])
    return (
        f'{drawn}<g color="{INKS[Colour(colour)]}" transform="translate({svg_number(x)} {svg_number(y)})'
        f'{" rotate(-90)" if lies else ""} scale({scale:g}) translate(-50 -50)">'
        '<use href="faces.svg#follower" width="100" height="100"/></g>'
    )


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
    symbols.append(_symbol("follower", (100, 100), FOLLOWER_SYMBOL))
    symbols.append(_symbol("follower-lying", (200, 220), LYING_SYMBOL))
    symbols.append(_symbol("tile-back", (TILE_SIDE, TILE_SIDE), tile_back()))
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "".join(symbols) + "</svg>\n"


def _symbol(name: str, size: tuple[float, float], drawing: str) -> str:
    return f'  <symbol id="{name}" viewBox="0 0 {size[0]:g} {size[1]:g}">{drawing}</symbol>\n'


if __name__ == "__main__":
    sys.stdout.write(symbol_sheet())
