"""Whether anything moves, and whether a hand is over the table; on a small picture of the table from above."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.light import smooth
from calibration.plane import Pixels
from companion.vision.ground import Mask, pieces_of

CELL_MM = 4
"""Millimetres of table in a pixel of the small picture."""
LEVELS = 7.0
"""A place must change by so many levels of brightness to have changed at all."""
SIGMAS = 6.0
"""And by so many times of what most places change, which is noise."""
CELLS = 4
"""Fewer places that change together are nothing."""
HAND_MM2 = 5000
"""A hand with its wrist covers more than this."""
EDGE_MM = 12
"""A hand comes in over the edge: it is seen this near to it."""


def small(picture: Pixels) -> Pixels:
    """The table from above, small enough to be compared quickly."""
    size = picture.shape[1] // CELL_MM, picture.shape[0] // CELL_MM
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def changed(before: Pixels, now: Pixels, outside: Mask) -> Mask:
    """255 where two small pictures differ by more than light and noise; nothing has ever changed outside."""
    a, b = (cv2.blur(picture, (3, 3)).astype(np.float32) for picture in (before, now))
    ratio = np.log((b + 8) / (a + 8))
    off = np.abs(b - ((a + 8) * np.exp(smooth(ratio, outside == 0)) - 8)).max(axis=2)
    noise = float(np.median(off[outside == 0])) / 0.9 if (outside == 0).any() else 0.0
    mask = np.where((off > max(LEVELS, SIGMAS * noise)) & (outside == 0), np.uint8(255), np.uint8(0))
    count, which, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = np.array([i > 0 and stats[i, cv2.CC_STAT_AREA] >= CELLS for i in range(count)])
    return np.asarray(np.where(large[which], np.uint8(255), np.uint8(0)), np.uint8)


def hands(foreground: Mask) -> Mask:
    """255 where something large that is no known piece reaches in over the edge."""
    edge = round(EDGE_MM / CELL_MM)
    rim = np.full_like(foreground, 255)
    rim[edge:-edge, edge:-edge] = 0
    found = np.zeros_like(foreground)
    for part in pieces_of(foreground):
        if cv2.countNonZero(part) * CELL_MM**2 < HAND_MM2:
            break
        if cv2.countNonZero(cv2.bitwise_and(part, rim)):
            found = np.asarray(cv2.bitwise_or(found, part), np.uint8)
    return found


class Settling:
    """Since when the table looks as it does."""

    def __init__(self, still_s: float) -> None:
        self._still_s = still_s
        self._before: Pixels | None = None
        self._since = 0.0

    def settled(self, picture: Pixels, time: float, outside: Mask) -> bool:
        """Whether nothing has moved for long enough, this small picture included."""
        moves = self._before is None or cv2.countNonZero(changed(self._before, picture, outside)) > 0
        if moves:
            self._before, self._since = picture, time
        return time - self._since >= self._still_s

    def forget(self) -> None:
        self._before = None
