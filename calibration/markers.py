"""Printed markers (ArUco, 4 x 4) in a frame: where the table lies by them, how large it is, and how the lens bends.

Three of four markers are enough for the plane; the size of the table and the lens need all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from calibration.mat import Mat
from calibration.plane import Floats, Lens, Pixels, Plane, homography, plane_from_points, transform

MARKER_CELLS = 6
"""Cells along a marker's side: four that tell which one it is, and the black border around them."""
SEARCH_WIDTH = 1400
"""Wider pictures are made smaller to look for markers; their corners are then found in the whole picture."""
ENOUGH = 3
"""Markers that must be seen; with three, the fourth corner is still right to about two millimetres."""
APART = 0.05
"""Squares whose corners are nearer than that, as a part of the way around them, are taken for one: less than lies
between a marker and the edge of its card, which near the edge of the picture would be taken for the marker."""
BEND_LIMIT = 0.3
BETTER_BENT = 0.8
"""A lens that bends must explain this much better where the markers' corners are seen."""


@dataclass(frozen=True)
class MarkersFound:
    """What the markers of one frame say."""

    plane: Plane | None
    """None when too few markers are seen."""
    corners: Mapping[int, Floats]
    """Of every marker that is seen, in pixels of the frame."""

    @property
    def seen(self) -> frozenset[int]:
        return frozenset(self.corners)


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The markers of every mat."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def marker_cells(marker: int) -> Pixels:
    """A marker's cells, 0 or 255, with its black border."""
    picture = cv2.aruco.generateImageMarker(dictionary(), marker, MARKER_CELLS)
    return np.asarray(picture, np.uint8)


class MarkerFinder:
    """Looks for the markers of one mat."""

    def __init__(self, mat: Mat) -> None:
        self.mat = mat
        self._bends: dict[tuple[int, int], float] = {}
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = 7, 31
        settings.adaptiveThreshWinSizeStep = 12
        settings.minMarkerDistanceRate = APART
        self._detector = cv2.aruco.ArucoDetector(dictionary(), settings)

    def find(self, pixels: Pixels) -> MarkersFound:
        """Look for the markers in a whole frame."""
        corners = self.corners(pixels)
        if len(corners) < ENOUGH:
            return MarkersFound(None, corners)
        shown = np.concatenate([corners[marker] for marker in sorted(corners)])
        lying = np.concatenate([self.lying(marker) for marker in sorted(corners)])
        size = pixels.shape[1], pixels.shape[0]
        if len(corners) == len(self.mat.ids):
            self._bends[size] = lens_bend(shown, lying, size)
        lens = Lens(*size, self._bends.get(size, 0.0))
        return MarkersFound(plane_from_points(shown, lying, self.mat, lens), corners)

    def lying(self, marker: int) -> Floats:
        """The corners of a marker on the table, clockwise from its upper left."""
        x, y = self.mat.middles[marker]
        half = self.mat.marker / 2
        return np.array(
            [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        )

    def corners(self, pixels: Pixels) -> Mapping[int, Floats]:
        """The corners of every marker of the mat that is seen, in pixels of the frame."""
        gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        coarser = max(1, round(gray.shape[1] / SEARCH_WIDTH))
        size = gray.shape[1] // coarser, gray.shape[0] // coarser
        small = cv2.resize(gray[: size[1] * coarser, : size[0] * coarser], size, interpolation=cv2.INTER_AREA)
        quads, ids, _ = self._detector.detectMarkers(small)
        numbers: Any = ids
        found: dict[int, Floats] = {}
        for quad, marker in zip(quads, [] if numbers is None else numbers.ravel().tolist(), strict=True):
            if marker in self.mat.ids and marker not in found:
                rough = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) * coarser - 0.5
                found[marker] = refine_corners(gray, rough)
        return found


def lens_bend(shown: Floats, lying: Floats, size: tuple[int, int]) -> float:
    """How the lens bends: what leaves the markers square once it is undone; 0 when that makes no difference."""

    def off(bend: float) -> float:
        straight = Lens(*size, bend).straightened(shown)
        matrix = homography(straight, lying)
        return (
            np.inf
            if matrix is None
            else float(np.sqrt(((transform(matrix, straight) - lying) ** 2).sum(1).mean()))
        )

    low, high = -BEND_LIMIT, BEND_LIMIT
    for _ in range(24):
        third = (high - low) / 3
        if off(low + third) < off(high - third):
            high -= third
        else:
            low += third
    best = (low + high) / 2
    return best if off(best) < BETTER_BENT * off(0) else 0.0


def refine_corners(gray: Pixels, rough: Floats) -> Floats:
    """The corners where the straight edges of a marker's black square cross, to a fraction of a pixel."""
    lines = [edge_line(gray, rough[i], rough[(i + 1) % 4], rough.mean(0)) for i in range(4)]
    crossings = [np.cross(lines[i - 1], lines[i]) for i in range(4)]
    exact = np.array([(x / w, y / w) if abs(w) > 1e-9 else (np.inf, np.inf) for x, y, w in crossings])
    side = float(np.linalg.norm(rough[1] - rough[0]))
    off = np.linalg.norm(exact - rough, axis=1)
    return np.where((off < 0.15 * side)[:, None], exact, rough)


def edge_line(gray: Pixels, start: Floats, end: Floats, middle: Floats) -> Floats:
    """The line along which black turns to white between two corners: the steepest place on many short cuts across."""
    along = end - start
    length = float(np.linalg.norm(along))
    across = np.array([along[1], -along[0]]) / length
    if across @ (start - middle) < 0:
        across = -across
    reach = max(2.0, length / MARKER_CELLS * 0.6)
    offsets = np.arange(-reach, reach + 0.01, 0.25)
    shares = np.linspace(0.12, 0.88, max(8, int(length / 2)))
    feet = start + shares[:, None] * along
    places = (feet[:, None] + offsets[None, :, None] * across).astype(np.float32)
    cuts = cv2.remap(
        gray, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    slope = np.clip(np.gradient(cv2.GaussianBlur(cuts, (5, 1), 1.0), axis=1), 0, None)
    window = np.abs(offsets[None] - offsets[slope.argmax(1)][:, None]) <= max(1.0, reach / 3)
    weights = np.where(window, slope, 0) + 1e-9
    offset = (weights * offsets).sum(1) / weights.sum(1)
    good = np.abs(offset - np.median(offset)) < max(0.5, length * 0.02)
    points = (feet + offset[:, None] * across)[good].astype(np.float32)
    dx, dy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.array([-dy, dx, dy * x - dx * y])


ROUNDS = 40
SAME = 0.0003
"""A size that changes less than by this part from one guess to the next is found."""
CLOSE = 0.005
"""A first guess that changes less than by this part will not go far."""
FASTER = 1.6
"""Each guess goes a little too short a way: the markers' middles weigh more than their sizes."""


def measure_mat(corners: Mapping[int, Floats], mat: Mat, size: tuple[int, int]) -> Mat | None:
    """The mat on which these markers are as large as they should be; None unless all are seen."""
    if set(corners) != set(mat.ids):
        return None
    shown = np.concatenate([corners[marker] for marker in mat.ids])
    first = mat
    for _round in range(ROUNDS):
        lying = np.stack([MarkerFinder(mat).lying(marker) for marker in mat.ids])
        flat = lying.reshape(-1, 2)
        plane = plane_from_points(shown, flat, mat, Lens(*size, lens_bend(shown, flat, size)))
        if plane is None:
            return None
        grown = _resized(mat, plane, shown)
        if not (mat.marker * 3 < min(grown.width, grown.height) and max(grown.width, grown.height) < 1e4):
            return None
        change = max(abs(grown.width / mat.width - 1), abs(grown.height / mat.height - 1))
        if mat is first and change < CLOSE:
            return first
        if change < SAME:
            return grown
        mat = grown
    return None


def measure_lens(corners: Mapping[int, Floats], mat: Mat, size: tuple[int, int]) -> Lens | None:
    """How the lens bends by markers that lie somewhere around a table, wherever its corners are said to be; None unless
    all are seen."""
    found = measure_mat(corners, mat, size)
    if found is None:
        return None
    finder = MarkerFinder(found)
    shown = np.concatenate([corners[marker] for marker in mat.ids])
    return Lens(*size, lens_bend(shown, np.concatenate([finder.lying(marker) for marker in mat.ids]), size))


def _resized(mat: Mat, plane: Plane, shown: Floats) -> Mat:
    """The mat, larger where its markers seem too small."""
    places = plane.to_table(shown).reshape(-1, 4, 2)
    upper_left, upper_right, lower_right, lower_left = places.swapaxes(0, 1)
    across = np.concatenate([upper_right - upper_left, lower_right - lower_left])
    down = np.concatenate([lower_left - upper_left, lower_right - upper_right])
    rim = 2 * mat.inset
    width, height = (
        (side - rim) * (mat.marker / float(np.linalg.norm(seen, axis=1).mean())) ** FASTER + rim
        for side, seen in ((mat.width, across), (mat.height, down))
    )
    return replace(mat, width=width, height=height)
