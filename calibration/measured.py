"""How large a table is, by the markers in its corners: they are as large as they were printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.lens import Floats, Lens
from calibration.markers import MarkerFinder, lens_bend
from calibration.mat import Mat
from calibration.plane import Plane, plane_from_points

ROUNDS = 40
SAME = 0.0003
"""A size that changes less than by this part from one guess to the next is found."""
CLOSE = 0.005
"""A first guess that changes less than by this part will not go far."""
FASTER = 1.6
"""Each guess goes a little too short a way: the markers' middles weigh more than their sizes."""


def measure_mat(corners: Mapping[int, Floats], mat: Mat, size: tuple[int, int]) -> Mat | None:
    """The mat on which these markers are as large as they should be; None unless all are seen."""
    if set(corners) != set(mat.ids):
        return None
    shown = np.concatenate([corners[marker] for marker in mat.ids])
    first = mat
    for _round in range(ROUNDS):
        lying = np.stack([MarkerFinder(mat).lying(marker) for marker in mat.ids])
        flat = lying.reshape(-1, 2)
        plane = plane_from_points(shown, flat, mat, Lens(*size, lens_bend(shown, flat, size)))
        if plane is None:
            return None
        grown = _resized(mat, plane, shown)
        if not (mat.marker * 3 < min(grown.width, grown.height) and max(grown.width, grown.height) < 1e4):
            return None
        change = max(abs(grown.width / mat.width - 1), abs(grown.height / mat.height - 1))
        if mat is first and change < CLOSE:
            return first
        if change < SAME:
            return grown
        mat = grown
    return None


def measure_lens(corners: Mapping[int, Floats], mat: Mat, size: tuple[int, int]) -> Lens | None:
    """How the lens bends by markers that lie somewhere around a table, wherever its corners are said to be; None unless
    all are seen."""
    found = measure_mat(corners, mat, size)
    if found is None:
        return None
    finder = MarkerFinder(found)
    shown = np.concatenate([corners[marker] for marker in mat.ids])
    return Lens(*size, lens_bend(shown, np.concatenate([finder.lying(marker) for marker in mat.ids]), size))


def _resized(mat: Mat, plane: Plane, shown: Floats) -> Mat:
    """The mat, larger where its markers seem too small."""
    places = plane.to_table(shown).reshape(-1, 4, 2)
    upper_left, upper_right, lower_right, lower_left = places.swapaxes(0, 1)
    across = np.concatenate([upper_right - upper_left, lower_right - lower_left])
    down = np.concatenate([lower_left - upper_left, lower_right - upper_right])
    rim = 2 * mat.inset
    width, height = (
        (side - rim) * (mat.marker / float(np.linalg.norm(seen, axis=1).mean())) ** FASTER + rim
        for side, seen in ((mat.width, across), (mat.height, down))
    )
    return replace(mat, width=width, height=height)
