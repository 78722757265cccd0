"""Lines of a drawing: straight or bent, turned with a tile, cut and drawn a little further in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import hypot

TILE_SIDE = 450.0
"""Of a tile, in tenths of a millimetre."""
HALF_SIDE = TILE_SIDE / 2

Point = tuple[float, float]
Curve = tuple[Point, ...]
"""A corner is one point, a straight line two, a bend four: its ends, and what it is drawn towards."""
Line = tuple[Curve, ...]
"""Curves one after the other, straight from the end of each to the next."""

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
