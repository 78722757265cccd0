"""Telling which face lies in an upright crop, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery import Crops, Templates, Vectors, features

Masks = NDArray[np.bool_]
Scores = tuple[tuple[str, float], ...]
"""Labels with what speaks for each, between 0 and 1; the best first."""

RIVALS = 6
"""Labels that the best one is compared with, where they differ from it."""
SOFTER = (0.0, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 1.8)
"""Cells by which a camera may blur more than the faces already are."""
DIFFERENT = 15.0
"""Levels by which two faces must differ in a cell for it to tell them apart."""
FEW = 5
"""Cells that must differ, or the two cannot be told apart."""
OFF = 45.0
"""Levels by which a cell may differ from its face and still be explained by it."""
ALIKE, CLEAR, SHOWN = (0.45, 0.8), (0.15, 0.65), (0.5, 0.85)
"""From no confidence to all of it: likeness to the face, lead over the rivals, and part that is explained."""
STRANGE = (0.6, 1.3)
"""From all confidence to none: how far a crop is from both of two faces, in parts of what they differ by."""


class Recogniser(Protocol):
    """Whatever can name the faces of one shape: the plain matcher here, or a trained one."""

    def recognise(self, crops: Pixels, visible: Masks) -> Sequence[Scores]:
        """Name the faces in upright crops of one size; what is hidden by something known is not visible."""
        ...


class Matcher:
    """Compares crops with the drawn faces of their shape, cell by cell."""

    def __init__(self, templates: Templates) -> None:
        self._sharp = templates = templates.upright
        self.templates = templates
        """The faces as softly as the camera shows them."""

    def adapt(self, crops: Pixels, labels: Sequence[str]) -> None:
        """Soften the faces as much as the camera does, which crops of known faces tell."""
        rows = [self.templates.labels.index(label) for label in labels]
        floats = crops.astype(np.float32)

        def off(templates: Templates) -> float:
            mask, pictures = templates.mask, templates.pictures
            pairs = zip(floats, rows, strict=True)
            return float(np.median([errors(crop[mask], pictures[row][mask]).mean() for crop, row in pairs]))

        if rows:
            self.templates = min((self._sharp.softened(soft) for soft in SOFTER), key=off)

    def recognise(self, crops: Pixels, visible: Masks) -> Sequence[Scores]:
        """Name the faces: sure only where nothing else looks like the crop, and the face explains all of it."""
        floats = crops.astype(np.float32)
        return [
            self._name(crop, mask & self.templates.mask) for crop, mask in zip(floats, visible, strict=True)
        ]

    def _name(self, crop: Crops, mask: Masks) -> Scores:
        if mask.sum() < 0.25 * self.templates.mask.sum():
            return ()
        scores = self._scores(crop, mask)
        first, *rivals = np.argsort(-scores)[: RIVALS + 1].tolist()
        seen = fitted(crop[mask], self.templates.pictures[first][mask])
        leads = [self._lead(seen, mask, first, rival) for rival in rivals]
        error = np.abs(seen - self.templates.pictures[first][mask]).mean(axis=1)
        alike, shown = ramp(float(scores[first]), ALIKE), ramp(float((error < OFF).mean()), SHOWN)
        whole = min(1.0, float(mask.sum() / self.templates.mask.sum()) + 0.3)
        sure = alike * shown * whole * ramp(min(leads, default=1.0), CLEAR)
        names = self.templates.labels
        order = sorted(zip(leads, rivals, strict=True), key=lambda pair: pair[0])
        others = [(names[row], min(sure, (1 - sure) * ramp(1 - lead, (0, 1)))) for lead, row in order]
        return ((names[first], sure), *others)

    def _scores(self, crop: Crops, mask: Masks) -> Vectors:
        seen = features(crop[None], mask)
        norm = max(float(np.linalg.norm(seen)), self.templates.faint * float(np.sqrt(mask.mean())))
        if mask.sum() == self.templates.mask.sum():
            return np.asarray(self.templates.vectors @ seen[0] / norm, np.float32)
        known = features(self.templates.pictures, mask)
        return np.asarray(known @ seen[0] / (np.linalg.norm(known, axis=1) * norm + 1e-6), np.float32)

    def _lead(self, seen: Vectors, mask: Masks, first: int, rival: int) -> float:
        """Where two faces differ: 1 when the crop is as the first, -1 when it is as the rival, 0 when it is neither."""
        pictures = self.templates.pictures
        apart = np.abs(pictures[first] - pictures[rival]).max(axis=2) > DIFFERENT
        differ = apart[mask]
        if differ.sum() < max(FEW, 0.6 * (apart & self.templates.mask).sum()):
            return 0.0
        there = pictures[rival][mask][differ]
        way = (pictures[first][mask][differ] - there).ravel()
        off = (seen[differ] - there).ravel()
        along = float(way @ off) / float(way @ way)
        beside = float(np.sqrt(((off - along * way) ** 2).mean() / (way**2).mean()))
        return max(-1.0, min(1.0, 2 * along - 1)) * (1 - ramp(beside, STRANGE))


def fitted(seen: Vectors, known: Vectors) -> Vectors:
    """Cells in the light of a face: the best gain and offset, which a few strange cells do not sway."""
    use = np.ones(len(seen), bool)
    found = seen
    for _ in range(3):
        x, y = seen[use], known[use]
        mean_x, mean_y = x.mean(), y.mean()
        gain = float(((x - mean_x) * (y - mean_y)).sum()) / (float(((x - mean_x) ** 2).sum()) + 1e-6)
        found = (seen - mean_x) * np.clip(gain, 0.5, 2.5) + mean_y
        error = np.abs(found - known).mean(axis=1)
        use = error <= max(float(np.quantile(error, 0.6)), OFF / 2)
    return np.asarray(found, np.float32)


def errors(seen: Vectors, known: Vectors) -> Vectors:
    """The difference of each cell from a face in the same light."""
    return np.asarray(np.abs(fitted(seen, known) - known).mean(axis=1), np.float32)


def ramp(value: float, between: tuple[float, float]) -> float:
    """0 below, 1 above, and straight in between."""
    low, high = between
    return min(1.0, max(0.0, (value - low) / (high - low)))
