"""The camera model: a homography between the table and a camera's picture, and one number for the bend of the
lens.

Millimetres on the table from its upper left corner, pixels in the frame. `Plane.rectify` gives the table from
above, a pixel a millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log2
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.mat import Mat, Point

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """Straight lines bend around the middle of the picture, the more the further out; by the division model."""

    width: int
    """Of the pictures, in pixels, as is the height."""
    height: int
    bend: float = 0
    """Negative when squares bulge outwards, as with most wide lenses; 0 when lines stay straight."""

    def straightened(self, points: ArrayLike) -> Floats:
        """Where pixels would be seen without a lens that bends."""
        away = self._away(points)
        return self._back(away / (1 + self.bend * (away**2).sum(1, keepdims=True)))

    def bent(self, points: ArrayLike) -> Floats:
        """Where the lens shows what a straight one would show there."""
        away = self._away(points)
        # The smaller root of the quadratic equation that straightening solves.
        inside = np.maximum(1 - 4 * self.bend * (away**2).sum(1, keepdims=True), 0)
        return self._back(away * 2 / (1 + np.sqrt(inside)))

    @property
    def _middle(self) -> Floats:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @property
    def _reach(self) -> float:
        return float(np.hypot(self.width, self.height)) / 2

    def _away(self, points: ArrayLike) -> Floats:
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        return np.asarray((flat - self._middle) / self._reach, np.float64)

    def _back(self, away: Floats) -> Floats:
        return np.asarray(away * self._reach + self._middle, np.float64)


Pixels = NDArray[np.uint8]
Part = tuple[slice, slice]
"""Rows and columns of a picture."""
STRAIGHT_LENS = Lens(1, 1)
"""A lens that does not bend."""


class Picture(Protocol):
    """What a plane is seen in: a camera's frame."""

    def halved(self, times: int) -> Pixels:
        """With half as many pixels a side, so many times."""
        ...


@dataclass(frozen=True, eq=False)
class Plane:
    """The flat table in the pictures of a camera that stands still."""

    matrix: Floats
    """Three by three: from straightened pixels (the middle of the first one is 0,0) to millimetres."""
    mat: Mat
    lens: Lens = STRAIGHT_LENS
    _maps: dict[float, tuple[Any, Any]] = field(default_factory=dict, repr=False)

    @cached_property
    def inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.matrix), np.float64)

    def to_table(self, points: ArrayLike) -> Floats:
        """Pixels of the frame as millimetres on the table."""
        return transform(self.matrix, self.lens.straightened(points))

    def to_frame(self, points: ArrayLike) -> Floats:
        """Millimetres on the table as pixels of the frame."""
        return self.lens.bent(transform(self.inverse, points))

    @cached_property
    def sharpness(self) -> float:
        """How many pixels of the frame show one millimetre of the table's middle."""
        x, y = self.mat.width / 2, self.mat.height / 2
        middle, right, below = self.to_frame([(x, y), (x + 1, y), (x, y + 1)])
        return float(np.sqrt(abs(np.linalg.det(np.stack([right - middle, below - middle])))))

    def rectify(self, picture: Picture, px_per_mm: float = 1.0, part: Part | None = None) -> Pixels:
        """The mat as seen from above, or that part of the picture, from no more pixels than it takes."""
        halvings = max(0, int(log2(self.sharpness / px_per_mm)))
        if px_per_mm not in self._maps:
            self._maps[px_per_mm] = self._seen_from_above(px_per_mm, 2**halvings)
        places, fractions = self._maps[px_per_mm]
        if part is not None:
            places, fractions = places[part], fractions[part]
        pixels = picture.halved(halvings)
        above = cv2.remap(pixels, places, fractions, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(above, np.uint8)

    def _seen_from_above(self, px_per_mm: float, coarser: int) -> tuple[Any, Any]:
        """For each pixel from above the one of the frame, worked out on every eighth of them."""
        columns, rows = (round(side * px_per_mm) for side in (self.mat.width, self.mat.height))
        few = columns // 8 + 1, rows // 8 + 1
        x = np.linspace(0, columns - 1, few[0]), np.linspace(0, rows - 1, few[1])
        places = (np.stack(np.meshgrid(*x), -1).reshape(-1, 2) + 0.5) / px_per_mm
        pixels = (self.to_frame(places) + 0.5) / coarser - 0.5
        steps = [(count - 1) / (whole - 1) for count, whole in zip(few, (columns, rows), strict=True)]
        u, v = np.meshgrid(
            *(np.arange(n, dtype=np.float32) * step for n, step in zip((columns, rows), steps, strict=True))
        )
        part = pixels.astype(np.float32).reshape(few[1], few[0], 2)
        maps = cv2.remap(part, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
        return cv2.convertMaps(maps[..., 0], maps[..., 1], cv2.CV_16SC2)


def transform(matrix: Floats, points: ArrayLike) -> Floats:
    """Map points by a three by three matrix."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(-1, 2), np.float64)


def homography(points: Floats, others: Floats) -> Floats | None:
    """The matrix that maps points to others as nearly as one can; None when there is none."""
    found: Any = cv2.findHomography(points, others)[0]
    if found is None or abs(np.linalg.det(found)) < 1e-12:
        return None
    return np.asarray(found, np.float64)


def plane_from_points(
    pixels: ArrayLike, table: ArrayLike, mat: Mat, lens: Lens = STRAIGHT_LENS
) -> Plane | None:
    """The plane in which these pixels show these places, or None when they contradict each other."""
    matrix = homography(lens.straightened(pixels), np.asarray(table, np.float64))
    return None if matrix is None else Plane(matrix, mat, lens)


def plane_from_corners(corners: Sequence[Point], mat: Mat, lens: Lens = STRAIGHT_LENS) -> Plane:
    """The plane of a mat whose four corners somebody showed, clockwise from the upper left.

    Four corners say nothing about the lens. Where it is not known the corners are right and the rest is not: on a table
    of 1600 x 900 mm, 5 mm at the worst place with a lens that bends a little, and 15 mm with a wide one.
    """
    pixels = np.asarray(corners, np.float32)
    if pixels.shape != (4, 2) or not np.isfinite(pixels).all() or not cv2.isContourConvex(pixels):
        raise ValueError("a table has four corners, given one after the other around it, none of them inside")
    plane = plane_from_points(pixels, mat.corners, mat, lens) if cv2.contourArea(pixels, True) > 100 else None
    if plane is None:
        raise ValueError(
            "these corners are no table: drag them to its corners, clockwise from the upper left"
        )
    return plane


def plane_shift(a: Plane, b: Plane, mat: Mat) -> float:
    """How many millimetres what `a` saw has moved on the table for `b`, on average."""
    xs, ys = np.linspace(0, mat.width, 5), np.linspace(0, mat.height, 5)
    points = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    return float(np.linalg.norm(b.to_table(a.to_frame(points)) - points, axis=1).mean())
