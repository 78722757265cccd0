"""How events move a game of Carcassonne on; rulebook 001, "Andamento do Jogo"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.rules.board import (
    AROUND,
    NOTHING_NEAR,
    START_TILE,
    TILES_IN_THE_BOX,
    Board,
    FeatureKind,
    Placement,
    Segment,
    fitting_turns,
)
from companion.games.carcassonne.rules.events import (
    Event,
    FeatureTold,
    FollowerPlaced,
    GameEnded,
    NoFollower,
    StartLaid,
    TableShown,
    TileDiscarded,
    TileDrawn,
    TileLaid,
    TrackTold,
    WholeTable,
)
from companion.games.carcassonne.rules.position import FOLLOWERS_EACH, Phase, Position, show_table
from companion.games.carcassonne.rules.scoring import count_completed, count_told
from companion.games.carcassonne.rules.variants import Variant

Objections = Iterator[Message]
"""Why the rules do not allow something; people may overrule them with a reason."""


def apply(position: Position, event: Event) -> Position:
    """The position after an event, or IllegalEvent."""
    player = getattr(event, "player", 0)
    if not 0 <= player < position.players:
        raise IllegalEvent(_("There is no such player."))
    match event:
        case TileLaid():
            return _lay(position, event)
        case FollowerPlaced():
            return _place(position, event)
        case NoFollower():
            return _keep(position, player)
        case TileDrawn():
            return _draw(position, event)
        case TileDiscarded():
            return _discard(position, event)
        case StartLaid(placement):
            return _begin(position, placement)
        case GameEnded() if Variant.SCORE_ONLY in position.variants:
            return _end_sheet(position)
        case GameEnded():
            return replace(_between_turns(position), ended=True, drawn="")
        case TableShown(table):
            return _show(position, table)
        case TrackTold(player, points):
            _check_sheet(position)
            told = position.told or (None,) * position.players
            return replace(position, told=(*told[:player], points, *told[player + 1 :]))
        case FeatureTold():
            return _tell(position, event)


def _begin(position: Position, placement: Placement) -> Position:
    _check_watched(position)
    if position.begun:
        raise IllegalEvent(_("The first tile can only be turned before another one is laid."))
    # Rulebook 001, "Preparação": one tile with a back of its own begins every game.
    if placement._replace(turn=0) != Placement(START_TILE, 0, 0):
        raise IllegalEvent(_("The game begins with tile %(tile)s at 0,0.", tile=START_TILE))
    return replace(position, board=Board().laid(placement))


def _draw(position: Position, event: TileDrawn) -> Position:
    position = _between_turns(position)
    _refuse(_not_the_turn(position, event.player))
    if position.drawn:
        raise IllegalEvent(_("A tile is drawn already: it has to be laid first."))
    _refuse(_not_in_the_bag(position, event.tile))
    return replace(position, player=event.player, drawn=event.tile)


def _discard(position: Position, event: TileDiscarded) -> Position:
    position = _between_turns(position)
    objections = list(_against_discarding(position, event))
    _refuse(objections, event.because)
    return replace(
        position,
        player=event.player,
        drawn="",
        discards=(*position.discards, event.tile),
        overruled=(*position.overruled, event) if objections else position.overruled,
    )


def _against_discarding(position: Position, event: TileDiscarded) -> Objections:
    yield from _against_turning_up(position, event.player, event.tile)
    # Rulebook 001, "Posicionamento de uma cartela de terreno": only a tile that fits nowhere leaves the game.
    if position.board.has_place_for(event.tile):
        yield _("The tile fits somewhere, so it has to be laid.")


def _lay(position: Position, event: TileLaid) -> Position:
    position = _between_turns(position)
    placement = event.placement
    cell = placement.cell
    if cell in position.board.tiles:
        raise IllegalEvent(_("A tile lies there already."))
    objections = list(_against_laying(position, event))
    _refuse(objections, event.because)
    board = position.board.laid(placement)
    lays = {**position.lays, cell: event}
    position = replace(
        position, board=board, player=event.player, drawn="", laid=cell, lays=lays, returning=()
    )
    if event.follower:
        segment = (*cell, event.follower)
        objections += _objections_to_placing(position, event.player, segment)
        _refuse(objections, event.because)
        position = _with_follower(position, event.player, segment)
    elif position.claims:
        return _noted(position, event, objections)
    return _scored(_noted(position, event, objections))


def _against_laying(position: Position, event: TileLaid) -> Objections:
    placement = event.placement
    yield from _against_turning_up(position, event.player, placement.tile)
    need = position.board.frontier.get(placement.cell, NOTHING_NEAR)
    # Rulebook 001: a tile lies side by side with another one, and every field, road and city goes on.
    if need == NOTHING_NEAR:
        yield _("A tile has to lie beside another one, side by side.")
    elif placement.turn not in fitting_turns(placement.tile, need):
        yield _("The tile does not continue what lies beside it.")


def _place(position: Position, event: FollowerPlaced) -> Position:
    _check_watched(position)
    objections = _objections_to_placing(position, event.player, event.segment)
    _refuse(objections, event.because)
    in_turn = position.laid == event.segment[:2] and event.player == position.player
    position = _noted(_with_follower(position, event.player, event.segment), event, objections)
    return _scored(position) if in_turn else position


def _objections_to_placing(position: Position, player: int, segment: Segment) -> list[Message]:
    if segment not in position.board.features:
        raise IllegalEvent(_("There is no such place for a follower on the table."))
    if segment in position.followers:
        raise IllegalEvent(_("There stands a follower already."))
    return list(_against_placing(position, player, segment))


def _against_placing(position: Position, player: int, segment: Segment) -> Objections:
    # Rulebook 001, "Posicionamento dos seguidores".
    feature = position.board.features[segment]
    if position.laid != segment[:2]:
        yield _("A follower may only be placed on the tile just laid.")
    elif player != position.player:
        yield _("It is another player's turn.")
    if position.supply(player) <= 0:
        yield _("All %(count)d followers of this player are on the table.", count=FOLLOWERS_EACH)
    if feature.kind is FeatureKind.FIELD and Variant.NO_FARMERS in position.variants:
        yield _("This table plays without farmers.")
    if not position.followers.keys().isdisjoint(feature.segments):
        yield _("Somebody stands there already, however far away.")


def _keep(position: Position, player: int) -> Position:
    if position.phase is not Phase.FOLLOWER:
        raise IllegalEvent(_("No follower can be placed now."))
    if player != position.player:
        raise IllegalEvent(_("It is another player's turn."))
    assert position.laid is not None
    return _scored(replace(position, bare=(*position.bare, position.laid)))


def _show(position: Position, table: WholeTable) -> Position:
    if Variant.SCORE_ONLY not in position.variants:
        raise IllegalEvent(_("In this game the table grows tile by tile."))
    if position.sheet:
        raise IllegalEvent(_("This game is told in numbers: take them back to show the table."))
    if len(table.points) not in (0, position.players):
        raise IllegalEvent(_("The track needs the points of each player."))
    if any(player >= position.players for player, _segment in table.followers):
        raise IllegalEvent(_("There is no such player."))
    return show_table(position, table)


def _check_sheet(position: Position) -> None:
    if Variant.SCORE_ONLY not in position.variants:
        raise IllegalEvent(_("In this game the table grows tile by tile."))
    if position.table and position.table.tiles:
        raise IllegalEvent(_("The tiles of this game are shown: tap them for what stands there."))


def _tell(position: Position, event: FeatureTold) -> Position:
    _check_sheet(position)
    kind, owners = event.kind, tuple(sorted(set(event.owners)))
    if not owners or not all(0 <= owner < position.players for owner in owners):
        raise IllegalEvent(_("There is no such player."))
    if not 0 < event.things <= MOST_THINGS[kind] or event.pennants > event.things:
        raise IllegalEvent(_("Nothing in the box is that large."))
    if event.pennants and kind is not FeatureKind.CITY:
        raise IllegalEvent(_("Only cities have pennants."))
    if kind is FeatureKind.FIELD and Variant.NO_FARMERS in position.variants:
        raise IllegalEvent(_("This table plays without farmers."))
    count = count_told(kind, event.things, event.pennants, owners, position.variants)
    return replace(position, scored=(*position.scored, count))


def _end_sheet(position: Position) -> Position:
    if not position.told or None in position.told:
        raise IllegalEvent(_("Say first what everybody has on the track."))
    if position.ended:
        raise IllegalEvent(_("The game is over."))
    return replace(position, ended=True)


MOST_THINGS: Mapping[FeatureKind, int] = {
    FeatureKind.ROAD: TILES_IN_THE_BOX,
    FeatureKind.CITY: TILES_IN_THE_BOX,
    FeatureKind.MONASTERY: len(AROUND) + 1,
    FeatureKind.FIELD: TILES_IN_THE_BOX // 2,
}
"""The largest that can be told: a monastery in the middle of nine tiles, cities of two tiles at least."""


def _scored(position: Position) -> Position:
    """The end of a turn: what the tile completed is counted, and its followers go back to their owners."""
    assert position.laid is not None
    completed = position.board.completed_by(position.laid)
    counts = tuple(count_completed(completed, position.followers, position.variants))
    followers = position.followers
    if counts:
        home = {segment for count in counts for _player, segment in count.holders}
        followers = {segment: player for segment, player in followers.items() if segment not in home}
    return replace(
        position,
        player=(position.player + 1) % position.players,
        laid=None,
        followers=followers,
        returning=tuple(holder for count in counts for holder in count.holders),
        scored=(*position.scored, *counts),
    )


def turn_over(position: Position) -> Position:
    """Who says nothing before the next tile comes has placed no follower."""
    return position if position.laid is None else _scored(position)


def _between_turns(position: Position) -> Position:
    _check_watched(position)
    position = turn_over(position)
    if position.phase is Phase.OVER:
        raise IllegalEvent(_("The game is over."))
    return position


def _check_watched(position: Position) -> None:
    if Variant.SCORE_ONLY in position.variants:
        raise IllegalEvent(_("Only the end of this game is counted: show the table as it lies."))


def _against_turning_up(position: Position, player: int, tile: str) -> Objections:
    """What speaks against this player having this tile now."""
    yield from _not_the_turn(position, player)
    if position.drawn and position.drawn != tile:
        yield _("Another tile was drawn.")
    if position.drawn != tile:
        yield from _not_in_the_bag(position, tile)


def _not_the_turn(position: Position, player: int) -> Objections:
    # Rulebook 001, "Preparação": who begins is decided at the table.
    if position.begun and player != position.player:
        yield _("It is another player's turn.")


def _not_in_the_bag(position: Position, tile: str) -> Objections:
    if position.bag[tile] <= 0:
        yield _("All tiles of this type are out of the bag.")


def _refuse(objections: Iterable[Message], because: str = "") -> None:
    """Refuse with the first objection, unless people say why they overrule it."""
    for objection in objections:
        if not because:
            raise IllegalEvent(objection)


def _with_follower(position: Position, player: int, segment: Segment) -> Position:
    return replace(position, followers={**position.followers, segment: player})


def _noted(position: Position, event: Event, objections: list[Message]) -> Position:
    """Remember what was done against the rules."""
    return replace(position, overruled=(*position.overruled, event)) if objections else position
