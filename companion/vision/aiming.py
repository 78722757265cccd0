"""Carries out what people wish about the camera, keeps it for the next start, and tells how the table is seen."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from math import inf, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from calibration.kept import Kept, keep, load_kept
from calibration.lens import Floats
from calibration.markers import MarkerFinder
from calibration.mat import Mat
from calibration.plane import Pixels, Plane
from companion.core.aim import Aim, CornersShown, FoundBy, Line, SizeSaid, TableEmpty, Wish
from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.vision.bumped import Held, small

if TYPE_CHECKING:
    from companion.vision.eye import Glance
    from hardware.camera import Frame

LOOK_S = 0.5
"""How often markers are looked for only to be shown."""
PATIENCE_S = 12.0
"""How long the table has to become still before it is learned."""
SURE = 0.6
"""Pieces seen more surely than this do lie on the table."""
GRID_MM, STEP_MM = 100, 50
"""Between two lines of the grid, and between two points of a line: a wide lens bends them."""
OTHERWISE = 0.03
"""A table larger or smaller by this part was not measured well."""
MARKERS = 4

log = logging.getLogger(__name__)


class Aimed(Protocol):
    """The eye, as far as it can be aimed."""

    empty: Pixels | None

    def hold(self, held: Held | None) -> None: ...

    def know_empty(self, picture: Pixels | None) -> None: ...

    def learn_empty(self, frame: Frame) -> bool: ...


class Aiming:
    """What people have set about one camera; belongs to the thread of its eye."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept, self.trouble = load_kept(folder) if folder else (Kept(), None)
        if self.trouble:
            log.warning("%s", self.trouble)
        self._held = self._hold()
        self._finder = MarkerFinder(self.mat)
        self._corners: Mapping[int, Floats] = {}
        """Those of the markers, when they were looked for last."""
        self._looked = -inf
        self._learn_until: float | None = None
        self.aim = Aim(table=self._kept.table)

    @property
    def mat(self) -> Mat:
        """The table that is watched."""
        return self._kept.mat

    def fit(self, eye: Aimed) -> None:
        """Tell an eye everything that was set."""
        eye.hold(self._held)
        eye.know_empty(self._kept.empty)

    def carry_out(self, wish: Wish, eye: Aimed, frame: Frame) -> bool:
        """Do what somebody wishes; whether there has to be another eye then, since the table is another."""
        match wish:
            case CornersShown(corners, size):
                shown = small(frame.pixels) if corners else None
                self._keep(replace(self._kept, corners=corners, frame=size, shown=shown))
                self._held = self._hold()
                eye.hold(self._held)
            case SizeSaid(width, height):
                self._keep(replace(self._kept, table=(width, height), empty=None))
                self._held, self._finder, self._corners = self._hold(), MarkerFinder(self.mat), {}
            case TableEmpty(now=True):
                self._learn_until = frame.time + PATIENCE_S
                self._tell(_("Hands off, please: the table is learned as soon as it is still …"))
            case TableEmpty():
                self._learn_until = None
                self._keep(replace(self._kept, empty=None))
                eye.know_empty(None)
        self._looked = -inf
        return isinstance(wish, SizeSaid)

    def observe(self, glance: Glance, eye: Aimed, closely: bool) -> Aim:
        """How the table is seen now; `closely` also says where in the picture, for those who set up the camera."""
        if self._learn_until is not None:
            self._learn(glance, eye, self._learn_until)
        held = self._held
        found = FoundBy.MARKERS if glance.plane else FoundBy.NOTHING
        self.aim = replace(
            self.aim,
            width=glance.frame.pixels.shape[1],
            height=glance.frame.pixels.shape[0],
            found=FoundBy.CORNERS if held else found,
            table=self._kept.table,
            markers=glance.markers,
            bumped_mm=glance.moved or self.aim.bumped_mm,
            off_mm=glance.off,
            guarded=held is None or held.guarded,
            empty=self._kept.empty is not None,
        )
        if closely:
            self._show(glance, held.plane(glance.frame.pixels) if held else glance.plane)
        return self.aim

    def _show(self, glance: Glance, plane: Plane | None) -> None:
        if not 0 <= glance.frame.time - self._looked < LOOK_S:
            self._looked = glance.frame.time
            self._corners = self._finder.corners(glance.frame.pixels)
        markers = self._corners
        self.aim = replace(
            self.aim,
            markers=frozenset(markers),
            outlines={marker: _line(corners) for marker, corners in markers.items()},
            corners=_line(plane.to_frame(self.mat.corners)) if plane else (),
            grid=_grid(plane) if plane else (),
            measured=self._measured(plane) if plane and not self._held else None,
        )

    def _measured(self, plane: Plane) -> tuple[float, float] | None:
        """How large the table must be for the markers to be as large as they are; None when it is."""
        if len(self._corners) < MARKERS:
            return None
        places = np.stack([plane.to_table(corners) for corners in self._corners.values()])
        upper_left, upper_right, lower_right, lower_left = places.swapaxes(0, 1)
        across = np.linalg.norm(np.concatenate([upper_right - upper_left, lower_right - lower_left]), axis=1)
        down = np.linalg.norm(np.concatenate([lower_left - upper_left, lower_right - upper_right]), axis=1)
        mat, rim = self.mat, 2 * self.mat.inset
        width, height = (
            (side - rim) * mat.marker / float(np.median(seen)) + rim
            for side, seen in ((mat.width, across), (mat.height, down))
        )
        if abs(width / mat.width - 1) < OTHERWISE and abs(height / mat.height - 1) < OTHERWISE:
            return None
        return width, height

    def _learn(self, glance: Glance, eye: Aimed, until: float) -> None:
        pieces = sum(piece.confidence >= SURE for piece in glance.seen or ())
        if pieces:
            self._learn_until = None
            text = _n(
                "%(count)d piece lies on the table. Nothing was learned: put it into the box first.",
                "%(count)d pieces lie on the table. Nothing was learned: put them into the box first.",
                pieces,
            )
            self._tell(text)
        elif (glance.settled or glance.still) and eye.learn_empty(glance.frame):
            self._learn_until = None
            self._keep(replace(self._kept, empty=eye.empty))
        elif glance.frame.time > until:
            self._learn_until = None
            self._tell(
                _("The table was not found, or not still. Nothing was learned: wait a moment and try again.")
            )

    def _keep(self, kept: Kept) -> None:
        self._kept = kept
        self._tell(None)
        try:
            if self._folder:
                keep(self._folder, kept)
        except CameraError as error:
            log.warning("%s", error)
            self._tell(error.message)

    def _tell(self, text: Message | None) -> None:
        self.aim = replace(self.aim, told=text)

    def _hold(self) -> Held | None:
        kept = self._kept
        return Held(kept.corners, kept.frame, kept.mat, kept.shown) if kept.corners else None


def describe_off(millimetres: float) -> Message:
    """That the table is not where its corners were shown."""
    if isinf(millimetres):
        return _(
            "Everything looks different from when the corners were shown. Nothing is read: see whether the camera "
            "was moved, and set it up again."
        )
    return _(
        "The camera was bumped by about %(far)d mm. Nothing is read: push it back, or show the corners again.",
        far=round(millimetres),
    )


def _line(points: Floats) -> Line:
    return tuple((round(x, 1), round(y, 1)) for x, y in points.tolist())


def _grid(plane: Plane) -> tuple[Line, ...]:
    """Lines across and down, the first and the last ones along the edges."""
    width, height = plane.mat.width, plane.mat.height
    across, down = (_stops(side, STEP_MM) for side in (width, height))
    lines = [[(x, y) for x in across] for y in _stops(height, GRID_MM)]
    lines += [[(x, y) for y in down] for x in _stops(width, GRID_MM)]
    return tuple(_line(plane.to_frame(line)) for line in lines)


def _stops(side: float, step: float) -> list[float]:
    return [*np.arange(0, side - 1, step).tolist(), side]
