"""Boards of tiles in photos: found from the side, with rows that drift, gaps, holes, islands and strangers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.carcassonne.rules.board import Placement
from companion.games.carcassonne.sight.photo import ABOUT_FOLLOWERS, BoardReading, position_of
from companion.vision.photo.board import find_board
from tests.vision.photo.boards import (
    SIDE,
    TABLE,
    TABLE_AROUND,
    grown_board,
    kinds_of,
    photo_of,
    reader,
    tiles_drawn,
)
from tests.vision.photo.kingdoms import board as kingdom_board
from tests.vision.photo.kingdoms import grown_kingdom, photo


@pytest.mark.parametrize(("seed", "tiles", "tilt"), ((1, 72, 0.0), (2, 40, 0.3), (3, 12, 0.45)))
def test_every_tile_of_a_board_is_found_where_hands_laid_it(seed: int, tiles: int, tilt: float) -> None:
    board = grown_board(seed, tiles)

    (read,) = reader().read_table(photo_of(board, seed, tilt))

    assert read.shown
    truth = kinds_of(board)
    assert {*read.shown.squares} == {*truth}
    assert read.shown.sure.items() <= truth.items()
    assert sum(one.reason not in ABOUT_FOLLOWERS for one in read.shown.unsure) <= 2


@pytest.mark.parametrize("part", (0.12, 0.2, 0.35, 0.6, 0.85))
def test_where_the_picture_cuts_a_board_more_may_lie_beside(part: float) -> None:
    picture = photo_of(grown_board(12, 16), 12, 0.0)
    cut = round((TABLE_AROUND + 4 + part) * SIDE)

    (read,) = reader().read_table(np.ascontiguousarray(picture[:, :cut]))

    assert read.shown
    assert not read.shown.alone


@pytest.mark.parametrize("margin", (0.25, 0.4, 0.7))
def test_a_little_table_around_it_is_enough_to_see_that_a_board_ends(margin: float) -> None:
    picture = photo_of(grown_board(12, 16), 12, 0.0)
    less = round((TABLE_AROUND - margin) * SIDE)

    (read,) = reader().read_table(np.ascontiguousarray(picture[less:-less, less:-less]))

    assert read.shown
    assert read.shown.alone


def test_a_board_turned_by_any_angle_is_the_same_board() -> None:
    board = grown_board(4, 30)
    upright = photo_of(board, 4, 0.2)
    height, width = upright.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 33, 0.72)
    turned = cv2.warpAffine(upright, turn, (width, height), borderValue=TABLE)

    (read,) = reader().read_table(np.asarray(turned, np.uint8))

    assert isinstance(read.shown, BoardReading)
    letters = (sorted(kind.letter for kind in one.values()) for one in (read.shown.squares, kinds_of(board)))
    assert next(letters) == next(letters)
    assert not list(position_of(read.shown.table, 1).board.mismatches())


def test_a_photo_in_a_mirror_is_read_as_the_tiles_lie() -> None:
    board = grown_board(5, 40)

    (read,) = reader().read_table(np.ascontiguousarray(photo_of(board, 5)[:, ::-1]))

    assert read.shown
    assert read.shown.mirrored
    assert read.shown.sure.items() <= kinds_of(board).items()


def test_a_plain_thing_on_a_tile_is_no_reason_to_leave_it_out() -> None:
    board = grown_board(6, 40)
    picture = photo_of(board, 6, 0.0)
    found = find_board(picture, tiles_drawn())
    assert found
    cell = max(kinds_of(board), key=lambda one: -abs(one[0] - 3) - abs(one[1] - 3))
    middle = np.mean(found.outline_of(cell), axis=0)
    cv2.circle(picture, (round(middle[0]), round(middle[1])), SIDE // 4, (190, 95, 30), -1)

    (read,) = reader().read_table(picture)

    assert read.shown
    told = {*read.shown.squares} | {one.cell for one in read.shown.unsure}
    assert told == {*kinds_of(board)}
    assert read.shown.sure.items() <= kinds_of(board).items()


def test_tiles_that_lie_apart_are_none_of_the_board() -> None:
    board = grown_board(7, 30)
    columns, rows = zip(*board.tiles, strict=True)
    apart = board.laid(Placement("B", max(columns) + 3, max(rows) + 3))

    (read,) = reader().read_table(photo_of(apart, 7, 0.1))

    assert read.shown
    assert {cell: kind.bare for cell, kind in read.shown.squares.items()} == kinds_of(board)


@pytest.mark.parametrize("level", (0, 128, 255))
def test_where_no_board_is_nothing_is_read(level: int) -> None:
    grain = np.random.default_rng(1).normal(level, 6, (700, 900, 3))

    (read,) = reader().read_table(np.clip(grain, 0, 255).astype(np.uint8))

    assert read.shown is None


def test_a_kingdom_of_dominoes_is_no_board_of_tiles() -> None:
    (read,) = reader().read_table(photo(kingdom_board(grown_kingdom(3))))

    assert read.shown is None


def test_what_the_camera_sees_beside_it_makes_no_board_of_blocks() -> None:
    board = grown_board(8, 20)
    picture = photo_of(board, 8)

    (read,) = reader().read_table(picture, [[(10, 10), (90, 10), (90, 90), (10, 90)]])

    assert read.shown
    assert {*read.shown.squares} == {*kinds_of(board)}


def test_a_board_that_the_picture_cuts_may_go_on() -> None:
    whole = photo_of(grown_board(9, 30), 9, 0.0)
    cut = np.ascontiguousarray(whole[:, : round(0.6 * whole.shape[1])])

    shown = [reader().read_table(picture)[0].shown for picture in (whole, cut)]

    assert [read and read.alone for read in shown] == [True, False]
