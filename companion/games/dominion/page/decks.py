"""Decks at the end: a number for each kind of card, each player on a device of their own, and what they are worth.

Cards that count come first. What the log knows is filled in; what it cannot know stands as `?` until somebody
says it: in a light game, or of nothing but decks, every card that counts and no other; of a deck that cards went
through unseen, every card that counts.

A person's wishes: `deck` (whose deck, counted from 1; `look`, as the tally has it), `held` (the numbers told so
far), `at` (the card whose number is told next), `pad` (which numbers are shown) and `turns`.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.page.turn import Button, ShownCard, Wish, button
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import CardPassed, DeckCounted
from companion.games.dominion.rules.kingdom import MOST_COPIES, MOST_TURNS
from companion.games.dominion.rules.moves import holdable
from companion.games.dominion.rules.names import card_name
from companion.games.dominion.rules.position import Deck, Position
from companion.games.dominion.rules.scoring import counting_cards, deck_lines
from companion.games.dominion.text import notation
from companion.games.dominion.text.words import card_face

DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase
"""A card's place in the list takes two of these signs, its number two: an address has no room for names."""
WIDTH = 4
MOST_KINDS = 25
"""Numbers that fit into the address."""
PAD = 13
"""Numbers that are shown at once: no Victory card has more copies in most games."""
ALL = "all"
"""Stands for the number of all cards in a deck, as in notation."""


@dataclass(frozen=True)
class DeckCard(ShownCard):
    """A card that may be in the deck, or `ALL` of them."""

    count: int | None
    """None as long as nobody knows."""
    by_log: int | None
    """What the log says, where it is not filled in."""
    counts: bool
    """Whether points hang on it."""
    on: bool
    """Whether its number is told next."""

    @property
    def name(self) -> Message:
        return _("All cards of the deck") if self.id == ALL else super().name


@dataclass(frozen=True)
class NumberPad:
    """Numbers to tap for a card, each with the wish after it."""

    card: DeckCard
    numbers: tuple[tuple[int, str], ...]
    fewer: int | None
    """The pad of smaller numbers, where there is one."""
    more: int


@dataclass(frozen=True)
class PassedCard:
    """A card that went to the left and nobody has named yet, and what names it."""

    giver: int
    receiver: int
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class DeckView:
    """A deck: what it is worth and why, and what people tap while they count it."""

    player: int
    counted: bool
    """Whether the log knows it."""
    points: int
    turns: int
    size: int | None
    """None where only what counts was told."""
    lines: tuple[tuple[str, Message, str, str, int], ...]
    """Each kind that counts: its place, name and drawing, the sum behind it, and its points."""
    cards: tuple[DeckCard, ...] = ()
    pad: NumberPad | None = None
    passed: tuple[PassedCard, ...] = ()
    """Cards that came or went and nobody has named."""
    event: str = ""
    """Empty as long as something that counts is not known."""


def deck_summaries(position: Position) -> tuple[DeckView, ...]:
    return tuple(
        _view(position, player, deck or Deck({}), position.turns[player])
        for player, deck in enumerate(position.decks)
    )


def deck_view(position: Position, wish: Wish) -> DeckView | None:
    """The deck in somebody's hands: the one they point at, else the first that is not counted."""
    player = _pointed_at(position, wish.get("deck") or wish.get("look", ""))
    if player is None or not position.ended:
        return None
    ids = deck_card_ids(position, player)
    counting = counting_cards(ids)
    told = _read_held(wish.get("held", ""), ids)
    counts = {**_known(position, player, ids, counting), **told}
    cards = {id: count for id in ids if (count := counts.get(id))}
    deck = Deck(cards, counts.get(ALL))
    if position.points_only and deck.needs_size:
        counting = (*counting, ALL)
    missing = [id for id in counting if counts.get(id) is None]
    full = len(told) >= MOST_KINDS
    asked = wish.get("at", "")
    at = asked if asked in (*ids, *counting) else next(iter(missing), "")
    at = "" if full and at not in told else at
    owned = position.owned[player] if position.turn else {}
    shown = tuple(
        DeckCard(
            id, counts.get(id), owned.get(id, 0) if owned and id != ALL else None, id in counting, id == at
        )
        for id in (*counting, *(id for id in ids if id not in counting))
    )
    wished = wish.get("turns", "")
    turns = min(int(wished), MOST_TURNS) if wished.isdecimal() else position.turns[player]
    whole = not missing and (deck.told is None or deck.told >= sum(cards.values()))
    return replace(
        _view(position, player, deck, turns),
        cards=shown,
        pad=next((_pad(card, told, ids, wish) for card in shown if card.on), None),
        passed=tuple(_passed(position, player)) if position.decks[player] is None else (),
        event=notation.write_event(DeckCounted(player, cards, turns, size=deck.told)) if whole else "",
    )


def _view(position: Position, player: int, deck: Deck, turns: int) -> DeckView:
    lines = tuple(
        (f"{player + 1}:{id}", card_name(id), card_face(id), working, points)
        for id, points, working in deck_lines(deck)
    )
    points = sum(line[-1] for line in lines)
    size = deck.told if position.points_only else deck.size
    return DeckView(player, position.decks[player] is not None, points, turns, size, lines)


def deck_card_ids(position: Position, player: int) -> tuple[str, ...]:
    """Every card that a deck is asked about, in the order of the page."""
    ids = tuple(dict.fromkeys((*(position.supply or CARDS), *_by_log(position, player))))
    return counting_cards(ids) if position.points_only else ids


def _by_log(position: Position, player: int) -> Mapping[str, int]:
    """What was counted before, else what the log says."""
    deck = position.decks[player]
    return deck.cards if deck else position.owned[player] if position.turn else {}


def _known(
    position: Position, player: int, ids: tuple[str, ...], counting: tuple[str, ...]
) -> Mapping[str, int | None]:
    """What needs nobody's word: a deck as it was counted, or as the log says where that can be believed."""
    by_log, deck = _by_log(position, player), position.decks[player]
    known: dict[str, int | None] = {id: max(0, by_log.get(id, 0)) for id in ids}
    if deck:
        return known if deck.told is None else {**known, ALL: deck.told}
    if position.points_only:
        return {}
    if position.given(player) or position.received(player):
        return {id: count for id, count in known.items() if id not in counting}
    return known


def _pad(card: DeckCard, told: Mapping[str, int], ids: tuple[str, ...], wish: Wish) -> NumberPad:
    wished = wish.get("pad", "")
    usual = (card.count or 0) // PAD
    page = min(int(wished), MOST_COPIES // PAD) if wished.isdecimal() else usual
    numbers = tuple(
        (number, write_held({**told, card.id: number}, ids)) for number in range(page * PAD, (page + 1) * PAD)
    )
    return NumberPad(card, numbers, page - 1 if page else None, page + 1)


def passed_cards(position: Position) -> Iterator[PassedCard]:
    """Every card that was passed unseen; those of one player are named one after the other."""
    for giver in dict.fromkeys(position.unseen):
        receiver = (giver + 1) % position.players
        cards = [card for card, count in holdable(position, giver).items() if count > 0]
        events = [CardPassed(giver, card) for card in (*cards, "")]
        yield PassedCard(
            giver,
            receiver,
            tuple(
                button(event, card_name(event.card), card_face(event.card))
                if event.card
                else button(event, _("No card"))
                for event in events
            ),
        )


def _passed(position: Position, player: int) -> Iterator[PassedCard]:
    return (passed for passed in passed_cards(position) if player in (passed.giver, passed.receiver))


def _pointed_at(position: Position, wished: str) -> int | None:
    if wished.isdecimal() and 1 <= int(wished) <= position.players:
        return int(wished) - 1
    return next((player for player, deck in enumerate(position.decks) if deck is None), None)


def write_held(held: Mapping[str, int], ids: tuple[str, ...]) -> str:
    base = len(DIGITS)
    places = {id: place for place, id in enumerate((*ids, ALL))}
    return "".join(
        "".join(DIGITS[part] for number in (places[id], count) for part in divmod(number, base))
        for id, count in held.items()
    )[: WIDTH * MOST_KINDS]


def _read_held(text: str, ids: tuple[str, ...]) -> dict[str, int]:
    base, places = len(DIGITS), (*ids, ALL)
    held: dict[str, int] = {}
    for start in range(0, len(text) - WIDTH + 1, WIDTH):
        signs = [DIGITS.find(sign) for sign in text[start : start + WIDTH]]
        place, count = signs[0] * base + signs[1], signs[2] * base + signs[3]
        if min(signs) >= 0 and place < len(places) and count <= MOST_COPIES:
            held[places[place]] = count
    return held
