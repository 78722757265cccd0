"""What the page of Carcassonne draws, given what somebody is pointing at.

A person's wishes come with the address: `tile` (which type is about to be laid, when nobody told it was drawn) and `at`
(the place that was tapped).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.message import Message
from companion.games.carcassonne import notation
from companion.games.carcassonne.board import Placement
from companion.games.carcassonne.closing import Step, closing
from companion.games.carcassonne.events import (
    Event,
    FollowerPlaced,
    NoFollower,
    TileDiscarded,
    TileDrawn,
    TileLaid,
)
from companion.games.carcassonne.position import Phase, Position
from companion.games.carcassonne.scoring import Count
from companion.games.carcassonne.tally import name, place, places, telling_order
from companion.games.carcassonne.tiles import ROLE_NAMES, TILES, Cell, Kind
from companion.games.carcassonne.track import TrackPlace, track_place
from companion.games.carcassonne.variants import Variant
from companion.games.carcassonne.words import kind

Wish = Mapping[str, str]


@dataclass(frozen=True)
class TileView:
    """A tile on the table."""

    x: int
    y: int
    tile: str
    turn: int
    last: bool
    """Whether it is the last that was laid."""


@dataclass(frozen=True)
class FollowerView:
    """A follower on the table."""

    player: int
    x: int
    y: int
    part: str
    kind: Kind
    place: str


@dataclass(frozen=True)
class CountView:
    """A feature that somebody stands on, and what it would bring if the game ended now."""

    name: Message
    kind: Kind
    complete: bool
    owners: tuple[int, ...]
    players: tuple[int, ...]
    """Everybody who stands on it."""
    points: int
    working: str
    each: int
    tiles: int
    pennants: int
    places: tuple[str, ...]
    cities: tuple[tuple[str, ...], ...]
    """For a field: the places of each complete city it counts."""


@dataclass(frozen=True)
class StepView:
    """A step of the final counting."""

    text: Message
    count: CountView | None
    track: tuple[TrackPlace, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class ChoiceView:
    """Something that can be recorded with a tap."""

    event: str
    """Its line of notation."""
    place: str = ""
    """Where on the table it is."""
    turn: int = 0
    kind: Kind | None = None
    role: Message | None = None


@dataclass(frozen=True)
class LayingView:
    """A tile about to be laid."""

    tile: str
    targets: tuple[Cell, ...]
    """The places where it fits."""
    at: Cell | None
    turns: tuple[ChoiceView, ...]
    """The ways in which it fits at the place that was tapped."""
    discard: str
    """What puts it aside, when it fits nowhere."""


@dataclass(frozen=True)
class BagView:
    """A type of tile, and how many of it are still to come."""

    tile: str
    left: int
    count: int
    draw: str
    """What tells that it was drawn; empty when that cannot be now."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    looking_ahead = Variant.PURIST not in position.variants or position.phase is Phase.OVER
    return {
        "phase": position.phase.value,
        "player": position.player,
        "drawn": position.drawn,
        "tiles": _tiles(position),
        "bounds": bounds(position),
        "followers": tuple(
            FollowerView(player, *segment, kind(segment), place(segment))
            for segment, player in position.followers.items()
        ),
        "supplies": [position.supply(player) for player in range(position.players)],
        "points": position.points,
        "track": [track_place(points) for points in position.points],
        "bag": _bag(position),
        "tiles_in_the_bag": position.tiles_in_the_bag,
        "discards": position.discards,
        "holes": position.holes,
        "counts": tuple(map(count_view, sorted(position.outlook, key=telling_order)))
        if looking_ahead
        else (),
        "scored": tuple(map(count_view, position.scored)),
        "closing": tuple(map(_step, closing(position))) if position.phase is Phase.OVER else (),
        "laying": _laying(position, wish),
        "claims": _claims(position),
        "no_follower": _write(NoFollower(position.player)) if position.phase is Phase.FOLLOWER else "",
    }


def bounds(position: Position) -> tuple[int, int, int, int]:
    """The leftmost, topmost, rightmost and lowest place, those where a tile may come to lie included."""
    cells = [*position.board.tiles, *position.board.frontier] or [(0, 0)]
    columns, rows = zip(*cells, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def count_view(count: Count) -> CountView:
    return CountView(
        name=name(count),
        kind=count.kind,
        complete=count.complete,
        owners=count.owners,
        players=tuple(sorted({player for player, _segment in count.holders})),
        points=count.points,
        working=count.working,
        each=count.each,
        tiles=count.tiles,
        pennants=count.pennants,
        places=places(count),
        cities=tuple(tuple(sorted(map(place, city))) for city in count.cities),
    )


def _tiles(position: Position) -> tuple[TileView, ...]:
    last = next(reversed([*position.board.tiles]), None)
    return tuple(
        TileView(x, y, tile.letter, tile.turn, (x, y) == last)
        for (x, y), tile in position.board.tiles.items()
    )


def _bag(position: Position) -> tuple[BagView, ...]:
    can_draw = position.phase in (Phase.DRAW, Phase.FOLLOWER) and position.tiles_in_the_bag > 0
    drawer = position.player
    if position.phase is Phase.FOLLOWER:
        drawer = (drawer + 1) % position.players
    return tuple(
        BagView(
            letter,
            left,
            TILES[letter].count,
            _write(TileDrawn(drawer, letter)) if can_draw and left > 0 else "",
        )
        for letter, left in position.bag.items()
    )


def _laying(position: Position, wish: Wish) -> LayingView | None:
    tile = position.drawn or wish.get("tile", "")
    if position.phase not in (Phase.DRAW, Phase.LAY) or tile not in TILES:
        return None
    fits = tuple(position.board.placements(tile))
    at = _cell(wish.get("at", ""))
    turns = tuple(_turn(position, found) for found in fits if (found.x, found.y) == at)
    discard = "" if fits else _write(TileDiscarded(position.player, tile))
    return LayingView(tile, tuple(dict.fromkeys((f.x, f.y) for f in fits)), at, turns, discard)


def _turn(position: Position, placement: Placement) -> ChoiceView:
    event = TileLaid(position.player, placement)
    return ChoiceView(_write(event), f"{placement.x},{placement.y}", placement.turn)


def _claims(position: Position) -> tuple[ChoiceView, ...]:
    return tuple(
        ChoiceView(
            event=_write(FollowerPlaced(position.player, segment)),
            place=place(segment),
            kind=kind(segment),
            role=ROLE_NAMES[kind(segment)],
        )
        for segment in position.claims
    )


def _step(step: Step) -> StepView:
    count = count_view(step.count) if step.count else None
    return StepView(step.text, count, tuple(map(track_place, step.points)), step.points)


def _cell(text: str) -> Cell | None:
    found = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})", text)
    return (int(found[1]), int(found[2])) if found else None


def _write(event: Event) -> str:
    return notation.write_event(event)
