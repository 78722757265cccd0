"""A picture's file: what its head says before anything large is unpacked, and the picture, as large as it may be."""

from __future__ import annotations

import re
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import message as _

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
"""The same where all of it has to be unpacked and a pixel takes three bytes; fewer where it takes more."""
MOST_MARKS = 2000
"""Parts before the picture itself that a JPEG may have: settings, colours, small pictures of itself."""
TRACE = 0.002
"""Part of a picture that may be transparent: rounded corners. A cut out crown hides more."""
PNG = b"\x89PNG\r\n\x1a\n"
SEEN_THROUGH = (b"\4", b"\6")
"""Colours of a PNG of which each says how transparent it is; tables of colours say it in a part of their own."""
JPEG = b"\xff\xd8"
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Marks of a JPEG that say its size."""
STEP_BY_STEP = (0xC0, 0xC1)
"""Those of one that can be made smaller while it is unpacked."""
SCAN, END = 0xDA, 0xD9
ALONE = (0x01, *range(0xD0, 0xD8))
"""Marks that nothing belongs to."""
_MARK = re.compile(rb"\xff+([^\x00\xff])")
"""As the library that unpacks finds them: any number of bytes may stand before a mark to fill up."""


_SMALL = _("The picture is too small: at least %(least)d pixels a side.", least=SMALLEST)


class PictureError(CompanionError, ValueError):
    """A file is no picture that can be looked at."""


@dataclass(frozen=True)
class _Head:
    """What is known of a picture before it is unpacked."""

    width: int
    height: int
    taken: float = 0.0
    """Bytes that unpacking takes for each pixel; none where it is made smaller step by step."""


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a JPEG or PNG, or PictureError when it is none or would take too much to unpack."""
    head = _png(data) if data.startswith(PNG) else _jpeg(data) if data.startswith(JPEG) else None
    if head is None or not head.width or not head.height:
        raise PictureError(_("This file is not a JPEG or PNG picture, or it is damaged."))
    limit = int(LARGEST_WHOLE * 3 / head.taken) if head.taken else LARGEST
    if head.width * head.height > limit:
        raise PictureError(_("The picture has more than %(limit)d megapixels.", limit=limit // 10**6))
    return head.width, head.height


def _png(data: bytes) -> _Head:
    depth = int.from_bytes(data[24:25], "big")
    taken = max(depth, 8) / 2 if _may_be_transparent(data) else 3
    return _Head(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), taken)


def _may_be_transparent(data: bytes) -> bool:
    return data.startswith(PNG) and (data[25:26] in SEEN_THROUGH or b"tRNS" in data[: data.find(b"IDAT")])


def _jpeg(data: bytes) -> _Head | None:
    frame, whole, at = b"", False, len(JPEG)
    for _each in range(MOST_MARKS):
        found = _MARK.search(data, at)
        if found is None or found[1][0] == END:
            break
        mark, at = found[1][0], found.end()
        if mark in ALONE:
            continue
        part = data[at + 2 : at + int.from_bytes(data[at : at + 2], "big")]
        if mark in FRAMES:
            frame, whole = part, mark not in STEP_BY_STEP
        elif mark == SCAN:
            # Colours that come one after the other are all kept until the last of them is there.
            whole = whole or part[:1] != frame[5:6]
            break
        at += 2 + len(part)
    return _framed(frame, whole) if frame else None


def _framed(frame: bytes, whole: bool) -> _Head:
    height, width = (int.from_bytes(frame[i : i + 2], "big") for i in (1, 3))
    # Two bytes for every number of every colour; some colours have a number for only a half or a quarter of the pixels.
    sides = [(sides >> 4, sides & 15) for sides in frame[7::3]]
    most = max((across * down for across, down in sides), default=0)
    taken = 2 * sum(across * down for across, down in sides) / most if most else 0
    return _Head(width, height, max(taken, 3) if whole else 0)


def decode_picture(data: bytes, worked: int = WORKED_ON) -> Pixels:
    """A picture from a file, at most twice as large as it is worked on, and never larger than memory has room for."""
    if len(data) > LARGEST_FILE:
        raise PictureError(_("The picture's file is larger than %(limit)d MB.", limit=LARGEST_FILE // 10**6))
    width, height = size_of(data)
    if min(width, height) < SMALLEST:
        raise PictureError(_SMALL)
    _see_all(data)
    reduced = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
    fine = (
        f for f in reduced if max(width, height) / f >= 0.8 * worked and min(width, height) / f >= SMALLEST
    )
    light = (f for f in (1, *reduced) if width * height / f**2 <= UNPACKED)
    factor = max(max(fine, default=1), min(light))
    flag = reduced.get(factor, cv2.IMREAD_COLOR)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag) if data else None
    if picture is None:
        raise PictureError(_("This file is not a picture, or it is damaged."))
    if min(picture.shape[:2]) < SMALLEST:
        raise PictureError(_SMALL)
    return np.asarray(picture, np.uint8)


def _see_all(data: bytes) -> None:
    """Refuse a picture with parts that nobody sees, though their colours are in the file."""
    if not _may_be_transparent(data):
        return
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim < 3 or picture.shape[2] < 4:
        return
    half = 1 << 8 * picture.itemsize - 1
    if np.count_nonzero(picture[..., 3] < half) > TRACE * picture[..., 3].size:
        raise PictureError(
            _(
                "Parts of this picture are transparent: nobody sees what is there. Take a photo, or send a JPEG."
            )
        )


def working_size(picture: Pixels) -> Pixels:
    """The picture as large as it is worked on."""
    scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
