"""Finding what is printed the same on many pieces, in grey: what their colours are does not matter, nor the light's."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.gallery import SOFT_MM, DrawnFace, Vectors
from companion.vision.poses import ROWS_LIMIT, Poses, displaced, offsets

Grey = NDArray[np.float32]
"""The table from above, a millimetre a pixel."""

SOLID = 0.75
"""How much of a cell has to be printed for it to count."""
TURNED = 40.0
"""Degrees from which two ways to lie in the same place are two."""
FLAT = 4.0
"""Levels of contrast below which nothing is printed anywhere."""


class Stencil:
    """One drawing at one fineness."""

    def __init__(self, drawn: DrawnFace, step: float) -> None:
        face = drawn.face
        px = drawn.picture.shape[1] / face.width
        soft = max(SOFT_MM, 0.4 * step) * px
        cover = drawn.picture[..., 3].astype(np.float32) / 255
        grey = grey_of(drawn.picture[..., :3])
        spread = cv2.GaussianBlur(cover, (0, 0), soft)
        light = cv2.GaussianBlur(grey * cover, (0, 0), soft) / np.maximum(spread, 1e-3)
        columns, rows = (int(side / step) for side in (face.width, face.height))
        x = (np.arange(columns) - (columns - 1) / 2) * step
        y = (np.arange(rows) - (rows - 1) / 2) * step
        cells = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
        u = np.clip(((cells[:, 0] + face.width / 2) * px).astype(int), 0, light.shape[1] - 1)
        v = np.clip(((cells[:, 1] + face.height / 2) * px).astype(int), 0, light.shape[0] - 1)
        printed = cv2.erode(spread, np.ones((3, 3), np.uint8))[v, u] > SOLID
        self.step = step
        self.cells = cells[printed].astype(np.float32)
        """Where they are from the middle, in millimetres."""
        values = light[v, u][printed]
        self.levels = np.asarray(values, np.float32)
        centred = values - values.mean()
        self._known = np.asarray(centred / np.linalg.norm(centred), np.float32)

    def crops(self, grey: Grey, poses: Poses) -> Vectors:
        """The cells as each pose shows them."""
        return sampled(grey, poses, self.cells)

    def scores(self, grey: Grey, poses: Poses) -> Vectors:
        """How much each pose shows what is printed: 1 is the same, 0 has nothing to do with it."""
        found = self.crops(grey, poses)
        found -= found.mean(axis=1, keepdims=True)
        norms = np.maximum(np.linalg.norm(found, axis=1), FLAT * np.sqrt(len(self.cells)))
        return np.asarray(found @ self._known / norms, np.float32)


class Stencils:
    """One drawing, from rough to fine."""

    def __init__(self, drawn: DrawnFace, coarse: float) -> None:
        self.face = drawn.face
        self.coarse, self.middle, self.fine = (Stencil(drawn, step) for step in (coarse, 2.0, 1.0))

    def settled(self, grey: Grey, pose: Poses, reach: float, turn: float) -> tuple[Poses, float]:
        """The pose near this one that shows most of it, and how much."""
        turns = tuple(np.arange(-turn, turn + 0.1, 2.0)) if turn else (0.0,)
        around = displaced(pose, offsets(reach, 2.0, turns))
        pose = around[int(self.middle.scores(grey, around).argmax())]
        for step in (0.8, 0.4):
            around = displaced(pose, offsets(2 * step, step, tuple(np.arange(-2, 2.1) * step)))
            scores = self.fine.scores(grey, around)
            pose = around[int(scores.argmax())]
        return pose, float(scores.max())


def grey_of(picture: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def sampled(picture: NDArray[np.float32], poses: Poses, cells: Vectors) -> Vectors:
    """A picture at places counted from each pose's middle, along its own axes."""
    turns = np.radians(poses[:, 2, None])
    c, s = np.cos(turns).astype(np.float32), np.sin(turns).astype(np.float32)
    x = poses[:, 0, None].astype(np.float32) + c * cells[:, 0] - s * cells[:, 1] - np.float32(0.5)
    y = poses[:, 1, None].astype(np.float32) + s * cells[:, 0] + c * cells[:, 1] - np.float32(0.5)
    parts = [
        cv2.remap(picture, x[i : i + ROWS_LIMIT], y[i : i + ROWS_LIMIT], cv2.INTER_LINEAR)
        for i in range(0, len(poses), ROWS_LIMIT)
    ]
    return np.asarray(np.concatenate(parts), np.float32)


def best_of(stencil: Stencil, grey: Grey, poses: Poses, most: int, apart: float) -> Sequence[Poses]:
    """The most promising of many poses, none of them near another one."""
    if not len(poses):
        return ()
    scores = stencil.scores(grey, poses)
    found: list[Poses] = []
    for index in np.argsort(-scores).tolist():
        pose = poses[index]
        if all(_far_apart(pose, other, apart) for other in found):
            found.append(pose)
        if len(found) == most:
            break
    return found


def _far_apart(one: Poses, other: Poses, millimetres: float) -> bool:
    turned = abs((one[2] - other[2] + 180) % 360 - 180)
    return bool(np.hypot(*(one - other)[:2]) > millimetres or turned > TURNED)
