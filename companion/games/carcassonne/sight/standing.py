"""On which part of a tile a follower stands, by the tile's own areas."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from companion.games.carcassonne.rules.board import KIND_OF_LETTER, FeatureKind
from companion.games.carcassonne.sight.shapes import TILE_SIDE, Point, away_from, shapes

COUNTED = 0.1
"""How much nearer a part has to be that is complete: its followers went home when it was counted; sides of a tile."""


class Exactness(NamedTuple):
    """How exactly it is seen where and how followers stand, in sides of a tile."""

    near: float
    """One that is so much nearer to one part than to any other stands on that."""
    posed: float
    """How much nearer a part has to be on which it would have to stand or lie otherwise than it does."""
    unposed: float
    """The same as `near` of one of which it is not clear whether it stands or lies."""


FROM_ASIDE = Exactness(0.15, 0.2, 0.15)
FROM_ABOVE = Exactness(0.06, 0.14, 0.12)
"""Feet are seen better, and whether they are feet, worse."""


def parts_at(
    letter: str, point: Point, lies: bool | None, exact: Exactness, complete: Collection[str] = ()
) -> tuple[str, ...]:
    """The parts of a tile that it may stand on, the likeliest first; more than one where it is not clear.

    `point` is a place of the unturned tile in tenths of a millimetre; only farmers lie, and `lies` is None where it is
    not clear whether it does.
    """

    def against(part: str) -> float:
        away = away_from(letter, part, point) / TILE_SIDE
        farmer = KIND_OF_LETTER[part[0]] is FeatureKind.FIELD
        away += exact.posed if lies is not None and lies != farmer else 0
        return away + (COUNTED if part in complete else 0)

    ranked = sorted((against(part), part) for part in shapes(letter))
    near = exact.unposed if lies is None else exact.near
    return tuple(part for away, part in ranked if away - ranked[0][0] < near)
