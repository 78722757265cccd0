"""Pictures of pieces as bad photos show them: turned a little, clipped, covered, blurred, in any light. Never mirrored.

Beside them patches that show no piece: cloth, wood, paper, one colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import CELL, INNER_SIDE
from models.registry import INPUT_SIDE as SEEN
from models.train.pieces import COVERED, DRAWN, Classes, Lessons, PictureSet

Floats = NDArray[np.float32]
Rng = np.random.Generator

BESIDE = DRAWN // 2
"""Pixels of what is around a piece."""
_THIRDS = tuple(
    zip(
        (slice(BESIDE), slice(BESIDE, -BESIDE), slice(-BESIDE, None)),
        (slice(-BESIDE, None), slice(None), slice(BESIDE)),
        strict=True,
    )
)
"""Where neighbours and the piece lie in a picture, and what part of them is there."""
FINER = 2
"""How many times finer a crop is before it is made as small as the network sees it."""
AROUND = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (DRAWN * INNER_SIDE / CELL / 2)
"""The corners of what is described of a piece, from its middle."""
ACROSS, DOWN = (axis.astype(np.float32) for axis in np.meshgrid(*[np.linspace(0, 1, SEEN)] * 2))
NOTHING = -1
"""The class of what is no piece."""
NOTHING_SHARE = 0.1
"""What part of the crops shows none."""
AS_IT_IS = 0.12
"""What part is made no worse: galleries are described by such pictures."""
WOODEN = (
    (35, 40, 200),
    (190, 95, 30),
    (60, 130, 40),
    (30, 200, 235),
    (35, 35, 35),
    (180, 130, 235),
    (120, 170, 205),
)
"""Blue, green and red of figures, discs and what else lies on pieces."""


def augmented_batch(rng: Rng, lessons: Lessons, count: int) -> tuple[Pixels, Classes]:
    """So many crops (40 × 40 × 3 levels each, `count` is even) of pieces picked at random, and their classes.

    The second half is the first after another quarter turn: other classes by half the work.
    """
    crops, classes = np.empty((count, SEEN, SEEN, 3), np.uint8), np.full(count, NOTHING)
    half = count // 2
    for row in range(half):
        known = lessons.sets[rng.choice(len(lessons.sets), p=lessons.shares)]
        which, quarter, more = (
            int(rng.integers(len(known.labels))),
            int(rng.integers(4)),
            int(rng.integers(1, 4)),
        )
        if rng.random() < NOTHING_SHARE:
            crops[row] = nothing(rng, known.pictures[which])
        else:
            crops[row] = augmented(rng, known, known.turned(which, quarter), lessons.covered)
            label = known.labels[which]
            classes[[row, half + row]] = (
                lessons.class_of(label, quarter),
                lessons.class_of(label, quarter + more),
            )
        crops[half + row] = np.rot90(crops[row], -more)
    return crops, classes


def augmented(rng: Rng, known: PictureSet, piece: Pixels, covered: float = COVERED) -> Pixels:
    """One piece as a bad photo shows it, some of the others beside it; so often something stands on it."""
    changes = ((covered, _covered), *CHANGES)
    return _worsened(rng, _laid(rng, _among(rng, known, piece)), changes)


def nothing(rng: Rng, piece: Pixels) -> Pixels:
    """What is no piece, now and then in the colours of one."""
    changes = ((COVERED, _covered), *(change for change in CHANGES if change[1] is not _hidden))
    return _worsened(rng, _ground(rng, SEEN, piece), changes)


def _worsened(
    rng: Rng, crop: Floats, changes: Sequence[tuple[float, Callable[[Rng, Floats], Floats]]]
) -> Pixels:
    if rng.random() >= AS_IT_IS:
        for chance, change in changes:
            if rng.random() < chance:
                crop = change(rng, crop)
    return np.asarray(np.clip(crop, 0, 255), np.uint8)


def in_bad_light(rng: Rng, picture: Floats) -> Pixels:
    """A picture of any size as a bad photo: everything that does not cover or hide parts of it."""
    whole = (_covered, _clipped, _far_away, _hidden)
    return _worsened(rng, picture, [change for change in CHANGES if change[1] not in whole])


def _among(rng: Rng, known: PictureSet, piece: Pixels) -> Pixels:
    """The piece between others, or on a table."""
    picture = np.empty((DRAWN + 2 * BESIDE, DRAWN + 2 * BESIDE, 3), np.uint8)
    if rng.random() < 0.4:
        ground = np.clip(_ground(rng, SEEN, piece), 0, 255).astype(np.uint8)
        picture[:] = cv2.resize(ground, picture.shape[1::-1])
    else:
        for (rows, y), (columns, x) in product(_THIRDS, _THIRDS):
            other = known.turned(int(rng.integers(len(known.labels))), int(rng.integers(4)))
            picture[rows, columns] = other[y, x]
    picture[BESIDE:-BESIDE, BESIDE:-BESIDE] = piece
    return picture


def _ground(rng: Rng, side: int, piece: Pixels) -> Floats:
    """Cloth, wood, paper: one or two colours, any of them one of the piece's, and any coarseness of grain."""

    def colour() -> Any:
        if rng.random() < 0.5:
            return rng.uniform(0, 256, 3)
        y, x = rng.integers(0, DRAWN - 16, 2)
        return piece[y : y + 16, x : x + 16].reshape(-1, 3).mean(axis=0) + rng.normal(0, 8, 3)

    ground: Any = np.zeros((side, side, 3), np.float32) + colour()
    if rng.random() < 0.25:  # an edge of something else
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        beyond = (ACROSS - 0.5) * np.cos(turn) + (DOWN - 0.5) * np.sin(turn) > far
        ground[beyond] = colour()
    for _ in range(int(rng.integers(0, 3))):
        rows, columns = rng.integers(2, side + 1, 2)
        rough = rng.standard_normal((rows, columns)).astype(np.float32)[..., None]
        grain: Any = cv2.resize(rough * rng.normal(1, 0.3, 3).astype(np.float32), (side, side))
        ground = ground + grain * abs(rng.normal(0, 12))
    return np.asarray(ground, np.float32)


def _laid(rng: Rng, picture: Pixels) -> Floats:
    """The middle of a picture as it is found: turned, larger or smaller, beside its place, at an angle."""
    turn = np.radians(rng.normal(0, 2.5) if rng.random() < 0.8 else rng.uniform(-9, 9))
    c, s = np.cos(turn), np.sin(turn)
    corners = AROUND @ np.array([(c, s), (-s, c)]) * np.exp(rng.normal(0, 0.035, 2))
    beside = rng.normal(0, 0.025, 2) + (rng.uniform(-0.16, 0.16, 2) if rng.random() < 0.35 else 0)
    corners = corners + (beside + rng.normal(0, 0.02, (4, 2)) + 0.5) * DRAWN + BESIDE
    size = SEEN * FINER
    flat = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    straight = cv2.warpPerspective(picture, matrix, (size, size), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(straight, (SEEN, SEEN), interpolation=cv2.INTER_AREA), np.float32)


def _covered(rng: Rng, crop: Floats) -> Floats:
    """A disc or a figure lies or stands on it, and its shadow with it."""
    covered: Any = crop
    fixed = 16
    for _ in range(1 if rng.random() < 0.8 else 2):
        colour = np.array(WOODEN[rng.integers(len(WOODEN))]) * rng.uniform(0.6, 1.2) + rng.normal(0, 15, 3)
        side, turn = rng.uniform(0.1, 0.28) * SEEN, float(rng.uniform(0, 360))
        middle = rng.uniform(0.1, 0.9, 2) * SEEN
        body = [(middle, (side, side * rng.uniform(0.4, 1)))]
        if rng.random() < 0.6:  # a head beside it
            way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
            body.append((middle + way * side, (side * 0.5, side * 0.5)))
        for shade, by in ((covered * 0.6, side * 0.25), (np.zeros_like(crop) + colour, 0.0)):
            mask = np.zeros((SEEN, SEEN), np.uint8)
            for (x, y), (a, b) in body:
                centre = (int((x + by) * fixed), int((y + by) * fixed))
                axes = (int(a * fixed), int(b * fixed))
                cv2.ellipse(mask, centre, axes, turn, 0, 360, (255,), -1, cv2.LINE_AA, 4)
            part = mask[..., None].astype(np.float32) / 255
            covered = covered * (1 - part) + shade * part
    return np.asarray(covered, np.float32)


def _hidden(rng: Rng, crop: Floats) -> Floats:
    """A part that nobody sees, filled with one colour: the mean of the rest, or any grey."""
    hidden = crop.copy()
    far = int(rng.uniform(0.1, 0.45) * SEEN)
    left, top = (int(one) for one in rng.integers(-far // 2, SEEN, 2))
    colour = crop.mean(axis=(0, 1)) if rng.random() < 0.6 else np.full(3, rng.uniform(0, 255))
    hidden[max(0, top) : top + far if rng.random() < 0.7 else SEEN, max(0, left) : left + far] = colour
    return np.asarray(hidden, np.float32)


def _clipped(rng: Rng, crop: Floats) -> Floats:
    """Something grey reaches in from a side: a castle, a hand."""
    far, side, flat = rng.uniform(0.05, 0.35) * SEEN, int(rng.integers(4)), np.zeros((SEEN, SEEN), np.float32)
    left, middle, right = rng.uniform(0, 2 * far, 3)
    outline = [(0, 0), (SEEN, 0), (SEEN, right), (rng.uniform(0, SEEN), 0.3 * far + middle), (0, left)]
    cv2.fillPoly(flat, [np.array(outline).astype(np.int32)], 1.0)
    mask = np.rot90(flat, side)[..., None]
    rough: Any = rng.normal(0, rng.uniform(0, 30), (SEEN // 4, SEEN // 4)).astype(np.float32)
    grain = cv2.resize(rough, (SEEN, SEEN))[..., None]
    colour = rng.uniform(20, 230) + rng.normal(0, 20, 3)
    return np.asarray(crop * (1 - mask) + (colour + grain) * mask, np.float32)


def _blurred(rng: Rng, crop: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.3, 2.0)), np.float32)


def _far_away(rng: Rng, crop: Floats) -> Floats:
    """As a camera sees it that has few pixels for it."""
    side = int(rng.integers(18, SEEN))
    few = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
    way = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA)[rng.integers(3)]
    return np.asarray(cv2.resize(few, (SEEN, SEEN), interpolation=way), np.float32)


def _steeper(rng: Rng, crop: Floats) -> Floats:
    """As a camera that shows dark and light otherwise."""
    return np.asarray(255 * (np.clip(crop, 0, 255) / 255) ** np.exp(rng.normal(0, 0.25)), np.float32)


def _paler(rng: Rng, crop: Floats) -> Floats:
    grey = crop.mean(axis=2, keepdims=True)
    return np.asarray(grey + (crop - grey) * rng.uniform(0.4, 1.3), np.float32)


def _coloured(rng: Rng, crop: Floats) -> Floats:
    if rng.random() < 0.7:
        return np.asarray(crop * np.exp(rng.uniform(-0.5, 0.4, 3)), np.float32)
    warm = rng.uniform(0, 1.1)  # a lamp: little blue, less green than red
    return np.asarray(crop * np.exp(np.array((-warm, -0.4 * warm, 0)) + rng.normal(0, 0.1, 3)), np.float32)


def _dimmed(rng: Rng, crop: Floats) -> Floats:
    return np.asarray(crop * rng.uniform(0.25, 1.5), np.float32)


def _from_a_side(rng: Rng, crop: Floats) -> Floats:
    right, down = rng.uniform(-0.5, 0.5, 2)
    y, x = _parts(crop)
    return np.asarray(crop * (1 + right * (x - 0.5) + down * (y - 0.5))[..., None], np.float32)


def _parts(crop: Floats) -> tuple[Floats, Floats]:
    """How far down and to the right each pixel is, 0 to 1: a column and a row."""
    rows, columns = (np.linspace(0, 1, side, dtype=np.float32) for side in crop.shape[:2])
    return rows[:, None], columns[None]


def _glaring(rng: Rng, crop: Floats) -> Floats:
    """A lamp is reflected in it."""
    x, y = rng.uniform(-0.3, 1.3, 2)
    rows, columns = _parts(crop)
    away = ((columns - x) ** 2 + (rows - y) ** 2) / rng.uniform(0.2, 1.2) ** 2
    return np.asarray(crop + rng.uniform(30, 255) * np.exp(-away)[..., None], np.float32)


def _veiled(rng: Rng, crop: Floats) -> Floats:
    return np.asarray(crop + (rng.uniform(60, 220) - crop) * rng.uniform(0, 0.5), np.float32)


def _grainy(rng: Rng, crop: Floats) -> Floats:
    bright = np.clip(crop, 0, 255)
    return np.asarray(bright + rng.normal(0, rng.uniform(0, 12), crop.shape), np.float32)


def _packed(rng: Rng, crop: Floats) -> Floats:
    """As a JPEG of few bytes."""
    levels = np.clip(crop, 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", levels, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))))[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32)


CHANGES: Sequence[tuple[float, Callable[[Rng, Floats], Floats]]] = (
    (0.2, _clipped),
    (0.25, _blurred),
    (0.3, _far_away),
    (0.5, _steeper),
    (0.4, _paler),
    (0.75, _coloured),
    (0.5, _dimmed),
    (0.3, _from_a_side),
    (0.25, _glaring),
    (0.2, _veiled),
    (0.6, _grainy),
    (0.15, _packed),
    (0.1, _hidden),
)
"""How often each happens after something was put on a piece, in the order from the piece to the file."""
