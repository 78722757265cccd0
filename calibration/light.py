"""What the light does to a picture of the table: its colour and its slow changes from place to place."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import MARKER_CELLS, marker_cells
from calibration.mat import Mat
from calibration.plane import Pixels

Logs = NDArray[np.float32]
"""Natural logarithms of brightness, or of ratios of it, for blue, green and red."""

CELL_LIMIT = 90
"""Cells along the longer side of the grid that a smooth change is fitted to."""
PAPER = np.float32(240)
"""What white paper looks like in even light."""
FLOOR = 6.0
"""Levels added before a logarithm is taken: below them there is only noise."""
NEARS = (0.45, 0.25, 0.15, 0.1)
"""How near to the fit so far a place must be to count for the next one."""


def log_levels(pixels: Pixels) -> Logs:
    """The logarithm of every pixel."""
    return np.asarray(cv2.LUT(pixels, _table()), np.float32)


@cache
def _table() -> Logs:
    return np.asarray(np.log(np.arange(256, dtype=np.float32) + np.float32(FLOOR)), np.float32)


@cache
def _terms(rows: int, columns: int, order: int) -> Logs:
    """What a smooth change is made of: powers of x and y between -1 and 1."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    powers = [x**i * y**j for i in range(order + 1) for j in range(order + 1 - i)]
    return np.stack(powers, -1).astype(np.float32)


def strongest_channel(levels: Logs) -> Logs:
    """The most that any of the three colours has at each place: far sooner than NumPy's own maximum of so few."""
    return np.maximum(np.maximum(levels[..., 0], levels[..., 1]), levels[..., 2])


def brightness(levels: Logs) -> Logs:
    """The mean of the three colours at each place; for so few, far sooner than NumPy's own."""
    return np.asarray((levels[..., 0] + levels[..., 1] + levels[..., 2]) / np.float32(3), np.float32)


def smooth_part(change: Logs, use: NDArray[np.bool_] | None = None, order: int = 2) -> Logs:
    """The smooth part of a change that most places share, however the others differ."""
    rows, columns = change.shape[:2]
    scale = min(1.0, CELL_LIMIT / max(rows, columns))
    size = max(2, round(columns * scale)), max(2, round(rows * scale))
    cells_ = cv2.resize(change, size, interpolation=cv2.INTER_AREA)
    terms = _terms(size[1], size[0], order).reshape(-1, (order + 1) * (order + 2) // 2)
    values = cells_.reshape(len(terms), -1)
    allowed = np.ones(len(terms), bool)
    if use is not None:
        share = cv2.resize(use.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        allowed = (share > 0.95).ravel() if (share > 0.95).sum() > 50 else allowed
    fit = np.zeros((terms.shape[1], values.shape[1]), np.float32)
    fit[0] = np.median(values[allowed], axis=0)
    for near in NEARS:
        inside = allowed & (strongest_channel(np.abs(values - terms @ fit)) < near)
        if inside.sum() < 0.05 * len(terms):
            break
        known = terms[inside]
        # The normal equations: these few terms are far from alike, and a frame has no time for more.
        fit = np.linalg.lstsq(known.T @ known, known.T @ values[inside], rcond=None)[0]
    small = (terms @ fit).reshape(size[1], size[0], -1)
    return np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def paper_white(picture: Pixels, mat: Mat, seen: Collection[int]) -> Logs | None:
    """How white paper looks all over the table, from the white cells of the markers; a 2 x 2 grid of its corners."""
    px_per_mm = picture.shape[1] / mat.width
    found = {marker: _paper(picture, mat, marker, px_per_mm) for marker in mat.ids if marker in seen}
    if not found:
        return None
    mean = np.mean(list(found.values()), axis=0)
    upper_left, upper_right, lower_right, lower_left = (found.get(marker, mean) for marker in mat.ids)
    return np.array([[upper_left, upper_right], [lower_left, lower_right]], np.float32)


def _paper(picture: Pixels, mat: Mat, marker: int, px_per_mm: float) -> Logs:
    x, y = mat.middles[marker]
    cell = mat.marker / MARKER_CELLS
    rows, columns = np.nonzero(marker_cells(marker))
    middles = np.stack([x + (columns - 2.5) * cell, y + (rows - 2.5) * cell], -1)
    places = np.rint(middles * px_per_mm - 0.5).astype(int)
    height, width = picture.shape[:2]
    us, vs = np.clip(places[:, 0], 0, width - 1), np.clip(places[:, 1], 0, height - 1)
    return np.asarray(np.median(log_levels(picture[vs, us]), axis=0), np.float32)


def even_light(picture: Pixels, whites: Logs | None) -> Pixels:
    """The picture as it would look if white paper were equally white everywhere."""
    if whites is None:
        return picture
    x, y = np.linspace(0, 1, 32, dtype=np.float32), np.linspace(0, 1, 18, dtype=np.float32)
    across = whites[:, :1] + (whites[:, 1:] - whites[:, :1]) * x[None, :, None]
    spread_logs = across[:1] + (across[1:] - across[:1]) * y[:, None, None]
    small = PAPER / np.maximum(np.exp(spread_logs) - FLOOR, 20)
    spread = cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, spread, dtype=cv2.CV_8U), np.uint8)
