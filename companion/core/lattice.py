"""Pieces laid side by side by hand: which one lies beside which, however far the rows have drifted."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from math import cos, hypot, radians, sin

from companion.core.observation import Observation

Cell = tuple[int, int]
"""Column and row counted from the piece it began with: x grows to the right, y grows down."""

REACH = 0.4
"""How far from its ideal place a piece still counts as lying there, in sides of a piece."""

_STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


def lean(angle: float, axis: float) -> float:
    """How far a piece is turned away from an axis, whichever way up it lies: -45 to 45 degrees."""
    return (angle - axis + 45) % 90 - 45


def quarter(angle: float, axis: float) -> int:
    """How many quarter turns clockwise a piece is turned against an axis, the nearest of 0 to 3."""
    return round((angle - axis) / 90) % 4


def offset(dx: float, dy: float, angle: float) -> tuple[float, float]:
    """A step in a piece's own directions as a step on the table."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return dx * c - dy * s, dx * s + dy * c


def grow(home: Observation, others: Sequence[Observation], side: float) -> Mapping[Cell, Observation]:
    """Every piece joined to the first one edge to edge; each is looked for where its neighbour says it should be."""
    found: dict[Cell, Observation] = {(0, 0): home}
    axes: dict[Cell, float] = {(0, 0): home.angle}
    left, todo = list(others), deque([(0, 0)])
    while todo:
        cell = todo.popleft()
        for step in _STEPS:
            near = (cell[0] + step[0], cell[1] + step[1])
            if near in found:
                continue
            piece = _nearest(found[cell], axes[cell], step, left, side)
            if piece is None:
                continue
            left.remove(piece)
            found[near] = piece
            axes[near] = axes[cell] + lean(piece.angle, axes[cell])
            todo.append(near)
    return found


def _nearest(
    piece: Observation, axis: float, step: Cell, others: Sequence[Observation], side: float
) -> Observation | None:
    dx, dy = offset(step[0] * side, step[1] * side, axis)
    away = [(hypot(other.x - piece.x - dx, other.y - piece.y - dy), other) for other in others]
    distance, best = min(away, key=lambda pair: pair[0], default=(side, None))
    return best if distance < REACH * side else None
