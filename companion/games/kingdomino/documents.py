"""The values of a JSON document that scripts hand in, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.kingdomino.kingdom import Direction
from companion.games.kingdomino.pieces import DOMINOES

Json = Mapping[str, Any]
Kind = TypeVar("Kind")

FARTHEST = 100
"""Coordinates beyond this are a mistake."""

_NO_DEFAULT = object()


def dominoes(numbers: object) -> tuple[int, ...]:
    if not isinstance(numbers, list):
        raise NotationError(_("A line is a list of dominoes, not %(line)s.", line=str(numbers)[:40]))
    return tuple(map(domino_of, numbers))


def domino_of(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)[:20]))
    return number


def player_of(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 4:
        raise NotationError(_("There is no player %(player)s.", player=str(number)[:20]))
    return number


def coordinate(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > FARTHEST:
        raise NotationError(_("%(number)s is not a coordinate.", number=str(number)[:20]))
    return number


def direction_of(move: Json) -> Direction:
    name = take(move, "dir", str)
    if name not in set(Direction):
        raise NotationError(_("“dir” is E, S, W or N, not “%(name)s”.", name=name[:20]))
    return Direction(name)


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
