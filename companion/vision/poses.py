"""Pieces of a picture, cut out as they would look if they lay upright."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels

Poses = NDArray[np.float64]
"""One row each: x and y of the middle in millimetres, degrees clockwise."""
ROWS_LIMIT = 30_000
"""OpenCV cuts out no more rows at a time."""


@cache
def grid(columns: int, rows: int, step: float) -> NDArray[np.float32]:
    """Places around a middle, in millimetres: x and y for each cell of a crop."""
    x = (np.arange(columns) - (columns - 1) / 2) * step
    y = (np.arange(rows) - (rows - 1) / 2) * step
    return np.stack(np.meshgrid(x, y), -1).reshape(-1, 2).astype(np.float32)


def cut_crops(picture: Pixels, poses: Poses, size: tuple[int, int], step: float, px_per_mm: float) -> Pixels:
    """Upright crops of columns x rows cells, each so many millimetres wide."""
    columns, rows = size
    around = grid(columns, rows, step)
    turns = np.radians(poses[:, 2, None])
    c, s = np.cos(turns).astype(np.float32), np.sin(turns).astype(np.float32)
    x = poses[:, 0, None].astype(np.float32) + c * around[:, 0] - s * around[:, 1]
    y = poses[:, 1, None].astype(np.float32) + s * around[:, 0] + c * around[:, 1]
    x, y = x * np.float32(px_per_mm) - np.float32(0.5), y * np.float32(px_per_mm) - np.float32(0.5)
    parts = [
        cv2.remap(picture, x[i : i + ROWS_LIMIT], y[i : i + ROWS_LIMIT], cv2.INTER_LINEAR)
        for i in range(0, len(poses), ROWS_LIMIT)
    ]
    crops = np.concatenate(parts) if parts else np.empty((0, rows * columns), np.uint8)
    return np.asarray(crops.reshape(len(poses), rows, columns, *picture.shape[2:]), np.uint8)


def offsets(reach: float, step: float, turns: tuple[float, ...]) -> Poses:
    """Small displacements to try around a pose, along its own axes."""
    count = round(reach / step)
    along = np.arange(-count, count + 1) * step
    x, y, turn = np.meshgrid(along, along, np.asarray(turns, np.float64), indexing="ij")
    return np.stack([x.ravel(), y.ravel(), turn.ravel()], -1)


def displaced(pose: Poses, by: Poses) -> Poses:
    """Poses moved along their own axes and turned."""
    turns = np.radians(pose[..., 2])
    c, s = np.cos(turns), np.sin(turns)
    x = pose[..., 0] + c * by[..., 0] - s * by[..., 1]
    y = pose[..., 1] + s * by[..., 0] + c * by[..., 1]
    return np.stack([x, y, pose[..., 2] + by[..., 2]], -1)


def footprint(pose: Poses, width: float, height: float, px_per_mm: float) -> NDArray[np.int32]:
    """The outline of a rectangle in a picture, in sixteenths of a pixel."""
    halves = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * (width / 2, height / 2, 0)
    corners = displaced(np.broadcast_to(pose, (4, 3)), halves)[:, :2]
    return np.rint((corners * px_per_mm - 0.5) * 16).astype(np.int32)


def fill_footprint(
    canvas: Pixels, pose: Poses, width: float, height: float, px_per_mm: float, value: int = 255
) -> None:
    """Fill a rectangle of a mask."""
    cv2.fillConvexPoly(canvas, footprint(pose, width, height, px_per_mm), (value,), cv2.LINE_8, 4)


def lay(canvas: Pixels, crop: Pixels, pose: Poses, px_per_mm: float) -> None:
    """Lay an upright crop of one millimetre a cell into a picture, where it is brighter."""
    rows, columns = crop.shape
    reach = float(np.hypot(rows, columns)) / 2 * px_per_mm + 2
    left, top = (max(0, int(pose[i] * px_per_mm - reach)) for i in (0, 1))
    part = canvas[top : top + int(2 * reach) + 1, left : left + int(2 * reach) + 1]
    if not part.size:
        return
    turn = np.radians(pose[2])
    c, s = np.cos(turn) * px_per_mm, np.sin(turn) * px_per_mm
    x, y = (columns - 1) / 2, (rows - 1) / 2
    middle = pose[0] * px_per_mm - 0.5 - left, pose[1] * px_per_mm - 0.5 - top
    matrix = np.array([[c, -s, middle[0] - c * x + s * y], [s, c, middle[1] - s * x - c * y]])
    laid = cv2.warpAffine(crop, matrix, (part.shape[1], part.shape[0]), flags=cv2.INTER_LINEAR)
    np.maximum(part, np.asarray(laid, np.uint8), out=part)
