"""Pictures of pieces as bad photos show them: turned a little, clipped, blurred, in any light. Never mirrored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import CELL, INNER_SIDE
from models.registry import INPUT_SIDE as SEEN

Floats = NDArray[np.float32]
Rng = np.random.Generator

DRAWN = 96
"""Pixels of a piece's side before it is made worse."""
FINER = 2
"""How many times finer a crop is before it is made as small as the network sees it."""
AROUND = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (DRAWN * INNER_SIDE / CELL / 2)
"""The corners of what is described of a piece, from its middle."""
ACROSS, DOWN = (axis.astype(np.float32) for axis in np.meshgrid(*[np.linspace(0, 1, SEEN)] * 2))


def in_four_turns(pieces: Pixels) -> Pixels:
    """Upright pieces (n × 96 × 96 × 3 levels) as 4n classes: `4 * piece + quarter`, in quarter turns clockwise."""
    turns = [np.rot90(pieces, -quarter, axes=(1, 2)) for quarter in range(4)]
    return np.stack(turns, axis=1).reshape(-1, *pieces.shape[1:])


def augmented_batch(rng: Rng, turned: Pixels, count: int) -> tuple[Pixels, NDArray[np.int64]]:
    """So many crops (40 × 40 × 3 levels each) of classes picked at random, and these classes."""
    which = rng.integers(len(turned), size=count)
    return np.stack([augmented(rng, turned, turned[one]) for one in which]), which


def augmented(rng: Rng, turned: Pixels, piece: Pixels) -> Pixels:
    """One piece as a bad photo shows it, some of the others beside it."""
    crop = _laid(rng, _among(rng, turned, piece))
    for chance, change in CHANGES:
        if rng.random() < chance:
            crop = change(rng, crop)
    return np.asarray(np.clip(crop, 0, 255), np.uint8)


def _among(rng: Rng, turned: Pixels, piece: Pixels) -> Pixels:
    """The piece between others, or on a table of one colour."""
    picture = np.empty((3 * DRAWN, 3 * DRAWN, 3), np.uint8)
    if rng.random() < 0.3:
        picture[:] = rng.integers(0, 256, 3)
    else:
        for y, x in np.ndindex(3, 3):
            other = turned[rng.integers(len(turned))]
            picture[y * DRAWN : (y + 1) * DRAWN, x * DRAWN : (x + 1) * DRAWN] = other
    picture[DRAWN:-DRAWN, DRAWN:-DRAWN] = piece
    return picture


def _laid(rng: Rng, picture: Pixels) -> Floats:
    """The middle of a picture as it is found: turned, larger or smaller, beside its place, at an angle."""
    turn = np.radians(rng.normal(0, 2.5))
    c, s = np.cos(turn), np.sin(turn)
    corners = AROUND @ np.array([(c, s), (-s, c)]) * np.exp(rng.normal(0, 0.03, 2))
    beside = rng.normal(0, 0.025, 2) + (rng.uniform(-0.14, 0.14, 2) if rng.random() < 0.3 else 0)
    corners = corners + (beside + rng.normal(0, 0.02, (4, 2)) + 1.5) * DRAWN
    size = SEEN * FINER
    flat = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    straight = cv2.warpPerspective(picture, matrix, (size, size), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(straight, (SEEN, SEEN), interpolation=cv2.INTER_AREA), np.float32)


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
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.3, 1.6)), np.float32)


def _steeper(rng: Rng, crop: Floats) -> Floats:
    """As a camera that shows dark and light otherwise."""
    return np.asarray(255 * (np.clip(crop, 0, 255) / 255) ** np.exp(rng.normal(0, 0.25)), np.float32)


def _paler(rng: Rng, crop: Floats) -> Floats:
    grey = crop.mean(axis=2, keepdims=True)
    return np.asarray(grey + (crop - grey) * rng.uniform(0.4, 1.3), np.float32)


def _coloured(rng: Rng, crop: Floats) -> Floats:
    return np.asarray(crop * np.exp(rng.uniform(-0.5, 0.4, 3)), np.float32)


def _dimmed(rng: Rng, crop: Floats) -> Floats:
    return np.asarray(crop * rng.uniform(0.25, 1.5), np.float32)


def _from_a_side(rng: Rng, crop: Floats) -> Floats:
    right, down = rng.uniform(-0.5, 0.5, 2)
    return np.asarray(crop * (1 + right * (ACROSS - 0.5) + down * (DOWN - 0.5))[..., None], np.float32)


def _glaring(rng: Rng, crop: Floats) -> Floats:
    """A lamp is reflected in it."""
    x, y = rng.uniform(-0.3, 1.3, 2)
    away = ((ACROSS - x) ** 2 + (DOWN - y) ** 2) / rng.uniform(0.2, 1.2) ** 2
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
    (0.25, _clipped),
    (0.25, _blurred),
    (0.5, _steeper),
    (0.4, _paler),
    (0.75, _coloured),
    (0.5, _dimmed),
    (0.3, _from_a_side),
    (0.25, _glaring),
    (0.2, _veiled),
    (0.6, _grainy),
    (0.15, _packed),
)
"""How often each happens, in the order from the piece to the file."""
