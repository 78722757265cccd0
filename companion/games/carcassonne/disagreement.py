"""Where a table of Carcassonne shows something else than the log says."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from companion.core.game import Setup
from companion.core.message import message as _
from companion.core.observation import Contradiction
from companion.games.carcassonne.events import FollowerPlaced, NoFollower
from companion.games.carcassonne.position import Position
from companion.games.carcassonne.seen import CLEAR, Figure, Seen, Tile, agrees
from companion.games.carcassonne.tiles import Cell


def contradictions(
    setup: Setup, position: Position, seen: Seen, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Everything that is not as the log has it; in some places people are asked already."""
    yield from _tiles(position, seen, asked)
    yield from _followers(setup, position, seen)
    yield from _figures(setup, position, seen, asked)


def _tiles(position: Position, seen: Seen, asked: Collection[Cell]) -> Iterator[Contradiction]:
    new = {cell: tile for cell, tile in seen.tiles.items() if cell not in position.board.tiles}
    for cell, known in position.board.tiles.items():
        tile = seen.tiles.get(cell)
        if tile is None:
            moved = next((one for one in new.values() if one.placement.tile == known.letter), None)
            yield _gone(position, cell, known.letter, moved)
        elif not agrees(position.board, tile) and tile.seen.confidence >= CLEAR:
            yield _another(position, cell, known.letter, tile)
    strange = [tile for cell, tile in new.items() if cell not in asked]
    for tile in strange[:1]:
        yield Contradiction(_("There is a tile on the table that the log does not know."), tile.area)


def _gone(position: Position, cell: Cell, letter: str, moved: Tile | None) -> Contradiction:
    text = (
        _("Tile %(tile)s has been moved.", tile=letter)
        if moved
        else _("Tile %(tile)s is not where it was.", tile=letter)
    )
    meant = position.lays.get(cell)
    lies = replace(meant, placement=moved.placement) if meant and moved else None
    return Contradiction(text, moved.area if moved else None, meant, lies, meant.player if meant else None)


def _another(position: Position, cell: Cell, letter: str, tile: Tile) -> Contradiction:
    placement, meant = tile.placement, position.lays.get(cell)
    text = (
        _("Tile %(tile)s has been turned.", tile=letter)
        if placement.tile == letter
        else _("Where tile %(tile)s should be, there is tile %(other)s.", tile=letter, other=placement.tile)
    )
    lies = replace(meant, placement=placement) if meant else None
    return Contradiction(text, tile.area, meant, lies, meant.player if meant else None)


def _followers(setup: Setup, position: Position, seen: Seen) -> Iterator[Contradiction]:
    """Followers of the log that are not on their tiles."""
    for segment, player in position.followers.items():
        tile = seen.tiles.get(segment[:2])
        elsewhere = any(one.player == player and one.cell == segment[:2] for one in seen.figures)
        if tile and segment not in seen.known and not elsewhere:
            text = _("The follower of %(name)s is not where it was.", name=setup.players[player].name)
            yield Contradiction(text, tile.area, FollowerPlaced(player, segment), None, player)


def _figures(
    setup: Setup, position: Position, seen: Seen, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Followers that the log does not know; those that were counted earlier have only been forgotten there."""
    standing = {(player, segment[:2]) for segment, player in position.followers.items()}
    counted = {(player, segment[:2]) for count in position.scored for player, segment in count.holders}
    for figure in seen.figures:
        place = (figure.player, figure.cell)
        coming = figure.cell in asked or (figure.cell == position.laid and figure.player == position.player)
        if place not in standing | counted and not coming and figure.cell in position.board.tiles:
            yield _unknown(setup, position, figure)


def _unknown(setup: Setup, position: Position, figure: Figure) -> Contradiction:
    player = figure.player
    text = _("There is a follower of %(name)s that the log does not know.", name=setup.players[player].name)
    if _last_of(position, player) != figure.cell:
        return Contradiction(text, figure.area, None, None, player)
    lies = FollowerPlaced(player, (*figure.cell, figure.parts[0]))
    return Contradiction(text, figure.area, NoFollower(player), lies, player)


def _last_of(position: Position, player: int) -> Cell | None:
    """Where this player laid a tile last."""
    return next((cell for cell, lay in reversed(tuple(position.lays.items())) if lay.player == player), None)
