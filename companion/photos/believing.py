"""What is believed of a photo where a household has taught the companion its own box.

The box's drawings may be wrong: whoever taught it may have turned a domino about. So what the shipped drawings read
otherwise is asked about; of art that they do not know they say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.plane import Pixels
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.sight.lessons import lesson_square
from companion.games.kingdomino.sight.tiling import GalleryRow, knows_halves
from companion.photos.contradictions import misnamed_squares, recognisable
from companion.photos.photos import PhotoRead, PhotoReader, best_reading
from companion.vision.gallery import shipped
from companion.vision.gallery.box import Box, BoxError
from companion.vision.gallery.boxes import BoxRepository
from companion.vision.gallery.likeness import SquareGallery
from companion.vision.photo.grid import Grid

Corners = Sequence[tuple[float, float]]
"""In pixels, clockwise from the upper left."""


@dataclass(frozen=True)
class ReaderEnsemble:
    """Several galleries that read the same photos."""

    readers: tuple[PhotoReader, ...]
    witness: PhotoReader | None = None
    """Knows nothing of what a household taught."""

    def read_table(self, picture: Pixels) -> tuple[PhotoRead, ...]:
        """The kingdom in a picture, or all of them where there are more."""
        reads = best_reading([reader.read_table(picture) for reader in self.readers])
        return cross_check(reads, self.witness.read_table(picture)) if self.witness else reads

    def read_between(self, picture: Pixels, corners: Corners) -> PhotoRead:
        """The kingdom between four corners that somebody showed."""
        around = np.asarray(corners, np.float64)
        reads = best_reading([(reader.read_picture(picture, around),) for reader in self.readers])
        if self.witness:
            reads = cross_check(reads, (self.witness.read_picture(picture, around),))
        return reads[0]


def ensemble_of(box: Box | None, known: SquareGallery) -> ReaderEnsemble:
    """By what is shipped and the box together; by the box alone, too, where it knows every domino."""
    if box is None or not box.labels:
        return ReaderEnsemble((PhotoReader(known),))
    galleries = [box.beside(known)]
    if knows_halves([GalleryRow(label, 0) for label in box.known]):
        galleries.append(box.gallery())
    return ReaderEnsemble(tuple(map(PhotoReader, galleries)), PhotoReader(known))


def household_ensemble(boxes: BoxRepository, game: str) -> tuple[ReaderEnsemble, Message | None]:
    """By what is shipped and by the box that people chose; and what is wrong with that box, if anything."""
    known = shipped.load_shipped(game)
    try:
        box = boxes.open(boxes.used(game))
    except BoxError as error:
        without = _("This photo was read without your own box. %(problem)s", problem=error.message)
        return ensemble_of(None, known), without
    odd = _misnamed(box, known)
    for index in sorted(odd, reverse=True):
        box = box.dropped(index, box.labels[index])
    return ensemble_of(box, known), next(iter(odd.values()), None)


def worth_learning(
    drawings: Sequence[tuple[str, Pixels]], box: Box, game: str
) -> Sequence[tuple[str, Pixels]]:
    """Squares that people put right and that look like what they are called, as far as that is known."""
    return recognisable(drawings, box.beside(shipped.load_shipped(game)))


def _misnamed(box: Box, known: SquareGallery) -> Mapping[int, Message]:
    """The drawings of a box that were called by a kind they do not look like, with what to say of them."""
    odd = misnamed_squares(box.gallery(), known) if box.labels else ()
    return {
        index: _(
            "Your box was taught %(own)s by a square that looks like %(other)s. That drawing is left aside: "
            "look at the piece in the box, and forget the drawing if it is wrong.",
            own=lesson_square(str(own)).name,
            other=lesson_square(str(other)).name,
        )
        for index, own, other in odd
    }


def cross_check(reads: Sequence[PhotoRead], others: Sequence[PhotoRead]) -> tuple[PhotoRead, ...]:
    """With a question wherever another reading of the same picture is sure of something else."""
    said = [one for other in others for one in _sure(other)]
    return tuple(_disputed(read, said) for read in reads)


SquareSeen = tuple[tuple[float, float], Square]
"""A square, and where its middle is in the picture."""


def _sure(read: PhotoRead) -> Iterator[SquareSeen]:
    if read.found is None or read.shown is None:
        return
    asked = {one.cell for one in read.shown.unsure}
    for cell, square in read.shown.squares.items():
        if cell not in asked:
            x, y = read.found.grid.pixels(np.array([cell]))[0]
            yield (float(x), float(y)), square


def _disputed(read: PhotoRead, said: Sequence[SquareSeen]) -> PhotoRead:
    if read.found is None or read.shown is None or not said:
        return read
    back = Grid(np.asarray(np.linalg.inv(read.found.grid.matrix), np.float64))
    places = np.rint(back.pixels(np.array([at for at, _square in said]))).astype(int)
    rivals: dict[Cell, Square | None] = {}
    for (x, y), (_at, square) in zip(places.tolist(), said, strict=True):
        if (x, y) in read.found.looks.cells and read.shown.squares.get((x, y)) != square:
            rivals[x, y] = square
    return replace(read, shown=read.shown.asking(rivals))
