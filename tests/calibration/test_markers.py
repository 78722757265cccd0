"""Markers on cards, wherever in the picture they lie."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.markers import MarkerFinder
from calibration.mat import Mat
from companion.virtual.renderer import MARGIN, Renderer

MAT = Mat()


@pytest.mark.parametrize("scale", (0.73, 1.09, 2.3))
def test_a_card_at_the_edge_of_the_picture_is_not_taken_for_its_marker(scale: float) -> None:
    above = Renderer(MAT, scale).picture([])
    cut = round((MARGIN - 15) * scale)

    found = MarkerFinder(MAT).find(np.ascontiguousarray(above[cut:-cut, cut:-cut]))

    assert found.seen == {0, 1, 2, 3}
    assert found.plane
    assert abs(found.plane.sharpness - scale) < 0.01
