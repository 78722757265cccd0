"""Boards of Dominations as people lay them: against their neighbours as these lie, with gaps and askew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.observation import PlacedPiece
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import CRADLE, Domain
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.sight import faces

HEIGHT = 3**0.5 / 2


@dataclass(frozen=True)
class Laying:
    """How well people lay: standard deviations, in parts of a side and in degrees."""

    gap: float
    turn: float


NEAT, SLOPPY = Laying(0.01, 0.7), Laying(0.03, 2.0)
ON_ANOTHER, MOST_TRIES = 0.06, 200
"""The part of a territory that may lie on others, and how often somebody tries to lay it better."""
Pose = tuple[float, float, float]
"""x, y and degrees clockwise, of the lattice as it lies there."""


def middle(cell: Cell) -> tuple[float, float]:
    """Of a cell, in sides from the Cradle's middle; y grows down."""
    xs, ys = zip(*((p.i + p.j / 2, -p.j * HEIGHT) for p in cell.corners), strict=True)
    return sum(xs) / 3, sum(ys) / 3


@dataclass
class Laid:
    """What lies there, and how."""

    random: Random
    laying: Laying
    cradle: Pose
    tiles: dict[Cell, Tile] = field(default_factory=dict)
    poses: dict[Cell, Pose] = field(default_factory=dict)

    def lay(self, cell: Cell, tile: Tile) -> PlacedPiece:
        """Lay a territory against a neighbour, again while it lies on another; the answer is how it lies."""
        pose = self._tried(cell)
        over = self.over(cell, pose)
        for _again in range(MOST_TRIES):
            if over <= ON_ANOTHER:
                break
            tried = self._tried(cell)
            if (less := self.over(cell, tried)) < over:
                pose, over = tried, less
        self.tiles[cell], self.poses[cell] = tile, pose
        return self.lying(cell)

    def over(self, cell: Cell, pose: Pose) -> float:
        """The part of a territory that lies on others: no hand leaves cardboard like that."""
        mine = _corners(cell, pose)
        others = (_corners(other, lies) for other, lies in self.poses.items() if other != cell)
        shared = sum(cv2.intersectConvexConvex(mine, other)[0] for other in others)
        return float(shared / cv2.contourArea(mine))

    def _tried(self, cell: Cell) -> Pose:
        near = [n for n in cell.neighbours if n in self.poses or n in CRADLE]
        by = self.random.choice(near)
        side = faces.TERRITORY_SIDE
        x, y, turn = self.poses.get(by, self._of_cradle(by))
        (ax, ay), (bx, by_) = middle(by), middle(cell)
        dx, dy = (bx - ax) * side, (by_ - ay) * side
        far = hypot(dx, dy)
        apart = abs(self.random.gauss(0, self.laying.gap * side))
        along = self.random.gauss(0, self.laying.gap * side)
        dx, dy = dx * (1 + apart / far) - dy / far * along, dy * (1 + apart / far) + dx / far * along
        c, s = cos(radians(turn)), sin(radians(turn))
        return (
            x + c * dx - s * dy,
            y + s * dx + c * dy,
            turn + self.random.gauss(0, self.laying.turn),
        )

    def lying(self, cell: Cell) -> PlacedPiece:
        """How the territory of that cell lies on the table."""
        tile, (x, y, turn) = self.tiles[cell], self.poses[cell]
        label = faces.face_label(tile)
        angle = turn + faces.DOWN_ANGLE * cell.down + 120 * faces.turns_of_face(tile)
        return PlacedPiece(f"{label}@{cell}", label, x, y, angle % 360)

    def _of_cradle(self, cell: Cell) -> Pose:
        x, y, turn = self.cradle
        dx, dy = (faces.TERRITORY_SIDE * part for part in middle(cell))
        c, s = cos(radians(turn)), sin(radians(turn))
        return x + c * dx - s * dy, y + s * dx + c * dy, turn

    def free(self) -> list[Cell]:
        filled = {*self.tiles, *CRADLE}
        return sorted({near for cell in filled for near in cell.neighbours} - filled)


def _corners(cell: Cell, pose: Pose) -> NDArray[np.float32]:
    x, y, turn = pose
    far, first = faces.TERRITORY_SIDE / 3**0.5, turn + (90 if cell.down else 30)
    angles = (radians(first + 120 * n) for n in range(3))
    return np.array([(x + far * cos(a), y + far * sin(a)) for a in angles], np.float32)


def any_tile(random: Random) -> Tile:
    dots = "".join(random.choice(faces.DOT_LETTERS) for _ in range(3))
    return Tile(random.choice(list(Domain)), dots)


def board(random: Random, laying: Laying, tiles: int, cradle: Pose = (800, 450, 0)) -> Laid:
    """A compact board of so many territories."""
    laid = Laid(random, laying, cradle)
    for _n in range(tiles):
        free = [cell for cell in laid.free() if _near(middle(cell))]
        laid.lay(random.choice(free), any_tile(random))
    return laid


def _near(place: tuple[float, float]) -> bool:
    return abs(place[1]) < 4.6 and abs(place[0]) < 7


def expected(laid: Laid) -> Mapping[Cell, Tile]:
    return dict(laid.tiles)
