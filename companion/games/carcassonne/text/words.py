"""Carcassonne told in words: what the table waits for, what happened, and what cannot be on a table or should not.

Places go by name: `x,y` is a tile, `x,y:part` a part of one. Problems are told; what can be counted is
counted all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.core.game import Player, Remark
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import told_reason
from companion.games.carcassonne.rules.board import (
    KIND_OF_LETTER,
    START_TILE,
    STEPS,
    TILES,
    UNFINISHED,
    Cell,
    FeatureKind,
    Placement,
    cell_name,
    feature_kind,
    place_name,
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
from companion.games.carcassonne.rules.position import FOLLOWERS_EACH, Phase, Position
from companion.games.carcassonne.rules.variants import Variant

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
        case Phase.SHOW if position.sheet:
            return _("Tell what counts at the end")
        case Phase.SHOW:
            return _("Tap in the table as it lies")
        case Phase.OVER:
            return _("The game is over")


def still_missing(position: Position) -> Iterator[Message]:
    """What nobody has told yet of a table that is being shown."""
    table = position.table
    if table and table.tiles:
        if not table.followers:
            yield _("No followers yet")
        if not table.points:
            yield _("Track not told yet")


def describe(event: Event, players: Sequence[Player] = ()) -> Remark:
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
        case TrackTold(player, points):
            return Remark(_("has %(points)d on the track", points=points), player, whole=True)
        case FeatureTold():
            return _describe_told(event, players)


def _describe_told(event: FeatureTold, players: Sequence[Player]) -> Remark:
    if event.kind is FeatureKind.FIELD:
        size = _n("%(count)d complete city", "%(count)d complete cities", event.things)
    else:
        size = _n("%(count)d tile", "%(count)d tiles", event.things)
    parts = [UNFINISHED[event.kind], size]
    if event.pennants:
        parts.append(_n("%(count)d pennant", "%(count)d pennants", event.pennants))
    if len(event.owners) == 1:
        return Remark(_("counts: %(what)s", what=joined(parts)), event.owners[0], whole=True)
    names = joined([players[owner].name for owner in event.owners if owner < len(players)])
    return Remark(_("%(names)s share: %(what)s", names=names, what=joined(parts)), whole=True)


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
    where = (cell_name(placement.cell),)
    return Remark(text, player, tile_label(placement.tile), where, 90 * placement.turn)


def problems(position: Position) -> Iterator[Remark]:
    """Every reason why this position should not be on a table."""
    yield from map(describe_overruled, position.overruled)
    if position.table:
        yield from _left_out(position.table)
        letters = {tile.letter for tile in position.board.tiles.values()}
        if letters and START_TILE not in letters:
            text = _("The first tile is missing: none of its kind lies on the table.")
            yield Remark(text, face=tile_label(START_TILE))
    yield from _tiles(position)
    yield from _neighbours(position)
    yield from _followers(position)


def _left_out(table: WholeTable) -> Iterator[Remark]:
    """What a table cannot be counted with."""
    cells = Counter(placement.cell for placement in table.tiles)
    for cell in (cell for cell, count in cells.items() if count > 1):
        yield Remark(_("Two tiles lie in one place: only the first counts."), None, where=(cell_name(cell),))
    lying = {placement.cell: placement.tile for placement in reversed(table.tiles)}
    stood = set()
    for player, segment in table.followers:
        x, y, id = segment
        if id not in (TILES[lying[x, y]].parts if (x, y) in lying else ()):
            text = _("A follower stands on nothing: it does not count.")
            yield Remark(text, player, where=(cell_name((x, y)),))
        elif segment in stood:
            text = _("A second follower stands on the same spot: it does not count.")
            yield Remark(text, player, where=(place_name(segment),))
        stood.add(segment)


def _tiles(position: Position) -> Iterator[Remark]:
    for letter, left in position.bag.items():
        if left < 0:
            text = _n(
                "There is %(count)d tile of this kind too many: the box has %(box)d.",
                "There are %(count)d tiles of this kind too many: the box has %(box)d.",
                -left,
                box=TILES[letter].count,
            )
            cells = [cell for cell, tile in position.board.tiles.items() if tile.letter == letter]
            yield Remark(text, None, tile_label(letter), tuple(map(cell_name, cells)))


def _neighbours(position: Position) -> Iterator[Remark]:
    # What people laid against the rules is told with their reason, and once is enough.
    known = {where for event in position.overruled for where in describe_overruled(event).where}
    for one, other in position.board.mismatches():
        where = (cell_name(one), cell_name(other))
        if known.isdisjoint(where):
            yield Remark(_("Two tiles do not continue each other."), None, where=where)
    for cell in _apart(position.board.tiles):
        if cell_name(cell) not in known:
            yield Remark(_("A tile lies apart from the others."), None, where=(cell_name(cell),))


def _apart(tiles: Mapping[Cell, object]) -> Iterator[Cell]:
    """Tiles that no row of neighbours joins to most of the others."""
    groups: list[set[Cell]] = []
    left = dict.fromkeys(tiles)
    while left:
        group, todo = set(), [next(iter(left))]
        while todo:
            x, y = todo.pop()
            if (x, y) in left:
                del left[x, y]
                group.add((x, y))
                todo += [(x + dx, y + dy) for dx, dy in STEPS]
        groups.append(group)
    groups.sort(key=len, reverse=True)
    yield from (cell for group in groups[1:] for cell in sorted(group))


def _followers(position: Position) -> Iterator[Remark]:
    yield from _too_many(position)
    yield from _together(position)
    pending = set(position.board.completed_by(position.laid)) if position.laid else set()
    for feature, holders in position.held.items():
        where = tuple(place_name(segment) for _player, segment in holders)
        if feature.complete and feature not in pending:
            yield Remark(_STILL_THERE[feature.kind], holders[0][0], where=where)
        if feature.kind is FeatureKind.FIELD and Variant.NO_FARMERS in position.variants:
            yield Remark(_("There is a farmer, but this table plays without."), holders[0][0], where=where)


_STILL_THERE: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("A thief stands on a complete road, which was not counted yet: it counts in full."),
    FeatureKind.CITY: _("A knight stands in a complete city, which was not counted yet: it counts in full."),
    FeatureKind.MONASTERY: _(
        "A monk stands in a complete monastery, which was not counted yet: it counts in full."
    ),
}


def _too_many(position: Position) -> Iterator[Remark]:
    followers: Iterable[int] = position.followers.values()
    if position.table:
        followers = (player for player, _segment in position.table.followers)
    if position.sheet:
        followers = (owner for count in position.scored for owner in count.owners)
    for player, count in sorted(Counter(followers).items()):
        if count > FOLLOWERS_EACH:
            text = _n(
                "There is %(count)d follower on the table, but only %(limit)d may be: one is on the track.",
                "There are %(count)d followers on the table, but only %(limit)d may be: one is on the track.",
                count,
                limit=FOLLOWERS_EACH,
            )
            yield Remark(text, player)


def _together(position: Position) -> Iterator[Remark]:
    on_tile = Counter((x, y) for x, y, _id in position.followers)
    for cell, count in on_tile.items():
        if count > 1:
            text = _("More than one follower stands on this tile.")
            yield Remark(text, None, where=(cell_name(cell),))
