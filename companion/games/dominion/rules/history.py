"""What earlier games of a household mean for this one: what it hands down, what the draw keeps to, who begins."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.message import Message
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import (
    Event,
    FavouritesKept,
    KingdomPlayed,
    WinnersTold,
    WishesMade,
)
from companion.games.dominion.rules.kingdom import DrawWishes, KingdomNeed, owned_boxes, possible_starters
from companion.games.dominion.rules.position import Phase, Position
from companion.games.dominion.rules.scoring import tally

REMEMBERED = 4
"""How many kingdoms a household remembers: what was played long ago may come like any other."""


def handed_down_events(position: Position) -> Iterator[Event]:
    """What the next game of this household begins with: vetoes are of one evening, and are forgotten."""
    for cards in _played(position)[-REMEMBERED:]:
        yield KingdomPlayed(tuple(sorted(cards)))
    if position.liked:
        yield FavouritesKept(tuple(sorted(position.liked)))
    if position.wishes != Position(position.players).wishes:
        yield WishesMade(tuple(need for need in KingdomNeed if need in position.wishes))
    if won := _winners(position):
        yield WinnersTold(won)


def draw_wishes(position: Position) -> DrawWishes:
    """What the log asks of the next draw."""
    last = position.played[-1] if position.played else frozenset()
    recent = frozenset[str]().union(*position.played[-REMEMBERED:-1])
    available = {card.id for card in CARDS.values() if card.box in owned_boxes(position.variants)}
    return DrawWishes(
        owned_boxes(position.variants),
        position.wishes,
        vetoed=position.vetoed,
        favourites=position.liked & available,
        last=last,
        recent=recent,
    )


def beginners(position: Position) -> tuple[int, ...]:
    """Who may begin, by who won last time and sits here again."""
    return possible_starters(position.players, _seats(position), shared=len(position.won) > 1)


def why_they_begin(position: Position) -> Message:
    """Why those may begin."""
    if not position.won:
        return _("After a game, whoever sits to the left of the winner begins.")
    winners = parts_listed(position.won)
    if not _seats(position):
        return _n(
            "%(names)s won last time, and is not at this table: chance decides.",
            "%(names)s won last time, and are not at this table: chance decides.",
            len(position.won),
            names=winners,
        )
    if len(position.won) > 1:
        return _("%(names)s shared the last victory: one of the others begins.", names=winners)
    return _("%(names)s won last time: whoever sits to the left begins.", names=winners)


def _played(position: Position) -> tuple[frozenset[str], ...]:
    """The kingdoms that were played; one that was only put on the table was not."""
    begun = position.turn is not None and position.kingdom
    return (*position.played, frozenset(position.kingdom)) if begun else position.played


def _winners(position: Position) -> tuple[str, ...]:
    """Who won this game; while nobody has, who won the one before."""
    if position.phase is not Phase.OVER:
        return position.won
    return tuple(position.names[seat] for seat in tally(position).standing.winners)


def _seats(position: Position) -> tuple[int, ...]:
    won = {name.casefold() for name in position.won}
    return tuple(seat for seat, name in enumerate(position.names) if name.casefold() in won)
