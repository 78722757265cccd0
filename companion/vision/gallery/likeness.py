"""How much square pieces look like the drawings of a gallery, whichever way they are turned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from models.networks import load_network

Vectors = NDArray[np.float32]

CELL = 24
"""Pixels of a square's side where its colours are looked at."""
TRIM = 2
"""Pixels left out along each side, where neighbours and gaps look in."""
INNER_SIDE = CELL - 2 * TRIM
CLOSER = 2
"""How many times finer a square is where the network looks at it."""
NETWORK = "squares"
TINT = 0.6
"""How much a square's own colour weighs beside what is drawn on it."""
POINTS = 40
"""Corners and blobs remembered of each drawing, the strongest first."""
DRAWN = 128
"""Pixels of a drawing's side when its points are looked for."""


@dataclass(frozen=True, eq=False)
class SquareGallery:
    """Square drawings as numbers: what a square is compared with, and points by which one is found in a picture."""

    labels: tuple[str, ...]
    """Of each row; the same label as often as there are drawings of it and ways to turn it."""
    turns: NDArray[np.int64]
    """Quarter turns clockwise of each row."""
    traits: Vectors
    """What the network says of each row."""
    colours: Vectors
    """The mean blue, green and red of each row."""
    places: Vectors
    """Of each point: x and y within its square from 0 to 1, its size in squares, its angle in degrees."""
    descriptors: Vectors

    def scores(self, crops: Vectors) -> Vectors:
        """How much each crop (row) looks like each drawing (column): 1 is the same."""
        return np.asarray(embed(crops) @ self.traits.T, np.float32)


def embed(crops: Vectors) -> Vectors:
    """What the network says of crops."""
    return load_network(NETWORK).describe(crops)


def colour_features(crops: Vectors) -> Vectors:
    """Pixels without their brightness, and without a part of their tint."""
    cells = crops.reshape(len(crops), -1, 3)
    mean = cells.mean(axis=1, keepdims=True)
    grey = mean.mean(axis=2, keepdims=True)
    return np.asarray((cells - (mean - (mean - grey) * TINT)).reshape(len(crops), -1), np.float32)


def network_crop(picture: Pixels) -> Vectors:
    """The inside of a picture of one square, as small as the network takes it."""
    size, trim = CELL * CLOSER, TRIM * CLOSER
    cell = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cell[trim:-trim, trim:-trim], np.float32)


def gallery_of(drawings: Iterable[tuple[str, Pixels]], points: bool = True) -> SquareGallery:
    """A gallery of upright pictures of square pieces; a label may come several times."""
    known = list(drawings)
    crops = np.array(
        [np.rot90(network_crop(picture), -quarter) for _, picture in known for quarter in range(4)]
    )
    found = [keypoints_of(picture) for _, picture in known] if points else []
    return SquareGallery(
        tuple(label for label, _ in known for _quarter in range(4)),
        np.tile(np.arange(4), len(known)),
        embed(np.ascontiguousarray(crops)),
        np.asarray(crops.mean(axis=(1, 2)), np.float32),
        np.vstack([np.zeros((0, 4), np.float32), *(places for places, _ in found)]),
        np.vstack([np.zeros((0, 128), np.float32), *(descriptors for _, descriptors in found)]),
    )


def extended(gallery: SquareGallery, drawings: Iterable[tuple[str, Pixels]]) -> SquareGallery:
    """The gallery with more pictures of squares, described as those it has."""
    known = list(drawings)
    if not known:
        return gallery
    new = gallery_of(known)
    return SquareGallery(
        gallery.labels + new.labels,
        np.concatenate([gallery.turns, new.turns]),
        *(
            np.vstack(both)
            for both in (
                (gallery.traits, new.traits),
                (gallery.colours, new.colours),
                (gallery.places, new.places),
                (gallery.descriptors, new.descriptors),
            )
        ),
    )


def detector() -> Any:
    return cv2.SIFT_create(contrastThreshold=0.02)  # type: ignore[attr-defined]  # missing in OpenCV's own stubs


def keypoints_of(picture: Pixels) -> tuple[Vectors, Vectors]:
    """The strongest points of one square's picture, and their descriptors."""
    grey = cv2.cvtColor(cv2.resize(picture, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    keypoints, descriptors = detector().detectAndCompute(grey, None)
    if descriptors is None:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    best = np.argsort([-point.response for point in keypoints])[:POINTS]
    rows = [(k.pt[0] / DRAWN, k.pt[1] / DRAWN, k.size / DRAWN, k.angle) for k in keypoints]
    return np.array(rows, np.float32)[best], root_descriptors(descriptors[best])


def root_descriptors(descriptors: Vectors) -> Vectors:
    """Descriptors whose products say how alike they are (Hellinger)."""
    return np.asarray(
        np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)), np.float32
    )
