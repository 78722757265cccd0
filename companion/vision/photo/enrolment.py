"""Pieces as people photograph them to teach the companion their box: found on the table, cut out upright, judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.vision.gallery.squares import DRAWN, Vectors
from companion.vision.photo.grid import Grid, grid_between, grid_of_picture
from companion.vision.photo.keypoints import Floats

WORKED_ON = 4000
"""Pixels of the longer side of a photo of pieces: a camera above sees them small."""
LOOKED_AT = 900
"""Pixels of the longer side of the picture in which the pieces' outline is looked for."""
LEAST = 0.04
"""Part of the picture that the pieces fill at least."""
LEAST_FROM_ABOVE = 0.003
"""The same where a camera above sees the whole table."""
TABLE = 0.7
"""What fills more of the picture than this is the table."""
NEARER = 0.15
"""What is looked at once more around something small, in parts of its longer side."""
ASPECT = 0.17
"""How far the outline may be from what so many squares measure, as a logarithm: photos are taken at an angle, but four
dominoes are no five."""
ASPECT_CUT = 0.3
"""The same of a picture that somebody has cut to the pieces' edges: half a domino is none."""
BLURRED = 0.012
"""Sharp drawings differ more from one pixel to the next than by this part of what they differ by in all."""
WHITE, GLARE = 250, 0.04
"""Pixels lighter than that in every colour are a reflection; more than this part of a picture hides too much."""

SIDEWAYS = _("The pieces lie sideways in this picture: turn it by a quarter, or take it again.")


class OutlineError(CompanionError, ValueError):
    """The pieces cannot be found in a picture."""


@dataclass(frozen=True, eq=False)
class PieceBlock:
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


def find_block(picture: Pixels, columns: int, rows: int, cut: bool = False) -> PieceBlock:
    """The squares of pieces laid side by side on a table of one colour, or of a picture cut to their edges."""
    grid = (
        _cut(picture, columns, rows)
        if cut
        else grid_between(block_outline(picture, columns, rows), columns, rows)
    )
    edge = np.array([(0, 0), (DRAWN, 0), (DRAWN, DRAWN), (0, DRAWN)], np.float32)
    squares = []
    for cell in ((x, y) for y in range(rows) for x in range(columns)):
        matrix = cv2.getPerspectiveTransform(grid.corners(cell).astype(np.float32), edge)
        squares.append(cv2.warpPerspective(picture, matrix, (DRAWN, DRAWN), flags=cv2.INTER_AREA))
    return PieceBlock(tuple(np.asarray(square, np.uint8) for square in squares))


def _cut(picture: Pixels, columns: int, rows: int) -> Grid:
    """The squares of a picture that ends where they end; OutlineError where it is too wide or too high for them."""
    height, width = picture.shape[:2]
    if abs(np.log(width / height) - np.log(columns / rows)) <= ASPECT_CUT:
        return grid_of_picture(picture, columns, rows)
    if columns != rows and abs(np.log(height / width) - np.log(columns / rows)) <= ASPECT_CUT:
        raise OutlineError(SIDEWAYS)
    raise OutlineError(
        _(
            "A picture cut to the edges of %(columns)d by %(rows)d squares is not %(width)d by %(height)d pixels "
            "large: cut it there, or call it by what it shows.",
            columns=columns,
            rows=rows,
            width=width,
            height=height,
        )
    )


def block_outline(picture: Pixels, columns: int, rows: int) -> Floats:
    """The four corners of what lies on the table, clockwise from the upper left; OutlineError if that is no block."""
    aspect = float(np.log(columns / rows))
    found = _outlined(picture, aspect, _edge, LEAST)
    if found is not None:
        return found
    # Where the picture ends on something else, the table is what most of it shows: a camera above sees more than it.
    far = _outlined(picture, aspect, _most, LEAST_FROM_ABOVE)
    if far is None:
        raise OutlineError(SIDEWAYS) if _sideways(picture, aspect) else _no_block(columns, rows)
    room = NEARER * float(np.ptp(far, axis=0).max())
    left, top = np.maximum(far.min(axis=0) - room, 0).astype(int)
    right, bottom = (far.max(axis=0) + room).astype(int)
    near = _outlined(picture[top:bottom, left:right], aspect, _edge, LEAST)
    return far if near is None else near + np.array([left, top])


def _sideways(picture: Pixels, aspect: float) -> bool:
    """Whether the pieces lie there a quarter turned; what fills the picture is the table itself, seen from above."""
    found = _outlined(picture, -aspect, _edge, LEAST) if aspect else None
    if found is None:
        return False
    return bool(cv2.contourArea(found.astype(np.float32)) < TABLE * picture.shape[0] * picture.shape[1])


def _outlined(
    picture: Pixels, aspect: float, table: Callable[[Vectors], Vectors], least: float
) -> Floats | None:
    scale = min(1.0, LOOKED_AT / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    found = _rectangle(_not_table(colours, table(colours)), least, aspect)
    return None if found is None else np.asarray(found / scale, np.float64)


def _rectangle(mask: Pixels, least: float, aspect: float) -> Floats | None:
    """The corners of the largest thing that is as wide and high as the pieces are together."""
    contours, _hierarchy = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        if cv2.contourArea(contour) < least * mask.size:
            return None
        hull = cv2.convexHull(contour)
        corners = next(
            (found for e in (0.02, 0.03, 0.05, 0.08) if len(found := _polygon(hull, e)) == 4), None
        )
        upright = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
        ordered = _from_upper_left(upright if corners is None else corners)
        sides = np.linalg.norm(np.roll(ordered, -1, axis=0) - ordered, axis=1)
        if abs(np.log((sides[0] + sides[2]) / (sides[1] + sides[3])) - aspect) <= ASPECT:
            return ordered
    return None


def _no_block(columns: int, rows: int) -> OutlineError:
    return OutlineError(
        _(
            "No block of %(columns)d by %(rows)d squares is seen: lay the pieces close together, "
            "on a table of one colour, with some of the table around them.",
            columns=columns,
            rows=rows,
        )
    )


def _edge(colours: Vectors) -> Vectors:
    """The colours along the picture's edge."""
    ends = (colours[:6], colours[-6:], colours[:, :6], colours[:, -6:])
    return np.asarray(np.concatenate([end.reshape(-1, 3) for end in ends]), np.float32)


def _most(colours: Vectors) -> Vectors:
    """The half of the picture's colours that are most alike."""
    every = np.asarray(colours.reshape(-1, 3)[::7], np.float32)
    away = np.linalg.norm(every - np.median(every, axis=0), axis=1)
    return np.asarray(every[away <= np.median(away)], np.float32)


def _not_table(colours: Vectors, known: Vectors) -> Pixels:
    """What differs from the colours of the table."""
    table = np.median(known, axis=0)
    away = np.linalg.norm(known - table, axis=1)
    spread = float(np.percentile(away, 95))
    mask = (np.linalg.norm(colours - table, axis=2) > max(10.0, 1.6 * spread)).astype(np.uint8) * 255
    size = max(3, max(colours.shape[:2]) // 60)
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
