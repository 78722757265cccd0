"""Where a table of Carcassonne shows something else than the log says."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from companion.core.game import Setup
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Contradiction, Picture
from companion.games.carcassonne.rules.board import Segment
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.rules.tiles import Cell, TurnedTile
from companion.games.carcassonne.sight.seen import (
    CLEAR,
    RegisteredTable,
    SeenFollower,
    SeenTile,
    agrees,
    tile_label_of,
)

MANY_MISSING = 3
"""More missing tiles than that are told together."""


def contradictions(
    setup: Setup, position: Position, seen: RegisteredTable, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Everything that is not as the log has it; in some places people are asked already."""
    yield from _tiles(position, seen, asked)
    yield from _followers(setup, position, seen)
    yield from _figures(setup, position, seen, asked)


def _tiles(position: Position, seen: RegisteredTable, asked: Collection[Cell]) -> Iterator[Contradiction]:
    board = position.board.tiles
    gone = [cell for cell in reversed(tuple(board)) if cell not in seen.tiles]
    if len(gone) > MANY_MISSING:
        text = _n(
            "%(count)d tile is not where it was.", "%(count)d tiles are not where they were.", len(gone)
        )
        yield Contradiction(text)
    else:
        yield from (_missing_tile(position, cell, seen.moved.get(cell)) for cell in gone)
    for cell, tile in seen.tiles.items():
        known = board.get(cell)
        if known and not agrees(position.board, tile) and tile.seen.confidence >= CLEAR:
            yield _other_tile(position, cell, known, tile)
    moved = seen.moved.values()
    new = [tile for cell, tile in seen.tiles.items() if cell not in board and cell not in asked]
    for tile in [tile for tile in new if tile not in moved][:1]:
        yield Contradiction(_("There is a tile on the table that the log does not know."), tile.area)


def _missing_tile(position: Position, cell: Cell, moved: SeenTile | None) -> Contradiction:
    known, meant = position.board.tiles[cell], position.lays.get(cell)
    text = _("A tile has been moved.") if moved else _("A tile is not where it was.")
    picture = Picture(tile_label_of(known.letter), moved.angle if moved else 90 * known.turn)
    return Contradiction(
        text,
        moved.area if moved else None,
        meant,
        replace(meant, placement=moved.placement) if meant and moved else None,
        meant.player if meant else None,
        (picture,),
    )


def _other_tile(position: Position, cell: Cell, known: TurnedTile, tile: SeenTile) -> Contradiction:
    placement, meant = tile.placement, position.lays.get(cell)
    turned = placement.tile == known.letter
    text = _("A tile has been turned.") if turned else _("There lies another tile than the log says.")
    before = Picture(tile_label_of(known.letter), (tile.angle + 90 * (known.turn - placement.turn)) % 360)
    lies = replace(meant, placement=placement) if meant else None
    return Contradiction(
        text,
        tile.area,
        meant,
        lies,
        meant.player if meant else None,
        (before, Picture(tile_label_of(placement.tile), tile.angle)),
    )


def _followers(setup: Setup, position: Position, seen: RegisteredTable) -> Iterator[Contradiction]:
    """Followers of the log that are not where they were."""
    for segment, player in position.followers.items():
        tile = seen.tiles.get(segment[:2])
        if tile is None or segment in seen.known:
            continue
        meant = _placing_event(position, player, segment)
        name = setup.players[player].name
        there = next((one for one in seen.figures if (one.player, one.cell) == (player, segment[:2])), None)
        if there is None and tile.seen.confidence >= CLEAR:
            text = _("The follower of %(name)s is not where it was.", name=name)
            yield Contradiction(text, tile.area, meant, _placed_elsewhere(meant, ""), player)
        elif there and segment[2] not in there.parts:
            text = _("The follower of %(name)s has been moved.", name=name)
            yield Contradiction(text, there.area, meant, _placed_elsewhere(meant, there.parts[0]), player)


def _placing_event(position: Position, player: int, segment: Segment) -> TileLaid | FollowerPlaced:
    """The event by which a follower came where the log has it."""
    for event in position.overruled:
        if isinstance(event, FollowerPlaced) and (event.player, event.segment) == (player, segment):
            return event
    lay = position.lays.get(segment[:2])
    if lay and (lay.player, lay.follower) == (player, segment[2]):
        return lay
    return FollowerPlaced(player, segment)


def _placed_elsewhere(event: TileLaid | FollowerPlaced, part: str) -> Event | None:
    """The same event with its follower on another part, or on none."""
    if isinstance(event, TileLaid):
        return replace(event, follower=part)
    return replace(event, segment=(*event.segment[:2], part)) if part else None


def _figures(
    setup: Setup, position: Position, seen: RegisteredTable, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Followers that the log does not know; those that were counted earlier have only been forgotten there."""
    moved = {
        (player, segment[:2]) for segment, player in position.followers.items() if segment not in seen.known
    }
    counted = {holder for count in position.scored for holder in count.holders}
    for figure in seen.figures:
        places = {(figure.player, (*figure.cell, part)) for part in figure.parts}
        coming = figure.cell in asked or (figure.cell == position.laid and figure.player == position.player)
        told = (figure.player, figure.cell) in moved or not places.isdisjoint(counted)
        if not told and not coming and figure.cell in position.board.tiles:
            yield _unknown(setup, position, figure)


def _unknown(setup: Setup, position: Position, figure: SeenFollower) -> Contradiction:
    player = figure.player
    text = _("There is a follower of %(name)s that the log does not know.", name=setup.players[player].name)
    return Contradiction(text, figure.area, *_forgotten_follower(position, figure), player)


def _forgotten_follower(position: Position, figure: SeenFollower) -> tuple[Event | None, Event | None]:
    """What the log says of the turn in which the follower should have been placed, and what it would have to say."""
    player, cell, part = figure.player, figure.cell, figure.parts[0]
    laid = position.lays.get(cell)
    if laid is None or laid.player != player or laid.follower:
        return None, None
    if cell not in position.bare:
        return laid, replace(laid, follower=part)
    # Such an entry does not name its tile: the latest of this player is found by it.
    last = [at for at in position.bare if position.lays[at].player == player][-1]
    return (NoFollower(player), FollowerPlaced(player, (*cell, part))) if last == cell else (None, None)
