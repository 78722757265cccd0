"""What the JSON documents of Kingdomino say, piece by piece."""

from __future__ import annotations

from companion.core.document import Json, coordinate, value_of, whole_number
from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.kingdomino.rules.kingdom import Direction
from companion.games.kingdomino.rules.pieces import DOMINOES

MAX_COORDINATE = 100
"""Coordinates beyond this are a mistake."""


def dominoes_of(numbers: object) -> tuple[int, ...]:
    if not isinstance(numbers, list):
        raise NotationError(_("A line is a list of dominoes, not %(line)s.", line=str(numbers)[:40]))
    return tuple(map(domino_of, numbers))


def domino_of(number: object) -> int:
    domino = whole_number(number, min(DOMINOES), max(DOMINOES))
    if domino is None:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)[:20]))
    return domino


def place_of(number: object) -> int:
    return coordinate(number, MAX_COORDINATE)


def direction_of(move: Json) -> Direction:
    name = value_of(move, "dir", str)
    if name not in set(Direction):
        raise NotationError(_("“dir” is E, S, W or N, not “%(name)s”.", name=name[:20]))
    return Direction(name)
