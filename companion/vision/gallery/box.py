"""The squares of one box as people showed them: small pictures by name, learned, put right and forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.vision.gallery.likeness import DRAWN, SquareGallery, embed, extended, gallery_of, network_crop

LABEL = re.compile(r"[\w-]{1,40}", re.ASCII)
LONGEST_TITLE = 40
MOST_DRAWINGS = 1000
TOO_ALIKE = 0.96
"""Pieces of different kinds that look more alike than this are told."""
SAME_PICTURE = 0.995
"""Two pictures of one piece that look more alike than this are the same picture: other photos of it stay below 0.99."""


class BoxError(CompanionError, ValueError):
    """A box cannot be used, or what is asked of it cannot be done."""


class DamagedBox(BoxError):
    """Nothing can be read of a box's file any more: it can only be forgotten."""


@dataclass(frozen=True, eq=False)
class Box:
    """The squares of one box, each as often as there are pictures of it."""

    labels: tuple[str, ...] = ()
    pictures: Pixels = field(default_factory=lambda: np.zeros((0, DRAWN, DRAWN, 3), np.uint8))
    title: str = ""
    """What people call it."""

    @property
    def known(self) -> tuple[str, ...]:
        """Every label once."""
        return tuple(dict.fromkeys(self.labels))

    @property
    def drawings(self) -> Iterator[tuple[str, Pixels]]:
        return zip(self.labels, self.pictures, strict=True)

    def learned(self, drawings: Iterable[tuple[str, Pixels]]) -> Box:
        """With more pictures of squares; a label may come again, nearly the same picture of it is kept once."""
        new = self.fresh(drawings)
        if not new:
            return self
        if len(self.labels) + len(new) > MOST_DRAWINGS:
            raise BoxError(
                _("A box holds at most %(limit)d drawings: remove some first.", limit=MOST_DRAWINGS)
            )
        small = np.stack([_small(picture) for _label, picture in new])
        pictures = np.asarray(np.concatenate([self.pictures, small]), np.uint8)
        return replace(self, labels=self.labels + tuple(label for label, _picture in new), pictures=pictures)

    def fresh(self, drawings: Iterable[tuple[str, Pixels]]) -> Sequence[tuple[str, Pixels]]:
        """Those drawings of which the box has none that is nearly the same."""
        shown = list(drawings)
        for label, _picture in shown:
            check_name(LABEL, label)
        labels = {label for label, _picture in shown}
        kept = [one for one in self.drawings if one[0] in labels]
        every = [*kept, *shown]
        if not shown:
            return ()
        looks = embed(np.stack([network_crop(_small(picture)) for _label, picture in every]))
        seen = list(range(len(kept)))
        for index in range(len(kept), len(every)):
            same = [at for at in seen if every[at][0] == every[index][0]]
            if not same or float((looks[same] @ looks[index]).max()) <= SAME_PICTURE:
                seen.append(index)
        return [every[index] for index in seen[len(kept) :]]

    def without(self, label: str) -> Box:
        """Without any drawing of that piece, or BoxError when there is none."""
        kept = [index for index, known in enumerate(self.labels) if known != label]
        if len(kept) == len(self.labels):
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return self._only(kept)

    def only(self, labels: Collection[str]) -> Box:
        """With the drawings of these pieces alone."""
        return self._only([index for index, known in enumerate(self.labels) if known in labels])

    def dropped(self, index: int, label: str) -> Box:
        """Without one drawing of a piece, or BoxError when it is not there any more."""
        if not 0 <= index < len(self.labels) or self.labels[index] != label:
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return self._only([other for other in range(len(self.labels)) if other != index])

    def _only(self, kept: list[int]) -> Box:
        return replace(self, labels=tuple(self.labels[index] for index in kept), pictures=self.pictures[kept])

    def titled(self, title: str) -> Box:
        """By another name of people's own."""
        said = " ".join(title.split())
        if not said or len(said) > LONGEST_TITLE or not said.isprintable():
            raise BoxError(_("A box's name has 1 to %(limit)d letters.", limit=LONGEST_TITLE))
        return replace(self, title=said)

    def renamed(self, label: str, name: str) -> Box:
        """With all drawings of a piece under another name."""
        check_name(LABEL, name)
        if label not in self.labels:
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return replace(self, labels=tuple(name if known == label else known for known in self.labels))

    def gallery(self) -> SquareGallery:
        """What pictures are compared with when they are read by this box alone."""
        if not self.labels:
            raise BoxError(_("This box is empty: enrol its pieces first."))
        return gallery_of(self.drawings)

    def beside(self, gallery: SquareGallery) -> SquareGallery:
        """What pictures are compared with when they are read by this box and by another gallery."""
        return extended(gallery, self.drawings)

    def alike(self, kind: Callable[[str], object]) -> Iterator[tuple[str, str, float]]:
        """Pieces of different kinds that look too much alike, the likest first."""
        if len(self.known) < 2:
            return
        gallery = self.gallery()
        likeness = gallery.traits @ gallery.traits[::4].T
        best: dict[tuple[str, str], float] = {}
        for row, column in np.argwhere(likeness > TOO_ALIKE):
            one, other = sorted((gallery.labels[row], gallery.labels[4 * column]))
            if kind(one) != kind(other):
                best[one, other] = max(best.get((one, other), 0.0), float(likeness[row, column]))
        for (one, other), score in sorted(best.items(), key=lambda pair: -pair[1]):
            yield one, other, score


def check_name(pattern: re.Pattern[str], name: str) -> None:
    """Refuse what cannot be a name in a file."""
    if not pattern.fullmatch(name):
        raise BoxError(
            _("“%(name)s” is no name: letters, digits, “-” and “_”, at most 40 of them.", name=name[:40])
        )


def _small(picture: Pixels) -> Pixels:
    return np.asarray(cv2.resize(picture, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), np.uint8)
