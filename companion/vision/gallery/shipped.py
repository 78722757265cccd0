"""Galleries as files: what is shipped in `models`, and what people make of their own pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.gallery.likeness import NETWORK, SquareGallery, embed
from models.galleries import Arrays, damaged_model, load_arrays
from models.networks import INPUT_SIDE, network_version

VERSION = 4
"""Of what a gallery holds besides what the network says: one of another version has to be made again."""


def gallery_arrays(gallery: SquareGallery) -> Arrays:
    """A gallery as small as it may be without reading worse."""
    return {
        "version": np.array(VERSION),
        "network": np.array(network_version(NETWORK)),
        "labels": np.array(gallery.labels),
        "turns": gallery.turns.astype(np.uint8),
        "traits": gallery.traits.astype(np.float16),
        "colours": np.rint(gallery.colours).astype(np.uint8),
        "places": gallery.places.astype(np.float32),
        "descriptors": np.rint(gallery.descriptors * 255).astype(np.uint8),
    }


def is_stale(arrays: Arrays) -> bool:
    """Whether squares are described otherwise now, or by another network, than when a gallery was made."""
    said = str(arrays.get("version")), str(arrays.get("network"))
    return said != (str(VERSION), network_version(NETWORK))


def gallery_from_arrays(arrays: Arrays) -> SquareGallery:
    """The gallery of a file, or ValueError when squares are described otherwise now, or what it holds is odd."""
    if is_stale(arrays):
        raise ValueError(
            f"a gallery of version {arrays.get('version')} by network {arrays.get('network')}, "
            f"where version {VERSION} by network {network_version(NETWORK)} is needed: make it again from its pictures"
        )
    gallery = SquareGallery(
        tuple(map(str, np.atleast_1d(arrays["labels"]).tolist())),
        arrays["turns"].astype(np.int64),
        arrays["traits"].astype(np.float32),
        arrays["colours"].astype(np.float32),
        arrays["places"].astype(np.float32),
        (arrays["descriptors"] / 255).astype(np.float32),
    )
    if odd := _odd(gallery):
        raise ValueError(f"a gallery whose {odd} are odd")
    return gallery


def _odd(gallery: SquareGallery) -> str:
    """What in a gallery no drawings are described by; empty where nothing is."""
    rows, points = len(gallery.labels), len(gallery.places)
    one = embed(np.zeros((0, INPUT_SIDE, INPUT_SIDE, 3), np.float32)).shape[1]
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
        return gallery_from_arrays(arrays)
    except (ValueError, KeyError, TypeError) as error:
        raise damaged_model(f"{name}.npz") from error
