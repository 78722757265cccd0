"""Whether a picture ends where the pieces may go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from calibration.plane import Pixels
from companion.vision.photo.grid import Grid
from companion.vision.photo.seeds import Floats

SHOWN = 0.5
"""Squares beyond the outer ones of which the picture shows the place: who looks for pieces has looked there."""
EDGE_STEPS = np.arange(0.04, SHOWN, 0.04)
"""Squares beyond an outer one where its table, or its neighbour, is looked at."""
ALONG = np.linspace(-0.35, 0.35, 8)
ONE_COLOUR = 22.0
"""Levels by which most of a table differs from one square to the next; terrains differ by more."""
ALIKE_PART = 0.7
"""Part of what is seen beside each other that has to differ by no more."""
CLEARLY = 4
"""Of these steps, so many show a table or a neighbour, and not the edge of what lies before it."""
CUT = 0.15
"""Squares by which a cropped picture may be too small: whoever crops cuts a little."""
FEW = 2
"""Squares that the picture's edge may touch."""


def may_go_on(picture: Pixels, grid: Grid, columns: int, rows: int, cropped: bool) -> bool:
    """Whether more pieces may lie beyond the picture's edges.

    A cropped picture shows nothing but the pieces: only what it does show beside them speaks against that.
    """
    sides = [[_colours_beyond(picture, grid, *edge) for edge in side] for side in _sides(columns, rows)]
    near = [[seen for seen in side if len(seen) < len(EDGE_STEPS)] for side in sides]
    beside, clearly = _colours(near, 1), _colours(near, CLEARLY)
    seen, unseen = sum(map(len, beside)), sum(len(seen) == 0 for side in near for seen in side)
    # A table at three sides says nothing of the fourth; of less than is clear, all sides together have to speak.
    if any(_differing([side]) for side in clearly):
        return True
    if cropped:
        half = seen >= columns + rows
        return (half and _differing(beside)) or _cut(picture, grid, columns, rows)
    return _differing(beside) or unseen > FEW


def _colours(sides: Iterable[Iterable[Floats]], least: int) -> list[Floats]:
    """Side by side, the colour beyond each outer place of which as much is seen at least."""
    return [np.array([seen.mean(axis=0) for seen in side if len(seen) >= least]) for side in sides]


def _cut(picture: Pixels, grid: Grid, columns: int, rows: int) -> bool:
    """Whether the picture ends within the outer squares of a side."""
    height, width = picture.shape[:2]
    corners = grid.places(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))
    (left, top), (right, bottom) = np.sort(corners, axis=0).reshape(2, 2, 2).mean(axis=1)
    inner = (left + 0.5, top + 0.5, columns - 0.5 - right, rows - 0.5 - bottom)
    return bool(max(inner) > CUT)


def _sides(columns: int, rows: int) -> Iterator[list[tuple[tuple[float, float], tuple[int, int]]]]:
    """By side, the middle of every outer edge, and which way leads away from the pieces."""
    for y, away in ((-0.5, (0, -1)), (rows - 0.5, (0, 1))):
        yield [((x, y), away) for x in range(columns)]
    for x, away in ((-0.5, (-1, 0)), (columns - 0.5, (1, 0))):
        yield [((x, y), away) for y in range(rows)]


def _colours_beyond(picture: Pixels, grid: Grid, edge: tuple[float, float], away: tuple[int, int]) -> Floats:
    """The colours beyond an outer edge, as far as the picture goes."""
    height, width = picture.shape[:2]
    across = np.array(away[::-1])
    places = np.array(edge) + EDGE_STEPS[:, None, None] * np.array(away) + ALONG[None, :, None] * across
    pixels = np.rint(grid.pixels(places.reshape(-1, 2)) - 0.5).astype(int).reshape(*places.shape)
    inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=(1, 2))
    far = len(EDGE_STEPS) if inside.all() else int(inside.argmin())
    x, y = pixels[:far].reshape(-1, 2).T
    return np.asarray(picture[y, x].reshape(far, len(ALONG), 3).mean(axis=1), np.float64)


def _differing(sides: Iterable[Floats]) -> bool:
    """Whether what lies beside the pieces is of many colours: more pieces, not a table."""
    steps = [np.abs(np.diff(side, axis=0)).max(axis=1) for side in sides if len(side) > FEW]
    return bool(steps and np.quantile(np.concatenate(steps), ALIKE_PART) > ONE_COLOUR)
