"""What is said between the table's devices and the rest.

What its lamps do, how the camera looks at the table, and what people wish about that.

Places in a picture are pixels, sizes of the table millimetres. Values only; hardware and calibration act upon
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isinf

from companion.core.message import Message
from companion.core.message import message as _


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


Pixel = tuple[float, float]
"""Pixels to the right and down from a picture's upper left corner."""
PixelLine = tuple[Pixel, ...]


class FoundBy(StrEnum):
    """What tells where the table is."""

    NOTHING = "nothing"
    MARKERS = "markers"
    CORNERS = "corners"
    """Somebody has shown them."""


@dataclass(frozen=True)
class CalibrationState:
    """How the camera looks at the table."""

    width: int = 0
    """Pixels of a picture, as is the height; 0 before the first one."""
    height: int = 0
    found: FoundBy = FoundBy.NOTHING
    table: tuple[float, float] = (1600, 900)
    """Millimetres of the table that are watched."""
    ids: tuple[int, ...] = (0, 1, 2, 3)
    """The markers, clockwise from the upper left."""
    markers: frozenset[int] = frozenset()
    """Those that are seen."""
    outlines: Mapping[int, PixelLine] = field(default_factory=dict)
    """The corners of markers that are seen, in the picture."""
    corners: PixelLine = ()
    """The table's corners in the picture, clockwise from the upper left; none when it was not found."""
    edge: PixelLine = ()
    """The table's edges in the picture, which a wide lens bends."""
    grid: tuple[PixelLine, ...] = ()
    """Lines on the table, a hand's breadth from each other, as the picture shows them."""
    measured: tuple[float, float] | None = None
    """What the markers say about the table's size, where that is something else."""
    bumped_mm: float = 0
    """How far the camera was bumped last, before the markers were found again."""
    off_mm: float = 0
    """How far beside the corners that were shown the table is now; infinite where nothing looks as it did."""
    guarded: bool = True
    """Whether a bump would be noticed."""
    empty: bool = False
    """Whether the empty table is known."""
    told: Message | None = None
    """What has come of the last wish."""


@dataclass(frozen=True)
class CornersShown:
    """Somebody has shown the corners in a picture of that size; without any, the markers say where the table is."""

    corners: PixelLine
    frame: tuple[int, int]


@dataclass(frozen=True)
class SizeSaid:
    """Somebody has measured the table."""

    width: float
    """Millimetres, as is the height."""
    height: float


@dataclass(frozen=True)
class TableEmpty:
    """Somebody says that nothing lies on the table, or wants what was learned then to be forgotten."""

    now: bool = True


CalibrationRequest = CornersShown | SizeSaid | TableEmpty


def table_moved(millimetres: float) -> Message:
    """That the table is not where its corners were shown."""
    if isinf(millimetres):
        return _(
            "Everything looks different from when the corners were shown. Nothing is read: see whether the camera "
            "was moved, and show the corners again."
        )
    return _(
        "The camera was bumped by about %(far)d mm. Nothing is read: push it back, or show the corners again.",
        far=round(millimetres),
    )


def camera_bumped(millimetres: float) -> Message:
    """That the camera was bumped, and nobody has to do anything."""
    return _("The camera was bumped by %(far)d mm; the markers were found again.", far=round(millimetres))
