"""What a table may choose: which boxes are on it, and counting a game the companion has not watched."""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from companion.core.game import Option
from companion.core.message import message as _
from companion.games.dominion.rules.card import BASE_BOX, DOMINION, INTRIGUE
from companion.games.dominion.rules.cards import BOXES


class Variant(StrEnum):
    """The keys of the options."""

    ONLY_DOMINION = "only_dominion"
    ONLY_INTRIGUE = "only_intrigue"
    SCORE_ONLY = "score_only"


OPTIONS = (
    Option(Variant.ONLY_DOMINION, _("Only Dominion"), _("The kingdom comes from the first box alone.")),
    Option(Variant.ONLY_INTRIGUE, _("Only Intrigue"), _("The kingdom comes from Dominion: Intrigue alone.")),
    Option(
        Variant.SCORE_ONLY,
        _("Only count the decks"),
        _("The game is over: count the cards of each player."),
    ),
)


def boxes(variants: Set[str]) -> frozenset[str]:
    """The boxes that the kingdom comes from; cards of one's own come along with either."""
    left_out = {BASE_BOX}
    if Variant.ONLY_DOMINION in variants:
        left_out.add(INTRIGUE)
    if Variant.ONLY_INTRIGUE in variants:
        left_out.add(DOMINION)
    return frozenset(BOXES) - left_out
