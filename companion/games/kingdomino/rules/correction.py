"""What else changes when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoPlaced,
    Event,
    LineDrawn,
)


def follow(before: Event, after: Event, later: Event) -> Event:
    """A domino mistaken for another was mistaken in what came later, too: the two change places there."""
    match before, after:
        case LineDrawn(old), LineDrawn(new):
            return _renamed(later, _exchange(old, new))
        case DominoChosen(_, old), DominoChosen(_, new):
            return _renamed(later, {old: new, new: old})
        case _:
            return later


def keep(event: Event, because: str) -> Sequence[Event]:
    """A domino lies where it lies; where another one lies already, it is missing until somebody says where it is."""
    match event:
        case DominoPlaced(player, placement):
            lying = DominoPlaced(player, placement._replace(because=placement.because or because))
            return (lying, DominoDiscarded(player, placement.domino, because))
        case DominoDiscarded(player, domino, reason):
            return (DominoDiscarded(player, domino, reason or because),)
        case _:
            return ()


def _exchange(old: tuple[int, ...], new: tuple[int, ...]) -> Mapping[int, int]:
    """Dominoes that left the line and those that came instead, in their order, both ways."""
    pairs = list(zip(sorted(set(old) - set(new)), sorted(set(new) - set(old)), strict=False))
    return {**dict(pairs), **{came: left for left, came in pairs}}


def _renamed(event: Event, names: Mapping[int, int]) -> Event:
    match event:
        case LineDrawn(dominoes):
            return LineDrawn(tuple(sorted(names.get(domino, domino) for domino in dominoes)))
        case DominoChosen(player, domino):
            return DominoChosen(player, names.get(domino, domino))
        case DominoPlaced(player, placement):
            return DominoPlaced(
                player, placement._replace(domino=names.get(placement.domino, placement.domino))
            )
        case DominoDiscarded():
            return replace(event, domino=names.get(event.domino, event.domino))
        case _:
            return event
