"""What a table may choose: older rules that many people know, how much is told, and counting an end nobody
watched.
"""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from companion.core.errors import IllegalEvent
from companion.core.game import Option
from companion.core.message import message as _


class Variant(StrEnum):
    """The keys of the options."""

    TWO_TILE_CITIES = "two_tile_cities"
    FARMS_ONCE = "farms_once"
    FARMS_BY_CITY = "farms_by_city"
    NO_FARMERS = "no_farmers"
    PURIST = "purist"
    SCORE_ONLY = "score_only"


FARMER_VARIANTS = frozenset({Variant.FARMS_ONCE, Variant.FARMS_BY_CITY, Variant.NO_FARMERS})
"""A table chooses one of these at most."""


def check_variants(variants: Set[Variant]) -> None:
    """Refuse what no table can play by at once."""
    if len(variants & FARMER_VARIANTS) > 1:
        raise IllegalEvent(_("There is more than one rule about farmers: choose one of them."))


OPTIONS = (
    Option(
        Variant.TWO_TILE_CITIES,
        _("Small cities count less"),
        _("As in older rules: a complete city of two tiles brings 1 point a tile and pennant, not 2."),
    ),
    Option(
        Variant.FARMS_ONCE,
        _("A city feeds a farmer once"),
        _("As in older rules: a player gets 3 points for a city once, however many fields border it."),
    ),
    Option(
        Variant.FARMS_BY_CITY,
        _("Farmers count city by city"),
        _(
            "As in the oldest rules: each complete city brings 4 points to whoever has most farmers around it."
        ),
    ),
    Option(Variant.NO_FARMERS, _("No farmers"), _("Nobody may stand on fields.")),
    Option(
        Variant.PURIST,
        _("No looking ahead"),
        _("Only the points on the track are shown until the game is over."),
    ),
    Option(
        Variant.SCORE_ONLY,
        _("Only count the points"),
        _("The game is over: tell in numbers what counts, or tap in the tiles, the followers and the track."),
    ),
)
