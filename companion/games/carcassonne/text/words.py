"""Carcassonne told in words."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import told_reason
from companion.games.carcassonne.rules.board import Placement, Segment
from companion.games.carcassonne.rules.events import (
    Event,
    FollowerPlaced,
    GameEnded,
    NoFollower,
    StartLaid,
    TableShown,
    TileDiscarded,
    TileDrawn,
    TileLaid,
)
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.tiles import KIND_OF_LETTER, Cell, FeatureKind

PLACES_A_FOLLOWER: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("places a thief"),
    FeatureKind.CITY: _("places a knight"),
    FeatureKind.MONASTERY: _("places a monk"),
    FeatureKind.FIELD: _("places a farmer"),
}


def next_action(position: Position) -> Message:
    """What the table is waiting for, in a few words."""
    match position.phase:
        case Phase.DRAW:
            return _("Draw a tile and lay it")
        case Phase.LAY if not position.board.has_place_for(position.drawn):
            return _("The tile fits nowhere: put it aside and draw another")
        case Phase.LAY:
            return _("Lay the tile")
        case Phase.FOLLOWER:
            return _("Place a follower, or none")
        case Phase.SHOW:
            return _("Tap in the table as it lies")
        case Phase.OVER:
            return _("The game is over")


def describe(event: Event) -> Remark:
    """An event in words; the tile it is about is drawn beside them, and its place can be lit."""
    match event:
        case StartLaid(placement):
            return _about(placement, _("First tile"))
        case TileDrawn(player, tile):
            return Remark(_("draws a tile"), player, tile_label(tile))
        case TileDiscarded(player, tile):
            return Remark(_("puts a tile aside"), player, tile_label(tile))
        case TileLaid(player, placement, follower):
            text = _("lays a tile")
            if follower:
                places = PLACES_A_FOLLOWER[KIND_OF_LETTER[follower[0]]]
                text = _("%(laid)s and %(places)s", laid=text, places=places)
            return _about(placement, text, player)
        case FollowerPlaced(player, segment):
            return Remark(PLACES_A_FOLLOWER[feature_kind(segment)], player, where=(place_name(segment),))
        case NoFollower(player):
            return Remark(_("places no follower"), player)
        case GameEnded():
            return Remark(_("The game ends before the last tile"))
        case TableShown(table):
            return Remark(
                _n("Table with %(count)d tile", "Table with %(count)d tiles", len(table.tiles)),
            )


def describe_overruled(event: Event) -> Remark:
    """What somebody did against the rules, and why."""
    match event:
        case TileLaid(player, placement, _follower, because):
            text = _("A tile was laid against the rules: %(why)s", why=told_reason(because))
            return _about(placement, text, player)
        case FollowerPlaced(player, segment, because):
            text = _("A follower was placed against the rules: %(why)s", why=told_reason(because))
            return Remark(text, player, where=(place_name(segment),))
        case TileDiscarded(player, tile, because):
            text = _("A tile was put aside although it fits: %(why)s", why=told_reason(because))
            return Remark(text, player, tile_label(tile))
        case _:
            return describe(event)


def tile_label(tile: str) -> str:
    """The label of a tile's drawing."""
    return f"tile-{tile}"


def _about(placement: Placement, text: Message, player: int | None = None) -> Remark:
    where = (cell_name((placement.x, placement.y)),)
    return Remark(text, player, tile_label(placement.tile), where, 90 * placement.turn)


def feature_kind(segment: Segment) -> FeatureKind:
    return KIND_OF_LETTER[segment[2][0]]


def place_name(segment: Segment) -> str:
    """The name of a part of a tile on the table, as the drawing marks it."""
    x, y, id = segment
    return f"{x},{y}:{id}"


def cell_name(cell: Cell) -> str:
    """The name of a place for a tile."""
    return f"{cell[0]},{cell[1]}"
