"""The values of a JSON document that scripts hand in, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _

Json = Mapping[str, Any]
Kind = TypeVar("Kind")

_NO_DEFAULT = object()


def as_object(document: object) -> Json:
    if not isinstance(document, dict):
        raise NotationError(_("A JSON object is needed here, not %(found)s.", found=str(document)[:40]))
    return document


def value_of(table: Json, key: str, kind: type[Kind], default: object = _NO_DEFAULT) -> Kind:
    """The value of a key, of the kind it has to be."""
    value = table.get(key, default)
    if value is _NO_DEFAULT:
        raise NotationError(_("“%(key)s” is missing.", key=key))
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError(_("“%(key)s” cannot be %(value)s.", key=key, value=str(value)[:40]))
    return value


def whole_number(number: object, least: int, most: int) -> int | None:
    """A whole number within limits; None for anything else, true and false included."""
    fits = isinstance(number, int) and not isinstance(number, bool) and least <= number <= most
    return number if isinstance(number, int) and fits else None


def player_index(number: object, players: int) -> int:
    """A player, counted from 0."""
    player = whole_number(number, 0, players - 1)
    if player is None:
        raise NotationError(_("There is no player %(player)s.", player=str(number)[:20]))
    return player


def coordinate(number: object, farthest: int) -> int:
    """A column or row; one farther away than that is a mistake."""
    place = whole_number(number, -farthest, farthest)
    if place is None:
        raise NotationError(_("%(number)s is not a coordinate.", number=str(number)[:20]))
    return place


@contextmanager
def placed_errors(where: Message) -> Iterator[None]:
    """What is wrong here is told with its place in the document."""
    try:
        yield
    except CompanionError as error:
        raise type(error)(_("%(where)s: %(reason)s", where=where, reason=error.message)) from error
