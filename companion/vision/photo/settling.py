"""Rows and columns set right by what their squares look like, where points have them a little beside their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import CELL, SquareGallery
from companion.vision.photo.grid import Cell, Grid, view_grid

STEPS = (3, 2)
"""Twenty-fourths of a square by which squares are looked for around their places, first and then."""
BELIEVED = 0.6
"""Likeness of a square whose place is believed."""
FEWEST_SEEN = 6
"""Squares it takes to set rows and columns right."""
STRAY = 0.12
"""Squares by which one may lie beside its row and column without being left out."""
AROUND_KNOWN = 1
"""Places around the known ones in which squares are looked for, too."""


def refine_grid(picture: Pixels, gallery: SquareGallery, grid: Grid, known: Iterable[Cell]) -> Grid:
    """The rows and columns through the places where squares look most like pieces."""
    cells = frozenset(known)
    for step in STEPS:
        grid = refine_grid_once(picture, gallery, grid, cells, step, AROUND_KNOWN)
    return grid


def refine_grid_once(
    picture: Pixels,
    gallery: SquareGallery,
    grid: Grid,
    known: frozenset[Cell],
    step: int = STEPS[0],
    beyond: int = 0,
) -> Grid:
    """The same with one step to each side, of squares and of places so far around them."""
    xs, ys = zip(*known, strict=True)
    left, right, top, bottom = min(xs) - beyond, max(xs) + beyond, min(ys) - beyond, max(ys) + beyond
    cells = [
        (x, y)
        for y in range(top, bottom + 1)
        for x in range(left, right + 1)
        if any(abs(x - a) <= beyond and abs(y - b) <= beyond for a, b in known)
    ]
    seen = view_grid(picture, grid, left - 1, top - 1, right - left + 3, bottom - top + 3)
    ways = [(right, down) for right in (0, -step, step) for down in (0, -step, step)]
    scores = gallery.scores(np.concatenate([seen.closer_crops(cells, *way) for way in ways])).max(axis=1)
    best = scores.reshape(len(ways), len(cells))
    chosen = best.argmax(axis=0)
    clear = np.flatnonzero(best.max(axis=0) > BELIEVED)
    if len(clear) < FEWEST_SEEN:
        return grid
    places = np.array([cells[i] for i in clear], np.float64)
    lies = places + np.array([ways[chosen[i]] for i in clear]) / CELL
    return _refitted(grid, places, lies) or grid


def _refitted(grid: Grid, places: Any, lies: Any) -> Grid | None:
    """The rows and columns that put places where they lie."""
    if np.ptp(places, axis=0).min() < 2:
        moved: Any = cv2.estimateAffine2D(places, lies, ransacReprojThreshold=STRAY)[0]
        moved = None if moved is None else np.vstack([moved, (0, 0, 1.0)])
    else:
        moved = cv2.findHomography(places, lies, cv2.RANSAC, STRAY)[0]
    return None if moved is None else Grid(np.asarray(grid.matrix @ moved, np.float64))
