"""Which of a game's colours a spot has: compared with a card that shows all of them in the same light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Tint
from companion.core.tinted import UNREAD, ColourSpot
from companion.vision.live.classify import ramp
from companion.vision.live.stencil import sampled
from companion.vision.poses import Poses

Light = NDArray[np.float64]
"""Blue, green and red as the light comes in, 1 for white paper; or as levels of a picture, where it is said."""

INNER = 0.5
"""How much of a spot is looked at: its rim is mixed with what lies around it."""
ERROR = np.array([5.0, 3.6, 5.0])
"""Levels of blue, green and red by which a spot is off where the camera has a pixel to a millimetre; less with more."""
PRINT, BRIGHTER = 0.02, 0.05
"""By which part of a level spots of the same ink differ: each colour of light for itself, and all of them alike."""
ODDS = (2.0, 8.0)
"""From no confidence to all of it: the logarithm of how much likelier the first colour is than the second."""
FAR = (4.0, 7.0)
"""From all confidence to none: how many times as far as is usual a spot is from the colour that is nearest."""
LEAST = 0.004
"""Light below which there is only noise."""


def _linear() -> NDArray[np.float32]:
    levels = np.arange(256) / 255
    return np.asarray(
        np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4), np.float32
    )


LINEAR = _linear()


def light_of(picture: Pixels) -> NDArray[np.float32]:
    """A picture as the light that came in."""
    return np.asarray(LINEAR[picture], np.float32)


def levels_of(light: Light) -> Light:
    """What a picture says of light that comes in."""
    light = np.maximum(light, 0)
    return np.asarray(
        255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055), np.float64
    )


def disc(spot: ColourSpot) -> NDArray[np.float32]:
    """The places looked at, half a millimetre apart."""
    reach = spot.radius * INNER
    along = np.arange(-reach, reach + 0.01, 0.5)
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    inside = np.hypot(x, y) <= reach
    return np.stack([x[inside] + spot.x, y[inside] + spot.y], -1).astype(np.float32)


def colour_at(light: NDArray[np.float32], pose: Poses, spot: ColourSpot) -> Light:
    return np.asarray(np.median(sampled(light, pose[None], disc(spot))[0], axis=0), np.float64)


@dataclass(frozen=True, eq=False)
class Inks:
    """The game's colours as they look now."""

    letters: tuple[str, ...]
    ratios: Light
    """How much light each gives back, in parts of what cardboard does."""

    @classmethod
    def of(
        cls, light: NDArray[np.float32], pose: Poses, patches: Mapping[str, ColourSpot], bare: str
    ) -> Inks:
        found = {letter: colour_at(light, pose, spot) for letter, spot in patches.items()}
        return cls(tuple(found), np.stack([*found.values()]) / np.maximum(found[bare], LEAST))

    def name(self, seen: Light, cardboard: Light, allowed: Sequence[str], sharpness: float) -> Tint:
        """The colour of a spot on a piece whose cardboard looks like that: light and shadow lie on both alike.

        A colour of which the light shows little, as a warm lamp does of blue, says as little here.
        """
        off = _colour_distance(levels_of(seen), levels_of(self.ratios * cardboard), sharpness)
        first, second = [n for n in np.argsort(off).tolist() if self.letters[n] in allowed][:2]
        # What is nearest of all speaks against what is allowed here: a marker may hide a Field.
        strange = 2 * off[first] - off.min()
        if off[first] > FAR[1]:
            return Tint(UNREAD, 0.0, self.letters[first])
        sure = ramp(float(off[second] ** 2 - off[first] ** 2) / 2, ODDS) * (1 - ramp(float(strange), FAR))
        return Tint(self.letters[first], round(sure, 3), self.letters[second])


def _colour_distance(seen: Light, expected: Light, sharpness: float) -> Light:
    """How far levels are from those that are expected, in parts of what is usual."""
    usual = np.hypot(ERROR / sharpness, PRINT * expected)
    by, whole = (seen - expected) / usual, expected / usual
    # What all of it is brighter or darker says little.
    alike = (by * whole).sum(axis=1) ** 2 / (BRIGHTER**-2 + (whole**2).sum(axis=1))
    return np.asarray(np.sqrt((by**2).sum(axis=1) - alike), np.float64)
