"""A photo's file to its pixels, within limits: JPEG, PNG, and the HEIC of an iPhone, upright as its Exif data says.

Nothing large is unpacked before the head of the file has told how much memory that takes:

>>> decode_picture(Path("evening.heic").read_bytes()).shape
(1512, 2016, 3)
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from struct import pack
from typing import Any
from warnings import catch_warnings

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from pillow_heif import open_heif

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.core.photo import SentPhoto

LARGEST_FILE = 60_000_000
"""Bytes of a picture we read."""
UNPACKED = 25_000_000
"""Pixels of a picture when it is unpacked: OpenCV takes six bytes for each."""
SMALLEST = 60
"""Pixels of a picture's shorter side that still may show something."""
WORKED_ON = 2000
"""Pixels of the longer side of what is worked on: seven squares of 70 pixels fit into a third of it."""
LARGEST = 120_000_000
"""Pixels of a picture we read."""
LARGEST_WHOLE = 36_000_000
"""The same where all of it has to be unpacked and a pixel takes three bytes (HEIC: five); fewer where it takes more."""
MOST_READS = 10_000
"""Steps in which a head is read; one without end is none."""
TRACE = 0.002
"""Part of a picture that may be transparent: rounded corners. A cut out crown hides more."""

_JPEG, _PNG, _HEIC = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"ftyp"
_BASELINE, _SCAN = (b"\xff\xc0", b"\xff\xc1"), b"\xff\xda"
"""Marks of a JPEG: its size, where it can be made smaller while it is unpacked; and its pixels."""
_DAMAGE = (OSError, SyntaxError, ValueError, LookupError, RuntimeError, EOFError)
"""What Pillow raises, depending on where a file is damaged."""
_NO_PICTURE = _("This file is not a JPEG, PNG or HEIC picture, or it is damaged.")
_DAMAGED = _("This file is not a picture, or it is damaged.")
_SMALL = _("The picture is too small: at least %(least)d pixels a side.", least=SMALLEST)


class PictureError(CompanionError, ValueError):
    """A file is no picture that can be looked at."""


@dataclass(frozen=True)
class _Head:
    """What is known of a picture before it is unpacked."""

    width: int
    height: int
    bytes_a_pixel: float = 3
    """That unpacking takes; 0 where it is made smaller step by step."""
    transparent: bool = False
    """Whether parts of it may be."""


class _HeadFile(BytesIO):
    """A file that ends after so many reads."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        return super().read(size) if self.reads <= MOST_READS else b""


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a picture's file, or PictureError when it is none or would take too much to unpack."""
    head = _head(data)
    return head.width, head.height


def _head(data: bytes) -> _Head:
    try:
        with catch_warnings(action="ignore"):  # of Exif data that is damaged and not asked for
            head = _read_head(data)
    except _DAMAGE as error:
        raise PictureError(_NO_PICTURE) from error
    if head is None or not head.width or not head.height:
        raise PictureError(_NO_PICTURE)
    limit = int(LARGEST_WHOLE * 3 / head.bytes_a_pixel) if head.bytes_a_pixel else LARGEST
    if head.width * head.height > limit:
        raise PictureError(_("The picture has more than %(limit)d megapixels.", limit=limit // 10**6))
    return head


def _read_head(data: bytes) -> _Head | None:
    if data.startswith(_PNG):
        with PngImageFile(_HeadFile(data)) as png:
            transparent = png.has_transparency_data
            sixteen_bits = ";16" in str(png.tile)
            taken = (8 if sixteen_bits else 4) if transparent else 3
            return _Head(png.width, png.height, taken, transparent)
    if data.startswith(_JPEG):
        file = _HeadFile(data)
        with JpegImageFile(file) as jpeg:
            return _Head(jpeg.width, jpeg.height, _jpeg_bytes_a_pixel(jpeg, data[: file.tell()]))
    if _is_heic(data):
        width, height = open_heif(data).size
        return _Head(width, height)
    return None


def _is_heic(data: bytes) -> bool:
    return data[4:8] == _HEIC


def _jpeg_bytes_a_pixel(jpeg: JpegImageFile, read: bytes) -> float:
    """0 for a JPEG that is unpacked row by row; others keep all numbers of all colours until the last is there."""
    head, _mark, scan = read.rpartition(_SCAN)
    frame = pack(">HBHHB", 8 + 3 * jpeg.layers, 8, jpeg.height, jpeg.width, jpeg.layers)
    baseline = head.rpartition(frame)[0].endswith(_BASELINE) and not jpeg.info.get("progressive")
    if baseline and scan[2] == jpeg.layers:
        return 0
    # Two bytes for every number of every colour; some colours have a number for only a half or a quarter of the pixels.
    sides = [across * down for _name, across, down, _table in jpeg.layer]
    return max(3, 2 * sum(sides) / max(sides))


def decode_picture(data: bytes, worked: int = WORKED_ON) -> Pixels:
    """A picture from a file, at most twice as large as it is worked on, and never larger than memory has room for."""
    if len(data) > LARGEST_FILE:
        raise PictureError(_("The picture's file is larger than %(limit)d MB.", limit=LARGEST_FILE // 10**6))
    head = _head(data)
    longer, shorter = max(head.width, head.height), min(head.width, head.height)
    if shorter < SMALLEST:
        raise PictureError(_SMALL)
    fine = (f for f in (2, 4, 8) if longer / f >= 0.8 * worked and shorter / f >= SMALLEST)
    light = (f for f in (1, 2, 4, 8) if longer * shorter / f**2 <= UNPACKED)
    factor = max(max(fine, default=1), min(light))
    picture = _heic_pixels(data, factor) if _is_heic(data) else _opencv_pixels(data, factor, head.transparent)
    if min(picture.shape[:2]) < SMALLEST:
        raise PictureError(_SMALL)
    return picture


def opened(photo: SentPhoto, worked: int = WORKED_ON) -> Pixels:
    """A picture that was sent as a file, or that the table's camera gave."""
    return decode_picture(photo.data, worked) if photo.pixels is None else np.asarray(photo.pixels, np.uint8)


def _opencv_pixels(data: bytes, factor: int, transparent: bool) -> Pixels:
    packed = np.frombuffer(data, np.uint8)
    if transparent:
        whole = cv2.imdecode(packed, cv2.IMREAD_UNCHANGED)
        if whole is not None and whole.ndim == 3 and whole.shape[2] == 4:
            _require_opaque(whole[..., 3])
    flags = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
    picture = cv2.imdecode(packed, flags.get(factor, cv2.IMREAD_COLOR))
    if picture is None:
        raise PictureError(_DAMAGED)
    return np.asarray(picture, np.uint8)


def _heic_pixels(data: bytes, factor: int) -> Pixels:
    try:
        whole = np.asarray(open_heif(data, bgr_mode=True))
    except _DAMAGE as error:
        raise PictureError(_DAMAGED) from error
    if whole.ndim == 2:
        whole = np.repeat(whole[..., np.newaxis], 3, axis=2)
    if whole.shape[2] == 4:
        _require_opaque(whole[..., 3])
    scale = 1 / factor
    small = cv2.resize(whole[..., :3], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _require_opaque(alpha: NDArray[Any]) -> None:
    """Refuse a picture with parts that nobody sees, though their colours are in the file."""
    half = 1 << 8 * alpha.itemsize - 1
    if np.count_nonzero(alpha < half) > TRACE * alpha.size:
        raise PictureError(
            _(
                "Parts of this picture are transparent: nobody sees what is there. Take a photo, or send a JPEG."
            )
        )


def working_size(picture: Pixels) -> Pixels:
    """The picture as large as it is worked on."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
