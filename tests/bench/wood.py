"""Wooden followers as a camera above the table sees them, for the virtual table: pictures of figures in space.

They are rendered by what the network of followers learned from (`models.train.figure_scenes`), but are other figures:
what comes of them says how a table is followed, not how real wood is seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.observation import Face, Wood
from models.train.figure_scenes import BESIDE, SIDE, USUAL, camera_for, pictured, somebody

TILE_PX = 180
FAR = 5_000.0
"""Focal length in pixels: how high the camera hangs."""
TRIED = 12
"""Figures of which the one is taken that is most as wide as its face."""
THERE = 240
"""How much of what is below a pixel covers where the figure is, and no shadow."""


def carve(folder: Path, faces: Iterable[Face]) -> None:
    """Keep a picture of every figure of wood among these faces."""
    for number, face in enumerate(faces):
        if face.wood and face.wood.colour in USUAL:
            tried = [_from_above(face.wood, TRIED * number + seed) for seed in range(TRIED)]
            wide = face.width / face.height
            best = min(tried, key=lambda one: abs(np.log(one.shape[1] / one.shape[0] / wide)))
            cv2.imwrite(str(folder / f"{face.label}.png"), best)


def _from_above(wood: Wood, seed: int) -> Pixels:
    """A figure, cut to its outline; its fourth channel is how much of the table it hides."""
    foot, camera = np.array([SIDE / 2, SIDE / 2, 0.0]), camera_for(0, 0, 0, FAR, TILE_PX, np.zeros(2))
    size = (round((SIDE + 2 * BESIDE) * TILE_PX),) * 2
    dark, light = (
        pictured(rng, np.full((*size, 3), level, np.float32), {}, [figure], camera, bad=False).picture
        for level in (0, 255)
        for rng in [np.random.default_rng(seed)]
        for figure in [somebody(rng, foot, wood.pose, wood.colour)]
    )
    cover = 255 - (light.astype(np.float32) - dark).mean(axis=2)
    rows, columns = np.nonzero(cover > THERE)
    cut = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    paint = np.clip(dark[cut] / np.maximum(cover[cut], 1)[..., None] * 255, 0, 255)
    return np.asarray(np.dstack([paint, cover[cut]]), np.uint8)
