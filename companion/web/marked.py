"""What the camera has read of one piece, drawn on its own picture, for people to say whether it is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot

from companion.core.observation import Area, Doubt, Mark, Proposal, Reading, close_up
from companion.watch.state import WatchState

OUT_MM = 52.0
"""How far from the middle what was read near a corner is named: beside the piece, never on it."""
RIM_MM = 1.5
"""A place is ringed a little outside of its edge."""
BELOW_MM = 37.0
"""And what was read in the middle."""


@dataclass(frozen=True)
class MarkLabel:
    """What was read in one place, and where beside the piece it is named."""

    x: float
    """In millimetres of the table, as all here."""
    y: float
    at: tuple[float, float]
    """The place itself, with how far it reaches."""
    radius: float
    begins: tuple[float, float]
    """On the rim of that place: from there a line leads to its name."""
    letter: str
    unsure: bool
    to: Mapping[str, str]


@dataclass(frozen=True)
class MarkedPiece:
    """One piece, as it was read."""

    what: str
    """`proposal` or `doubt`, and its number, as the address of its picture has them."""
    number: int
    box: tuple[float, float, float, float]
    """What its picture shows of the table: left, top, width, height."""
    chips: tuple[MarkLabel, ...]


def marked_piece(reading: Reading, watch: WatchState) -> MarkedPiece | None:
    """The piece that people have to look at; None when there is none."""
    found: list[tuple[str, int, Proposal | Doubt]] = [
        *(("doubt", number, one) for number, one in enumerate(reading.doubts)),
        *(("proposal", number, one) for number, one in enumerate(reading.proposals)),
    ]
    for what, number, one in found:
        if one.area and (one.marks or what == "doubt"):
            return MarkedPiece(what, number, _box(one.area, watch), tuple(_chips(one.area, one.marks)))
    return None


def _box(area: Area, watch: WatchState) -> tuple[float, float, float, float]:
    left, top, right, bottom = close_up(area)
    return left, top, min(right, watch.width) - left, min(bottom, watch.height) - top


def _chips(area: Area, marks: tuple[Mark, ...]) -> list[MarkLabel]:
    return [_chip(_beside(area, marks, mark), mark) for mark in marks]


def _chip(there: tuple[float, float], mark: Mark) -> MarkLabel:
    dx, dy = there[0] - mark.x, there[1] - mark.y
    part = (mark.radius + RIM_MM) / (hypot(dx, dy) or 1.0)
    begins = round(mark.x + part * dx, 1), round(mark.y + part * dy, 1)
    at = round(mark.x, 1), round(mark.y, 1)
    return MarkLabel(*there, at, mark.radius + RIM_MM, begins, mark.letter, mark.unsure, mark.to)


def _beside(area: Area, marks: tuple[Mark, ...], mark: Mark) -> tuple[float, float]:
    """Outwards from the middle; what is in the middle, opposite one of the others."""
    dx, dy, far = mark.x - area.x, mark.y - area.y, OUT_MM
    if hypot(dx, dy) < 1:
        low = min(marks, key=lambda one: one.y)  # below, as far as the piece allows
        dx, dy, far = area.x - low.x, area.y - low.y, BELOW_MM
    way = hypot(dx, dy) or 1.0
    return round(area.x + far * dx / way, 1), round(area.y + far * dy / way, 1)
