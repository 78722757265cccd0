"""A card to read about, and cards to look for.

What it is called, gives and is worth, and what people ask about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.message import Message, Translator, collation_key, printed_in
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.page.turn import ShownCard
from companion.games.dominion.rules.cards import BASIC, BOXES, CARDS, Card
from companion.games.dominion.rules.names import LANGUAGE, LANGUAGES, LocalName, card_name, name_legend
from companion.games.dominion.text import rulings
from companion.games.dominion.text.rulings import Ruling, Texts, search_book, search_rules

MOST_FOUND = 8

TYPE_NAMES: Mapping[str, Message] = {
    "action": _("Action"),
    "treasure": _("Treasure"),
    "victory": _("Victory"),
    "curse": _("Curse"),
    "attack": _("Attack"),
    "reaction": _("Reaction"),
}


@dataclass(frozen=True)
class BookText(Message):
    """A sentence of the book, in the language of whoever reads and with the names on the cards of their box."""

    texts: Texts = field(default_factory=dict)

    def say(self, words: Translator) -> str:
        return rulings.current_book().say(self.texts, words.gettext(LANGUAGE.text), printed_in(words))


def _sentence(texts: Texts) -> BookText:
    return BookText(next(iter(texts.values())), texts=texts)


def card_line(id: str) -> Message | None:
    """What a card does, in one line; None for one that nobody has written it for."""
    texts = rulings.current_book().does.get(id)
    return _sentence(texts) if texts else None


@dataclass(frozen=True)
class CardQuestion:
    """Something people ask about a card."""

    ask: Message
    answer: Message
    source: str


@dataclass(frozen=True)
class BookCard(ShownCard):
    """A card of the book; one that is in a file of rulings alone is called as that file calls it."""

    @property
    def name(self) -> Message:
        if self.id in CARDS:
            return card_name(self.id)
        return Message("%(text)s", {"text": rulings.current_book().name(self.id, "en")})


@dataclass(frozen=True)
class CardView(BookCard):
    """A card, large."""

    types: tuple[Message, ...]
    does: Message | None
    """What it does, in one line."""
    gives: tuple[Message, ...]
    """What it gives at once, where nobody has written such a line."""
    points: Message | None
    names: tuple[tuple[str, LocalName], ...]
    """What it is called in each language, by its code."""
    questions: tuple[CardQuestion, ...]


@dataclass(frozen=True)
class ListedCard(BookCard):
    """A card in a list, and under it the question that fits best, if one was looked for, else what it does."""

    ask: Message | None = None


def card_view(id: str) -> CardView | None:
    """Everything about a card; nothing about one that nobody knows, and only words about one without a file."""
    card, book = CARDS.get(id), rulings.current_book()
    if card is None and id not in book.names:
        return None
    names = book.names[id].languages
    return CardView(
        id,
        tuple(map(_type, _ordered(card.types))) if card else (),
        does := card_line(id),
        tuple(_gives(card)) if card and not does else (),
        _points(card) if card and not does else None,
        tuple((code, names[code]) for code in LANGUAGES if code in names),
        tuple(map(_question, book.of(id))),
    )


def _type(type: str) -> Message:
    return TYPE_NAMES.get(type, Message("%(text)s", {"text": type}))


def book_view(wish: Mapping[str, str], language: str) -> Mapping[str, Any]:
    """What somebody looks for: a card by its id, or whatever fits what they typed."""
    query, book = wish.get("find", "").strip(), rulings.current_book()
    found = search_book(book, query, language, MOST_FOUND) if query else ()
    asked = wish.get("card", "")
    only = found[0].card if len(found) == 1 else ""
    rules = search_rules(book, query, language) if query else book.rules
    return {
        "card": card_view(asked or only),
        "missing": bool(query) and not found and not rules and not asked,
        "found": tuple(_listed(hit.card, hit.rulings[:1]) for hit in found) if not asked else (),
        "legend": name_legend(CARDS),
        "rules": tuple(map(_question, rules)) if not asked else (),
        "boxes": tuple(_boxes(language)) if not query and not asked else (),
    }


def _boxes(language: str) -> Iterator[tuple[str, tuple[ListedCard, ...]]]:
    """Every card, box by box, in the order of their names."""
    for box, name in BOXES.items():
        ids = [id for id, card in CARDS.items() if card.box == box]
        book = rulings.current_book()
        if not all(id in BASIC for id in ids):
            ids.sort(key=lambda id: collation_key(book.name(id, language)))
        if ids:
            yield name, tuple(_listed(id, ()) for id in ids)


def _listed(id: str, rulings: tuple[Ruling, ...]) -> ListedCard:
    return ListedCard(id, _question(rulings[0]).ask if rulings else card_line(id))


def _question(ruling: Ruling) -> CardQuestion:
    return CardQuestion(_sentence(ruling.asks), _sentence(ruling.answers), str(ruling.source))


def _ordered(types: frozenset[str]) -> list[str]:
    return [type for type in TYPE_NAMES if type in types] + sorted(types - TYPE_NAMES.keys())


def _gives(card: Card) -> Iterator[Message]:
    """What it gives at once."""
    plus = card.plus
    given = (
        _n("+%(count)d Card", "+%(count)d Cards", plus.cards),
        _n("+%(count)d Action", "+%(count)d Actions", plus.actions),
        _n("+%(count)d Buy", "+%(count)d Buys", plus.buys),
        _n("+%(count)d Coin", "+%(count)d Coins", plus.coins),
    )
    return (text for text in given if text.count)


def _points(card: Card) -> Message | None:
    worth = card.points
    if worth is None:
        return None
    if worth.per_cards:
        return _n(
            "%(count)d point for every %(cards)d cards of the deck",
            "%(count)d points for every %(cards)d cards of the deck",
            worth.each,
            cards=worth.per_cards,
        )
    if worth.per_card:
        return _n(
            "%(count)d point for each %(card)s",
            "%(count)d points for each %(card)s",
            worth.each,
            card=card_name(worth.per_card),
        )
    return _n("%(count)d point", "%(count)d points", worth.each)
