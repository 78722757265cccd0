"""How a camera above the table sees it: from where, with what lens, and which pixel shows which place."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from math import hypot, radians
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.virtual.renderer import Renderer, Viewpoint

HEIGHT_MM = 1300.0
ROOM = 0.915
"""What part of the picture the mat fills at most, so that a nudge does not push a marker out of it."""
GRID = 16
"""Pixels between places whose way through the lens is followed; those between are interpolated."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Where the camera hangs, beside the middle of the mat at which it was aimed, and what its lens does."""

    x: float = 0
    """Millimetres from the middle of the mat, as is y."""
    y: float = 0
    roll: float = 0
    """Degrees by which the picture is turned."""
    bend: float = 0
    """How strongly the lens bends straight lines outwards: 0.1 is a wide lens."""
    bump_x: float = 0
    """Millimetres the camera was pushed after it was aimed, as is bump_y."""
    bump_y: float = 0
    bump_roll: float = 0


def pose(seed: int, perspective: float, lens: float) -> Pose:
    """How people would have fixed this camera; strengths of 0 to 1."""
    choose = random.Random(f"pose {seed}")
    side, far = choose.choice((-1, 1)), choose.choice((-1, 1))
    x, y, roll = choose.uniform(30, 75), choose.uniform(40, 90), choose.uniform(-1.6, 1.6)
    return Pose(perspective * side * x, perspective * far * y, perspective * roll, 0.09 * lens)


class Optics:
    """One pose of the camera, with pictures of one size."""

    def __init__(self, mat: Mat, size: tuple[int, int], pose: Pose) -> None:
        self._mat, self._size = mat, size
        middle = np.array([mat.width / 2, mat.height / 2, 0])
        offset = np.array([pose.x, pose.y, -HEIGHT_MM])
        aimed = _turned(pose.roll) @ _towards(-offset)
        self._bending = np.array([-pose.bend, 0.15 * pose.bend, 0, 0])
        self._focal = self._fitting(aimed, middle + offset)
        self._turn = _turned(pose.bump_roll) @ aimed
        self._place = middle + offset + np.array([pose.bump_x, pose.bump_y, 0])

    @property
    def eye(self) -> Viewpoint:
        x, y, z = self._place
        return Viewpoint(float(x), float(y), -float(z))

    @property
    def scale(self) -> float:
        """Pixels of a millimetre in the middle of the picture."""
        return self._focal / HEIGHT_MM

    def project(self, x: float, y: float) -> tuple[float, float]:
        """The pixel that shows this place of the table; 0, 0 is the middle of the first pixel."""
        ((u, v),) = self._seen(np.array([[x, y, 0.0]]), self._turn, self._place)
        cx, cy = self._middle
        return float(u * self._focal + cx), float(v * self._focal + cy)

    def maps(self, renderer: Renderer) -> tuple[Any, Any]:
        """For each pixel of the picture, which one of the renderer's it shows; as cv2.remap takes it."""
        width, height = self._size
        columns, rows = -(-width // GRID) + 2, -(-height // GRID) + 2
        u, v = np.meshgrid((np.arange(columns) - 0.5) * GRID - 0.5, (np.arange(rows) - 0.5) * GRID - 0.5)
        places = self._places(np.stack([u.ravel(), v.ravel()], axis=1))
        full = [
            cv2.resize(
                coordinate.reshape(rows, columns).astype(np.float32),
                (columns * GRID, rows * GRID),
                interpolation=cv2.INTER_LINEAR,
            )[GRID : GRID + height, GRID : GRID + width]
            for coordinate in renderer.pixels(places).T
        ]
        return cv2.convertMaps(full[0], full[1], cv2.CV_16SC2)

    @property
    def _middle(self) -> tuple[float, float]:
        return (self._size[0] - 1) / 2, (self._size[1] - 1) / 2

    def _seen(self, points: Points, turn: Points, place: Points) -> Points:
        """Where points are seen through the lens, for a focal length of 1."""
        turning, _ = cv2.Rodrigues(turn)
        seen, _ = cv2.projectPoints(points, turning, -turn @ place, np.eye(3), self._bending)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def _fitting(self, turn: Points, place: Points) -> float:
        """The focal length with which the mat just fits, before anything is bumped."""
        corners = np.array([(*corner, 0.0) for corner in self._mat.corners])
        seen = np.abs(self._seen(corners, turn, place)).max(axis=0)
        return float(ROOM * min(side / 2 / far for side, far in zip(self._size, seen, strict=True)))

    @cached_property
    def _to_table(self) -> Points:
        """From straight rays to places of the table."""
        columns = [self._turn[:, 0], self._turn[:, 1], -self._turn @ self._place]
        return np.asarray(np.linalg.inv(np.stack(columns, axis=1)), np.float64)

    def _places(self, pixels: Points) -> Points:
        camera = np.array([[self._focal, 0, self._middle[0]], [0, self._focal, self._middle[1]], [0, 0, 1]])
        straight = np.asarray(cv2.undistortPoints(pixels[:, None], camera, self._bending)).reshape(-1, 2)
        rays = np.column_stack([straight, np.ones(len(straight))]) @ self._to_table.T
        return np.asarray(rays[:, :2] / rays[:, 2:], np.float64)


def _turned(degrees: float) -> Points:
    turning, _ = cv2.Rodrigues(np.array([0, 0, radians(degrees)]))
    return np.asarray(turning, np.float64)


def _towards(aim: Points) -> Points:
    """The rotation of a camera that looks along that way without being rolled."""
    x, y, z = aim / np.linalg.norm(aim)
    level = hypot(x, z)
    return np.array([[z / level, 0, -x / level], [-x * y / level, level, -z * y / level], [x, y, z]])
