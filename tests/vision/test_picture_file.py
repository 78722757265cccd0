"""What may be unpacked: told by the head of a file alone, as the library that unpacks it reads it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.vision.picture_file import LARGEST_FILE, PictureError, decode_picture, size_of
from tests.vision.photo.kingdoms import board, file_of, grown_kingdom

GOOD = file_of(board(grown_kingdom(4)))
SMALLER, WHOLE, TWO_BYTES = (0x22, 0x11, 0x11), (0x11, 0x11, 0x11), (0x11, 0x11, 0x11, 0x11)
"""How many numbers each colour has: the last two of the first for a quarter of the pixels."""


def jpeg(
    width: int, height: int, mark: int = 0xC0, colours: tuple[int, ...] = SMALLER, scanned: int = 0
) -> bytes:
    """The head of a JPEG: its size, its colours, and how many of them come at a time."""
    frame = struct.pack(">BHHB", 8, height, width, len(colours))
    frame += b"".join(bytes((number, sides, 0)) for number, sides in enumerate(colours, 1))
    scan = bytes([scanned or len(colours)]) + bytes(2 * (scanned or len(colours)) + 3)
    return b"\xff\xd8" + part(mark, frame) + part(0xDA, scan) + bytes(99)


def part(mark: int, data: bytes) -> bytes:
    return bytes((0xFF, mark)) + struct.pack(">H", len(data) + 2) + data


def png(width: int, height: int, colours: int = 2, depth: int = 8) -> bytes:
    head = struct.pack(">IIBB", width, height, depth, colours)
    return b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + head + b"\0\0\0"


@pytest.mark.parametrize(
    ("head", "megapixels"),
    (
        (png, 36),
        (lambda w, h: png(w, h, 6), 27),
        (lambda w, h: png(w, h, 6, 16), 13),
        (lambda w, h: jpeg(w, h), 120),
        (lambda w, h: jpeg(w, h, 0xC1), 120),
        (lambda w, h: jpeg(w, h, 0xC2), 36),
        (lambda w, h: jpeg(w, h, 0xC2, WHOLE), 18),
        (lambda w, h: jpeg(w, h, 0xC2, TWO_BYTES), 13),
        (lambda w, h: jpeg(w, h, 0xC9), 36),
        (lambda w, h: jpeg(w, h, colours=WHOLE, scanned=1), 18),
        (lambda w, h: jpeg(w, h, 0xC2, (0x11,)), 36),
    ),
    ids=(
        "png", "transparent png", "fine transparent png", "jpeg",
        "extended", "progressive", "all colours", "four colours", "arithmetic",
        "colour by colour", "grey",
    ),
)  # fmt: skip
def test_as_large_as_memory_has_room_for(head: Callable[[int, int], bytes], megapixels: int) -> None:
    most = megapixels * 250 + (125 if megapixels == 13 else 0)  # thirteen and a half

    assert size_of(head(4000, most)) == (4000, most)
    with pytest.raises(PictureError) as error:
        size_of(head(4000, most + 1))

    assert str(error.value) == f"The picture has more than {megapixels} megapixels."


@pytest.mark.parametrize("fill", (1, 2, 700))
@pytest.mark.parametrize("mark", (b"\xff\xe0", b"\xff\xc0", b"\xff\xda"))
def test_bytes_that_fill_up_before_a_mark(fill: int, mark: bytes) -> None:
    filled = GOOD.replace(mark, b"\xff" * fill + mark, 1)

    assert len(filled) == len(GOOD) + fill
    assert decode_picture(filled).tolist() == decode_picture(GOOD).tolist()


@pytest.mark.parametrize(
    "between",
    (
        b"\xff\x01",  # a mark that nothing belongs to
        b"\xff\xd0\xff\xd7",
        b"\xff\x00",  # none at all
        b"lost bytes",
    ),
)
def test_nothing_hides_how_large_a_picture_is(between: bytes) -> None:
    """What is skipped when a picture is unpacked is skipped when its size is asked for, and nothing more."""
    small = part(0xC0, struct.pack(">BHHB", 8, 100, 100, 0))
    hidden = between + small[:2] + b"\0\2"
    large = jpeg(30_000, 30_000)

    with pytest.raises(PictureError, match=r"more than (120|36) megapixels"):
        size_of(large[:2] + hidden + large[2:])


def test_a_file_that_is_larger_than_any_photo() -> None:
    with pytest.raises(PictureError) as error:
        decode_picture(GOOD + bytes(LARGEST_FILE))

    assert str(error.value) == "The picture's file is larger than 60 MB."


def test_marks_without_end() -> None:
    with pytest.raises(PictureError) as error:
        size_of(b"\xff\xd8" + part(0xE1, b"") * 100_000 + jpeg(100, 100)[2:])

    assert str(error.value) == "This file is not a JPEG or PNG picture, or it is damaged."


@pytest.mark.parametrize(("side", "expected"), ((4990, 4990), (5010, 2505)))
def test_a_picture_is_never_unpacked_larger_than_there_is_room_for(side: int, expected: int) -> None:
    grey = cv2.imencode(".jpg", np.zeros((side, side), np.uint8))[1].tobytes()

    assert decode_picture(grey, worked=4000).shape == (expected, expected, 3)


def seen_through(part: float, alpha: int, depth: type[np.unsignedinteger] = np.uint8) -> bytes:
    """A PNG of a board whose upper rows are as transparent as that; their colours are in the file all the same."""
    picture = np.dstack([board(grown_kingdom(4)), np.full((400, 400), 255, np.uint8)])
    picture[: round(part * 400), :, 3] = alpha
    most = np.iinfo(depth).max // 255
    return bytes(cv2.imencode(".png", picture.astype(depth) * depth(most))[1])


def of_a_table(transparent: bytes) -> bytes:
    """A PNG of one colour of a table, and how transparent that is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    parts = {
        b"PLTE": b"\x10\x20\x30",
        b"tRNS": transparent,
        b"IDAT": zlib.compress(bytes(101 * 100)),
        b"IEND": b"",
    }
    head = struct.pack(">IIBBBBB", 100, 100, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunk(*one) for one in parts.items())


@pytest.mark.parametrize("data", (seen_through(0.4, 0), seen_through(0.01, 40, np.uint16), of_a_table(b"\0")))
def test_what_nobody_sees_is_not_read(data: bytes) -> None:
    with pytest.raises(PictureError) as error:
        decode_picture(data)

    assert str(error.value).startswith("Parts of this picture are transparent: nobody sees what is there.")


@pytest.mark.parametrize("data", (seen_through(0, 0), seen_through(1, 255, np.uint16), of_a_table(b"\xff")))
def test_a_picture_that_could_be_transparent_and_is_not(data: bytes) -> None:
    assert decode_picture(data).ndim == 3


@pytest.mark.parametrize("length", range(8, 60))
def test_the_head_of_a_png_may_end_anywhere(length: int) -> None:
    with pytest.raises(PictureError):
        decode_picture(seen_through(0.4, 0)[:length])
