"""What the JSON documents of Carcassonne say, piece by piece."""

from __future__ import annotations

from companion.core.document import Json, coordinate, player_index, value_of, whole_number
from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.carcassonne.rules.board import Placement, Segment
from companion.games.carcassonne.rules.tiles import TURNS
from companion.games.carcassonne.rules.variants import OPTIONS, Variant, check_variants
from companion.games.carcassonne.text.notation import (
    FARTHEST,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_TILES,
    part_of,
    tile_of,
)

_RULES = {
    ("two_tile_city_points", 2): frozenset({Variant.TWO_TILE_CITIES}),
    ("two_tile_city_points", 4): frozenset[Variant](),
}
"""Rules that a document may name with their values, and the option of each."""


def players_of(table: Json) -> int:
    players = value_of(table, "players", int)
    # One player alone is no game, but a test of the rules.
    if not 1 <= players <= MOST_PLAYERS:
        raise NotationError(_("“players” is a number from 1 to %(most)d.", most=MOST_PLAYERS))
    return players


def variants_of(table: Json) -> frozenset[Variant]:
    """The options a document names by their keys, or in its `rules`."""
    variants: set[Variant] = set()
    for key in value_of(table, "options", list, []):
        if key not in [option.key for option in OPTIONS]:
            raise NotationError(_("There is no option called “%(option)s”.", option=str(key)[:40]))
        variants.add(Variant(key))
    for name in (rules := value_of(table, "rules", dict, {})):
        rule = (name, value_of(rules, name, int))
        if rule not in _RULES:
            raise NotationError(_("There is no rule “%(name)s” of %(value)d.", name=name[:40], value=rule[1]))
        variants |= _RULES[rule]
    check_variants(variants)
    return frozenset(variants - {Variant.SCORE_ONLY, Variant.PURIST})


def placement_of(move: Json) -> Placement:
    turn = value_of(move, "rot", int)
    return placement_of_row(
        [value_of(move, "x", int), value_of(move, "y", int), value_of(move, "tile", str), turn]
    )


def placement_of_row(row: object) -> Placement:
    """A tile as `[x, y, letter, rot]`."""
    match row:
        case [x, y, str(letter), int(turn)] if turn in TURNS and not isinstance(turn, bool):
            return Placement(tile_of(letter), coordinate(x, FARTHEST), coordinate(y, FARTHEST), turn)
        case _:
            raise NotationError(_("A tile is [x, y, letter, rot], not %(row)s.", row=str(row)[:40]))


def follower_of(row: object, players: int) -> tuple[int, Segment]:
    """A follower as `[player, x, y, feature]`."""
    match row:
        case [player, x, y, str(part)]:
            return player_index(player, players), (coordinate(x, FARTHEST), coordinate(y, FARTHEST), part[:8])
        case _:
            raise NotationError(_("A follower is [player, x, y, feature], not %(row)s.", row=str(row)[:40]))


def points_of(number: object) -> int:
    points = whole_number(number, 0, MOST_POINTS)
    if points is None:
        raise NotationError(_("Nobody has %(points)s points.", points=str(number)[:20]))
    return points


def rows_of(table: Json, key: str) -> list[object]:
    rows = value_of(table, key, list, [])
    if len(rows) > MOST_TILES:
        raise NotationError(_("There is too much on this table."))
    return rows


def follower_part(tile: str, part: object) -> str:
    if part is None:
        return ""
    if not isinstance(part, str):
        raise NotationError(_("“%(key)s” cannot be %(value)s.", key="meeple", value=str(part)[:40]))
    return part_of(tile, part)
