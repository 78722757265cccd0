"""Evenings at a table, as the eye sees them through a camera that is as bad as real ones are."""

from __future__ import annotations

from math import hypot

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.virtual import scene
from companion.virtual.faults import WELL_LIT
from companion.vision.live.eye import FrameReading
from hardware.camera import Frame
from tests.vision.live.tables import QUIET, Looking, Table, compare, full_table, labels


def _jpeg(pixels: Pixels) -> bytes:
    done, content = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, 90))
    assert done
    return content.tobytes()


def doubtful(glance: FrameReading) -> list[str]:
    return sorted(one.label for one in glance.seen or () if one.confidence < 0.5)


def test_a_single_domino_is_seen_where_it_lies() -> None:
    table = Table()
    table.put("domino-45", 620, 300, 27)  # m2 w0

    glance = Looking(table, 1).settled()

    outcome = compare(table, glance.seen or ())
    assert labels(glance.seen) == ["m2", "w0"]
    assert (outcome.missed, outcome.false, doubtful(glance)) == ((), (), [])
    assert max(outcome.off) < 1.5
    assert max(outcome.turned) < 3


@pytest.mark.parametrize(("x", "y"), ((807, 236), (843, 262), (771, 343)))
def test_two_halves_that_look_alike_are_seen_where_each_begins(x: float, y: float) -> None:
    """Ears of wheat stand all along this domino: a third square seems to lie between its two."""
    table = Table()
    table.put("domino-1", x, y)  # w0 w0

    glance = Looking(table, 1, WELL_LIT).settled()

    outcome = compare(table, glance.seen or ())
    assert (labels(glance.seen), glance.unknown, outcome.missed) == (["w0", "w0"], (), ())
    assert max(outcome.off) < 1.5


def test_an_empty_table_shows_nothing() -> None:
    glance = Looking(Table(), 2).settled()

    assert (glance.seen, glance.unknown, glance.hand) == ((), (), False)


def test_a_full_table_is_read_from_nothing() -> None:
    table = full_table(11)

    outcome = compare(table, Looking(table, 11).settled().seen or ())

    assert len(table.lying) > 95
    assert outcome.wrong == []
    assert len(outcome.missed) <= 2
    assert float(np.mean(outcome.off)) < 1


def test_pieces_come_and_go() -> None:
    table = full_table(13, dominoes=3, lines=0)
    looking = Looking(table, 13)
    before = labels(looking.settled().seen)
    free = next(number for number in range(1, 49) if f"domino-{number}" not in table.truth)
    table.put(f"domino-{free}", 800, 450, 95)

    after = looking.glances(5)

    halves = [lying.face for lying in table.truth[f"domino-{free}"]]
    assert [glance.still for glance in after] == [False, False, False, True, True]
    assert labels(after[-1].seen) == sorted(before + halves)
    table.remove(f"domino-{free}")
    assert labels(looking.glances(5)[-1].seen) == before


def test_a_king_on_a_domino_hides_nothing_that_was_known() -> None:
    table = Table()
    table.put("domino-48", 700, 400, 3)  # w0 m3
    looking = Looking(table, 3)
    looking.settled()
    table.put("king-pink-1", 700, 400, 200)

    glance = looking.glances(5)[-1]

    assert labels(glance.seen) == ["king-pink", "m3", "w0"]
    assert doubtful(glance) == []


def test_a_king_on_the_cloth_is_seen() -> None:
    table = Table()
    table.put("king-blue-1", 500, 600, 80)

    glance = Looking(table, 4).settled()

    (king,) = glance.seen or ()
    assert (king.label, glance.unknown) == ("king-blue", ())
    assert hypot(king.x - 500, king.y - 600) < 8  # its head is seen beside its foot
    assert abs(king.angle - 80) < 12


def test_a_napkin_hides_pieces_and_is_unknown() -> None:
    table = full_table(14, dominoes=4, lines=0)
    looking = Looking(table, 14)
    looking.settled()
    hidden = table.truth[next(piece for piece in table.truth if piece.startswith("domino"))][0]
    table.scene.add("napkin", scene.NAPKIN)
    table.scene.put("napkin", hidden.x, hidden.y, 20)

    covered = looking.glances(6)[-1]
    table.scene.remove("napkin")
    bare = looking.glances(6)[-1]

    outcome = compare(table, covered.seen or ())
    assert hidden in outcome.missed
    assert outcome.wrong == []
    assert any(hypot(area.x - hidden.x, area.y - hidden.y) < 60 for area in covered.unknown)
    assert compare(table, bare.seen or ()).missed == ()


def test_a_hand_is_waited_for() -> None:
    table = full_table(15, dominoes=2, lines=0)
    looking = Looking(table, 15, (*QUIET, "hand"))
    before = looking.settled()
    table.scene.reach(800, 500, 5, 3)

    over = looking.glances(8)
    table.scene.withdraw()
    after = looking.glances(5)

    assert {(glance.hand, glance.still, glance.seen) for glance in over} == {(True, False, None)}
    assert after[-1].still
    assert labels(after[-1].seen) == labels(before.seen)


def test_our_own_lamps_and_screens_are_no_motion() -> None:
    looking = Looking(full_table(16, dominoes=2, lines=0), 16, ("screens", "noise", "jpeg"))
    looking.settled()

    glances = []
    for _ in range(75):
        looking.clock.now += 0.85
        glances += looking.glances(1)

    assert glances[-1].frame.time - glances[0].frame.time > 59
    assert [glance.frame.time for glance in glances if not glance.still or glance.unknown] == []


def test_light_that_changes_for_two_minutes_is_hardly_ever_motion() -> None:
    looking = Looking(full_table(17, dominoes=2, lines=0), 17, ("gradient", "colour", "noise"))
    before = labels(looking.settled().seen)

    glances = []
    for _ in range(30):
        looking.clock.now += 4
        glances += looking.glances(1)

    assert sum(not glance.still for glance in glances) <= 1
    assert labels(glances[-1].seen) == before


@pytest.mark.parametrize(("right", "down"), ((1.5, 0), (6, -4), (-35, 30)))
def test_a_bumped_camera_is_told_and_goes_on(right: float, down: float) -> None:
    table = full_table(18, dominoes=2, lines=0)
    looking = Looking(table, 18)
    looking.settled()
    looking.camera.bump(right, down)

    bumped, *later = looking.glances(6)

    assert bumped.moved == pytest.approx(hypot(right, down), rel=0.2, abs=0.5)
    assert [glance.moved for glance in later] == [0] * 5
    outcome = compare(table, later[-1].seen or ())
    assert (outcome.missed, outcome.wrong) == ((), [])
    assert float(np.mean(outcome.off)) < 1.5


def test_a_reflection_makes_doubtful_but_never_wrong() -> None:
    table = full_table(19, dominoes=6, lines=0)
    looking = Looking(table, 19, (*QUIET, "glare"))

    wrong = []
    for _ in range(3):
        looking.eye.forget()
        looking.clock.now += 9
        wrong += compare(table, looking.settled().seen or ()).wrong

    assert wrong == []


def test_a_jpeg_is_read_as_its_pixels_are_and_unpacked_no_further_than_that() -> None:
    table = Table()
    for number in (1, 12, 24, 36, 45, 48):
        table.put(f"domino-{number}", 300 + 20 * number, 300 + 50 * (number % 5), 7 * number)
    looking = Looking(table, 1, size=(4056, 2280))
    packed = [Frame(_jpeg(frame.pixels), frame.time) for frame in (looking.camera.frame() for _ in range(4))]

    glances = [looking.eye.look(frame) for frame in packed]
    unpacked = [0 in frame._levels for frame in packed]
    looking.eye.forget()
    from_pixels = [looking.eye.look(Frame(frame.pixels, frame.time)) for frame in packed]

    read, expected = glances[-1].seen or (), from_pixels[-1].seen or ()
    assert unpacked == [True, False, False, False]  # all of it only to look for the markers
    assert len(expected) == 2 * 6
    assert [(one.label, one.confidence > 0.5) for one in read] == [
        (one.label, one.confidence > 0.5) for one in expected
    ]
    assert max(hypot(a.x - b.x, a.y - b.y) for a, b in zip(read, expected, strict=True)) < 0.5
    assert [glance.still for glance in glances] == [glance.still for glance in from_pixels]


def test_without_markers_there_is_no_table() -> None:
    looking = Looking(Table(), 1)
    frame = looking.camera.frame()
    frame.pixels[:] = 90

    glance = looking.eye.look(frame)

    assert (glance.picture, glance.plane, glance.still, glance.seen) == (None, None, False, None)


def test_our_own_screens_are_never_unknown() -> None:
    glance = Looking(Table(), 5, ("screens", "noise")).settled()

    assert (glance.seen, glance.unknown) == ((), ())
