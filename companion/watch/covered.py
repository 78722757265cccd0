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
BULKY_MM, BESIDE_MM = 45.0, 20.0
"""Something so wide is no part of a piece but a thing of its own, and pieces beside it may be half under it."""


def with_covered(
    before: Iterable[Observation], seen: Sequence[Observation], unknown: Sequence[Area], game: AnyGame
) -> tuple[Observation, ...]:
    """What is seen, and what was seen before where something lies now that is no piece."""
    things = [_grown(area) for area in unknown if _bulky(area)]
    covers = [*things, *(area for area in unknown if not _bulky(area))]
    # The hem of a napkin looks a little like many things, and very much like none.
    clear = [one for one in seen if one.confidence >= FAINT or not _under(one, things)]
    faces = game.sight.faces if game.sight else ()
    standing = frozenset(face.label for face in faces if face.stands)
    hidden = (
        replace(one, confidence=min(one.confidence, FAINT))
        for one in before
        if _under(one, covers) and not any(_same_covered_place(one, other, standing) for other in clear)
    )
    return (*clear, *hidden)


def _bulky(area: Area) -> bool:
    return min(area.width, area.height) >= BULKY_MM


def _grown(area: Area) -> Area:
    return replace(area, width=area.width + 2 * BESIDE_MM, height=area.height + 2 * BESIDE_MM)


def _under(one: Observation, areas: Iterable[Area]) -> bool:
    for area in areas:
        dx, dy = offset_in(area, one.x, one.y)
        if abs(dx) <= area.width / 2 and abs(dy) <= area.height / 2:
            return True
    return False


def _same_covered_place(one: Observation, other: Observation, standing: Collection[str]) -> bool:
    same_layer = (one.label in standing) == (other.label in standing)
    return same_layer and hypot(one.x - other.x, one.y - other.y) < PLACE_MM
