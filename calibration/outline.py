"""The table in a picture by its outline alone: a cloth or a table top of one colour, all of it in the picture."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from calibration.mat import Mat, Point
from calibration.plane import Floats, Pixels

WIDTH = 480
"""Pixels of the picture that is looked at."""
LEAST_PX = 100
"""Pixels of the shorter side of a picture that shows a table."""
SHARE = 0.3
"""Part of the picture that the table fills at least."""
FULL = 0.9
"""Part of its four sides that a table fills, but for what lies on it and on its corners."""
MIDDLE, BESIDE = 0.6, 0.06
"""Part of a side that tells where it is, and how far from it that may be, in parts of the diagonal."""
FAR = (12.0, 18.0, 26.0, 36.0)
"""Colours so far from the table's own are not it. Light and cloth differ: two in a row have to say the same."""
SAME_PX = 4.0
"""Of corners that are the same, in the picture that is looked at."""
LIKE = 0.1
"""By what part width to depth may differ from what is said of the table."""
EDGE_PX = 2
"""A table that goes on beyond the edge of the picture shows no corner there."""


def find_outline(picture: Pixels, mat: Mat) -> tuple[Point, Point, Point, Point] | None:
    """The table's corners in the picture, clockwise from the upper left; None where that is not clear."""
    if min(picture.shape[:2]) < LEAST_PX:
        return None
    scale = WIDTH / picture.shape[1]
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    far = _from_the_middle(small)
    found = [_outlined(far, limit, mat) for limit in FAR]
    alike = (
        b for a, b in pairwise(found) if a is not None and b is not None and np.abs(a - b).max() < SAME_PX
    )
    corners = next(alike, None)
    if corners is None:
        return None
    a, b, c, d = ((float(x) / scale, float(y) / scale) for x, y in corners)
    return a, b, c, d


def _outlined(far: Floats, limit: float, mat: Mat) -> Floats | None:
    """The corners of what differs from the middle by less than that, if it can be the table."""
    mask = np.asarray(far < limit, np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea, default=None)
    height, width = far.shape
    if largest is None or cv2.contourArea(largest) < SHARE * width * height:
        return None
    corners = _four_sides(np.asarray(largest.reshape(-1, 2), np.float64))
    if corners is None:
        return None
    inside = (corners > EDGE_PX).all() and (corners < np.array([width, height]) - 1 - EDGE_PX).all()
    filled = cv2.contourArea(cv2.convexHull(largest)) / cv2.contourArea(corners.astype(np.float32))
    if not inside or not FULL <= filled <= 1 / FULL:
        return None
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shape = (sides[0] + sides[2]) / (sides[1] + sides[3])
    return corners if abs(shape / (mat.width / mat.height) - 1) <= LIKE else None


def _from_the_middle(small: Pixels) -> Floats:
    """How far the colour of each pixel is from the one that is most usual in the middle of the picture."""
    height, width = small.shape[:2]
    colours = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB).astype(np.float64)
    middle = colours[height // 4 : -height // 4, width // 4 : -width // 4].reshape(-1, 3)
    return np.asarray(np.linalg.norm(colours - np.median(middle, axis=0), axis=2), np.float64)


def _four_sides(outline: Floats) -> Floats | None:
    """Where the four sides meet, clockwise from the upper left; corners may be covered, the middles of sides not."""
    box = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
    off = box - box.mean(axis=0)
    box = box[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    box = np.roll(box, -int(box.sum(axis=1).argmin()), axis=0)
    lines = []
    for start, end in zip(box, np.roll(box, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        way = (outline - start) @ along / np.linalg.norm(end - start)
        beside = np.abs((outline - start) @ np.array([-along[1], along[0]]))
        near = outline[(abs(way - 0.5) < MIDDLE / 2) & (beside < BESIDE * np.linalg.norm(box[2] - box[0]))]
        if len(near) < 20:
            return None
        dx, dy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross((x, y, 1.0), (x + dx, y + dy, 1.0)))
    met = np.array([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    if (np.abs(met[:, 2]) < 1e-9).any():
        return None
    return np.asarray(met[:, :2] / met[:, 2:], np.float64)
