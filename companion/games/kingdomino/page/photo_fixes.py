"""What people put right in a photo, as an address carries it: `21f0` is a forest without crowns in column 2, row 1.

`c0` is the castle, `x0` a place without a piece, `ok` that no row is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, LETTERS, SQUARES, Square, parse_square

MOST_FIXES = 60
WRITTEN_CASTLE, WRITTEN_NOTHING, AGREED = "c0", "x0", "ok"
_FIX = re.compile(r"(\d)(\d)([wflgsmcx][0-3])")


def read_fixes(text: str, places: Iterable[Cell]) -> dict[Cell, Square | None]:
    """What people have said of places; what nobody could have said is left out."""
    known, told = set(places), dict[Cell, Square | None]()
    for column, row, written in _FIX.findall(text)[:MOST_FIXES]:
        cell = int(column), int(row)
        square = _square(written)
        if cell not in known or (square not in SQUARES and square not in (CASTLE, None)):
            continue
        if square == CASTLE:  # the castle moves, there is never a second one
            told = {other: kind for other, kind in told.items() if kind != CASTLE}
        told[cell] = square
    return told


def _square(written: str) -> Square | None:
    if written[0] not in LETTERS:
        return CASTLE if written == WRITTEN_CASTLE else None
    return parse_square(written)


def write_fixes(told: Mapping[Cell, Square | None]) -> str:
    return "".join(f"{x}{y}{_written(square)}" for (x, y), square in told.items())


def _written(square: Square | None) -> str:
    if square is None:
        return WRITTEN_NOTHING
    return WRITTEN_CASTLE if square == CASTLE else str(square)
