"""What was read, drawn over the picture it was read from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.grid import Cell, Grid

SURE, UNSURE = (60, 200, 60), (40, 40, 255)
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
    """A copy of the picture with every place outlined and named; what is unsure is red, with a question mark."""
    scale = LONGEST / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    drawn = np.asarray(small, np.uint8)
    for note in notes:
        corners = np.rint(grid.corners(note.cell) * scale).astype(np.int32)
        cv2.polylines(
            drawn, [corners], True, SURE if note.sure else UNSURE, 2 if note.sure else 5, cv2.LINE_AA
        )
        x, y = corners.mean(axis=0)
        size = float(np.sqrt(cv2.contourArea(corners)) / 130)
        _write(drawn, note.text + ("" if note.sure else "?"), (int(x - 40 * size), int(y)), size)
    if title:
        _write(drawn, title, (12, 36), 1.0)
    return drawn


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
