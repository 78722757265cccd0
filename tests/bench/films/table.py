"""The table of a film: a real photo seen from above, with some of its pieces or none, over a mat with markers.

What is taken away is covered with the photo's own table, or, where a photo ends at its pieces, all of the table is
another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.core.lattice import Cell
from companion.virtual.art import Print
from companion.virtual.rasterizer import PAPER, stamp_face
from companion.virtual.renderer import MARGIN, ground, marker_card

MAT = Mat()
BEYOND_MM = 25
"""Table that is seen around the mat."""
PATCH_MM, SMOOTH_MM, COARSE_MM = 18, 45, 4

Pixels = NDArray[np.uint8]
Points = tuple[tuple[float, float], ...]


def corners_of(column: float, row: float, columns: float = 1, rows: float = 1) -> Points:
    """Of a rectangle of cells, clockwise from the upper left."""
    right, bottom = column + columns, row + rows
    return (column, row), (right, row), (right, bottom), (column, bottom)


@dataclass(frozen=True)
class TablePhoto:
    """A labelled photo of square pieces that lie side by side."""

    file: Path
    session: str
    side: float
    """Of a piece, in millimetres."""
    columns: int
    rows: int
    outlines: Mapping[Cell, Points]
    """Where each piece lies, in columns and rows of the grid; the first cell begins at 0, 0."""
    corners: Points = ()
    """Of the grid in the photo, clockwise from the upper left; empty where the photo ends there."""
    bare_mm: tuple[float, float] = (5, inf)
    """Between these distances from the pieces, with their shadow, the photo shows nothing but the table."""


@dataclass(frozen=True)
class Stage:
    """The table of a film, in pixels from above: with all pieces, and with none."""

    scale: float
    """Pixels of a millimetre."""
    whole: Pixels
    empty: Pixels
    places: Mapping[Cell, NDArray[np.float64]]
    """The outline of each piece, in pixels."""

    def with_pieces(self, cells: Iterable[Cell]) -> Pixels:
        """With these pieces only."""
        shown = _drawn([self.places[cell] for cell in cells], self.whole.shape)
        part = shown[..., None].astype(np.float32) / 255
        picture = np.asarray(np.rint(self.whole * part + self.empty * (1 - part)), np.uint8)
        everything = (0, 0, picture.shape[1], picture.shape[0])
        for marker, (x, y) in MAT.middles.items():
            left, top = (x + BEYOND_MM) * self.scale, (y + BEYOND_MM) * self.scale
            card = stamp_face(marker_card(MAT, marker), left, top, 0, self.scale, PAPER)
            card.cast(picture, everything)
            card.lay(picture, everything)
        return picture


def _drawn(places: Iterable[NDArray[np.float64]], shape: tuple[int, ...]) -> Pixels:
    """255 inside these outlines."""
    drawn = np.zeros(shape[:2], np.uint8)
    for corners in places:
        cv2.fillConvexPoly(drawn, np.rint(corners * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return drawn


def stage(photo: TablePhoto, scale: float, real: Print | None, seed: int) -> Stage:
    """The photo from above in the middle of a table with markers."""
    whole = np.array((MAT.width, MAT.height)) + 2 * BEYOND_MM
    left_top = (whole - np.array((photo.columns, photo.rows)) * photo.side) / 2
    width, height = np.rint(whole * scale).astype(int).tolist()

    def pixels(points: Points) -> NDArray[np.float64]:
        return np.asarray((np.array(points) * photo.side + left_top) * scale - 0.5, np.float64)

    seen, there = _from_above(photo, pixels(corners_of(0, 0, photo.columns, photo.rows)), (width, height))
    places = {cell: pixels(outline) for cell, outline in photo.outlines.items()}
    if photo.corners:
        lying = _drawn(places.values(), seen.shape)
        away = cv2.distanceTransform(255 - lying, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) / scale
        known = (there > 250) & (away > photo.bare_mm[0]) & (away < photo.bare_mm[1])
        empty = own_table(seen, known, scale, seed)
    else:
        empty = _other_table(scale, (width, height), real, seed)
    return Stage(scale, seen, empty, places)


def _from_above(
    photo: TablePhoto, places: NDArray[np.float64], size: tuple[int, int]
) -> tuple[Pixels, Pixels]:
    """The photo with the corners of its grid in these places; and 255 where it shows anything."""
    read = cv2.imread(str(photo.file), cv2.IMREAD_COLOR)
    assert read is not None, f"{photo.file} is no picture"
    right, bottom = read.shape[1] - 0.5, read.shape[0] - 0.5
    edges = (-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)
    pixels: Any = read
    corners: NDArray[Any] = np.array(photo.corners or edges, np.float32)
    # No finer than it is shown: pixels that are skipped would leave their noise.
    while cv2.contourArea(corners) > 4 * cv2.contourArea(places.astype(np.float32)):
        pixels, corners = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), corners / 2
    matrix = cv2.getPerspectiveTransform(corners, places.astype(np.float32))
    shown = np.full(pixels.shape[:2], 255, np.uint8)
    seen, there = (cv2.warpPerspective(one, matrix, size, flags=cv2.INTER_LINEAR) for one in (pixels, shown))
    return np.asarray(seen, np.uint8), np.asarray(there, np.uint8)


def _other_table(scale: float, size: tuple[int, int], real: Print | None, seed: int) -> Pixels:
    """As much of another table as fits, at its own size."""
    whole = ground(MAT, scale, MARGIN, seed, real)
    left, top = (whole.shape[1] - size[0]) // 2, (whole.shape[0] - size[1]) // 2
    return np.ascontiguousarray(whole[top : top + size[1], left : left + size[0]])


def own_table(seen: Pixels, known: NDArray[np.bool_], scale: float, seed: int) -> Pixels:
    """The table all over: where it is not seen its light goes on smoothly, with its grain from elsewhere."""
    random = np.random.default_rng(seed)
    levels = seen.astype(np.float32)
    light = _light(levels, known, scale)
    grain = np.where(known[..., None], levels - light, 0)
    side = max(4, round(PATCH_MM * scale))
    whole = cv2.erode(known.astype(np.uint8), np.ones((side, side), np.uint8), anchor=(0, 0))
    rows, columns = _calm(whole[: -side + 1, : -side + 1] > 0, grain, side)
    filled = levels.copy()
    for top in range(0, seen.shape[0], side):
        for left in range(0, seen.shape[1], side):
            part = np.s_[top : top + side, left : left + side]
            if known[part].all() or not len(rows):
                continue
            pick = int(random.integers(len(rows)))
            patch = grain[rows[pick] : rows[pick] + side, columns[pick] : columns[pick] + side]
            height, width = filled[part].shape[:2]
            fresh = light[part] + patch[:height, :width]
            filled[part] = np.where(known[part][..., None], levels[part], fresh)
    return np.asarray(np.clip(np.rint(filled), 0, 255), np.uint8)


def _calm(
    places: NDArray[np.bool_], grain: NDArray[np.float32], side: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The calmer half of the places from which so much grain may be taken: elsewhere there lies something."""
    grey = np.asarray(grain.mean(axis=2), np.float32)
    mean, square = (cv2.blur(one, (side, side), anchor=(0, 0)) for one in (grey, grey * grey))
    spread = (square - mean * mean)[: places.shape[0], : places.shape[1]]
    rows, columns = np.nonzero(places & (spread <= (np.median(spread[places]) if places.any() else 0)))
    return rows, columns


def _light(levels: NDArray[np.float32], known: NDArray[np.bool_], scale: float) -> NDArray[np.float32]:
    """What is known, smoothed and carried on to where nothing is known."""
    size = tuple(max(8, round(side / scale / COARSE_MM)) for side in levels.shape[1::-1])
    weight = np.asarray(cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
    small = cv2.resize(levels * known[..., None], size, interpolation=cv2.INTER_AREA)
    small = small / np.maximum(weight, 1e-6)[..., None]
    smooth = _spread(np.asarray(small, np.float32), weight, SMOOTH_MM / COARSE_MM)
    return np.asarray(cv2.resize(smooth, levels.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _spread(levels: NDArray[np.float32], weight: NDArray[np.float32], px: float) -> NDArray[np.float32]:
    total, share = np.zeros_like(levels), np.zeros_like(weight)
    for wider in (8.0, 2.0, 1.0):  # what is near counts for more, where there is any
        near = cv2.GaussianBlur(weight, (0, 0), px * wider)
        part = np.clip(near * 4, 0, 1)
        mean = (
            cv2.GaussianBlur(levels * weight[..., None], (0, 0), px * wider)
            / np.maximum(near, 1e-6)[..., None]
        )
        total = np.asarray(total * (1 - part[..., None]) + mean * part[..., None], np.float32)
        share = np.asarray(share * (1 - part) + part, np.float32)
    mean_level = (levels * weight[..., None]).sum((0, 1)) / max(float(weight.sum()), 1.0)
    return np.asarray(total + (1 - share[..., None]) * mean_level, np.float32)
