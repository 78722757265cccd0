"""What people record against the rules, or where the log does not know: with a reason, a card does what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.events import (
    CardBought,
    CardGained,
    CardPlayed,
    CardsTrashed,
    Overrulable,
)
from companion.games.dominion.rules.legal import legal_events
from companion.games.dominion.rules.moves import apply
from companion.games.dominion.rules.position import Position
from companion.games.dominion.rules.steps import PlayCard
from companion.games.dominion.text import notation
from companion.games.dominion.text.faces import card_face

ANY_REASON = "?"
"""Stands for the reason that people will say, while we look what can be recorded at all."""


@dataclass(frozen=True)
class OverrulingWay:
    """Something that may have been done with a card, and by whom: the seat and the line of each."""

    text: Message
    events: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class UnlistedCard:
    """A card that can be played although nothing says who has it."""

    name: Message
    face: str
    event: str


def overruling_ways(position: Position, card: str) -> tuple[OverrulingWay, ...]:
    """What can be recorded of a card with a reason."""
    turn = position.turn
    if turn is None or position.ended or card not in position.supply:
        return ()
    seats = range(position.players)
    left = position.supply[card] > 0
    found = (
        _way(position, _("Took one from its pile"), [CardGained(seat, card) for seat in seats if left]),
        _way(position, _("Trashed one"), [CardsTrashed(seat, (card,)) for seat in seats]),
        _way(position, _("Plays it"), [CardPlayed(turn.player, card)]),
        _way(position, _("Buys it"), [CardBought(turn.player, card)] if left else []),
    )
    return tuple(way for way in found if way.events)


def unlisted_cards(position: Position) -> tuple[UnlistedCard, ...]:
    """Cards that have no button to play them, and could be played with a reason."""
    turn = position.turn
    if turn is None or position.ended or (turn.tasks and not isinstance(turn.tasks[0].step, PlayCard)):
        return ()
    offered = {event.card for event in legal_events(position) if isinstance(event, CardPlayed)}
    events = [CardPlayed(turn.player, card) for card in position.supply if card not in offered]
    return tuple(
        UnlistedCard(card_name(event.card), card_face(event.card), notation.write_event(event))
        for event in events
        if _possible(position, event)
    )


def _way(position: Position, text: Message, events: list[Overrulable]) -> OverrulingWay:
    return OverrulingWay(text, tuple(_possible_lines(position, events)))


def _possible_lines(position: Position, events: list[Overrulable]) -> Iterator[tuple[int, str]]:
    for event in events:
        if _possible(position, event):
            yield event.player, notation.write_event(event)


def _possible(position: Position, event: Overrulable) -> bool:
    """Whether the rules let it be recorded with a reason."""
    try:
        apply(position, replace(event, because=ANY_REASON))
    except IllegalEvent:
        return False
    return True
