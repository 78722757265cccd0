"""Stories of a camera that is as bad as real ones are."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from calibration.mat import Mat
from companion.core.errors import CameraError
from companion.virtual import scene
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.virtual.image_effects import passing_hand
from companion.virtual.rasterizer import Image
from companion.virtual.scene import Scene
from hardware.camera import Camera
from tests.bench.virtual_camera import milliseconds_per_frame
from tests.hardware.pictures import StillClock as Clock
from tests.virtual.counters import SIGHT

KEYS = tuple(disturbance.key for disturbance in DISTURBANCES)


def a_table() -> Scene:
    scene = Scene(SIGHT.pieces, 1600, 900)
    for number, piece in enumerate(SIGHT.pieces):
        scene.put(piece, 250 + 80 * number, 300 + 40 * (number % 4), 25 * number)
    return scene


def a_camera(
    on: Iterable[str] | None = (),
    seed: int = 5,
    scene: Scene | None = None,
    size: tuple[int, int] = (1280, 720),
) -> tuple[VirtualCamera, Clock]:
    clock = Clock()
    disturbances = Disturbances(seed, on)
    return VirtualCamera(scene or a_table(), disturbances, size=size, clock=clock, sleep=clock.sleep), clock


def difference(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(int) - other).mean())


def seen_markers(picture: Image) -> dict[int, tuple[float, float]]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    middles = [corner.reshape(4, 2).mean(axis=0) for corner in corners]
    return {int(marker): (float(x), float(y)) for marker, (x, y) in zip(np.ravel(ids), middles, strict=True)}


def test_the_same_seed_takes_the_same_pictures() -> None:
    films = [
        [camera.frame() for _ in range(4)]
        for camera, _ in (a_camera(KEYS), a_camera(KEYS), a_camera(KEYS, 6))
    ]

    assert [frame.number for frame in films[0]] == [1, 2, 3, 4]
    assert all(np.array_equal(one.pixels, two.pixels) for one, two in zip(*films[:2], strict=True))
    assert not np.array_equal(films[0][0].pixels, films[2][0].pixels)
    assert not np.array_equal(films[0][0].pixels, films[0][1].pixels)


def test_pictures_come_at_their_pace() -> None:
    camera: Camera
    camera, clock = a_camera(size=(320, 180))
    times = [camera.frame().time - 100 for _ in range(3)]
    clock.now += 5
    late = [camera.frame().time - 105 for _ in range(2)]

    assert times == pytest.approx([0, 0.2, 0.4])
    assert late == pytest.approx([0.4, 0.6])


@pytest.mark.parametrize("key", KEYS)
def test_every_disturbance_shows_and_can_be_switched_off(key: str) -> None:
    plain, _ = a_camera()
    scene = a_table()
    scene.reach(800, 500, 10, 4)
    disturbances = Disturbances(5, (key,))
    clock = Clock()
    camera = VirtualCamera(scene, disturbances, clock=clock, sleep=clock.sleep)
    clock.now += 2  # a reflection comes slowly

    disturbed = camera.frame().pixels
    disturbances.switch(key, False)
    undisturbed = camera.frame().pixels

    assert difference(disturbed, plain.frame().pixels) > 0.15
    assert np.array_equal(undisturbed, plain.frame().pixels)


def test_disturbances_have_names_and_refuse_unknown_keys() -> None:
    disturbances = Disturbances()

    assert [switch.key for switch in disturbances.switches] == list(KEYS)
    assert {switch.key for switch in disturbances.switches if not switch.on} == {"flicker", "glare"}
    with pytest.raises(KeyError):
        disturbances.switch("rain", True)
    with pytest.raises(KeyError):
        Disturbances(on=("rain",))


@pytest.mark.parametrize("seed", range(4))
def test_a_place_of_the_table_is_seen_where_the_camera_says(seed: int) -> None:
    camera, _ = a_camera(("perspective", "lens"), seed)
    seen = seen_markers(camera.frame().pixels)
    told = {marker: camera.project(x, y) for marker, (x, y) in Mat().middles.items()}

    assert seen.keys() == told.keys()
    assert max(np.hypot(*np.subtract(seen[marker], told[marker])) for marker in told) < 0.35


@pytest.mark.parametrize("seed", range(3))
def test_the_markers_are_found_whatever_disturbs(seed: int) -> None:
    camera, _ = a_camera(set(KEYS) - {"glare", "hand"}, seed)

    assert sorted(seen_markers(camera.frame().pixels)) == [0, 1, 2, 3]


def test_a_bump_moves_the_picture_by_as_much() -> None:
    camera, _ = a_camera()
    before, (x, y) = seen_markers(camera.frame().pixels), camera.project(800, 450)
    camera.bump(18, -7)
    after, told = seen_markers(camera.frame().pixels), camera.project(818, 443)
    scale = (before[1][0] - before[0][0]) / (1600 - 2 * Mat().inset)
    moved = [np.subtract(before[marker], after[marker]) / scale for marker in range(4)]

    assert np.abs(np.subtract(moved, (18, -7))).max() < 0.5
    assert told == pytest.approx((x, y), abs=1e-6)


def test_bumps_add_up() -> None:
    once, twice = a_camera()[0], a_camera()[0]
    once.bump(12, 3, 0.5)
    twice.bump(10, 1, 0.2)
    twice.bump(2, 2, 0.3)

    assert once.project(100, 100) == pytest.approx(twice.project(100, 100))


def test_an_unplugged_camera_says_so_and_comes_back() -> None:
    camera, clock = a_camera(size=(320, 180))
    camera.unplug(60)
    with pytest.raises(CameraError, match="unplugged"):
        camera.frame()
    clock.now += 60

    assert camera.frame().number == 1
    camera.unplug(60)
    camera.unplug(0)
    assert camera.frame().number == 2


def test_a_closed_camera_takes_no_pictures() -> None:
    camera, _ = a_camera(size=(320, 180))
    camera.close()

    with pytest.raises(CameraError):
        camera.frame()


def test_pictures_have_the_size_that_is_asked_for_up_to_a_limit() -> None:
    camera, _ = a_camera(None, size=(1000, 601))

    assert camera.frame().pixels.shape == (601, 1000, 3)
    with pytest.raises(CameraError, match="4608 x 3040"):
        a_camera(size=(4609, 2592))


def test_hands_pass_now_and_then_and_go_away_again() -> None:
    there = [passing_hand(7, step / 10, 1600, 900) is not None for step in range(2400)]

    assert 0.02 < sum(there) / len(there) < 0.12


def test_a_reflection_stays_for_a_while_and_goes() -> None:
    camera, clock = a_camera(("glare",))
    plain = a_camera()[0].frame().pixels
    clock.now += 2
    first, second = camera.frame().pixels, camera.frame().pixels
    clock.now += 9

    assert np.array_equal(first, second)
    assert difference(first, plain) > 0.15
    assert np.array_equal(camera.frame().pixels, plain)


def test_only_our_own_things_change_in_the_areas_to_ignore() -> None:
    camera, clock = a_camera(("screens",))
    first = camera.frame().pixels.astype(int)
    clock.now += 9
    changed = np.argwhere(np.abs(camera.frame().pixels - first).max(axis=2) > 12)
    boxes = [[camera.project(*corner) for corner in area.corners] for area in scene.IGNORE]

    assert len(changed) > 1000
    for y, x in changed[:: len(changed) // 50]:
        assert any(
            cv2.pointPolygonTest(np.array(box, np.float32), (float(x), float(y)), True) > -1.5
            for box in boxes
        )


def test_the_bench_tells_milliseconds() -> None:
    assert 0 < milliseconds_per_frame(SIGHT, frames=5) < 1000
