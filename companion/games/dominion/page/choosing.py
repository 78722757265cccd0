"""Setting up as the page draws it: ten cards by a set or by chance, what to put on the table, and who begins.

A person's wishes: `room` (`cards`, `table` or `begin`; `all` shows every card of the boxes, `pick` those that may be
chosen freely, `veto` the ten for everybody's veto), `card` (one to exchange, to veto or to like; `none` after all) and
`ten` (the cards picked so far).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.games.dominion.page.free_choice import free_choice, veto_round
from companion.games.dominion.page.turning import Button, button
from companion.games.dominion.rules.card import BASIC
from companion.games.dominion.rules.card_names import card_list, card_name
from companion.games.dominion.rules.cards import BOXES, CARDS, kingdom_of
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
from companion.games.dominion.rules.moves import SETUP_ITEMS
from companion.games.dominion.rules.position import Position
from companion.games.dominion.rules.randomiser import NEED_NAMES, KingdomNeed, draw_kingdom, draw_replacement
from companion.games.dominion.rules.sets import SETS
from companion.games.dominion.rules.variants import boxes
from companion.games.dominion.text import notation, words
from companion.games.dominion.text.faces import card_face, colour_type

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

Wish = Mapping[str, str]


@dataclass(frozen=True)
class KingdomCard:
    """A card in the ten, or one that may come into them."""

    id: str
    name: Message
    face: str
    kind: str
    cost: int
    on: bool
    """Whether somebody points at it."""
    mark: str
    """`liked`, `vetoed`, or nothing."""


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
    missing: tuple[tuple[Message, Message], ...]
    """Each missing card, and what may come for it, the best first."""


def setup_view(position: Position, wish: Wish) -> Mapping[str, Any]:
    room = wish.get("room", "")
    room = room if room in (ALL, PICK) or (room in (*ROOMS, VETO) and position.kingdom) else ROOMS[0]
    pointed = _pointed(position, wish.get("card", ""), room)
    ids = tuple(card.id for card in kingdom_of(boxes(position.variants))) if room == ALL else position.kingdom
    return {
        "room": room,
        "boxes": tuple(BOXES[box] for box in BOXES if box in boxes(position.variants)),
        "cards": tuple(_chosen(position, id, pointed) for id in ids),
        "pointed": _chosen(position, pointed, pointed) if pointed else None,
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
        "another": _another(position),
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


def _another(position: Position) -> str:
    """Ten other cards for those that lie there; empty where there are none."""
    if not position.kingdom:
        return ""
    try:
        return notation.write_event(
            KingdomChosen(draw_kingdom(draw_wishes(position), Random(f"after {position.kingdom}")))
        )
    except IllegalEvent:
        return ""


def _chosen(position: Position, id: str, pointed: str) -> KingdomCard:
    mark = "liked" if id in position.liked else "vetoed" if id in position.vetoed else ""
    return KingdomCard(id, card_name(id), card_face(id), colour_type(id), CARDS[id].cost, id == pointed, mark)


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
    found, owned = SETS[id], boxes(position.variants)
    completed = found.completed(owned)
    return SetView(
        id,
        found.name,
        found.name_en,
        notation.write_event(KingdomChosen(completed)),
        tuple((card_face(card), card_name(card)) for card in completed),
        tuple((card_name(card), card_list(found.substitutes(card, owned))) for card in found.missing(owned)),
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
