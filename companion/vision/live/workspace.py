"""One still view of the table while it is being explained, piece by piece."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.gallery import COARSE, FINE, Crops, FaceShape, Masks, Templates
from companion.vision.poses import Poses, cut, lay, stamp
from companion.vision.table.ground import Mask

PX_PER_MM = 1.0
"""Of the picture from above."""
SHADOW_MM = 5
"""Millimetres around the outline of what stands that its body and its shadow hide."""
LEAST_SEEN = 0.4
"""How much of a piece must be seen for it to be compared at all."""
HALF = 0.5
"""Of the masks, and of the picture that pieces are searched in."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A piece where it was found."""

    shape: FaceShape
    label: str
    pose: Poses
    """x, y and the angle by which the face itself is turned."""
    likeness: float
    """Between the crop and the face."""
    confidence: float = 0
    explained: float = 0
    """How much of the crop the face explains."""
    runner_up: str = ""
    rival: str = ""
    """What of another shape might stand there instead."""
    clear: float = 1
    """How clear it is that it does not."""
    before: Detection | None = None
    """What lay there when the table was explained before, if it has not been moved since."""

    @property
    def row(self) -> int:
        """Its upright template."""
        return self.shape.fine.labels.index(self.label)


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

    def coarse(self, templates: Templates, poses: Poses) -> Crops:
        return cut(self.half, poses, templates.size, COARSE, HALF).astype(np.float32)

    def fine(self, templates: Templates, poses: Poses) -> Pixels:
        return cut(self.full, poses, templates.size, FINE, PX_PER_MM)

    def share(self, mask: Mask, shape: FaceShape, poses: Poses) -> Poses:
        """Which part of each footprint is set in a mask."""
        size = max(2, round(shape.width / COARSE)), max(2, round(shape.height / COARSE))
        return np.asarray(cut(mask, poses, size, COARSE, HALF).mean(axis=(1, 2)) / 255, np.float64)

    @property
    def open(self) -> Mask:
        """255 where something lies that is not explained."""
        return np.asarray(cv2.bitwise_and(self.foreground, cv2.bitwise_not(self.covered)), np.uint8)

    def seen_through(self, templates: Templates, poses: Poses) -> tuple[Crops, Masks]:
        """Crops, and which of their cells nothing hides that stands there."""
        crops = self.coarse(templates, poses) if templates.step == COARSE else self.fine(templates, poses)
        floats = crops.astype(np.float32)
        seen = np.broadcast_to(templates.mask, floats.shape[:3])
        if not self.standing:
            return floats, seen
        hidden = cut(self.hidden, poses, templates.size, templates.step, HALF) > 127
        bare = seen & ~hidden
        enough = bare.sum(axis=(1, 2)) > LEAST_SEEN * templates.mask.sum()
        return floats, np.where(enough[:, None, None], bare, seen)

    def take_away(self, pieces: Iterable[Detection]) -> None:
        """Take pieces for something unknown after all."""
        gone = set(pieces)
        lying, standing = self.lying, self.standing
        self.lying, self.standing = [], []
        self.covered[:], self.hidden[:] = 0, 0
        for piece in (*lying, *standing):
            if piece not in gone:
                self.place(piece)

    def place(self, piece: Detection) -> None:
        """Take a piece as found."""
        if piece.shape.stands:
            self.standing.append(piece)
            outline = np.pad(np.where(piece.shape.fine.mask, np.uint8(255), np.uint8(0)), SHADOW_MM)
            kernel = np.ones((2 * SHADOW_MM + 1, 2 * SHADOW_MM + 1), np.uint8)
            lay(self.hidden, np.asarray(cv2.dilate(outline, kernel), np.uint8), piece.pose, HALF)
        else:
            self.lying.append(piece)
            stamp(self.covered, piece.pose, piece.shape.width + 1, piece.shape.height + 1, HALF)
