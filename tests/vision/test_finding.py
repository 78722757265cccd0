"""Rows and columns of squares: which of several counts, how they are set right, and where table begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.kingdomino.photographed import Photographed, Unsure
from companion.games.kingdomino.pieces import Terrain
from companion.photos import PhotoRead, PhotoReader, looked_again
from companion.vision.extent import Found
from companion.vision.grid import Grid, Looks, through
from companion.vision.groups import groups
from companion.vision.seeds import Seed, seeds
from companion.vision.settling import settled
from tests.vision import kingdoms
from tests.vision.kingdoms import ANGLED, board, grown_kingdom, half, our_gallery, photo, shown_squares


def test_squares_that_look_like_nothing_count_for_nothing() -> None:
    """More points agree on the carpet's pattern than on the kingdom, but no square of it is one of the box."""
    picture = photo(board(grown_kingdom(4)))
    true = seeds(picture, our_gallery())
    some = true[0]
    carpet = [
        Seed(60.0 + 70 * column, 60.0 + 70 * row, 70.0, 0.0, some.within, np.zeros((some.votes, 2)))
        for row in range(2)
        for column in range(20)
    ]
    pattern = [replace(one, pixels=one.within * one.side + (one.x, one.y)) for one in carpet]

    best = groups(picture, our_gallery(), [*pattern, *true])[0]

    places = [best.grid.place(seed.x, seed.y) for seed in true]
    assert best.likeness > 0.7
    assert all(max(abs(x - round(x)), abs(y - round(y))) < 0.2 for x, y in places)


def test_rows_and_columns_are_set_right_by_their_squares() -> None:
    picture, gallery = photo(board(grown_kingdom(4))), our_gallery()
    true = through(np.array(ANGLED, np.float64), 5, 5)
    away = Grid(true.matrix @ np.array([(1.02, 0.01, 0.1), (0, 1.02, -0.1), (0, 0, 1.0)]))
    cells = [(x, y) for x in range(5) for y in range(5)]

    found = settled(picture, gallery, away, cells)

    def beside(grid: Grid) -> float:
        there = true.places(grid.pixels(np.array(cells)))
        return float(np.abs(there - cells).max())

    assert beside(away) > 0.15
    assert beside(found) < 0.06


@pytest.mark.parametrize("seed", (5, 6))
def test_a_cloth_in_the_colour_of_a_lake_is_no_lake(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on it is believed to be a square, though it looks like one more than like anything else."""
    cloth = tuple(int(level) for level in np.median(half(7, False).reshape(-1, 3), axis=0))
    monkeypatch.setattr(kingdoms, "TABLE", cloth)
    kingdom = grown_kingdom(seed, dominoes=11)

    shown = PhotoReader(our_gallery()).read_picture(photo(board(kingdom))).shown

    assert shown is not None
    asked = {one.cell for one in shown.unsure}
    believed = {cell for cell in shown.squares if cell not in asked}
    assert believed <= shown_squares(kingdom).keys()


def read_with(unsure: int, whole: bool = True, cropped: bool = False) -> PhotoRead:
    """A reading of five by five places, so many of which are asked about."""
    cells = tuple((x, y) for y in range(5) for x in range(5))
    each = np.ones(25, np.float32)
    looks = Looks(cells, each[:, None], np.zeros((25, 3), np.float32), each, each, each)
    found = Found(Grid(np.eye(3)), 5, 5, looks, cropped=cropped)
    asked = tuple(Unsure(cell, (None, None)) for cell in cells[:unsure])
    return PhotoRead(np.zeros((1, 1, 3), np.uint8), found, Photographed({}, asked, whole), {})


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
    read = looked_again(first, lambda: closely)

    assert read.shown is not None
    assert len(read.shown.unsure) == taken


def test_a_plain_square_unlike_all_others_is_asked_about_in_a_cropped_picture() -> None:
    """It may be a drawing that nobody has shown, or the cloth under a hole: there is no table to compare it with."""
    kingdom = grown_kingdom(4)
    picture = board(kingdom)
    side = picture.shape[0] // 5
    cloth = (200, 150, 90)
    shown = shown_squares(kingdom)
    cell = next(cell for cell, square in shown.items() if square.terrain is Terrain.LAKE)
    x, y = cell[0] * side, cell[1] * side
    picture[y : y + side, x : x + side] = cloth

    read = PhotoReader(our_gallery()).read_picture(picture)

    assert read.shown is not None
    assert cell in {one.cell for one in read.shown.unsure} or cell not in read.shown.squares
