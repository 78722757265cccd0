"""Setting up as the page draws it.

Ten cards by a set, by chance or by choice, what to put on the table, and who begins.

A person's wishes: `room` (`cards`, `table` or `begin`; `all` shows every card of the boxes, `pick` those that
may be chosen freely, `veto` the ten for everybody's veto), `card` (one to exchange, to veto or to like;
`none` after all) and `ten` (the cards picked so far: three figures for the place of each among the kingdom
cards).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.games.dominion.page.book import card_line
from companion.games.dominion.page.turn import Button, ShownCard, Wish, button
from companion.games.dominion.rules.cards import BASIC, BOXES, CARDS, SETS, kingdom_of
from companion.games.dominion.rules.events import (
    CardAllowed,
    CardLiked,
    CardSwapped,
    CardVetoed,
    FirstPlayer,
    KingdomChosen,
    SetUpTicked,
    WishesMade,
)
from companion.games.dominion.rules.history import beginners, draw_wishes, why_they_begin
from companion.games.dominion.rules.kingdom import (
    KINGDOM_PILES,
    NEED_NAMES,
    DrawWishes,
    KingdomNeed,
    draw_kingdom,
    draw_replacement,
    owned_boxes,
)
from companion.games.dominion.rules.moves import SETUP_ITEMS
from companion.games.dominion.rules.names import card_list, card_name
from companion.games.dominion.rules.position import Position
from companion.games.dominion.text import notation, words
from companion.games.dominion.text.words import card_face, colour_type

MOST_OFFERED = 3
"""How many cards are offered for one that is exchanged."""
TABLE = "table"
BEGIN = "begin"
ROOMS = ("cards", TABLE, BEGIN)
ALL = "all"
PICK = "pick"
VETO = "veto"
NO_CARD = "none"
"""The wish to point at no card."""
PICK_WIDTH = 3
NO_PICKS = "0"
"""No card is picked; without a wish, those of the table are."""


@dataclass(frozen=True)
class KingdomCard(ShownCard):
    """A card in the ten, or one that may come into them."""

    mark: str
    """`liked`, `vetoed`, or nothing."""
    on: bool
    """Whether somebody points at it, or has picked it."""
    tap: str
    """What a tap records, or the wish after it; empty for a card that cannot be tapped."""


@dataclass(frozen=True)
class FreeChoice:
    """Every card there is, and the ten so far."""

    picks: tuple[KingdomCard, ...]
    count: int
    event: str
    """What takes them as they are; empty until there are ten."""
    chosen: bool
    """Whether these are the ten of the game already."""
    filled: str
    """What adds cards by chance until there are ten."""
    cleared: str
    """The wish for none of them."""


@dataclass(frozen=True)
class VetoRound:
    """Whose turn it is to veto one of the ten, and what a tap on each records."""

    player: int | None
    """None when everybody has spoken."""
    cards: tuple[KingdomCard, ...]
    none: str
    """The event for a player who has nothing against them."""
    exchanged: str
    """What brings others by chance for all that were vetoed; empty where none of the ten was."""


@dataclass(frozen=True)
class SetupItem:
    """Something to put on the table."""

    event: str
    label: Message
    face: str
    kind: str
    count: int
    """0: it is no pile."""
    done: bool


@dataclass(frozen=True)
class SetView:
    """A recommended set, and what is done about cards that are not in the boxes."""

    id: str
    name: str
    """As its rulebook calls it."""
    english: str
    event: str
    cards: tuple[tuple[str, Message], ...]
    """Its cards, with their drawings."""
    missing: tuple[tuple[Message, Message, Message | None], ...]
    """Each missing card, what may come for it, the best first, and what it would do."""


def setup_view(position: Position, wish: Wish) -> Mapping[str, Any]:
    room = wish.get("room", "")
    room = room if room in (ALL, PICK) or (room in (*ROOMS, VETO) and position.kingdom) else ROOMS[0]
    pointed = _pointed(position, wish.get("card", ""), room)
    ids = (
        tuple(card.id for card in kingdom_of(owned_boxes(position.variants)))
        if room == ALL
        else position.kingdom
    )
    return {
        "room": room,
        "boxes": tuple(BOXES[box] for box in BOXES if box in owned_boxes(position.variants)),
        "cards": tuple(_card(position, id, id == pointed) for id in ids),
        "pointed": _card(position, pointed, on=True) if pointed else None,
        "swaps": tuple(_swaps(position, pointed)) if pointed in position.kingdom else (),
        "vetoes": _for_each(position, CardVetoed, pointed),
        "likes": _for_each(position, CardLiked, pointed),
        "allows": notation.write_event(CardAllowed(pointed))
        if pointed in position.vetoed | position.liked
        else "",
        "free": free_choice(position, wish) if room == PICK else None,
        "veto": veto_round(position) if room == VETO else None,
        "wishes": tuple(_wishes(position)),
        "impossible": _impossible(position),
        "another": _drawn(draw_wishes(position), f"after {position.kingdom}") if position.kingdom else "",
        "sets": tuple(_set(id, position) for id in SETS),
        "ticks": tuple(_ticks(position)),
        "ticked": len(position.ticked),
        "starters": tuple(notation.write_event(FirstPlayer(player)) for player in range(position.players)),
        "beginners": beginners(position),
        "why_begin": why_they_begin(position),
        "remembered": len(position.played),
        "vetoed": card_list(sorted(position.vetoed)) if position.vetoed else None,
        "liked": card_list(sorted(position.liked)) if position.liked else None,
    }


def _pointed(position: Position, wished: str, room: str) -> str:
    """The card somebody points at; else one of the ten that was vetoed, which has to go."""
    if wished in CARDS and CARDS[wished].kingdom:
        return wished
    if wished == NO_CARD or room != ROOMS[0]:
        return ""
    return next((id for id in position.kingdom if id in position.vetoed), "")


def _drawn(wishes: DrawWishes, seed: str) -> str:
    """The line of ten cards by chance; empty where no ten are as people wish."""
    try:
        return notation.write_event(KingdomChosen(draw_kingdom(wishes, Random(seed))))
    except IllegalEvent:
        return ""


def _card(position: Position, id: str, on: bool = False, tap: str = "") -> KingdomCard:
    mark = "liked" if id in position.liked else "vetoed" if id in position.vetoed else ""
    return KingdomCard(id, mark, on, tap)


def _for_each(position: Position, kind: type[CardVetoed] | type[CardLiked], card: str) -> tuple[str, ...]:
    """A line for each player."""
    return (
        tuple(notation.write_event(kind(player, card)) for player in range(position.players)) if card else ()
    )


def _wishes(position: Position) -> Iterator[Button]:
    for need in KingdomNeed:
        # One tap changes one wish, and leaves the others.
        after = tuple(other for other in KingdomNeed if (other in position.wishes) != (other is need))
        yield button(WishesMade(after), NEED_NAMES[need], on=need in position.wishes)


def _ticks(position: Position) -> Iterator[SetupItem]:
    order = (*position.kingdom, *(id for id in position.supply if id in BASIC), *SETUP_ITEMS)
    for item in order if position.supply else ():
        done, pile = item in position.ticked, item in position.supply
        yield SetupItem(
            notation.write_event(SetUpTicked(item, not done)),
            words.setup_item_name(item),
            card_face(item) if pile else "bin" if item == "trash" else "cards",
            colour_type(item) if pile else "action",
            position.supply.get(item, 0),
            done,
        )


def _set(id: str, position: Position) -> SetView:
    found, owned = SETS[id], owned_boxes(position.variants)
    completed = found.completed(owned)
    return SetView(
        id,
        found.name,
        found.name_en,
        notation.write_event(KingdomChosen(completed)),
        tuple((card_face(card), card_name(card)) for card in completed),
        tuple(
            (card_name(card), card_list(found.substitutes(card, owned)), card_line(card))
            for card in found.missing(owned)
        ),
    )


def _swaps(position: Position, out: str) -> Iterator[Button]:
    """A few cards that could come for one of the ten; each keeps what was wished for."""
    offered: set[str] = set()
    for seed in range(4 * MOST_OFFERED):
        try:
            came = draw_replacement(
                position.kingdom, out, draw_wishes(position), Random(f"{position.kingdom}{seed}")
            )
        except IllegalEvent:
            return
        if came not in offered and len(offered) < MOST_OFFERED:
            offered.add(came)
            yield button(CardSwapped(out, came), card_name(came), card_face(came))


def _impossible(position: Position) -> Message | None:
    """Why no ten cards are as people wish."""
    try:
        draw_kingdom(draw_wishes(position), Random(0))
    except IllegalEvent as error:
        return error.message
    return None


def free_choice(position: Position, wish: Wish) -> FreeChoice:
    cards = tuple(card.id for card in kingdom_of(owned_boxes(position.variants)))
    allowed = [id for id in cards if id not in position.vetoed]
    picked = _picked(position, wish.get("ten", ""), cards)
    return FreeChoice(
        tuple(
            _card(position, id, id in picked, _after(position, id, picked, cards))
            for id in sorted(cards, key=_by_box_and_cost)
        ),
        len(picked),
        notation.write_event(KingdomChosen(picked)) if len(picked) == KINGDOM_PILES else "",
        len(picked) == KINGDOM_PILES and set(picked) == set(position.kingdom),
        _filled(position, picked) if len(picked) < KINGDOM_PILES <= len(allowed) else "",
        NO_PICKS,
    )


def veto_round(position: Position) -> VetoRound:
    seats = (seat for seat in range(position.players) if seat not in position.spoken)
    player = next(seats, None)
    if player is None:
        left = tuple(id for id in position.kingdom if id not in position.vetoed)
        return VetoRound(None, (), "", _filled(position, left) if len(left) < KINGDOM_PILES else "")
    cards = tuple(
        _card(position, id, tap=notation.write_event(CardVetoed(player, id)))
        for id in position.kingdom
        if id not in position.vetoed
    )
    return VetoRound(player, cards, notation.write_event(CardVetoed(player, "")), "")


def _picked(position: Position, wished: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    if not wished:
        return tuple(id for id in position.kingdom if id in cards and id not in position.vetoed)
    parts = (wished[at : at + PICK_WIDTH] for at in range(0, len(wished), PICK_WIDTH))
    places = [int(part) for part in parts if len(part) == PICK_WIDTH and part.isdecimal()]
    found = dict.fromkeys(cards[place] for place in places if place < len(cards))
    return tuple(id for id in found if id not in position.vetoed)[:KINGDOM_PILES]


def _after(position: Position, id: str, picked: tuple[str, ...], cards: tuple[str, ...]) -> str:
    """The wish after a tap; empty for a card that cannot come: it was vetoed, or there are ten."""
    if id not in picked and (len(picked) >= KINGDOM_PILES or id in position.vetoed):
        return ""
    after = [other for other in picked if other != id] if id in picked else [*picked, id]
    return "".join(f"{cards.index(one):0{PICK_WIDTH}}" for one in after) or NO_PICKS


def _filled(position: Position, picked: tuple[str, ...]) -> str:
    """What people picked stays; the others come as they wished, or as they can."""
    wishes = replace(draw_wishes(position), kept=picked)
    anyhow = replace(wishes, needs=frozenset(), favourites=frozenset())
    return _drawn(wishes, f"with {picked}") or _drawn(anyhow, f"with {picked}")


def _by_box_and_cost(id: str) -> tuple[int, str, int, str]:
    own = CARDS[id].box
    return list(dict.fromkeys(card.box for card in CARDS.values())).index(own), own, CARDS[id].cost, id
