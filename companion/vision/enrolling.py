"""Pieces as people photograph them to teach the companion their box: found on the table, cut out upright, judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.vision.grid import through, whole
from companion.vision.likeness import DRAWN
from companion.vision.seeds import Floats

LOOKED_AT = 900
"""Pixels of the longer side of the picture in which the pieces' outline is looked for."""
LEAST = 0.04
"""Part of the picture that the pieces fill at least."""
ASPECT = 0.22
"""How far the outline may be from what so many squares measure, as a logarithm: photos are taken at an angle."""
BLURRED = 0.012
"""Sharp drawings differ more from one pixel to the next than by this part of what they differ by in all."""
WHITE, GLARE = 250, 0.04
"""Pixels lighter than that in every colour are a reflection; more than this part of a picture hides too much."""


class OutlineError(CompanionError, ValueError):
    """The pieces cannot be found in a picture."""


@dataclass(frozen=True, eq=False)
class Block:
    """Squares that lie side by side, each upright in a picture of its own, row by row."""

    squares: tuple[Pixels, ...]

    @property
    def complaints(self) -> tuple[Message, ...]:
        """What is wrong with the photo, in words that say what to do."""
        found = []
        if sharpness(self.squares) < BLURRED:
            found.append(_("It is out of focus: hold still, go nearer, take it again."))
        if glare(self.squares) > GLARE:
            found.append(_("A lamp is reflected in it: turn the pieces or the lamp, take it again."))
        return tuple(found)


def block(picture: Pixels, columns: int, rows: int, cut: bool = False) -> Block:
    """The squares of pieces laid side by side on a table of one colour, or of a picture cut to their edges."""
    grid = whole(picture, columns, rows) if cut else through(outline(picture, columns, rows), columns, rows)
    edge = np.array([(0, 0), (DRAWN, 0), (DRAWN, DRAWN), (0, DRAWN)], np.float32)
    squares = []
    for cell in ((x, y) for y in range(rows) for x in range(columns)):
        matrix = cv2.getPerspectiveTransform(grid.corners(cell).astype(np.float32), edge)
        squares.append(cv2.warpPerspective(picture, matrix, (DRAWN, DRAWN), flags=cv2.INTER_AREA))
    return Block(tuple(np.asarray(square, np.uint8) for square in squares))


def outline(picture: Pixels, columns: int, rows: int) -> Floats:
    """The four corners of what lies on the table, clockwise from the upper left; OutlineError if that is no block."""
    scale = min(1.0, LOOKED_AT / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    mask = _not_table(np.asarray(small, np.uint8))
    contours, _hierarchy = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(contours, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < LEAST * mask.size:
        raise _no_block(columns, rows)
    hull = cv2.convexHull(largest)
    corners = next((found for e in (0.02, 0.03, 0.05, 0.08) if len(found := _polygon(hull, e)) == 4), None)
    upright = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
    ordered = _from_upper_left(upright if corners is None else corners)
    sides = np.linalg.norm(np.roll(ordered, -1, axis=0) - ordered, axis=1)
    wide, high = sides[0] + sides[2], sides[1] + sides[3]
    if abs(np.log(wide / high * rows / columns)) > ASPECT:
        raise _no_block(columns, rows)
    return np.asarray(ordered / scale, np.float64)


def _no_block(columns: int, rows: int) -> OutlineError:
    return OutlineError(
        _(
            "No block of %(columns)d by %(rows)d squares is seen: lay the pieces close together, "
            "on a table of one colour, with some of the table around them.",
            columns=columns,
            rows=rows,
        )
    )


def _not_table(small: Pixels) -> Pixels:
    """What differs from the colour along the picture's edge."""
    colours = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    edge = np.concatenate([colours[:6].reshape(-1, 3), colours[-6:].reshape(-1, 3)])
    edge = np.concatenate([edge, colours[:, :6].reshape(-1, 3), colours[:, -6:].reshape(-1, 3)])
    table = np.median(edge, axis=0)
    spread = float(np.percentile(np.linalg.norm(edge - table, axis=1), 95))
    away = np.linalg.norm(colours - table, axis=2)
    mask = (away > max(10.0, 1.6 * spread)).astype(np.uint8) * 255
    size = max(3, max(small.shape[:2]) // 60)
    shape = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, shape)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, shape), np.uint8)


def _polygon(hull: Any, part: float) -> Floats:
    found = cv2.approxPolyDP(hull, part * cv2.arcLength(hull, True), True)
    return np.asarray(found.reshape(-1, 2), np.float64)


def _from_upper_left(corners: Floats) -> Floats:
    """Clockwise, beginning with the corner that is nearest to the picture's upper left."""
    middle = corners.mean(axis=0)
    turn = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    around = corners[np.argsort(turn)]
    return np.asarray(np.roll(around, -int(around.sum(axis=1).argmin()), axis=0), np.float64)


def sharpness(squares: tuple[Pixels, ...]) -> float:
    """How much pixels differ from their neighbours, in parts of how much they differ at all."""
    greys = [cv2.cvtColor(square, cv2.COLOR_BGR2GRAY).astype(np.float32) for square in squares]
    fine = float(np.median([cv2.Laplacian(grey, cv2.CV_32F).var() for grey in greys]))
    whole_of_it = float(np.median([grey.var() for grey in greys]))
    return fine / max(whole_of_it, 1.0)


def glare(squares: tuple[Pixels, ...]) -> float:
    """The part of the squares that is nothing but white."""
    return float(np.mean([(square.min(axis=2) >= WHITE).mean() for square in squares]))
