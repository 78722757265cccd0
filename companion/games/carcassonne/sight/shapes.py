"""The areas of a tile: curves, and where each road, city, monastery and field lies, and where a follower
stands there.

Lengths are tenths of a millimetre from the upper left corner of an unturned tile, 450 to a side; `art.toml`
has what was placed by hand.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

from companion.games.carcassonne.rules.board import MONASTERY_ID, TILES, FeatureKind, TilePart, TurnedTile

TILE_SIDE = 450.0
"""Of a tile, in tenths of a millimetre."""
HALF_SIDE = TILE_SIDE / 2

Point = tuple[float, float]
Curve = tuple[Point, ...]
"""A corner is one point, a straight line two, a bend four: its ends, and what it is drawn towards."""
Line = tuple[Curve, ...]
"""Curves one after the other, straight from the end of each to the next."""

STRAIGHTS = 8
"""Straight lines that stand for a bend."""
_ROUND = 0.5523
"""How far a quarter of a circle is drawn towards its corner."""
WALL_SLANT = 1.55
"""How far apart two sides of a wall are on the edge of a tile, which it leaves at a slant."""


def turned_point(point: Point, quarters: int) -> Point:
    """The point on a tile turned clockwise."""
    x, y = point
    for _ in range(quarters % 4):
        x, y = TILE_SIDE - y, x
    return x, y


def turned_line(line: Line, quarters: int) -> Line:
    return tuple(tuple(turned_point(point, quarters) for point in curve) for curve in line)


def backwards(line: Line) -> Line:
    return tuple(curve[::-1] for curve in line[::-1])


def quarter_circle(corner: Point, start: Point, end: Point) -> Curve:
    """From start to end around a corner, leaving it and arriving at right angles."""
    reach = (start[0] + end[0] - corner[0], start[1] + end[1] - corner[1])
    return start, _between(start, reach, _ROUND), _between(end, reach, _ROUND), end


def point_at(curve: Curve, t: float) -> Point:
    return split_curve(curve, t)[0][-1]


def split_curve(curve: Curve, t: float) -> tuple[Curve, Curve]:
    """The curve up to a part of its way, and the rest."""
    left, right = [curve[0]], [curve[-1]]
    while len(curve) > 1:
        curve = tuple(_between(a, b, t) for a, b in pairwise(curve))
        left.append(curve[0])
        right.append(curve[-1])
    return tuple(left), tuple(right[::-1])


def middle_part(curve: Curve, start: float, end: float) -> Curve:
    return split_curve(split_curve(curve, end)[0], start / end)[1]


def crossing_x(curve: Curve, x: float) -> float:
    """The part of its way at which a curve that always leads to the right reaches an x."""
    low, high = 0.0, 1.0
    for _ in range(40):
        t = (low + high) / 2
        low, high = (t, high) if point_at(curve, t)[0] < x else (low, t)
    return low


def inset_wall(wall: Curve, depth: float, before: Point, after: Point) -> Curve:
    """A bend further to its right; its ends move along the edges of the tile, whose directions are before and after."""
    shift = depth * WALL_SLANT
    start = wall[0][0] - before[0] * shift, wall[0][1] - before[1] * shift
    end = wall[3][0] + after[0] * shift, wall[3][1] + after[1] * shift
    leave, arrive = _step(wall[0], wall[1]), _step(wall[3], wall[2])
    across = leave[0] + arrive[0], leave[1] + arrive[1]
    length = hypot(*across)
    along = wall[3][0] - wall[0][0], wall[3][1] - wall[0][1]
    right = -along[1] / hypot(*along), along[0] / hypot(*along)
    x, y = point_at(wall, 0.5)
    wanted = x + right[0] * depth - (start[0] + end[0]) / 2, y + right[1] * depth - (start[1] + end[1]) / 2
    stretch = (wanted[0] * across[0] + wanted[1] * across[1]) / length / (3 / 8 * length)
    return (
        start,
        (start[0] + leave[0] * stretch, start[1] + leave[1] * stretch),
        (end[0] + arrive[0] * stretch, end[1] + arrive[1] * stretch),
        end,
    )


def closed_path(*lines: Line) -> str:
    """Closed areas as the data of an SVG path."""
    return "".join(f"{open_path(line)}Z" for line in lines)


def open_path(line: Line) -> str:
    return "M" + "".join(_commands(line))[1:]


def polygons(corners: Iterable[Iterable[Point]]) -> str:
    return closed_path(*(tuple((point,) for point in each) for each in corners))


def svg_number(value: float) -> str:
    """A length as short as it can be written, to a tenth of a unit."""
    return f"{round(value, 1) + 0:g}"


def _commands(line: Line) -> Iterator[str]:
    here: Point | None = None
    for curve in line:
        if here is None or hypot(*_step(here, curve[0])) > 0.05:
            yield f"L{_written(curve[:1])}"
        if len(curve) > 1:
            yield f"{'C' if len(curve) == 4 else 'L'}{_written(curve[1:])}"
        here = curve[-1]


def _written(points: Iterable[Point]) -> str:
    return " ".join(f"{svg_number(x)} {svg_number(y)}" for x, y in points)


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _step(a: Point, b: Point) -> Point:
    return b[0] - a[0], b[1] - a[1]


HALF_ROAD = 26.0
"""Half the width of a road with its borders."""
HALF_PRECINCT = 88.0
"""Half the width of a monastery with its garden."""
GATE_DISTANCE = 125.0
"""How far a wall past one side alone keeps from it, in its middle."""
_CUT = 26.0
"""How much of each corner of a precinct is cut off."""
_BEND = 25.0
"""How far a road straight across a tile swings aside."""

_WALLS: Mapping[int, Curve] = {
    1: ((0, 0), (145, 167), (TILE_SIDE - 145, 167), (TILE_SIDE, 0)),
    2: ((0, 0), (212, 265), (TILE_SIDE - 265, TILE_SIDE - 212), (TILE_SIDE, TILE_SIDE)),
    3: ((0, 0), (180, 205), (180, TILE_SIDE - 205), (0, TILE_SIDE)),
}
"""Walls of a city whose western edge is the last before them, by the number of sides until its next edge."""


@dataclass(frozen=True)
class PartShape:
    """What a feature covers of an unturned tile, in tenths of a millimetre from its upper left corner."""

    path: str
    """Closed areas, the data of an SVG path."""
    spot: Point
    """Where a follower of this feature stands."""


@dataclass(frozen=True)
class Wall:
    """A bend of a city's wall, clockwise around the city."""

    start: int
    """The corner of the tile where it begins, as the side that follows clockwise."""
    end: int
    curve: Curve

    def inset(self, depth: float) -> Curve:
        before, after = _direction(self.start - 1), _direction(self.end)
        return inset_wall(self.curve, depth, before, after)


@cache
def art_table() -> Mapping[str, Any]:
    """What is drawn where, from the table beside this module."""
    return tomllib.loads((Path(__file__).parents[1] / "art.toml").read_text(encoding="utf-8"))


@cache
def shapes(letter: str) -> Mapping[str, PartShape]:
    """The areas of a type of tile by the names of its parts."""
    tile = TILES[letter].turned[0]
    spots = art_table()["tiles"][letter]["spots"]
    return {
        part.id: PartShape(closed_path(*_lines(tile, part)), (spots[part.id][0], spots[part.id][1]))
        for part in tile.parts
    }


def away_from(letter: str, part: str, point: Point) -> float:
    """How far a point on an unturned tile is from a part of it; 0 on the part."""
    edges = _edges(letter, part)
    if sum(_crosses(edge, point) for edge in edges) % 2:
        return 0.0
    return min(_to_line(edge, point) for edge in edges)


@cache
def _edges(letter: str, part: str) -> Sequence[tuple[Point, Point]]:
    """The outlines of a part in short straight lines."""
    tile = TILES[letter].turned[0]
    shown = tile.part(part)
    assert shown
    found = list[tuple[Point, Point]]()
    for line in _lines(tile, shown):
        points = [
            point_at(curve, step / STRAIGHTS) if len(curve) > 1 else curve[0]
            for curve in line
            for step in (range(STRAIGHTS + 1) if len(curve) > 1 else (0,))
        ]
        found += pairwise([*points, points[0]])
    return found


def _crosses(edge: tuple[Point, Point], point: Point) -> bool:
    """Whether the way from a point to the right leads over an edge."""
    (x1, y1), (x2, y2) = edge
    x, y = point
    return (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)


def _to_line(edge: tuple[Point, Point], point: Point) -> float:
    (x1, y1), (x2, y2) = edge
    along, length = (x2 - x1, y2 - y1), hypot(x2 - x1, y2 - y1) or 1.0
    t = ((point[0] - x1) * along[0] + (point[1] - y1) * along[1]) / length**2
    t = min(max(t, 0.0), 1.0)
    return hypot(point[0] - x1 - t * along[0], point[1] - y1 - t * along[1])


def spot_from_middle(letter: str, part: str) -> Point:
    """Where a follower stands on an unturned tile, in millimetres from its middle."""
    x, y = shapes(letter)[part].spot
    return (x - HALF_SIDE) / 10, (y - HALF_SIDE) / 10


def sides_of(part: TilePart) -> tuple[int, ...]:
    """The sides of the tile that a road or city reaches, clockwise from the north."""
    return tuple(port // 3 for port in part.ports if port % 3 == 1)


def corner(side: int) -> Point:
    """Where a side begins, clockwise."""
    return turned_point((0, 0), side)


@cache
def walls(part: TilePart) -> tuple[Wall, ...]:
    """The walls of a city."""
    sides = sides_of(part)
    gaps = ((side, _gap(side, sides)) for side in sides)
    return tuple(
        Wall((side + 1) % 4, (side + 1 + gap) % 4, turned_line((_WALLS[gap],), side + 1)[0])
        for side, gap in gaps
        if gap
    )


def city_line(part: TilePart, depth: float = 0) -> Line:
    """The outline of a city, its walls left out up to a depth."""
    starting = {wall.start: wall for wall in walls(part)}
    around = [(side + 1) % 4 for side in sides_of(part)]
    return tuple(starting[at].inset(depth) if at in starting else (corner(at),) for at in around)


def road_band(tile: TurnedTile, part: TilePart, half: float) -> Line:
    """The outline of a road of half a width."""
    return (*road_line(tile, part, -half), *backwards(road_line(tile, part, half)))


def road_line(tile: TurnedTile, part: TilePart, aside: float = 0, side: int | None = None) -> Line:
    """A road from one of its sides inwards, or some way to the right of its middle."""
    sides = sides_of(part)
    start = sides[0] if side is None else side
    if len(sides) == 1:
        return turned_line((((HALF_SIDE - aside, 0), (HALF_SIDE - aside, _end(tile, aside))),), start)
    other = sides[1] if start == sides[0] else sides[0]
    match (other - start) % 4:
        case 1:
            return turned_line((_round_the_corner(HALF_SIDE + aside),), start)
        case 3:
            return backwards(turned_line((_round_the_corner(HALF_SIDE - aside),), other))
        case _:
            straight = turned_line(_across(-aside if start == sides[0] else aside), sides[0])
            return straight if start == sides[0] else backwards(straight)


def precinct(half: float = HALF_PRECINCT) -> Line:
    """The outline of a monastery's garden."""
    near, trim = HALF_SIDE - half, _CUT * half / HALF_PRECINCT
    cut_corner = ((near, near + trim), (near + trim, near))
    return tuple((turned_point(point, quarters),) for quarters in range(4) for point in cut_corner)


def _lines(tile: TurnedTile, part: TilePart) -> Sequence[Line]:
    """The outlines of a part, closed; those within others are holes."""
    match part.kind:
        case FeatureKind.CITY:
            return (city_line(part),)
        case FeatureKind.ROAD:
            return (road_band(tile, part, HALF_ROAD),)
        case FeatureKind.MONASTERY:
            return (precinct(),)
        case FeatureKind.FIELD:
            holes = [backwards(precinct())] if tile.part(MONASTERY_ID) else []
            return (tuple(_round_a_field(tile, part)), *holes)


def _round_a_field(tile: TurnedTile, part: TilePart) -> Iterator[Curve]:
    """Clockwise along the tile's edge, and inwards along whatever ends the field there."""
    halves = [port for port in part.ports if port % 3 != 1]
    port = halves[0]
    for _ in range(len(halves)):
        side, second = port // 3, port % 3 == 2
        if second:
            yield (corner(side + 1),)
            line, port = _from_corner(tile, (side + 1) % 4)
        else:
            yield (corner(side),)
            line, port = _from_middle(tile, side)
        yield from line


def _from_corner(tile: TurnedTile, side: int) -> tuple[Line, int]:
    """Past a corner of the tile: the way to the field's next half of a side, and its port."""
    city = tile.part(tile.ports[3 * side + 1])
    if city is None or city.kind is not FeatureKind.CITY:
        return (), 3 * side
    wall = next(wall for wall in walls(city) if wall.end == side)
    gate = _gate(tile, wall)
    if gate is None:
        further, port = _from_corner(tile, wall.start)
        return (wall.curve[::-1], *further), port
    road = tile.part(tile.ports[3 * gate + 1])
    assert road
    out = backwards(road_line(tile, road, -HALF_ROAD, gate))
    along = split_curve(wall.curve, _reach(wall, gate, -HALF_ROAD))[1][::-1]
    return (along, *out), 3 * gate + 2


def _from_middle(tile: TurnedTile, side: int) -> tuple[Line, int]:
    """Past the middle of a side of the tile."""
    road = tile.part(tile.ports[3 * side + 1])
    if road is None:
        return (), 3 * side + 2
    inwards = road_line(tile, road, HALF_ROAD, side)
    wall = next((wall for wall in _city_walls(tile) if _gate(tile, wall) == side), None)
    if wall:
        return (*inwards, split_curve(wall.curve, _reach(wall, side, HALF_ROAD))[0][::-1]), 3 * wall.start
    sides = sides_of(road)
    if len(sides) == 2:
        other = sides[1] if sides[0] == side else sides[0]
        return inwards, 3 * other + 2
    # A crossing, or the only road of the tile: the next one to the right leads out again.
    after = next(s % 4 for s in range(side + 3, side - 1, -1) if _is_road(tile, s % 4))
    out = tile.part(tile.ports[3 * after + 1])
    assert out
    return (*inwards, *backwards(road_line(tile, out, -HALF_ROAD, after))), 3 * after + 2


def _is_road(tile: TurnedTile, side: int) -> bool:
    return tile.edges[side] == "r"


def _city_walls(tile: TurnedTile) -> Iterator[Wall]:
    for part in tile.parts:
        if part.kind is FeatureKind.CITY:
            yield from walls(part)


def _gate(tile: TurnedTile, wall: Wall) -> int | None:
    """The side from which a road leads through this wall, which is one that the wall goes past alone."""
    alone = (wall.end - wall.start) % 4 == 1
    return wall.start if alone and _is_road(tile, wall.start) else None


def _reach(wall: Wall, side: int, aside: float) -> float:
    return crossing_x(turned_line((wall.curve,), -side)[0], HALF_SIDE - aside)


def _end(tile: TurnedTile, aside: float) -> float:
    """How far a road that ends on the tile leads inwards."""
    if tile.part(MONASTERY_ID):
        return HALF_SIDE - HALF_PRECINCT
    if tile.edges.count("r") > 1:
        return HALF_SIDE - HALF_ROAD
    curve = _WALLS[1]
    return split_curve(curve, crossing_x(curve, HALF_SIDE - aside))[0][-1][1]


def _round_the_corner(radius: float) -> Curve:
    return quarter_circle((TILE_SIDE, 0), (TILE_SIDE - radius, 0), (TILE_SIDE, radius))


def _across(aside: float) -> Line:
    """From north to south, aside to the east."""
    edge, middle = HALF_SIDE + aside, HALF_SIDE - _BEND + aside
    upper: Curve = ((edge, 0), (edge, 80), (middle, 130), (middle, HALF_SIDE))
    lower: Curve = ((middle, HALF_SIDE), (middle, TILE_SIDE - 130), (edge, TILE_SIDE - 80), (edge, TILE_SIDE))
    return upper, lower


def _gap(side: int, sides: tuple[int, ...]) -> int:
    """How many sides without the city follow one of its own."""
    return next(step - 1 for step in range(1, 5) if (side + step) % 4 in sides)


def _direction(side: int) -> Point:
    """Along a side, clockwise."""
    (x, y), (x2, y2) = corner(side), corner(side + 1)
    return (x2 - x) / TILE_SIDE, (y2 - y) / TILE_SIDE
