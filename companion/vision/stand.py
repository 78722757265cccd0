"""Finding what stands on pieces or on the cloth: in what no lying piece explains."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.classify import errors
from companion.vision.gallery import COARSE, Shape
from companion.vision.ground import Mask, pieces_of
from companion.vision.locate import promising
from companion.vision.poses import Poses, displaced, offsets
from companion.vision.refine import refined
from companion.vision.workspace import HALF, Placed, Workspace

STRANGE = 40.0
"""Levels by which a cell differs from its face when something else is seen there."""
TURNS = tuple(float(turn) for turn in range(0, 360, 15))
REACH = 8.0
"""Millimetres around the middle of something strange in which its own middle may be."""
LIKE = 0.6
SMALL, LARGE = 0.2, 3.0
"""Parts of a standing piece's square between which something strange may be one."""
COMMON = 0.3
"""How much of two standing pieces' squares may be the same place."""


def strange(view: Workspace, pieces: Sequence[Placed]) -> Mask:
    """255 where these pieces do not look like their faces."""
    mask = np.zeros_like(view.foreground)
    for piece in pieces:
        templates = piece.shape.fine
        crop = view.fine(templates, piece.pose[None])[0].astype(np.float32)
        columns, rows = templates.size
        error = errors(crop.reshape(-1, 3), templates.pictures[piece.row].reshape(-1, 3)).reshape(
            rows, columns
        )
        wrong = np.asarray(cv2.blur(error, (3, 3)) > STRANGE, np.bool_)
        _draw(mask, np.asarray(wrong & templates.mask, np.uint8) * 255, piece.pose)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _draw(mask: Mask, crop: Pixels, pose: Poses) -> None:
    """Lay an upright crop of one millimetre a cell into a mask."""
    rows, columns = crop.shape
    reach = float(np.hypot(rows, columns)) / 2 * HALF + 2
    left, top = (max(0, int(pose[i] * HALF - reach)) for i in (0, 1))
    part = mask[top : top + int(2 * reach) + 1, left : left + int(2 * reach) + 1]
    c, s = np.cos(np.radians(pose[2])) * HALF, np.sin(np.radians(pose[2])) * HALF
    x, y = (columns - 1) / 2, (rows - 1) / 2
    middle = pose[0] * HALF - 0.5 - left, pose[1] * HALF - 0.5 - top
    turn = np.array([[c, -s, middle[0] - c * x + s * y], [s, c, middle[1] - s * x - c * y]])
    laid = cv2.warpAffine(crop, turn, (part.shape[1], part.shape[0]), flags=cv2.INTER_LINEAR)
    np.maximum(part, np.where(laid > 127, np.uint8(255), np.uint8(0)), out=part)


class Finder:
    """Finds the standing pieces of some shapes."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.shapes = tuple(shape for shape in shapes if shape.stands)
        self.smallest = min((0.3 * min(shape.width, shape.height) for shape in self.shapes), default=0.0)

    def find(self, view: Workspace, where: Mask) -> None:
        """Place what stands in what is strange."""
        for shape in self.shapes:
            for part in pieces_of(where):
                self._search(view, shape, part)

    def _search(self, view: Workspace, shape: Shape, part: Mask) -> None:
        """Take the best one out of something strange, and look again at what remains."""
        square = shape.width * shape.height * HALF**2
        for _ in range(4):
            part = np.asarray(cv2.bitwise_and(part, cv2.bitwise_not(view.hidden)), np.uint8)
            area = cv2.countNonZero(part)
            if not SMALL * square <= area:
                return
            found = self._best(view, shape, part, area > LARGE * square)
            if found is None or found.likeness < LIKE:
                return
            if view.share(view.hidden, shape, found.pose[None])[0] > COMMON:
                return
            view.place(found)

    def _best(self, view: Workspace, shape: Shape, part: Mask, large: bool) -> Placed | None:
        rough, fine = shape.coarse, shape.fine
        poses = _around(part, shape, large)
        scores = rough.scores(view.coarse(rough, poses))
        rows = np.array(promising(rough, scores))
        exact, likeness = refined(view, fine, rows, poses[scores[:, rows].argmax(axis=0)])
        best = int(likeness.argmax())
        return Placed(shape, fine.labels[rows[best]], exact[best], float(likeness[best]))


def _around(part: Mask, shape: Shape, large: bool) -> Poses:
    """Poses to try: around the middle of something of about the right size, all over something larger."""
    turns = (0.0,) if shape.face.round else TURNS
    if large:
        rows, columns = (places[:: max(1, len(places) // 300)] for places in np.nonzero(part))
        middles = (np.stack([columns, rows], -1) + 0.5) / HALF
        every = [np.column_stack([middles, np.full(len(middles), turn)]) for turn in turns[:: 1 + large]]
        return np.concatenate(every)
    moments = cv2.moments(part, binaryImage=True)
    x, y = ((moments[key] / moments["m00"] + 0.5) / HALF for key in ("m10", "m01"))
    return displaced(np.array([[x, y, 0.0]]), offsets(REACH, COARSE, turns))
