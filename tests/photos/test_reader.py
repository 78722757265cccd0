"""A kingdom in a photo is found and read, and what is none is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.photo import PictureDoubt
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.reader import PhotoReader
from companion.vision.gallery.squares import SquareGallery
from companion.vision.photo.grid import GridScores, GridView
from companion.vision.photo.locate import find_squares
from companion.vision.picture_file import PictureError, decode_picture
from tests.vision.photo.kingdoms import (
    PHOTOS,
    board,
    file_of,
    grown_kingdom,
    our_gallery,
    photo,
    shown_squares,
)


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader(PHOTOS, our_gallery())


def wrong_and_sure(reader: PhotoReader, kingdom: Kingdom, data: bytes) -> tuple[int, int]:
    """Squares read wrongly, and those of them nobody is asked about."""
    shown = reader.read(data).shown
    assert shown is not None
    known, asked = shown_squares(kingdom), {one.cell for one in shown.unsure}
    cells = known.keys() | shown.squares.keys()
    wrong = {cell for cell in cells if known.get(cell) != shown.squares.get(cell)}
    return len(wrong), len(wrong - asked)


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_a_cropped_board(reader: PhotoReader, seed: int) -> None:
    kingdom = grown_kingdom(seed)

    read = reader.read(file_of(board(kingdom)))

    assert read.shown is not None
    assert (dict(read.shown.squares), read.shown.points) == (
        shown_squares(kingdom),
        property_points(kingdom),
    )


@pytest.mark.parametrize("seed", (4, 5))
def test_a_photo_at_an_angle(reader: PhotoReader, seed: int) -> None:
    kingdom = grown_kingdom(seed)

    read = reader.read(file_of(photo(board(kingdom))))

    assert read.shown is not None
    assert (dict(read.shown.squares), read.shown.points) == (
        shown_squares(kingdom),
        property_points(kingdom),
    )


def test_a_kingdom_turned_on_its_corner(reader: PhotoReader) -> None:
    kingdom = grown_kingdom(6)
    corners = ((800, 100), (1250, 550), (800, 1000), (350, 550))

    assert wrong_and_sure(reader, kingdom, file_of(photo(board(kingdom), corners))) == (0, 0)


@pytest.mark.parametrize("lying", (False, True))
def test_a_mirrored_picture(reader: PhotoReader, lying: bool) -> None:
    """Squares are told as they lie, and are still where the picture shows them."""
    kingdom = grown_kingdom(1)
    picture = photo(board(kingdom)) if lying else board(kingdom)
    mirrored = reader.read_table(np.ascontiguousarray(picture[:, ::-1]))[0]
    straight = reader.read_table(picture)[0]

    assert straight.shown is not None
    assert mirrored.shown is not None
    assert mirrored.found is not None
    width, (x, _y) = picture.shape[1], mirrored.found.grid.pixels(np.array([(0, 0)]))[0]
    assert (straight.shown.mirrored, mirrored.shown.mirrored) == (False, True)
    assert dict(mirrored.shown.squares) == dict(straight.shown.squares) == shown_squares(kingdom)
    assert x > width / 2


def test_a_large_kingdom(reader: PhotoReader) -> None:
    kingdom = grown_kingdom(7, dominoes=22, size=7)

    assert wrong_and_sure(reader, kingdom, file_of(photo(board(kingdom))))[1] == 0


def test_a_hole_is_asked_about(reader: PhotoReader) -> None:
    kingdom = grown_kingdom(8, dominoes=11)

    shown = reader.read(file_of(board(kingdom))).shown

    assert shown is not None
    holes = {(x, y) for x in range(5) for y in range(5)} - set(shown_squares(kingdom))
    assert (dict(shown.squares), {one.cell for one in shown.unsure} >= holes) == (
        shown_squares(kingdom),
        True,
    )


def test_a_castle_that_stands_is_still_the_castle(reader: PhotoReader) -> None:
    kingdom = grown_kingdom(2)

    assert wrong_and_sure(reader, kingdom, file_of(board(kingdom, standing=True)))[1] == 0


@pytest.mark.parametrize("radius", (0.36, 0.42, 0.48))
def test_something_round_of_one_colour_is_seen(radius: float) -> None:
    """A blue cap is no lake."""
    picture = board(grown_kingdom(4))
    clean = find_squares(picture, our_gallery())
    side = picture.shape[0] // 5
    for cell in ((1, 0), (4, 3)):
        middle = tuple(round((part + 0.5) * side) for part in cell)
        cv2.circle(picture, middle, round(radius * side), (165, 85, 25), -1, cv2.LINE_AA)
    found = find_squares(picture, our_gallery())

    assert clean is not None
    assert found is not None
    assert (clean.covered, found.covered) == (frozenset(), frozenset({(1, 0), (4, 3)}))


def test_what_something_lies_on_is_asked_about(reader: PhotoReader, monkeypatch: pytest.MonkeyPatch) -> None:
    data = file_of(board(grown_kingdom(3)))
    before = reader.read(data).shown
    monkeypatch.setattr("companion.vision.photo.grid._covered", lambda crops: np.ones(len(crops), bool))
    after = reader.read(data).shown

    assert before is not None
    assert after is not None
    assert len(before.unsure) < len(after.unsure) == 25
    assert {one.reason for one in after.unsure[len(before.unsure) :]} == {PictureDoubt.COVERED}


def test_corners_that_somebody_showed() -> None:
    kingdom = grown_kingdom(3)
    corners = ((420, 160), (1130, 220), (1260, 900), (330, 820))

    found = find_squares(photo(board(kingdom), corners), our_gallery(), np.array(corners, np.float64))

    assert found is not None
    assert (found.columns, found.rows) == (5, 5)


def test_corners_between_which_several_numbers_of_squares_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kingdoms that took every domino have five or seven rows: others have to fit clearly better."""
    fits = {(5, 5): 0.60, (6, 6): 0.63, (6, 5): 0.63, (4, 5): 0.63}

    def look(seen: GridView, gallery: SquareGallery) -> GridScores:
        many, rows = len(seen.cells), len(gallery.labels)
        scores = np.full((many, rows), fits.get((seen.columns, seen.rows), 0.3), np.float32)
        each = np.full(many, 99, np.float32)
        return GridScores(
            seen.cells, scores, np.zeros((many, 3), np.float32), each, each, 0 * each, each < 0, each[:, None]
        )

    monkeypatch.setattr("companion.vision.photo.locate.score_cells", look)
    corners = np.array([(10, 10), (290, 10), (290, 290), (10, 290)], np.float64)
    found = find_squares(np.zeros((300, 300, 3), np.uint8), our_gallery(), corners)
    fits[6, 6] = 0.65
    larger = find_squares(np.zeros((300, 300, 3), np.uint8), our_gallery(), corners)

    assert [one and (one.columns, one.rows) for one in (found, larger)] == [(5, 5), (6, 6)]


def test_what_is_no_kingdom_has_no_points(reader: PhotoReader) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (700, 700, 3)).astype(np.uint8)
    pictures = {
        "black": np.zeros((700, 700, 3), np.uint8),
        "wide and black": np.zeros((600, 1200, 3), np.uint8),
        "one colour": np.full((700, 700, 3), (20, 190, 230), np.uint8),
        "noise": noise,
        "half a kingdom in a corner": photo(
            board(grown_kingdom(1)), ((1450, 900), (2200, 900), (2200, 1700), (1450, 1700))
        ),
    }

    shown = {name: reader.read(file_of(picture, ".png")).shown for name, picture in pictures.items()}

    assert shown == dict.fromkeys(pictures)


@pytest.mark.parametrize(
    ("data", "expected"),
    (
        (b"", "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (b"a line of words", "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (
            file_of(np.zeros((90, 90, 3), np.uint8))[:300],
            "This file is not a JPEG, PNG or HEIC picture, or it is damaged.",
        ),
        (file_of(np.zeros((20, 300, 3), np.uint8)), "The picture is too small: at least 60 pixels a side."),
        (
            b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\1\0\0" * 2 + b"\x08\x02\0\0\0",
            "This file is not a JPEG, PNG or HEIC picture, or it is damaged.",
        ),
    ),
)
def test_a_file_that_is_no_picture(data: bytes, expected: str) -> None:
    with pytest.raises(PictureError) as error:
        decode_picture(data)

    assert str(error.value) == expected
