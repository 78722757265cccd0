"""Cells and points as notation writes them, for the plain count."""

from __future__ import annotations

Corner = tuple[int, int]


def corners(cell: str) -> list[Corner]:
    """The points of a cell such as `2,-1u`, in the order of its dots."""
    i, j = map(int, cell[:-1].split(","))
    return [(i, j), (i + 1, j), (i, j + 1)] if cell[-1] == "u" else [(i + 1, j), (i + 1, j + 1), (i, j + 1)]


def spot(text: str) -> Corner:
    """The point that is written as `@2,-1`."""
    i, j = map(int, text[1:].split(","))
    return i, j
