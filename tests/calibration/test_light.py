"""What the light does to a picture, and how it is undone."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.light import even_light, paper_white, smooth_part
from calibration.markers import MarkerFinder
from calibration.mat import Mat
from calibration.plane import Pixels
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.scene import Scene

MAT = Mat()
CLOTH = slice(300, 600), slice(400, 1200)


@pytest.fixture(scope="module")
def table() -> Pixels:
    scene = Scene({}, MAT.width, MAT.height)
    frame = VirtualCamera(scene, Disturbances(0, ()), mat=MAT, size=(1920, 1080), pace=0).frame()
    plane = MarkerFinder(MAT).find(frame.pixels).plane
    assert plane is not None
    return plane.rectify(frame)


@pytest.mark.parametrize(
    "light", ((1.0, 1.0, 1.0), (0.5, 0.6, 0.7), (0.7, 0.9, 1.0)), ids=("full", "dim", "warm")
)
def test_cloth_has_the_same_colour_in_any_light(table: Pixels, light: tuple[float, float, float]) -> None:
    dimmed = np.clip(np.rint(table * np.array(light)), 0, 255).astype(np.uint8)

    seen = even_light(dimmed, paper_white(dimmed, MAT, MAT.ids))

    expected = even_light(table, paper_white(table, MAT, MAT.ids))[CLOTH].mean((0, 1))
    assert seen[CLOTH].mean((0, 1)) == pytest.approx(expected, abs=3)


def test_light_that_fades_across_the_table_is_evened(table: Pixels) -> None:
    fading = np.linspace(1, 0.6, table.shape[1])[None, :, None]
    seen = np.rint(table * fading).astype(np.uint8)

    even = even_light(seen, paper_white(seen, MAT, MAT.ids))

    assert even[300:600, 300:400].mean() == pytest.approx(even[300:600, 1200:1300].mean(), abs=4)


def test_without_markers_nothing_is_evened(table: Pixels) -> None:
    assert paper_white(table, MAT, ()) is None
    assert even_light(table, None) is table


def test_pieces_do_not_sway_what_is_taken_for_light() -> None:
    x = np.linspace(0, 0.3, 400, dtype=np.float32)
    light = np.broadcast_to(x[None, :, None], (225, 400, 3))
    change = light.copy()
    change[40:160, 100:220] += 1.2

    assert np.abs(smooth_part(change) - light).max() < 0.02
