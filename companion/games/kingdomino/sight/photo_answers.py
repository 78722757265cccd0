"""The JSON of `companion read kingdomino`, and of `score` with a photo: squares, points and doubts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.document import Json
from companion.core.game import Line
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, TERRAIN_NAMES, Square, Terrain
from companion.games.kingdomino.sight.photographed import KingdomReading, UnsureSquare
from companion.games.kingdomino.text.answers import tell_kingdom
from companion.games.kingdomino.text.interchange import describe_kingdom

EMPTY = "empty"
"""The terrain of a place without a piece."""
_NOT_WHOLE = _("A row or a column of squares may be missing.")
_BESIDE = _("More pieces lie beside these: is this one kingdom, and all of it?")


def describe_photographed(
    shown: KingdomReading, columns: int, rows: int, scored: bool, say: Say
) -> dict[str, Any]:
    """A kingdom as it was read, row by row; where it is scored, all there is to count in it besides."""
    grid = [[_place_told(shown, (x, y)) for x in range(columns)] for y in range(rows)]
    kingdom = shown.kingdom
    home = next((cell for cell, square in shown.squares.items() if square == CASTLE), None)
    counted = describe_kingdom(kingdom, home) if scored and kingdom and home else {}
    return {**counted, "grid": grid, "score": shown.points, "doubts": list(_doubts_told(shown, say))}


def tell_photographed(answer: Json) -> Iterator[Line]:
    """The kingdoms of a photo for a person: a sign for each square, the points, and what is not clear."""
    for number, kingdom in enumerate(answer["kingdoms"], start=1):
        name = _("Kingdom %(number)d", number=number)
        open_ones = len(kingdom["doubts"])
        yield from tell_kingdom(
            _n(
                "%(kingdom)s, with %(count)d question open",
                "%(kingdom)s, with %(count)d questions open",
                open_ones,
                kingdom=name,
            )
            if open_ones
            else name,
            kingdom,
        )
        for row in kingdom["grid"]:
            yield (" ", " ".join(map(_sign, row)))
        for doubt in kingdom["doubts"]:
            yield ("  ?", doubt["question"])


def _place_told(shown: KingdomReading, cell: Cell) -> dict[str, Any]:
    return {**_described(shown.squares.get(cell)), "confidence": round(shown.confidence(cell), 3)}


def _described(square: Square | None) -> dict[str, Any]:
    if square is None:
        return {"terrain": EMPTY, "crowns": 0}
    return {"terrain": square.terrain.value, "crowns": square.crowns}


def _doubts_told(shown: KingdomReading, say: Say) -> Iterator[Mapping[str, Any]]:
    for one in shown.unsure:
        yield {
            "x": one.cell[0],
            "y": one.cell[1],
            "question": say(_question(one)),
            "candidates": [_described(square) for square in one.candidates],
        }
    if not shown.whole:
        yield {"question": say(_NOT_WHOLE)}
    if not shown.alone:
        yield {"question": say(_BESIDE)}


def _question(one: UnsureSquare) -> Message:
    first, second = (_named(square) for square in one.candidates[:2])
    return _(
        "Column %(x)d, row %(y)d: %(first)s or %(second)s?",
        x=one.cell[0] + 1,
        y=one.cell[1] + 1,
        first=first,
        second=second,
    )


def _named(square: Square | None) -> Message:
    if square is None:
        return _("No piece")
    name = TERRAIN_NAMES[square.terrain]
    if not square.crowns:
        return name
    return _n("%(name)s with %(count)d crown", "%(name)s with %(count)d crowns", square.crowns, name=name)


def _sign(place: Mapping[str, Any]) -> str:
    """A place in two signs, with a question mark where it is not clear."""
    if place["terrain"] == EMPTY:
        sign = "–"
    elif place["terrain"] == Terrain.CASTLE:
        sign = "C"
    else:
        sign = f"{place['terrain'][0]}{place['crowns']}"
    return f"{sign}{'?' if place['confidence'] < 0.5 else ''}".ljust(3)
