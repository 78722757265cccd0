"""The steps of an Era's end, and the tracks that can be set right."""

from __future__ import annotations

from enum import StrEnum


class EraStep(StrEnum):
    """What the table does together at the end of an Era, in this order."""

    EFFECTS = "effects"
    ROLES = "roles"
    NEXT = "next"
    OBJECTIVES = "objectives"


class Track(StrEnum):
    """What can be set right by hand besides Knowledge and limits."""

    INFLUENCE = "influence"
    POINTS = "points"
    MARKERS = "markers"
