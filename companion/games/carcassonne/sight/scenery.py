"""What stands on the tiles: houses, walls, trees, a monastery, places where roads meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, radians, sin

from companion.games.carcassonne.sight.curves import (
    HALF_SIDE,
    TILE_SIDE,
    Curve,
    Point,
    middle_part,
    open_path,
    polygons,
    svg_number,
)
from companion.games.carcassonne.sight.curves import turned_point as turned

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
        [turned(point, side) for point in points]
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
        (x, y), (x1, y1), (x2, y2) = (turned(p, side) for p in ((0, 0), (radius, 0), (0, radius)))
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
