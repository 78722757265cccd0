"""Drawings that contradict each other.

A domino learned turned about, by the number of another one, or by its back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from calibration.plane import Pixels
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.sight.tiling import half_named, square_of
from companion.vision.gallery.squares import SquareGallery, Vectors, embed, network_crop

TURNED = -0.2
"""By how much less than as it is named a domino may look like others when turned about: right ones differ by 0.28."""
STRANGE = 0.3
"""By how much more than its own kind a domino may look like other kinds: right ones do so by 0.24."""
SAME_ART = 0.7
"""Likeness of a square to a drawing of the same art; other art reaches 0.55."""
LOOKS_LIKE_ITS_KIND = 0.45
"""Likeness of a square to the nearest drawing of its kind: of 4180, as they are and spoilt, four have less; of those
with a disc on them 94 in 100, and of those of which three fifths are hidden two thirds."""
DRAWINGS = 5
"""Of each half so many are compared, those learned last."""

FEW = 6
"""Of fewer drawings nobody can say that they are no squares."""
SPREAD = 0.22
"""By how much colours of different terrains differ, in parts of what they are: by 0.45 and more in any light (our own
by 0.29); of backs by 0.18 at most."""


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
        here = self.like(left, a, pair), self.like(right, b, pair)
        # Where a kind has no other drawing, nothing can be said of how much this one is like it.
        return self.like(left, b, pair) + self.like(right, a, pair) - sum(here) if all(here) else -1.0

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


def contradicting_dominoes(gallery: SquareGallery) -> dict[int, frozenset[Square]]:
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


def misnamed_squares(gallery: SquareGallery, known: SquareGallery) -> Iterator[tuple[int, Square, Square]]:
    """Single squares by their places: what they were called, and the known drawings of another kind they show."""
    kinds = [square_of(label) for label in known.labels[::4]]
    alike: Vectors = (gallery.traits[::4] @ known.traits.T).reshape(-1, len(kinds), 4).max(axis=2)
    for one, label in enumerate(gallery.labels[::4]):
        own, other = square_of(label), kinds[int(alike[one].argmax())]
        if own is None or other is None or half_named(label):
            continue
        there = float(alike[one].max())
        here = max((float(alike[one, at]) for at, kind in enumerate(kinds) if kind == own), default=0.0)
        if there > SAME_ART and there - here > STRANGE / 2:
            yield one, own, other


def recognisable(
    drawings: Sequence[tuple[str, Pixels]], known: SquareGallery
) -> Sequence[tuple[str, Pixels]]:
    """Those that look like what they are called, as far as it is known: what lies on a piece teaches nothing good."""
    kinds = np.array([str(square_of(label)) for label in known.labels])
    looks = embed(np.stack([network_crop(picture) for _label, picture in drawings])) @ known.traits.T
    return [
        one
        for one, look in zip(drawings, looks, strict=True)
        if max(look[kinds == str(square_of(one[0]))], default=1.0) > LOOKS_LIKE_ITS_KIND
    ]


def _pairs(gallery: SquareGallery) -> Iterator[tuple[int, int, int]]:
    """The number of each domino with a drawing of its left and one of its right half."""
    halves: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {False: [], True: []})
    for index, label in enumerate(gallery.labels[::4]):
        if half := half_named(label):
            halves[half[0]][half[1]].append(index)
    for number, sides in halves.items():
        for left, right in product(*(sides[side][-DRAWINGS:] for side in (False, True))):
            yield number, left, right


def not_squares_complaint(drawings: Sequence[tuple[str, Pixels]]) -> Message | None:
    """Why drawings cannot be squares, whichever: terrains are of several colours, backs and bare table of one."""
    if len(drawings) < FEW:
        return None
    squares = [square_of(label) for label, _picture in drawings]
    terrains = np.array([square.terrain.value if square else "" for square in squares])
    one, other = np.triu_indices(len(drawings), 1)
    differ = float((terrains[one] != terrains[other]).mean())
    colours = np.array([picture.mean(axis=(0, 1)) for _label, picture in drawings])
    away = np.linalg.norm(colours[one] - colours[other], axis=1)
    # So many pairs are of different terrains: whichever they are, they differ most.
    typical = float(np.quantile(away, 1 - differ / 2))
    if not differ or typical > SPREAD * float(np.linalg.norm(colours, axis=1).mean()):
        return None
    return _(
        "These are no squares: whatever they are called, they look alike. "
        "Are they the backs of dominoes? Lay them with their squares up."
    )
