"""Squares that are known before anybody looks for their points."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.lattice import skew
from companion.core.observation import Area
from companion.vision.photo.grid import grid_along
from companion.vision.photo.keypoints import candidate_between


@pytest.mark.parametrize("angle", (-170, -95, -44, 0, 30, 60, 91, 135, 180, 268))
def test_a_square_between_its_corners_lies_as_the_picture_shows_it(angle: float) -> None:
    corners = np.array(Area(300, 200, 40, 40, angle).corners)

    known = candidate_between(corners)

    assert (known.x, known.y, known.side) == pytest.approx((300, 200, 40))
    assert abs(known.angle) <= 45
    assert skew(known.angle, angle) == pytest.approx(0)
    assert grid_along(known).pixels(known.within) == pytest.approx(known.pixels)
