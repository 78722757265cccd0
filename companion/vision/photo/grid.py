"""Squares laid side by side in a photo.

Rows and columns as a homography, found from keypoints, refined by likeness, read square by square.

Cells count columns and rows; the middle of the first square is 0, 0. `score_cells` compares every cell with
a gallery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import (
    CELL,
    CLOSER,
    INNER_SIDE,
    TRIM,
    SquareGallery,
    Vectors,
    colour_features,
)
from companion.vision.photo.keypoints import Floats, SquareCandidate

Masks = NDArray[np.bool_]

Cell = tuple[int, int]
"""Column and row."""

BESIDE = 2
"""Pixels of a described square by which it is looked at beside its place as well, to four sides: people lay by hand."""
DISC, CORNER = 0.33, 0.35
"""What is the middle of a square, and from where on its corners are, in parts of its side from its middle."""
EVEN, OTHERWISE, DARK = 0.1, 0.3, 20.0
"""Levels of one colour differ by less than this part of what they are, those of another one by more than that part; in
the dark of this many."""
FINE = 3
"""How many times finer the picture is before it is made as small as squares are described."""


CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
"""Of a square, from its middle, clockwise from the upper left."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows and columns of squares as a picture shows them."""

    matrix: Floats
    """From columns and rows (the middle of the first square is 0, 0) to pixels."""

    def pixels(self, places: Floats) -> Floats:
        """Where columns and rows are in the picture."""
        return _mapped(self.matrix, places)

    def places(self, pixels: Floats) -> Floats:
        """Which columns and rows pixels of the picture show."""
        return _mapped(np.asarray(np.linalg.inv(self.matrix), np.float64), pixels)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Which column and row a pixel shows."""
        column, row = self.places(np.array([(x, y)]))[0].tolist()
        return column, row

    def corners(self, cell: Cell) -> Floats:
        """Clockwise from the upper left of the square."""
        x, y = cell
        return self.pixels(np.array([(x + dx, y + dy) for dx, dy in CORNERS]))

    def outline(self, places: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """Where places are in the picture, as plain numbers."""
        return tuple((float(x), float(y)) for x, y in self.pixels(np.array(places)))

    def side(self, cell: Cell) -> float:
        """Pixels of the square's side."""
        return float(np.sqrt(max(cv2.contourArea(self.corners(cell).astype(np.float32)), 1e-6)))

    def angle(self, cell: Cell) -> float:
        """Degrees clockwise by which the square's row is turned in the picture."""
        left, right, *_ = self.corners(cell)
        return float(np.degrees(np.arctan2(right[1] - left[1], right[0] - left[0])))

    def moved(self, columns: int, rows: int) -> Grid:
        """The same squares, counted from another one."""
        return Grid(self.matrix @ np.array([(1, 0, columns), (0, 1, rows), (0, 0, 1.0)]))


def _mapped(matrix: Floats, points: Floats) -> Floats:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(-1, 2), np.float64)


@dataclass(frozen=True, eq=False)
class GridView:
    """The squares of a grid, straightened, with a little of the picture around them."""

    picture: Vectors
    closer: Pixels
    """The same, finer."""
    left: int
    top: int
    columns: int
    rows: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        rows, columns = range(self.top, self.top + self.rows), range(self.left, self.left + self.columns)
        return tuple((x, y) for y in rows for x in columns)

    def crops(self, cells: Sequence[Cell]) -> Vectors:
        """The inside of each cell."""
        return self._cut(self.picture, cells, 1)

    def closer_crops(self, cells: Sequence[Cell], right: int, down: int) -> Vectors:
        """The same, finer, beside its place."""
        return self._cut(self.closer, cells, CLOSER, right, down)

    def _cut(self, picture: Any, cells: Sequence[Cell], finer: int, right: int = 0, down: int = 0) -> Vectors:
        places = np.array([(x - self.left, y - self.top) for x, y in cells]).reshape(-1, 2)
        x, y = (places * CELL + BESIDE + TRIM + (right, down)).T * finer
        inside = np.arange(INNER_SIDE * finer)
        rows, columns = y[:, None, None] + inside[:, None], x[:, None, None] + inside
        return np.ascontiguousarray(picture[rows, columns], np.float32)


def coarser(grid: Grid, cell: Cell) -> float:
    """How much smaller a picture is made before a square is looked at, else many of its pixels would be skipped and
    their noise kept; 1 where it is not much too large."""
    by = 1.3 * CELL * FINE / grid.side(cell)
    return by if by < COARSER else 1.0


COARSER = 0.8
"""Less than that is worth making a picture smaller."""


def view_grid(picture: Pixels, grid: Grid, left: int, top: int, columns: int, rows: int) -> GridView:
    """Straighten a part of the grid; what lies outside the picture repeats its edge."""
    px = CELL * FINE
    start = grid.matrix @ np.array([(1 / px, 0, left - 0.5), (0, 1 / px, top - 0.5), (0, 0, 1)])
    step = np.array([(1, 0, 0.5 - BESIDE * FINE), (0, 1, 0.5 - BESIDE * FINE), (0, 0, 1)])
    size = columns * px + 2 * BESIDE * FINE, rows * px + 2 * BESIDE * FINE
    middle = (left + columns // 2, top + rows // 2)
    by = coarser(grid, middle)
    if by < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)
        start = np.diag([by, by, 1]) @ start
    half = np.array([(1, 0, -0.5), (0, 1, -0.5), (0, 0, 1.0)])
    straight: Any = cv2.warpPerspective(
        picture,
        half @ start @ step,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    small, closer = (
        cv2.resize(straight, (by * size[0] // FINE, by * size[1] // FINE), interpolation=cv2.INTER_AREA)
        for by in (1, CLOSER)
    )
    return GridView(np.asarray(small, np.float32), np.asarray(closer, np.uint8), left, top, columns, rows)


def connected(start: Iterable[Cell], near: Callable[[Cell], Iterable[Cell]]) -> set[Cell]:
    """Every place that is reached from these, from each to what is near it."""
    reached = set(start)
    frontier = list(reached)
    while frontier:
        new = set(near(frontier.pop())) - reached
        reached |= new
        frontier += new
    return reached


def connected_parts(cells: Set[Cell], near: Callable[[Cell], Set[Cell]]) -> list[frozenset[Cell]]:
    """Places in parts, each connected by what is near; what it goes over beside them is none of it."""
    parts, left = [], set(cells)
    while left:
        parts.append(frozenset(connected([left.pop()], near) & cells))
        left -= parts[-1]
    return parts


def beside(cell: Cell) -> set[Cell]:
    """The four places that share an edge with this one."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


@dataclass(frozen=True, eq=False)
class GridScores:
    """How much each square of a view looks like each row of the gallery."""

    cells: tuple[Cell, ...]
    scores: Vectors
    colours: Vectors
    """The mean blue, green and red of each square."""
    contrast: Vectors
    """How much the levels within each square differ."""
    strength: Vectors
    """How much each has of colour and drawing, whatever it is."""
    bare: Vectors
    """From 0 to 1, how much each is plain and of another colour than those it is taken for: a table, a mat."""
    covered: Masks
    """Whether something round and of one colour seems to lie on each."""
    nearby: Vectors
    """How much each looks like a piece at each of `nearby_places`."""

    def of(self, chosen: Sequence[int]) -> GridScores:
        """Some of these."""
        here = list(chosen)
        cells, *numbers = (getattr(self, each.name) for each in fields(self))
        return GridScores(tuple(cells[index] for index in here), *(each[here] for each in numbers))

    def moved(self, columns: int, rows: int) -> GridScores:
        """The same squares, counted from another one."""
        return replace(self, cells=tuple((x + columns, y + rows) for x, y in self.cells))

    def turned(self, quarters: int, cells: tuple[Cell, ...]) -> GridScores:
        """The same squares as they look in a picture turned clockwise, where they are counted otherwise."""
        # A drawing has a row for each of its quarter turns, one after the other.
        scores = np.roll(self.scores.reshape(len(self.cells), -1, 4), quarters, axis=2)
        return replace(self, cells=cells, scores=scores.reshape(self.scores.shape))

    @property
    def best(self) -> Vectors:
        return np.asarray(self.scores.max(axis=1), np.float32)


def nearby_places(step: int) -> tuple[tuple[int, int], ...]:
    """Where a square is, and so many twenty-fourths of its side beside that, to four sides."""
    return (0, 0), (-step, 0), (step, 0), (0, -step), (0, step)


WORTH = 0.4
"""What looks less than that like anything where it is, is not looked at beside that: no square of the box does."""


def score_in_place(seen: GridView, gallery: SquareGallery, cells: Iterable[Cell]) -> GridScores:
    """Compare squares with the gallery where they are."""
    return score_cells(seen, gallery, cells, 0)


def score_cells(
    seen: GridView, gallery: SquareGallery, cells: Iterable[Cell] | None = None, step: int = BESIDE
) -> GridScores:
    """Compare squares with the gallery, each drawing where it looks most like the picture."""
    cells = tuple(seen.cells if cells is None else cells)
    there, closer, places = seen.crops(cells), seen.closer_crops(cells, 0, 0), nearby_places(step)
    scores = gallery.scores(closer)
    nearby = np.repeat(scores.max(axis=1)[:, None], len(places), axis=1)
    worth = np.flatnonzero(nearby[:, 0] > WORTH)
    if step and len(worth):
        chosen = [cells[index] for index in worth]
        beside = gallery.scores(np.concatenate([seen.closer_crops(chosen, *place) for place in places[1:]]))
        beside = beside.reshape(len(places) - 1, len(worth), -1)
        scores[worth] = np.maximum(scores[worth], beside.max(axis=0))
        nearby[worth, 1:] = beside.max(axis=2).T
    return GridScores(
        cells,
        scores,
        np.asarray(there.mean(axis=(1, 2)), np.float32),
        np.asarray(there.std(axis=(1, 2)).mean(axis=1), np.float32),
        np.linalg.norm(colour_features(there), axis=1),
        np.zeros(len(cells), np.float32),
        _covered(closer),
        np.asarray(nearby, np.float32),
    )


def _covered(crops: Vectors) -> Masks:
    """Whether the middle of each is of one colour and at least three of its corners are of others."""
    disc, corners = _middle_and_corners()
    middles = crops[:, disc]
    colours = middles.mean(axis=1)
    level = np.maximum(np.sqrt((colours**2).mean(axis=1)), DARK)
    apart = np.array([np.abs(crops[:, corner].mean(axis=1) - colours).max(axis=1) for corner in corners])
    third = np.sort(apart, axis=0)[1]
    return np.asarray((middles.std(axis=1).mean(axis=1) < EVEN * level) & (third > OTHERWISE * level))


@cache
def _middle_and_corners() -> tuple[Masks, tuple[Masks, ...]]:
    """Which pixels of a crop are within a round thing, and which in each of the corners beside it."""
    side = (np.arange(INNER_SIDE * CLOSER) + 0.5 + TRIM * CLOSER) / (CELL * CLOSER) - 0.5
    x, y = np.meshgrid(side, side)
    beside = (np.abs(x) > CORNER) & (np.abs(y) > CORNER)
    corners = tuple(beside & (right == (x > 0)) & (low == (y > 0)) for right in (0, 1) for low in (0, 1))
    return np.hypot(x, y) < DISC, corners


def grid_of_picture(picture: Pixels, columns: int, rows: int) -> Grid:
    """The grid of a picture that shows nothing but so many columns and rows."""
    height, width = picture.shape[:2]
    x, y = width / columns, height / rows
    return Grid(np.array([(x, 0, x / 2), (0, y, y / 2), (0, 0, 1.0)]))


def grid_between(corners: Floats, columns: int, rows: int) -> Grid:
    """The grid between four corners, clockwise from the upper left."""
    x, y = columns - 0.5, rows - 0.5
    known = np.array([(-0.5, -0.5), (x, -0.5), (x, y), (-0.5, y)], np.float32)
    return Grid(np.asarray(cv2.getPerspectiveTransform(known, np.asarray(corners, np.float32)), np.float64))


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


def grid_along(seed: SquareCandidate) -> Grid:
    """Rows and columns that begin with a square and go on as it lies."""
    c, s = np.cos(np.radians(seed.angle)) * seed.side, np.sin(np.radians(seed.angle)) * seed.side
    return Grid(np.array([(c, -s, seed.x), (s, c, seed.y), (0, 0, 1)]))


def likeness_of(picture: Pixels, gallery: SquareGallery, seed: SquareCandidate) -> float:
    """How much what is there looks like a piece, looked at as squares of a grid are."""
    reach = round(1.5 * seed.side)
    left, top = max(round(seed.x) - reach, 0), max(round(seed.y) - reach, 0)
    part = picture[top : top + 2 * reach, left : left + 2 * reach]
    if not part.size:
        return 0.0
    seen = view_grid(part, grid_along(replace(seed, x=seed.x - left, y=seed.y - top)), 0, 0, 1, 1)
    return float(score_cells(seen, gallery).nearby.max())


def _grown(start: SquareCandidate, seeds: Sequence[SquareCandidate]) -> tuple[Grid, frozenset[Cell]] | None:
    grid = grid_along(start)
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
    """The rows and columns through the places where known squares, and those beside them, look most like pieces."""
    near = frozenset(known)
    reach = range(-AROUND_KNOWN, AROUND_KNOWN + 1)
    cells = sorted({(x + right, y + down) for x, y in near for right in reach for down in reach})
    xs, ys = zip(*cells, strict=True)
    left, top = min(xs) - 1, min(ys) - 1
    for step in STEPS:
        seen = view_grid(picture, grid, left, top, max(xs) - left + 2, max(ys) - top + 2)
        grid = refined_grid(grid, score_cells(seen, gallery, cells, step), step)
    return grid


def refined_grid(grid: Grid, looks: GridScores, step: int = BESIDE) -> Grid:
    """The rows and columns through the places where squares look most like pieces, by what they look like nearby."""
    here, left_of, right_of, above, below = looks.nearby.T
    clear = np.flatnonzero(looks.nearby.max(axis=1) > BELIEVED)
    if len(clear) < FEWEST_SEEN:
        return grid
    off = np.stack([_peak(left_of, here, right_of), _peak(above, here, below)], -1) * step / CELL
    places = np.array(looks.cells, np.float64)[clear]
    return _refitted(grid, places, places + off[clear]) or grid


def _peak(before: Vectors, here: Vectors, after: Vectors) -> Vectors:
    """Where between -1 and 1 a parabola through three likenesses, one step apart, is highest."""
    bent = before + after - 2 * here
    top = (before - after) / np.minimum(2 * bent, -1e-6)
    return np.asarray(np.where(bent < 0, np.clip(top, -1, 1), np.sign(after - before)), np.float32)


def _refitted(grid: Grid, places: Any, lies: Any) -> Grid | None:
    """The rows and columns that put places where they lie."""
    if np.ptp(places, axis=0).min() < 2:
        moved: Any = cv2.estimateAffine2D(places, lies, ransacReprojThreshold=STRAY)[0]
        moved = None if moved is None else np.vstack([moved, (0, 0, 1.0)])
    else:
        moved = cv2.findHomography(places, lies, cv2.RANSAC, STRAY)[0]
    return None if moved is None else Grid(np.asarray(grid.matrix @ moved, np.float64))
