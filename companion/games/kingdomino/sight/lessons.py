"""What people lay down, one photo after the other, to teach the companion their own box."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from companion.core.game import COLOUR_NAMES, Colour
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, SQUARES, TERRAIN_NAMES, Square
from companion.games.kingdomino.sight.layout import COLOURS
from companion.games.kingdomino.sight.tiling import half_named, label_of, square_of

IN_A_PHOTO = 5
"""Dominoes laid one beneath the other."""


@dataclass(frozen=True)
class LessonSquare:
    """A square as it lies in the photo."""

    label: str
    square: Square
    x: int
    """In hundredths of a square, as is y."""
    y: int
    colour: str = ""
    """Of a starting tile."""

    @property
    def name(self) -> Message:
        return piece_name(self.label)


@dataclass(frozen=True)
class Lesson:
    """One photo: pieces close together, one beneath the other."""

    key: str
    """As a photo of it is called, for `companion enrol`."""
    labels: tuple[str, ...]
    columns: int

    @property
    def rows(self) -> int:
        return len(self.labels) // self.columns

    @property
    def name(self) -> Message:
        if self.key == CASTLES:
            return _("Starting tiles")
        first, last = self.key.split("-")
        return _("Dominoes %(first)s to %(last)s", first=first, last=last)

    @property
    def numbers(self) -> tuple[str, ...]:
        """What stands beside each row."""
        if self.key == CASTLES:
            return ("",) * self.rows
        first, last = map(int, self.key.split("-"))
        return tuple(map(str, range(first, last + 1)))

    @property
    def parts(self) -> tuple[LessonSquare, ...]:
        return tuple(
            lesson_square(label, 100 * (index % self.columns), 100 * (index // self.columns))
            for index, label in enumerate(self.labels)
        )

    def lacking(self, known: Collection[str]) -> tuple[str, ...]:
        """Its squares of which there is no drawing yet."""
        return tuple(label for label in self.labels if label not in known)


CASTLES = "castles"


def _lessons() -> Iterator[Lesson]:
    for first in range(1, len(DOMINOES) + 1, IN_A_PHOTO):
        numbers = range(first, min(first + IN_A_PHOTO, len(DOMINOES) + 1))
        labels = tuple(label_of(n, right) for n in numbers for right in (False, True))
        yield Lesson(f"{numbers[0]}-{numbers[-1]}", labels, 2)
    yield Lesson(CASTLES, tuple(f"castle-{colour}" for colour in COLOURS), 1)


LESSONS = tuple(_lessons())
PIECES = tuple(label for lesson in LESSONS for label in lesson.labels)
"""Everything the box has to show."""


def lesson_of(key: str, known: Collection[str]) -> Lesson:
    """The lesson of that name, or the next one that teaches something new."""
    asked = next((lesson for lesson in LESSONS if lesson.key == key), None)
    return asked or next((lesson for lesson in LESSONS if lesson.lacking(known)), LESSONS[0])


def lesson_square(label: str, x: int = 0, y: int = 0) -> LessonSquare:
    colour = label.removeprefix("castle-") if label.startswith("castle-") else ""
    return LessonSquare(label, square_of(label) or CASTLE, x, y, colour if colour in {*COLOURS} else "")


def piece_name(label: str) -> Message:
    """A piece's name in a gallery, in words."""
    half, square = half_named(label), square_of(label)
    if half:
        number, right = half
        side = _("Domino %(number)d, right half") if right else _("Domino %(number)d, left half")
        return Message(side.text, {"number": number})
    if square == CASTLE:
        colour = lesson_square(label).colour
        return _("Starting tile, %(colour)s", colour=COLOUR_NAMES[Colour(colour)]) if colour else _("Castle")
    if square is None:
        return _("Unknown piece")
    if not square.crowns:
        return TERRAIN_NAMES[square.terrain]
    return _("%(terrain)s, crowns: %(crowns)d", terrain=TERRAIN_NAMES[square.terrain], crowns=square.crowns)


def missing_squares(known: Collection[str]) -> tuple[Square, ...]:
    """Kinds of squares of which there is no drawing at all."""
    kinds = {square_of(label) for label in known}
    return tuple(square for square in (*SQUARES, CASTLE) if square not in kinds)
