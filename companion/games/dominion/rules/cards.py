"""The cards the companion knows: those of both boxes, and those people add in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominion.rules.card import Card
from companion.games.dominion.rules.card_file import read_cards
from companion.games.dominion.rules.steps import ITSELF, Choose, GainNamed, Trash

CARDS: dict[str, Card] = {}
"""Every card by its id."""

BOXES: dict[str, str] = {}
"""The names of the boxes by their ids, in the order they were read."""


def find_card(id: str) -> Card:
    """The card of that id, or an error that says what to do."""
    try:
        return CARDS[id]
    except KeyError:
        raise NotationError(
            _(
                "There is no card “%(card)s”. If it is a card of your own, put its file where it was.",
                card=id[:40],
            )
        ) from None


def kingdom_of(boxes: frozenset[str]) -> tuple[Card, ...]:
    """The kingdom cards of those boxes."""
    return tuple(card for card in CARDS.values() if card.kingdom and card.box in boxes)


def add_cards(cards: Mapping[str, Card], boxes: Mapping[str, str]) -> None:
    """Add cards that a file brought; the boxes of the house stay as they are."""
    known = [id for id in cards if id in CARDS] + [id for id in boxes if id in BOXES]
    if known:
        raise NotationError(
            _("There is a card or a box “%(name)s” already: give yours another name.", name=known[0])
        )
    for card in cards.values():
        for name in _cards_named_by(card):
            if name not in CARDS and name not in cards:
                raise NotationError(
                    _("Card “%(id)s” speaks of “%(name)s”, which is no card.", id=card.id, name=name[:40])
                )
    CARDS.update(cards)
    BOXES.update(boxes)


def remove_cards(cards: Mapping[str, Card], boxes: Mapping[str, str]) -> None:
    """Take added cards out again, as when their file is read anew."""
    for id in cards:
        del CARDS[id]
    for id in boxes:
        del BOXES[id]


def _cards_named_by(card: Card) -> Iterator[str]:
    """The other cards that a card speaks of."""
    if card.points and card.points.per_card:
        yield card.points.per_card
    for step in card.all_steps:
        match step:
            case GainNamed(name) | Trash(excluded=str(name)) if name:
                yield name
            case Choose(answers):
                yield from (answer.trash for answer in answers if answer.trash not in ("", ITSELF))


add_cards(*read_cards((Path(__file__).parents[1] / "cards.toml").read_text(encoding="utf-8")))
