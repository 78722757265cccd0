"""Which of a game's colours a spot has: compared with a card that shows all of them in the same light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Tint
from companion.core.tinted import UNREAD, Spot
from companion.vision.classify import ramp
from companion.vision.poses import Poses
from companion.vision.stencil import sampled

Light = NDArray[np.float64]
"""Blue, green and red as the light comes in, 1 for white paper; Lab where it is said."""

INNER = 0.5
"""How much of a spot is looked at: its rim is mixed with what lies around it."""
MARGIN = (0.12, 0.38)
"""From no confidence to all of it: by how much nearer it is to the first colour than to the second."""
FAR = (16.0, 34.0)
"""From all confidence to none: how far in Lab a spot is from the colour that is nearest."""
LEAST = 0.004
"""Light below which there is only noise."""
_TO_XYZ = np.array([[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]])
_WHITE = _TO_XYZ.sum(axis=1)


def _linear() -> NDArray[np.float32]:
    levels = np.arange(256) / 255
    return np.asarray(
        np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4), np.float32
    )


LINEAR = _linear()


def light_of(picture: Pixels) -> NDArray[np.float32]:
    """A picture as the light that came in."""
    return np.asarray(LINEAR[picture], np.float32)


def lab(light: Light) -> Light:
    """Colours as far apart as people see them."""
    xyz = np.maximum(light, 0) @ _TO_XYZ.T / _WHITE
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def disc(spot: Spot) -> NDArray[np.float32]:
    """The places looked at, half a millimetre apart."""
    reach = spot.radius * INNER
    along = np.arange(-reach, reach + 0.01, 0.5)
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    inside = np.hypot(x, y) <= reach
    return np.stack([x[inside] + spot.x, y[inside] + spot.y], -1).astype(np.float32)


def colour_at(light: NDArray[np.float32], pose: Poses, spot: Spot) -> Light:
    return np.asarray(np.median(sampled(light, pose[None], disc(spot))[0], axis=0), np.float64)


@dataclass(frozen=True, eq=False)
class Inks:
    """The game's colours as they look now."""

    letters: tuple[str, ...]
    labs: Light
    """Each as it would look in daylight, in Lab."""
    cardboard: Light
    """How much cardboard gives back in daylight."""

    @classmethod
    def of(
        cls, light: NDArray[np.float32], pose: Poses, patches: Mapping[str, Spot], bare: str, cardboard: Light
    ) -> Inks:
        found = {letter: colour_at(light, pose, spot) for letter, spot in patches.items()}
        here = np.maximum(found[bare], LEAST)
        return cls(tuple(found), lab(np.stack([*found.values()]) / here * cardboard), cardboard)

    def name(self, seen: Light, cardboard: Light, allowed: Sequence[str]) -> Tint:
        """The colour of a spot on a piece whose cardboard looks like that: light and shadow lie on both alike."""
        daylight = seen / np.maximum(cardboard, LEAST) * self.cardboard
        off = np.linalg.norm(self.labs - lab(daylight), axis=1)
        order = [n for n in np.argsort(off).tolist() if self.letters[n] in allowed]
        first, second = off[order[0]], off[order[1]]
        # What is nearest of all speaks against what is allowed here: a marker may hide a Field.
        strange = first - off.min()
        margin = (second - first) / (second + first + 1e-6)
        sure = ramp(float(margin), MARGIN) * (1 - ramp(float(first + strange), FAR))
        if first > FAR[1]:
            return Tint(UNREAD, 0.0, self.letters[order[0]])
        return Tint(self.letters[order[0]], round(sure, 3), self.letters[order[1]])
