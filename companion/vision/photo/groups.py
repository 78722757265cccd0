"""Squares that lie side by side: which of those that gave themselves away make up rows and columns together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import SquareGallery
from companion.vision.photo.grid import Cell, Grid, score_in_place, view_grid
from companion.vision.photo.seeds import SquareCandidate

OFF = 0.28
"""Parts of a square by which one may lie beside its row and column."""
ASKEW = 16.0
"""Degrees by which one may be turned against them."""
REACH = 3.2
"""Squares from those that are known within which another one is placed next to them."""
SIZES = 0.35
"""How much the sides of squares in one picture may differ from what the rows and columns say, as a logarithm."""
ROUNDS = 12
"""How often more squares are looked for beside those that are known."""
STARTS = 4
"""Squares from which rows and columns are tried, unless an earlier one explains them."""
CONVINCING = 0.7
"""Mean likeness of squares that nobody doubts."""
NOTHING_LIKENESS = 0.5
"""Likeness that anything may have."""
TILTED = 8
"""Squares it takes to know how a picture is tilted."""


@dataclass(frozen=True, eq=False)
class SquareGroup:
    """Rows and columns that squares of a picture agree on."""

    grid: Grid
    known: frozenset[Cell]
    """The squares that gave themselves away."""
    likeness: float
    """How much they look like pieces, in the mean."""

    @property
    def worth(self) -> float:
        """How much speaks for it: many squares, each where these rows and columns have it."""
        return len(self.known) * (self.likeness - NOTHING_LIKENESS)

    @property
    def convincing(self) -> bool:
        """Whether nobody doubts that these are pieces."""
        return self.likeness > CONVINCING

    def has(self, seed: SquareCandidate) -> bool:
        """Whether a square is one of these."""
        x, y = self.grid.place(seed.x, seed.y)
        return (round(x), round(y)) in self.known


def find_groups(
    picture: Pixels, gallery: SquareGallery, seeds: Sequence[SquareCandidate], starts: int = STARTS
) -> list[SquareGroup]:
    """Rows and columns that the surest squares lie in, the most convincing first."""
    found = list[SquareGroup]()
    fresh = (seed for seed in seeds if not any(one.has(seed) for one in found))
    for seed in chain(fresh, seeds):
        if len(found) == starts or any(len(one.known) > len(seeds) / 2 for one in found if one.convincing):
            break
        if any(one.has(seed) for one in found if one.convincing):
            continue
        if lying := _grown(seed, seeds):
            found.append(SquareGroup(*lying, _group_likeness(picture, gallery, *lying)))
    return sorted(found, key=lambda one: -one.worth)


def _group_likeness(picture: Pixels, gallery: SquareGallery, grid: Grid, known: frozenset[Cell]) -> float:
    xs, ys = zip(*known, strict=True)
    seen = view_grid(picture, grid, min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    return float(score_in_place(seen, gallery, sorted(known)).best.mean())


def _grown(start: SquareCandidate, seeds: Sequence[SquareCandidate]) -> tuple[Grid, frozenset[Cell]] | None:
    c, s = np.cos(np.radians(start.angle)) * start.side, np.sin(np.radians(start.angle)) * start.side
    grid = Grid(np.array([(c, -s, start.x), (s, c, start.y), (0, 0, 1)]))
    known: dict[Cell, SquareCandidate] = {(0, 0): start}
    for _again in range(ROUNDS):
        joined = dict(_joining(grid, known, seeds))
        if not joined:
            break
        known |= joined
        grid = _fitted(known) or grid
        known = {cell: seed for cell, seed in known.items() if _lies(grid, cell, seed)}
        if len(known) < 2:
            return None
    return (grid, frozenset(known)) if len(known) > 1 else None


def _joining(
    grid: Grid, known: Mapping[Cell, SquareCandidate], seeds: Sequence[SquareCandidate]
) -> Iterator[tuple[Cell, SquareCandidate]]:
    """Squares that lie where the rows and columns have a place for them, not far from those that are known."""
    used = {(seed.x, seed.y) for seed in known.values()}
    for seed in seeds:
        if (seed.x, seed.y) in used:
            continue
        x, y = grid.place(seed.x, seed.y)
        cell = round(x), round(y)
        if cell in known or min(np.hypot(cell[0] - a, cell[1] - b) for a, b in known) > REACH:
            continue
        if _lies(grid, cell, along := seed.along(grid.angle(cell))):
            yield cell, along


def _lies(grid: Grid, cell: Cell, seed: SquareCandidate) -> bool:
    """Whether a square is where a place is, as large and turned like it."""
    x, y = grid.place(seed.x, seed.y)
    near = np.hypot(x - cell[0], y - cell[1]) <= OFF
    even = abs((seed.angle - grid.angle(cell) + 45) % 90 - 45) <= ASKEW
    return bool(near and even and abs(np.log(grid.side(cell) / seed.side)) < SIZES)


def _fitted(known: Mapping[Cell, SquareCandidate]) -> Grid | None:
    """The rows and columns by all points of the known squares."""
    places = np.vstack([seed.within + cell for cell, seed in known.items()])
    pixels = np.vstack([seed.pixels for seed in known.values()])
    xs, ys = zip(*known, strict=True)
    spread = min(max(xs) - min(xs), max(ys) - min(ys))
    reach = 0.08 * float(np.median([seed.side for seed in known.values()]))
    if spread >= 2 and len(known) >= TILTED:
        found: Any = cv2.findHomography(places, pixels, cv2.RANSAC, reach)[0]
        return None if found is None else Grid(np.asarray(found, np.float64))
    fit = cv2.estimateAffine2D if spread >= 1 and len(known) >= 4 else cv2.estimateAffinePartial2D
    flat: Any = fit(places, pixels, ransacReprojThreshold=reach)[0]
    return None if flat is None else Grid(np.vstack([flat, (0, 0, 1.0)]))
