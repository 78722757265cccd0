"""What the page of Carcassonne draws, given what somebody is pointing at.

A person's wishes come with the address: `tile` (which type is about to be laid, when nobody told it was drawn), `at`
(the place that was tapped) and `turn` (the way the tile is held over it).
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
    GameEnded,
    NoFollower,
    TileDiscarded,
    TileDrawn,
    TileLaid,
)
from companion.games.carcassonne.moves import apply, turn_over
from companion.games.carcassonne.position import Phase, Position
from companion.games.carcassonne.scoring import Count
from companion.games.carcassonne.tally import name, place, places, telling_order
from companion.games.carcassonne.tiles import KINDS, ROLE_NAMES, TILES, Cell, Kind
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
    turn: int | None
    """The way it is held, once that is chosen."""
    claims: tuple[ChoiceView, ...]
    """Held that way: what lays it together with a follower, as corrections need it."""
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
        "end": _write(GameEnded()) if position.phase is Phase.DRAW and position.begun else "",
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
    after = turn_over(position)
    can_draw = after.phase is Phase.DRAW
    return tuple(
        BagView(
            tile=letter,
            left=left,
            count=TILES[letter].count,
            draw=_write(TileDrawn(after.player, letter)) if can_draw and left > 0 else "",
        )
        for letter, left in position.bag.items()
    )


def _laying(position: Position, wish: Wish) -> LayingView | None:
    position = turn_over(position)
    tile = position.drawn or wish.get("tile", "")
    if position.phase not in (Phase.DRAW, Phase.LAY) or tile not in TILES:
        return None
    fits = tuple(position.board.placements(tile))
    at = _cell(wish.get("at", ""))
    here = [placement for placement in fits if (placement.x, placement.y) == at]
    held = next((placement for placement in here if str(placement.turn) == wish.get("turn")), None)
    return LayingView(
        tile=tile,
        targets=tuple(dict.fromkeys((placement.x, placement.y) for placement in fits)),
        at=at,
        turns=tuple(_choice(TileLaid(position.player, placement)) for placement in here),
        turn=held.turn if held else None,
        claims=_claims_with(position, held) if held else (),
        discard="" if fits else _write(TileDiscarded(position.player, tile)),
    )


def _choice(event: TileLaid) -> ChoiceView:
    placement = event.placement
    return ChoiceView(_write(event), f"{placement.x},{placement.y}", placement.turn)


def _claims_with(position: Position, held: Placement) -> tuple[ChoiceView, ...]:
    laid = apply(position, TileLaid(position.player, held))
    events = (TileLaid(position.player, held, part) for _x, _y, part in laid.claims)
    return tuple(
        ChoiceView(
            event=_write(event),
            place=place((held.x, held.y, event.follower)),
            turn=held.turn,
            kind=KINDS[event.follower[0]],
            role=ROLE_NAMES[KINDS[event.follower[0]]],
        )
        for event in events
    )


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
