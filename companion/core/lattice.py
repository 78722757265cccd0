"""Pieces laid side by side by hand: which one lies beside which, however far the rows have drifted."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from math import cos, hypot, radians, sin
from typing import NamedTuple

from companion.core.observation import Observation

Cell = tuple[int, int]
"""Column and row counted from the piece it began with: x grows to the right, y grows down."""

REACH = 0.4
"""How far from its ideal place a piece still counts as lying there, in sides of a piece."""

FARTHEST = 4
"""Over how many sides a known piece is looked for beyond a gap."""

_STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


class LatticeMove(NamedTuple):
    """How the cells of one lattice are counted in another: turned clockwise about 0,0 by quarters, then shifted."""

    turn: int = 0
    dx: int = 0
    dy: int = 0

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a place between cells is then."""
        for _quarter in range(self.turn % 4):
            x, y = -y, x
        return x + self.dx, y + self.dy

    def cell(self, cell: Cell) -> Cell:
        x, y = self.place(*cell)
        return int(x), int(y)

    def shifted(self, dx: int, dy: int) -> LatticeMove:
        return LatticeMove(self.turn, self.dx + dx, self.dy + dy)


def skew(angle: float, axis: float) -> float:
    """How far a piece is turned away from an axis, whichever way up it lies: -45 to 45 degrees."""
    return (angle - axis + 45) % 90 - 45


def quarter(angle: float, axis: float) -> int:
    """How many quarter turns clockwise a piece is turned against an axis, the nearest of 0 to 3."""
    return round((angle - axis) / 90) % 4


def offset(dx: float, dy: float, angle: float) -> tuple[float, float]:
    """A step in a piece's own directions as a step on the table."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return dx * c - dy * s, dx * s + dy * c


def join_neighbours(
    home: Observation, others: Sequence[Observation], side: float, known: Collection[Cell] = ()
) -> Mapping[Cell, Observation]:
    """Every piece joined to the first one edge to edge; each is looked for where its neighbour says it should be.

    What should lie in the `known` cells is looked for beyond gaps, too, where something is hidden or missing.
    """
    lattice = _Lattice(home, list(others), side)
    lattice.spread([(0, 0)])
    while (cell := lattice.leap(known)) is not None:
        lattice.spread([cell])
    return lattice.found


class _Lattice:
    """Pieces found so far, and the direction the columns and rows have at each of them."""

    def __init__(self, home: Observation, others: list[Observation], side: float) -> None:
        self.found: dict[Cell, Observation] = {(0, 0): home}
        self._axes: dict[Cell, float] = {(0, 0): home.angle}
        self._left, self._side = others, side

    def spread(self, cells: Collection[Cell]) -> None:
        todo = deque(cells)
        while todo:
            cell = todo.popleft()
            for dx, dy in _STEPS:
                near = (cell[0] + dx, cell[1] + dy)
                if near not in self.found and self._look(cell, near):
                    todo.append(near)

    def leap(self, known: Collection[Cell]) -> Cell | None:
        """The next of the known cells that is found from afar, the shortest way first."""
        ways = sorted(
            (abs(to[0] - at[0]) + abs(to[1] - at[1]), at, to)
            for to in known
            if to not in self.found
            for at in self.found
        )
        return next((to for steps, at, to in ways if steps <= FARTHEST and self._look(at, to)), None)

    def _look(self, at: Cell, to: Cell) -> bool:
        """Look for a piece where a cell should be, as seen from another one."""
        piece, axis = self.found[at], self._axes[at]
        dx, dy = offset((to[0] - at[0]) * self._side, (to[1] - at[1]) * self._side, axis)
        away = [(hypot(one.x - piece.x - dx, one.y - piece.y - dy), i) for i, one in enumerate(self._left)]
        distance, index = min(away, default=(self._side, -1))
        if distance >= REACH * self._side:
            return False
        self.found[to] = self._left.pop(index)
        self._axes[to] = axis + skew(self.found[to].angle, axis)
        return True
