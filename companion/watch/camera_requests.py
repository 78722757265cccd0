"""What people wish about the camera, checked at once and left for the loop to carry out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot, isfinite
from threading import Lock
from typing import TYPE_CHECKING

from companion.core.devices import CalibrationRequest, CornersShown, FoundBy, Pixel, SizeSaid, TableEmpty
from companion.core.errors import CameraError, NotationError
from companion.core.message import message as _

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading
    from companion.vision.table.calibrator import CalibratedEye, Calibrator
    from hardware.camera import Frame

LEAST_MM, MOST_MM = 300, 3000
"""Sides of tables that can be watched."""
SHARE, SIDE = 0.04, 0.06
"""Part of the picture that a table fills at least, and part of its width that each side is long."""
LEAST_PX = 400
"""Of the picture that a table fills in any case."""
LOOKED_S = 10.0
"""Somebody who has asked for the camera's picture sets it up for so long."""
MOST_WISHES = 20


class CalibrationRequests:
    """What the page can do about the camera; what was wished is done soon after, by the loop's thread alone."""

    def __init__(self, aiming: Calibrator) -> None:
        self.aim = aiming.aim
        self._aiming = aiming
        self._lock = Lock()
        self._wishes: list[CalibrationRequest] = []
        self._asked = False
        self._asked_at: float | None = None

    # -- what people do, from any thread ------------------------------------------------------------------------

    def attend(self) -> None:
        """Say that somebody looks at how the camera is set up."""
        self._asked = True

    def set_corners(self, corners: Sequence[Pixel] | None, frame: tuple[int, int]) -> None:
        """Take the table to have its corners there, in pictures of that size; without any, go by the markers."""
        if corners:
            check_corners(corners, frame)
        self._wish(CornersShown(tuple(corners or ()), frame))

    def set_size(self, width: float, height: float) -> None:
        """Take the table to measure so many millimetres, or NotationError."""
        if not (LEAST_MM <= width <= MOST_MM and LEAST_MM <= height <= MOST_MM):
            raise NotationError(
                _(
                    "A side of the table has %(least)d to %(most)d centimetres. Nothing was changed.",
                    least=LEAST_MM // 10,
                    most=MOST_MM // 10,
                )
            )
        self._wish(SizeSaid(width, height))

    def learn_empty(self) -> None:
        """Learn what the table looks like with nothing on it, as soon as it is still."""
        if self.aim.found is FoundBy.NOTHING:
            raise CameraError(
                _("The table is not found yet. Nothing was learned: see to its markers or corners first.")
            )
        self._wish(TableEmpty())

    def forget_empty(self) -> None:
        """Forget what the empty table looks like."""
        self._wish(TableEmpty(False))

    # -- what the loop does -------------------------------------------------------------------------------------

    def attended(self, time: float) -> bool:
        """Whether somebody sets up the camera now."""
        if self._asked:
            self._asked, self._asked_at = False, time
        return bool(self._wishes) or (self._asked_at is not None and time - self._asked_at < LOOKED_S)

    def fit(self, eye: CalibratedEye) -> None:
        """Tell a new eye what was set."""
        self._aiming.fit(eye)

    def carry_out(self, eye: CalibratedEye, frame: Frame) -> bool:
        """Do everything that was wished; whether there has to be another eye then."""
        with self._lock:
            wishes, self._wishes = self._wishes, []
        another = False
        for wish in wishes:
            another |= self._aiming.carry_out(wish, eye, frame)
            self.aim = self._aiming.aim
        return another

    def observe(self, glance: FrameReading, eye: CalibratedEye) -> None:
        """Note how the table is seen now."""
        self.aim = self._aiming.observe(glance, eye, self.attended(glance.frame.time))

    def _wish(self, wish: CalibrationRequest) -> None:
        with self._lock:
            if len(self._wishes) >= MOST_WISHES:
                raise CameraError(_("There is no picture from the camera. Nothing was changed."))
            self._wishes.append(wish)


def check_corners(corners: Sequence[Pixel], frame: tuple[int, int]) -> None:
    """NotationError with what to do about it, unless these are the corners of a table in such a picture."""
    width, height = frame
    inside = len(corners) == 4 and all(
        isfinite(x) and isfinite(y) and 0 <= x <= width and 0 <= y <= height for x, y in corners
    )
    if not inside:
        raise NotationError(_("A table has four corners, all in the picture. Nothing was changed."))
    around = (*corners, corners[0], corners[1])
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(around)]
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in pairwise(steps)]
    if all(turn < 0 for turn in turns):
        raise NotationError(
            _(
                "The corners go the wrong way round: show them clockwise from the upper left. Nothing was changed."
            )
        )
    if not all(turn > 0 for turn in turns):
        raise NotationError(
            _(
                "These corners cross each other, or one lies inside. Drag each to its own. Nothing was changed."
            )
        )
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise((*corners, corners[0]))) / 2
    if area < max(LEAST_PX, SHARE * width * height) or min(hypot(*step) for step in steps) < SIDE * width:
        raise NotationError(
            _("The table is too small in the picture: hang the camera nearer. Nothing was changed.")
        )
