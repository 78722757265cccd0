"""Twins: drawings that differ by one small thing, told apart where they differ, in whatever light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.vision.live.second_look import CROWN, Spot, earlier_look, second_look
from companion.vision.live.workspace import EDGE, Workspace

SIDE = 40
POSE = np.array((60.0, 50.0, 0.0))


def plain() -> Pixels:
    drawing = np.full((SIDE, SIDE, 3), (60, 170, 210), np.uint8)
    drawing[::5] = (40, 140, 180)
    return drawing


def crowned() -> Pixels:
    drawing = plain()
    cv2.circle(drawing, (30, 30), 5, (30, 220, 250), -1)
    cv2.circle(drawing, (30, 30), 5, (20, 40, 60), 1)
    return drawing


def seen(drawing: Pixels, light: float = 1.0, beside: int = 0) -> Workspace:
    """A drawing where it is said to lie, or a little beside, in some light, as softly as a camera shows it."""
    picture = np.full((100, 120, 3), 110, np.uint8)
    left, top = 40 + beside, 30
    picture[top : top + SIDE, left : left + SIDE] = drawing
    soft = cv2.GaussianBlur(picture.astype(np.float32) * light, (0, 0), 0.8)
    return Workspace.of(np.clip(soft, 0, 255).astype(np.uint8), np.zeros((50, 60), np.uint8))


def told(view: Workspace, one: Pixels, other: Pixels) -> float:
    spot = Spot(view, POSE, SIDE)
    return second_look(spot.fit(one), spot.fit(other))


@pytest.mark.parametrize("light", (0.5, 1.0, 1.15))
@pytest.mark.parametrize("beside", (0, 1))
def test_the_twin_that_lies_there_is_told(light: float, beside: int) -> None:
    for lying, other in ((plain(), crowned()), (crowned(), plain())):
        view = seen(lying, light, beside)

        assert told(view, lying, other) > 0.6
        assert told(view, other, lying) < -0.6


def test_what_covers_the_place_where_twins_differ_tells_nothing() -> None:
    covered = crowned()
    cv2.circle(covered, (30, 30), 8, (200, 60, 160), -1)

    assert abs(told(seen(covered), crowned(), plain())) < 0.3


def test_drawings_that_do_not_differ_cannot_be_told_apart() -> None:
    assert told(seen(plain()), plain(), plain()) == 0


# -- how it looked before ------------------------------------------------------------------------------------------


def bare(drawing: Pixels) -> Pixels:
    """How a drawing looked when nothing stood on it."""
    return seen(drawing).inside(POSE, SIDE)


@pytest.mark.parametrize("light", (0.6, 1.0, 1.15))
@pytest.mark.parametrize("beside", (0, 1))
def test_a_piece_that_was_pushed_a_little_in_another_light_is_the_same(light: float, beside: int) -> None:
    still = earlier_look(seen(crowned(), light, beside), POSE, bare(crowned()))

    assert still.share > 0.95
    assert still.patch <= CROWN
    assert abs(still.pose[0] - POSE[0] - beside) <= 1


def test_a_crown_that_was_not_there_is_another_piece_however_much_is_the_same() -> None:
    other = earlier_look(seen(crowned()), POSE, bare(plain()))

    assert other.share > 0.8
    assert other.patch > CROWN


def test_what_stands_on_a_piece_is_left_out() -> None:
    view = seen(crowned())
    cv2.circle(view.full, (50, 40), 9, (200, 60, 160), -1)
    covered = earlier_look(view, POSE, bare(crowned()))
    cv2.circle(view.hidden, (25, 20), 6, (255,), -1)
    known = earlier_look(view, POSE, bare(crowned()))

    assert covered.patch > CROWN >= known.patch
    assert known.share > 0.95 > covered.share


def test_what_is_hardly_seen_is_not_known_again() -> None:
    view = seen(crowned())
    view.hidden[:, : round((60 - EDGE) / 2) + 4] = 255

    assert earlier_look(view, POSE, bare(crowned())).share == 0
