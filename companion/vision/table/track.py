"""Keeping the plane of the table while the camera hangs still, and finding it again when it was bumped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf, isinf

import cv2
import numpy as np

from calibration.light import Logs
from calibration.markers import ENOUGH, MarkerFinder, MarkersFound, marker_cells
from calibration.mat import Mat
from calibration.plane import Pixels, Plane, plane_shift
from companion.vision.table.bumped import ShownTable, small_gray

REACH_MM = 8
"""How far beside its place a marker is looked for before the whole frame is searched."""
SAME = 0.6
"""Likeness from which it is that marker."""
SLACK_MM = 0.7
"""Markers that seem to have moved less have not."""
AGREE_MM = 2.0
"""Markers too few to find the table by, which are farther than this from where they were: the camera was bumped."""
REMEMBER = 10
"""In every so many pictures with enough markers, all around them is remembered for when they are hidden."""


@dataclass(frozen=True)
class Tracked:
    """Where the table is now."""

    plane: Plane | None
    picture: Pixels | None
    """The table from above."""
    seen: frozenset[int]
    """The markers in it."""
    moved: float = 0
    """Millimetres by which the camera was bumped."""
    off: float = 0
    """Millimetres by which the table is beside the corners that somebody has shown."""
    sure: bool = True
    """Whether the camera still hangs where it hung; otherwise nothing may be read."""


class Tracker:
    """Follows the table in the frames of one camera."""

    def __init__(self, mat: Mat) -> None:
        self.mat = mat
        self.plane: Plane | None = None
        self.held: ShownTable | None = None
        """The table as somebody has shown it; markers do not count then."""
        self._finder = MarkerFinder(mat)
        self._images = {marker: _image(marker, mat) for marker in mat.ids}
        self._size: tuple[int, ...] | None = None
        self._around: Callable[[], ShownTable] | None = None
        """Remembers how all around the table looked while the markers were seen."""
        self._guard: ShownTable | None = None
        """The same, in use while they are hidden."""
        self._good = 0
        """Pictures with enough markers since the table was found last."""

    def follow(self, pixels: Pixels) -> Tracked:
        """Find the table in the next frame."""
        if self.held is not None:
            return self._stay(self.held, pixels)
        if self._size not in (None, pixels.shape):
            self.plane = None  # another camera, or another setting of it
        self._size = pixels.shape
        if self.plane is None:
            return self._search(pixels, None)
        picture = self.plane.rectify(pixels)
        places = {marker: self._place(picture, marker) for marker in self.mat.ids}
        seen = frozenset(marker for marker, off in places.items() if off is not None)
        off = [float(np.hypot(*place)) for place in places.values() if place is not None]
        if len(seen) >= ENOUGH and float(np.median(off)) <= SLACK_MM:
            self._remember(pixels, self.plane)
            return Tracked(self.plane, picture, seen)
        return self._search(pixels, Tracked(self.plane, picture, seen))

    def _remember(self, pixels: Pixels, plane: Plane) -> None:
        if self._good % REMEMBER == 0:
            corners = [(x, y) for x, y in plane.to_frame(self.mat.corners).tolist()]
            self._around = partial(ShownTable, corners, pixels.shape[1::-1], self.mat, small_gray(pixels))
        self._guard = None
        self._good += 1

    def _stay(self, held: ShownTable, pixels: Pixels) -> Tracked:
        off = held.off(pixels)
        self.plane = held.plane(pixels)
        return Tracked(self.plane, None if off else self.plane.rectify(pixels), frozenset(), off=off)

    def _search(self, pixels: Pixels, before: Tracked | None) -> Tracked:
        """Look for the markers in the whole frame; with too few of them, ask whether the table is where it was."""
        found = self._finder.find(pixels)
        if found.plane is None:
            return self._stands(before, found, pixels) if before else Tracked(None, None, found.seen)
        moved = plane_shift(self.plane, found.plane, self.mat) if self.plane else 0.0
        if before and moved <= SLACK_MM:
            return Tracked(before.plane, before.picture, found.seen)
        self.plane, self._good = found.plane, 0
        return Tracked(found.plane, found.plane.rectify(pixels), found.seen, moved)

    def _stands(self, before: Tracked, found: MarkersFound, pixels: Pixels) -> Tracked:
        """The table where it was, if the markers that are seen say so, or all around them when none is."""
        assert before.plane is not None
        off = [
            float(np.linalg.norm(before.plane.to_table(corners) - self._finder.lying(marker), axis=1).mean())
            for marker, corners in found.corners.items()
        ]
        if self._guard is None and self._around:
            self._guard = self._around()
        guard = self._guard
        beside = inf if guard is None or not guard.guarded else guard.off(pixels)
        if max(off, default=0) > AGREE_MM or 0 < beside < inf or (isinf(beside) and not off):
            return Tracked(None, None, found.seen)
        puzzled = guard is not None and guard.puzzled
        return Tracked(before.plane, before.picture, found.seen, sure=bool(off) or not puzzled)

    def _place(self, picture: Pixels, marker: int) -> tuple[float, float] | None:
        """How far beside its place a marker is seen, to a fraction of a millimetre; None when it is not seen there."""
        image = self._images[marker]
        half = image.shape[0] / 2 + REACH_MM
        x, y = self.mat.middles[marker]
        left, top = max(0, round(x - half)), max(0, round(y - half))
        part = cv2.cvtColor(picture[top : round(y + half), left : round(x + half)], cv2.COLOR_BGR2GRAY)
        likeness = np.asarray(cv2.matchTemplate(part, image, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (column, row) = cv2.minMaxLoc(likeness)
        if best < SAME:
            return None
        right, down = column + _peak(likeness[row], column), row + _peak(likeness[:, column], row)
        expected = image.shape[0] / 2
        return left + right + expected - x, top + down + expected - y


def _image(marker: int, mat: Mat) -> Pixels:
    """A marker with some white around it, one pixel per millimetre."""
    side = round(mat.marker)
    large = cv2.resize(marker_cells(marker), (side * 4, side * 4), interpolation=cv2.INTER_NEAREST)
    framed = cv2.copyMakeBorder(large, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(cv2.resize(framed, (side + 8, side + 8), interpolation=cv2.INTER_AREA), np.uint8)


def _peak(line: Logs, index: int) -> float:
    """Where between its neighbours a maximum really is."""
    if not 0 < index < len(line) - 1:
        return 0.0
    before, at, after = (float(line[index + i]) for i in (-1, 0, 1))
    curve = before - 2 * at + after
    return 0.5 * (before - after) / curve if curve < 0 else 0.0
