"""What a picture shows of the pieces of a game, by its name: `17`, `1-5`, `forest-1`, `castle-blue`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.kingdomino.rules.pieces import DOMINOES, Terrain
from companion.games.kingdomino.sight.lessons import CASTLES, LESSONS
from companion.games.kingdomino.sight.tiling import label_of, square_of

_DOMINOES = re.compile(r"(\d{1,2})-(\d{1,2})(?:[ _].*)?")
_DOMINO = re.compile(r"(?:domino-)?(\d{1,2})(?:[ _].*)?")
_KIND = re.compile(rf"({'|'.join(t.value for t in Terrain)}|grass)[ _-]?([0-3])(?:[ _-].*)?")
_START = re.compile(r"start(?:[ _-]([a-z]{1,10}))?")
"""A starting tile, which has the castle."""
_LABEL = re.compile(r"([wflgsm][0-3]|domino-\d{1,2}-(?:left|right)|castle(?:-[a-z]{1,10})?)(?:[ _].*)?")


@dataclass(frozen=True)
class Shown:
    """What a picture shows, by its name: squares row by row."""

    labels: tuple[str, ...]
    columns: int
    cut: bool
    """Whether it ends where the pieces end; a photo has some of the table around them."""


def pieces_by_label(name: str) -> Shown:
    """What a picture of that name shows."""
    shown = pieces_by_file_name(name)
    if shown is None:
        raise unknown_piece(name)
    return shown


def pieces_by_file_name(name: str) -> Shown | None:
    if name == CASTLES:
        return Shown(next(one.labels for one in LESSONS if one.key == CASTLES), 1, cut=False)
    if (several := _DOMINOES.fullmatch(name)) and int(several[1]) < int(several[2]):
        numbers = range(int(several[1]), int(several[2]) + 1)
        return Shown(tuple(_half(n, right) for n in numbers for right in (False, True)), 2, cut=False)
    if one := _DOMINO.fullmatch(name):
        return Shown((_half(int(one[1]), False), _half(int(one[1]), True)), 2, cut=True)
    if kind := _KIND.fullmatch(name):
        square = "castle" if kind[1] == "castle" else kind[1][0] + kind[2]
        return Shown((square,), 1, cut=True) if square_of(square) else None
    if start := _START.fullmatch(name):
        return Shown(("-".join(("castle", *filter(None, start.groups()))),), 1, cut=True)
    if (label := _LABEL.fullmatch(name)) and square_of(label[1]):
        return Shown((label[1],), 1, cut=True)
    return None


def _half(number: int, right: bool) -> str:
    if number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)))
    return label_of(number, right)


def unknown_piece(name: str) -> NotationError:
    return NotationError(
        _(
            "“%(name)s” is no piece: 17 for a domino, 1-5 for a photo of dominoes one beneath the other, "
            "f1 or forest-1 for a square, castle-blue.",
            name=name[:40],
        )
    )
