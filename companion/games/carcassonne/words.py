"""Carcassonne told in words."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import told
from companion.games.carcassonne.board import Placement, Segment
from companion.games.carcassonne.events import (
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
from companion.games.carcassonne.position import Phase, Position
from companion.games.carcassonne.tiles import KINDS, Kind

PLACING: Mapping[Kind, Message] = {
    Kind.ROAD: _("places a thief"),
    Kind.CITY: _("places a knight"),
    Kind.MONASTERY: _("places a monk"),
    Kind.FIELD: _("places a farmer"),
}


def action(position: Position) -> Message:
    """What the table is waiting for, in a few words."""
    match position.phase:
        case Phase.DRAW:
            return _("Draw a tile and lay it")
        case Phase.LAY if not position.board.has_place_for(position.drawn):
            return _("Tile %(tile)s fits nowhere: put it aside and draw another", tile=position.drawn)
        case Phase.LAY:
            return _("Lay tile %(tile)s", tile=position.drawn)
        case Phase.FOLLOWER:
            return _("Place a follower, or none")
        case Phase.SHOW:
            return _("Tap in the table as it lies")
        case Phase.OVER:
            return _("The game is over")


def describe(event: Event) -> Remark:
    match event:
        case StartLaid(placement):
            return Remark(_("First tile: %(tile)s", tile=_lying(placement)))
        case TileDrawn(player, tile):
            return Remark(_("draws tile %(tile)s", tile=tile), player)
        case TileDiscarded(player, tile):
            return Remark(_("puts tile %(tile)s aside", tile=tile), player)
        case TileLaid(player, placement, follower):
            laid = _("lays tile %(tile)s", tile=_lying(placement))
            return Remark(
                _("%(laid)s and %(places)s", laid=laid, places=PLACING[KINDS[follower[0]]])
                if follower
                else laid,
                player,
            )
        case FollowerPlaced(player, segment):
            return Remark(
                _("%(places)s at %(where)s", places=PLACING[kind(segment)], where=cell(segment)), player
            )
        case NoFollower(player):
            return Remark(_("places no follower"), player)
        case GameEnded():
            return Remark(_("The game ends before the last tile"))
        case TableShown(table):
            return Remark(
                _n("Table with %(count)d tile", "Table with %(count)d tiles", len(table.tiles)),
            )


def overruled(event: Event) -> Remark:
    """What somebody did against the rules, and why."""
    match event:
        case TileLaid(player, placement, _follower, because):
            text = _(
                "Tile %(tile)s was laid against the rules: %(why)s", tile=_lying(placement), why=told(because)
            )
            return Remark(text, player)
        case FollowerPlaced(player, segment, because):
            text = _(
                "A follower was placed at %(where)s against the rules: %(why)s",
                where=cell(segment),
                why=told(because),
            )
            return Remark(text, player)
        case TileDiscarded(player, tile, because):
            text = _("Tile %(tile)s was put aside although it fits: %(why)s", tile=tile, why=told(because))
            return Remark(text, player)
        case _:
            return describe(event)


def kind(segment: Segment) -> Kind:
    return KINDS[segment[2][0]]


def cell(segment: Segment) -> str:
    return f"{segment[0]},{segment[1]}"


def _lying(placement: Placement) -> Message:
    return _("%(tile)s (column %(x)d, row %(y)d)", tile=placement.tile, x=placement.x, y=placement.y)
