"""A box taught by photos of the virtual table, and what it is worth: `python -m tests.vision.enrolled 6`.

Prints how many squares and scores of virtual kingdoms are right by what is shipped alone, and with the box beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.cli import main
from companion.core.photo import Lesson
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.layout import SIDE
from companion.games.kingdomino.sight.lessons import CASTLES, LESSONS
from companion.photos.reader import PhotoReader, reader_of
from companion.vision.gallery.box import BoxRepository
from companion.vision.gallery.squares import load_shipped
from companion.vision.photo.enrolment import WORKED_ON, find_block
from companion.vision.picture_file import decode_picture
from tests.photos.evening import differing, evening
from tests.vision.live.tables import Looking, Table
from tests.vision.photo.kingdoms import PHOTOS, file_of

FINE = (4608, 2592)
"""The largest pictures of a usual camera: a square of a table of 160 cm measures 110 pixels."""
TAKES = 6
BOX = "kingdomino"


def frame(table: Table, seed: int, size: tuple[int, int] = FINE) -> bytes:
    """What a camera above the table sees, as the file it is kept in."""
    return file_of(Looking(table, seed, size=size).camera.frame().pixels)


def laid(lesson: Lesson) -> Table:
    """The pieces of a lesson on an empty table."""
    table = Table()
    names = [f"domino-{number}" for number in lesson.numbers] if lesson.columns == 2 else lesson.labels
    for row, name in enumerate(names):
        table.put(name, 800, 330 + row * (SIDE + 0.5))
    return table


def good_photo(lesson: Lesson, seed: int) -> bytes:
    """A photo that nobody complains about; people take another one when somebody does."""
    for take in range(TAKES):
        data = frame(laid(lesson), seed + 100 * take)
        if not find_block(decode_picture(data, WORKED_ON), lesson.columns, lesson.rows).complaints:
            return data
    raise ValueError(f"no good photo of {lesson.key}")


def ten_photos(folder: Path) -> Path:
    """All 48 dominoes; the starting tiles are in none of them."""
    folder.mkdir(parents=True)
    for seed, lesson in enumerate(one for one in LESSONS if one.key != CASTLES):
        (folder / f"{lesson.key}.jpg").write_bytes(good_photo(lesson, seed))
    return folder


@dataclass
class Worth:
    """What came of some kingdoms."""

    kingdoms: int = 0
    squares: int = 0
    right: int = 0
    scores: int = 0
    asked: int = 0
    silent: int = 0
    """Wrong, and nobody was asked."""


def worth(reader: PhotoReader, evenings: Sequence[int]) -> Worth:
    """Whole tables of four read by it, each kingdom found by where most of its squares are right."""
    found = Worth()
    for seed in evenings:
        table, position = evening(4, seed)
        left = dict(enumerate(position.kingdoms))
        picture = decode_picture(frame(table, seed))
        reads = [read.shown for read in reader.read_table(picture) if read.shown]
        found.kingdoms += len(left)
        found.squares += sum(len(kingdom.squares) for kingdom in left.values())
        for shown in reads[: len(position.kingdoms)]:
            wrong, index = min((differing(one, shown.squares), at) for at, one in left.items())
            kingdom = left.pop(index)
            found.right += max(0, len(kingdom.squares) - wrong)
            found.scores += shown.points == property_points(kingdom)
            found.asked += shown.asks
            found.silent += bool(wrong) and not shown.asks
    return found


def taught(folder: Path) -> Iterator[tuple[str, PhotoReader]]:
    """What is shipped alone, and with a box beside it that `companion enrol` made of ten photos."""
    settings = folder / "companion.toml"
    settings.write_text(f'[store]\nfolder = "{folder}"\n', encoding="utf-8")
    yield "before", reader_of(PHOTOS, load_shipped(BOX), None)
    if main(["enrol", "kingdomino", str(ten_photos(folder / "photos")), "--config", str(settings)]):
        raise ValueError("the photos were not learned")
    yield "after", reader_of(PHOTOS, load_shipped(BOX), BoxRepository(folder).open(BOX))


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        for name, readers in taught(Path(place)):
            sys.stdout.write(f"{name} {worth(readers, range(int(sys.argv[1])))}\n")
            sys.stdout.flush()
