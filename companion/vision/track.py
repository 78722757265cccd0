"""Keeping the plane of the table while the camera hangs still, and finding it again when it was bumped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.light import Logs
from calibration.markers import ENOUGH, MarkerFinder, cells
from calibration.mat import Mat
from calibration.plane import Pixels, Plane, shift
from companion.vision.bumped import Held

REACH_MM = 8
"""How far beside its place a marker is looked for before the whole frame is searched."""
SAME = 0.6
"""Likeness from which it is that marker."""
SLACK_MM = 0.7
"""Markers that seem to have moved less have not."""


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


class Tracker:
    """Follows the table in the frames of one camera."""

    def __init__(self, mat: Mat) -> None:
        self.mat = mat
        self.plane: Plane | None = None
        self.held: Held | None = None
        """The table as somebody has shown it; markers do not count then."""
        self._finder = MarkerFinder(mat)
        self._images = {marker: _image(marker, mat) for marker in mat.ids}
        self._size: tuple[int, ...] | None = None

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
            return Tracked(self.plane, picture, seen)
        return self._search(pixels, Tracked(self.plane, picture, seen))

    def _stay(self, held: Held, pixels: Pixels) -> Tracked:
        off = held.off(pixels)
        self.plane = held.plane(pixels)
        return Tracked(self.plane, None if off else self.plane.rectify(pixels), frozenset(), off=off)

    def _search(self, pixels: Pixels, before: Tracked | None) -> Tracked:
        """Look for the markers in the whole frame; without them, the table is taken to be where it was."""
        found = self._finder.find(pixels)
        if found.plane is None:
            return before or Tracked(None, None, found.seen)
        moved = shift(self.plane, found.plane, self.mat) if self.plane else 0.0
        if before and moved <= SLACK_MM:
            return Tracked(before.plane, before.picture, found.seen)
        self.plane = found.plane
        return Tracked(found.plane, found.plane.rectify(pixels), found.seen, moved)

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
    large = cv2.resize(cells(marker), (side * 4, side * 4), interpolation=cv2.INTER_NEAREST)
    framed = cv2.copyMakeBorder(large, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(cv2.resize(framed, (side + 8, side + 8), interpolation=cv2.INTER_AREA), np.uint8)


def _peak(line: Logs, index: int) -> float:
    """Where between its neighbours a maximum really is."""
    if not 0 < index < len(line) - 1:
        return 0.0
    before, at, after = (float(line[index + i]) for i in (-1, 0, 1))
    curve = before - 2 * at + after
    return 0.5 * (before - after) / curve if curve < 0 else 0.0
