"""A second look at twins: two drawings that look much alike are compared with what is seen where they differ.

Works on cells of blue, green and red levels, `n × 3`, of a crop and of drawings in the same cells.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.squares import Vectors
from companion.vision.live.workspace import PX_PER_MM, Workspace
from companion.vision.poses import Poses, cut_crops, displaced, offsets

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


SOFT = 0.7
"""Cells by which a camera blurs."""
EDGE = 2
"""Cells along the edge where neighbours and shadows look in."""
NEAR = offsets(1.0, 0.5, (0.0,))
"""Millimetres by which a piece may lie beside where it was found."""


def second_look(view: Workspace, pose: Poses, one: Pixels, other: Pixels) -> float:
    """Which of two drawings, a cell a millimetre, lies at a pose: 1 is the first, -1 the other, 0 neither."""
    side = len(one) - 2 * EDGE
    drawn = [_cells(drawing) for drawing in (one, other)]
    crops = cut_crops(view.full, displaced(pose, NEAR), (side, side), 1.0, PX_PER_MM)
    lit = [[fit_light(crop.reshape(-1, 3).astype(np.float32), known) for crop in crops] for known in drawn]
    errors = [
        [float(np.abs(seen - known).mean()) for seen in every]
        for every, known in zip(lit, drawn, strict=True)
    ]
    best = int(np.min(errors, axis=0).argmin())
    first = errors[0][best] <= errors[1][best]
    found = lead(lit[not first][best], drawn[not first], drawn[first])
    return found if first else -found


def _cells(drawing: Pixels) -> Vectors:
    soft = cv2.GaussianBlur(drawing.astype(np.float32), (0, 0), SOFT)[EDGE:-EDGE, EDGE:-EDGE]
    return np.asarray(soft.reshape(-1, 3), np.float32)


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


def lead(seen: Vectors, one: Vectors, other: Vectors) -> float:
    """1 where what is seen is as the first drawing, -1 where it is as the other, 0 where it is neither.

    `seen` is in the light of the first.
    """
    differ = np.abs(one - other).max(axis=1) > DIFFERENT
    if np.count_nonzero(differ) < FEW:
        return 0.0
    way, off = (one - other)[differ], (seen - other)[differ]
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
