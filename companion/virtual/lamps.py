"""The lamps a table may stand under, as a camera shows them that does not even out their colour."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.drawing import Image

DAYLIGHT, WHITE_LAMP, WARM_LAMP = "daylight", "4000", "2700"
_GAINS = {DAYLIGHT: (1.0, 1.0, 1.0), WHITE_LAMP: (0.37, 0.64, 1.0), WARM_LAMP: (0.095, 0.4, 1.0)}
"""How much of blue, green and red light there is beside daylight: a black body of 4000 and 2700 kelvin."""
LAMP_KINDS = tuple(_GAINS)
_MIXED = np.array([[0.9, 0.08, 0.02], [0.06, 0.88, 0.06], [0.02, 0.08, 0.9]], np.float32)
"""What of each colour a sensor takes for another when the light is far from daylight."""
_STEPS = 4095


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """From levels to light, and back in small steps."""
    levels = np.arange(256) / 255
    light = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    steps = np.arange(_STEPS + 1) / _STEPS
    back = np.where(steps <= 0.0031308, steps * 12.92, 1.055 * steps ** (1 / 2.4) - 0.055)
    return light.astype(np.float32), np.rint(back * 255).astype(np.uint8)


def under_lamp(picture: Image, lamp: str) -> Image:
    """The picture under one of these lamps."""
    if lamp == DAYLIGHT:
        return picture
    to_light, back = _tables()
    turned = np.array(_GAINS[lamp], np.float32)[:, None] * _MIXED
    light = cv2.transform(to_light[picture], turned)
    return np.asarray(back[np.clip(light * _STEPS, 0, _STEPS).astype(np.uint16)], np.uint8)
