"""Ten cards that people choose themselves, tap by tap, and the round in which everybody may veto one.

The cards picked so far are in the address (`ten`): three figures for the place of each among the kingdom cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.cards import CARDS, kingdom_of
from companion.games.dominion.rules.events import CardVetoed, KingdomChosen
from companion.games.dominion.rules.history import draw_wishes
from companion.games.dominion.rules.piles import KINGDOM_PILES
from companion.games.dominion.rules.position import Position
from companion.games.dominion.rules.randomiser import draw_kingdom
from companion.games.dominion.rules.variants import boxes
from companion.games.dominion.text import notation
from companion.games.dominion.text.faces import card_face, colour_type

PICK_WIDTH = 3
NO_PICKS = "0"
"""No card is picked; without a wish, those of the table are."""


@dataclass(frozen=True)
class KingdomPick:
    """A card that may be tapped into the ten, or out of them."""

    id: str
    name: Message
    face: str
    kind: str
    cost: int
    on: bool
    after: str
    """The wish after a tap; empty for a card that cannot come: it was vetoed, or there are ten."""
    mark: str
    """`liked`, `vetoed`, or nothing."""


@dataclass(frozen=True)
class FreeChoice:
    """Every card there is, and the ten so far."""

    picks: tuple[KingdomPick, ...]
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
    cards: tuple[tuple[str, Message, str, str, int], ...]
    """The event of each, its name, drawing, kind and cost."""
    none: str
    """The event for a player who has nothing against them."""
    exchanged: str
    """What brings others by chance for all that were vetoed; empty where none of the ten was."""


def free_choice(position: Position, wish: Mapping[str, str]) -> FreeChoice:
    cards = tuple(card.id for card in kingdom_of(boxes(position.variants)))
    allowed = [id for id in cards if id not in position.vetoed]
    picked = _picked(position, wish.get("ten", ""), cards)
    return FreeChoice(
        tuple(_pick(position, id, picked, cards) for id in sorted(cards, key=_by_box_and_cost)),
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
    none = notation.write_event(CardVetoed(player, ""))
    return VetoRound(player, tuple(_vetoes(position, player)), none, "")


def _vetoes(position: Position, player: int) -> Iterator[tuple[str, Message, str, str, int]]:
    for id in position.kingdom:
        if id not in position.vetoed:
            event = notation.write_event(CardVetoed(player, id))
            yield event, card_name(id), card_face(id), colour_type(id), CARDS[id].cost


def _picked(position: Position, wished: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    if not wished:
        return tuple(id for id in position.kingdom if id in cards and id not in position.vetoed)
    parts = (wished[at : at + PICK_WIDTH] for at in range(0, len(wished), PICK_WIDTH))
    places = [int(part) for part in parts if len(part) == PICK_WIDTH and part.isdecimal()]
    found = dict.fromkeys(cards[place] for place in places if place < len(cards))
    return tuple(id for id in found if id not in position.vetoed)[:KINGDOM_PILES]


def _pick(position: Position, id: str, picked: tuple[str, ...], cards: tuple[str, ...]) -> KingdomPick:
    on = id in picked
    mark = "liked" if id in position.liked else "vetoed" if id in position.vetoed else ""
    free = on or (len(picked) < KINGDOM_PILES and mark != "vetoed")
    after = [other for other in picked if other != id] if on else [*picked, id]
    wish = _written(after, cards) if free else ""
    return KingdomPick(id, card_name(id), card_face(id), colour_type(id), CARDS[id].cost, on, wish, mark)


def _written(picked: Iterable[str], cards: tuple[str, ...]) -> str:
    return "".join(f"{cards.index(id):0{PICK_WIDTH}}" for id in picked) or NO_PICKS


def _filled(position: Position, picked: tuple[str, ...]) -> str:
    """What people picked stays; the others come as they wished, or as they can."""
    wishes = replace(draw_wishes(position), kept=picked)
    for asked in (wishes, replace(wishes, needs=frozenset(), favourites=frozenset())):
        try:
            return notation.write_event(KingdomChosen(draw_kingdom(asked, Random(f"with {picked}"))))
        except IllegalEvent:
            continue
    return ""


def _by_box_and_cost(id: str) -> tuple[int, str, int, str]:
    own = CARDS[id].box
    return list(dict.fromkeys(card.box for card in CARDS.values())).index(own), own, CARDS[id].cost, id
