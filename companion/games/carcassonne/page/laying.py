"""Tiles and followers as they are tapped: a turn of a game, or a whole table that nobody watched.

A person's wishes come with the address: `tile` (which type is about to be laid, when nobody told it was
drawn), `at` (the place that was tapped), `turn` (the way the tile is held there), `all` (the forbidden places
and ways, too) and `claim` (where its follower is held); `was` is what the entry says that is being corrected.
On a table that nobody watched, `on` names the tile that was tapped, `spot` the part of it on which a follower
stands, and every tap records the whole table as it then lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from companion.core.errors import IllegalEvent, NotationError
from companion.core.message import Message
from companion.games.carcassonne.page.drawing import (
    PartView,
    TileView,
    board_bounds,
    parse_cell,
    part_view,
)
from companion.games.carcassonne.rules.board import (
    ROLE_NAMES,
    TILES,
    TURNS,
    Cell,
    Placement,
    Segment,
    feature_kind,
    fitting_turns,
    place_name,
)
from companion.games.carcassonne.rules.events import (
    Event,
    FollowerPlaced,
    TileDiscarded,
    TileDrawn,
    TileLaid,
    WholeTable,
)
from companion.games.carcassonne.rules.moves import apply, turn_over
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.text.notation import parse_event, write_event, write_table

Wish = Mapping[str, str]


@dataclass(frozen=True)
class ClaimView:
    """A part of the tile just laid where a follower may be placed."""

    event: str
    """Its line of notation."""
    at: PartView
    role: Message
    chosen: bool
    """Whether the follower is held there."""
    counts: tuple[Count, ...]
    """What it would count at once."""


@dataclass(frozen=True)
class HeldTile:
    """A tile in hand."""

    tile: str
    """The type in hand; empty without any."""
    targets: tuple[Cell, ...]
    """The places where it may be tapped down."""
    ghost: TileView | None
    """The tile as it is held, once a place was tapped."""
    next_turn: int
    event: str
    """What lays it as it is held."""


@dataclass(frozen=True)
class LayingView(HeldTile):
    """A tile about to be laid; with the follower of the entry that is corrected, where it may stand."""

    fits: int
    """In how many places it fits."""
    ways: int
    """How many ways there are to hold it there."""
    bare: str
    """What lays it without a follower."""
    refusal: Message | None
    claims: tuple[ClaimView, ...]
    """Held that way: what lays it together with a follower, as corrections need it."""
    discard: str
    """What puts it aside."""


@dataclass(frozen=True)
class BagView:
    """A type of tile, and how many of it are still to come."""

    tile: str
    left: int
    count: int
    draw: str
    """What tells that it was drawn; empty when that cannot be now."""


def bag_view(position: Position) -> tuple[BagView, ...]:
    after = turn_over(position)
    can_draw = after.phase is Phase.DRAW
    return tuple(
        BagView(
            tile=letter,
            left=left,
            count=TILES[letter].count,
            draw=write_event(TileDrawn(after.player, letter)) if can_draw and left > 0 else "",
        )
        for letter, left in position.bag.items()
    )


def laying_view(position: Position, wish: Wish) -> LayingView | None:
    position, was = turn_over(position), corrected_entry(wish)
    now = was if isinstance(was, TileLaid) else None
    tile = position.drawn or wish.get("tile", now.placement.tile if now else "")
    if position.phase not in (Phase.DRAW, Phase.LAY) or tile not in TILES:
        return None
    fits = tuple(position.board.placements(tile))
    hold = _held_placement(position, fits, wish, now if now and now.placement.tile == tile else None)
    ways = _ways(fits, hold, "all" in wish) if hold else ()
    bare = TileLaid(position.player, hold) if hold else None
    claims = _claims_with(position, hold, now.follower if now else "") if hold else ()
    places = tuple(dict.fromkeys(placement.cell for placement in fits))
    return LayingView(
        tile=tile,
        targets=_everywhere(position) if "all" in wish else places,
        fits=len(places),
        ghost=TileView(*hold) if hold else None,
        ways=len(ways),
        next_turn=_after(ways, hold.turn) if hold else 0,
        event=next((claim.event for claim in claims if claim.chosen), write_event(bare) if bare else ""),
        bare=write_event(bare) if bare else "",
        refusal=_refusal(position, bare) if bare else None,
        claims=claims,
        discard=write_event(TileDiscarded(position.player, tile)),
    )


def corrected_entry(wish: Wish) -> Event | None:
    """The entry that is being corrected."""
    try:
        return parse_event(wish["was"]) if "was" in wish else None
    except NotationError:
        return None


def _held_placement(
    position: Position, fits: Sequence[Placement], wish: Wish, was: TileLaid | None
) -> Placement | None:
    """How the tile is held: as people wish, as the entry that is corrected has it, or as it fits first."""
    at = parse_cell(wish.get("at", ""))
    if at is None:
        return was.placement if was and "tile" not in wish else None
    tile = position.drawn or wish.get("tile", was.placement.tile if was else "")
    here = [one for one in fits if one.cell == at]
    if at in position.board.tiles or not (here or "all" in wish):
        return None
    turn = wish.get("turn", "")
    if turn in ("0", "1", "2", "3") and ("all" in wish or int(turn) in [one.turn for one in here]):
        return Placement(tile, *at, int(turn))
    return here[0] if here else Placement(tile, *at)


def _ways(fits: Sequence[Placement], hold: Placement, everything: bool) -> tuple[int, ...]:
    here = tuple(one.turn for one in fits if one.cell == hold.cell)
    return tuple(TURNS) if everything else here or (hold.turn,)


def _after(ways: tuple[int, ...], turn: int) -> int:
    return ways[(ways.index(turn) + 1) % len(ways)] if turn in ways else ways[0]


def _everywhere(position: Position) -> tuple[Cell, ...]:
    left, top, right, bottom = board_bounds(position)
    cells = product(range(left, right + 1), range(top, bottom + 1))
    return tuple(cell for cell in cells if cell not in position.board.tiles)


def _refusal(position: Position, event: TileLaid) -> Message | None:
    try:
        apply(position, event)
    except IllegalEvent as error:
        return error.message
    return None


def _claims_with(position: Position, hold: Placement, was: str) -> tuple[ClaimView, ...]:
    """What lays the tile with a follower; the part on which it stood, by the entry that is corrected, is chosen."""
    event = TileLaid(position.player, hold)
    if _refusal(position, event):
        return ()
    claims = [(claim, TileLaid(position.player, hold, claim[2])) for claim in apply(position, event).claims]
    stood = place_name((*hold.cell, was))
    return tuple(_claim(position, event, claim, stood) for claim, event in claims)


def claim_views(position: Position, wish: Wish) -> tuple[ClaimView, ...]:
    """The parts of the tile just laid where the player may place a follower."""
    was = corrected_entry(wish)
    stood = place_name(was.segment) if isinstance(was, FollowerPlaced) else ""
    return tuple(
        _claim(position, FollowerPlaced(position.player, segment), segment, wish.get("claim", stood))
        for segment in position.claims
    )


def _claim(position: Position, event: TileLaid | FollowerPlaced, segment: Segment, chosen: str) -> ClaimView:
    after = apply(position, event)
    at = part_view(after.board, segment)
    new = after.scored[len(position.scored) :]
    return ClaimView(
        event=write_event(event),
        at=at,
        role=ROLE_NAMES[feature_kind(segment)],
        chosen=at.place == chosen,
        counts=tuple(count for count in new if segment in count.segments),
    )


@dataclass(frozen=True)
class FollowerSpotView:
    """A part of a tile on which a follower may stand."""

    at: PartView
    role: Message
    player: int | None
    """Whose follower stands there."""
    chosen: bool
    events: tuple[str, ...]
    """What sets each player's follower there; for somebody's own, what takes it away."""


@dataclass(frozen=True)
class TappedTileView:
    """A tile on the table that was tapped."""

    tile: TileView
    turned: str
    gone: str
    spots: tuple[FollowerSpotView, ...]


@dataclass(frozen=True)
class TableEditorView(HeldTile):
    """What can be changed about the table as it lies."""

    touched: TappedTileView | None
    counted: str
    """The table without the points, which a form adds."""
    points: tuple[int | None, ...]
    """What each has on the track; None until somebody says so."""


def table_editor(position: Position, wish: Wish) -> TableEditorView:
    table = position.table or WholeTable(())
    tile = wish.get("tile", "") if wish.get("tile") in TILES else ""
    targets = tuple(position.board.frontier) if position.board.tiles else ((0, 0),)
    hold = _held_freely(position, tile, parse_cell(wish.get("at", "")), wish.get("turn", ""), targets)
    return TableEditorView(
        tile=tile,
        targets=targets if tile else (),
        ghost=TileView(*hold) if hold else None,
        next_turn=(hold.turn + 1) % len(TURNS) if hold else 0,
        event=write_table(replace(table, tiles=(*table.tiles, hold))) if hold else "",
        touched=_touched(position, table, wish),
        counted=write_table(replace(table, points=())),
        points=table.points or (None,) * position.players,
    )


def _held_freely(
    position: Position, tile: str, at: Cell | None, turn: str, targets: Sequence[Cell]
) -> Placement | None:
    if not tile or at not in targets or at is None:
        return None
    fitting = fitting_turns(tile, position.board.frontier.get(at, "...."))
    first = fitting[0] if fitting else 0
    return Placement(tile, *at, int(turn) if turn in ("0", "1", "2", "3") else first)


def _touched(position: Position, table: WholeTable, wish: Wish) -> TappedTileView | None:
    at = parse_cell(wish.get("on", ""))
    if at not in position.board.tiles or at is None:
        return None
    index = next(n for n, placement in enumerate(table.tiles) if placement.cell == at)
    placement = table.tiles[index]
    before, after = table.tiles[:index], table.tiles[index + 1 :]
    turned = placement._replace(turn=(placement.turn + 1) % len(TURNS))
    stay = tuple(follower for follower in table.followers if follower[1][:2] != at)
    tile = TileView(*placement)
    return TappedTileView(
        tile=tile,
        turned=write_table(replace(table, tiles=(*before, turned, *after))),
        gone=write_table(replace(table, tiles=(*before, *after), followers=stay)),
        spots=tuple(_spot(position, table, tile, id, wish) for id in tile.parts),
    )


def _spot(position: Position, table: WholeTable, tile: TileView, id: str, wish: Wish) -> FollowerSpotView:
    segment = (tile.x, tile.y, id)
    at = PartView(tile, id)
    standing = position.followers.get(segment)
    others = tuple(follower for follower in table.followers if follower[1] != segment)
    return FollowerSpotView(
        at=at,
        role=ROLE_NAMES[at.kind],
        player=standing,
        chosen=wish.get("spot") == id,
        events=tuple(
            write_table(
                replace(table, followers=others if player == standing else (*others, (player, segment)))
            )
            for player in range(position.players)
        ),
    )
