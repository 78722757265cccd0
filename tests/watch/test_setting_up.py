"""Setting up the camera: markers, corners, bumps, the empty table, and all of it again after a restart."""

from __future__ import annotations

from math import inf
from pathlib import Path

import numpy as np
import pytest

from calibration.mat import Mat
from companion.core.devices import CalibrationState, FoundBy
from companion.core.errors import CameraError, NotationError
from companion.virtual.faults import DISTURBANCES
from companion.vision.gallery.known import known_pieces
from companion.vision.live.eye import Eye
from companion.vision.table.calibrator import Calibrator
from companion.vision.table.tracker import ShownTable
from companion.watch.camera_requests import CalibrationRequests, check_corners
from companion.watch.state import Status
from tests.watch.home import FRAME, Home, Line


def near(line: Line, other: Line, pixels: float = 2) -> bool:
    return len(line) == len(other) and bool(np.abs(np.array(line) - np.array(other)).max() < pixels)


# -- markers ----------------------------------------------------------------------------------------------------


def test_without_a_game_the_table_is_looked_for_only_while_somebody_attends(home: Home) -> None:
    before = home.look(1, attended=False)
    during = home.look()

    assert (before.width, before.found) == (0, FoundBy.NOTHING)
    assert (during.width, during.height, during.found) == (*FRAME, FoundBy.MARKERS)
    assert (set(during.markers), set(during.outlines)) == ({0, 1, 2, 3}, {0, 1, 2, 3})
    assert near(during.corners, home.corners())


def test_the_picture_is_there_without_a_game(home: Home) -> None:
    home.look()

    assert home.rig.watcher.picture("capture")[1].startswith(b"\xff\xd8")


def test_a_covered_marker_is_missing_and_the_table_is_still_found(home: Home) -> None:
    home.cover(Mat().middles[2])

    aim = home.look(1)

    assert (set(aim.markers), aim.found) == ({0, 1, 3}, FoundBy.MARKERS)
    assert near(aim.corners, home.corners(), 4)


def test_with_two_markers_the_table_is_not_found_and_nothing_is_learned(home: Home) -> None:
    home.cover(Mat().middles[0], Mat().middles[2])
    eye, aiming = Eye(known_pieces(()), Mat(), 0.8), Calibrator()
    aimer = CalibrationRequests(aiming)
    aimer.attend()

    aimer.observe(eye.look(home.virtual.camera.frame()), eye)

    aim = aimer.aim
    assert (set(aim.markers), aim.found, aim.corners) == ({1, 3}, FoundBy.NOTHING, ())
    with pytest.raises(CameraError, match="The table is not found yet"):
        aimer.learn_empty()


def test_a_bump_is_told_and_the_markers_are_found_again(home: Home) -> None:
    home.play()
    home.look(2)
    home.virtual.camera.bump(12, 0)

    aim = home.look(1)

    announced = home.rig.watcher.watch.announcement
    assert announced
    assert str(announced.text) == "The camera was bumped by 12 mm; the markers were found again."
    assert (round(aim.bumped_mm), aim.found, aim.off_mm) == (12, FoundBy.MARKERS, 0)
    assert near(aim.corners, home.corners())


# -- corners ----------------------------------------------------------------------------------------------------


def test_corners_count_though_markers_lie_there_and_after_a_restart(home: Home) -> None:
    home.look()
    places = ((200, 100), (1400, 100), (1400, 800), (200, 800))
    home.show_corners(*places)
    shown = home.look()
    home.start()

    aim = home.look()

    assert (shown.found, aim.found, aim.guarded, aim.off_mm) == (FoundBy.CORNERS, FoundBy.CORNERS, True, 0)
    assert near(aim.corners, home.corners(*places), 0.2)
    assert home.rig.notices == ()


def test_going_back_to_the_markers_is_kept_too(home: Home) -> None:
    home.look()
    home.show_corners((200, 100), (1400, 100), (1400, 800), (200, 800))
    home.rig.aimer.set_corners(None, FRAME)
    back = home.look()
    home.start()

    assert (back.found, home.look().found) == (FoundBy.MARKERS, FoundBy.MARKERS)
    assert [path.name for path in home.file.parent.iterdir() if path.name.startswith("shown")] == []


def test_pieces_are_read_by_the_corners_and_the_size_that_were_said(home: Home) -> None:
    home.play()
    home.look()
    home.rig.aimer.set_size(1200, 700)
    home.look()
    home.show_corners((200, 100), (1400, 100), (1400, 800), (200, 800))
    home.virtual.put("domino-7", 600, 500, 0)

    home.look(3)

    watch = home.rig.watcher.watch
    assert (watch.width, watch.height) == (1200, 700)
    seen = sorted((seen.x, seen.y) for seen in watch.seen)
    assert seen == [pytest.approx((380, 400), abs=3), pytest.approx((420, 400), abs=3)]


@pytest.mark.parametrize("disturbed", (False, True))
def test_with_corners_a_bump_stops_the_reading_until_it_is_back(tmp_path: Path, disturbed: bool) -> None:
    home = Home(tmp_path, tuple(one.key for one in DISTURBANCES if one.usual) if disturbed else ()).start()
    home.play()
    home.look(1)
    home.show_corners()
    home.look(3)
    before = home.rig.watcher.watch.status
    home.virtual.camera.bump(12, -5)
    home.look(1)
    bumped = home.rig.watcher.watch
    home.virtual.camera.bump(-12, 5)
    home.look(4)
    back = home.rig.watcher.watch.status
    home.close()

    assert (bumped.status, str(bumped.said).partition(" by about ")[0]) == (
        Status.BLIND,
        "The camera was bumped",
    )
    assert Status.BLIND not in (before, back)


def test_a_bump_while_the_companion_was_off_is_noticed(home: Home) -> None:
    home.look()
    home.show_corners()
    home.start()
    home.virtual.camera.bump(0, 20)

    assert round(home.look(1).off_mm) == 20


def test_showing_the_corners_again_after_a_bump_keeps_the_empty_table(home: Home) -> None:
    home.look()
    home.show_corners()
    home.rig.aimer.learn_empty()
    home.look(3)
    home.virtual.camera.bump(20, 0)
    lost = home.look(1)
    home.show_corners()

    aim = home.look(1)

    assert (round(lost.off_mm), aim.off_mm, aim.empty, home.told) == (20, 0, True, "")
    assert near(aim.corners, home.corners(), 0.2)


def test_another_part_of_the_table_has_another_ground(home: Home) -> None:
    home.look()
    home.show_corners()
    home.rig.aimer.learn_empty()
    known = home.look(3).empty
    home.show_corners((200, 100), (1400, 100), (1400, 800), (200, 800))

    assert (known, home.look().empty) == (True, False)


def test_a_camera_that_looks_elsewhere_is_not_believed(home: Home) -> None:
    home.look()
    home.show_corners()
    home.virtual.camera.bump(700, 500, 40)

    assert home.look(5).off_mm == inf


def test_pieces_and_hands_are_no_bump(tmp_path: Path) -> None:
    home = Home(tmp_path, tuple(one.key for one in DISTURBANCES if one.usual), 4).start()
    home.look()
    home.show_corners()
    offs = []
    for number in range(1, 25):
        home.virtual.put(f"domino-{number}", 250 + 44 * number, 250 + 15 * number, 7 * number)
        offs.append(home.look(0.4).off_mm)
    home.close()

    assert offs == [0.0] * 24


def test_pictures_of_another_size_have_the_corners_elsewhere() -> None:
    shown = ((100.0, 60.0), (1180.0, 70.0), (1200.0, 660.0), (90.0, 650.0))
    held = ShownTable(shown, FRAME, Mat())

    plane = held.plane((2560, 1440))

    assert plane.to_frame(Mat().corners) == pytest.approx(np.array(shown) * 2, abs=0.01)


@pytest.mark.parametrize(
    ("corners", "expected"),
    (
        (((100, 100), (1100, 100), (1100, 600), (100, 600)), ""),
        (((1100, 100), (1100, 600), (100, 600), (100, 100)), ""),
        (((100, 100), (1100, 100), (1100, 600)), "A table has four corners, all in the picture."),
        (((100, 100), (1281, 100), (1100, 600), (100, 600)), "A table has four corners, all in the picture."),
        (((100, 100), (inf, 100), (1100, 600), (100, 600)), "A table has four corners, all in the picture."),
        (((100, 100), (100, 600), (1100, 600), (1100, 100)), "The corners go the wrong way round"),
        (((100, 100), (1100, 600), (1100, 100), (100, 600)), "These corners cross each other"),
        (((100, 100), (1100, 100), (300, 200), (100, 600)), "These corners cross each other"),
        (((100, 100), (200, 100), (200, 160), (100, 160)), "The table is too small in the picture"),
        (((100, 100), (1100, 100), (1100, 140), (100, 140)), "The table is too small in the picture"),
    ),
)
def test_corners_that_are_no_table_are_refused(corners: Line, expected: str) -> None:
    said = ""
    try:
        check_corners(corners, FRAME)
    except NotationError as error:
        said = str(error)

    assert (said.startswith(expected), bool(said)) == (True, bool(expected))


# -- the size and the empty table -------------------------------------------------------------------------------


def test_a_size_that_cannot_be_is_suspected_by_the_markers(home: Home) -> None:
    right = home.look(1).measured
    home.rig.aimer.set_size(1400, 800)

    aim = home.look(1)

    assert (right, aim.table) == (None, (1400, 800))
    assert aim.measured == pytest.approx((1600, 900), rel=0.015)
    with pytest.raises(NotationError, match="30 to 300 centimetres"):
        home.rig.aimer.set_size(1400, 80)


def test_the_empty_table_is_learned_when_it_is_still_and_known_after_a_restart(home: Home) -> None:
    home.look()
    home.rig.aimer.forget_empty()
    before = home.look().empty
    home.rig.aimer.learn_empty()
    soon = home.look(0.2)
    learned = home.look(3)
    home.start()

    aim = home.look()

    assert (before, soon.empty, str(soon.told)[:10]) == (False, False, "Hands off,")
    assert (learned.empty, learned.told, aim.empty) == (True, None, True)


def test_a_table_with_pieces_on_it_is_not_empty(home: Home) -> None:
    aim = said_to_be_empty(home)

    assert (aim.empty, home.told.partition(".")[0]) == (False, "Pieces seem to lie on the table")


def test_a_cloth_that_looks_like_pieces_is_learned_when_people_say_so_once_more(home: Home) -> None:
    doubted = said_to_be_empty(home)
    home.rig.aimer.learn_empty()

    aim = home.look(3)

    assert (doubted.empty, aim.empty, aim.told) == (False, True, None)


def said_to_be_empty(home: Home) -> CalibrationState:
    """What comes of learning the empty table where a domino lies."""
    home.play()
    home.virtual.put("domino-7", 600, 500, 0)
    home.look(3)
    home.rig.aimer.forget_empty()
    home.look(3)
    home.rig.aimer.learn_empty()
    return home.look(3)
