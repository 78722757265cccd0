"""What the lamps beside the buttons say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Lamp(StrEnum):
    """What a lamp does."""

    OFF = "off"
    STEADY = "steady"
    """It is this player's turn."""
    PULSE = "pulse"
    """Something was seen and waits to be confirmed: slowly on and off."""
    BLINK = "blink"
    """There is something to look at on the page: short flashes."""


@dataclass(frozen=True)
class Lamps:
    """All lamps of a panel."""

    seats: tuple[Lamp, ...] = ()
    """One for each seat, in the order people sit."""
    common: Lamp = Lamp.OFF
    """The one of the button that belongs to everybody."""
