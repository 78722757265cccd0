"""The pieces in the box: terrains, squares and the 48 dominoes."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from companion.core.message import Message
from companion.core.message import message as _


class Terrain(StrEnum):
    """What a square shows; the castle is the starting tile."""

    WHEAT = "wheat"
    FOREST = "forest"
    LAKE = "lake"
    GRASSLAND = "grassland"
    SWAMP = "swamp"
    MINE = "mine"
    CASTLE = "castle"


TERRAIN_NAMES: Mapping[Terrain, Message] = {
    Terrain.WHEAT: _("Wheat field"),
    Terrain.FOREST: _("Forest"),
    Terrain.LAKE: _("Lake"),
    Terrain.GRASSLAND: _("Grassland"),
    Terrain.SWAMP: _("Swamp"),
    Terrain.MINE: _("Mine"),
    Terrain.CASTLE: _("Castle"),
}

LETTERS: Mapping[str, Terrain] = {
    terrain.value[0]: terrain for terrain in Terrain if terrain is not Terrain.CASTLE
}


class Square(NamedTuple):
    """One square of a domino, or the castle."""

    terrain: Terrain
    crowns: int = 0

    def __str__(self) -> str:
        return f"{self.terrain.value[0]}{self.crowns}"


CASTLE = Square(Terrain.CASTLE)


class Domino(NamedTuple):
    """A domino by the number on its back."""

    number: int
    left: Square
    right: Square


def square_name(square: Square | None) -> Message:
    """A square's terrain in words; None is a place without a piece."""
    return TERRAIN_NAMES[square.terrain] if square else _("No piece")


def parse_square(text: str) -> Square:
    """The square written as a letter and its crowns, or ValueError."""
    if len(text) != 2 or text[0] not in LETTERS or text[1] not in "0123":
        raise ValueError(text)
    return Square(LETTERS[text[0]], int(text[1]))


def _load() -> tuple[Mapping[int, Domino], Mapping[Square, int]]:
    table = tomllib.loads((Path(__file__).parents[1] / "pieces.toml").read_text(encoding="utf-8"))
    dominoes = {}
    for number, text in enumerate(table["dominoes"], start=1):
        left, right = map(parse_square, text.split())
        dominoes[number] = Domino(number, left, right)
    squares = {
        Square(Terrain(name), crowns): count
        for name, counts in table["squares"].items()
        for crowns, count in enumerate(counts)
    }
    return dominoes, squares


DOMINOES, SQUARES = _load()
"""The dominoes by number, and how many squares of each kind the box has."""


def twins(number: int) -> tuple[int, ...]:
    """The dominoes that look the same from the front, itself among them."""
    halves = DOMINOES[number][1:]
    return tuple(other for other, domino in sorted(DOMINOES.items()) if domino[1:] == halves)


def first_of_twins(numbers: Iterable[int], left: Collection[int]) -> tuple[int, ...]:
    """The same dominoes, each by the lowest number that is left of those who look like it.

    From the front nobody can tell twins apart, and their numbers follow each other, so that no line changes its order.
    """
    free = sorted(left)
    found = []
    for number in numbers:
        found.append(next(other for other in free if other in twins(number)))
        free.remove(found[-1])
    return tuple(sorted(found))
