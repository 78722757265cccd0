"""A table by its outline alone, or not at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.mat import Mat
from calibration.outline import find_outline
from calibration.plane import Pixels

FLOOR, CLOTH = (40, 60, 110), (120, 100, 70)
CORNERS = ((150, 90), (1130, 100), (1160, 640), (120, 630))


def picture(corners: tuple[tuple[int, int], ...], things: int = 0) -> Pixels:
    """A cloth on a floor, seen a little from the side, with plain noise over all of it."""
    seen = np.full((720, 1280, 3), FLOOR, np.uint8)
    cv2.fillPoly(seen, [np.array(corners)], CLOTH)
    random = np.random.default_rng(3)
    for _thing in range(things):
        x, y = int(random.integers(250, 950)), int(random.integers(180, 500))
        cv2.rectangle(seen, (x, y), (x + 60, y + 30), random.integers(0, 255, 3).tolist(), -1)
    return np.asarray(np.clip(seen + random.normal(0, 4, seen.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("things", (0, 30))
def test_a_cloth_is_found_with_whatever_lies_on_it(things: int) -> None:
    found = find_outline(picture(CORNERS, things), Mat())

    assert found
    assert np.array(found) == pytest.approx(np.array(CORNERS), abs=8)


def test_corners_may_be_covered() -> None:
    seen = picture(CORNERS)
    for x, y in CORNERS:
        cv2.circle(seen, (x, y), 60, (255, 255, 255), -1)

    found = find_outline(seen, Mat())

    assert found
    assert np.array(found) == pytest.approx(np.array(CORNERS), abs=8)


NONE = {
    "nothing but floor": ((0, 0), (0, 0), (0, 0), (0, 0)),
    "a table that is cut off": ((-200, 90), (1130, 100), (1160, 640), (-220, 630)),
    "a square": ((400, 100), (900, 100), (900, 600), (400, 600)),
    "small": ((500, 300), (660, 300), (660, 390), (500, 390)),
    "a triangle": ((640, 60), (1200, 660), (640, 661), (80, 660)),
}


@pytest.mark.parametrize("what", NONE)
def test_what_is_no_such_table_is_none(what: str) -> None:
    assert find_outline(picture(NONE[what]), Mat()) is None


@pytest.mark.parametrize("size", ((1, 1), (20, 9), (3, 900), (900, 3)))
def test_a_tiny_picture_has_none(size: tuple[int, int]) -> None:
    assert find_outline(np.full((size[1], size[0], 3), 90, np.uint8), Mat()) is None
