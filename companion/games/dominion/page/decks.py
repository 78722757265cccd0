"""Decks at the end: counted card by card, each player on a device of their own, and what they are worth.

A person's wishes: `deck` (whose deck, counted from 1; `look`, as the tally has it), `held` (what was tapped
so far) and `turns`.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.games.dominion.page.turn import ShownCard, Wish
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import DeckCounted
from companion.games.dominion.rules.kingdom import MOST_TURNS
from companion.games.dominion.rules.names import card_name
from companion.games.dominion.rules.position import Deck, Position
from companion.games.dominion.rules.scoring import deck_lines
from companion.games.dominion.text import notation
from companion.games.dominion.text.words import card_face

DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase
"""A card's place in the list takes two of these signs, its number one: an address has no room for names."""
MOST_TAPPED = len(DIGITS) - 1
MOST_KINDS = 33
"""Kinds of cards that fit into the address."""


@dataclass(frozen=True)
class DeckCard(ShownCard):
    """A card that may be in the deck."""

    count: int
    less: str
    """The wish with one less; empty where there is none."""
    more: str


@dataclass(frozen=True)
class DeckView:
    """A deck: what it is worth and why, and what people tap while they count it."""

    player: int
    counted: bool
    """Whether the log knows it."""
    points: int
    turns: int
    size: int
    lines: tuple[tuple[str, Message, str, str, int], ...]
    """Each kind that counts: its place, name and drawing, the sum behind it, and its points."""
    cards: tuple[DeckCard, ...] = ()
    unsure: bool = False
    """Whether cards changed hands unseen: then nothing is filled in, and every card is counted from the table."""
    event: str = ""
    """Empty as long as nobody has counted a deck that the log cannot know."""


def deck_summaries(position: Position) -> tuple[DeckView, ...]:
    return tuple(
        _view(position, player, deck.cards if deck else {}, position.turns[player])
        for player, deck in enumerate(position.decks)
    )


def deck_view(position: Position, wish: Wish) -> DeckView | None:
    """The deck in somebody's hands: the one they point at, else the first that is not counted."""
    player = _pointed_at(position, wish.get("deck") or wish.get("look", ""))
    if player is None or not position.ended:
        return None
    known = _known(position, player)
    ids = deck_card_ids(position, player)
    held = (
        _read_held(wish.get("held", ""), ids)
        if "held" in wish
        else {id: max(0, known.get(id, 0)) for id in ids}
    )
    wished = wish.get("turns", "")
    turns = min(int(wished), MOST_TURNS) if wished.isdecimal() else position.turns[player]
    cards = {id: count for id, count in held.items() if count}
    unsure = position.passed and position.decks[player] is None
    return replace(
        _view(position, player, cards, turns),
        cards=tuple(_cards(ids, held)),
        unsure=unsure,
        event="" if unsure and not cards else notation.write_event(DeckCounted(player, cards, turns)),
    )


def _view(position: Position, player: int, cards: Mapping[str, int], turns: int) -> DeckView:
    deck = Deck(cards)
    lines = tuple(
        (f"{player + 1}:{id}", card_name(id), card_face(id), working, points)
        for id, points, working in deck_lines(deck)
    )
    points = sum(line[-1] for line in lines)
    return DeckView(player, position.decks[player] is not None, points, turns, deck.size, lines)


def deck_card_ids(position: Position, player: int) -> tuple[str, ...]:
    """Every card that may be in a deck, in the order of the page."""
    return tuple(dict.fromkeys((*(position.supply or CARDS), *_known(position, player))))


def _known(position: Position, player: int) -> Mapping[str, int]:
    """What was counted before, else what the log says; nothing once cards changed hands unseen."""
    if deck := position.decks[player]:
        return deck.cards
    return position.owned[player] if position.decks_known else {}


def _pointed_at(position: Position, wished: str) -> int | None:
    if wished.isdecimal() and 1 <= int(wished) <= position.players:
        return int(wished) - 1
    return next((player for player, deck in enumerate(position.decks) if deck is None), None)


def _cards(ids: tuple[str, ...], held: Mapping[str, int]) -> Iterator[DeckCard]:
    for id in ids:
        count = held.get(id, 0)
        yield DeckCard(
            id,
            count,
            write_held({**held, id: count - 1}, ids) if count else "",
            write_held({**held, id: count + 1}, ids),
        )


def write_held(held: Mapping[str, int], ids: tuple[str, ...]) -> str:
    base = len(DIGITS)
    return "".join(
        DIGITS[place // base] + DIGITS[place % base] + DIGITS[min(held[id], MOST_TAPPED)]
        for place, id in enumerate(ids)
        if held.get(id)
    )[: 3 * MOST_KINDS]


def _read_held(text: str, ids: tuple[str, ...]) -> dict[str, int]:
    held: dict[str, int] = {}
    for start in range(0, len(text) - 2, 3):
        high, low, count = (DIGITS.find(sign) for sign in text[start : start + 3])
        place = high * len(DIGITS) + low
        if min(high, low, count) >= 0 and place < len(ids):
            held[ids[place]] = count
    return held
