"""Where a kingdom has its middle, also while the castle itself is hidden or was pushed away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from companion.core.lattice import Cell, offset
from companion.core.observation import Observation
from companion.games.kingdomino.rules.kingdom import HOME
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.sight.sight import SIDE

CellLabels = Mapping[Cell, str]

_FEWEST = 4
"""Squares that are needed to tell a kingdom by them."""
_ENOUGH = 0.6
"""How much of a kingdom has to show before it is believed to lie somewhere else than around its castle."""
_NEAR = 0.6 * SIDE
_ANCHORS = 3


def castle_of(
    castle: Observation | None, known: Mapping[Cell, Square], squares: Sequence[Observation]
) -> Observation | None:
    """The castle, or something without a label where it should be if the squares of the log lie elsewhere."""
    labels = {cell: str(square) for cell, square in known.items() if cell != HOME}
    around = _matches(castle, labels, squares) if castle else 0
    if len(labels) < _FEWEST or 2 * around >= len(labels):
        return castle
    best = max(
        (
            (_matches(one, labels, squares), number, one)
            for number, one in enumerate(_guesses(labels, squares))
        ),
        default=None,
    )
    return best[2] if best and best[0] >= max(_ENOUGH * len(labels), around) else castle


def _guesses(labels: CellLabels, squares: Sequence[Observation]) -> Iterator[Observation]:
    """Where the castle would be, judged by the squares that there are the fewest of."""
    counts = Counter(one.label for one in squares)
    rare = sorted((counts[label], cell) for cell, label in labels.items() if counts[label])
    for _count, cell in rare[:_ANCHORS]:
        for one in squares:
            if one.label == labels[cell]:
                for turn in range(0, 360, 90):
                    dx, dy = offset(cell[0] * SIDE, cell[1] * SIDE, one.angle + turn)
                    yield Observation("", one.x - dx, one.y - dy, one.angle + turn, 0)


def _matches(home: Observation, labels: CellLabels, squares: Sequence[Observation]) -> int:
    """How many squares lie where they would around that place."""
    found = 0
    for (column, row), label in labels.items():
        dx, dy = offset(column * SIDE, row * SIDE, home.angle)
        found += any(
            one.label == label and hypot(one.x - home.x - dx, one.y - home.y - dy) < _NEAR for one in squares
        )
    return found
