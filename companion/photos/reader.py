"""Reads a photo from its file to squares and doubts: by one gallery or several, cross-checked by what is shipped.

A household's own drawings may be wrong: what the shipped gallery reads otherwise and is sure of becomes a
question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from calibration.plane import Pixels
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, Square
from companion.games.kingdomino.sight.lessons import lesson_square
from companion.games.kingdomino.sight.photo import (
    FEWEST,
    DoubtReason,
    KingdomReading,
    UnsureSquare,
    ask_about_shared,
    find_tilings,
    judge_kingdom,
    read_photo,
    share_box,
)
from companion.games.kingdomino.sight.tiling import GalleryRow, knows_halves
from companion.photos.checks import contradicting_dominoes, misnamed_squares, recognisable
from companion.vision.gallery import squares
from companion.vision.gallery.box import Box, BoxError, BoxRepository
from companion.vision.gallery.squares import SquareGallery
from companion.vision.photo.annotate import CellNote, KingdomNotes, annotate
from companion.vision.photo.extent import LocatedSquares
from companion.vision.photo.grid import Grid
from companion.vision.photo.keypoints import Floats
from companion.vision.photo.locate import find_all_squares, find_squares
from companion.vision.picture_file import decode_picture, working_size

NOTHING = "-"
MOST_KINGDOMS = 4
ALONE = 0.35
"""Of a picture that a kingdom fills, nobody looks for another one beside it."""
LEAST_SIDE = 3
"""Squares of the shorter side of what may be a kingdom."""
CLEAR_ENOUGH = 0.15
"""Part of the places that may be asked about before a photo is looked at more closely."""
LIKE_A_SQUARE = 0.6
"""Likeness that places of another game hardly reach."""
MOST_GROUPS = 8
"""Groups of squares looked at: kingdoms, and what lies beside them."""


@dataclass(frozen=True, eq=False)
class PhotoRead:
    """What a photo shows, as far as it was read."""

    picture: Pixels
    found: LocatedSquares | None
    shown: KingdomReading | None
    times: Mapping[str, float]
    """Seconds of each step."""

    def noted(self) -> KingdomNotes | None:
        """What is drawn over the photo; None where no kingdom was read."""
        if self.found is None or self.shown is None:
            return None
        unsure = {one.cell for one in self.shown.unsure}
        cells = self.found.looks.cells
        notes = [
            CellNote(cell, label_text(self.shown.squares.get(cell)), cell not in unsure) for cell in cells
        ]
        return KingdomNotes(self.found.grid, notes)


def annotate_reads(picture: Pixels, reads: Sequence[PhotoRead], title: str) -> Pixels:
    """A photo with everything that was read drawn over it."""
    return annotate(picture, [noted for read in reads if (noted := read.noted())], title)


def label_text(square: Square | None) -> str:
    """A square in two signs; the castle as C."""
    if square is None:
        return NOTHING
    return "C" if square == CASTLE else str(square)


def open_photo(data: bytes) -> Pixels:
    """A picture's file as large as it is worked on, or PictureError."""
    return working_size(decode_picture(data))


class PhotoReader:
    """Reads photos of kingdoms, one after the other, by the pieces of one gallery."""

    def __init__(self, gallery: SquareGallery) -> None:
        self.gallery = gallery
        self.rows = [
            GalleryRow(label, int(turn)) for label, turn in zip(gallery.labels, gallery.turns, strict=True)
        ]
        self.doubted = frozenset(kind for kinds in contradicting_dominoes(gallery).values() for kind in kinds)
        """Squares of which drawings contradict each other: nobody believes what they look like."""

    def read(self, data: bytes) -> PhotoRead:
        """The kingdom in a picture's file, the first of several; neither squares nor points are made up."""
        began = perf_counter()
        picture = open_photo(data)
        took = perf_counter() - began
        read = next(iter(self.read_table(picture)), PhotoRead(picture, None, None, {}))
        return replace(read, times={"decode": took, **read.times})

    def read_picture(self, picture: Pixels, corners: Floats | None = None) -> PhotoRead:
        """The kingdom in a picture, or between four corners of it that somebody showed."""
        first = self._explained(picture, find_squares(picture, self.gallery, corners))
        if corners is not None:
            return first
        return look_again(first, lambda: self._closely(picture))

    def _closely(self, picture: Pixels) -> PhotoRead:
        began = perf_counter()
        read = self._explained(picture, find_squares(picture, self.gallery, closely=True))
        return replace(read, times={"closely": perf_counter() - began})

    def _explained(self, picture: Pixels, found: LocatedSquares | None) -> PhotoRead:
        if found is None:
            return PhotoRead(picture, None, None, {})
        began = perf_counter()
        shown = self._judged(read_photo(self.rows, *cell_scores(found)), found)
        return PhotoRead(picture, found, shown, {**dict(found.times), "dominoes": perf_counter() - began})

    def read_table(self, picture: Pixels) -> tuple[PhotoRead, ...]:
        """The kingdom in a picture, or all of them where there are more; those that cannot be read come last."""
        alone = self.read_picture(picture)
        if alone.shown and alone.shown.alone and _part(alone) > ALONE:
            return (alone,)
        if not _worth_more(alone):
            return (alone,)
        several = self.read_all(picture)
        # A kingdom that is whole by itself is not two halves, whatever lies beside it.
        whole = alone.shown is not None and alone.shown.whole
        cut = whole and max(map(_squares, several), default=0) < _squares(alone)
        return several if not cut and _squares(*several) >= _squares(alone) + FEWEST else (alone,)

    def read_all(self, picture: Pixels) -> tuple[PhotoRead, ...]:
        """Every kingdom in a picture of a whole table, by the dominoes of one box; what is none is left out."""
        began = perf_counter()
        groups = find_all_squares(picture, self.gallery, MOST_GROUPS)
        times = {"kingdoms": perf_counter() - began}
        kingdoms = share_box([find_tilings(self.rows, *cell_scores(found)) for found in groups])
        judged = ask_about_shared(kingdoms, [judge_kingdom(one) for one in kingdoms])
        reads = [
            PhotoRead(picture, found, self._judged(read, found), times)
            for found, read in zip(groups, judged, strict=True)
        ]
        kept = [one for one in reads if _large(one)]
        if len(kept) == 1 < len(reads):
            kept = [replace(kept[0], shown=_beside(kept[0].shown))]
        return tuple(sorted(kept, key=lambda one: one.shown is None)[:MOST_KINGDOMS])

    def _judged(self, shown: KingdomReading | None, found: LocatedSquares) -> KingdomReading | None:
        """With questions about what this gallery cannot tell, and whether there is more in the picture."""
        if shown is None:
            return None
        reasons = {
            **dict.fromkeys(found.pale, DoubtReason.PALE),
            **dict.fromkeys(found.covered, DoubtReason.COVERED),
            **{
                cell: DoubtReason.GALLERY_CONTRADICTS_ITSELF
                for cell, square in shown.squares.items()
                if square in self.doubted
            },
        }
        asked = shown.asking(
            shown.doubt(cell, reason) for cell, reason in sorted(reasons.items()) if cell in shown.squares
        )
        return replace(asked, mirrored=found.mirrored, alone=asked.alone and not found.beside)


def _squares(*reads: PhotoRead) -> int:
    """How many squares of kingdoms were read."""
    return sum(len(read.shown.squares) for read in reads if read.shown)


def look_again(first: PhotoRead, closely: Callable[[], PhotoRead]) -> PhotoRead:
    """What a photo shows: by a closer look as well where the first one leaves much open, and that leaves less."""
    if (first.found and first.found.cropped) or not any(_left_open(first)[:3]):
        return first
    again = closely()
    best = min(first, again, key=_left_open)
    return replace(best, times={**first.times, **again.times})


def _left_open(read: PhotoRead) -> tuple[bool, bool, bool, float, float]:
    """Whether all of a reading is open, a row of it may be, many squares are; how many; and how uncertain it is."""
    if read.found is None or read.shown is None:
        return True, True, True, 1.0, 0.0
    asked = len(read.shown.unsure) / (read.found.columns * read.found.rows)
    likeness = float(read.found.looks.best.mean())
    return False, not read.shown.whole, asked > CLEAR_ENOUGH, asked, -likeness


def _worth_more(read: PhotoRead) -> bool:
    """Whether anything that was found looks like the squares of a kingdom, of which there may be more."""
    if read.found is None:
        return False
    best = np.sort(read.found.looks.best)[::-1]
    return bool(len(best) >= FEWEST and best[FEWEST - 1] > LIKE_A_SQUARE)


def _beside(shown: KingdomReading | None) -> KingdomReading | None:
    """What a picture shows, with more pieces beside it."""
    return shown and replace(shown, alone=False)


def best_reading(readings: Sequence[tuple[PhotoRead, ...]]) -> tuple[PhotoRead, ...]:
    """Of what several galleries make of a picture, that of the one whose drawings look most like it."""
    return max(readings, key=lambda reads: (sum(one.shown is not None for one in reads), _likeness(reads)))


def _likeness(reads: Sequence[PhotoRead]) -> float:
    best = [float(one.found.looks.best.mean()) for one in reads if one.found and one.shown]
    return float(sum(best)) / max(len(best), 1)


def _large(read: PhotoRead) -> bool:
    """Whether it may be a kingdom that cannot be read; the line and what is put away are no such thing."""
    return read.found is not None and min(read.found.columns, read.found.rows) >= LEAST_SIDE


def _part(read: PhotoRead) -> float:
    """How much of the picture the kingdom fills."""
    if read.found is None:
        return 0.0
    xs, ys = zip(*kingdom_corners(read.found), strict=True)
    height, width = read.picture.shape[:2]
    return float((max(xs) - min(xs)) * (max(ys) - min(ys)) / (width * height))


def kingdom_corners(found: LocatedSquares) -> tuple[tuple[float, float], ...]:
    """Where the corners of all places are, clockwise from the upper left."""
    right, low = found.columns - 0.5, found.rows - 0.5
    return found.grid.outline(((-0.5, -0.5), (right, -0.5), (right, low), (-0.5, low)))


def cell_scores(found: LocatedSquares) -> tuple[Mapping[Cell, list[float]], Mapping[Cell, float]]:
    """How much each place looks like each row of the gallery, and like bare table."""
    looks = found.looks
    scores = dict(zip(looks.cells, looks.scores.tolist(), strict=True))
    return scores, dict(zip(looks.cells, looks.bare.tolist(), strict=True))


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
        return cross_check_galleries(reads, self.witness.read_table(picture)) if self.witness else reads

    def read_between(self, picture: Pixels, corners: Corners) -> PhotoRead:
        """The kingdom between four corners that somebody showed."""
        around = np.asarray(corners, np.float64)
        reads = best_reading([(reader.read_picture(picture, around),) for reader in self.readers])
        if self.witness:
            reads = cross_check_galleries(reads, (self.witness.read_picture(picture, around),))
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
    known = squares.load_shipped(game)
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
    return recognisable(drawings, box.beside(squares.load_shipped(game)))


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


def cross_check_galleries(reads: Sequence[PhotoRead], others: Sequence[PhotoRead]) -> tuple[PhotoRead, ...]:
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
    rivals: dict[Cell, Square] = {}
    for (x, y), (_at, square) in zip(places.tolist(), said, strict=True):
        if (x, y) in read.found.looks.cells and read.shown.squares.get((x, y)) != square:
            rivals[x, y] = square
    taken = read.shown.squares
    more = [
        UnsureSquare(cell, (taken.get(cell), rival), DoubtReason.SHIPPED_DISAGREES)
        for cell, rival in rivals.items()
    ]
    return replace(read, shown=read.shown.asking(more))
