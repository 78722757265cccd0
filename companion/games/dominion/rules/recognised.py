"""The way in for decks that something else recognised: they fill in the count, and people confirm it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.page.counting import MOST_KINDS, MOST_TAPPED, deck_card_ids, write_held
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.position import Position


class DeckReader(Protocol):
    """Whatever tells the cards of a deck by looking at it."""

    def read(self, picture: bytes) -> Mapping[str, int]:
        """How many of each card lie there, by the ids of `cards.toml`; a card it is not sure of is left out."""
        ...


def proposed(position: Position, player: int, counts: Mapping[str, int]) -> Mapping[str, str]:
    """The wish that shows a recognised deck on the page, where people put it right and confirm it by a tap."""
    if not position.ended:
        raise IllegalEvent(_("Decks are counted when the game is over."))
    if not 0 <= player < position.players:
        raise IllegalEvent(_("There is no such player."))
    ids = deck_card_ids(position, player)
    held = {card: count for card, count in counts.items() if count}
    for card, count in held.items():
        if card not in ids:
            raise IllegalEvent(_("%(card)s is not in this game.", card=card_name(card)))
        if not 0 < count <= MOST_TAPPED:
            raise IllegalEvent(
                _("%(count)d is no number of copies of %(card)s.", count=count, card=card_name(card))
            )
    if len(held) > MOST_KINDS:
        raise IllegalEvent(_("A deck has at most %(count)d kinds of cards here.", count=MOST_KINDS))
    return {"deck": str(player + 1), "held": write_held(held, ids)}
