"""One large printed board found in a photo by its own points: where it lies, and what stands on it.

Its gallery holds points of the print and no picture. Most of a photo's points are like some point of it by chance;
only those that agree on one plane say that it is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.photo import SeenFigure
from companion.vision.gallery.squares import Vectors, detector, root_descriptors
from companion.vision.photo.figures import below_board, find_figures
from companion.vision.photo.grid import Cell, Grid
from companion.vision.photo.keypoints import Floats, LookedPoints
from models.registry import Arrays, damaged_model, load_arrays

VERSION = 1
"""Of what a gallery holds: one of another version has to be made again."""
ALIKE = 0.8
"""Products of descriptors above this may show the same point."""
CLEARLY, ELSEWHERE = 0.03, 0.25
"""By how much less any point that many sides away has to look like it."""
AT_ONCE = 256
"""Points that are compared in one go: more would only take more memory."""
OFF = 4.0
"""Pixels by which a point may lie beside where the plane has it."""
TRIES = 3000
ENOUGH = 24
"""Points that have to agree: of photos without the board never more than ten did."""
SPREAD = 0.25
"""Part of the board's squares in which they have to lie."""
STEEPEST = 6.0
"""How many times larger its nearest square may be than its farthest."""


@dataclass(frozen=True, eq=False)
class PrintedBoard:
    """The points of a print, in sides of the game's pieces, and what describes them."""

    columns: int
    """How many pieces it is wide."""
    rows: int
    places: Vectors
    """Of each point, the middle of the first square being 0,0."""
    descriptors: Vectors

    @property
    def cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.rows) for x in range(self.columns)]

    def has_under(self, grid: Grid, figure: SeenFigure) -> bool:
        """Whether a figure touches the table on the board."""
        return self.covers(grid.place(*figure.at))

    def covers(self, place: Sequence[float] | Floats) -> bool:
        """Whether a column and row is on it."""
        x, y = place
        return bool(-0.5 <= x <= self.columns - 0.5 and -0.5 <= y <= self.rows - 0.5)


def printed_board(pictures: Sequence[Pixels], columns: int, rows: int, most: int = 360) -> PrintedBoard:
    """The board of upright pictures cut to its edges, so many points of each look at each; what is black in a picture,
    and what is close to that, is no part of it."""
    places, described = [np.zeros((0, 2))], [np.zeros((0, 128), np.float32)]
    for picture, look in product(pictures, LOOKS):
        small = cv2.resize(picture, (columns * look[0], rows * look[1]), interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        found, descriptors = detector().detectAndCompute(grey, None)
        far = _from_black(grey)
        clear = [
            at for at, one in enumerate(found) if far[int(one.pt[1]), int(one.pt[0])] > REACHES * one.size
        ]
        best = sorted(clear, key=lambda at: -found[at].response)[:most]
        if best:
            places.append(np.array([found[at].pt for at in best]) / look - 0.5)
            described.append(root_descriptors(descriptors[best]))
    return PrintedBoard(columns, rows, np.vstack(places).astype(np.float32), np.vstack(described))


LOOKS = ((100, 100), (50, 50), (90, 35), (60, 25), (35, 90), (25, 60))
"""Pixels of a piece's width and height in pictures of which points are remembered: from above, and aslant, for points
look otherwise there."""
REACHES = 1.5
"""How many times its size around a point describes it."""


def _from_black(grey: Pixels) -> Floats:
    """How far each pixel is from what was left out of a picture; specks are none of that."""
    black = cv2.morphologyEx(np.asarray(grey < 4, np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    if not black.any():
        return np.full(grey.shape, np.inf)
    return np.asarray(cv2.distanceTransform(1 - black, cv2.DIST_L2, 3), np.float64)


def board_arrays(board: PrintedBoard) -> Arrays:
    """As a gallery's file keeps it."""
    return {
        "version": np.array(VERSION),
        "size": np.array([board.columns, board.rows]),
        "places": board.places.astype(np.float16),
        "descriptors": np.rint(board.descriptors * 255).astype(np.uint8),
    }


def load_printed(name: str) -> PrintedBoard:
    """A shipped one, or ModelError."""
    arrays = load_arrays(name)
    try:
        if int(arrays["version"]) != VERSION:
            raise ValueError(f"version {VERSION} is needed")
        columns, rows = arrays["size"].tolist()
        descriptors = (arrays["descriptors"] / 255).astype(np.float32)
        return PrintedBoard(columns, rows, arrays["places"].astype(np.float32), descriptors)
    except (ValueError, KeyError, TypeError) as error:
        raise damaged_model(f"{name}.npz") from error


def find_printed(points: LookedPoints, board: PrintedBoard) -> Grid | None:
    """Where the board's squares are in a picture; None where it is not seen beyond doubt."""
    if not len(points.places):
        return None
    match, clear = _matched(points.descriptors, board)
    pixels, places = points.places[clear, :2], board.places[match[clear]].astype(np.float64)
    if len(pixels) < ENOUGH:
        return None
    matrix: Any
    matrix, agree = cv2.findHomography(places, pixels, cv2.USAC_MAGSAC, OFF, maxIters=TRIES, confidence=0.999)
    if matrix is None:
        return None
    agreeing = places[agree.ravel() > 0]
    squares = {tuple(square) for square in np.rint(agreeing).astype(int).tolist()}
    if len(agreeing) < ENOUGH or len(squares) < SPREAD * board.columns * board.rows:
        return None
    grid = Grid(np.asarray(np.diag([1 / points.scale, 1 / points.scale, 1]) @ matrix, np.float64))
    return grid if _is_sound(grid, board) else None


def _matched(described: Vectors, board: PrintedBoard) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Which point of the board each may be, and whether no other place of it is nearly as like."""
    match, clear = np.zeros(len(described), np.intp), np.zeros(len(described), bool)
    x, y = board.places.T
    for first in range(0, len(described), AT_ONCE):
        alike = described[first : first + AT_ONCE] @ board.descriptors.T
        best = alike.argmax(axis=1)
        match[first : first + AT_ONCE] = best
        for row in np.flatnonzero(alike.max(axis=1) > ALIKE):
            there = best[row]
            elsewhere = (np.abs(x - x[there]) > ELSEWHERE) | (np.abs(y - y[there]) > ELSEWHERE)
            clear[first + row] = alike[row][elsewhere].max(initial=-1) < alike[row, there] - CLEARLY
    return match, clear


def _is_sound(grid: Grid, board: PrintedBoard) -> bool:
    """Whether it lies there face up, without turning inside out."""
    ends = [(x, y) for x in (0, board.columns - 1) for y in (0, board.rows - 1)]
    depths = [float((grid.matrix @ (x, y, 1.0))[2]) for x, y in ends]
    sides = [grid.side(end) for end in ends]
    upright = cv2.contourArea(grid.corners(ends[0]).astype(np.float32), oriented=True) > 0
    return upright and min(depths) * max(depths) > 0 and max(sides) < STEEPEST * min(sides)


def figures_on(
    picture: Pixels, board: PrintedBoard, grid: Grid, pieces: Mapping[Cell, Floats]
) -> tuple[SeenFigure, ...]:
    """What stands or lies on the board, each on one of its squares; `pieces` are the outlines of what lies beside it,
    by which the picture's light and tilt are known better than by one print."""
    beside = {
        cell: outline
        for cell, outline in pieces.items()
        if not board.covers(grid.places(outline.mean(axis=0)[None])[0])
    }
    outlines = {cell: grid.corners(cell) for cell in board.cells}
    below = below_board(beside, picture.shape[1::-1]) if beside else None
    figures = find_figures(picture, outlines, below=below, lit=beside)
    return tuple(one for one in figures if board.has_under(grid, one))
