"""What was read, drawn over the picture it was read from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.grid import Cell, Grid

SURE, UNSURE = (60, 200, 60), (40, 40, 255)
ROOM = 0.7
"""Squares of the picture that are drawn around those that were read."""
HEAD = 52
"""Pixels of the strip in which the title stands."""
LONGEST = 1600
"""Pixels of the longer side of what is drawn."""


@dataclass(frozen=True)
class Note:
    """What stands in one place of the rows and columns."""

    cell: Cell
    text: str
    """In ASCII: the letters that OpenCV has."""
    sure: bool = True


def annotated(picture: Pixels, grid: Grid, notes: Iterable[Note], title: str = "") -> Pixels:
    """The kingdom in the picture with every place outlined and named; what is unsure is red, with a question mark."""
    notes = tuple(notes)
    picture, grid = _around(picture, grid, [note.cell for note in notes])
    scale = LONGEST / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    drawn = np.asarray(small, np.uint8)
    for note in sorted(notes, key=lambda note: not note.sure):
        corners = np.rint(grid.corners(note.cell) * scale).astype(np.int32)
        cv2.polylines(
            drawn, [corners], True, SURE if note.sure else UNSURE, 2 if note.sure else 5, cv2.LINE_AA
        )
        x, y = corners.mean(axis=0)
        size = float(np.sqrt(cv2.contourArea(corners)) / 130)
        _write(drawn, note.text + ("" if note.sure else "?"), (int(x - 40 * size), int(y)), size)
    if title:  # above it, not on a square
        drawn = np.asarray(cv2.copyMakeBorder(drawn, HEAD, 0, 0, 0, cv2.BORDER_CONSTANT), np.uint8)
        _write(drawn, title, (12, 36), 1.0)
    return drawn


def _around(picture: Pixels, grid: Grid, cells: Sequence[Cell]) -> tuple[Pixels, Grid]:
    """The part of the picture where the squares are, with some room around them."""
    if not cells:
        return picture, grid
    corners = np.concatenate([grid.corners(cell) for cell in cells])
    room = ROOM * grid.side(cells[0])
    left, top = np.maximum(corners.min(axis=0) - room, 0).astype(int)
    right, bottom = (corners.max(axis=0) + room).astype(int)
    away = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1.0)])
    return picture[top:bottom, left:right], Grid(away @ grid.matrix)


def save(picture: Pixels, file: Path) -> None:
    """Write a picture, in a folder that is made if there is none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(cv2.imencode(file.suffix, picture)[1].tobytes())


def jpeg(picture: Pixels) -> bytes:
    """A picture as a browser shows it."""
    return cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 88))[1].tobytes()


def _write(picture: Pixels, text: str, at: tuple[int, int], size: float) -> None:
    for colour, width in (((0, 0, 0), 6), ((255, 255, 255), 2)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)
