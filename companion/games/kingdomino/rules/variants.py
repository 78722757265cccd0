"""What a table may choose: rulebook 002, "Regras Opcionais", and scoring a game the companion has not watched."""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from companion.core.game import Option
from companion.core.message import message as _

GAMES_OF_A_DYNASTY = 3
MIDDLE_KINGDOM_POINTS = 10
HARMONY_POINTS = 5


class Variant(StrEnum):
    """The keys of the options."""

    MIDDLE_KINGDOM = "middle_kingdom"
    HARMONY = "harmony"
    DYNASTY = "dynasty"
    MIGHTY_DUEL = "mighty_duel"
    SCORE_ONLY = "score_only"


OPTIONS = (
    Option(
        Variant.MIDDLE_KINGDOM,
        _("The Middle Kingdom"),
        _(
            "%(points)d points more for a castle in the very middle of its kingdom.",
            points=MIDDLE_KINGDOM_POINTS,
        ),
    ),
    Option(
        Variant.HARMONY,
        _("Harmony"),
        _("%(points)d points more for a complete kingdom, no domino discarded.", points=HARMONY_POINTS),
    ),
    Option(
        Variant.DYNASTY, _("Dynasty"), _("Three games in a row; the most points of all three together win.")
    ),
    Option(
        Variant.MIGHTY_DUEL,
        _("The Mighty Duel"),
        _("For two players: all 48 dominoes, kingdoms of 7 by 7 squares."),
    ),
    Option(
        Variant.SCORE_ONLY, _("Only count the points"), _("The game is over: tap in each kingdom as it lies.")
    ),
)


def area(variants: Set[str]) -> int:
    """The side of the square a kingdom has to fit in."""
    return 7 if Variant.MIGHTY_DUEL in variants else 5
