"""The values of a JSON document that scripts hand in, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.board import Placement, Segment
from companion.games.carcassonne.notation import FARTHEST, MOST_POINTS, MOST_TILES, part_of, tile_of
from companion.games.carcassonne.tiles import TURNS
from companion.games.carcassonne.variants import OPTIONS, Variant

Json = Mapping[str, Any]
Kind = TypeVar("Kind")

MOST_PLAYERS = 5

_NO_DEFAULT = object()
_RULES = {
    ("two_tile_city_points", 2): frozenset({Variant.TWO_TILE_CITIES}),
    ("two_tile_city_points", 4): frozenset[Variant](),
}
"""Rules that a document may name with their values, and the option of each."""


def as_object(document: object) -> Json:
    if not isinstance(document, dict):
        raise NotationError(_("A JSON object is needed here, not %(found)s.", found=str(document)[:40]))
    return document


def take(table: Json, key: str, kind: type[Kind], default: object = _NO_DEFAULT) -> Kind:
    """The value of a key, of the kind it has to be."""
    value = table.get(key, default)
    if value is _NO_DEFAULT:
        raise NotationError(_("“%(key)s” is missing.", key=key))
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError(_("“%(key)s” cannot be %(value)s.", key=key, value=str(value)[:40]))
    return value


@contextmanager
def told(where: Message) -> Iterator[None]:
    """What is wrong here is told with its place in the document."""
    try:
        yield
    except CompanionError as error:
        raise type(error)(_("%(where)s: %(reason)s", where=where, reason=error.message)) from error


def players_of(table: Json) -> int:
    players = take(table, "players", int)
    # One player alone is no game, but a test of the rules.
    if not 1 <= players <= MOST_PLAYERS:
        raise NotationError(_("“players” is a number from 1 to %(most)d.", most=MOST_PLAYERS))
    return players


def variants_of(table: Json) -> frozenset[Variant]:
    """The options a document names by their keys, or in its `rules`."""
    variants: set[Variant] = set()
    for key in take(table, "options", list, []):
        if key not in [option.key for option in OPTIONS]:
            raise NotationError(_("There is no option called “%(option)s”.", option=str(key)[:40]))
        variants.add(Variant(key))
    for name in (rules := take(table, "rules", dict, {})):
        rule = (name, take(rules, name, int))
        if rule not in _RULES:
            raise NotationError(_("There is no rule “%(name)s” of %(value)d.", name=name[:40], value=rule[1]))
        variants |= _RULES[rule]
    return frozenset(variants - {Variant.SCORE_ONLY, Variant.PURIST})


def placement_of(move: Json) -> Placement:
    turn = take(move, "rot", int)
    return placed([take(move, "x", int), take(move, "y", int), take(move, "tile", str), turn])


def placed(row: object) -> Placement:
    """A tile as `[x, y, letter, rot]`."""
    match row:
        case [x, y, str(letter), int(turn)] if turn in TURNS and not isinstance(turn, bool):
            return Placement(tile_of(letter), _coordinate(x), _coordinate(y), turn)
        case _:
            raise NotationError(_("A tile is [x, y, letter, rot], not %(row)s.", row=str(row)[:40]))


def follower_of(row: object, players: int) -> tuple[int, Segment]:
    """A follower as `[player, x, y, feature]`."""
    match row:
        case [player, x, y, str(part)]:
            return player_of(player, players), (_coordinate(x), _coordinate(y), part[:8])
        case _:
            raise NotationError(_("A follower is [player, x, y, feature], not %(row)s.", row=str(row)[:40]))


def player_of(number: object, players: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < players:
        raise NotationError(_("There is no player %(player)s.", player=str(number)[:20]))
    return number


def points_of(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST_POINTS:
        raise NotationError(_("Nobody has %(points)s points.", points=str(number)[:20]))
    return number


def rows_of(table: Json, key: str) -> list[object]:
    rows = take(table, key, list, [])
    if len(rows) > MOST_TILES:
        raise NotationError(_("There is too much on this table."))
    return rows


def follower_part(tile: str, part: object) -> str:
    if part is None:
        return ""
    if not isinstance(part, str):
        raise NotationError(_("“%(key)s” cannot be %(value)s.", key="meeple", value=str(part)[:40]))
    return part_of(tile, part)


def _coordinate(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > FARTHEST:
        raise NotationError(_("%(number)s is not a coordinate.", number=str(number)[:20]))
    return number
