"""A photo of a kingdom, from its file to squares and doubts, with the time that each step took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from calibration.plane import Pixels
from companion.games.kingdomino.kingdom import Cell
from companion.games.kingdomino.photographed import Photographed, read_photo
from companion.games.kingdomino.pieces import CASTLE, Square
from companion.games.kingdomino.tiling import Row
from companion.vision.annotate import Note, annotated
from companion.vision.likeness import SquareGallery
from companion.vision.photo import Found, decode, find
from companion.vision.seeds import Floats

NOTHING = "-"


@dataclass(frozen=True, eq=False)
class PhotoRead:
    """What a photo shows, as far as it was read."""

    picture: Pixels
    found: Found | None
    shown: Photographed | None
    times: Mapping[str, float]
    """Seconds of each step."""

    def annotated(self, title: str) -> Pixels:
        """The photo with all that was read drawn over it."""
        if self.found is None or self.shown is None:
            return self.picture
        unsure = {one.cell for one in self.shown.unsure}
        cells = self.found.looks.cells
        notes = [Note(cell, named(self.shown.squares.get(cell)), cell not in unsure) for cell in cells]
        return annotated(self.picture, self.found.grid, notes, title)


def named(square: Square | None) -> str:
    """A square in two signs; the castle as C."""
    if square is None:
        return NOTHING
    return "C" if square == CASTLE else str(square)


class PhotoReader:
    """Reads photos of kingdoms, one after the other, by the pieces of one gallery."""

    def __init__(self, gallery: SquareGallery) -> None:
        self.gallery = gallery
        self.rows = [Row(label, int(turn)) for label, turn in zip(gallery.labels, gallery.turns, strict=True)]

    def read(self, data: bytes, corners: Floats | None = None) -> PhotoRead:
        """The kingdom in a picture's file; without one, neither squares nor points are made up."""
        began = perf_counter()
        picture = decode(data)
        return self.read_picture(picture, corners, {"decode": perf_counter() - began})

    def read_picture(
        self, picture: Pixels, corners: Floats | None = None, before: Mapping[str, float] | None = None
    ) -> PhotoRead:
        """The kingdom in a picture, or between four corners of it that somebody showed."""
        found = find(picture, self.gallery, corners)
        times = {**(before or {}), **dict(found.times if found else ())}
        if found is None:
            return PhotoRead(picture, None, None, times)
        began = perf_counter()
        shown = read_photo(self.rows, *seen(found))
        return PhotoRead(picture, found, shown, {**times, "dominoes": perf_counter() - began})


def seen(found: Found) -> tuple[Mapping[Cell, list[float]], Mapping[Cell, float]]:
    """How much each place looks like each row of the gallery, and like bare table."""
    looks = found.looks
    scores = dict(zip(looks.cells, looks.scores.tolist(), strict=True))
    return scores, dict(zip(looks.cells, looks.bare.tolist(), strict=True))
