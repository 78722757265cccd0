"""What people lay down, one photo after the other, to teach the companion their own box; what its pieces are called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.game import COLOUR_NAMES, Colour
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import Lesson
from companion.games.carcassonne.rules.board import KIND_OF_LETTER, ROLE_NAMES, TILES
from companion.games.carcassonne.sight.photo import TileKind, kind_named
from companion.games.carcassonne.text.words import tile_label

COLUMNS, ROWS = 4, 3
"""Tiles of a photo, row by row."""
IN_A_PHOTO = COLUMNS * ROWS
_TILE = re.compile(r"(?:tile-)?([A-Xa-x])(?:[ _-].*)?")


def _order() -> Iterator[str]:
    """All tiles of the box: one of each type first, for whoever stops after two photos; then what else there is, since
    tiles of one type may be drawn differently."""
    yield from TILES
    yield from (letter for letter, tile in TILES.items() for _more in range(tile.count - 1))


def _lessons() -> Iterator[Lesson]:
    letters = [*_order()]
    for number, first in enumerate(range(0, len(letters), IN_A_PHOTO), start=1):
        labels = tuple(map(tile_label, letters[first : first + IN_A_PHOTO]))
        yield Lesson(
            f"tiles-{number}", labels, COLUMNS, _("Tiles, photo %(number)d", number=number), ("",) * ROWS
        )


LESSONS = tuple(_lessons())


def piece_name(label: str) -> Message:
    """A tile in words, and who stands on it."""
    kind = kind_named(label)
    return kind_name(kind) if kind else _("Unknown piece")


def kind_name(kind: TileKind) -> Message:
    pennants = sum(part.pennants for part in kind.tile.parts)
    text = _("Tile %(tile)s with a pennant") if pennants else _("Tile %(tile)s")
    name = Message(text.text, {"tile": kind.letter})
    if not kind.part:
        return name
    role = ROLE_NAMES[KIND_OF_LETTER[kind.part[0]]]
    return _("%(tile)s, %(colour)s: %(role)s", tile=name, colour=COLOUR_NAMES[Colour(kind.colour)], role=role)


def pictured(name: str) -> Lesson | None:
    """What a picture of that name shows, or None."""
    lesson = next((lesson for lesson in LESSONS if lesson.key == name), None)
    if lesson or not (one := _TILE.fullmatch(name)):
        return lesson
    return Lesson(name, (tile_label(one[1].upper()),), 1, cut=True)


UNPICTURED = _(
    "A or A_2 for a tile by its letter in the rulebook, tiles-1 for a photo of twelve tiles as they are shown."
)
