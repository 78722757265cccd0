"""One look at the table: its picture from above, what lies on it, and what of that is explained so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.squares import Vectors
from companion.vision.poses import Poses, cut_crops, fill_footprint, lay
from companion.vision.table.foreground import Mask

PX_PER_MM = 1.0
"""Of the picture from above."""
HALF = 0.5
"""Of the masks, and of the picture that figures are searched in."""
COARSE_MM = 2.0
"""From one place to the next where a part of a mask is counted."""
EDGE = 2
"""Cells along the edge of a piece where neighbours and shadows look in."""
SHADOW_MM = 5
"""Millimetres around the outline of what stands that its body and its shadow hide."""


@dataclass(frozen=True, eq=False)
class Shape:
    """How much ground a piece covers."""

    width: float
    """In millimetres, as is the height."""
    height: float
    stands: bool = False
    round: bool = False
    outline: Mask | None = None
    """Of what stands: 255 where it is, a cell a millimetre."""

    @property
    def fill(self) -> float:
        """How much of its rectangle it covers."""
        return np.pi / 4 if self.round else 1.0


@dataclass(frozen=True, eq=False)
class Detection:
    """A piece where it was found."""

    shape: Shape
    label: str
    pose: Poses
    """x, y and the angle by which the piece itself is turned."""
    likeness: float
    """To what the gallery has by that label."""
    confidence: float = 0
    runner_up: str = ""
    unrivalled: float = 0
    """The confidence where something else tells that it is not the runner-up."""
    row: int = 0
    """What of the gallery, or of the figures, it looks most like."""
    look: Vectors | None = None
    """Its embedding when nothing hid it: what it is compared with to tell whether it still lies there."""
    bare: Pixels | None = None
    """How it looked then, a cell a millimetre, where no drawing of ours tells: what stands on it is strange.
    Of a figure of wood, how its place looks."""
    usual: float = 1
    """Its likeness in parts of what half of the pieces have, if it is a printed one and nothing hides it."""
    before: Detection | None = None
    """What lay there when the table was explained before, if it has not been moved since."""
    rival: str = ""
    """What of another shape might stand there instead."""
    clear: float = 1
    """How clear it is that it does not."""


@dataclass(eq=False)
class Workspace:
    """The table as it is seen, and what of it is explained so far."""

    full: Pixels
    half: Pixels
    foreground: Mask
    """255 where something lies."""
    covered: Mask
    """255 where a known piece lies."""
    hidden: Mask
    """255 where something known stands on it."""
    lying: list[Detection] = field(default_factory=list)
    standing: list[Detection] = field(default_factory=list)

    @classmethod
    def of(cls, full: Pixels, foreground: Mask) -> Workspace:
        size = foreground.shape[1], foreground.shape[0]
        half = np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(full, half, foreground, np.zeros_like(foreground), np.zeros_like(foreground))

    def share(self, mask: Mask, shape: Shape, poses: Poses) -> Poses:
        """Which part of each footprint is set in a mask."""
        size = max(2, round(shape.width / COARSE_MM)), max(2, round(shape.height / COARSE_MM))
        return np.asarray(cut_crops(mask, poses, size, COARSE_MM, HALF).mean(axis=(1, 2)) / 255, np.float64)

    def shares(self, mask: Mask, pieces: Sequence[Detection]) -> Poses:
        """Which part of each piece's footprint is set in a mask."""
        parts = np.zeros(len(pieces))
        for shape in {piece.shape for piece in pieces}:
            of = [number for number, piece in enumerate(pieces) if piece.shape is shape]
            parts[of] = self.share(mask, shape, np.stack([pieces[number].pose for number in of]))
        return parts

    def inside(self, pose: Poses, side: float) -> Pixels:
        """The inside of a square that lies at a pose, a cell a millimetre, without its edges."""
        cells = round(side) - 2 * EDGE
        return np.asarray(cut_crops(self.full, pose[None], (cells, cells), 1.0, PX_PER_MM)[0])

    @property
    def open(self) -> Mask:
        """255 where something lies that is not explained."""
        return np.asarray(cv2.bitwise_and(self.foreground, cv2.bitwise_not(self.covered)), np.uint8)

    def take_away(self, pieces: Iterable[Detection]) -> None:
        """Take pieces for something unknown after all."""
        gone = {*pieces} & {*self.lying, *self.standing}
        if not gone:
            return
        lying, standing = self.lying, self.standing
        self.lying, self.standing = [], []
        self.covered[:], self.hidden[:] = 0, 0
        for piece in (*lying, *standing):
            if piece not in gone:
                self.place(piece)

    def place(self, piece: Detection) -> None:
        """Take a piece as found."""
        if piece.shape.outline is not None:
            self.standing.append(piece)
            outline = np.pad(piece.shape.outline, SHADOW_MM)
            kernel = np.ones((2 * SHADOW_MM + 1, 2 * SHADOW_MM + 1), np.uint8)
            lay(self.hidden, np.asarray(cv2.dilate(outline, kernel), np.uint8), piece.pose, HALF)
        else:
            self.lying.append(piece)
            fill_footprint(self.covered, piece.pose, piece.shape.width + 1, piece.shape.height + 1, HALF)
