"""Everything that makes a camera's pictures worse than a drawing, each of it to be switched on and off."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import pi, sin
from threading import Lock

from companion.core.message import Message
from companion.core.message import message as _
from companion.virtual.control import Switch


@dataclass(frozen=True)
class Disturbance:
    """One thing that disturbs, and how its strength wanders."""

    key: str
    name: Message
    about: Message
    """What it does to the pictures, in a line."""
    least: float
    """The strength is never below this while it is switched on, and never above `most`."""
    most: float
    period: float = 0
    """Seconds in which it rises and falls; 0 when it stays as the seed has made it."""
    usual: bool = True
    """Whether it is on at most tables."""

    def strength(self, seed: int, time: float) -> float:
        """How strong it is then; the same for the same seed."""
        choose = random.Random(f"{self.key} {seed}")
        if not self.period:
            return choose.uniform(self.least, self.most)
        slow, fast = choose.uniform(0, 2 * pi), choose.uniform(0, 2 * pi)
        turn = 2 * pi * time / self.period
        wave = 0.7 * sin(turn + slow) + 0.3 * sin(2.7 * turn + fast)
        return self.least + (self.most - self.least) * (wave + 1) / 2


DISTURBANCES = (
    Disturbance(
        "perspective",
        _("Camera not straight above"),
        _("The table looks narrower at its far end."),
        0.5,
        1,
    ),
    Disturbance("lens", _("Bent picture of a wide lens"), _("Straight edges bow outwards."), 0.5, 1),
    Disturbance(
        "gradient",
        _("Light from one side"),
        _("One side of the table is brighter than the other."),
        0.15,
        0.4,
        90,
    ),
    Disturbance(
        "colour", _("Coloured light"), _("Whites look yellowish or bluish, and that changes."), -1, 1, 120
    ),
    Disturbance(
        "shadows",
        _("Shadows of people"),
        _("People lean over the table, and the light sways."),
        0.1,
        0.35,
        20,
    ),
    Disturbance("hand", _("Hands above the table"), _("Now and then somebody reaches across."), 1, 1),
    Disturbance(
        "screens",
        _("Tablet and lamps on the table"),
        _("Our own tablet and lamps change all the time."),
        1,
        1,
    ),
    Disturbance("blur", _("Not quite sharp"), _("The focus is a little off."), 0.55, 1.1, 40),
    Disturbance(
        "noise", _("Noise of a dim evening"), _("Grain over everything, as with little light."), 0.3, 1, 60
    ),
    Disturbance("jpeg", _("Compressed pictures"), _("Small squares and fringes at the edges."), 0.2, 1, 50),
    Disturbance(
        "flicker",
        _("Flickering lamp"),
        _("The brightness jumps from picture to picture."),
        0.3,
        1,
        10,
        usual=False,
    ),
    Disturbance(
        "glare",
        _("Reflection of a lamp"),
        _("A bright spot comes and goes, and hides what is below."),
        0.5,
        1,
        usual=False,
    ),
)

WELL_LIT = ("perspective", "lens", "shadows", "hand", "screens", "jpeg")
"""What a well lit table has all the same."""


class Disturbances:
    """Which disturbances are on, and how strong they are at a moment."""

    def __init__(self, seed: int = 0, on: Iterable[str] | None = None) -> None:
        self.seed = seed
        self._lock = Lock()
        usual = {disturbance.key for disturbance in DISTURBANCES if disturbance.usual}
        chosen = usual if on is None else set(on)
        self._on: Mapping[str, bool] = {
            disturbance.key: disturbance.key in chosen for disturbance in DISTURBANCES
        }
        if unknown := chosen - self._on.keys():
            raise KeyError(min(unknown))

    @property
    def switches(self) -> tuple[Switch, ...]:
        on = self._on
        return tuple(Switch(one.key, one.name, on[one.key], one.about) for one in DISTURBANCES)

    def on(self, key: str) -> bool:
        return self._on[key]

    def switch(self, key: str, on: bool) -> None:
        """Switch one on or off, or KeyError."""
        with self._lock:
            if key not in self._on:
                raise KeyError(key)
            self._on = {**self._on, key: on}

    def strengths(self, time: float) -> Mapping[str, float]:
        """What is on, and how strong it is at that time."""
        on = self._on
        return {
            disturbance.key: disturbance.strength(self.seed, time)
            for disturbance in DISTURBANCES
            if on[disturbance.key]
        }
