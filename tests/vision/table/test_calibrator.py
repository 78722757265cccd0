"""A table whose corners somebody has shown, through a lens that bends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.devices import CornersShown
from companion.vision.gallery.known import known_pieces
from companion.vision.live.eye import Eye
from companion.vision.table.calibrator import Calibrator
from tests.vision.live.tables import MAT, Looking, Table

WORST = (1200, 100)
"""The place that a bent picture shows farthest from where it is."""


def off(eye: Eye, looking: Looking) -> float:
    """By how many millimetres that place is taken for another."""
    plane = eye.look(looking.camera.frame()).plane
    assert plane is not None
    return float(np.linalg.norm(plane.to_table([looking.camera.project(*WORST)]) - np.array(WORST)))


@pytest.mark.parametrize(("markers", "least", "most"), ((True, 0, 2), (False, 5, 16)))
def test_the_lens_that_markers_told_counts_for_shown_corners_and_after_a_restart(
    tmp_path: Path, markers: bool, least: float, most: float
) -> None:
    looking, aiming = Looking(Table(), 2), Calibrator(tmp_path)
    frame = looking.camera.frame()
    corners = tuple(looking.camera.project(*corner) for corner in MAT.corners)
    if not markers:
        for x, y in corners:
            frame.pixels[max(0, int(y) - 60) : int(y) + 60, max(0, int(x) - 60) : int(x) + 60] = 90

    aiming.carry_out(CornersShown(corners, (1280, 720)), looking.eye, frame)
    again = Eye(known_pieces(()), MAT, 0.5)
    Calibrator(tmp_path).fit(again)

    assert least <= off(looking.eye, looking) < most
    assert off(again, looking) == pytest.approx(off(looking.eye, looking), abs=0.01)
