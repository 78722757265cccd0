"""Pictures made worse on purpose: what tells whether reading a photo still asks when it should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels

GAINS = {
    "warm": (0.6, 0.9, 1.15),
    "blue": (1.3, 1.0, 0.7),
    "dark": (0.35, 0.35, 0.35),
    "bright": (1.6, 1.6, 1.6),
}
"""What each light does to blue, green and red."""
GRAIN = 25
"""Levels of noise."""
LAMP = (0.62, 0.6, 0.12)
"""Where a lamp's reflection is, and how far it reaches, in parts of the picture."""
SMALL, LONG, FAR = 160, 900, 1000
"""Pixels of the longer side of a small picture, and of one that has more than that many and shows a table, too."""
TURN = 2.5
"""Degrees by which a picture is turned about its middle."""
HAND = ((1.0, 0.3), (0.16, 0.05))
"""Where something grey reaches in, and how far, in parts of the picture."""


def degraded(picture: Pixels) -> Iterator[tuple[str, Pixels]]:
    """The same picture in bad light, out of focus, with noise or a lamp's reflection, small, turned, and clipped."""
    for name, gains in GAINS.items():
        yield name, _clipped(picture * np.array(gains, np.float32))
    height, width = picture.shape[:2]
    blur = max(height, width) / 500
    yield "blurred", np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
    noise = np.random.default_rng(0).normal(0, GRAIN, picture.shape)
    yield "noise", _clipped(picture + noise)
    x, y, reach = LAMP
    down, right = np.mgrid[:height, :width]
    away = ((right / width - x) / reach) ** 2 + ((down / height - y) / reach) ** 2
    yield "lamp", _clipped(picture + 255 * np.exp(-away)[..., None])
    scale = (LONG if max(height, width) > FAR else SMALL) / max(height, width)
    yield "small", np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), TURN, 1.0)
    turned = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    yield "turned", np.asarray(turned, np.uint8)
    (x, y), (right_by, down_by) = HAND
    hand = ((right / width - x) / right_by) ** 2 + ((down / height - y) / down_by) ** 2 < 1
    yield "clipped", np.where(hand[..., None], np.uint8(120), picture)


def _clipped(levels: Any) -> Pixels:
    return np.asarray(np.clip(levels, 0, 255), np.uint8)
