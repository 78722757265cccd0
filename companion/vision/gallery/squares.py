"""A gallery of square pieces as embeddings, in every quarter turn.

How it is made of pictures, kept in a file, and the one that is shipped.

`traits` gives rows of length 1, so that products of rows are likenesses from -1 to 1. A file made by another
network or version is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Face
from models.registry import (
    INPUT_SIDE,
    PIECES,
    Arrays,
    damaged_model,
    load_arrays,
    load_network,
    network_of,
    network_version,
)

Vectors = NDArray[np.float32]

CELL = 24
"""Pixels of a square's side where its colours are looked at."""
TRIM = 2
"""Pixels left out along each side, where neighbours and gaps look in."""
INNER_SIDE = CELL - 2 * TRIM
CLOSER = 2
"""How many times finer a square is where the network looks at it."""
TINT = 0.6
"""How much a square's own colour weighs beside what is drawn on it."""
POINTS = 40
"""Corners and blobs remembered of each drawing, the strongest first."""
DRAWN = 128
"""Pixels of a drawing's side when its points are looked for."""


class Origin(StrEnum):
    """Where a gallery's rows come from."""

    DRAWN = "drawn"
    """By ourselves, as the virtual table shows them."""
    SHIPPED = "shipped"
    """Everybody has them."""
    TAUGHT = "taught"
    """By a household, from its own box."""


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
    origins: tuple[Origin, ...]
    """Of each row."""
    network: str = PIECES
    """What describes its rows."""

    def embed(self, crops: Vectors) -> Vectors:
        """What the gallery's own network says of crops."""
        return embed(crops, self.network)

    def rows_of(self, origins: Collection[Origin]) -> NDArray[np.intp]:
        """The rows that come from there."""
        return np.flatnonzero([origin in origins for origin in self.origins])

    def only(self, rows: NDArray[np.intp]) -> SquareGallery:
        """Some of the rows, with what they are compared by; the points stay those of all."""
        return replace(
            self,
            labels=tuple(self.labels[row] for row in rows),
            turns=self.turns[rows],
            traits=self.traits[rows],
            colours=self.colours[rows],
            origins=tuple(self.origins[row] for row in rows),
        )

    def scores(self, crops: Vectors) -> Vectors:
        """How much each crop (row) looks like each drawing (column): 1 is the same."""
        return np.asarray(self.embed(crops) @ self.traits.T, np.float32)


def embed(crops: Vectors, network: str = PIECES) -> Vectors:
    """What a network says of crops."""
    return load_network(network).describe(crops)


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


def gallery_of(
    drawings: Iterable[tuple[str, Pixels]],
    points: bool = True,
    origin: Origin = Origin.TAUGHT,
    network: str = PIECES,
) -> SquareGallery:
    """A gallery of upright pictures of square pieces; a label may come several times."""
    known = list(drawings)
    crops = np.array(
        [np.rot90(network_crop(picture), -quarter) for _, picture in known for quarter in range(4)]
    )
    found = [keypoints_of(picture) for _, picture in known] if points else []
    return SquareGallery(
        tuple(label for label, _ in known for _quarter in range(4)),
        np.tile(np.arange(4), len(known)),
        embed(np.ascontiguousarray(crops), network),
        np.asarray(crops.mean(axis=(1, 2)), np.float32),
        np.vstack([np.zeros((0, 4), np.float32), *(places for places, _ in found)]),
        np.vstack([np.zeros((0, 128), np.float32), *(descriptors for _, descriptors in found)]),
        (origin,) * (4 * len(known)),
        network,
    )


def drawn_gallery(
    faces: Mapping[str, Face], rasterize: Callable[[Face, float], Pixels], network: str = PIECES
) -> SquareGallery:
    """A gallery of square pieces as the virtual table draws them, by their labels; many may be drawn alike."""
    drawn = {
        face.label: np.ascontiguousarray(rasterize(face, DRAWN / face.width)[..., :3])
        for face in faces.values()
    }
    every = gallery_of(
        ((label, drawn[face.label]) for label, face in faces.items()), False, Origin.DRAWN, network
    )
    # Of those that are drawn alike the points are needed once.
    found = gallery_of(drawn.items(), network=network)
    return replace(every, places=found.places, descriptors=found.descriptors)


def union(first: SquareGallery, *others: SquareGallery) -> SquareGallery:
    """All drawings of several galleries, the first one's first."""
    every = (first, *others)
    if {one.network for one in every} != {first.network}:
        raise ValueError("galleries of one network can be compared with together")
    return SquareGallery(
        tuple(label for one in every for label in one.labels),
        np.concatenate([one.turns for one in every]),
        np.vstack([one.traits for one in every]),
        np.vstack([one.colours for one in every]),
        np.vstack([one.places for one in every]),
        np.vstack([one.descriptors for one in every]),
        tuple(origin for one in every for origin in one.origins),
        first.network,
    )


def detector(most: int = 0) -> Any:
    """Finds points and describes them; of more than that many, the strongest (with 0 all of them)."""
    return cv2.SIFT_create(nfeatures=most, contrastThreshold=0.02)  # type: ignore[attr-defined]  # missing in OpenCV's own stubs


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


VERSION = 4
"""Of what a gallery holds besides what the network says: one of another version has to be made again."""


def gallery_arrays(gallery: SquareGallery) -> Arrays:
    """A gallery as small as it may be without reading worse."""
    return {
        "version": np.array(VERSION),
        "network": np.array(network_version(gallery.network)),
        "labels": np.array(gallery.labels),
        "turns": gallery.turns.astype(np.uint8),
        "traits": gallery.traits.astype(np.float16),
        "colours": np.rint(gallery.colours).astype(np.uint8),
        "places": gallery.places.astype(np.float32),
        "descriptors": np.rint(gallery.descriptors * 255).astype(np.uint8),
    }


def is_stale(arrays: Arrays, network: str = PIECES) -> bool:
    """Whether squares are described otherwise now, or by another network, than when a gallery was made."""
    said = str(arrays.get("version")), str(arrays.get("network"))
    return said != (str(VERSION), network_version(network))


def gallery_from_arrays(arrays: Arrays, network: str = PIECES) -> SquareGallery:
    """The gallery of a file, or ValueError when squares are described otherwise now, or what it holds is odd."""
    if is_stale(arrays, network):
        raise ValueError(
            f"a gallery of version {arrays.get('version')} by network {arrays.get('network')}, "
            f"where version {VERSION} by network {network_version(network)} is needed: make it again from its pictures"
        )
    labels = tuple(map(str, np.atleast_1d(arrays["labels"]).tolist()))
    gallery = SquareGallery(
        labels,
        arrays["turns"].astype(np.int64),
        arrays["traits"].astype(np.float32),
        arrays["colours"].astype(np.float32),
        arrays["places"].astype(np.float32),
        (arrays["descriptors"] / 255).astype(np.float32),
        (Origin.TAUGHT,) * len(labels),
        network,
    )
    if odd := _odd(gallery):
        raise ValueError(f"a gallery whose {odd} are odd")
    return gallery


def _odd(gallery: SquareGallery) -> str:
    """What in a gallery no drawings are described by; empty where nothing is."""
    rows, points = len(gallery.labels), len(gallery.places)
    one = gallery.embed(np.zeros((0, INPUT_SIDE, INPUT_SIDE, 3), np.float32)).shape[1]
    shapes: dict[str, tuple[NDArray[Any], tuple[int, ...]]] = {
        "turns": (gallery.turns, (rows,)),
        "traits": (gallery.traits, (rows, one)),
        "colours": (gallery.colours, (rows, 3)),
        "places": (gallery.places, (points, 4)),
        "descriptors": (gallery.descriptors, (points, 128)),
    }
    for name, (numbers, shape) in shapes.items():
        if numbers.shape != shape or not np.isfinite(numbers).all():
            return name
    return "" if rows and np.isin(gallery.turns, range(4)).all() else "turns"


def load_shipped(name: str) -> SquareGallery:
    """The gallery that everybody starts with, or ModelError."""
    arrays = load_arrays(name)
    try:
        gallery = gallery_from_arrays(arrays, network_of(name))
        return replace(gallery, origins=(Origin.SHIPPED,) * len(gallery.labels))
    except (ValueError, KeyError, TypeError) as error:
        raise damaged_model(f"{name}.npz") from error
