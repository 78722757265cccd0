"""Where the table is in a frame: from its corners, and from its markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.markers import MarkerFinder, measure_lens
from calibration.mat import Mat
from calibration.plane import Lens, Pixels, Plane, plane_from_corners, plane_shift
from companion.virtual.camera import Optics, VirtualCamera, pose
from companion.virtual.faults import Disturbances
from companion.virtual.scene import Scene
from hardware.camera import Frame

MAT = Mat()
PLACES = [(x, y) for x in range(50, 1600, 250) for y in range(50, 900, 200)]
LENS = ("perspective", "lens", "blur", "noise", "jpeg")


def camera(seed: int, on: tuple[str, ...], size: tuple[int, int] = (1280, 720)) -> VirtualCamera:
    return VirtualCamera(Scene({}, MAT.width, MAT.height), Disturbances(seed, on), mat=MAT, size=size, pace=0)


def off(plane: Plane | None, seen_by: VirtualCamera | Optics) -> float:
    """By how many millimetres the worst of many places is taken for another."""
    assert plane is not None
    pixels = np.array([seen_by.project(*place) for place in PLACES])
    return float(np.linalg.norm(plane.to_table(pixels) - np.array(PLACES), axis=1).max())


def without(pixels: Pixels, plane: Plane, *markers: int) -> Pixels:
    """The frame with a hand's breadth of cloth over some markers."""
    covered = pixels.copy()
    for marker in markers:
        x, y = MAT.middles[marker]
        u, v = plane.to_frame([(x, y)])[0]
        cv2.circle(covered, (round(u), round(v)), 45, (128, 111, 95), -1)
    return covered


@pytest.mark.parametrize("seed", (1, 2, 3))
@pytest.mark.parametrize(("size", "most"), (((1280, 720), 1.5), ((2304, 1296), 0.8)))
def test_markers_say_where_the_table_is(seed: int, size: tuple[int, int], most: float) -> None:
    above = camera(seed, LENS, size)

    found = MarkerFinder(MAT).find(above.frame().pixels)

    assert found.seen == {0, 1, 2, 3}
    assert off(found.plane, above) < most


def test_three_markers_are_enough_once_all_have_told_about_the_lens() -> None:
    above, finder = camera(1, LENS), MarkerFinder(MAT)
    pixels = above.frame().pixels
    plane = finder.find(pixels).plane
    assert plane is not None

    found = finder.find(without(pixels, plane, 2))

    assert found.seen == {0, 1, 3}
    assert off(found.plane, above) < 8


def test_two_markers_are_not_enough() -> None:
    above, finder = camera(1, LENS), MarkerFinder(MAT)
    pixels = above.frame().pixels
    plane = finder.find(pixels).plane
    assert plane is not None

    found = finder.find(without(pixels, plane, 0, 2))

    assert found.plane is None
    assert found.seen == {1, 3}


def test_four_corners_are_enough_for_a_lens_that_does_not_bend() -> None:
    above = camera(2, ("perspective",))

    plane = plane_from_corners([above.project(*corner) for corner in MAT.corners], MAT)

    assert off(plane, above) < 0.01


@pytest.mark.parametrize("table", (MAT, Mat(1200, 700)), ids=("the mat", "another table"))
def test_markers_tell_the_lens_to_a_table_of_which_somebody_shows_the_corners(table: Mat) -> None:
    above = camera(2, LENS)
    pixels = above.frame().pixels
    corners = [above.project(*corner) for corner in MAT.corners]

    lens = measure_lens(MarkerFinder(table).corners(pixels), table, (1280, 720))

    assert lens is not None
    assert off(plane_from_corners(corners, MAT, lens), above) < 2


@pytest.mark.parametrize(("lens", "most"), ((1.0, 15.5), (0.33, 5.5)), ids=("a wide lens", "a usual one"))
def test_a_lens_that_nobody_knows_costs_millimetres_far_from_the_corners(lens: float, most: float) -> None:
    above = Optics(MAT, (1280, 720), pose(2, 1.0, lens))

    plane = plane_from_corners([above.project(*corner) for corner in MAT.corners], MAT)

    assert 0.8 * most < off(plane, above) < most


@pytest.mark.parametrize(
    "corners",
    (
        ((0, 0), (100, 0), (100, 100)),
        ((0, 0), (0, 100), (100, 100), (100, 0)),
        ((0, 0), (100, 0), (30, 30), (0, 100)),
        ((0, 0), (100, 0), (200, 0), (300, 0)),
        ((0, 0), (float("nan"), 0), (100, 100), (0, 100)),
    ),
    ids=("three", "the wrong way round", "one inside", "on a line", "nowhere"),
)
def test_corners_that_are_no_table_are_refused(corners: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="corners"):
        plane_from_corners(corners, MAT)


@pytest.mark.parametrize("size", ((1600, 900), (4800, 2700)), ids=("1 px/mm", "3 px/mm"))
def test_from_above_a_millimetre_is_a_pixel(size: tuple[int, int]) -> None:
    side = size[0] / MAT.width
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    pixels[round(300 * side) : round(310 * side), round(700 * side) : round(720 * side)] = 255
    corners = [(x * side - 0.5, y * side - 0.5) for x, y in MAT.corners]

    above = plane_from_corners(corners, MAT).rectify(Frame(pixels, 0))

    rows, columns = np.nonzero(above[..., 0] > 127)
    assert above.shape == (900, 1600, 3)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (300, 309, 700, 719)


def test_a_shift_is_told_in_millimetres() -> None:
    moved_corners = [(x + 6, y + 8) for x, y in MAT.corners]

    moved = plane_shift(plane_from_corners(MAT.corners, MAT), plane_from_corners(moved_corners, MAT), MAT)

    assert moved == pytest.approx(10)


def test_a_lens_is_undone_exactly() -> None:
    lens, pixels = Lens(1280, 720, -0.05), np.array([(0, 0), (640, 360), (1279, 719), (900, 50)], float)

    assert lens.bent(lens.straightened(pixels)) == pytest.approx(pixels, abs=1e-6)
