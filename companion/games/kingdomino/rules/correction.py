"""What a correction of an earlier entry of Kingdomino does to later ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.core.game import EntryReader, ReplayedEntry
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoPlaced,
    Event,
    LineDrawn,
)
from companion.games.kingdomino.rules.position import Position


class KingdominoEntryReader(EntryReader[Position, Event]):
    """A domino mistaken for another was mistaken in what came later, too, until its game ends."""

    def __init__(self, was: Position, now: Position, last: Position) -> None:
        super().__init__(was, now, last)
        self._exchanges: list[Mapping[int, int]] = []
        """Dominoes that change places in later entries, each correction both ways."""
        self._told: Event | None = None
        """What was read last, as the log has it."""

    def read(self, was: ReplayedEntry[Position, Event], event: Event) -> Event:
        self._told = event
        return event if was.event is None else self._renamed(event)

    def alternatives(self, event: Event, because: str) -> Sequence[Event]:
        """As it was told, where both dominoes are the same player's; else a domino lies where it lies.

        Where another one lies, it is missing until somebody says where it is.
        """
        told = (self._told,) if self._told and self._told != event else ()
        match event:
            case DominoPlaced(player, placement):
                lying = DominoPlaced(player, placement._replace(because=placement.because or because))
                return (*told, lying, DominoDiscarded(player, placement.domino, because))
            case DominoDiscarded(player, domino, reason):
                return (*told, DominoDiscarded(player, domino, reason or because))
            case _:
                return told

    def advance(self, was: ReplayedEntry[Position, Event], now: ReplayedEntry[Position, Event]) -> None:
        if was.position.game_ended:
            # The next game of a dynasty has every domino in the box again.
            self._exchanges.clear()
        elif was.event is not None:
            match self._renamed(was.event), now.event:
                case LineDrawn(old), LineDrawn(new) if old != new:
                    self._exchanges.append(_exchange(old, new))
                case DominoChosen(_, old), DominoChosen(_, new) if old != new:
                    self._exchanges.append({old: new, new: old})

    def _renamed(self, event: Event) -> Event:
        for names in self._exchanges:
            event = _renamed(event, names)
        return event


def _exchange(old: tuple[int, ...], new: tuple[int, ...]) -> Mapping[int, int]:
    """Dominoes that left the line and those that came instead, in their order, both ways."""
    pairs = list(zip(sorted(set(old) - set(new)), sorted(set(new) - set(old)), strict=False))
    return {**dict(pairs), **{came: left for left, came in pairs}}


def _renamed(event: Event, names: Mapping[int, int]) -> Event:
    match event:
        case LineDrawn(dominoes):
            return LineDrawn(tuple(sorted(names.get(domino, domino) for domino in dominoes)))
        case DominoChosen(_, domino) | DominoDiscarded(_, domino):
            return replace(event, domino=names.get(domino, domino))
        case DominoPlaced(_, placement):
            placed = names.get(placement.domino, placement.domino)
            return replace(event, placement=placement._replace(domino=placed))
        case _:
            return event
