"""The table as the camera is told to see it: its size, and where the printed markers lie on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Point = tuple[float, float]
"""Millimetres to the right and down from the table's upper left corner."""


@dataclass(frozen=True)
class Mat:
    """The part of the table that is watched; a marker lies flat in each of its corners."""

    width: float = 1600
    """Millimetres, as all here."""
    height: float = 900
    marker: float = 50
    """Side of a marker's black square."""
    inset: float = 35
    """From the edges of the mat to the middle of a marker."""
    ids: tuple[int, int, int, int] = field(default=(0, 1, 2, 3))
    """Which marker of OpenCV's dictionary DICT_4X4_50 lies where, clockwise from the upper left."""

    @property
    def middles(self) -> Mapping[int, Point]:
        """Where the middle of each marker lies."""
        left, top, right, bottom = self.inset, self.inset, self.width - self.inset, self.height - self.inset
        return dict(zip(self.ids, ((left, top), (right, top), (right, bottom), (left, bottom)), strict=True))

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the upper left, for people who drag them."""
        return (0, 0), (self.width, 0), (self.width, self.height), (0, self.height)
