"""What a piece covers of a picture, whatever its outline."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.observation import Face
from companion.vision.live.workspace import HALF
from companion.vision.poses import Poses, displaced
from companion.vision.table.ground import Mask, components

EDGE_MM = 5.0
"""How far inside its corners a piece is asked for: neighbours and shadows look in at its very edge."""


def corners_of(face: Face) -> NDArray[np.float64]:
    """From its middle, in millimetres."""
    w, h = face.width / 2, face.height / 2
    return np.array(face.outline or ((-w, -h), (w, -h), (w, h), (-w, h)), np.float64)


def outline_area(face: Face) -> float:
    return float(cv2.contourArea(corners_of(face).astype(np.float32)))


def _polygon(pose: Poses, face: Face, scale: float, grown: float) -> NDArray[np.int32]:
    corners = corners_of(face)
    far = np.hypot(corners[:, 0], corners[:, 1])[:, None]
    corners = corners * (1 + grown / far)
    by = np.column_stack([corners, np.zeros(len(corners))])
    places = displaced(np.broadcast_to(pose, by.shape), by)[:, :2]
    return np.rint((places * scale - 0.5) * 16).astype(np.int32)


def fill_outline(mask: Mask, pose: Poses, face: Face, scale: float, grown: float, value: int = 255) -> None:
    """Fill what a piece covers, with so many millimetres around its corners."""
    cv2.fillConvexPoly(mask, _polygon(pose, face, scale, grown), (value,), cv2.LINE_8, 4)


def outline_share(mask: Mask, pose: Poses, face: Face) -> float:
    """Which part of a piece's outline is set in a mask of two millimetres a pixel, but for its very edge."""
    reach = max(face.width, face.height) / 2 + 4
    left, top = (max(0, int((pose[i] - reach) * HALF)) for i in (0, 1))
    part = mask[top : top + int(2 * reach * HALF) + 1, left : left + int(2 * reach * HALF) + 1]
    if not part.size:
        return 0.0
    own = np.zeros_like(part)
    moved = np.array([pose[0] - left / HALF, pose[1] - top / HALF, pose[2]])
    fill_outline(own, moved, face, HALF, -EDGE_MM)
    total = outline_area(face) * (1 - EDGE_MM / float(np.hypot(*corners_of(face)[0]))) ** 2 * HALF**2
    return float(cv2.countNonZero(part & own) / max(total, 1))


def large_components(mask: Mask, least: float) -> Iterator[Mask]:
    """What lies there that is large enough, in square millimetres."""
    for heap in components(mask):
        if cv2.countNonZero(heap) / HALF**2 < least:
            return
        yield heap
