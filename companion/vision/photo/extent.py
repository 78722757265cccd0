"""How far the pieces reach that lie with those that are known: which places have one, and which are bare table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.likeness import SquareGallery, Vectors
from companion.vision.live.classify import ramp
from companion.vision.photo.beyond import LONGEST_ROW, is_sound, row_range, table_colours, zero_outside
from companion.vision.photo.grid import Cell, Grid, GridScores, score_cells, view_grid

DOMINO = 2
"""So many squares beyond the longest row are somebody's piece; one may be something in the table."""
BEYOND = (3, 2, 1)
"""Places looked at beyond those whose pieces gave themselves away; fewer where the picture ends at the horizon."""
FEWEST = 3
"""Pieces that lie side by side."""
PRESENT, PRESENT_PLAIN = 0.75, 0.85
"""How much a piece looks like one, in parts of how much those that are known do; and a piece without a drawing, for
which any table of its colour may be taken."""
NOTHING = 0.5
"""Likeness that anything may have."""
PLAIN, OTHER, NEXT = 12.0, (20.0, 30.0), (11.0, 17.0)
"""Levels within a square that has no drawing; by which its colour may differ from the others that look the same; and
from the three of them that are nearest."""
UNLIKE = (0.2, 0.3)
"""By how much less one without a drawing looks like a piece than the others do, in parts of that, when it is table."""
DULL = 0.8
"""Bare table has less colour than this part of the pieces it looks like."""
SAME = 8.0
"""Levels by which bare table differs from itself."""
KIND = 60.0
"""Levels by which drawings of the same kind differ."""
FAINT = 0.42
"""What has less colour and drawing than this part of the pieces that are known is not one of them."""
BARE = 0.5
"""What is taken from the likeness of bare table."""


@dataclass(frozen=True, eq=False)
class LocatedSquares:
    """Squares in a picture: a rectangle of places, some of which may have no piece."""

    grid: Grid
    """Its first place, 0, 0, is the upper left one."""
    columns: int
    rows: int
    looks: GridScores
    beside: bool = False
    """Whether more pieces lie beside it, or in its rows further away."""
    cropped: bool = False
    """Whether the picture shows nothing else."""
    pale: frozenset[Cell] = frozenset()
    """Plain places that look less like pieces than all others do: a drawing nobody has shown, or bare table."""
    times: tuple[tuple[str, float], ...] = ()
    """What was done, and how many seconds it took."""

    @property
    def covered(self) -> frozenset[Cell]:
        """Places on which something seems to lie."""
        return frozenset(
            cell for cell, covered in zip(self.looks.cells, self.looks.covered, strict=True) if covered
        )


def find_extent(
    picture: Pixels,
    gallery: SquareGallery,
    grid: Grid,
    known: frozenset[Cell],
    kept: Callable[[set[Cell], Mapping[Cell, float]], set[Cell]] | None = None,
) -> LocatedSquares | None:
    """Every piece that lies with those that are known, in a rectangle of their places; or what is kept of them."""
    xs, ys = zip(*known, strict=True)
    areas = [(*row_range(min(xs), max(xs), far), *row_range(min(ys), max(ys), far)) for far in BEYOND]
    area = next((area for area in areas if is_sound(grid, *area)), None)
    if area is None:
        return None
    left, columns, top, rows = area
    looks = score_cells(view_grid(picture, grid, left, top, columns, rows), gallery)
    table = _table(looks, table_colours(picture, grid, known))
    likeness = _pieces(looks, table, known)
    zero_outside(likeness, picture, grid)
    reached = _reached(likeness, known)
    if kept:
        reached = kept(reached, likeness)
    if len(reached) < FEWEST:
        return None
    left, top, right, bottom = _window(likeness, reached)
    inside = [i for i, (x, y) in enumerate(looks.cells) if left <= x <= right and top <= y <= bottom]
    part = discount_table(looks.of(inside).moved(-left, -top), gallery, table[inside])
    cut = sum(not (left <= x <= right and top <= y <= bottom) for x, y in reached)
    return LocatedSquares(
        grid.moved(left, top), right - left + 1, bottom - top + 1, part, beside=cut >= DOMINO
    )


def discount_table(looks: GridScores, gallery: SquareGallery, table: Vectors | None = None) -> GridScores:
    """Less likeness for bare table; where table is seen around, for what is plain and unlike the others as well."""
    bare = _of_other_colour(looks, gallery)
    if table is not None:
        bare = np.maximum(np.maximum(bare, table), _unlike(looks))
    scores = np.asarray(looks.scores - BARE * bare[:, None], np.float32)
    return replace(looks, scores=scores, bare=np.asarray(bare, np.float32))


def _of_other_colour(looks: GridScores, gallery: SquareGallery) -> Vectors:
    """How surely plain squares are of another colour than the others they are taken for."""
    colours = gallery.colours[looks.scores.argmax(axis=1)]
    bare = np.zeros(len(colours), np.float32)
    for index, colour in enumerate(colours):
        same = np.abs(colours - colour).max(axis=1) < KIND
        dull = looks.strength[index] < DULL * np.median(looks.strength[same])
        if same.sum() > 3 and looks.contrast[index] < PLAIN and dull:
            others = looks.colours[same]
            off = float(np.abs(looks.colours[index] - np.median(others, axis=0)).max())
            near = np.sort(np.abs(others - looks.colours[index]).max(axis=1))[1:4].mean()
            bare[index] = ramp(off, OTHER) * ramp(float(near), NEXT)
    return bare


def pale_cells(looks: GridScores) -> frozenset[Cell]:
    """Plain places that look less like pieces than the others do."""
    return frozenset(cell for cell, by in zip(looks.cells, _unlike(looks), strict=True) if by > 0.5)


def _unlike(looks: GridScores) -> Vectors:
    """How surely plain squares look less like pieces than the others do."""
    usual = float(np.median(looks.best))
    less = 1 - looks.best / max(usual, NOTHING)
    plain = looks.contrast < PLAIN
    return np.array(
        [ramp(float(by), UNLIKE) * flat for by, flat in zip(less, plain, strict=True)], np.float32
    )


def _table(looks: GridScores, table: Vectors) -> Vectors:
    """1 for plain places of the colour of the table."""
    bare = [
        contrast < PLAIN and len(table) > 0 and np.abs(table - colour).max(axis=1).min() < SAME
        for colour, contrast in zip(looks.colours, looks.contrast, strict=True)
    ]
    return np.array(bare, np.float32)


def _pieces(looks: GridScores, table: Vectors, known: frozenset[Cell]) -> dict[Cell, float]:
    """How much each place looks like a piece: 1 is as much as those that are known, and as bright and colourful."""
    here = [index for index, cell in enumerate(looks.cells) if cell in known]
    usual, strength = max(float(np.median(looks.best[here])), NOTHING), np.median(looks.strength[here])
    bright = np.minimum(1, looks.strength / (FAINT * strength))
    plain = np.where(looks.contrast < PLAIN, PRESENT / PRESENT_PLAIN, 1)
    likeness = looks.best * bright * plain / usual * (1 - table)
    return dict(zip(looks.cells, likeness.tolist(), strict=True))


def _reached(likeness: dict[Cell, float], known: frozenset[Cell]) -> set[Cell]:
    reached = {cell for cell in known if likeness.get(cell, 0) > PRESENT}
    frontier = list(reached)
    while frontier:
        x, y = frontier.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near not in reached and likeness.get(near, 0) > PRESENT:
                reached.add(near)
                frontier.append(near)
    return reached


def _window(likeness: dict[Cell, float], reached: set[Cell]) -> tuple[int, int, int, int]:
    """The rectangle around the pieces; where it is too large, the emptiest line goes."""
    kept = set(reached)
    while True:
        xs, ys = zip(*kept, strict=True)
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        lines = [(0, left), (0, right)] if right - left >= LONGEST_ROW else []
        lines += [(1, top), (1, bottom)] if bottom - top >= LONGEST_ROW else []
        if not lines:
            return left, top, right, bottom
        worst = min(lines, key=lambda line: sum(likeness[cell] for cell in kept if cell[line[0]] == line[1]))
        kept = {cell for cell in kept if cell[worst[0]] != worst[1]}
