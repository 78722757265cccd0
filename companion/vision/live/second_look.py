"""A second look at twins: two drawings that look much alike are compared with what is seen where they differ.

Works on cells of blue, green and red levels, n × 3, of a crop and of drawings in the same cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import Vectors
from companion.vision.live.workspace import EDGE, HALF, PX_PER_MM, Workspace
from companion.vision.poses import Poses, cut_crops, displaced, offsets

Masks = NDArray[np.bool_]

OFF = 45.0
"""Levels by which a cell may differ from its drawing and still be explained by it."""
DIFFERENT = 15.0
"""Levels by which two drawings must differ in a cell for it to tell them apart."""
FEW = 5
"""Cells that must differ, or the two cannot be told apart."""
PATTERN = 0.3
"""How much of a difference must be a pattern for the pattern alone to have to be there as well."""
STRANGE = (0.55, 1.1)
"""From all confidence to none: how far a crop is from both of two drawings, in parts of what they differ by."""


SOFT = (0.6, 0.9, 1.3, 1.8)
"""Cells by which cameras blur."""
NEAR = offsets(2.0, 1.0, (-2.0, 0.0, 2.0)), offsets(0.5, 0.5, (-1.0, 0.0, 1.0))
"""Millimetres and degrees by which a piece may lie beside where it was found: roughly, and then."""
JOLTED = offsets(2.0, 1.0, (-1.5, 0.0, 1.5))
"""Millimetres and degrees by which a piece may have been pushed and is still the one that lay there."""
SAME, LEAST_SHOWN, CROWN = 20.0, 0.35, 16
"""Levels by which a cell may differ from its own earlier look; the part of a piece that must be seen to tell; and how
many cells of another look may lie together: a crown has more."""
ENOUGH, PLENTY = 0.8, 120
"""Part of the cells that differ which must be seen, and how many of them are enough whatever hides the others."""


@dataclass(frozen=True, eq=False)
class DrawingFit:
    """A drawing laid over what is seen."""

    drawing: Pixels
    pose: Poses
    error: float
    """Levels by which a cell differs from the drawing, in the mean."""
    soft: float
    """How softly the camera shows it, in cells."""
    bare: Masks
    """The cells on which nothing stands."""
    seen: Vectors
    """These cells, in the light of the drawing."""
    drawn: Vectors
    """All cells of the drawing, as softly."""

    @property
    def alike(self) -> float:
        """Correlation of the bare cells with the drawing: 1 is the same, 0 has nothing to do with it."""
        drawn = self.drawn[self.bare]
        found, wanted = self.seen - self.seen.mean(axis=0), drawn - drawn.mean(axis=0)
        return float((found * wanted).sum() / np.sqrt((found**2).sum() * (wanted**2).sum() + 1e-6))


class Spot:
    """What is seen near a pose; drawings, upright and a cell a millimetre, are laid over it."""

    def __init__(self, view: Workspace, pose: Poses, side: int) -> None:
        self._view, self._pose, self._size = view, pose, (side - 2 * EDGE, side - 2 * EDGE)
        bare = cut_crops(view.hidden, pose[None], self._size, 1.0, HALF)[0].reshape(-1) < 128
        self.bare = bare if bare.any() else np.ones_like(bare)
        self._rough = self._cut(displaced(pose, NEAR[0]))

    def fit(self, drawing: Pixels) -> DrawingFit:
        """Where exactly a drawing lies."""
        bare, (rough, close) = self.bare, NEAR
        cells = drawn_cells(drawing, SOFT[1])[bare]
        pose = displaced(self._pose, rough[int(_errors(self._rough, cells).argmin())])
        places = displaced(pose, close)
        crops = self._cut(places)
        errors = _errors(crops, cells)
        best = int(errors.argmin())
        seen = crops[best]
        soft = min(SOFT, key=lambda soft: float(_errors(seen[None], drawn_cells(drawing, soft)[bare])[0]))
        drawn = drawn_cells(drawing, soft)
        light = fit_light(seen.T, drawn[bare])
        return DrawingFit(drawing, places[best], float(errors[best]), soft, bare, light, drawn)

    def likeness(self, drawings: Vectors) -> Vectors:
        """How much each of some drawings, as `drawn_planes` has them, is like what is bare, wherever it is most."""
        seen = _centred(self._rough)
        return np.asarray((seen @ _centred(drawings[:, :, self.bare]).T).max(axis=0), np.float32)

    def _cut(self, places: Poses) -> Vectors:
        return planes(cut_crops(self._view.full, places, self._size, 1.0, PX_PER_MM), self.bare)


def second_look(one: DrawingFit, other: DrawingFit) -> float:
    """Which of two drawings, laid over the same, lies there: 1 is the first, -1 the other, 0 neither.

    What stands on the piece is left out; where too little is seen of what tells them apart, it is neither.
    """
    if one.error <= other.error:
        return lead(one, drawn_cells(other.drawing, one.soft))
    return -lead(other, drawn_cells(one.drawing, other.soft))


def drawn_planes(drawings: Iterable[Pixels]) -> Vectors:
    """Drawings by colour, as softly as cameras mostly show them."""
    return np.array([drawn_cells(drawing, SOFT[1]).T for drawing in drawings], np.float32)


def _centred(planes: Vectors) -> Vectors:
    """Rows whose products are correlations, in whatever light."""
    rows = (planes - planes.mean(axis=2, keepdims=True)).reshape(len(planes), -1)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), np.float32)


def planes(crops: Pixels, cells: Masks) -> Vectors:
    """Some cells of each crop by colour, crops × 3 × n: a sum over many in a row is cheap, over three is not."""
    level = crops.reshape(len(crops), -1, 3)
    level = level if cells.all() else level[:, cells]
    return np.ascontiguousarray(level.transpose(0, 2, 1), np.float32)


def drawn_cells(drawing: Pixels, soft: float = SOFT[0]) -> Vectors:
    """The inside of a drawing, as softly as a camera shows it."""
    blurred = cv2.GaussianBlur(drawing.astype(np.float32), (0, 0), soft)[EDGE:-EDGE, EDGE:-EDGE]
    return np.asarray(blurred.reshape(-1, 3), np.float32)


def _errors(seen: Vectors, known: Vectors) -> Vectors:
    """How far each crop, by colour, is from the cells of a drawing, in its light and contrast."""
    found = seen - seen.mean(axis=2, keepdims=True)
    wanted = np.ascontiguousarray((known - known.mean(axis=0)).T).reshape(-1)
    found = found.reshape(len(seen), -1)
    gain = (found @ wanted) / (np.einsum("ij,ij->i", found, found) + 1e-6)
    found *= np.clip(gain, 0.5, 2.5)[:, None]
    found -= wanted
    return np.asarray(np.abs(found, out=found).mean(axis=1), np.float32)


def fit_light(seen: Vectors, known: Vectors) -> Vectors:
    """Cells in the light of a drawing: the best gain and offset, which a few strange cells do not sway."""
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


def light_errors(seen: Vectors, known: Vectors) -> Vectors:
    """The difference of each cell from a drawing in the same light."""
    return np.asarray(np.abs(fit_light(seen, known) - known).mean(axis=1), np.float32)


@dataclass(frozen=True, eq=False)
class EarlierLook:
    """A piece beside how it looked when nothing stood on it; what is known to stand there now is left out."""

    share: float
    """Which part of it is the same."""
    patch: int
    """How many cells that are not lie together at most, but for shadows around what stands there."""
    pose: Poses
    """Where exactly it lies now."""


def earlier_look(view: Workspace, pose: Poses, bare: Pixels) -> EarlierLook:
    """Compare a piece with how it looked."""
    side = len(bare)
    shown = cut_crops(view.hidden, pose[None], (side, side), 1.0, HALF)[0].reshape(-1) < 128
    if np.count_nonzero(shown) < LEAST_SHOWN * shown.size:
        return EarlierLook(0.0, side * side, pose)
    places = displaced(pose, JOLTED)
    cells = planes(cut_crops(view.full, places, (side, side), 1.0, PX_PER_MM), shown)
    before = bare.reshape(-1, 3)[shown].astype(np.float32)
    best = int(_errors(cells, before).argmin())
    other = light_errors(cells[best].T, before) >= SAME
    patches = np.zeros(side * side, np.uint8)
    patches[shown] = other
    away = cv2.erode(shown.reshape(side, side).astype(np.uint8), np.ones((7, 7), np.uint8))
    thing = cv2.bitwise_and(patches.reshape(side, side), away)
    return EarlierLook(float(1 - other.mean()), _largest(np.asarray(thing, np.uint8)), places[best])


def _largest(cells: NDArray[np.uint8]) -> int:
    """How many of these cells lie together at most; lines along the edges of things do not count."""
    thick = cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    _count, _which, stats, _middles = cv2.connectedComponentsWithStats(thick, connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def lead(fit: DrawingFit, other: Vectors) -> float:
    """1 where what is seen is as the drawing that was laid over it, -1 where it is as the other, 0 where neither."""
    return lead_in(fit.seen, fit.drawn, other, fit.bare)


def shown_apart(drawings: Vectors, one: int, bare: Masks) -> Masks:
    """Which of some drawings, as `drawn_planes` has them, can be told from one of them by what is bare."""
    differ = np.abs(drawings - drawings[one]).max(axis=1) > DIFFERENT
    enough = np.minimum(PLENTY, ENOUGH * np.count_nonzero(differ, axis=1))
    return np.asarray(np.count_nonzero(differ & bare, axis=1) >= np.maximum(FEW, enough), np.bool_)


def lead_in(seen: Vectors, one: Vectors, other: Vectors, bare: Masks | None = None) -> float:
    """The same of cells in the light of the first drawing; of those that are bare, where some are not."""
    differ = np.abs(one - other).max(axis=1) > DIFFERENT
    there = differ if bare is None else differ[bare]
    if np.count_nonzero(there) < max(FEW, min(PLENTY, ENOUGH * np.count_nonzero(differ))):
        return 0.0
    if bare is not None:
        one, other = one[bare], other[bare]
    way, off = (one - other)[there], (seen - other)[there]
    found, pattern = _share(off, way), way - way.mean(axis=0)
    if (pattern**2).sum() > PATTERN * (way**2).sum():  # a veil of light must not look like a missing drawing
        found = min(found, _share(off - off.mean(axis=0), pattern))
    return found


def _share(off: Vectors, way: Vectors) -> float:
    """How far along a way something is, from -1 to 1 at its end; 0 when it is elsewhere."""
    along = float((way * off).sum()) / float((way**2).sum() + 1e-6)
    beside = float(np.sqrt(((off - along * way) ** 2).mean() / ((way**2).mean() + 1e-6)))
    return max(-1.0, 2 * min(along, 2 - along) - 1) * (1 - ramp(beside, STRANGE))


def ramp(value: float, between: tuple[float, float]) -> float:
    """0 below, 1 above, and straight in between."""
    low, high = between
    return min(1.0, max(0.0, (value - low) / (high - low)))
