"""Carries out what people wish about the camera, keeps it for the next start, and tells how the table is seen."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from calibration.markers import MarkerFinder, measure_lens, measure_mat
from calibration.mat import Mat
from calibration.plane import Floats, Pixels, Plane, plane_shift
from calibration.sheet import CORNERS
from calibration.storage import CameraCalibration, load_calibration, save_calibration
from companion.core.devices import (
    CalibrationRequest,
    CalibrationState,
    CornersShown,
    FoundBy,
    PixelLine,
    SizeSaid,
    TableEmpty,
)
from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from companion.vision.table.tracker import ShownTable, small_gray

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading
    from hardware.camera import Frame

LOOK_S = 0.5
"""How often markers are looked for only to be shown."""
PATIENCE_S = 12.0
"""How long the table has to become still before it is learned."""
SURE = 0.6
"""Pieces seen more surely than this seem to lie on the table."""
INSIST_S = 120.0
"""How long after such a doubt people are believed who say once more that nothing lies there."""
GRID_MM, STEP_MM = 100, 50
"""Between two lines of the grid, and between two points of a line: a wide lens bends them."""
OTHERWISE = 0.03
"""A table larger or smaller by this part was not measured well."""
ELSEWHERE_MM = 20.0
"""A table that is farther than this from where it was said to be before is another part of it."""
BESIDE_MM = 30.0
"""A corner that is shown farther than this from where the markers have it is worth a question."""

log = logging.getLogger(__name__)


class CalibratedEye(Protocol):
    """The eye, as far as it can be aimed."""

    empty: Pixels | None

    def hold(self, held: ShownTable | None) -> None: ...

    def know_empty(self, picture: Pixels | None) -> None: ...

    def learn_empty(self, frame: Frame) -> bool: ...


class Calibrator:
    """What people have set about one camera; belongs to the thread of its eye."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept, self.trouble = load_calibration(folder) if folder else (CameraCalibration(), None)
        if self.trouble:
            log.warning("%s", self.trouble)
        self._held = _held(self._kept)
        self._finder = MarkerFinder(self.mat)
        self._corners: Mapping[int, Floats] = {}
        """Those of the markers, when they were looked for last."""
        self._looked = -inf
        self._plane: Plane | None = None
        """Where the table was found last; None while it is not."""
        self._learn_until: float | None = None
        self._seemed_laid = -inf
        """When pieces seemed to lie on a table that somebody called empty: a patterned cloth may look like some."""
        self._known_of: tuple[Plane, Pixels, Pixels | None] | None = None
        """Another part of the table that was known when it was empty: how it looked, and what of that is kept."""
        self.aim = CalibrationState(table=self._kept.table)

    @property
    def mat(self) -> Mat:
        """The table that is watched."""
        return self._kept.mat

    def fit(self, eye: CalibratedEye) -> None:
        """Tell an eye everything that was set."""
        if self._held or self._kept.empty is not None:
            eye.hold(self._held)
            eye.know_empty(self._kept.empty)

    def carry_out(self, wish: CalibrationRequest, eye: CalibratedEye, frame: Frame) -> bool:
        """Do what somebody wishes; whether there has to be another eye then, since the table is another."""
        match wish:
            case CornersShown(corners, size):
                self._show_corners(corners, size, eye, frame)
            case SizeSaid(width, height):
                self._keep(replace(self._kept, table=(width, height), empty=None))
                self._held, self._finder, self._corners = _held(self._kept), MarkerFinder(self.mat), {}
                self._known_of = None
            case TableEmpty(now=True):
                self._learn_until = frame.time + PATIENCE_S
                self._tell(_("Hands off, please: the table is learned as soon as it is still …"))
            case TableEmpty():
                self._learn_until = self._known_of = None
                self._keep(replace(self._kept, empty=None))
                eye.know_empty(None)
        self._looked = -inf
        return isinstance(wish, SizeSaid)

    def _show_corners(
        self, corners: PixelLine, size: tuple[int, int], eye: CalibratedEye, frame: Frame
    ) -> None:
        shown = small_gray(frame.pixels) if corners else None
        kept = replace(self._kept, corners=corners, frame=size if corners else (0, 0), shown=shown)
        kept = replace(kept, bend=self._bend(frame) if corners else 0.0)
        held = _held(kept)
        marked = self._finder.find(frame.pixels).plane
        plane = held.plane(frame.pixels) if held else marked
        before, self._plane = self._plane, plane
        # After a bump people show the same corners again: what was learned there is still true.
        if before and not (plane and plane_shift(before, plane, kept.mat) < ELSEWHERE_MM):
            kept = self._turned_to(plane, before, kept, eye)
        self._held = held
        eye.hold(held)
        self._keep(kept)
        if held and marked:
            self._compare(marked, corners)
        # Told at once: the first look at another part of the table may take a while.
        found = FoundBy.CORNERS if held else FoundBy.MARKERS if plane else FoundBy.NOTHING
        self.aim = replace(self.aim, found=found, off_mm=0, empty=eye.empty is not None)
        self._draw(plane)

    def _turned_to(
        self, plane: Plane | None, before: Plane, kept: CameraCalibration, eye: CalibratedEye
    ) -> CameraCalibration:
        """Forget the empty table of another part; what was known of this one is known again."""
        known = self._known_of
        if eye.empty is not None:
            self._known_of = before, eye.empty, kept.empty
        if plane and known and plane_shift(known[0], plane, kept.mat) < ELSEWHERE_MM:
            eye.know_empty(known[1])
            return replace(kept, empty=known[2])
        eye.know_empty(None)
        return replace(kept, empty=None)

    def _compare(self, marked: Plane, corners: PixelLine) -> None:
        """Ask about a corner that was shown elsewhere than the markers have it."""
        far = np.linalg.norm(marked.to_table(corners) - self.mat.corners, axis=1)
        worst = int(far.argmax())
        if far[worst] > BESIDE_MM:
            self._tell(
                _(
                    "The markers say otherwise: by them, the table's %(corner)s corner is %(far)d cm from there. Keep "
                    "your corners if they are the table's, or go by the markers.",
                    corner=CORNERS[worst],
                    far=round(far[worst] / 10),
                )
            )

    def observe(self, glance: FrameReading, eye: CalibratedEye, closely: bool) -> CalibrationState:
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
            empty=eye.empty is not None,
        )
        self._plane = glance.plane
        if closely:
            self._show(glance, held.plane(glance.frame.pixels) if held else glance.plane)
        return self.aim

    def _show(self, glance: FrameReading, plane: Plane | None) -> None:
        if not 0 <= glance.frame.time - self._looked < LOOK_S:
            self._looked = glance.frame.time
            self._corners = self._finder.corners(glance.frame.pixels)
            size = None if self._held else self._measured(glance.frame)
            self.aim = replace(self.aim, measured=size)
        self.aim = replace(
            self.aim,
            markers=frozenset(self._corners),
            outlines={marker: _line(corners) for marker, corners in self._corners.items()},
        )
        self._draw(plane)

    def _draw(self, plane: Plane | None) -> None:
        if plane is None:
            self.aim = replace(self.aim, corners=(), edge=(), grid=())
        else:
            corners = _line(plane.to_frame(self.mat.corners))
            self.aim = replace(self.aim, corners=corners, edge=_edge(plane), grid=_grid(plane))

    def _measured(self, frame: Frame) -> tuple[float, float] | None:
        """What the markers say about the table's size, where that is not what somebody has said."""
        mat = measure_mat(self._corners, self.mat, (frame.pixels.shape[1], frame.pixels.shape[0]))
        off = mat and max(abs(mat.width / self.mat.width - 1), abs(mat.height / self.mat.height - 1))
        return (mat.width, mat.height) if mat and off and off > OTHERWISE else None

    def _learn(self, glance: FrameReading, eye: CalibratedEye, until: float) -> None:
        now = glance.frame.time
        insisted = 0 <= now - self._seemed_laid < INSIST_S
        if not insisted and any(piece.confidence >= SURE for piece in glance.seen or ()):
            self._learn_until, self._seemed_laid = None, now
            self._tell(
                _(
                    "Pieces seem to lie on the table. Nothing was learned yet: put them into the box. If nothing lies "
                    "there, say once more that the table is empty."
                )
            )
        elif (glance.settled or glance.still) and eye.learn_empty(glance.frame):
            self._learn_until, self._seemed_laid = None, -inf
            self._keep(replace(self._kept, empty=eye.empty))
        elif now > until:
            self._learn_until = None
            self._tell(
                _("The table was not found, or not still. Nothing was learned: wait a moment and try again.")
            )

    def _keep(self, kept: CameraCalibration) -> None:
        self._kept = kept
        self._tell(None)
        try:
            if self._folder:
                save_calibration(self._folder, kept)
        except CameraError as error:
            log.warning("%s", error)
            self._tell(error.message)

    def _tell(self, text: Message | None) -> None:
        self.aim = replace(self.aim, told=text)

    def _bend(self, frame: Frame) -> float:
        """What markers tell of the lens though it is corners that count; without all of them, what they told last."""
        size = frame.pixels.shape[1], frame.pixels.shape[0]
        lens = measure_lens(self._finder.corners(frame.pixels), self.mat, size)
        return lens.bend if lens else self._kept.bend


def _held(kept: CameraCalibration) -> ShownTable | None:
    return ShownTable(kept.corners, kept.frame, kept.mat, kept.shown, kept.bend) if kept.corners else None


def _line(points: Floats) -> PixelLine:
    return tuple((round(x, 1), round(y, 1)) for x, y in points.tolist())


def _edge(plane: Plane) -> PixelLine:
    width, height = plane.mat.width, plane.mat.height
    across, down = (_stops(side, STEP_MM) for side in (width, height))
    around = [(x, 0.0) for x in across] + [(width, y) for y in down[1:]]
    around += [(x, height) for x in across[-2::-1]] + [(0.0, y) for y in down[-2:0:-1]]
    return _line(plane.to_frame(around))


def _grid(plane: Plane) -> tuple[PixelLine, ...]:
    """Lines across and down, without the edges."""
    width, height = plane.mat.width, plane.mat.height
    across, down = (_stops(side, STEP_MM) for side in (width, height))
    lines = [[(x, y) for x in across] for y in _stops(height, GRID_MM)[1:-1]]
    lines += [[(x, y) for y in down] for x in _stops(width, GRID_MM)[1:-1]]
    return tuple(_line(plane.to_frame(line)) for line in lines)


def _stops(side: float, step: float) -> list[float]:
    return [*np.arange(0, side - 1, step).tolist(), side]
