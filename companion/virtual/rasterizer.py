"""Faces as pictures: drawn from SVG at any size, or printed, turned, with rim and soft shadow, ready to be laid over a
picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import Any

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from companion.core.observation import Face
from companion.virtual.art import PrintedFace

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
    picture = face.print.at(width, height) if isinstance(face, PrintedFace) else _drawn(face, width, height)
    picture.flags.writeable = False
    return picture


def _drawn(face: Face, width: int, height: int) -> Image:
    inner = f"0 0 {face.width * UNITS_PER_MM:g} {face.height * UNITS_PER_MM:g}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}"'
        f' height="{height}" viewBox="{inner}" preserveAspectRatio="none">{face.drawing}</svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


FINER = 2
"""Stamps are made so many times larger than they are used, which keeps turned edges smooth."""
FINE_ENOUGH = 1.2
"""Pixels of a millimetre from which on there is nothing to be gained by that."""
STAMPS_KEPT = 250
"""Pieces of a full table, and where they were a moment ago."""
WEIGHED_KEPT = 100
HELD_KEPT = 8
"""Arms are large, and hardly ever twice at the same angle."""
SUN = (0.55, 0.83)
"""Where shadows fall: to the right and down, as from a lamp over somebody's left shoulder."""
RIM_MM = 0.5

Place = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


def common(one: Box, other: Box) -> Box | None:
    """What lies in both boxes."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def view_of_box(picture: Image, box: Box) -> Image:
    """That part of the picture, to be drawn over."""
    left, top, right, bottom = box
    return picture[top:bottom, left:right]


@dataclass(frozen=True)
class Relief:
    """How far something rises above the table, as its shadow tells."""

    length: float
    """Of its shadow, in millimetres."""
    softness: float
    dark: float
    """What part of the light the shadow takes away."""
    steps: int = 1
    """Copies that a long shadow is drawn from; a flat thing has one."""


FLAT = Relief(1.6, 1.5, 0.42)
STANDING = Relief(15, 2.2, 0.36, 7)
HELD = Relief(16, 5, 0.34)
PAPER = Relief(0.4, 0.7, 0.25)


@dataclass(frozen=True, eq=False)
class Stamp:
    """Something to be laid over a picture; shadow and paint can be laid one after the other."""

    left: int
    top: int
    paint: Image
    """Its colours, already weighed by how much they cover."""
    keep: Image
    """How much of what is below shows through: 255 is all of it."""
    shade: Image
    """How much light reaches what is below."""

    @property
    def box(self) -> Box:
        height, width = self.paint.shape[:2]
        return self.left, self.top, self.left + width, self.top + height

    def cast(self, picture: Image, clip: Box) -> None:
        """Lay the shadow over a picture, within the clip."""
        if both := common(self.box, clip):
            part = view_of_box(picture, both)
            cv2.multiply(part, self._cut(self.shade, both), part, 1 / 255)

    def lay(self, picture: Image, clip: Box) -> None:
        """Lay the paint over a picture, within the clip."""
        if both := common(self.box, clip):
            part = view_of_box(picture, both)
            cv2.multiply(part, self._cut(self.keep, both), part, 1 / 255)
            cv2.add(part, self._cut(self.paint, both), part)

    def _cut(self, layer: Image, box: Box) -> Image:
        left, top, right, bottom = box
        return view_of_box(layer, (left - self.left, top - self.top, right - self.left, bottom - self.top))


def stamp_face(
    face: Face,
    x: float,
    y: float,
    angle: float,
    scale: float,
    relief: Relief,
    lean: Place = (0, 0),
) -> Stamp:
    """The face with its middle at that pixel; a lean shows how far its top is seen beside its foot, in pixels."""
    left, top = round(x), round(y)
    lean = round(lean[0] * 2) / 2, round(lean[1] * 2) / 2
    if relief is HELD:  # moves all the time: whole steps are fine enough, and may have been drawn before
        turned = _held(face, round(angle), scale, relief, (0, 0), lean)
    else:
        offset = round((x - left) * 4) / 4, round((y - top) * 4) / 4
        turned = _lying(face, round(angle * 4) / 4, scale, relief, offset, lean)
    return replace(turned, left=left + turned.left, top=top + turned.top)


@dataclass(frozen=True)
class _Sheet:
    """The empty picture a stamp is made on, finer than the stamp itself."""

    scale: float
    finer: int
    half: tuple[int, int]
    """Pixels of the stamp on each side of its middle."""

    @property
    def fine(self) -> float:
        return self.scale * self.finer

    @property
    def size(self) -> tuple[int, int]:
        return 2 * self.half[0] * self.finer, 2 * self.half[1] * self.finer

    def smaller(self, layer: Image) -> Image:
        """The layer as large as the stamp will be."""
        size = 2 * self.half[0], 2 * self.half[1]
        return layer if self.finer == 1 else _bytes(cv2.resize(layer, size, interpolation=cv2.INTER_AREA))


def _sheet(face: Face, angle: float, scale: float, relief: Relief, lean: Place) -> _Sheet:
    c, s = abs(cos(radians(angle))), abs(sin(radians(angle)))
    reach = relief.length + 3 * relief.softness
    wide, high = face.width * c + face.height * s, face.width * s + face.height * c
    half = [
        ceil((side / 2 + reach) * scale + abs(off)) + 2 for side, off in zip((wide, high), lean, strict=True)
    ]
    return _Sheet(scale, 1 if relief is HELD or scale > FINE_ENOUGH else FINER, (half[0], half[1]))


def _turned(face: Face, angle: float, scale: float, relief: Relief, offset: Place, lean: Place) -> Stamp:
    sheet = _sheet(face, angle, scale, relief, lean)
    foot = _silhouette(face, angle, sheet, offset)
    colours, cover = foot[..., :3], foot[..., 3]
    if lean != (0, 0):
        top = _silhouette(face, angle, sheet, (offset[0] + lean[0], offset[1] + lean[1]))
        colours, cover = _with_body(foot, top, lean, sheet.finer)
    if relief is not HELD:
        colours = _with_rim(colours, cover, RIM_MM * sheet.fine)
    shade = _shade(foot[..., 3], relief, sheet.fine)
    paint, keep, light = map(sheet.smaller, (colours, 255 - cover, shade))
    return Stamp(
        -sheet.half[0], -sheet.half[1], paint, _bytes(cv2.merge([keep] * 3)), _bytes(cv2.merge([light] * 3))
    )


_lying = lru_cache(maxsize=STAMPS_KEPT)(_turned)
_held = lru_cache(maxsize=HELD_KEPT)(_turned)


def _times(layer: NDArray[Any], factor: float) -> Image:
    return _bytes(cv2.convertScaleAbs(layer, alpha=factor))


def _bytes(picture: NDArray[Any]) -> Image:
    return np.asarray(picture, np.uint8)


@lru_cache(maxsize=WEIGHED_KEPT)
def _weighed(face: Face, scale: float) -> Image:
    flat = rasterize(face, scale).astype(np.float32)
    flat[..., :3] *= flat[..., 3:] / 255
    return _bytes(np.rint(flat))


def _silhouette(face: Face, angle: float, sheet: _Sheet, offset: Place) -> Image:
    """The face turned and moved on the sheet, its colours weighed by its cover."""
    flat = _weighed(face, sheet.fine)
    height, width = flat.shape[:2]
    c, s = cos(radians(angle)), sin(radians(angle))
    x, y = (width - 1) / 2, (height - 1) / 2
    to_x, to_y = ((half + off) * sheet.finer - 0.5 for half, off in zip(sheet.half, offset, strict=True))
    turn = np.array([[c, -s, to_x - c * x + s * y], [s, c, to_y - s * x - c * y]])
    return _bytes(cv2.warpAffine(flat, turn, sheet.size, flags=cv2.INTER_LINEAR))


def _with_body(foot: Image, top: Image, lean: Place, finer: int) -> tuple[Image, Image]:
    """What stands shows its side between its foot and its top."""
    steps = max(2, ceil(max(map(abs, lean)) * finer))
    body = foot[..., 3]
    for step in range(1, steps):
        body = np.maximum(body, _moved(foot[..., 3], *(d * finer * step / steps for d in lean)))
    inside = foot[..., 3] > 128
    ink = foot[..., :3][inside].mean(axis=0) * 0.55 if inside.any() else np.zeros(3)
    side = body[..., None] / np.float32(255) * ink.astype(np.float32)
    colours = side * (1 - top[..., 3:] / np.float32(255)) + top[..., :3]
    return _bytes(np.rint(colours)), np.maximum(body, top[..., 3])


def _with_rim(colours: Image, cover: Image, width: float) -> Image:
    """Darken a thin line inside the edge, as the cut of cardboard shows it."""
    size = 2 * max(1, round(width)) + 1
    inner = cv2.erode(cover, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    rim = cv2.subtract(cover, inner)
    dim = 255 - _times(rim, 0.38)
    return _bytes(cv2.multiply(colours, cv2.merge([dim] * 3), scale=1 / 255))


def _shade(cover: Image, relief: Relief, fine: float) -> Image:
    """How much light is left; so soft a thing is worked out on a picture of a half or a quarter of the size."""
    coarse = 1 if relief.softness * fine < 3 else 2 if relief.softness * fine < 6 else 4
    size = cover.shape[1] // coarse, cover.shape[0] // coarse
    small = cover if coarse == 1 else _bytes(cv2.resize(cover, size, interpolation=cv2.INTER_AREA))
    total = np.zeros_like(small)
    for step in range(relief.steps):
        far = relief.length * fine / coarse * (step + 1) / relief.steps
        fade = 1 - 0.6 * step / relief.steps
        total = np.maximum(total, _times(_moved(small, SUN[0] * far, SUN[1] * far), fade))
    soft = cv2.GaussianBlur(total, (0, 0), max(relief.softness * fine / coarse, 0.3))
    full = soft if coarse == 1 else cv2.resize(soft, cover.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return _bytes(255 - _times(full, relief.dark))


def _moved(picture: Image, dx: float, dy: float) -> Image:
    shift = np.array([[1, 0, dx], [0, 1, dy]])
    return _bytes(cv2.warpAffine(picture, shift, picture.shape[1::-1]))
