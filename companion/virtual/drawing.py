"""A piece's face as a picture, at any size."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from companion.core.observation import Face

Image = NDArray[np.uint8]
"""Rows of blue, green, red and, where there is a fourth, how much of it covers what is below."""

SIDE_LIMIT = 4096
"""Pixels of the longer side: more than a piece ever fills of any camera's picture."""
KEPT = 256
"""Pictures kept: every face of a large game at two or three sizes."""
UNITS_PER_MM = 10


@lru_cache(maxsize=KEPT)
def rasterize(face: Face, px_per_mm: float) -> Image:
    """The face upright, read-only; ValueError when it would be too large, or when its drawing is none."""
    width, height = (max(1, round(side * px_per_mm)) for side in (face.width, face.height))
    if px_per_mm <= 0 or max(width, height) > SIDE_LIMIT:
        raise ValueError(f"{face.label} cannot be drawn with {width} x {height} pixels: {SIDE_LIMIT} at most")
    decoded = cv2.imdecode(np.frombuffer(_png(face, width, height), np.uint8), cv2.IMREAD_UNCHANGED)
    picture: Image = np.asarray(decoded, np.uint8)
    picture.flags.writeable = False
    return picture


def _png(face: Face, width: int, height: int) -> bytes:
    inner = f"0 0 {face.width * UNITS_PER_MM:g} {face.height * UNITS_PER_MM:g}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}"'
        f' height="{height}" viewBox="{inner}" preserveAspectRatio="none">{face.drawing}</svg>'
    )
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
