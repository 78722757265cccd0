"""How far the pieces of a photo reach.

Which places have one, which are bare table, and whether more may lie beyond the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.lattice import LatticeMove
from companion.core.photo import SeenFigure
from companion.vision.gallery.squares import SquareGallery, Vectors
from companion.vision.photo.grid import (
    CORNERS,
    DARK,
    EVEN,
    Cell,
    Grid,
    GridScores,
    beside,
    connected,
    refined_grid,
    score_cells,
    view_grid,
)
from companion.vision.photo.keypoints import Floats, SquareCandidate

LONGEST_ROW = 7
"""Squares side by side."""
OUTSIDE_BY = 0.8
"""Squares by which the middle of another piece is at least outside what is read."""
AS_LARGE = 0.45
"""How much its side may differ, as a logarithm: drawings seen in a carpet are larger or smaller than that."""


def row_range(low: int, high: int, beyond: int) -> tuple[int, int]:
    """Where a row of places begins that may lie with those from low to high, and how many they are."""
    first, last = max(low - beyond, high - LONGEST_ROW), min(high + beyond, low + LONGEST_ROW)
    return min(first, low - 1), max(last, high + 1) - min(first, low - 1) + 1


def is_sound(grid: Grid, left: int, columns: int, top: int, rows: int) -> bool:
    """Whether the rows and columns go on to their ends without turning inside out."""
    ends = (
        (left, top),
        (left + columns - 1, top),
        (left, top + rows - 1),
        (left + columns - 1, top + rows - 1),
    )
    w = [float((grid.matrix @ (x, y, 1.0))[2]) for x, y in ends]
    sides = [grid.side(cell) for cell in ends]
    if max(columns, rows) > 2 * LONGEST_ROW:
        return False
    return min(w) * max(w) > 0 and max(sides) < 5 * min(sides)


def zero_outside(likeness: dict[Cell, float], picture: Pixels, grid: Grid) -> None:
    """Take places whose middle the picture does not show for nothing."""
    for cell in likeness:
        if not _is_shown(picture, grid, cell):
            likeness[cell] = 0.0


def table_colours(picture: Pixels, grid: Grid, known: frozenset[Cell]) -> Vectors:
    """The colours of the picture where no piece that lies with the known ones can be: too far from one of them."""
    step = 2 / grid.side(next(iter(known)))
    small = cv2.resize(picture, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    rows, columns = np.mgrid[: small.shape[0], : small.shape[1]]
    places = grid.places((np.stack([columns, rows], -1).reshape(-1, 2) + 0.5) / step)
    low, high = (
        np.max(list(known), axis=0) - LONGEST_ROW + 0.2,
        np.min(list(known), axis=0) + LONGEST_ROW - 0.2,
    )
    outside = ((places < low) | (places > high)).any(axis=1)
    return np.asarray(small.reshape(-1, 3)[outside], np.float32)


def candidates_beside(
    grid: Grid, columns: int, rows: int, seeds: Iterable[SquareCandidate]
) -> Iterator[SquareCandidate]:
    """Candidates of the same size outside so many columns and rows."""
    for seed in seeds:
        x, y = grid.place(seed.x, seed.y)
        nearest = round(min(max(x, 0), columns - 1)), round(min(max(y, 0), rows - 1))
        outside = max(abs(x - nearest[0]), abs(y - nearest[1])) > OUTSIDE_BY
        if outside and abs(np.log(seed.side / grid.side(nearest))) < AS_LARGE:
            yield seed


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
AS_LIKE = (0.05, 0.2)
"""The same of one that is of another colour than those it looks like: a piece in shadow still looks like one."""
STRANGE = (0.4, 0.6)
"""By how much less what is of one colour looks like a piece than the others do, in parts of that, when it is none."""
DULL = 0.8
"""Bare table has less colour than this part of the pieces it looks like."""
ONE_CLOTH = 14.0
"""Levels by which a cloth may differ from one place to the next."""
ONE_TABLE, FEWEST_AROUND = 0.6, 8
"""Part of the places around the pieces that have to be of one cloth, and how many of these there have to be, before an
empty place is known by them."""
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
    table: frozenset[Cell] = frozenset()
    """Places that show the table, where most of what is seen of it around is of one colour."""
    mirrored: bool = False
    """Whether the picture shows them as a mirror does; places count as the pieces lie."""
    times: tuple[tuple[str, float], ...] = ()
    """What was done, and how many seconds it took."""
    lying: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)
    """The columns and rows where pieces lie that lie beside their places."""
    figures: tuple[SeenFigure, ...] = ()
    """What stands or lies on pieces of a board."""
    track: tuple[SeenFigure, ...] = ()
    """What stands or lies on the board where points are kept, on its own columns and rows."""
    beyond: frozenset[Cell] = frozenset()
    """Where more may lie beside a board."""
    cut: frozenset[Cell] = frozenset()
    """Places of a board, and beside it, that the picture's edge cuts."""

    @property
    def typical(self) -> float:
        """How much half of its places look like pieces."""
        return float(np.median(self.looks.best))

    def mirrored_in(self, width: int) -> LocatedSquares:
        """What was found in a picture so wide, as it lies in that picture's mirror."""
        back = np.array([(-1, 0, width), (0, 1, 0), (0, 0, 1.0)])
        figures = tuple(replace(one, at=(width - one.at[0], one.at[1])) for one in self.figures)
        return replace(self, grid=Grid(back @ self.grid.matrix), mirrored=not self.mirrored, figures=figures)

    def recounted(self, move: LatticeMove) -> LocatedSquares:
        """The same board by the columns and rows of another picture of it."""
        first, right, low = (np.array(move.place(*one)) for one in ((0, 0), (1, 0), (0, 1)))
        there = np.eye(3)
        there[:2] = np.column_stack([right - first, low - first, first])
        return replace(
            self,
            grid=Grid(np.asarray(self.grid.matrix @ np.linalg.inv(there), np.float64)),
            looks=self.looks.turned(move.turn, tuple(map(move.cell, self.looks.cells))),
            lying={move.cell(cell): move.place(*middle) for cell, middle in self.lying.items()},
            figures=tuple(one.recounted(move) for one in self.figures),
            beyond=frozenset(map(move.cell, self.beyond)),
            cut=frozenset(map(move.cell, self.cut)),
        )

    def outline_of(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """The corners of a piece, clockwise from its upper left, as plain numbers."""
        x, y = self.lying.get(cell, cell)
        return self.grid.outline([(x + dx, y + dy) for dx, dy in CORNERS])

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
    table = _table(looks, table_colours(picture, grid, known), known)
    likeness = _pieces(looks, table, known)
    zero_outside(likeness, picture, grid)
    present = {cell for cell, likely in likeness.items() if likely > PRESENT}
    reached = connected(known & present, lambda cell: beside(cell) & present)
    if kept:
        reached = kept(reached, likeness)
    if len(reached) < FEWEST:
        return None
    left, top, right, bottom = _window(likeness, reached)
    inside = [i for i, (x, y) in enumerate(looks.cells) if left <= x <= right and top <= y <= bottom]
    reading = looks.of(inside)
    # A table of several kingdoms is small in its picture: what little is seen of squares leads astray.
    closer = grid if kept else refined_grid(grid, reading)
    if closer is not grid:
        seen = view_grid(picture, closer, left, top, right - left + 1, bottom - top + 1)
        better = score_cells(seen, gallery, reading.cells)
        if better.best.mean() > reading.best.mean():
            grid, reading = closer, better
    part = discount_table(reading.moved(-left, -top), gallery, table[inside])
    shown = frozenset(cell for cell in looks.cells if _is_shown(picture, grid, cell))
    within = {looks.cells[index] for index in inside}
    pale = _like_table_beside(looks, within & reached, shown)
    open_places = _showing_table(looks, within, shown) - reached
    cut = sum(not (left <= x <= right and top <= y <= bottom) for x, y in reached)
    return LocatedSquares(
        grid.moved(left, top),
        right - left + 1,
        bottom - top + 1,
        part,
        beside=cut >= DOMINO,
        pale=frozenset((x - left, y - top) for x, y in pale),
        table=frozenset((x - left, y - top) for x, y in open_places),
    )


def _showing_table(looks: GridScores, inside: Set[Cell], shown: Set[Cell]) -> frozenset[Cell]:
    """The places inside that look like those around, where most of these are of one colour, as a table is."""
    at = {cell: index for index, cell in enumerate(looks.cells)}
    around = [at[cell] for cell in shown - inside]
    if len(around) < FEWEST_AROUND:
        return frozenset()
    usual = np.median(looks.colours[around], axis=0)
    alike = (np.abs(looks.colours - usual).max(axis=1) < ONE_CLOTH) & (looks.contrast < PLAIN)
    if alike[around].mean() < ONE_TABLE:
        return frozenset()
    return frozenset(cell for cell in inside & shown if alike[at[cell]])


def _is_shown(picture: Pixels, grid: Grid, cell: Cell) -> bool:
    """Whether the middle of a place is in the picture."""
    height, width = picture.shape[:2]
    x, y = grid.pixels(np.array([cell]))[0]
    return bool(0 <= x < width and 0 <= y < height)


def _like_table_beside(looks: GridScores, pieces: Set[Cell], shown: Set[Cell]) -> frozenset[Cell]:
    """Plain places taken for pieces that go on in one colour into what is none, as a cloth does, and look less like
    pieces than the others."""
    at = {cell: index for index, cell in enumerate(looks.cells)}
    plain = {cell for cell in shown if looks.contrast[at[cell]] < PLAIN}
    less = _less_like(looks.of([at[cell] for cell in sorted(pieces)]))
    doubtful = {cell for cell, by in zip(sorted(pieces), less, strict=True) if by > AS_LIKE[0]} & plain

    def going_on(cell: Cell) -> set[Cell]:
        colour = looks.colours[at[cell]]
        return {
            near
            for near in beside(cell) & doubtful
            if np.abs(looks.colours[at[near]] - colour).max() < ONE_CLOTH
        }

    return frozenset(connected(plain - pieces, going_on) & pieces)


def discount_table(looks: GridScores, gallery: SquareGallery, table: Vectors | None = None) -> GridScores:
    """Less likeness for bare table; where table is seen around, for what is plain and unlike the others as well."""
    bare = np.maximum(_of_other_colour(looks, gallery), _even(looks))
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
            bare[index] = np.interp(off, OTHER, (0, 1)) * np.interp(near, NEXT, (0, 1))
    return np.asarray(bare * np.interp(_less_like(looks), AS_LIKE, (0, 1)), np.float32)


def _even(looks: GridScores) -> Vectors:
    """How surely what is of one colour is no piece: it looks like none, and a castle that stands up has several."""
    level = np.maximum(np.sqrt((looks.colours**2).mean(axis=1)), DARK)
    return np.asarray(
        np.interp(_less_like(looks), STRANGE, (0, 1)) * (looks.contrast < EVEN * level), np.float32
    )


def pale_cells(looks: GridScores) -> frozenset[Cell]:
    """Plain places that look less like pieces than the others do."""
    return frozenset(cell for cell, by in zip(looks.cells, _unlike(looks), strict=True) if by > 0.5)


def _unlike(looks: GridScores) -> Vectors:
    """How surely plain squares look less like pieces than the others do."""
    return np.asarray(np.interp(_less_like(looks), UNLIKE, (0, 1)) * (looks.contrast < PLAIN), np.float32)


def _less_like(looks: GridScores) -> Vectors:
    """By how much less each looks like a piece than the others do, in parts of that."""
    return np.asarray(1 - looks.best / max(float(np.median(looks.best)), NOTHING), np.float32)


def _table(looks: GridScores, table: Vectors, known: frozenset[Cell]) -> Vectors:
    """How surely plain places of the colour of the table are bare: other pieces on it have the colours of these."""
    bare = [
        contrast < PLAIN and len(table) > 0 and np.abs(table - colour).max(axis=1).min() < SAME
        for colour, contrast in zip(looks.colours, looks.contrast, strict=True)
    ]
    less = 1 - looks.best / _usual(looks, known)
    return np.asarray(np.array(bare) * np.interp(less, AS_LIKE, (0, 1)), np.float32)


def _usual(looks: GridScores, known: frozenset[Cell]) -> float:
    """How much those that are known look like pieces."""
    return max(
        float(np.median([best for cell, best in zip(looks.cells, looks.best, strict=True) if cell in known])),
        NOTHING,
    )


def _pieces(looks: GridScores, table: Vectors, known: frozenset[Cell]) -> dict[Cell, float]:
    """How much each place looks like a piece: 1 is as much as those that are known, and as bright and colourful."""
    here = [index for index, cell in enumerate(looks.cells) if cell in known]
    usual, strength = _usual(looks, known), np.median(looks.strength[here])
    bright = np.minimum(1, looks.strength / (FAINT * strength))
    plain = np.where(looks.contrast < PLAIN, PRESENT / PRESENT_PLAIN, 1)
    likeness = looks.best * bright * plain / usual * (1 - table)
    return dict(zip(looks.cells, likeness.tolist(), strict=True))


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
