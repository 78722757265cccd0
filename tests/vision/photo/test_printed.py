"""A counting board in a photo: found by its own points, and what stands on it told from what stands on tiles."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.game import Colour
from companion.core.lattice import Cell
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.photos import reader as readers
from companion.photos.reader import PhotoRead
from companion.vision.photo.keypoints import look_at
from companion.vision.photo.printed import find_printed, load_printed
from tests.vision.photo.boards import grown_board, photo_of, reader
from tests.vision.photo.counting_boards import (
    COLUMNS,
    LEFT,
    ROWS,
    TOP,
    TRACK,
    board_known,
    middle,
    print_drawn,
    taken,
)


@pytest.mark.parametrize("tilt", (0, 30, 50))
def test_a_board_is_found_where_it_lies(tilt: float) -> None:
    scene = taken([], tilt)

    found = find_printed(look_at(scene.picture, 800), board_known())

    ends = [(LEFT, TOP, 0), (LEFT + COLUMNS, TOP, 0), (LEFT + COLUMNS, TOP + ROWS, 0), (LEFT, TOP + ROWS, 0)]
    expected = scene.camera.pixels(np.array(ends, np.float64))
    assert found
    outline = found.outline([(-0.5, -0.5), (2.5, -0.5), (2.5, 1.5), (-0.5, 1.5)])
    assert np.abs(np.array(outline) - expected).max() < 4


def test_no_board_is_made_up() -> None:
    other = np.ascontiguousarray(np.random.default_rng(2).permutation(print_drawn()))
    mirrored = np.ascontiguousarray(taken([]).picture[:, ::-1])
    pictures = [taken([], printed=other).picture, mirrored, np.zeros((480, 640, 3), np.uint8)]

    assert [find_printed(look_at(picture, 800), board_known()) for picture in pictures] == [None, None, None]


def test_the_shipped_board_is_not_seen_where_only_tiles_lie() -> None:
    assert (
        find_printed(look_at(photo_of(grown_board(11, 20), 11), 800), load_printed("carcassonne-track"))
        is None
    )


FOLLOWERS = [
    (Colour.RED, *middle(2)),
    (Colour.BLUE, *middle(9)),
    (Colour.YELLOW, 1.0, 0.1),
]


def read(monkeypatch: pytest.MonkeyPatch, seen: list[tuple[Colour, float, float]]) -> PhotoRead:
    monkeypatch.setattr(CarcassonnePhotos, "track", TRACK)
    monkeypatch.setattr(readers, "load_printed", lambda _name: board_known())
    return reader().read_picture(taken(seen).picture)


def test_followers_on_the_track_are_not_on_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = read(monkeypatch, FOLLOWERS)

    assert shown.found
    on_tiles: list[tuple[Cell, str]] = [(one.cell, one.colour) for one in shown.found.figures if one.sure]
    assert TRACK.read([shown.found.track]) == {"red": 2, "blue": 9}
    assert on_tiles == [((1, 0), "yellow")]


def test_two_followers_of_a_colour_on_the_track_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = read(monkeypatch, [*FOLLOWERS, (Colour.RED, *middle(5))])

    assert shown.found
    assert TRACK.read([shown.found.track]) == {"blue": 9}
