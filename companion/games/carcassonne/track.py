"""The track of 50 spaces around which a follower of each player counts the points."""

from __future__ import annotations

from typing import NamedTuple

SPACES = 50


class TrackPlace(NamedTuple):
    """Where a player's follower is on the track."""

    space: int
    laps: int
    """Rulebook 001: after the first lap the follower lies down, which means 50 points more."""


def track_place(points: int) -> TrackPlace:
    laps, space = divmod(points, SPACES)
    return TrackPlace(space, laps)
