"""Telling which face lies in an upright crop, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
DIFFERENT = 28.0
"""Levels by which two faces must differ in a cell for it to tell them apart."""
FEW = 5
"""Cells that must differ, or the two cannot be told apart."""
OFF = 45.0
"""Levels by which a cell may differ from its face and still be explained by it."""
ALIKE, CLEAR, SHOWN = (0.45, 0.8), (0.12, 0.5), (0.5, 0.85)
"""From no confidence to all of it: likeness to the face, lead over the rivals, and part that is explained."""


class Recogniser(Protocol):
    """Whatever can name the faces of one shape: the plain matcher here, or a trained one."""

    def recognise(self, crops: Pixels, visible: Masks) -> Sequence[Scores]:
        """Name the faces in upright crops of one size; what is hidden by something known is not visible."""
        ...


@dataclass(frozen=True)
class Matcher:
    """Compares crops with the drawn faces of their shape, cell by cell."""

    templates: Templates

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
        rows = self._best_rows(scores)
        first, rivals = rows[0], rows[1 : RIVALS + 1]
        error = self._errors(crop, mask, first)
        leads = [self._lead(crop, mask, first, error, rival) for rival in rivals]
        alike, shown = ramp(float(scores[first]), ALIKE), ramp(float((error < OFF).mean()), SHOWN)
        seen = min(1.0, float(mask.sum() / self.templates.mask.sum()) + 0.3)
        sure = alike * shown * seen * ramp(min(leads, default=1.0), CLEAR)
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

    def _best_rows(self, scores: Vectors) -> Sequence[int]:
        """The best way to lie for every label, the best label first."""
        best: dict[str, int] = {}
        for row in np.argsort(-scores).tolist():
            best.setdefault(self.templates.labels[row], row)
        return list(best.values())

    def _errors(self, crop: Crops, mask: Masks, row: int) -> Vectors:
        """How far the visible cells are from that face, once its light is the same."""
        return errors(crop[mask], self.templates.pictures[row][mask])

    def _lead(self, crop: Crops, mask: Masks, first: int, error: Vectors, rival: int) -> float:
        """Where two faces differ: how much nearer the crop is to the first, between -1 and 1."""
        pictures = self.templates.pictures
        apart = np.abs(pictures[first] - pictures[rival]).max(axis=2)
        differ = apart[mask] > DIFFERENT
        if differ.sum() < max(FEW, 0.5 * (apart[self.templates.mask] > DIFFERENT).sum()):
            return 0.0
        mine, other = error[differ].sum(), self._errors(crop, mask, rival)[differ].sum()
        return float((other - mine) / (other + mine + 1e-6))


def errors(seen: Crops, known: Crops) -> Vectors:
    """The difference of each cell after the best gain and offset, which a few strange cells do not sway."""
    use = np.ones(len(seen), bool)
    fitted = seen
    for _ in range(3):
        x, y = seen[use], known[use]
        mean_x, mean_y = x.mean(0), y.mean(0)
        varied = float(((x - mean_x) ** 2).sum())
        gain = float(((x - mean_x) * (y - mean_y)).sum()) / (varied + 1e-6)
        fitted = (seen - mean_x) * np.clip(gain, 0.5, 3.0) + mean_y
        error = np.abs(fitted - known).mean(axis=1)
        use = error <= max(float(np.quantile(error, 0.6)), OFF / 2)
    return np.asarray(np.abs(fitted - known).mean(axis=1), np.float32)


def ramp(value: float, between: tuple[float, float]) -> float:
    """0 below, 1 above, and straight in between."""
    low, high = between
    return min(1.0, max(0.0, (value - low) / (high - low)))
