"""Telling which face lies in an upright crop, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.drawn import SOFT_MM, Crops, FaceShape, Templates, Vectors, light_free

Masks = NDArray[np.bool_]
Scores = tuple[tuple[str, float], ...]
"""Labels with what speaks for each, between 0 and 1; the best first."""

RIVALS = 6
"""Faces that the best one is compared with where they differ from it, and the same ones turned otherwise."""
NOTHING = 0.12
"""Below this it is none of the faces."""
SOFTER = (SOFT_MM, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.1, 2.4)
"""Millimetres by which cameras blur."""
DIFFERENT = 15.0
"""Levels by which two faces must differ in a cell for it to tell them apart."""
ENOUGH, PLENTY = 0.8, 120
"""Part of the cells that differ which must be seen, and how many of them are enough whatever hides the others."""
FEW = 5
"""Cells that must differ, or the two cannot be told apart."""
OFF = 45.0
"""Levels by which a cell may differ from its face and still be explained by it."""
ALIKE, DRAWN, CLEAR, SHOWN = (0.45, 0.8), (0.3, 0.7), (0.15, 0.65), (0.75, 0.95)
"""From no confidence to all of it: likeness to the face, to its drawing, lead over rivals, and part explained."""
OTHER = (18.0, 36.0)
"""From all confidence to none: levels by which a crop differs from a face in the same white light."""
VEIL = (30.0, 60.0)
"""From all confidence to none: levels that a reflection adds."""
PATTERN = 0.3
"""How much of a difference between two faces must be a pattern for the pattern alone to have to be there as well."""
STRANGE = (0.55, 1.1)
"""From all confidence to none: how far a crop is from both of two faces, in parts of what they differ by."""


class Matcher:
    """Compares crops with the drawn faces of their shape, cell by cell."""

    def __init__(self, shape: FaceShape) -> None:
        self._shape = shape
        self.templates = shape.softened(SOFT_MM)
        """The faces as softly as the camera shows them."""

    def adapt(self, crops: Pixels, labels: Sequence[str]) -> None:
        """Soften the faces as much as the camera does, which crops of known faces tell."""
        rows = [self.templates.labels.index(label) for label in labels]
        floats = crops.astype(np.float32)

        def off(templates: Templates) -> float:
            mask, pictures = templates.mask, templates.pictures
            pairs = zip(floats, rows, strict=True)
            return float(
                np.median([light_errors(crop[mask], pictures[row][mask]).mean() for crop, row in pairs])
            )

        if rows:
            self.templates = min(map(self._shape.softened, SOFTER), key=off)

    def recognise(self, crops: Pixels, visible: Masks) -> Sequence[Scores]:
        """Name the faces in upright crops of one size; what is hidden by something known is not visible.

        Sure only where nothing else looks like the crop, and the face explains all of it; no label where it is none.
        """
        floats = crops.astype(np.float32)
        return [
            self._name(crop, mask & self.templates.mask) for crop, mask in zip(floats, visible, strict=True)
        ]

    def _name(self, crop: Crops, mask: Masks) -> Scores:
        if mask.sum() < 0.25 * self.templates.mask.sum():
            return ()
        scores = self._scores(crop, mask)
        upright = np.flatnonzero(self.templates.turns == 0)
        first = int(upright[scores[upright].argmax()])
        rivals = self._rivals(scores, first)
        seen = fit_light(crop[mask], self.templates.pictures[first][mask])
        leads = [self._lead(seen, mask, first, rival) for rival in rivals]
        error = np.abs(seen - self.templates.pictures[first][mask]).mean(axis=1)
        alike = self._alike(crop, mask, first, float(scores[first]))
        shown = ramp(float((error < OFF).mean()), SHOWN) * (1 - ramp(veil(crop[mask], seen), VEIL))
        whole = min(1.0, float(mask.sum() / self.templates.mask.sum()) + 0.3)
        known = alike * shown * whole
        if known < NOTHING:
            return ()
        sure = known * ramp(min(leads, default=1.0), CLEAR)
        names = self.templates.labels
        order = sorted(zip(leads, rivals, strict=True), key=lambda pair: pair[0])
        others = [(names[row], min(sure, (1 - sure) * ramp(1 - lead, (0, 1)))) for lead, row in order]
        return ((names[first], sure), *(other for other in others if other[0] != names[first]))

    def _rivals(self, scores: Vectors, first: int) -> list[int]:
        """The other faces as they would lie to look most like the crop, and the same face turned otherwise."""
        names = self.templates.labels
        every = np.argsort(-scores).tolist()
        others: dict[str, int] = {}
        for row in every:
            others.setdefault(names[row], row)
        others.pop(names[first], None)
        turned = [row for row in every if names[row] == names[first] and row != first]
        return [*list(others.values())[:RIVALS], *turned]

    def _alike(self, crop: Crops, mask: Masks, row: int, score: float) -> float:
        """How much the crop shows that face: by what is drawn, or by the very colours where little is."""
        off = float(np.abs(crop[mask] - self.templates.pictures[row][mask]).mean())
        drawn = ramp(score, ALIKE)
        if mask.all():
            drawn = min(drawn, ramp(float(self.templates.structure(crop[None], np.array([row]))[0]), DRAWN))
        return max(drawn, 1 - ramp(off, OTHER))

    def _scores(self, crop: Crops, mask: Masks) -> Vectors:
        seen = light_free(crop[None], mask)
        norm = max(float(np.linalg.norm(seen)), self.templates.faint * float(np.sqrt(mask.mean())))
        if mask.sum() == self.templates.mask.sum():
            return np.asarray(self.templates.vectors @ seen[0] / norm, np.float32)
        known = light_free(self.templates.pictures, mask)
        return np.asarray(known @ seen[0] / (np.linalg.norm(known, axis=1) * norm + 1e-6), np.float32)

    def _lead(self, seen: Vectors, mask: Masks, first: int, rival: int) -> float:
        """Where two faces differ: 1 when the crop is as the first, -1 when it is as the rival, 0 when it is neither."""
        pictures = self.templates.pictures
        off = np.abs(pictures[first] - pictures[rival])
        apart = np.maximum(np.maximum(off[..., 0], off[..., 1]), off[..., 2]) > DIFFERENT
        differ = apart[mask]
        if differ.sum() < max(FEW, min(PLENTY, ENOUGH * (apart & self.templates.mask).sum())):
            return 0.0
        there = pictures[rival][mask][differ]
        way, off = pictures[first][mask][differ] - there, seen[differ] - there
        lead = _share(off, way)
        pattern = way - way.mean(axis=0)
        if (pattern**2).sum() > PATTERN * (
            way**2
        ).sum():  # a veil of light must not look like a missing drawing
            lead = min(lead, _share(off - off.mean(axis=0), pattern))
        return lead


def _share(off: Vectors, way: Vectors) -> float:
    """How far along a way something is, from -1 to 1 at its end; 0 when it is elsewhere."""
    along = float((way * off).sum()) / float((way**2).sum())
    beside = float(np.sqrt(((off - along * way) ** 2).mean() / (way**2).mean()))
    return max(-1.0, 2 * min(along, 2 - along) - 1) * (1 - ramp(beside, STRANGE))


def fit_light(seen: Vectors, known: Vectors) -> Vectors:
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


def veil(seen: Vectors, fitted: Vectors) -> float:
    """The levels of what would be black: a lamp's reflection lies over a drawing like a veil, light itself does not."""
    x, y = seen.ravel(), fitted.ravel()
    low, high = int(x.argmin()), int(x.argmax())
    gain = float((y[high] - y[low]) / (x[high] - x[low] + 1e-6))
    return float(x[low] - y[low] / max(gain, 0.1))


def light_errors(seen: Vectors, known: Vectors) -> Vectors:
    """The difference of each cell from a face in the same light."""
    return np.asarray(np.abs(fit_light(seen, known) - known).mean(axis=1), np.float32)


def ramp(value: float, between: tuple[float, float]) -> float:
    """0 below, 1 above, and straight in between."""
    low, high = between
    return min(1.0, max(0.0, (value - low) / (high - low)))
