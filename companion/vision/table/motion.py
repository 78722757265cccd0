"""Whether anything moves, and whether a hand is over the table; on a small picture of the table from above."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.light import Logs, brightness, smooth_part, strongest_channel
from calibration.mat import Mat
from calibration.plane import Picture, Pixels, Plane
from companion.vision.table.foreground import Mask, components
from hardware.camera import halved

CELL_MM = 4
"""Millimetres of table in a pixel of the small picture."""
FLOOR = 8.0
"""Levels added before brightness is divided by brightness."""
LEVELS = 8.0
"""A place must change by so many levels of brightness to have changed at all."""
SHADOW_CELLS = 31
"""Side of a neighbourhood that no single piece fills."""
STEPS = 200
"""Shadows are followed in steps of so small a part of the brightness."""
SIGMAS = 6.0
"""And by so many times of what most places change, which is noise."""
BLINDING = 244.0
"""Levels from which a camera shows no more light, however much there is."""
CELLS = 6
"""Fewer places that change together are nothing."""
HAND_MM2 = 5000
"""A hand with its wrist covers more than this."""
OURS_MM = 40
"""A screen of our own that is nearer to the edge than this may be reached over."""
EDGE_MM = 12
"""A hand comes in over the edge: it is seen this near to it."""
LIES_S = 20.0
"""Something at the edge that has not moved for so long is no hand, but something that lies there."""
NEAR_MM = 60
"""Nothing is read so near to an arm: its shadow and what it half covers reach no farther."""


def small_shape(mat: Mat) -> tuple[int, int]:
    """Rows and columns of the small picture of a table."""
    height, width = (round(side * 2 / CELL_MM) // 2 for side in (mat.height, mat.width))
    return height, width


@dataclass(frozen=True, eq=False)
class SmallPicture:
    """The table from above, small enough to be compared quickly."""

    pixels: Pixels

    @classmethod
    def of(cls, picture: Picture, plane: Plane) -> SmallPicture:
        """What a frame shows of the table, without unrolling all of it."""
        return cls(halved(plane.rectify(picture, 2 / CELL_MM), 1))

    @cached_property
    def levels(self) -> Logs:
        """Without most of the noise."""
        return np.asarray(cv2.blur(self.pixels, (3, 3)), np.float32) + np.float32(FLOOR)

    @cached_property
    def logs(self) -> Logs:
        return np.log(self.levels)

    def changed(self, before: SmallPicture, outside: Mask) -> Mask:
        """255 where it differs from another one by more than light and noise; nothing ever changes outside."""
        if not self.may_differ(before, outside):
            return np.zeros_like(outside)
        ratio = np.asarray(self.logs - before.logs, np.float32)
        light = smooth_part(ratio, outside == 0)
        light += shadow(ratio - light)[..., None]
        most = strongest_channel(np.abs(self.levels - before.levels * np.exp(light)))
        inside = most[::3, ::3][outside[::3, ::3] == 0]
        noise = float(np.median(inside)) / 0.9 if inside.size else 0.0
        limit = np.float32(max(LEVELS, SIGMAS * noise))
        blind = strongest_channel(np.maximum(self.levels, before.levels)) > BLINDING
        differs = most > np.where(blind, 2 * limit, limit)
        mask = np.where(differs & (outside == 0), np.uint8(255), np.uint8(0))
        _, which, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] >= CELLS
        large[0] = False
        return np.asarray(np.where(large[which], np.uint8(255), np.uint8(0)), np.uint8)

    def may_differ(self, before: SmallPicture, outside: Mask) -> bool:
        """Whether anything is so much lighter or darker that it is worth a closer look; mostly nothing is."""
        inside = cv2.bitwise_not(outside)
        return cv2.norm(self.levels, before.levels, cv2.NORM_INF, inside) > LEVELS / 2


def shadow(ratio: Logs) -> Logs:
    """The part of a change in brightness that reaches far: shadows have no edges, pieces have."""
    mean = brightness(ratio)
    steps = np.clip(np.rint(mean * STEPS + 128), 0, 255).astype(np.uint8)
    far = np.asarray(cv2.medianBlur(steps, SHADOW_CELLS), np.float32)
    return np.asarray(cv2.blur((far - 128) / STEPS, (9, 9)), np.float32)


def hands(foreground: Mask, outside: Mask) -> Mask:
    """255 where something large that is no known piece reaches in over the edge, or over what lies there of our own."""
    found = np.zeros_like(foreground)
    if not (large := components(foreground, HAND_MM2 / CELL_MM**2)):
        return found
    edge = round(EDGE_MM / CELL_MM)
    rim = np.full_like(foreground, 255)
    rim[edge:-edge, edge:-edge] = 0
    near = round(OURS_MM / CELL_MM)
    for part in components(outside):
        if cv2.countNonZero(part) > cv2.countNonZero(part[near:-near, near:-near]):
            rim = np.asarray(cv2.bitwise_or(rim, cv2.dilate(part, np.ones((5, 5), np.uint8))), np.uint8)
    for part in large:
        if cv2.countNonZero(cv2.bitwise_and(part, rim)):
            found = np.asarray(cv2.bitwise_or(found, part), np.uint8)
    return found


class MotionDetector:
    """Since when the table looks as it does."""

    def __init__(self, still_s: float) -> None:
        self._still_s = still_s
        self.before: SmallPicture | None = None
        """What it has looked like since."""
        self._since = 0.0

    def settled(self, picture: SmallPicture, time: float, outside: Mask) -> bool:
        """Whether nothing has moved for long enough, this picture included."""
        if self.before is None or cv2.countNonZero(picture.changed(self.before, outside)):
            self.before, self._since = picture, time
        return time - self._since >= self._still_s

    def forget(self) -> None:
        self.before = None


class HandDetector:
    """What reaches in over the edge, and since when it rests."""

    def __init__(self, rest_s: float) -> None:
        self._rest_s = rest_s
        self._before: SmallPicture | None = None
        self._since = 0.0
        self.resting: Mask | None = None
        """255 on an arm that only rests there, and near it; the rest of the table may be read."""

    def waited_for(
        self, picture: SmallPicture, unknown: Mask, known: Mask | None, time: float, outside: Mask
    ) -> bool:
        """Whether something reaches in that keeps from reading; `known` is where pieces lie, None if nobody knows."""
        found = hands(unknown, outside)
        self.resting = None
        if not cv2.countNonZero(found):
            self._before = None
            return False
        if self._before is None or cv2.countNonZero(picture.changed(self._before, outside)):
            self._before, self._since = picture, time
        rested = time - self._since
        if rested < min(self._rest_s, LIES_S):
            return True
        if rested >= LIES_S:
            return False
        near = np.asarray(cv2.dilate(found, _disc(NEAR_MM // CELL_MM)), np.uint8)
        if known is None or cv2.countNonZero(cv2.bitwise_and(near, known)):
            return True
        self.resting = near
        return False

    def forget(self) -> None:
        self._before = self.resting = None


def touched_by(arm: Mask, unknown: Mask) -> Mask:
    """255 in every unknown thing of which a part is on an arm or near it."""
    near = cv2.resize(arm, (unknown.shape[1], unknown.shape[0]), interpolation=cv2.INTER_NEAREST)
    count, which = cv2.connectedComponents(unknown, connectivity=8)
    reached = np.bincount(which[near > 0], minlength=count) > 0
    reached[0] = False
    return np.asarray(np.where(reached[which], np.uint8(255), np.uint8(0)), np.uint8)


def _disc(radius: int) -> Mask:
    size = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
