"""Moving a rough pose to where the face fits best, to a fraction of a millimetre and a degree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.light import brightness
from companion.vision.gallery.gallery import Crops, Masks, Templates, Vectors
from companion.vision.live.workspace import Workspace
from companion.vision.poses import Poses, displaced

ROUNDS = 4
HALF_WEIGHT = 30.0
"""Levels at which a cell's say is halved, so that what hides a part does not pull the rest."""
ROUND_MM, ROUND_RADIANS = 1.5, 0.05
"""Not further in one round."""


def refine_poses(
    view: Workspace, templates: Templates, rows: NDArray[np.intp], poses: Poses, rounds: int = ROUNDS
) -> tuple[Poses, Poses, Poses]:
    """Better poses for some templates, each beginning at its own; how much it looks like its template there, and
    how much of it that template explains."""
    known = templates.pictures[rows].reshape(len(rows), -1, 3)
    slopes = templates.slopes[rows].reshape(len(rows), -1, 3, 3)
    crops, seen = _crops(view, templates, poses)
    for _ in range(rounds):
        poses = displaced(poses, _step(_alike(crops, known, seen), known, slopes, seen))
        crops, seen = _crops(view, templates, poses)
    scores = templates.likeness(crops, rows, seen)
    return poses, scores, _explained(_alike(crops, known, seen), known, seen)


def _crops(view: Workspace, templates: Templates, poses: Poses) -> tuple[Crops, Masks]:
    """What is seen of lying pieces beside what stands on them, or of what stands."""
    if templates.stands:
        crops = view.fine(templates, poses).astype(np.float32)
        return crops, np.broadcast_to(templates.mask, crops.shape[:3])
    return view.seen_through(templates, poses)


def _explained(crops: Crops, known: Crops, seen: Masks) -> Poses:
    """How much of each crop its template explains: what hides a part costs nothing."""
    off, weights = brightness(np.abs(crops - known)), _weights(seen)
    return np.asarray(((1 / (1 + (off / HALF_WEIGHT) ** 2)) * weights).sum(1), np.float64)


def _weights(seen: Masks) -> Vectors:
    """What each cell counts for."""
    weights = seen.reshape(len(seen), -1).astype(np.float32)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _alike(crops: Crops, known: Crops, seen: Masks) -> Crops:
    """The crops in the light of their templates."""
    found, weights = crops.reshape(known.shape), _weights(seen)
    mean, there = (np.einsum("ni,nic->nc", weights, part)[:, None] for part in (found, known))
    found, wanted = found - mean, known - there
    spreads = [np.sqrt(np.einsum("nij,nij,ni->n", part, part, weights) / 3) for part in (found, wanted)]
    gain = np.minimum(spreads[1] / (spreads[0] + 1), 4)
    return np.asarray(found * gain[:, None, None] + there, np.float32)


def _step(crops: Crops, known: Crops, slopes: Crops, seen: Masks) -> Poses:
    off = crops - known
    weight = seen.reshape(*off.shape[:2], 1) / (1 + (brightness(np.abs(off))[..., None] / HALF_WEIGHT) ** 2)
    count = len(known)
    flat = (slopes * weight[..., None]).reshape(count, -1, 3)
    pull = flat.transpose(0, 2, 1) @ off.reshape(count, -1, 1)
    stiff = flat.transpose(0, 2, 1) @ slopes.reshape(count, -1, 3) + np.diag([1, 1, 100]) * 1e3
    step = -np.linalg.solve(stiff.astype(np.float64), pull.astype(np.float64))[..., 0]
    step[:, :2] = np.clip(step[:, :2], -ROUND_MM, ROUND_MM)
    step[:, 2] = np.degrees(np.clip(step[:, 2], -ROUND_RADIANS, ROUND_RADIANS))
    return np.asarray(step, np.float64)
