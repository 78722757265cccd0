"""A counting board of our own beside tiles, seen from the side, with followers on both."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.game import Colour
from companion.core.observation import Pose
from companion.core.photo import Track
from companion.vision.photo.keypoints import Floats
from companion.vision.photo.printed import PrintedBoard, printed_board
from models.train.figure_scenes import BESIDE, SIDE, RenderedBoard, camera_for, pictured, somebody
from models.train.pieces import DRAWN
from tests.vision.photo.boards import tile_drawn

COLUMNS, ROWS = 3, 2
"""Tiles that it is wide and high."""
LEFT, TOP = 0.5, 2.2
"""Where it lies, in tiles."""
TILES = ("EVJUD", "DRWKB")
FIRST = (-0.5, -0.4)
"""Where the first of them lies."""
TRACK = Track(
    "ours",
    [
        tuple((x / 2 + dx, y + dy) for dx, dy in ((0, 0), (0.5, 0), (0.5, 1), (0, 1)))
        for x, y in (*((x, 1) for x in range(5, -1, -1)), *((x, 0) for x in range(6)))
    ],
)
"""Twelve spaces: from the lower right to the left, and back above."""


@cache
def print_drawn() -> Pixels:
    """Its picture: a line around each space, and little things all over it."""
    random = np.random.default_rng(5)
    shown = np.full((ROWS * DRAWN, COLUMNS * DRAWN, 3), (190, 215, 230), np.uint8)
    for _each in range(220):
        at = random.integers((0, 0), (COLUMNS * DRAWN, ROWS * DRAWN)).tolist()
        paint = (random.uniform(110, 170) * np.array((0.75, 0.9, 1.0))).tolist()
        cv2.circle(shown, at, int(random.integers(2, 6)), paint, -1, cv2.LINE_AA)
        cv2.line(shown, at, (at + random.integers(-14, 15, 2)).tolist(), paint, 2, cv2.LINE_AA)
    for outline in TRACK.spaces:
        cv2.polylines(shown, [np.rint(np.array(outline) * DRAWN).astype(int)], True, (40, 60, 80), 2)
    return shown


@cache
def board_known() -> PrintedBoard:
    return printed_board([print_drawn()], COLUMNS, ROWS)


def middle(space: int) -> tuple[float, float]:
    """Where the middle of a space is, in tiles of the picture."""
    x, y = np.mean(TRACK.spaces[space], axis=0).tolist()
    return LEFT + x, TOP + y


def taken(
    standing: Iterable[tuple[Colour, float, float]], tilt: float = 40, printed: Pixels | None = None
) -> RenderedBoard:
    """A photo of tiles and of the counting board, or of another print, with followers whose feet are there."""
    around = round((SIDE + 2 * BESIDE) * DRAWN)
    table = np.full((around, around, 3), (70, 95, 125), np.float64)
    tiles = {}
    for y, row in enumerate(TILES):
        for x, letter in enumerate(row):
            left, top = FIRST[0] + x, FIRST[1] + y
            tiles[x, y] = np.array([(left + dx, top + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))])
            _laid(table, np.asarray(cv2.resize(tile_drawn(letter), (DRAWN, DRAWN)), np.uint8), left, top)
    _laid(table, print_drawn() if printed is None else printed, LEFT, TOP)
    figures = [
        somebody(np.random.default_rng(1), np.array([x, y, 0.0]), Pose.STANDS, colour)
        for colour, x, y in standing
    ]
    camera = camera_for(np.radians(tilt), 0.2, 0.0, 900, 100, np.zeros(2))
    return pictured(np.random.default_rng(3), table, tiles, figures, camera, bad=False)


def _laid(table: Floats, picture: Pixels, left: float, top: float) -> None:
    x, y = (round((at + BESIDE) * DRAWN) for at in (left, top))
    table[y : y + len(picture), x : x + picture.shape[1]] = picture
