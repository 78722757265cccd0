"""Drawings that contradict each other.

A piece of two squares learned turned about, by the name of another one, or by its back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import product

import numpy as np

from calibration.plane import Pixels
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import AnyPhotoSight
from companion.vision.gallery.squares import SquareGallery, Vectors, network_crop

TURNED = -0.2
"""By how much less than as it is named a piece may look like others when turned about: right ones differ by 0.28."""
STRANGE = 0.3
"""By how much more than its own kind a piece may look like other kinds: right ones do so by 0.24."""
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

    def __init__(self, gallery: SquareGallery, sight: AnyPhotoSight) -> None:
        upright = gallery.traits[::4]
        self.kinds = [sight.kind(label) for label in gallery.labels[::4]]
        self.alike: Vectors = (upright @ gallery.traits.T).reshape(len(upright), len(upright), 4).max(axis=2)

    def like(self, one: int, kind: Hashable | None, without: tuple[int, int]) -> float:
        """How much a drawing looks like those of a kind, whichever of them is nearest."""
        near = [
            self.alike[one, at] for at, other in enumerate(self.kinds) if other == kind and at not in without
        ]
        return float(max(near, default=0.0))

    def turned(self, first: int, second: int) -> float:
        """How much better two halves fit the names of each other."""
        pair = first, second
        a, b = (self.kinds[one] for one in pair)
        here = self.like(first, a, pair), self.like(second, b, pair)
        # Where a kind has no other drawing, nothing can be said of how much this one is like it.
        return self.like(first, b, pair) + self.like(second, a, pair) - sum(here) if all(here) else -1.0

    def strange(self, first: int, second: int) -> float:
        """How much better the two halves fit other kinds than their own; one that has no like says nothing."""
        pair, found = (first, second), 0.0
        for one in pair:
            if own := self.like(one, self.kinds[one], pair):
                found += max(self.like(one, kind, pair) for kind in set(self.kinds)) - own
        return found

    def nearest(self, one: int, without: tuple[int, int]) -> Hashable | None:
        """What a drawing looks most like."""
        others = [at for at in np.argsort(-self.alike[one]) if at not in without]
        return self.kinds[others[0]] if others else None


def contradicting_pieces(gallery: SquareGallery, sight: AnyPhotoSight) -> dict[str, frozenset[Hashable]]:
    """Pieces of two squares that look more like themselves turned about, and the kinds that may be taken for others."""
    found: dict[str, frozenset[Hashable]] = {}
    drawings = _Drawings(gallery, sight)
    for piece, first, second in _pairs(gallery, sight):
        pair = first, second
        differ = drawings.kinds[first] != drawings.kinds[second]
        if (differ and drawings.turned(first, second) > TURNED) or drawings.strange(first, second) > STRANGE:
            kinds = [
                *(drawings.kinds[one] for one in pair),
                *(drawings.nearest(one, pair) for one in pair),
            ]
            found[piece] = found.get(piece, frozenset()) | {kind for kind in kinds if kind is not None}
    return found


def misnamed_squares(
    gallery: SquareGallery, known: SquareGallery, sight: AnyPhotoSight
) -> Iterator[tuple[int, str, str]]:
    """Single squares by their places: a label of what they were called, and one of the other kind that they show."""
    kinds = [sight.kind(label) for label in known.labels[::4]]
    alike: Vectors = (gallery.traits[::4] @ known.traits.T).reshape(-1, len(kinds), 4).max(axis=2)
    for one, label in enumerate(gallery.labels[::4]):
        own, other = sight.kind(label), kinds[int(alike[one].argmax())]
        if own is None or other is None or sight.part(label):
            continue
        there = float(alike[one].max())
        here = max((float(alike[one, at]) for at, kind in enumerate(kinds) if kind == own), default=0.0)
        if there > SAME_ART and there - here > STRANGE / 2:
            yield one, sight.label(own), sight.label(other)


def recognisable(
    drawings: Sequence[tuple[str, Pixels]], known: SquareGallery, sight: AnyPhotoSight
) -> Sequence[tuple[str, Pixels]]:
    """Those that look like what they are called, as far as it is known: what lies on a piece teaches nothing good."""
    kinds = [sight.kind(label) for label in known.labels]
    looks = known.embed(np.stack([network_crop(picture) for _label, picture in drawings])) @ known.traits.T
    return [
        one
        for one, look in zip(drawings, looks, strict=True)
        if max(look[[kind == sight.kind(one[0]) for kind in kinds]], default=1.0) > LOOKS_LIKE_ITS_KIND
    ]


def _pairs(gallery: SquareGallery, sight: AnyPhotoSight) -> Iterator[tuple[str, int, int]]:
    """Each piece of two squares with a drawing of its first and one of its second."""
    halves: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, label in enumerate(gallery.labels[::4]):
        if part := sight.part(label):
            halves[part[0]][part[1]].append(index)
    for piece, sides in halves.items():
        for first, second in product(*(sides[side][-DRAWINGS:] for side in (0, 1))):
            yield piece, first, second


def not_squares_complaint(drawings: Sequence[tuple[str, Pixels]], sight: AnyPhotoSight) -> Message | None:
    """Why drawings cannot be squares, whichever: those are of several colours, backs and bare table of one."""
    if len(drawings) < FEW:
        return None
    grounds = [sight.ground(label) for label, _picture in drawings]
    one, other = np.triu_indices(len(drawings), 1)
    differ = float(np.mean([grounds[a] != grounds[b] for a, b in zip(one, other, strict=True)]))
    colours = np.array([picture.mean(axis=(0, 1)) for _label, picture in drawings])
    away = np.linalg.norm(colours[one] - colours[other], axis=1)
    # So many pairs are of different grounds: whichever they are, they differ most.
    typical = float(np.quantile(away, 1 - differ / 2))
    if not differ or typical > SPREAD * float(np.linalg.norm(colours, axis=1).mean()):
        return None
    return _(
        "These look alike, whatever they are called. Do they lie on their faces? Turn them over, and take it again."
    )
