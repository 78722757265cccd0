"""Pieces that lie side by side: how far apart they are, how far they overlap, and how they are pushed free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin

from companion.core.observation import Face, PlacedPiece

ROUNDS = 60
"""How often pieces push each other before it is left as it is."""


@dataclass(frozen=True)
class PieceOutline:
    """The outline of a piece on the table."""

    lying: PlacedPiece
    width: float
    height: float

    @property
    def x(self) -> float:
        return self.lying.x

    @property
    def y(self) -> float:
        return self.lying.y

    @property
    def axes(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Its own directions right and down."""
        c, s = cos(radians(self.lying.angle)), sin(radians(self.lying.angle))
        return (c, s), (-s, c)

    def reach(self, way: tuple[float, float]) -> float:
        """How far it reaches from its middle in a direction."""
        (a, b), (c, d) = self.axes
        x, y = way
        return abs(a * x + b * y) * self.width / 2 + abs(c * x + d * y) * self.height / 2

    def moved(self, dx: float, dy: float) -> PieceOutline:
        return replace(self, lying=replace(self.lying, x=self.x + dx, y=self.y + dy))

    def normal_towards(self, x: float, y: float) -> tuple[float, float]:
        """Which of its sides a place lies beyond, as a direction out of it."""
        dx, dy = x - self.x, y - self.y
        sides = [(way, dx * way[0] + dy * way[1]) for way in self.axes]
        beyond = [
            abs(far) - half for (_, far), half in zip(sides, (self.width / 2, self.height / 2), strict=True)
        ]
        (a, b), far = sides[beyond.index(max(beyond))]
        return (a, b) if far >= 0 else (-a, -b)


def outline_of(lying: PlacedPiece, face: Face) -> PieceOutline:
    return PieceOutline(lying, face.width, face.height)


def _separation(one: PieceOutline, other: PieceOutline) -> tuple[float, tuple[float, float]]:
    """The widest gap there is between them along one of their directions, below 0 when they overlap, and that one."""
    dx, dy = one.x - other.x, one.y - other.y
    best, way = -float("inf"), (0.0, 0.0)
    for x, y in (*one.axes, *other.axes):
        far = dx * x + dy * y
        out = (x, y) if far >= 0 else (-x, -y)
        gap = abs(far) - one.reach((-out[0], -out[1])) - other.reach(out)
        if gap > best:
            best, way = gap, out
    return best, way


def gap_between(one: PieceOutline, other: PieceOutline) -> float:
    """Millimetres between them, 0 when they touch or overlap."""
    return max(0.0, _separation(one, other)[0])


def overlap(one: PieceOutline, other: PieceOutline) -> float:
    """How far one would have to move so that they do not overlap."""
    if hypot(one.x - other.x, one.y - other.y) > (one.width + one.height + other.width + other.height) / 2:
        return 0.0
    return max(0.0, -_separation(one, other)[0])


def push_apart(
    shapes: Sequence[PieceOutline], moving: int, enough: float
) -> tuple[list[PieceOutline], float]:
    """Push the first so many apart, from each other and from the rest; what overlap is left is the second answer."""
    shapes = list(shapes)
    worst = 0.0
    for _round in range(ROUNDS):
        worst = 0.0
        for i in range(moving):
            for j in range(len(shapes)):
                if j == i or (j < moving and j < i):
                    continue
                depth = overlap(shapes[i], shapes[j])
                worst = max(worst, depth)
                if depth > enough / 2:
                    _push(shapes, i, j, depth, both=j < moving)
        if worst <= enough:
            break
    return shapes, worst


def _push(shapes: list[PieceOutline], i: int, j: int, depth: float, both: bool) -> None:
    _, (x, y) = _separation(shapes[i], shapes[j])
    part = depth / 2 if both else depth
    shapes[i] = shapes[i].moved(x * part, y * part)
    if both:
        shapes[j] = shapes[j].moved(-x * part, -y * part)
