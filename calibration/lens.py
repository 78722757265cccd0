"""How a lens bends straight lines: one number, which the markers tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
