"""Square pieces laid side by side, found in a picture that may come from anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.message import message as _
from companion.vision.beyond import MOST, leave_outside, others, reach, sound, table_of
from companion.vision.classify import ramp
from companion.vision.grid import Cell, Grid, Looks, grown, look, through, view, whole
from companion.vision.likeness import SquareGallery, Vectors
from companion.vision.picture_file import PictureError, size_of
from companion.vision.seeds import Floats, seeds

LARGEST_FILE = 60_000_000
"""Bytes of a picture we read."""
UNPACKED = 25_000_000
"""Pixels of a picture when it is unpacked: OpenCV takes six bytes for each."""
SMALLEST = 60
"""Pixels of a picture's shorter side that still may show something."""
WORKED_ON = 2000
"""Pixels of the longer side of what is worked on: seven squares of 70 pixels fit into a third of it."""
WHOLE = (5, MOST)
"""Sides of most kingdoms."""
DOMINO = 2
"""So many squares beyond the longest row are somebody's piece; one may be something in the table."""
SHAPES = tuple((x, y) for x in range(3, MOST + 1) for y in range(3, MOST + 1))
"""Columns and rows there may be between corners that somebody showed."""
WHOLE_FIRST = 0.04
"""By how much more squares have to look like pieces when there are another number of them."""
ODD = 1.3
"""The longer side of a picture that shows nothing but the pieces, in parts of the shorter one."""
FILLED = 0.6
"""The median likeness of squares that shows that a picture is nothing but rows and columns of them."""
BEYOND = (3, 2, 1)
"""Places looked at beyond those whose pieces gave themselves away; fewer where the picture ends at the horizon."""
PRESENT = 0.6
"""Squares that look less like anything are only pieces if something around them says so."""
PLAIN, OTHER, NEXT = 12.0, (20.0, 30.0), (11.0, 17.0)
"""Levels within a square that has no drawing; by which its colour may differ from the others that look the same; and
from the three of them that are nearest."""
DULL = 0.8
"""Bare table has less colour than this part of the pieces it looks like."""
SAME = 8.0
"""Levels by which bare table differs from itself."""
KIND = 60.0
"""Levels by which drawings of the same kind differ."""
FAINT = 0.42
"""What has less colour and drawing than this part of the pieces that are known is not one of them."""
BARE = 0.5
"""What is taken from the likeness of a plain square of another colour: a table, a mat."""


@dataclass(frozen=True, eq=False)
class Found:
    """Squares in a picture: a rectangle of places, some of which may have no piece."""

    grid: Grid
    """Its first place, 0, 0, is the upper left one."""
    columns: int
    rows: int
    looks: Looks
    beside: bool = False
    """Whether more pieces lie beside it, or in its rows further away."""
    times: tuple[tuple[str, float], ...] = ()
    """What was done, and how many seconds it took."""


def decode(data: bytes, worked: int = WORKED_ON) -> Pixels:
    """A picture from a file, at most twice as large as it is worked on, and never larger than memory has room for."""
    if len(data) > LARGEST_FILE:
        raise PictureError(_("The picture's file is larger than %(limit)d MB.", limit=LARGEST_FILE // 10**6))
    width, height = size_of(data)
    reduced = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
    fine = (f for f in reduced if max(width, height) / f >= 0.8 * worked)
    light = (f for f in (1, *reduced) if width * height / f**2 <= UNPACKED)
    factor = max(max(fine, default=1), min(light))
    flag = reduced.get(factor, cv2.IMREAD_COLOR)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag) if data else None
    if picture is None:
        raise PictureError(_("This file is not a picture, or it is damaged."))
    if min(picture.shape[:2]) < SMALLEST:
        raise PictureError(_("The picture is too small: at least %(least)d pixels a side.", least=SMALLEST))
    return np.asarray(picture, np.uint8)


def worked_on(picture: Pixels) -> Pixels:
    """The picture as large as it is worked on."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def find(picture: Pixels, gallery: SquareGallery, corners: Floats | None = None) -> Found | None:
    """The squares in a picture: all of it, between corners somebody showed, or wherever they lie in it."""
    clock = _Clock()
    if corners is not None:
        tried = [_placed(picture, gallery, through(corners, x, y), x, y) for x, y in SHAPES]
        return replace(max(tried, key=_whole_first), times=clock.lap("squares"))
    cropped = _cropped(picture, gallery)
    clock.lap("cropped")
    if cropped is not None:
        return replace(cropped, times=clock.laps)
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    small = worked_on(picture)
    points = seeds(small, gallery)
    lying = grown(points)
    clock.lap("seeds")
    found = None if lying is None else around(small, gallery, *lying)
    if found is None:
        return None
    beside = found.beside or bool(others(found.grid, found.columns, found.rows, points))
    back = Grid(np.diag([1 / scale, 1 / scale, 1]) @ found.grid.matrix)
    return replace(found, grid=back, beside=beside, times=clock.lap("squares"))


class _Clock:
    def __init__(self) -> None:
        self.laps: tuple[tuple[str, float], ...] = ()
        self._began = perf_counter()

    def lap(self, name: str) -> tuple[tuple[str, float], ...]:
        now = perf_counter()
        self.laps, self._began = (*self.laps, (name, now - self._began)), now
        return self.laps


def _placed(picture: Pixels, gallery: SquareGallery, grid: Grid, columns: int, rows: int) -> Found:
    return Found(grid, columns, rows, bared(look(view(picture, grid, 0, 0, columns, rows), gallery), gallery))


def _whole_first(found: Found) -> float:
    return _filled(found) + (WHOLE_FIRST if found.columns == found.rows and found.columns in WHOLE else 0)


def _filled(found: Found) -> float:
    return float(np.median(found.looks.best))


def _cropped(picture: Pixels, gallery: SquareGallery) -> Found | None:
    """The picture as nothing but rows and columns of squares, if it is that."""
    for columns, rows in _shapes(picture.shape[1] / picture.shape[0]):
        found = _placed(picture, gallery, whole(picture, columns, rows), columns, rows)
        if _filled(found) > FILLED:
            return found
    return None


def _shapes(aspect: float) -> Iterator[tuple[int, int]]:
    """Columns and rows that such a picture may have; whole kingdoms first."""
    sizes = (5, MOST, 6, 4, 3)
    shapes = [(a, b) for a in sizes for b in sizes if abs(np.log(a / b / aspect)) < 0.06]
    if 1 / ODD < aspect < ODD:
        yield from sorted(shapes, key=lambda shape: shape[0] != shape[1])


def bared(looks: Looks, gallery: SquareGallery) -> Looks:
    """Less likeness for plain squares whose colour is not that of the others they are taken for: bare table."""
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
    return replace(looks, scores=np.asarray(looks.scores - BARE * bare[:, None], np.float32), bare=bare)


def around(
    picture: Pixels,
    gallery: SquareGallery,
    grid: Grid,
    known: frozenset[Cell],
    kept: Callable[[set[Cell], Mapping[Cell, float]], set[Cell]] | None = None,
) -> Found | None:
    """Every piece that lies with those that are known, in a rectangle of their places; or what is kept of them."""
    xs, ys = zip(*known, strict=True)
    areas = [(*reach(min(xs), max(xs), far), *reach(min(ys), max(ys), far)) for far in BEYOND]
    area = next((area for area in areas if sound(grid, *area)), None)
    if area is None:
        return None
    left, columns, top, rows = area
    looks = look(view(picture, grid, left, top, columns, rows), gallery)
    likeness = _pieces(looks, known)
    leave_outside(likeness, picture, grid)
    _leave_table(likeness, looks, table_of(picture, grid, known))
    reached = _reached(likeness, known)
    if kept:
        reached = kept(reached, likeness)
    if len(reached) < 3:
        return None
    left, top, right, bottom = _window(likeness, reached)
    inside = [i for i, (x, y) in enumerate(looks.cells) if left <= x <= right and top <= y <= bottom]
    cells = tuple((looks.cells[i][0] - left, looks.cells[i][1] - top) for i in inside)
    part = bared(looks.of(inside, cells), gallery)
    if kept:  # of a whole table so much is seen that its colour is known
        table = np.array([likeness[looks.cells[i]] == 0 for i in inside], np.float32)
        scores = part.scores - BARE * np.maximum(table - part.bare, 0)[:, None]
        part = replace(part, scores=np.asarray(scores, np.float32), bare=np.maximum(part.bare, table))
    cut = sum(not (left <= x <= right and top <= y <= bottom) for x, y in reached)
    return Found(grid.moved(left, top), right - left + 1, bottom - top + 1, part, beside=cut >= DOMINO)


def _pieces(looks: Looks, known: frozenset[Cell]) -> dict[Cell, float]:
    """How much each place looks like a piece as bright and colourful as those that are known."""
    usual = np.median([s for cell, s in zip(looks.cells, looks.strength, strict=True) if cell in known])
    likeness = looks.best * np.minimum(1, looks.strength / (FAINT * usual))
    return dict(zip(looks.cells, likeness.tolist(), strict=True))


def _leave_table(likeness: dict[Cell, float], looks: Looks, table: Vectors) -> None:
    """Take plain places of the colour of the table for what they are."""
    for cell, colour, contrast in zip(looks.cells, looks.colours, looks.contrast, strict=True):
        if contrast < PLAIN and len(table) and np.abs(table - colour).max(axis=1).min() < SAME:
            likeness[cell] = 0.0


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
        lines = [(0, left), (0, right)] if right - left >= MOST else []
        lines += [(1, top), (1, bottom)] if bottom - top >= MOST else []
        if not lines:
            return left, top, right, bottom
        worst = min(lines, key=lambda line: sum(likeness[cell] for cell in kept if cell[line[0]] == line[1]))
        kept = {cell for cell in kept if cell[worst[0]] != worst[1]}


def crop(picture: Pixels, found: Found, cell: Cell, side: int = 128, around: float = 1.2) -> Pixels:
    """One square upright, with a little around it, for somebody to look at."""
    edge = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    corners = found.grid.corners(cell)
    wide = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * around
    matrix = cv2.getPerspectiveTransform(wide.astype(np.float32), edge)
    return np.asarray(cv2.warpPerspective(picture, matrix, (side, side), flags=cv2.INTER_LINEAR), np.uint8)
