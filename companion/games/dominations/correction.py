"""What else changes when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.dominations.events import (
    Advanced,
    Assimilated,
    Built,
    CityTold,
    Contributed,
    Developed,
    Event,
    Laid,
    Overrulable,
    Reactivated,
    TileTold,
    Upgraded,
)
from companion.games.dominations.lattice import Cell


def follow(before: Event, after: Event, later: Event) -> Event:
    """Cities stand on their territory wherever it lies; a Mastery that was another one is turned over as that."""
    match before, after:
        case ((Laid() | TileTold()), (Laid() | TileTold())) if before.cell != after.cell:
            return _moved(later, before.cell, after.cell)
        case ((Developed() | Assimilated()), (Developed() | Assimilated())):
            if isinstance(later, Advanced) and (later.key, later.player) == (before.key, before.player):
                return replace(later, key=after.key, player=after.player)
            return later
        case _:
            return later


def _moved(later: Event, old: Cell, new: Cell) -> Event:
    if isinstance(later, (Built, Upgraded, Reactivated, CityTold)) and later.cell == old:
        return replace(later, cell=new)
    return later


def keep(event: Event, because: str) -> Sequence[Event]:
    """What was done stays done as it lies; what has no place on the map any more stays in the ledger."""
    if not isinstance(event, Overrulable):
        return ()
    reason = event.because or because
    lying: Event = replace(event, because=reason)
    match event:
        case Contributed(place=place) if place is not None:
            return (lying, replace(event, place=None, because=reason))
        case _:
            return (lying,)
