"""What is asked about tiles and followers, in words that need no coordinates: directions are those of the picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.core.game import Remark
from companion.core.lattice import offset, quarter
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import Choice
from companion.games.carcassonne.rules.board import Placement
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.rules.tiles import KIND_OF_LETTER, FeatureKind
from companion.games.carcassonne.sight.seen import SeenTile
from companion.games.carcassonne.sight.shapes import shapes
from companion.games.carcassonne.text.words import tile_label

Point = tuple[float, float]

THIS_TILE = _("This tile")
SIDES = (_("to the right"), _("below"), _("to the left"), _("above"))
TURNED_WAYS = (_("not turned"), _("turned to the right"), _("turned halfway round"), _("turned to the left"))
PART_PLACES: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("On the road"),
    FeatureKind.CITY: _("In the city"),
    FeatureKind.MONASTERY: _("In the monastery"),
    FeatureKind.FIELD: _("In the field"),
}


def choices_of_tiles(player: int, tiles: Sequence[SeenTile]) -> Iterator[Choice]:
    """One of some tiles that lie there, the next to be recorded."""
    for tile in tiles:
        alike = [other.seen for other in tiles if other.placement.tile == tile.placement.tile]
        text = THIS_TILE
        if len(alike) > 1:
            places = [(one.x, one.y) for one in alike]
            text = _("%(one)s, %(side)s", one=text, side=_side((tile.seen.x, tile.seen.y), places))
        yield Choice((TileLaid(player, tile.placement),), _pictured(text, tile.placement.tile, tile.angle))


def choices_of_ways(player: int, tile: SeenTile, ways: Sequence[Placement]) -> Iterator[Choice]:
    """What tile it may be that lies in one place, and how it may be turned."""
    for way in ways:
        text, angle = THIS_TILE, tile.angle + 90 * (way.turn - tile.placement.turn)
        if sum(other.tile == way.tile for other in ways) > 1:
            text = _("%(one)s, %(side)s", one=text, side=TURNED_WAYS[quarter(angle, 0)])
        yield Choice((TileLaid(player, way),), _pictured(text, way.tile, angle))


def choices_of_parts(player: int, tile: SeenTile, parts: Sequence[str]) -> Iterator[Choice]:
    """Where on a tile a follower may stand."""
    places = {part: _spot(tile, part) for part in parts}
    cell = (tile.placement.x, tile.placement.y)
    for part in parts:
        alike = [place for other, place in places.items() if other[0] == part[0]]
        text = PART_PLACES[KIND_OF_LETTER[part[0]]]
        if len(alike) > 1:
            text = _("%(one)s, %(side)s", one=text, side=_side(places[part], alike))
        yield Choice((FollowerPlaced(player, (*cell, part)),), text)


def choice_of_no_follower(player: int) -> Choice:
    return Choice((NoFollower(player),), _("No follower"))


def choice_of_something_else() -> Choice:
    return Choice((), _("Something else"))


def as_it_lies(event: Event) -> Event | None:
    """The event recorded against the rules, where that is possible."""
    match event:
        case TileLaid(player, placement, follower):
            return TileLaid(player, placement, follower, AS_IT_LIES.text)
        case FollowerPlaced(player, segment):
            return FollowerPlaced(player, segment, AS_IT_LIES.text)
    return None


def _pictured(text: Message, letter: str, angle: float) -> Remark:
    """An answer with the tile as it lies on the table."""
    return Remark(text, face=tile_label(letter), angle=angle % 360)


def _spot(tile: SeenTile, part: str) -> Point:
    """Where a follower of that part stands, on the table."""
    x, y = shapes(tile.placement.tile)[part].spot
    half = tile.area.width / 2
    dx, dy = offset(x / 10 - half, y / 10 - half, tile.angle)
    return tile.seen.x + dx, tile.seen.y + dy


def _side(place: Point, places: Sequence[Point]) -> Message:
    """On which side of some places one of them is."""
    x = place[0] - sum(one[0] for one in places) / len(places)
    y = place[1] - sum(one[1] for one in places) / len(places)
    return SIDES[(0 if x > 0 else 2) if abs(x) >= abs(y) else (1 if y > 0 else 3)]
