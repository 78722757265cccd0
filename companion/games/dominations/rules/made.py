"""What each entry of a log brought to the table, so that it is found again when an earlier one said otherwise."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from enum import Enum

from companion.games.dominations.rules.events import (
    Answered,
    Assimilated,
    Built,
    CardsKept,
    Contributed,
    Developed,
    Event,
    Plain,
    Taught,
    TerritoryLaid,
    TileTold,
)
from companion.games.dominations.rules.position import Position


class ThingKind(Enum):
    """What an entry may speak of though another one made it, and which entries make it."""

    CITY = (Built,)
    TERRITORY = (TerritoryLaid, TileTold)
    MASTERY = (Developed, Assimilated)
    MONUMENT = (CardsKept, Contributed)
    OBJECTIVE = (CardsKept,)
    TITLE = (Taught,)


def things_made(position: Position) -> Mapping[ThingKind, Iterable[Hashable]]:
    """How everything on the table is told apart: Cities by their number, Masteries by whose they are, and so on."""
    seats = [*enumerate(position.seats)]
    return {
        ThingKind.CITY: range(len(position.cities)),
        ThingKind.TERRITORY: [cell for cell, piece in position.board.pieces.items() if piece.tile],
        ThingKind.MASTERY: [(player, card.key) for player, seat in seats for card in seat.tree.masteries],
        ThingKind.MONUMENT: position.sites,
        ThingKind.OBJECTIVE: [player for player, seat in seats if seat.objective],
        ThingKind.TITLE: position.taught,
    }


class Provenance:
    """One log, entry by entry."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._by: dict[tuple[ThingKind, Hashable], int] = {}
        self._of: dict[tuple[ThingKind, int], Hashable] = {}
        self._waiting: list[tuple[int, Plain]] = []
        """The entries that an answer may still let count, and the last one."""

    def maker(self, thing: ThingKind, called: Hashable) -> int | None:
        """The number of the entry that made it."""
        return self._by.get((thing, called))

    def called(self, thing: ThingKind, maker: int | None) -> Hashable | None:
        """What an entry made, as it is called in this log."""
        return None if maker is None else self._of.get((thing, maker))

    def told(self, seq: int, event: Event | None, position: Position) -> None:
        if event is not None:
            self._waiting.append((seq, plain_event(event)))
        held = position.held.event if position.held else None
        done = [(number, made) for number, made in self._waiting if made is not held and made != held]
        self._waiting = [one for one in self._waiting if one not in done][-1:]
        if position is not self.position:
            self._note(done, position)
        self.position = position

    def _note(self, done: list[tuple[int, Plain]], position: Position) -> None:
        for thing, names in things_made(position).items():
            new = [name for name in names if (thing, name) not in self._by]
            makers = [number for number, event in done if isinstance(event, thing.value)]
            # What was held before the last entry came first, if it came at all.
            for name, number in zip(reversed(new), reversed(makers), strict=False):
                self._by[thing, name] = number
                self._of[thing, number] = name


def plain_event(event: Event) -> Plain:
    return event.event if isinstance(event, Answered) else event


def answers_along(event: Event) -> tuple[str, ...]:
    """What it brings along of what it asks."""
    return event.choices if isinstance(event, Answered) else ()
