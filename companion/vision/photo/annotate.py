"""What was read, drawn over the picture it was read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.photo.keypoints import Floats

SURE, UNSURE = (60, 200, 60), (40, 40, 255)
ROOM = 0.7
"""Squares of the picture that are drawn around those that were read."""
HEAD = 52
"""Pixels of the strip in which the title stands."""
LONGEST = 1600
"""Pixels of the longer side of what is drawn."""


@dataclass(frozen=True)
class PieceNote:
    """What stands on one piece of a picture."""

    outline: Sequence[tuple[float, float]]
    """Its corners in pixels, clockwise."""
    text: str
    """In ASCII: the letters that OpenCV has."""
    sure: bool = True


def annotate(picture: Pixels, notes: Sequence[PieceNote], title: str = "") -> Pixels:
    """The part of a picture that was read, every piece outlined and named; what is unsure is red and has a “?”."""
    left, top, right, bottom = _around(picture, notes)
    part = picture[top:bottom, left:right]
    scale = LONGEST / max(part.shape[:2])
    drawn = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for note in sorted(notes, key=lambda note: not note.sure):
        _draw(drawn, note, (np.array(note.outline) - (left, top)) * scale)
    if title:  # above it, not on a square
        drawn = np.asarray(cv2.copyMakeBorder(drawn, HEAD, 0, 0, 0, cv2.BORDER_CONSTANT), np.uint8)
        _write(drawn, title, (12, 36), 1.0)
    return drawn


def _draw(drawn: Pixels, note: PieceNote, outline: Floats) -> None:
    corners = np.rint(outline).astype(np.int32)
    cv2.polylines(drawn, [corners], True, SURE if note.sure else UNSURE, 2 if note.sure else 5, cv2.LINE_AA)
    x, y = corners.mean(axis=0)
    size = _side(corners) / 130
    _write(drawn, note.text + ("" if note.sure else "?"), (int(x - 40 * size), int(y)), size)


def _around(picture: Pixels, notes: Sequence[PieceNote]) -> tuple[int, int, int, int]:
    """The left, upper, right and lower edge of the part where pieces are, with some room around them."""
    height, width = picture.shape[:2]
    if not notes:
        return 0, 0, width, height
    room = ROOM * max(_side(np.array(note.outline)) for note in notes)
    corners = np.concatenate([note.outline for note in notes])
    left, top = np.maximum(corners.min(axis=0) - room, 0).astype(int)
    right, bottom = (corners.max(axis=0) + room).astype(int)
    return int(left), int(top), min(int(right), width), min(int(bottom), height)


def _side(outline: Any) -> float:
    """Pixels of a piece's side."""
    return float(np.sqrt(cv2.contourArea(outline.astype(np.float32))))


def save_picture(picture: Pixels, file: Path) -> None:
    """Write a picture, in a folder that is made if there is none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(cv2.imencode(file.suffix, picture)[1].tobytes())


def to_jpeg(picture: Pixels) -> bytes:
    """A picture as a browser shows it."""
    return cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 88))[1].tobytes()


def _write(picture: Pixels, text: str, at: tuple[int, int], size: float) -> None:
    for colour, width in (((0, 0, 0), 6), ((255, 255, 255), 2)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)
