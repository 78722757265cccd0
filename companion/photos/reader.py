"""Reads photos from their files to squares and doubts: located once, explained by what is drawn, shipped and taught.

A picture is searched by all drawings together (`Origin`), and every place is compared with all of them once. What is
made of it by parts of them is compared then: a household's own drawings may be wrong, so what the shipped ones read
otherwise and are sure of becomes a question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.lattice import Cell, LatticeMove
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Face
from companion.core.photo import (
    AnyPhotoSight,
    AnyReading,
    Corners,
    GalleryRow,
    PictureDoubt,
    SeenSquares,
)
from companion.photos.checks import contradicting_pieces, misnamed_squares, recognisable
from companion.vision.gallery import squares
from companion.vision.gallery.box import Box, BoxError, BoxRepository
from companion.vision.gallery.squares import Origin, SquareGallery, drawn_gallery, union
from companion.vision.photo.annotate import PieceNote, annotate
from companion.vision.photo.board import FIRST_LOOK, LARGEST, find_board
from companion.vision.photo.extent import LocatedSquares
from companion.vision.photo.keypoints import Floats, LookedPoints, look_at
from companion.vision.photo.locate import find_all_squares, find_squares
from companion.vision.photo.printed import PrintedBoard, figures_on, find_printed, load_printed
from companion.vision.picture_file import decode_picture, working_size
from models.registry import PIECES, is_shipped

NOTHING = "-"
FEWEST = 5
"""Squares by which several groups have to be more than one that is read alone."""
MOST_GROUPS_READ = 4
ALONE = 0.35
"""Of a picture that a group fills, nobody looks for another one beside it."""
LEAST_SIDE = 3
"""Squares of the shorter side of what may be somebody's; what is put away is no such thing."""
CLEAR_ENOUGH = 0.15
"""Part of the places that may be asked about before a photo is looked at more closely."""
WHATEVER_IT_SHOWS = (PictureDoubt.GALLERY_CONTRADICTS_ITSELF, PictureDoubt.SHIPPED_DISAGREES)
"""Doubts about drawings, which no closer look at a picture settles."""
LIKE_A_SQUARE = 0.6
"""Likeness that places of another game hardly reach."""
MOST_GROUPS = 8
"""Groups of squares looked at: those of players, and what lies beside them."""

Rasterize = Callable[[Face, float], Pixels]
"""Draws a face with so many pixels for each millimetre."""


@dataclass(frozen=True, eq=False)
class PhotoRead:
    """What a photo shows, as far as it was read."""

    picture: Pixels
    found: LocatedSquares | None
    shown: AnyReading | None
    times: Mapping[str, float]
    """Seconds of each step."""


def annotate_reads(sight: AnyPhotoSight, picture: Pixels, reads: Sequence[PhotoRead], title: str) -> Pixels:
    """A photo with everything that was read drawn over it."""
    return annotate(picture, [note for read in reads for note in _noted(sight, read)], title)


def _noted(sight: AnyPhotoSight, read: PhotoRead) -> Iterator[PieceNote]:
    """What is drawn over the photo."""
    if read.found is None or read.shown is None:
        return
    shown = read.shown
    unsure = {one.cell for one in shown.unsure}
    for cell in read.found.looks.cells:
        kind = shown.squares.get(cell)
        text = NOTHING if kind is None else sight.label(kind)
        yield PieceNote(read.found.outline_of(cell), text, cell not in unsure)


def open_photo(data: bytes) -> Pixels:
    """A picture's file as large as it is worked on, or PictureError."""
    return working_size(decode_picture(data))


@dataclass(frozen=True, eq=False)
class RowSet:
    """Some rows of a gallery, by which a picture is explained."""

    columns: NDArray[np.intp]
    """Which they are of all rows."""
    rows: Sequence[GalleryRow]
    doubted: frozenset[Hashable]
    """Kinds of which drawings contradict each other: nobody believes what they look like."""

    def seen(self, found: LocatedSquares, also: Sequence[LocatedSquares] = ()) -> SeenSquares:
        """Places of a picture, and of others that count them alike, as these rows have them."""
        looks = found.looks
        scores = looks.scores[:, self.columns].tolist()
        return SeenSquares(
            self.rows,
            dict(zip(looks.cells, scores, strict=True)),
            dict(zip(looks.cells, looks.bare.tolist(), strict=True)),
            found.pale,
            found.covered,
            self.doubted,
            found.table,
            found.beside,
            found.mirrored,
            found.figures,
            found.beyond,
            found.cut,
            [self.seen(other) for other in also],
        )

    def likeness(self, groups: Iterable[LocatedSquares]) -> float:
        """How much groups look like these rows."""
        found = [float(one.looks.scores[:, self.columns].max(axis=1).mean()) for one in groups]
        return sum(found) / max(len(found), 1)


class PhotoReader:
    """Reads photos of one game, one after the other, by all drawings there are."""

    def __init__(self, sight: AnyPhotoSight, gallery: SquareGallery) -> None:
        self.sight, self.gallery = sight, gallery

    @cached_property
    def ways(self) -> Sequence[RowSet]:
        """What pictures are explained by: the first of those that explain most of them.

        That is what is shipped and taught together, and what is taught alone where that is the whole box.
        """
        origins = {*self.gallery.origins}
        taught = {label for label, origin in self._labels if origin is Origin.TAUGHT}
        ways = [self._rows(origins - {Origin.DRAWN} or origins)]
        if Origin.SHIPPED in origins and taught and knows_box(self.sight, taught):
            ways.append(self._rows({Origin.TAUGHT}))
        return ways

    @cached_property
    def drawn(self) -> RowSet | None:
        """Our own drawings beside others: tried where a picture looks more like them, as the virtual table does."""
        origins = {*self.gallery.origins}
        return self._rows({Origin.DRAWN}) if origins > {Origin.DRAWN} else None

    @cached_property
    def witness(self) -> RowSet | None:
        """Knows nothing of what a household taught."""
        origins = {*self.gallery.origins}
        return self._rows({Origin.SHIPPED}) if origins >= {Origin.SHIPPED, Origin.TAUGHT} else None

    @property
    def _labels(self) -> Iterator[tuple[str, Origin]]:
        return zip(self.gallery.labels, self.gallery.origins, strict=True)

    def _rows(self, origins: set[Origin]) -> RowSet:
        columns = self.gallery.rows_of(origins)
        part = self.gallery.only(columns)
        kinds = contradicting_pieces(part, self.sight).values()
        rows = [GalleryRow(label, int(turn)) for label, turn in zip(part.labels, part.turns, strict=True)]
        return RowSet(columns, rows, frozenset(kind for some in kinds for kind in some))

    def read(self, data: bytes) -> PhotoRead:
        """The group in a picture's file, the first of several; neither squares nor points are made up."""
        began = perf_counter()
        picture = open_photo(data)
        took = perf_counter() - began
        read = next(iter(self.read_table(picture)), PhotoRead(picture, None, None, {}))
        return replace(read, times={"decode": took, **read.times})

    def read_picture(self, picture: Pixels, corners: Floats | None = None) -> PhotoRead:
        """The group in a picture, or between four corners of it that somebody showed."""
        first = self._explained(picture, self._find(picture, corners))
        if corners is not None:
            return first
        return self._again(first)

    def _again(self, first: PhotoRead) -> PhotoRead:
        if self.sight.spreads:  # which was looked at as closely as it takes
            return first
        return look_again(first, lambda: self._closely(first.picture))

    def read_between(self, picture: Pixels, corners: Sequence[tuple[float, float]]) -> PhotoRead:
        """The group between four corners that somebody showed: in pixels, clockwise from the upper left."""
        return self.read_picture(picture, np.asarray(corners, np.float64))

    def _closely(self, picture: Pixels) -> PhotoRead:
        began = perf_counter()
        read = self._explained(picture, self._find(picture, closely=True))
        return replace(read, times={"closely": perf_counter() - began})

    def _find(
        self, picture: Pixels, corners: Floats | None = None, closely: bool = False
    ) -> LocatedSquares | None:
        if self.sight.spreads:
            points = look_at(picture, FIRST_LOOK)
            found = find_board(picture, self.gallery, corners, points)
            return found and self._with_track(picture, found, points)
        return find_squares(picture, self.gallery, corners, closely)

    @cached_property
    def printed(self) -> PrintedBoard | None:
        """Where the game's points are kept."""
        return load_printed(self.sight.track.gallery) if self.sight.track else None

    def _with_track(self, picture: Pixels, found: LocatedSquares, points: LookedPoints) -> LocatedSquares:
        """With what stands on the track where the picture shows it: that is none of what stands on pieces."""
        began = perf_counter()
        grid = find_printed(points, self.printed) if self.printed else None
        times = (*found.times, ("track", perf_counter() - began))
        if grid is None or self.printed is None:
            return replace(found, times=times)
        figures = tuple(one for one in found.figures if not self.printed.has_under(grid, one))
        pieces = {cell: np.array(found.outline_of(cell)) for cell in found.looks.cells}
        track = figures_on(picture, self.printed, grid, pieces)
        return replace(found, figures=figures, track=track, times=times)

    def _explained(self, picture: Pixels, found: LocatedSquares | None) -> PhotoRead:
        if found is None:
            return PhotoRead(picture, None, None, {})
        began = perf_counter()
        (shown,) = self.explain([[found]])
        return PhotoRead(picture, found, shown, {**dict(found.times), "explain": perf_counter() - began})

    def explain(self, groups: Sequence[Sequence[LocatedSquares]]) -> Sequence[AnyReading | None]:
        """What groups show, each in one picture or several, by whatever explains most of them, cross-checked by what
        is shipped."""
        if not groups:
            return ()
        tried = [self.sight.explain(_seen(way, groups)) for way in self._ways_for(groups)]
        best = max(tried, key=lambda reads: sum(read is not None for read in reads))
        if self.witness is None:
            return best
        others = self.sight.explain(_seen(self.witness, groups))
        return [
            read.disputed(other.sure) if read and other else read
            for read, other in zip(best, others, strict=True)
        ]

    def _ways_for(self, groups: Iterable[Sequence[LocatedSquares]]) -> Sequence[RowSet]:
        """What they are explained by; our own drawings first where they look more like those."""
        every = [one for group in groups for one in group]
        drawn = self.drawn and self.drawn.likeness(every) > self.ways[0].likeness(every)
        return (self.drawn, *self.ways) if drawn and self.drawn else self.ways

    def join(
        self, views: Sequence[LocatedSquares]
    ) -> tuple[Sequence[LocatedSquares | None], AnyReading | None]:
        """Pictures of one board as one: each with its places counted in common, as the first counts its rows, and what
        all of them show together. None for one that does not show the first one's board beyond doubt."""
        if any(one.looks.scores.shape[1] != len(self.gallery.labels) for one in views):
            return [None for _one in views], None  # some were read before the box learned more
        way = self._ways_for([views])[0]
        moves = self.sight.line_up([way.seen(one) for one in views])
        laid = _counted_from_zero(
            [one.recounted(move) for one, move in zip(views, moves, strict=True) if move is not None]
        )
        if max(laid[0].columns, laid[0].rows) > LARGEST:
            return [None for _one in views], None
        (shown,) = self.explain([laid])
        there = iter(laid)
        return [None if move is None else next(there) for move in moves], shown

    def read_table(self, picture: Pixels, lying: Sequence[Corners] = ()) -> tuple[PhotoRead, ...]:
        """The group in a picture, or all of them where there are more; those that cannot be read come last.

        Where it is known already that pieces lie there, all groups of these are looked for first.
        """
        known = self.read_all(picture, lying) if lying and not self.sight.spreads else ()
        if any(read.shown for read in known):
            return known
        first = self._explained(picture, self._find(picture))
        crowded = first.found is not None and first.found.beside
        # Other pieces are seen: all groups are looked for at once, which is as close a look.
        every = self.read_all(picture) if crowded and self._among_others(first) else ()
        if every and _are_more(every, first):
            return every
        alone = self._again(first)
        if not self._among_others(alone):
            return (alone,)
        several = every or self.read_all(picture)
        return several if _are_more(several, alone) else (alone,)

    def _among_others(self, read: PhotoRead) -> bool:
        """Whether there may be more groups in the picture than one that is read."""
        one_group = not self.sight.owned or (read.shown and read.shown.alone and _part(read) > ALONE)
        return not one_group and _worth_more(read)

    def read_all(self, picture: Pixels, lying: Sequence[Corners] = ()) -> tuple[PhotoRead, ...]:
        """Every group in a picture of a whole table, by the pieces of one box; what is none is left out."""
        began = perf_counter()
        groups = list(find_all_squares(picture, self.gallery, MOST_GROUPS, lying))
        times = {"groups": perf_counter() - began}
        if sum(map(_large, groups)) == 1 < len(groups):
            groups = [replace(one, beside=one.beside or _large(one)) for one in groups]
        shown_in_each = self.explain([[found] for found in groups])
        reads = [
            PhotoRead(picture, found, shown, times)
            for found, shown in zip(groups, shown_in_each, strict=True)
            if _large(found)
        ]
        return tuple(sorted(reads, key=lambda one: one.shown is None)[:MOST_GROUPS_READ])


def _seen(way: RowSet, groups: Iterable[Sequence[LocatedSquares]]) -> Sequence[SeenSquares]:
    return [way.seen(first, others) for first, *others in groups]


def _counted_from_zero(views: Sequence[LocatedSquares]) -> list[LocatedSquares]:
    """Pictures of a board that count its places alike, with its upper left one as 0,0."""
    columns, rows = zip(*(cell for one in views for cell in one.looks.cells), strict=True)
    move = LatticeMove(0, -min(columns), -min(rows))
    wide, high = max(columns) + 1 + move.dx, max(rows) + 1 + move.dy
    return [replace(one.recounted(move), columns=wide, rows=high) for one in views]


def knows_box(sight: AnyPhotoSight, labels: Iterable[str]) -> bool:
    """Whether every piece is known that explains others: all pieces of several squares, or of a game without, all."""
    every = {label for lesson in sight.lessons for label in lesson.labels}
    return {*labels} >= ({label for label in every if sight.part(label)} or every)


def _are_more(several: Sequence[PhotoRead], alone: PhotoRead) -> bool:
    """Whether several groups are more than one that is read by itself."""
    # What is whole by itself is not two halves, whatever lies beside it.
    whole = alone.shown is not None and alone.shown.whole
    cut = whole and max(map(_squares, several), default=0) < _squares(alone)
    return not cut and _squares(*several) >= _squares(alone) + FEWEST


def _squares(*reads: PhotoRead) -> int:
    """How many squares were read."""
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
    open_places = sum(one.reason not in WHATEVER_IT_SHOWS for one in read.shown.unsure)
    asked = open_places / (read.found.columns * read.found.rows)
    likeness = float(read.found.looks.best.mean())
    return False, not read.shown.whole, asked > CLEAR_ENOUGH, asked, -likeness


def _large(found: LocatedSquares) -> bool:
    """Whether it may be somebody's though it cannot be read."""
    return min(found.columns, found.rows) >= LEAST_SIDE


def _worth_more(read: PhotoRead) -> bool:
    """Whether anything that was found looks like squares of the game, of which there may be more."""
    if read.found is None:
        return False
    best = np.sort(read.found.looks.best)[::-1]
    return bool(len(best) >= FEWEST and best[FEWEST - 1] > LIKE_A_SQUARE)


def _part(read: PhotoRead) -> float:
    """How much of the picture the group fills."""
    if read.found is None:
        return 0.0
    xs, ys = zip(*group_corners(read.found), strict=True)
    height, width = read.picture.shape[:2]
    return float((max(xs) - min(xs)) * (max(ys) - min(ys)) / (width * height))


def group_corners(found: LocatedSquares) -> tuple[tuple[float, float], ...]:
    """Where the corners of all places are, clockwise from the upper left."""
    right, low = found.columns - 0.5, found.rows - 0.5
    return found.grid.outline(((-0.5, -0.5), (right, -0.5), (right, low), (-0.5, low)))


def best_views(views: Sequence[LocatedSquares]) -> Mapping[Cell, int]:
    """Which of some pictures of one group shows each place best: as a whole, and most like a piece."""
    looks = {
        (cell, at): (cell not in one.cut, likeness)
        for at, one in enumerate(views)
        for cell, likeness in zip(one.looks.cells, one.looks.best.tolist(), strict=True)
    }
    return dict(sorted(looks, key=lambda place: looks[place]))


def shipped_gallery(game: str) -> SquareGallery | None:
    """What everybody starts with, where a game has anything."""
    return squares.load_shipped(game) if is_shipped(game) else None


def reader_of(
    sight: AnyPhotoSight, shipped: SquareGallery | None, box: Box | None, rasterize: Rasterize | None = None
) -> PhotoReader:
    """By what is shipped, what a box has learned, and what the virtual table draws; BoxError where that is nothing."""
    network = shipped.network if shipped else PIECES
    taught = box.gallery(network) if box and box.labels else None
    drawn = drawn_gallery(_faces(sight), rasterize, network) if rasterize else None
    if known := [gallery for gallery in (shipped, taught, drawn) if gallery]:
        return PhotoReader(sight, union(*known))
    raise BoxError(_("The companion does not know these pieces yet: teach it your box first."))


def _faces(sight: AnyPhotoSight) -> Mapping[str, Face]:
    """How every square of the box is drawn."""
    return {label: sight.face(label) for lesson in sight.lessons for label in lesson.labels}


def household_reader(
    boxes: BoxRepository, game: str, sight: AnyPhotoSight, rasterize: Rasterize | None = None
) -> tuple[PhotoReader, Message | None]:
    """By the box that people chose, too; and what is wrong with that box, if anything."""
    shipped = shipped_gallery(game)
    try:
        box = boxes.open(boxes.used(game))
    except BoxError as error:
        without = _("This photo was read without your own box. %(problem)s", problem=error.message)
        return reader_of(sight, shipped, None, rasterize), without
    odd = _misnamed(box, shipped, sight)
    for index in sorted(odd, reverse=True):
        box = box.dropped(index, box.labels[index])
    return reader_of(sight, shipped, box, rasterize), next(iter(odd.values()), None)


def worth_learning(
    drawings: Sequence[tuple[str, Pixels]], box: Box, game: str, sight: AnyPhotoSight
) -> Sequence[tuple[str, Pixels]]:
    """Squares that people put right and that look like what they are called, as far as that is known."""
    shipped = shipped_gallery(game)
    taught = box.gallery(shipped.network if shipped else PIECES) if box.labels else None
    known = [one for one in (shipped, taught) if one]
    return recognisable(drawings, union(*known), sight) if known else drawings


def _misnamed(box: Box, shipped: SquareGallery | None, sight: AnyPhotoSight) -> Mapping[int, Message]:
    """The drawings of a box that were called by a kind they do not look like, with what to say of them."""
    odd = misnamed_squares(box.gallery(shipped.network), shipped, sight) if box.labels and shipped else ()
    return {
        index: _(
            "Your box was taught %(own)s by a square that looks like %(other)s. That drawing is left aside: "
            "look at the piece in the box, and forget the drawing if it is wrong.",
            own=sight.name(own),
            other=sight.name(other),
        )
        for index, own, other in odd
    }
