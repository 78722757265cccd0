"""Figures of wood on printed pieces, by the network that knows them from photos: our drawings look like our drawings.

They lean away from a camera that looks from aside, so that they are looked for in its own frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import cv2
import numpy as np

from calibration.plane import Floats, Pixels, Plane
from companion.core.game import Colour
from companion.core.observation import Pose, Wood
from companion.core.photo import SeenFigure
from companion.vision.gallery.known import DrawnFace
from companion.vision.live.figures import COMMON, STRANGE_FROM, Strange
from companion.vision.live.workspace import PX_PER_MM, Detection, Shape, Workspace
from companion.vision.photo.figures import find_figures, upward
from companion.vision.poses import Poses, cut_crops, displaced
from hardware.camera import Frame

SIDE = 16
"""Millimetres that a figure hides of what it stands on, whichever way it is turned."""
_disc = cv2.circle(np.zeros((SIDE, SIDE), np.uint8), (SIDE // 2, SIDE // 2), SIDE // 2, (255,), -1)
FIGURE = Shape(SIDE, SIDE, stands=True, round=True, outline=np.asarray(_disc, np.uint8))
FOOT = 0.25
"""How sure the network has to be of a foot, less than in a photo: who is not seen is recorded as nobody by the next
tile, and of whom is hardly seen somebody is asked."""
SAME = 0.8
"""Correlation with how its place looked from which on a figure is still there: green on green is lost at times."""
REPAINTED = 12.0
"""Levels by which a colour of that place may differ in the mean: another figure may have come there."""
POSE_UNCLEAR = 0.49
"""How much is believed at most of a figure that may stand or lie."""


@dataclass(frozen=True, eq=False)
class Shot:
    """The frame behind a picture from above, no larger than that takes."""

    pixels: Pixels
    plane: Plane
    coarser: int
    """Pixels of the frame for each of these."""

    @classmethod
    def of(cls, frame: Frame, plane: Plane) -> Shot:
        halvings = max(0, int(log2(plane.sharpness / PX_PER_MM)))
        return cls(frame.halved(halvings), plane, 2**halvings)

    def where(self, places: Floats) -> Floats:
        """The pixels of places on the table, in millimetres."""
        return np.asarray((self.plane.to_frame(places) + 0.5) / self.coarser, np.float64)

    @cached_property
    def below(self) -> Floats:
        """The point away from which figures lean."""
        corners = np.asarray(self.plane.mat.corners, np.float64)
        height, width = self.pixels.shape[:2]
        return upward(corners, self.where(corners), (width, height))


class WoodLocator:
    """Finds and names figures of wood."""

    def __init__(self, drawn: Iterable[DrawnFace]) -> None:
        self._labels = {one.face.wood: one.face.label for one in drawn if one.face.wood}
        self._colours = tuple(dict.fromkeys(wood.colour for wood in self._labels))

    @property
    def knows(self) -> bool:
        """Whether the figures of this game are known by their wood."""
        return bool(self._labels)

    def still(self, view: Workspace, piece: Detection) -> bool:
        """Whether all is where a figure stood as it was."""
        assert piece.bare is not None
        if np.abs(_look(view, piece.pose).mean((0, 1)) - piece.bare.mean((0, 1))).max() > REPAINTED:
            return False
        now, then = (
            look.astype(np.float32) - look.mean((0, 1)) for look in (_look(view, piece.pose), piece.bare)
        )
        return float((now * then).sum()) >= SAME * float(np.linalg.norm(now) * np.linalg.norm(then))

    def find(self, view: Workspace, shot: Shot, strange: Strange, pieces: Sequence[Detection]) -> None:
        """Place what stands on some of the pieces that lie there."""
        outlines = {(number, 0): shot.where(_corners(piece)) for number, piece in enumerate(view.lying)}
        looked = {cell: outlines.pop(cell) for cell in list(outlines) if view.lying[cell[0]] in pieces}
        found = find_figures(shot.pixels, looked, self._colours, below=shot.below, lit=outlines, least=FOOT)
        for figure in sorted(found, key=lambda figure: -figure.confidence):
            piece = self._piece(view, view.lying[figure.cell[0]], figure)
            free = view.share(view.hidden, FIGURE, piece.pose[None])[0] <= COMMON
            if free and (figure.sure or strange.at(piece.pose) >= STRANGE_FROM):
                view.place(piece)

    def _piece(self, view: Workspace, under: Detection, figure: SeenFigure) -> Detection:
        away = (figure.x - 0.5) * under.shape.width, (figure.y - 0.5) * under.shape.height, 0.0
        lies = figure.pose is Pose.LIES
        label, other = (self._label(figure.colour, way) for way in (lies, not lies))
        pose = displaced(under.pose, np.array(away))
        return Detection(
            FIGURE,
            label,
            pose,
            figure.confidence,
            figure.confidence,
            self._label(figure.rival, lies) if figure.rival else "",
            bare=_look(view, pose),
            rival=other,
            clear=POSE_UNCLEAR if figure.sure and figure.pose in (Pose.UNCLEAR, Pose.DISC) else 1.0,
        )

    def _label(self, colour: str, lies: bool) -> str:
        return self._labels[Wood(Colour(colour), Pose.LIES if lies else Pose.STANDS)]


def _look(view: Workspace, pose: Poses) -> Pixels:
    """The square in which a figure stands, a cell a millimetre."""
    return np.asarray(cut_crops(view.full, pose[None], (SIDE, SIDE), 1.0, PX_PER_MM)[0])


def _corners(piece: Detection) -> Floats:
    """Clockwise from the upper left of how it lies."""
    x, y = piece.shape.width / 2, piece.shape.height / 2
    corners = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
    return np.asarray(displaced(piece.pose, corners)[:, :2], np.float64)
