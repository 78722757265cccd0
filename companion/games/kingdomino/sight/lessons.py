"""What people lay down, one photo after the other, to teach the companion their own box; what the pieces of a gallery
are called, in words and by pictures' names (`17`, `1-5`, `forest-1`, `castle-blue`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.errors import NotationError
from companion.core.game import COLOUR_NAMES, Colour
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import Lesson
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, TERRAIN_NAMES, Terrain
from companion.games.kingdomino.sight.layout import COLOURS
from companion.games.kingdomino.sight.tiling import half_named, label_of, square_of

IN_A_PHOTO = 5
"""Dominoes laid one beneath the other."""
CASTLES = "castles"

_DOMINOES = re.compile(r"(\d{1,2})-(\d{1,2})(?:[ _].*)?")
_DOMINO = re.compile(r"(?:domino-)?(\d{1,2})(?:[ _].*)?")
_KIND = re.compile(rf"({'|'.join(t.value for t in Terrain)}|grass)[ _-]?([0-3])(?:[ _-].*)?")
_START = re.compile(r"start(?:[ _-]([a-z]{1,10}))?")
"""A starting tile, which has the castle."""
_LABEL = re.compile(r"([wflgsm][0-3]|domino-\d{1,2}-(?:left|right)|castle(?:-[a-z]{1,10})?)(?:[ _].*)?")


def _dominoes(first: int, last: int) -> Lesson:
    numbers = range(first, last + 1)
    labels = tuple(_half(n, right) for n in numbers for right in (False, True))
    name = _("Dominoes %(first)s to %(last)s", first=str(first), last=str(last))
    return Lesson(f"{first}-{last}", labels, 2, name, tuple(map(str, numbers)))


def _lessons() -> Iterator[Lesson]:
    for first in range(1, len(DOMINOES) + 1, IN_A_PHOTO):
        yield _dominoes(first, min(first + IN_A_PHOTO - 1, len(DOMINOES)))
    labels = tuple(f"castle-{colour}" for colour in COLOURS)
    yield Lesson(CASTLES, labels, 1, _("Starting tiles"), ("",) * len(labels))


def _half(number: int, right: bool) -> str:
    if number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)))
    return label_of(number, right)


LESSONS = tuple(_lessons())


def castle_colour(label: str) -> str:
    """The colour of a starting tile; empty for every other piece."""
    colour = label.removeprefix("castle-") if label.startswith("castle-") else ""
    return colour if colour in {*COLOURS} else ""


def piece_name(label: str) -> Message:
    """A piece's name in a gallery, in words."""
    half, square = half_named(label), square_of(label)
    if half:
        number, right = half
        side = _("Domino %(number)d, right half") if right else _("Domino %(number)d, left half")
        return Message(side.text, {"number": number})
    if square == CASTLE:
        colour = castle_colour(label)
        return _("Starting tile, %(colour)s", colour=COLOUR_NAMES[Colour(colour)]) if colour else _("Castle")
    if square is None:
        return _("Unknown piece")
    if not square.crowns:
        return TERRAIN_NAMES[square.terrain]
    return _("%(terrain)s, crowns: %(crowns)d", terrain=TERRAIN_NAMES[square.terrain], crowns=square.crowns)


def pictured(name: str) -> Lesson | None:
    """What a picture of that name shows, or None; NotationError for a domino that the box has not."""
    if name == CASTLES:
        return LESSONS[-1]
    if (several := _DOMINOES.fullmatch(name)) and int(several[1]) < int(several[2]):
        return _dominoes(int(several[1]), int(several[2]))
    if one := _DOMINO.fullmatch(name):
        return Lesson(name, (_half(int(one[1]), False), _half(int(one[1]), True)), 2, cut=True)
    if kind := _KIND.fullmatch(name):
        square = "castle" if kind[1] == "castle" else kind[1][0] + kind[2]
        return Lesson(name, (square,), 1, cut=True) if square_of(square) else None
    if start := _START.fullmatch(name):
        return Lesson(name, ("-".join(("castle", *filter(None, start.groups()))),), 1, cut=True)
    if (label := _LABEL.fullmatch(name)) and square_of(label[1]):
        return Lesson(name, (label[1],), 1, cut=True)
    return None


UNPICTURED = _(
    "17 for a domino, 1-5 for a photo of dominoes one beneath the other, f1 or forest-1 for a square, castle-blue."
)
