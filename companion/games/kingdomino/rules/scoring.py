"""What a kingdom is worth: rulebook 002, "Final da Partida e Pontuação" and "Regras Opcionais"."""

from __future__ import annotations

from collections.abc import Sequence, Set

from companion.core.message import message as _
from companion.core.tally import Criterion, Standing, stand
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.variants import HARMONY_POINTS, MIDDLE_KINGDOM_POINTS, Variant


def property_points(kingdom: Kingdom) -> int:
    return sum(found.points for found in kingdom.properties())


def middle_kingdom_points(kingdom: Kingdom) -> int:
    """The bonus by the rectangle around the kingdom, which an incomplete kingdom can earn as well."""
    return MIDDLE_KINGDOM_POINTS if kingdom.centred else 0


def harmony_points(kingdom: Kingdom) -> int:
    """The bonus of a kingdom that took every domino: only then all its squares are filled."""
    return HARMONY_POINTS if kingdom.complete else 0


def points(kingdom: Kingdom, variants: Set[str]) -> int:
    """What the kingdom brings in a game by these variants."""
    total = property_points(kingdom)
    if Variant.MIDDLE_KINGDOM in variants:
        total += middle_kingdom_points(kingdom)
    if Variant.HARMONY in variants:
        total += harmony_points(kingdom)
    return total


def largest_property(kingdom: Kingdom) -> int:
    return max((found.size for found in kingdom.properties()), default=0)


def rank(kingdoms: Sequence[Kingdom], totals: Sequence[int]) -> Standing:
    """Points, then the largest property with or without crowns, then crowns; who is still equal shares the victory."""
    return stand(
        (
            points_criterion(totals),
            Criterion(
                "largest_property",
                _("the largest property"),
                tuple(largest_property(kingdom) for kingdom in kingdoms),
            ),
            Criterion("crowns", _("the most crowns"), tuple(kingdom.crowns for kingdom in kingdoms)),
        )
    )


def rank_dynasty(totals: Sequence[int]) -> Standing:
    """Rulebook 002, "Dinastia" names no tie-break: equal totals share the victory."""
    return stand((points_criterion(totals),))


def points_criterion(totals: Sequence[int]) -> Criterion:
    return Criterion("score", _("points"), tuple(totals))
