"""Drawings of a gallery that contradict each other: a domino learned turned about, or by the number of another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np

from companion.games.kingdomino.pieces import Square
from companion.games.kingdomino.tiling import half_named, square_of
from companion.vision.likeness import SquareGallery, Vectors

TURNED = -0.2
"""By how much less than as it is named a domino may look like others when turned about: right ones differ by 0.28."""
STRANGE = 0.3
"""By how much more than its own kind a domino may look like other kinds: right ones do so by 0.24."""
DRAWINGS = 5
"""Of each half so many are compared, those learned last."""


class _Drawings:
    """How much every drawing of a gallery looks like every other one, whichever way they are turned."""

    def __init__(self, gallery: SquareGallery) -> None:
        upright = gallery.traits[::4]
        self.kinds = [square_of(label) for label in gallery.labels[::4]]
        self.alike: Vectors = (upright @ gallery.traits.T).reshape(len(upright), len(upright), 4).max(axis=2)

    def like(self, one: int, kind: Square | None, without: tuple[int, int]) -> float:
        """How much a drawing looks like those of a kind, whichever of them is nearest."""
        near = [
            self.alike[one, at] for at, other in enumerate(self.kinds) if other == kind and at not in without
        ]
        return float(max(near, default=0.0))

    def turned(self, left: int, right: int) -> float:
        """How much better two halves fit the names of each other."""
        pair = left, right
        a, b = (self.kinds[one] for one in pair)
        there = self.like(left, b, pair) + self.like(right, a, pair)
        return there - self.like(left, a, pair) - self.like(right, b, pair)

    def strange(self, left: int, right: int) -> float:
        """How much better the two halves fit other kinds than their own; one that has no like says nothing."""
        pair, found = (left, right), 0.0
        for one in pair:
            if own := self.like(one, self.kinds[one], pair):
                found += max(self.like(one, kind, pair) for kind in set(self.kinds)) - own
        return found

    def nearest(self, one: int, without: tuple[int, int]) -> Square | None:
        """What a drawing looks most like."""
        others = [at for at in np.argsort(-self.alike[one]) if at not in without]
        return self.kinds[others[0]] if others else None


def suspects(gallery: SquareGallery) -> dict[int, frozenset[Square]]:
    """Dominoes that look more like themselves turned about, and the kinds of squares that may be taken for others."""
    found: dict[int, frozenset[Square]] = {}
    drawings = _Drawings(gallery)
    for number, left, right in _pairs(gallery):
        pair = left, right
        differ = drawings.kinds[left] != drawings.kinds[right]
        if (differ and drawings.turned(*pair) > TURNED) or drawings.strange(*pair) > STRANGE:
            kinds = [*(drawings.kinds[one] for one in pair), *(drawings.nearest(one, pair) for one in pair)]
            found[number] = found.get(number, frozenset()) | {kind for kind in kinds if kind}
    return found


def _pairs(gallery: SquareGallery) -> Iterator[tuple[int, int, int]]:
    """The number of each domino with a drawing of its left and one of its right half."""
    halves: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {False: [], True: []})
    for index, label in enumerate(gallery.labels[::4]):
        if half := half_named(label):
            halves[half[0]][half[1]].append(index)
    for number, sides in halves.items():
        for left, right in product(*(sides[side][-DRAWINGS:] for side in (False, True))):
            yield number, left, right
