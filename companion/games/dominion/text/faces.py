"""Which of our own drawings stands for a card: a few by name, the others by what the card does."""

from __future__ import annotations

from companion.games.dominion.rules.card import COPPER, DUCHY, ESTATE, GOLD, PROVINCE, SILVER, Card
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.sets import ABSENT
from companion.games.dominion.rules.steps import CardType, Gain

OWN_FACES = (COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE)
"""Cards with a drawing of their own, by their ids."""
TELLING_TYPES = (CardType.CURSE, CardType.TREASURE, CardType.ATTACK, CardType.REACTION)
"""Types that a table has to know from afar, the most telling first."""
TRASH_FACE = "bin"
"""The trash."""
PLAIN_FACE = "action"


def card_face(id: str) -> str:
    """The drawing of a card, as static/faces.svg calls it; a card nobody knows any more has the plain one."""
    card = CARDS.get(id) or ABSENT.get(id)
    return PLAIN_FACE if card is None else id if id in OWN_FACES else _by_deed(card)


def _by_deed(card: Card) -> str:
    telling = next((type.value for type in TELLING_TYPES if type in card.types), "")
    if telling or CardType.ACTION not in card.types:
        return telling or ("victory" if CardType.VICTORY in card.types else PLAIN_FACE)
    deeds = (
        ("village", card.best.actions >= 2),
        ("fire", card.trashes),
        ("cards", card.best.cards >= 2),
        ("coins", card.best.coins >= 1),
        ("hammer", any(isinstance(step, Gain) for step in card.own_steps)),
    )
    return next((name for name, does in deeds if does), PLAIN_FACE)


def colour_type(id: str) -> str:
    """The type that colours a card."""
    card = CARDS.get(id) or ABSENT.get(id)
    types = card.types if card else frozenset()
    order = (*TELLING_TYPES, CardType.ACTION, CardType.VICTORY)
    return next((type.value for type in order if type in types), PLAIN_FACE)
