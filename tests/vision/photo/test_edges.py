"""Pictures that end where pieces may go on: somebody is asked, and a margin of table is no piece."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.photos.photos import PhotoReader
from companion.vision.photo.edges import may_go_on
from companion.vision.photo.grid import Grid, grid_of_picture
from tests.vision.photo.kingdoms import SIDE, TABLE, board, grown_kingdom, our_gallery, photo

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
    reads = PhotoReader(our_gallery()).read_table(window(squares, right))

    assert [read.shown.alone for read in reads if read.shown] == [False]


@pytest.mark.parametrize("squares", (0.0, 0.2))
def test_a_kingdom_cropped_with_a_margin_is_read_where_it_lies(squares: float) -> None:
    (read,) = PhotoReader(our_gallery()).read_table(margined(squares))

    assert read.shown
    assert (read.shown.points, read.shown.alone) == (
        PhotoReader(our_gallery()).read_table(FIVE)[0].shown.points,  # type: ignore[union-attr]
        True,
    )


def test_a_kingdom_that_the_photo_cuts_is_asked_about() -> None:
    whole_photo = photo(FIVE)
    near, cut = whole_photo[:, :1300], whole_photo[:, :1180]
    (read,), reads = PhotoReader(our_gallery()).read_table(near), PhotoReader(our_gallery()).read_table(cut)

    assert read.shown
    assert read.shown.alone
    assert [one.shown.alone for one in reads if one.shown] == [False]
