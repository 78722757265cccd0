"""What else changes when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from companion.games.dominations.box import LETTERS, Domain
from companion.games.dominations.events import (
    Advanced,
    Answered,
    Assimilated,
    Built,
    Chosen,
    CityTold,
    Contributed,
    Developed,
    Event,
    Kept,
    Laid,
    Overrulable,
    Plain,
    Produced,
    Reactivated,
    TileTold,
    Upgraded,
)
from companion.games.dominations.lattice import Cell


def follow(before: Event, after: Event, later: Event) -> Event:
    """Cities stand on their territory wherever it lies; a Mastery that was another one is turned over as that."""
    old, new = _plain(before), _plain(after)
    if isinstance(old, (Laid, TileTold)) and isinstance(new, (Laid, TileTold)):
        return _each(later, partial(_moved, old=old.cell, new=new.cell))
    if isinstance(old, (Laid, TileTold)) and isinstance(new, Produced):
        return _each(later, partial(_off_the_map, cell=old.cell, field=old.tile.field))
    if isinstance(old, Built) and isinstance(new, Built):
        return _each(later, partial(_built_elsewhere, old=old, new=new))
    if isinstance(old, Kept) and isinstance(new, Kept):
        return _each(later, partial(_changed_hands, old=old, new=new))
    if isinstance(old, (Developed, Assimilated)) and isinstance(new, (Developed, Assimilated)):
        return _each(later, partial(_renamed, old=old, new=new))
    return later


def _plain(event: Event) -> Plain:
    return event.event if isinstance(event, Answered) else event


def _each(event: Event, change: Callable[[Plain], Plain]) -> Event:
    if isinstance(event, Answered):
        return replace(event, event=change(event.event))
    return change(event)


def _renamed(later: Plain, old: Developed | Assimilated, new: Developed | Assimilated) -> Plain:
    if not (new.key and isinstance(later, Advanced)):
        return later
    if (later.key, later.player) == (old.key, old.player):
        return replace(later, key=new.key, player=new.player)
    return later


def _moved(later: Plain, old: Cell, new: Cell) -> Plain:
    if isinstance(later, (Built, Upgraded, Reactivated, CityTold)) and later.cell == old:
        return replace(later, cell=new)
    return later


def _changed_hands(later: Plain, old: Kept, new: Kept) -> Plain:
    """Everybody keeps one Objective: what was somebody else's leaves theirs to who had it."""
    if isinstance(later, Kept) and later.player == new.player:
        return replace(later, player=old.player)
    return later


def _off_the_map(later: Plain, cell: Cell, field: Domain) -> Plain:
    """Where no territory is drawn after all, a City is known by its Domain; one that rises again is told anew."""
    if isinstance(later, Built) and later.cell == cell:
        return replace(later, cell=None, domain=field)
    if isinstance(later, Upgraded) and later.cell == cell:
        return replace(later, cell=None, domain=field, level=1)
    return later


def _built_elsewhere(later: Plain, old: Built, new: Built) -> Plain:
    """A City rises where it stands."""
    placed = old.cell is not None and new.cell is not None
    if placed and isinstance(later, Upgraded) and later.cell == old.cell:
        owner = new.player if later.player == old.player else later.player
        return replace(later, cell=new.cell, player=owner)
    return later


def keep(event: Event, because: str) -> Sequence[Event]:
    """What was done stays done as it lies; what has no place on the map any more stays in the ledger."""
    if isinstance(event, Chosen) and not {*event.choice} <= {*LETTERS}:
        return ()
    if isinstance(event, Chosen):
        # Another territory may give more Vestigium or less; who took one Domain takes more of it.
        return [replace(event, choice=(event.choice * 6)[:count]) for count in range(1, 7)]
    if isinstance(event, Answered):
        ways = keep(event.event, because)
        plain = [way for way in ways if not isinstance(way, Answered)]
        return [*(Answered(way, event.choices) for way in plain), event.event, *plain]
    if not isinstance(event, Overrulable):
        return ()
    reason = event.because or because
    lying: Event = replace(event, because=reason)
    if isinstance(event, (Laid, Reactivated)):
        # Where something else lies now, the turn was taken all the same.
        return (lying, Produced(event.player, {}, because=reason))
    if isinstance(event, Contributed) and event.place is not None:
        return (lying, replace(event, place=None, because=reason))
    return (lying,)
