"""Corners and blobs of a picture; a large one is gone through in parts, since all of it would take 0.7 GB."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.likeness import Vectors, detector

KeypointRows = NDArray[np.float64]

PART = 720
"""Pixels of the longest side that is looked at as a whole."""
BESIDE = 96
"""Pixels of its neighbours that each part sees: what describes a point reaches so far."""
EVEN = 32
"""Parts begin at multiples of it, so that each is halved and halved again at the same pixels as the whole."""


def keypoints(picture: Pixels, most: int) -> tuple[KeypointRows, Vectors]:
    """The strongest points of a grey picture, each with x, y, size and angle, and what describes them."""
    found, described = np.zeros((0, 6)), np.zeros((0, 128), np.float32)
    for across in _parts(picture.shape[1]):
        for down in _parts(picture.shape[0]):
            rows, descriptors = _part(picture, across, down, most)
            rows[:, 5] += len(described)
            found, described = np.vstack([found, rows]), np.vstack([described, descriptors])
    best = found[np.argsort(-found[:, 4])[:most]]
    return best[:, :4], described[best[:, 5].astype(int)]


def _part(
    picture: Pixels, across: tuple[int, int], down: tuple[int, int], most: int
) -> tuple[KeypointRows, Vectors]:
    """All points of a part, each with its strength and with where its description is, if it is among the strongest."""
    (left, right), (top, bottom) = across, down
    x, y = max(left - BESIDE, 0), max(top - BESIDE, 0)
    seen = np.ascontiguousarray(picture[y : bottom + BESIDE, x : right + BESIDE])
    keypoints, descriptors = detector().detectAndCompute(seen, None)
    if descriptors is None:
        return np.zeros((0, 6)), np.zeros((0, 128), np.float32)
    rows = np.array([(k.pt[0] + x, k.pt[1] + y, k.size, k.angle, k.response, -1) for k in keypoints])
    own = (left <= rows[:, 0]) & (rows[:, 0] < right) & (top <= rows[:, 1]) & (rows[:, 1] < bottom)
    rows, descriptors = rows[own], descriptors[own]
    least = np.sort(rows[:, 4])[-most] if len(rows) > most else -np.inf
    strongest = np.flatnonzero(rows[:, 4] >= least)
    rows[strongest, 5] = np.arange(len(strongest))
    return rows, descriptors[strongest]


def _parts(size: int) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends, without what it sees of its neighbours."""
    count = 1 if size <= PART else -(-size // (PART - 2 * BESIDE - EVEN))
    ends = [round(size * n / count / EVEN) * EVEN for n in range(1, count)]
    yield from zip([0, *ends], [*ends, size], strict=True)
