"""Keeps the plane of the table while the camera hangs still, and notices when it was bumped.

By the printed markers; or, where somebody has shown the corners, by landmarks around the table (optical flow)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, isinf
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import Logs
from calibration.markers import ENOUGH, MarkerFinder, MarkersFound, marker_cells
from calibration.mat import Mat, Point
from calibration.plane import Floats, Lens, Pixels, Plane, plane_from_corners, plane_shift, transform
from hardware.camera import Frame

WIDTH = 640
"""Pixels of the picture that is compared."""
BUMPED_MM, BACK_MM = 4.0, 3.0
"""A table farther from its corners than that is not there any more, and nearer than this it is there again."""
LANDMARKS, FEWEST, APART = 240, 24, 9
"""Places that are looked for again: at most, at least, and pixels between two of them."""
REACH = 21
"""Side of what is compared around a landmark, in pixels."""
AROUND = 31
"""Side of the neighbourhood that a place is lighter or darker than, in pixels."""
STILL, BACK = 0.7, 0.8
"""Pixels: who moved less has not; and a landmark that is followed there and back again must come home so nearly."""
FOUND, AGREE = 0.3, 0.45
"""Parts of the landmarks that must be found again, and of those the part that must say the same."""
LOST_LOOKS = 12
"""After so many pictures in which nothing is where it was, the camera looks somewhere else."""

Points = NDArray[np.float32]


@dataclass(frozen=True)
class LandmarkMotion:
    """Where landmarks were, and where they are."""

    before: Points
    after: Points


class Landmarks:
    """Places around the table that stay where they are, unless it is the camera that moves."""

    def __init__(self, shown: Pixels, corners: Floats) -> None:
        self._shown = local_contrast(shown)
        outside = np.full(shown.shape[:2], 255, np.uint8)
        cv2.fillConvexPoly(outside, np.rint(corners).astype(np.int32), (0,))
        self._points = self._places(outside)
        if len(self._points) < FEWEST:
            self._points = self._places(None)

    @property
    def enough(self) -> bool:
        return len(self._points) >= FEWEST

    @property
    def size(self) -> Floats:
        """Width and height of the pictures that are compared."""
        return width_height(self._shown)

    def motion(self, frame: Frame) -> Floats | None:
        """How the picture has moved since, as a three by three matrix; None when that cannot be told."""
        now = local_contrast(gray(frame, self._shown.shape[1], self._shown.shape[0]))
        seen = self._followed(now, np.zeros(2, np.float32))
        found = None if seen is None else common_motion(seen)
        if found is None:
            window: Any = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
            shift, _ = cv2.phaseCorrelate(self._shown.astype(np.float32), now.astype(np.float32), window)
            seen = self._followed(now, np.array(shift, np.float32))
            found = None if seen is None else common_motion(seen)
        return found

    def _places(self, mask: Pixels | None) -> Points:
        found: Any = cv2.goodFeaturesToTrack(self._shown, LANDMARKS, 0.02, APART, mask=mask)
        return np.zeros((0, 2), np.float32) if found is None else np.asarray(found.reshape(-1, 2), np.float32)

    def _followed(self, now: Pixels, shift: NDArray[np.float32]) -> LandmarkMotion | None:
        """The landmarks that are found again about so far from where they were."""
        start, size = self._points, (REACH, REACH)
        flag = cv2.OPTFLOW_USE_INITIAL_FLOW
        there, ok, _ = cv2.calcOpticalFlowPyrLK(
            self._shown, now, start, start + shift, winSize=size, maxLevel=2, flags=flag
        )
        home, back, _ = cv2.calcOpticalFlowPyrLK(
            now, self._shown, there, there - shift, winSize=size, maxLevel=2, flags=flag
        )
        good = (ok.ravel() == 1) & (back.ravel() == 1) & (np.linalg.norm(home - start, axis=1) < BACK)
        if good.sum() < max(FEWEST / 2, FOUND * len(start)):
            return None
        return LandmarkMotion(start[good], np.asarray(there[good], np.float32))


def common_motion(seen: LandmarkMotion) -> Floats | None:
    """The motion that most landmarks have in common."""
    far = np.linalg.norm(seen.after - seen.before, axis=1)
    if (far < STILL).mean() >= AGREE:
        return np.eye(3)
    found: Any
    found, inside = cv2.estimateAffinePartial2D(seen.before, seen.after, ransacReprojThreshold=1.2)
    if found is None or inside.mean() < AGREE:
        return None
    return np.asarray(np.vstack([found, (0, 0, 1)]), np.float64)


def local_contrast(picture: Pixels) -> Pixels:
    """What a picture shows, whatever the light does."""
    levels = picture.astype(np.float32)
    mean = cv2.blur(levels, (AROUND, AROUND))
    spread = cv2.sqrt(cv2.blur((levels - mean) ** 2, (AROUND, AROUND))) + np.float32(4)
    return np.asarray(np.clip((levels - mean) / spread * 45 + 128, 0, 255), np.uint8)


class ShownTable:
    """A table that is where somebody has shown its corners, as long as the camera is not moved."""

    def __init__(
        self,
        corners: Sequence[Point],
        frame: tuple[int, int],
        mat: Mat,
        shown: Pixels | None = None,
        bend: float = 0,
    ) -> None:
        self._corners, self._frame, self._mat = np.asarray(corners, np.float64), np.array(frame), mat
        self._bend = bend
        self._plane = plane_from_corners(corners, mat, Lens(*frame, bend))
        self._scaled = frame, self._plane
        self._landmarks = None
        if shown is not None:
            self._landmarks = Landmarks(shown, self._corners * width_height(shown) / self._frame)
        self._off, self._beside, self._strange = 0.0, False, 0

    @property
    def guarded(self) -> bool:
        """Whether there is enough to hold on to that a bump would be noticed."""
        return self._landmarks is not None and self._landmarks.enough

    @property
    def puzzled(self) -> bool:
        """Whether it could not be told from the last picture."""
        return self._strange > 0

    def plane(self, size: tuple[int, int]) -> Plane:
        """The table in pictures of this width and height."""
        if size != self._scaled[0]:
            scaled = (self._corners * np.array(size) / self._frame).tolist()
            lens = Lens(*size, self._bend)
            self._scaled = size, plane_from_corners([(x, y) for x, y in scaled], self._mat, lens)
        return self._scaled[1]

    def off(self, frame: Frame) -> float:
        """Millimetres by which the table is beside the corners that were shown; infinite when all looks different."""
        marks = self._landmarks
        if marks is None or not marks.enough:
            return 0.0
        motion = marks.motion(frame)
        if motion is None:
            self._strange += 1
            self._off = inf if self._strange >= LOST_LOOKS else self._off
            return self._off
        self._strange = 0
        scale = marks.size / self._frame
        places = self._plane.to_table(transform(motion, self._corners * scale) / scale)
        far = float(np.linalg.norm(places - np.array(self._mat.corners), axis=1).mean())
        beside = far > (BACK_MM if self._off else BUMPED_MM)
        # A shadow may look like a bump, but not twice.
        self._off = far if beside and (self._off or self._beside) else 0.0
        self._beside = beside
        return self._off


def small_gray(frame: Frame) -> Pixels:
    """A picture as it is kept to be compared with."""
    width, height = frame.size
    return gray(frame, WIDTH, max(16, round(WIDTH * height / width)))


def width_height(picture: Pixels) -> Floats:
    return np.array((picture.shape[1], picture.shape[0]), np.float64)


def gray(frame: Frame, width: int, height: int) -> Pixels:
    less = cv2.resize(frame.at_least(width), (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(less, cv2.COLOR_BGR2GRAY), np.uint8)


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


@dataclass(frozen=True, eq=False)
class Tracked:
    """Where the table is now."""

    frame: Frame
    plane: Plane | None
    """None while the table is not found."""
    seen: frozenset[int]
    """The markers in it."""
    moved: float = 0
    """Millimetres by which the camera was bumped."""
    off: float = 0
    """Millimetres by which the table is beside the corners that somebody has shown."""
    sure: bool = True
    """Whether the camera still hangs where it hung; otherwise nothing may be read."""

    @cached_property
    def picture(self) -> Pixels | None:
        """The table from above, worked out when somebody asks."""
        return None if self.plane is None else self.plane.rectify(self.frame)


class Tracker:
    """Follows the table in the frames of one camera."""

    def __init__(self, mat: Mat) -> None:
        self.mat = mat
        self.plane: Plane | None = None
        self.held: ShownTable | None = None
        """The table as somebody has shown it; markers do not count then."""
        self._finder = MarkerFinder(mat)
        self._images = {marker: _image(marker, mat) for marker in mat.ids}
        self._size: tuple[int, int] | None = None
        self._around: Callable[[], ShownTable] | None = None
        """Remembers how all around the table looked while the markers were seen."""
        self._guard: ShownTable | None = None
        """The same, in use while they are hidden."""
        self._good = 0
        """Pictures with enough markers since the table was found last."""

    def follow(self, frame: Frame) -> Tracked:
        """Find the table in the next frame."""
        if self.held is not None:
            return self._stay(self.held, frame)
        if self._size not in (None, frame.size):
            self.plane = None  # another camera, or another setting of it
        self._size = frame.size
        if self.plane is None:
            return self._search(frame, None)
        places = {marker: self._place(frame, self.plane, marker) for marker in self.mat.ids}
        seen = frozenset(marker for marker, off in places.items() if off is not None)
        off = [float(np.hypot(*place)) for place in places.values() if place is not None]
        if len(seen) >= ENOUGH and float(np.median(off)) <= SLACK_MM:
            self._remember(frame, self.plane)
            return Tracked(frame, self.plane, seen)
        return self._search(frame, Tracked(frame, self.plane, seen))

    def _remember(self, frame: Frame, plane: Plane) -> None:
        if self._good % REMEMBER == 0:
            corners = [(x, y) for x, y in plane.to_frame(self.mat.corners).tolist()]
            self._around = partial(ShownTable, corners, frame.size, self.mat, small_gray(frame))
        self._guard = None
        self._good += 1

    def _stay(self, held: ShownTable, frame: Frame) -> Tracked:
        off = held.off(frame)
        self.plane = held.plane(frame.size)
        return Tracked(frame, None if off else self.plane, frozenset(), off=off)

    def _search(self, frame: Frame, before: Tracked | None) -> Tracked:
        """Look for the markers in the whole frame; with too few of them, ask whether the table is where it was."""
        found = self._finder.find(frame.pixels)
        if found.plane is None:
            return self._stands(before, found, frame) if before else Tracked(frame, None, found.seen)
        moved = plane_shift(self.plane, found.plane, self.mat) if self.plane else 0.0
        if before and moved <= SLACK_MM:
            return Tracked(frame, before.plane, found.seen)
        self.plane, self._good = found.plane, 0
        return Tracked(frame, found.plane, found.seen, moved)

    def _stands(self, before: Tracked, found: MarkersFound, frame: Frame) -> Tracked:
        """The table where it was, if the markers that are seen say so, or all around them when none is."""
        assert before.plane is not None
        off = [
            float(np.linalg.norm(before.plane.to_table(corners) - self._finder.lying(marker), axis=1).mean())
            for marker, corners in found.corners.items()
        ]
        if self._guard is None and self._around:
            self._guard = self._around()
        guard = self._guard
        beside = inf if guard is None or not guard.guarded else guard.off(frame)
        if max(off, default=0) > AGREE_MM or 0 < beside < inf or (isinf(beside) and not off):
            return Tracked(frame, None, found.seen)
        puzzled = guard is not None and guard.puzzled
        return Tracked(frame, before.plane, found.seen, sure=bool(off) or not puzzled)

    def _place(self, frame: Frame, plane: Plane, marker: int) -> tuple[float, float] | None:
        """How far beside its place a marker is seen, to a fraction of a millimetre; None when it is not seen there."""
        image = self._images[marker]
        half = image.shape[0] / 2 + REACH_MM
        x, y = self.mat.middles[marker]
        left, top = max(0, round(x - half)), max(0, round(y - half))
        around = np.s_[top : round(y + half), left : round(x + half)]
        part = cv2.cvtColor(plane.rectify(frame, part=around), cv2.COLOR_BGR2GRAY)
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
