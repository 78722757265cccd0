"""Several cards of one answer, picked one after the other: those that are trashed, or revealed for a Tribute.

A person's wish: `picked`, the cards picked so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.events import CardsRevealed, CardsTrashed
from companion.games.dominion.rules.legal import cards_not_in_play, may_trash
from companion.games.dominion.rules.position import Position, Task
from companion.games.dominion.rules.steps import Reveal, Trash
from companion.games.dominion.text import notation
from companion.games.dominion.text.faces import card_face

Wish = Mapping[str, str]


@dataclass(frozen=True)
class PickableCard:
    """A card that could be picked next."""

    name: Message
    face: str
    wish: str
    """The cards picked with it; empty where a tap on it records them."""
    event: str


@dataclass(frozen=True)
class PickingView:
    """What was picked so far, and what could be."""

    picked: tuple[tuple[Message, str, str], ...]
    """Each card picked: its name, its drawing, and the wish without it."""
    more: tuple[PickableCard, ...]
    event: str
    """What records those picked; empty where there is nothing to record."""
    label: Message


def picking_view(position: Position, task: Task, wish: Wish) -> PickingView | None:
    """None where one card is the whole answer."""
    match task.step:
        case Trash(most=most) as step if most > 1:
            held = cards_not_in_play(position, task.player)
            held = {card: count for card, count in held.items() if may_trash(position, step, card)}
            picked = _picked(wish, held, most)
            event = notation.write_event(CardsTrashed(task.player, picked)) if picked else ""
            label = _n("Trash %(count)d card", "Trash %(count)d cards", len(picked))
            more = (
                tuple(_pickable(picked, card) for card in _left(held, picked)) if len(picked) < most else ()
            )
            return PickingView(_shown(picked), more, event, label)
        case Reveal(count):
            return _revealing(position, (task.player + 1) % position.players, count, wish)
        case _:
            return None


def _revealing(position: Position, player: int, count: int, wish: Wish) -> PickingView:
    """The last card records all of them: two taps tell a Tribute."""
    held = cards_not_in_play(position, player)
    picked = _picked(wish, held, count - 1)
    last = len(picked) == count - 1
    more = tuple(
        _pickable(picked, card, notation.write_event(CardsRevealed(player, (*picked, card))) if last else "")
        for card in _left(held, picked)
    )
    label = _("No further card") if picked else _("No card")
    return PickingView(_shown(picked), more, notation.write_event(CardsRevealed(player, picked)), label)


def _picked(wish: Wish, held: Mapping[str, int], most: int) -> tuple[str, ...]:
    picked: list[str] = []
    for card in wish.get("picked", "").split()[:most]:
        if picked.count(card) < held.get(card, 0):
            picked.append(card)
    return tuple(picked)


def _left(held: Mapping[str, int], picked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card, count in held.items() if picked.count(card) < count)


def _pickable(picked: tuple[str, ...], card: str, event: str = "") -> PickableCard:
    return PickableCard(card_name(card), card_face(card), "" if event else " ".join((*picked, card)), event)


def _shown(picked: tuple[str, ...]) -> tuple[tuple[Message, str, str], ...]:
    return tuple(
        (card_name(card), card_face(card), " ".join((*picked[:place], *picked[place + 1 :])))
        for place, card in enumerate(picked)
    )
