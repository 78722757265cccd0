"""A table that nobody watched, tapped in piece by piece; every tap records the whole table as it then lies.

`tile`, `at` and `turn` hold a tile as during the game, wherever people like; `on` names the tile that was tapped, and
`spot` the part of it on which a follower stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.games.carcassonne.page.drawing import PartView, TileView, held_view
from companion.games.carcassonne.page.laying import Wish, parse_cell
from companion.games.carcassonne.rules.board import Placement
from companion.games.carcassonne.rules.events import TableShown, WholeTable
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.rules.tiles import ROLE_NAMES, TILES, TURNS, Cell, fitting_turns
from companion.games.carcassonne.text import notation


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
class TableEditorView:
    """What can be changed about the table as it lies."""

    tile: str
    """The type in hand; empty without any."""
    targets: tuple[Cell, ...]
    ghost: TileView | None
    next_turn: int
    event: str
    """What lays the tile as it is held."""
    touched: TappedTileView | None
    counted: str
    """The table without the points, which a form adds."""
    points: tuple[int, ...]


def table_editor(position: Position, wish: Wish) -> TableEditorView:
    table = position.table or WholeTable(())
    tile = wish.get("tile", "") if wish.get("tile") in TILES else ""
    targets = tuple(position.board.frontier) if position.board.tiles else ((0, 0),)
    hold = _held_freely(position, tile, parse_cell(wish.get("at", "")), wish.get("turn", ""), targets)
    return TableEditorView(
        tile=tile,
        targets=targets if tile else (),
        ghost=held_view(hold) if hold else None,
        next_turn=(hold.turn + 1) % len(TURNS) if hold else 0,
        event=_table_line(replace(table, tiles=(*table.tiles, hold))) if hold else "",
        touched=_touched(position, table, wish),
        counted=_table_line(replace(table, points=())),
        points=table.points or (0,) * position.players,
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
    index = next(n for n, placement in enumerate(table.tiles) if (placement.x, placement.y) == at)
    placement = table.tiles[index]
    before, after = table.tiles[:index], table.tiles[index + 1 :]
    turned = placement._replace(turn=(placement.turn + 1) % len(TURNS))
    stay = tuple(follower for follower in table.followers if follower[1][:2] != at)
    return TappedTileView(
        tile=held_view(placement),
        turned=_table_line(replace(table, tiles=(*before, turned, *after))),
        gone=_table_line(replace(table, tiles=(*before, *after), followers=stay)),
        spots=tuple(
            _spot(position, table, held_view(placement), id, wish) for id in held_view(placement).parts
        ),
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
            _table_line(
                replace(table, followers=others if player == standing else (*others, (player, segment)))
            )
            for player in range(position.players)
        ),
    )


def _table_line(table: WholeTable) -> str:
    return notation.write_event(TableShown(table))
