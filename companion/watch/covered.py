"""What lay on the table before something was put over it is taken to lie there still."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import hypot

from companion.core.game import AnyGame
from companion.core.observation import Area, Observation, offset_in

FAINT = 0.3
"""Confidence in what can only be remembered: too little to contradict anything, or to be recorded."""
PLACE_MM = 15.0
"""What is seen nearer than this lies in the same place."""


def with_covered(
    before: Iterable[Observation], seen: Sequence[Observation], unknown: Sequence[Area], game: AnyGame
) -> tuple[Observation, ...]:
    """What is seen, and what was seen before where something lies now that is no piece."""
    faces = game.sight.faces if game.sight else ()
    standing = frozenset(face.label for face in faces if face.stands)
    hidden = (
        replace(one, confidence=min(one.confidence, FAINT))
        for one in before
        if any(_lies_under(one, area) for area in unknown)
        and not any(_same_place(one, other, standing) for other in seen)
    )
    return (*seen, *hidden)


def _lies_under(one: Observation, area: Area) -> bool:
    dx, dy = offset_in(area, one.x, one.y)
    return abs(dx) <= area.width / 2 and abs(dy) <= area.height / 2


def _same_place(one: Observation, other: Observation, standing: Collection[str]) -> bool:
    same_layer = (one.label in standing) == (other.label in standing)
    return same_layer and hypot(one.x - other.x, one.y - other.y) < PLACE_MM
