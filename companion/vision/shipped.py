"""Galleries as files: what is shipped in `models`, and what people make of their own pieces."""

from __future__ import annotations

import numpy as np

from companion.vision.likeness import SquareGallery
from models.galleries import Arrays, load

VERSION = 1
"""Of how squares are described: a gallery of another version has to be made again."""


def as_arrays(gallery: SquareGallery) -> Arrays:
    """A gallery as small as it may be without reading worse."""
    return {
        "version": np.array(VERSION),
        "labels": np.array(gallery.labels),
        "turns": gallery.turns.astype(np.uint8),
        "basis": gallery.basis.astype(np.float16),
        "vectors": gallery.vectors.astype(np.float16),
        "colours": np.rint(gallery.colours).astype(np.uint8),
        "contrast": np.array(gallery.contrast, np.float32),
        "places": gallery.places.astype(np.float32),
        "descriptors": np.rint(gallery.descriptors * 255).astype(np.uint8),
    }


def from_arrays(arrays: Arrays) -> SquareGallery:
    """The gallery of a file, or ValueError when squares are described otherwise now."""
    if int(arrays["version"]) != VERSION:
        raise ValueError(f"a gallery of version {int(arrays['version'])}, where version {VERSION} is needed")
    return SquareGallery(
        tuple(arrays["labels"].tolist()),
        arrays["turns"].astype(np.int64),
        arrays["basis"].astype(np.float32),
        arrays["vectors"].astype(np.float32),
        arrays["colours"].astype(np.float32),
        float(arrays["contrast"]),
        arrays["places"].astype(np.float32),
        (arrays["descriptors"] / 255).astype(np.float32),
    )


def shipped(name: str) -> SquareGallery:
    """The gallery that everybody starts with."""
    return from_arrays(load(name))
