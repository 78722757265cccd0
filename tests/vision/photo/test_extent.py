"""Pictures that end where pieces may go on: somebody is asked, and a margin of table is no piece."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.photo import PictureDoubt
from companion.games.kingdomino.sight.photo import DoubtReason, KingdomReading, UnsureSquare
from companion.photos.reader import PhotoRead, PhotoReader, look_again
from companion.vision.photo.extent import LocatedSquares, discount_table, may_go_on, pale_cells
from companion.vision.photo.grid import (
    Grid,
    GridScores,
    find_groups,
    grid_between,
    grid_of_picture,
    refine_grid,
)
from companion.vision.photo.keypoints import SquareCandidate, find_candidates, look_at
from tests.vision.photo.kingdoms import ANGLED, PHOTOS, SIDE, TABLE, board, grown_kingdom, our_gallery, photo

FIVE = board(grown_kingdom(1))
SEVEN = board(grown_kingdom(4, 24, 7))
SEVEN[SIDE : 6 * SIDE, SIDE : 6 * SIDE] = FIVE
"""A kingdom whose middle could be one by itself."""


def window(squares: float, right: float = 0.0) -> Pixels:
    """The middle of a kingdom of seven by seven, so many squares wide, and so many further to the right."""
    margin, wide, moved = round((7 - squares) / 2 * SIDE), round(squares * SIDE), round(right * SIDE)
    return SEVEN[margin : margin + wide, margin + moved : margin + moved + wide]


def margined(squares: float) -> Pixels:
    """A whole kingdom with so much of the table around it, which is brighter where the lamp stands."""
    wide = round(squares * SIDE)
    picture = cv2.copyMakeBorder(FIVE, wide, wide, wide, wide, cv2.BORDER_CONSTANT, value=TABLE)
    light = np.linspace(0.8, 1.2, picture.shape[1])[None, :, None]
    return np.asarray(np.clip(picture * light, 0, 255), np.uint8)


def grid_of(picture: Pixels, squares: float) -> Grid:
    """Five rows and columns in the middle of a picture that is so many wide."""
    inner, by = grid_of_picture(picture, 5, 5).matrix, 5 / squares
    middle = np.array([(1, 0, 2 - 2 * by), (0, 1, 2 - 2 * by), (0, 0, 1.0)])
    return Grid(inner @ middle @ np.diag([by, by, 1.0]))


@pytest.mark.parametrize("squares", (5.2, 5.4, 5.8))
def test_parts_of_other_pieces_are_no_table(squares: float) -> None:
    pieces, table = window(squares), margined((squares - 5) / 2)

    assert [may_go_on(one, grid_of(one, squares), 5, 5, True) for one in (pieces, table)] == [True, False]


def test_pieces_beyond_one_side_are_seen_though_a_table_lies_at_the_others() -> None:
    margin, wide = round(0.4 * SIDE), round(5.8 * SIDE)
    table = margined(0.4)
    pieces = table.copy()
    pieces[margin:-margin, margin + 5 * SIDE :] = SEVEN[SIDE : 6 * SIDE, 6 * SIDE : 6 * SIDE + margin]
    assert table.shape[:2] == (wide, wide)

    assert [may_go_on(one, grid_of(one, 5.8), 5, 5, True) for one in (pieces, table)] == [True, False]


def test_pieces_beyond_one_side_are_seen_though_nothing_is_at_the_others() -> None:
    pieces = SEVEN[SIDE : 6 * SIDE, SIDE : 6 * SIDE + round(0.3 * SIDE)]
    inner = grid_of_picture(FIVE, 5, 5)

    assert [may_go_on(one, inner, 5, 5, True) for one in (pieces, FIVE)] == [True, False]


@pytest.mark.parametrize(("squares", "right"), ((5.3, 0.0), (5.4, 0.0), (4.7, 0.15)))
def test_the_middle_of_a_larger_kingdom_is_never_believed(squares: float, right: float) -> None:
    reads = PhotoReader(PHOTOS, our_gallery()).read_table(window(squares, right))

    assert [read.shown.alone for read in reads if read.shown] == [False]


@pytest.mark.parametrize("squares", (0.0, 0.2))
def test_a_kingdom_cropped_with_a_margin_is_read_where_it_lies(squares: float) -> None:
    (read,) = PhotoReader(PHOTOS, our_gallery()).read_table(margined(squares))

    assert read.shown
    assert (read.shown.points, read.shown.alone) == (
        PhotoReader(PHOTOS, our_gallery()).read_table(FIVE)[0].shown.points,  # type: ignore[union-attr]
        True,
    )


def test_a_kingdom_that_the_photo_cuts_is_asked_about() -> None:
    whole_photo = photo(FIVE)
    near, cut = whole_photo[:, :1300], whole_photo[:, :1180]
    (read,), reads = (
        PhotoReader(PHOTOS, our_gallery()).read_table(near),
        PhotoReader(PHOTOS, our_gallery()).read_table(cut),
    )

    assert read.shown
    assert read.shown.alone
    assert [one.shown.alone for one in reads if one.shown] == [False]


def test_squares_that_look_like_nothing_count_for_nothing() -> None:
    """More points agree on the carpet's pattern than on the kingdom, but no square of it is one of the box."""
    picture = photo(board(grown_kingdom(4)))
    true = find_candidates(look_at(picture), our_gallery())
    some = true[0]
    carpet = [
        SquareCandidate(
            60.0 + 70 * column, 60.0 + 70 * row, 70.0, 0.0, some.within, np.zeros((some.votes, 2))
        )
        for row in range(2)
        for column in range(20)
    ]
    pattern = [replace(one, pixels=one.within * one.side + (one.x, one.y)) for one in carpet]

    best = find_groups(picture, our_gallery(), [*pattern, *true])[0]

    places = [best.grid.place(seed.x, seed.y) for seed in true]
    assert best.likeness > 0.7
    assert all(max(abs(x - round(x)), abs(y - round(y))) < 0.2 for x, y in places)


def test_rows_and_columns_are_set_right_by_their_squares() -> None:
    picture, gallery = photo(board(grown_kingdom(4))), our_gallery()
    true = grid_between(np.array(ANGLED, np.float64), 5, 5)
    away = Grid(true.matrix @ np.array([(1.02, 0.01, 0.1), (0, 1.02, -0.1), (0, 0, 1.0)]))
    cells = [(x, y) for x in range(5) for y in range(5)]

    found = refine_grid(picture, gallery, away, cells)

    def beside(grid: Grid) -> float:
        there = true.places(grid.pixels(np.array(cells)))
        return float(np.abs(there - cells).max())

    assert beside(away) > 0.15
    assert beside(found) < 0.08


def test_where_table_is_seen_its_colour_and_what_is_unlike_all_pieces_is_table() -> None:
    """A cloth in the colour of a lake looks like a lake more than like anything else, and less than lakes do."""
    gallery, cells = our_gallery(), tuple((x, 0) for x in range(5))
    best = np.array([0.9, 0.9, 0.6, 0.9, 0.9], np.float32)
    scores = np.repeat(best[:, None], len(gallery.labels), axis=1)
    each = np.ones(5, np.float32)
    looks = GridScores(
        cells, scores, np.zeros((5, 3), np.float32), 3 * each, each, 0 * each, each < 0, each[:, None]
    )
    table = np.array([0, 1, 0, 0, 0], np.float32)

    around, cropped = discount_table(looks, gallery, table), discount_table(looks, gallery)

    assert [cell for cell, likeness in zip(cells, around.best, strict=True) if likeness < 0.5] == [
        (1, 0),
        (2, 0),
    ]
    assert (cropped.best == best).all()


def read_with(unsure: int, whole: bool = True, cropped: bool = False) -> PhotoRead:
    """A reading of five by five places, so many of which are asked about."""
    cells = tuple((x, y) for y in range(5) for x in range(5))
    each = np.ones(25, np.float32)
    looks = GridScores(
        cells, each[:, None], np.zeros((25, 3), np.float32), each, each, each, each < 0, each[:, None]
    )
    found = LocatedSquares(Grid(np.eye(3)), 5, 5, looks, cropped=cropped)
    asked = tuple(UnsureSquare(cell, (None, None), DoubtReason.NO_DOMINO) for cell in cells[:unsure])
    return PhotoRead(np.zeros((1, 1, 3), np.uint8), found, KingdomReading({}, asked, whole), {})


NOTHING = PhotoRead(np.zeros((1, 1, 3), np.uint8), None, None, {})


@pytest.mark.parametrize(
    ("first", "closely", "taken"),
    (
        (read_with(2), read_with(0), 2),
        (read_with(9), read_with(5), 5),
        (read_with(4), read_with(6), 4),
        (read_with(0, whole=False), read_with(5), 5),
        (read_with(9), NOTHING, 9),
        (NOTHING, read_with(12), 12),
        (read_with(9, cropped=True), read_with(0), 9),
    ),
)
def test_a_closer_look_counts_where_it_leaves_less_open(
    first: PhotoRead, closely: PhotoRead, taken: int
) -> None:
    read = look_again(first, lambda: closely)

    assert read.shown is not None
    assert len(read.shown.unsure) == taken


def test_a_plain_square_is_no_table_because_something_else_in_the_photo_has_its_colour() -> None:
    """The field of another kingdom, say."""
    drawn = board(grown_kingdom(4))
    field = drawn[SIDE : 2 * SIDE, 2 * SIDE : 3 * SIDE]
    faded = field.mean(axis=(0, 1)) + 0.3 * (field - field.mean(axis=(0, 1)))
    drawn[SIDE : 2 * SIDE, 2 * SIDE : 3 * SIDE] = np.rint(faded)
    picture = photo(drawn)
    picture[300:1090, :220] = np.rint(field.mean(axis=(0, 1)))

    read = PhotoReader(PHOTOS, our_gallery()).read_picture(picture)

    assert read.found is not None
    assert read.shown is not None
    plain = [
        cell
        for cell, level in zip(read.found.looks.cells, read.found.looks.contrast, strict=True)
        if level < 12
    ]
    assert (plain, bool(read.found.looks.bare.max() < 0.5), read.shown.unsure) == ([(2, 1)], True, ())


def test_plain_places_unlike_all_others_are_told_apart_from_drawn_ones() -> None:
    cells = tuple((x, 0) for x in range(5))
    best = np.array([0.9, 0.9, 0.6, 0.6, 0.9], np.float32)
    contrast = np.array([30, 3, 3, 30, 3], np.float32)
    each = np.ones(5, np.float32)
    looks = GridScores(
        cells, best[:, None], np.zeros((5, 3), np.float32), contrast, each, 0 * each, each < 0, best[:, None]
    )

    assert pale_cells(looks) == {(2, 0)}


def test_what_looks_like_nothing_is_table_only_where_it_is_of_one_colour() -> None:
    """A castle that stands up looks like nothing, too, and whatever a table looks like least badly is chance."""
    gallery, cells = our_gallery(), tuple((x, 0) for x in range(6))
    best = np.array([0.9, 0.9, 0.9, 0.2, 0.2, -0.3], np.float32)
    contrast = np.array([30, 3, 30, 3, 25, 8], np.float32)
    looks = GridScores(
        cells,
        np.repeat(best[:, None], len(gallery.labels), axis=1),
        np.full((6, 3), 110, np.float32),
        contrast,
        np.full(6, 900, np.float32),
        0 * best,
        best < -1,
        best[:, None],
    )

    assert discount_table(looks, gallery).bare.tolist() == [0, 0, 0, 1, 0, 1]


def test_such_a_place_of_a_cropped_picture_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no table around to compare it with: it may be a drawing nobody has shown, or cloth under a hole."""
    picture, reader = board(grown_kingdom(4)), PhotoReader(PHOTOS, our_gallery())
    before = reader.read_picture(picture).shown
    assert before is not None
    sure = next(cell for cell in before.squares if cell not in {one.cell for one in before.unsure})
    monkeypatch.setattr("companion.vision.photo.locate.pale_cells", lambda _looks: frozenset({sure}))

    after = reader.read_picture(picture).shown

    assert after is not None
    assert {one.cell for one in after.unsure} == {one.cell for one in before.unsure} | {sure}
    assert after.unsure[-1].reason == PictureDoubt.PALE
