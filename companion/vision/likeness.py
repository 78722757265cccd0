"""How much square pieces look like the drawings of a gallery, whichever way they are turned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from models.networks import network

Vectors = NDArray[np.float32]

CELL = 24
"""Pixels of a square's side when it is described."""
TRIM = 2
"""Pixels left out along each side, where neighbours and gaps look in."""
SIDE = CELL - 2 * TRIM
CLOSER = 2
"""How many times finer a square is where the network looks at it."""
NETWORK = "squares"
TINT = 0.6
"""How much a square's own colour weighs beside what is drawn on it."""
FAINT = 0.15
"""A square with less contrast than this part of the gallery's median is never made to look like more."""
FEATURES = 16
"""Numbers that describe a square."""
POINTS = 40
"""Corners and blobs remembered of each drawing, the strongest first."""
DRAWN = 128
"""Pixels of a drawing's side when its points are looked for."""


@dataclass(frozen=True, eq=False)
class SquareGallery:
    """Square drawings as numbers: what a square is compared with, and points by which one is found in a picture."""

    labels: tuple[str, ...]
    """Of each row of the vectors; the same label as often as there are drawings of it and ways to turn it."""
    turns: NDArray[np.int64]
    """Quarter turns clockwise of each row."""
    basis: Vectors
    """From a square's pixels (columns) to its features."""
    vectors: Vectors
    traits: Vectors
    """What the network says of each row."""
    colours: Vectors
    """The mean blue, green and red of each row."""
    contrast: float
    """The least length a square's pixels are divided by."""
    places: Vectors
    """Of each point: x and y within its square from 0 to 1, its size in squares, its angle in degrees."""
    descriptors: Vectors

    def scores(self, crops: Vectors) -> Vectors:
        """How much each crop (row) looks like each drawing (column): 1 is the same."""
        pixels = features(crops)
        lengths = np.maximum(np.linalg.norm(pixels, axis=1, keepdims=True), self.contrast)
        return np.asarray((pixels @ self.basis.T / lengths) @ self.vectors.T, np.float32)

    def recognised(self, crops: Vectors) -> Vectors:
        """The same in the eyes of the network, which takes finer crops and minds coloured light less."""
        return np.asarray(traits(crops) @ self.traits.T, np.float32)


def traits(crops: Vectors) -> Vectors:
    """What the network says of crops."""
    return network(NETWORK).describe(crops)


def features(crops: Vectors) -> Vectors:
    """Pixels without their brightness, and without a part of their tint."""
    cells = crops.reshape(len(crops), -1, 3)
    mean = cells.mean(axis=1, keepdims=True)
    grey = mean.mean(axis=2, keepdims=True)
    return np.asarray((cells - (mean - (mean - grey) * TINT)).reshape(len(crops), -1), np.float32)


def shrunk(picture: Pixels) -> Vectors:
    """The inside of a picture of one square, as small as squares are described."""
    return _inside(picture, CELL, TRIM)


def _inside(picture: Pixels, size: int, trim: int) -> Vectors:
    cell = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cell[trim:-trim, trim:-trim], np.float32)


def _turned(drawings: Iterable[tuple[str, Pixels]], finer: int = 1) -> Vectors:
    """The inside of each drawing in four quarter turns."""
    insides = [_inside(picture, CELL * finer, TRIM * finer) for _label, picture in drawings]
    return np.ascontiguousarray([np.rot90(inside, -quarter) for inside in insides for quarter in range(4)])


def gallery_of(drawings: Iterable[tuple[str, Pixels]], points: bool = True) -> SquareGallery:
    """A gallery of upright pictures of square pieces; a label may come several times."""
    known = list(drawings)
    turned = [(label, quarter) for label, _ in known for quarter in range(4)]
    crops = _turned(known)
    pixels = features(crops)
    contrast = FAINT * float(np.median(np.linalg.norm(pixels, axis=1)))
    basis = _basis(pixels)
    described = pixels @ basis.T
    vectors = described / np.maximum(np.linalg.norm(pixels, axis=1, keepdims=True), contrast)
    found = [points_of(picture) for _, picture in known] if points else []
    return SquareGallery(
        tuple(label for label, _ in turned),
        np.array([quarter for _, quarter in turned]),
        basis,
        np.asarray(vectors, np.float32),
        traits(_turned(known, CLOSER)),
        np.asarray(crops.mean(axis=(1, 2)), np.float32),
        contrast,
        np.vstack([np.zeros((0, 4), np.float32), *(places for places, _ in found)]),
        np.vstack([np.zeros((0, 128), np.float32), *(descriptors for _, descriptors in found)]),
    )


def more(
    gallery: SquareGallery, drawings: Iterable[tuple[str, Pixels]], points: bool = False
) -> SquareGallery:
    """The gallery with more pictures of squares, described as those it has."""
    known = list(drawings)
    if not known:
        return gallery
    crops = _turned(known)
    pixels = features(crops)
    lengths = np.maximum(np.linalg.norm(pixels, axis=1, keepdims=True), gallery.contrast)
    found = [points_of(picture) for _, picture in known] if points else []
    return replace(
        gallery,
        labels=gallery.labels + tuple(label for label, _ in known for _quarter in range(4)),
        turns=np.concatenate([gallery.turns, np.tile(np.arange(4), len(known))]),
        vectors=np.vstack([gallery.vectors, pixels @ gallery.basis.T / lengths]).astype(np.float32),
        traits=np.vstack([gallery.traits, traits(_turned(known, CLOSER))]),
        colours=np.vstack([gallery.colours, crops.mean(axis=(1, 2))]).astype(np.float32),
        places=np.vstack([gallery.places, *(places for places, _ in found)]),
        descriptors=np.vstack([gallery.descriptors, *(descriptors for _, descriptors in found)]),
    )


def _basis(pixels: Vectors) -> Vectors:
    """The directions in which squares differ most, the same for every quarter turn."""
    _, _, directions = np.linalg.svd(pixels, full_matrices=False)
    return np.asarray(directions[:FEATURES], np.float32)


def detector() -> Any:
    return cv2.SIFT_create(contrastThreshold=0.02)  # type: ignore[attr-defined]  # missing in OpenCV's own stubs


def points_of(picture: Pixels) -> tuple[Vectors, Vectors]:
    """The strongest points of one square's picture, and their descriptors."""
    grey = cv2.cvtColor(cv2.resize(picture, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    keypoints, descriptors = detector().detectAndCompute(grey, None)
    if descriptors is None:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    best = np.argsort([-point.response for point in keypoints])[:POINTS]
    rows = [(k.pt[0] / DRAWN, k.pt[1] / DRAWN, k.size / DRAWN, k.angle) for k in keypoints]
    return np.array(rows, np.float32)[best], rooted(descriptors[best])


def rooted(descriptors: Vectors) -> Vectors:
    """Descriptors whose products say how alike they are (Hellinger)."""
    return np.asarray(
        np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)), np.float32
    )
