"""The supply as the page draws it: every pile, what a tap on it would record, and how near the end is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.card import PROVINCE
from companion.games.dominion.rules.card_names import card_list, card_name
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import CardBought, CardGained, TrashCounted
from companion.games.dominion.rules.piles import SIZES
from companion.games.dominion.rules.position import Position
from companion.games.dominion.rules.resolving import buyable, gainable
from companion.games.dominion.rules.steps import Gain
from companion.games.dominion.text import notation
from companion.games.dominion.text.faces import card_face, colour_type


@dataclass(frozen=True)
class PileView:
    """A pile of the supply."""

    id: str
    name: Message
    face: str
    kind: str
    green: bool
    """Whether it counts at the end besides what it does."""
    cost: int
    price: int
    count: int
    event: str
    """What a tap on it records; empty where it can be neither bought nor gained now."""
    gains: bool
    """Whether that is a gain and no purchase."""
    adjust: tuple[str, str]
    """What puts its count right: one less, if there is one, and one more."""


@dataclass(frozen=True)
class TrashView:
    """A card in the trash, or one that is not there."""

    name: Message
    face: str
    count: int
    adjust: tuple[str, str]
    """What puts its count right: one less, if there is one, and one more."""


@dataclass(frozen=True)
class EndView:
    """How near the end is."""

    empty: tuple[Message, ...]
    needed: int
    """How many empty piles end the game."""
    reason: Message | None
    """Why the game ends after this turn; None while it does not."""


def supply_view(position: Position) -> tuple[PileView, ...]:
    gains = _gainable(position)
    return tuple(_pile(position, id, gains) for id in position.supply)


def end_view(position: Position) -> EndView | None:
    """None before there are piles."""
    if not position.supply:
        return None
    empty = tuple(map(card_name, position.empty_piles))
    return EndView(empty, SIZES[position.players].empty_piles, _reason(position))


def trash_view(position: Position) -> tuple[TrashView, ...]:
    """Every card that lies in the trash, and every one that may."""
    counts = {**dict.fromkeys(position.supply, 0), **position.trash}
    return tuple(
        TrashView(
            card_name(id),
            card_face(id),
            count,
            (_trash(counts, id, count - 1) if count else "", _trash(counts, id, count + 1)),
        )
        for id, count in counts.items()
    )


def _trash(counts: Mapping[str, int], id: str, count: int) -> str:
    after = {**counts, id: count}
    return notation.write_event(TrashCounted({card: number for card, number in after.items() if number}))


def _pile(position: Position, id: str, gains: frozenset[str]) -> PileView:
    card, count = CARDS[id], position.supply[id]
    return PileView(
        id,
        card_name(id),
        card_face(id),
        colour_type(id),
        card.points is not None,
        card.cost,
        position.price(id),
        count,
        _event(position, id, gains),
        id in gains,
        (f"pile {id} {count - 1}" if count else "", f"pile {id} {count + 1}"),
    )


def _gainable(position: Position) -> frozenset[str]:
    """What the table waits for somebody to gain."""
    task = position.turn.tasks[0] if position.turn and position.turn.tasks else None
    if position.ended or task is None or not isinstance(task.step, Gain):
        return frozenset()
    return frozenset(gainable(position, task.step, task.base))


def _event(position: Position, id: str, gains: frozenset[str]) -> str:
    turn = position.turn
    if turn is None or position.ended:
        return ""
    if turn.tasks:
        return notation.write_event(CardGained(turn.tasks[0].player, id)) if id in gains else ""
    return notation.write_event(CardBought(turn.player, id)) if id in buyable(position) else ""


def _reason(position: Position) -> Message | None:
    if position.ended or not position.ending:
        return None
    if not position.supply[PROVINCE]:
        return _("%(card)s: none is left.", card=card_name(PROVINCE))
    empty = position.empty_piles
    return _n(
        "%(count)d pile is empty: %(cards)s.",
        "%(count)d piles are empty: %(cards)s.",
        len(empty),
        cards=card_list(empty),
    )
