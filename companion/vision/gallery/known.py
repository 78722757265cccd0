"""What may lie on one table: flat pieces by a gallery, figures that stand by their drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Face
from companion.vision.gallery.squares import Origin, SquareGallery, Vectors, gallery_of, union
from models.registry import PIECES

SYMMETRIC = 0.93
"""Likeness of a drawing to itself turned, from which on nobody can tell which way it lies."""
MM = 1.0
"""Millimetres in a cell of an upright picture of a piece."""


NOTHING = SquareGallery(
    (),
    np.zeros(0, np.int64),
    np.zeros((0, 96), np.float32),
    np.zeros((0, 3), np.float32),
    np.zeros((0, 4), np.float32),
    np.zeros((0, 128), np.float32),
    (),
)
"""A gallery without a drawing."""


@dataclass(frozen=True, eq=False)
class DrawnFace:
    """A face as the game draws it."""

    face: Face
    picture: Pixels
    """Blue, green, red and how much of it is there, some pixels for each millimetre."""


@dataclass(frozen=True, eq=False)
class KnownPieces:
    """Every piece that a camera above the table is to tell apart.

    A row of the gallery is a drawing in one of its four turns; which face it shows is the game's to say.
    """

    side: float
    """Of every flat piece, in millimetres."""
    gallery: SquareGallery
    faces: tuple[str, ...]
    """What each row shows: the label of a face."""
    pictures: tuple[Pixels | None, ...]
    """Of every fourth row, the drawing itself, upright, a cell a millimetre; None where only numbers are known."""
    figures: tuple[DrawnFace, ...]
    """What stands on other pieces."""
    ways: Mapping[str, int] = field(default_factory=dict)
    """In how many turns a face lies differently for the game; 4 of those that are not named."""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every face of a flat piece once."""
        return tuple(dict.fromkeys(self.faces))

    def rivals(self, row: int, scores: Vectors, most: int = 1) -> list[int]:
        """What a piece looks most like besides a row: other faces, or the same one looking otherwise and turned to
        where it lies differently for the game."""
        traits, own = self.gallery.traits, self._which == self._which[row]
        turns = self.gallery.turns % self.ways.get(self.faces[row], 4)
        same = own & ((turns == turns[row]) | (traits @ traits[row] > SYMMETRIC))
        others: dict[tuple[int, int], int] = {}
        for other in np.argsort(-np.where(same, -np.inf, scores)).tolist():
            others.setdefault((int(self._which[other]), int(turns[other]) if own[other] else -1), other)
            if len(others) == most:
                break
        return list(others.values())

    @cached_property
    def _which(self) -> NDArray[np.intp]:
        """Of each row, the number of its face."""
        return np.array([self.labels.index(face) for face in self.faces])

    def upright(self, row: int) -> Pixels | None:
        """The drawing that a row of the gallery shows, turned as the row is."""
        drawing = self.pictures[row // 4]
        return None if drawing is None else np.rot90(drawing, -int(self.gallery.turns[row]))


def known_pieces(
    drawn: Iterable[DrawnFace],
    face_of: Callable[[str], str] = str,
    taught: Iterable[tuple[str, Pixels]] = (),
    shipped: SquareGallery | None = None,
    network: str = PIECES,
) -> KnownPieces:
    """The game's own drawings, and beside them what a household taught and what is shipped.

    `face_of` says of a label which face it shows; it says "" of what is none of this game's. `network` describes all
    of them.
    """
    every = list(drawn)
    flat = [one for one in every if not one.face.stands]
    side = flat[0].face.width if flat else 1.0
    if any((one.face.width, one.face.height) != (side, side) for one in flat):
        raise ValueError("flat pieces are squares of one size")
    ours = [(one.face.label, np.asarray(one.picture[..., :3], np.uint8)) for one in flat]
    theirs = [(label, picture) for label, picture in taught if face_of(label)]
    parts = [
        gallery_of(pictures, points=False, origin=origin, network=network)
        for pictures, origin in ((ours, Origin.DRAWN), (theirs, Origin.TAUGHT))
        if pictures
    ]
    gallery = union(*parts, *([shipped] if shipped else [])) if parts or shipped else NOTHING
    drawings: list[Pixels | None] = [_upright(picture, side) for _label, picture in (*ours, *theirs)]
    drawings += [None] * (len(gallery.labels) // 4 - len(drawings))
    faces = tuple(
        label if origin is Origin.DRAWN else face_of(label)
        for label, origin in zip(gallery.labels, gallery.origins, strict=True)
    )
    figures = tuple(one for one in every if one.face.stands)
    ways = {one.face.label: one.face.ways for one in flat}
    return KnownPieces(side, gallery, faces, tuple(drawings), figures, ways)


def _upright(picture: Pixels, side: float) -> Pixels:
    cells = round(side / MM)
    return np.asarray(cv2.resize(picture, (cells, cells), interpolation=cv2.INTER_AREA), np.uint8)
