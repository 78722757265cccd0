"""The track of 50 spaces around which a follower of each player counts the points."""

from __future__ import annotations

from typing import NamedTuple

TRACK_SPACES = 50
_COLUMNS, _ROWS = 16, 11
"""Of a ring of fifty spaces."""


class TrackPlace(NamedTuple):
    """Where a player's follower is on the track."""

    space: int
    laps: int
    """Rulebook 001: after the first lap the follower lies down, which means 50 points more."""

    @property
    def at(self) -> tuple[int, int]:
        return ring_place(self.space)


def track_place(points: int) -> TrackPlace:
    laps, space = divmod(points, TRACK_SPACES)
    return TrackPlace(space, laps)


def ring_place(space: int) -> tuple[int, int]:
    """The column and row of a space when the track is drawn as a ring, clockwise from its lower left corner."""
    right, down = _COLUMNS - 1, _ROWS - 1
    for length, (x, y), (dx, dy) in (
        (down, (0, down), (0, -1)),
        (right, (0, 0), (1, 0)),
        (down, (right, 0), (0, 1)),
        (right, (right, down), (-1, 0)),
    ):
        if space < length:
            return x + dx * space, y + dy * space
        space -= length
    return ring_place(space)
