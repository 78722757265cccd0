"""Figures on the tiles of a photo: found at their foot, in their colour, standing or lying."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.game import Colour
from companion.core.observation import Pose
from companion.core.photo import SeenFigure
from companion.games.carcassonne.sight.photo import PLAIN
from companion.vision.photo.figures import below_board, find_figures, views
from companion.vision.photo.grid import Cell
from models.train.figure_scenes import BESIDE, SIDE, RenderedBoard, Solid, camera_for, pictured, somebody
from models.train.pieces import DRAWN, drawn_pieces


@cache
def faces() -> dict[str, Pixels]:
    """The 24 tiles as the house draws them, by letter."""
    return {label[-1]: picture for label, picture in drawn_pieces("carcassonne")}


def figure(colour: Colour, pose: Pose, x: float, y: float, seed: int = 1) -> Solid:
    """Somebody whose foot is there, in columns and rows."""
    return somebody(np.random.default_rng(seed), np.array([x, y, 0.0]), pose, colour)


def taken(
    letters: Sequence[str], figures: Iterable[Solid] = (), tilt: float = 30, seed: int = 3
) -> RenderedBoard:
    """A picture of rows of tiles from so many degrees aside; a dot is an empty place of the table."""
    board = np.full((round((SIDE + 2 * BESIDE) * DRAWN),) * 2 + (3,), (70, 95, 125), np.float32)
    tiles = {}
    for y, row in enumerate(letters):
        for x, letter in enumerate(row):
            if letter != ".":
                left, top = round((x + BESIDE) * DRAWN), round((y + BESIDE) * DRAWN)
                board[top : top + DRAWN, left : left + DRAWN] = faces()[letter]
                tiles[x, y] = np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], np.float64)
    camera = camera_for(np.radians(tilt), 0.3, 0.0, 900, 80, np.zeros(2))
    return pictured(np.random.default_rng(seed), board, tiles, tuple(figures), camera, bad=False)


def seen(scene: RenderedBoard) -> tuple[SeenFigure, ...]:
    return find_figures(scene.picture, scene.corners)


def told(scene: RenderedBoard) -> list[tuple[Cell, str, Pose]]:
    """What is found for sure."""
    return sorted((one.cell, one.colour, one.pose) for one in seen(scene) if one.confidence >= 0.5)


BOARD = ("EVJU", "DRWK", "NBAC", "UVOP")


def test_a_standing_figure_is_found_at_its_foot_though_its_head_is_over_the_next_tile() -> None:
    knight = figure(Colour.RED, Pose.STANDS, 2.4, 1.12)
    scene = taken(BOARD, [knight], tilt=55)

    assert told(scene) == [((2, 1), Colour.RED, Pose.STANDS)]
    (one,) = seen(scene)
    assert (one.x, one.y) == pytest.approx((0.4, 0.12), abs=0.1)
    assert np.hypot(*(np.array(one.at) - scene.feet[0])) < 10


def test_a_disc_a_lying_and_a_standing_figure_are_told_apart() -> None:
    figures = [
        figure(Colour.BLUE, Pose.DISC, 0.5, 0.4),
        figure(Colour.YELLOW, Pose.LIES, 1.5, 2.6),
        figure(Colour.RED, Pose.STANDS, 3.4, 1.6),
    ]

    assert told(taken(BOARD, figures, tilt=40)) == [
        ((0, 0), Colour.BLUE, Pose.DISC),
        ((1, 2), Colour.YELLOW, Pose.LIES),
        ((3, 1), Colour.RED, Pose.STANDS),
    ]


def test_black_in_a_dark_city_and_green_on_a_field_are_found() -> None:
    figures = [
        figure(Colour.BLACK, Pose.STANDS, 3.5, 2.5),
        figure(Colour.GREEN, Pose.LIES, 0.35, 0.6),
    ]
    scene = taken(BOARD, figures)
    scene.picture[:] = cv2.convertScaleAbs(scene.picture, alpha=0.45)

    assert [(cell, colour) for cell, colour, _pose in told(scene)] == [
        ((0, 0), Colour.GREEN),
        ((3, 2), Colour.BLACK),
    ]


@pytest.mark.parametrize("tilt", (0, 50))
@pytest.mark.parametrize("letters", (("ABCD", "EFGH", "IJKL"), ("MNOP", "QRST", "UVWX")))
def test_nobody_is_found_on_tiles_where_nobody_is(letters: tuple[str, ...], tilt: float) -> None:
    found = seen(taken(letters, tilt=tilt))

    assert [one for one in found if one.confidence >= PLAIN.somebody] == []


def test_who_stands_on_the_table_beside_the_board_is_not_told() -> None:
    figures = [
        figure(Colour.RED, Pose.STANDS, 2.5, 3.3),
        figure(Colour.BLUE, Pose.STANDS, 1.5, 4.4),
        figure(Colour.GREEN, Pose.LIES, -0.6, 1.5),
    ]

    found = told(taken(("EVJU", "DRWK", "NBAC", "..O."), figures))

    assert [(cell, colour) for cell, colour, _pose in found] == [((2, 3), Colour.RED)]


def test_who_overhangs_an_empty_place_belongs_to_the_tile_of_the_foot() -> None:
    scene = taken(("EVJU", "D.WK", "NBAC"), [figure(Colour.YELLOW, Pose.STANDS, 1.5, 2.1)], tilt=55)

    assert told(scene) == [((1, 2), Colour.YELLOW, Pose.STANDS)]


def test_a_colour_that_is_not_there_is_no_answer() -> None:
    scene = taken(BOARD, [figure(Colour.BLUE, Pose.STANDS, 1.5, 1.5)])

    known, others = (
        max(find_figures(scene.picture, scene.corners, colours), key=lambda one: one.confidence)
        for colours in ((Colour.BLUE, Colour.YELLOW), (Colour.RED, Colour.YELLOW))
    )

    assert (known.colour, known.rival) == (Colour.BLUE, Colour.YELLOW)
    assert others.confidence < 0.5


@pytest.mark.parametrize("tilt", (25, 45, 60))
def test_every_tile_is_looked_at_so_that_what_stands_on_it_leans_up(tilt: float) -> None:
    scene = taken(BOARD, tilt=tilt)
    lens = scene.camera.pixels(np.array([(SIDE / 2, SIDE / 2, 0.0)]))[0]

    below = below_board(scene.corners, (round(2 * lens[0]), round(2 * lens[1])))
    for view in views(scene.corners, below):
        column, row = view.cell
        up = view.matrix[:, :2] @ scene.camera.up(np.array([column + 0.5, row + 0.5, 0.0]))
        assert up / np.linalg.norm(up) == pytest.approx((0, -1), abs=0.2)


def test_no_tiles_have_no_figures() -> None:
    assert find_figures(np.zeros((40, 40, 3), np.uint8), {}) == ()
