"""What the head of a picture's file says, before anything large is unpacked: how wide, how high, how much memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.core.message import message as _

LARGEST = 120_000_000
"""Pixels of a picture we read."""
LARGEST_WHOLE = 36_000_000
"""The same where all of it has to be unpacked and a pixel takes three bytes; fewer where it takes more."""
MOST_MARKS = 2000
"""Parts before the picture itself that a JPEG may have: settings, colours, small pictures of itself."""
PNG = b"\x89PNG\r\n\x1a\n"
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
    return _Head(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), 3)


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
