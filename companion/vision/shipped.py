"""Galleries as files: what is shipped in `models`, and what people make of their own pieces."""

from __future__ import annotations

import numpy as np

from companion.vision.likeness import NETWORK, SquareGallery
from models.galleries import Arrays, damaged, load
from models.networks import version

VERSION = 4
"""Of what a gallery holds besides what the network says: one of another version has to be made again."""


def as_arrays(gallery: SquareGallery) -> Arrays:
    """A gallery as small as it may be without reading worse."""
    return {
        "version": np.array(VERSION),
        "network": np.array(version(NETWORK)),
        "labels": np.array(gallery.labels),
        "turns": gallery.turns.astype(np.uint8),
        "traits": gallery.traits.astype(np.float16),
        "colours": np.rint(gallery.colours).astype(np.uint8),
        "places": gallery.places.astype(np.float32),
        "descriptors": np.rint(gallery.descriptors * 255).astype(np.uint8),
    }


def stale(arrays: Arrays) -> bool:
    """Whether squares are described otherwise now, or by another network, than when a gallery was made."""
    return "version" not in arrays or (int(arrays["version"]), str(arrays.get("network"))) != (
        VERSION,
        version(NETWORK),
    )


def from_arrays(arrays: Arrays) -> SquareGallery:
    """The gallery of a file, or ValueError when squares are described otherwise now."""
    if stale(arrays):
        raise ValueError(
            f"a gallery of version {arrays.get('version')} by network {arrays.get('network')}, "
            f"where version {VERSION} by network {version(NETWORK)} is needed: make it again from its pictures"
        )
    return SquareGallery(
        tuple(arrays["labels"].tolist()),
        arrays["turns"].astype(np.int64),
        arrays["traits"].astype(np.float32),
        arrays["colours"].astype(np.float32),
        arrays["places"].astype(np.float32),
        (arrays["descriptors"] / 255).astype(np.float32),
    )


def shipped(name: str) -> SquareGallery:
    """The gallery that everybody starts with, or ModelError."""
    arrays = load(name)
    try:
        return from_arrays(arrays)
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(f"{name}.npz") from error
