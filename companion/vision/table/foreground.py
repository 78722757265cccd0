"""What lies on the table, and is not the table: the difference from its cloth, whatever the light does."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import Logs, brightness, log_levels, smooth_part, strongest_channel
from calibration.mat import Mat
from calibration.plane import Pixels
from companion.core.observation import Area

Mask = NDArray[np.uint8]

COLOURED = 0.13
"""How much another colour a place must have: light and shadow hardly change the colour."""
BRIGHT, DARK = 0.22, -0.62
"""How much brighter or darker it must be (as logarithms); shadows stay above."""
ROUGH, ROUGH_PX = 0.06, 5
"""By how much its brightness must change within so many pixels where the empty table's does not: print has the colours
of wood and carpet, but is drawn on."""
STEEP = 0.035
"""At an edge, so large a part of the whole difference lies within a millimetre; shadows are softer."""
QUIET_MM = 14.0
"""White card around a marker."""
SMOOTH_MM = 36.0
"""A square of this side without any drawing is no part of a piece that a reflection touches."""
KERNEL = np.ones((3, 3), np.uint8)
THICK_MM = 7.0
"""Narrower things are edges and shadows of edges."""


class Background:
    """The empty table, as far as it is known."""

    def __init__(self, mat: Mat, ignore: Iterable[Area]) -> None:
        self.mat = mat
        self.ignore = tuple(ignore)
        self._empty: Pixels | None = None
        self._empty_logs: dict[tuple[int, ...], Logs] = {}
        """Of the empty table, in each size that was asked for."""

    def learn(self, picture: Pixels) -> None:
        """Remember the empty table, at two millimetres a pixel."""
        self._empty = picture
        self._empty_logs.clear()

    @property
    def known(self) -> bool:
        return self._empty is not None

    def outside(self, shape: tuple[int, ...]) -> Mask:
        """255 where nothing is looked at: markers, and what the table has of our own."""
        px_per_mm = shape[1] / self.mat.width
        side = self.mat.marker + 2 * QUIET_MM
        cards = [Area(x, y, side, side) for x, y in self.mat.middles.values()]
        return mask_of((*cards, *(area.lit for area in self.ignore)), shape, px_per_mm)

    def foreground(self, picture: Pixels, covered: Mask | None = None) -> Mask:
        """255 where something lies; `covered` is where something is known to lie, and tells nothing about the light."""
        outside = self.outside(picture.shape)
        use = outside == 0 if covered is None else (outside == 0) & (covered == 0)
        change = np.asarray(cv2.blur(self._change(picture), (3, 3)), np.float32)
        change = change - smooth_part(change, use)
        light = brightness(change)
        colour = strongest_channel(np.abs(change - light[..., None]))
        found = (colour > COLOURED) | (light > BRIGHT) | (light < DARK)
        if self._empty is not None:
            found |= _rough(light)
        mask = np.where(found & (outside == 0), np.uint8(255), np.uint8(0))
        px_per_mm = picture.shape[1] / self.mat.width
        whole = cleaned(np.asarray(mask, np.uint8), max(1, round(THICK_MM * px_per_mm / 2)))
        return without_shadows(whole, strongest_channel(np.abs(change)), px_per_mm)

    def _change(self, picture: Pixels) -> Logs:
        seen = log_levels(picture)
        if self._empty is None:
            return seen
        if picture.shape not in self._empty_logs:
            empty = cv2.resize(self._empty, picture.shape[1::-1], interpolation=cv2.INTER_AREA)
            logs = log_levels(np.asarray(empty, np.uint8))
            self._empty_logs[picture.shape] = np.asarray(cv2.blur(logs, (3, 3)), np.float32)
        return seen - self._empty_logs[picture.shape]


def _rough(light: Logs) -> NDArray[np.bool_]:
    """Where the difference from the table changes all around."""
    window = ROUGH_PX, ROUGH_PX
    mean = cv2.blur(light, window)
    spread = np.sqrt(np.maximum(cv2.blur(light * light, window) - mean * mean, 0))
    return cv2.erode((spread > ROUGH).astype(np.uint8), np.ones(window, np.uint8)) > 0


def without_shadows(mask: Mask, size: Logs, px_per_mm: float) -> Mask:
    """Without what has no edge: shadows, and reflections of lamps."""
    across, down = (cv2.Sobel(size, cv2.CV_32F, dx, 1 - dx, scale=px_per_mm / 8) for dx in (1, 0))
    steep = np.asarray(cv2.magnitude(across, down), np.float32)
    real, limit = _edged(mask, size, steep)
    soft = (mask > 0) & (real == 0)
    if not soft.any():
        return real
    # Pieces that a reflection touches are one with it, but they are drawn all over, and it is smooth.
    side = round(SMOOTH_MM * px_per_mm)
    smooth = np.where(soft & (steep < limit), np.uint8(255), np.uint8(0))
    bare = cv2.dilate(cv2.morphologyEx(smooth, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), KERNEL)
    rest = np.where(soft & (bare == 0), np.uint8(255), np.uint8(0))
    pieces, _ = _edged(cleaned(rest, max(1, side // 2)), size, steep)
    return np.asarray(cv2.bitwise_or(real, pieces), np.uint8)


def _edged(mask: Mask, size: Logs, steep: Logs) -> tuple[Mask, Logs]:
    """The parts of a mask whose rims are steep, for how much they differ from the cloth; and what is steep there."""
    rim = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, KERNEL) > 0
    count, which = cv2.connectedComponents(cv2.dilate(mask, KERNEL))
    inside = mask > 0
    high = np.bincount(which[inside], size[inside], count) / np.maximum(
        np.bincount(which[inside], minlength=count), 1
    )
    edge = np.bincount(which[rim], steep[rim], count) / np.maximum(
        np.bincount(which[rim], minlength=count), 1
    )
    limit = STEEP * high
    return np.where((edge > limit)[which], mask, np.uint8(0)), np.asarray(limit[which], np.float32)


def cleaned(mask: Mask, thick: int) -> Mask:
    """Without specks and threads, and without holes in what remains."""
    kernel = np.ones((thick, thick), np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
    holes = cv2.bitwise_not(opened)
    _, which, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=4)
    limit = 1600 * (thick / 3.5) ** 2 / 4  # no larger than a piece: the cloth between pieces stays cloth
    small = stats[:, cv2.CC_STAT_AREA] < limit
    small[0] = False
    return np.asarray(np.where(small[which], np.uint8(255), opened) if small.any() else opened, np.uint8)


def mask_of(areas: Iterable[Area], shape: tuple[int, ...], px_per_mm: float) -> Mask:
    """A mask with these areas filled."""
    mask = np.zeros(shape[:2], np.uint8)
    for area in areas:
        corners = np.rint((np.array(area.corners) * px_per_mm - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, (255,), cv2.LINE_8, 4)
    return mask


def components(mask: Mask, least: float = 0) -> list[Mask]:
    """The connected parts of a mask that have at least so many pixels, the largest first."""
    _, which, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    order = [i for i in np.argsort(-sizes, kind="stable") if sizes[i] >= least]
    return [np.asarray(np.where(which == i + 1, np.uint8(255), np.uint8(0)), np.uint8) for i in order]
