"""What a good eye would see of a position: tiles as hands lay them, a little apart, askew, and drifting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin
from random import Random

from companion.core.game import Setup
from companion.core.lattice import offset
from companion.core.observation import Observation
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.sight.layout import CarcassonneSight
from companion.games.carcassonne.sight.registration import SIDE_MM
from companion.games.carcassonne.sight.shapes import shapes

SIGHT = CarcassonneSight()


def seen(setup: Setup, position: Position, seed: int = 0, turned: float = 0) -> tuple[Observation, ...]:
    """Everything on the table, all of it turned so many degrees about the table's middle."""
    random = Random(seed)
    drift = 1 + random.uniform(0.01, 0.035)
    found = []
    for one in SIGHT.arrange(setup, position):
        flat = one.face.startswith("tile")
        x = one.x * drift + random.gauss(0, 0.8 if flat else 1.5)
        y = one.y * drift + random.gauss(0, 0.8 if flat else 1.5)
        angle = one.angle + random.gauss(0, 1.2)
        found.append(_turned(Observation(one.face, x, y, angle % 360), turned))
    random.shuffle(found)
    return tuple(found)


def _turned(one: Observation, degrees: float) -> Observation:
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return replace(one, x=one.x * c - one.y * s, y=one.x * s + one.y * c, angle=(one.angle + degrees) % 360)


def without(found: Sequence[Observation], *labels: str) -> tuple[Observation, ...]:
    return tuple(one for one in found if one.label not in labels)


def changed(found: Sequence[Observation], which: str, **to: object) -> tuple[Observation, ...]:
    """The same table, but for everything of that label."""
    return tuple(replace(one, **to) if one.label == which else one for one in found)  # type: ignore[arg-type]  # names of fields


def between(tile: Observation, *parts: str) -> tuple[float, float]:
    """The place in the middle between where followers of some parts of a tile stand."""
    spots = [shapes(tile.label[-1])[part].spot for part in parts]
    x, y = (sum(spot[axis] for spot in spots) / len(spots) / 10 - SIDE_MM / 2 for axis in (0, 1))
    dx, dy = offset(x, y, tile.angle)
    return tile.x + dx, tile.y + dy
