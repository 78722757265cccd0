"""Files that are no good photo: each gets a clear answer, and none of them points."""

from __future__ import annotations

import struct
import zlib
from random import Random

import cv2
import numpy as np
import pytest

from companion.core.errors import CompanionError
from companion.photos.photos import PhotoReader
from companion.vision.picture_file import decode_picture
from tests.vision.photo.kingdoms import board, file_of, grown_kingdom, our_gallery, photo, shown_squares

KINGDOM = grown_kingdom(4)
PICTURE = photo(board(KINGDOM))
WHOLE_PHOTO = file_of(PICTURE)
TRIES = 10


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader(our_gallery())


def lying(data: bytes, orientation: int) -> bytes:
    """The same file as a phone writes it that was held otherwise."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + bytes(4)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_file(width: int, height: int) -> bytes:
    """The head of a PNG of that size, and nothing behind it."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IEND", b"")


def animated() -> bytes:
    """A PNG of two pictures, the second one black; the first one is the kingdom."""
    first, second = file_of(PICTURE, ".png"), file_of(np.zeros_like(PICTURE), ".png")
    height, width = PICTURE.shape[:2]

    def shows(number: int) -> bytes:
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, 10, 0, 0))

    more = chunk(b"fdAT", struct.pack(">I", 2) + b"".join(parts(second)))
    begun = first[:33] + chunk(b"acTL", struct.pack(">II", 2, 0)) + shows(0)
    whole = b"".join(chunk(b"IDAT", part) for part in parts(first))
    return begun + whole + shows(1) + more + chunk(b"IEND", b"")


def parts(data: bytes) -> list[bytes]:
    """What is packed in a PNG."""
    at, found = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            found.append(data[at + 8 : at + 8 + length])
        at += 12 + length
    return found


@pytest.mark.parametrize(("orientation", "turn"), ((3, 2), (6, 1), (8, 3)))
def test_a_phone_held_otherwise(reader: PhotoReader, orientation: int, turn: int) -> None:
    data = lying(file_of(np.ascontiguousarray(np.rot90(PICTURE, turn))), orientation)

    read = reader.read(data)

    assert read.picture.shape == PICTURE.shape
    assert read.shown is not None
    assert dict(read.shown.squares) == shown_squares(KINGDOM)


@pytest.mark.parametrize(
    "data",
    (
        file_of(PICTURE.astype(np.uint16) * 257, ".png"),  # type: ignore[arg-type]  # sixteen bits a colour
        file_of(np.asarray(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2BGRA), np.uint8), ".png"),
        animated(),
        cv2.imencode(".jpg", PICTURE, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))[1].tobytes(),
    ),
    ids=("16 bits", "see-through", "animated", "progressive"),
)
def test_unusual_files_of_a_kingdom(reader: PhotoReader, data: bytes) -> None:
    shown = reader.read(data).shown

    assert shown is not None
    assert dict(shown.squares) == shown_squares(KINGDOM)


@pytest.mark.parametrize(
    ("data", "expected"),
    (
        (b"", "This file is not a JPEG or PNG picture, or it is damaged."),
        (b"GIF89a" + bytes(200), "This file is not a JPEG or PNG picture, or it is damaged."),
        (b"\0\0\0\x18ftypheic" + bytes(200), "This file is not a JPEG or PNG picture, or it is damaged."),
        (b"<svg/>", "This file is not a JPEG or PNG picture, or it is damaged."),
        (WHOLE_PHOTO[:100], "This file is not a JPEG or PNG picture, or it is damaged."),
        (WHOLE_PHOTO[:300], "This file is not a picture, or it is damaged."),
        (file_of(np.zeros((1, 1, 3), np.uint8)), "The picture is too small: at least 60 pixels a side."),
        (png_file(900, 900), "This file is not a picture, or it is damaged."),
        (png_file(12_000, 10_000), "The picture has more than 36 megapixels."),
        (png_file(2**31 - 1, 2**31 - 1), "The picture has more than 36 megapixels."),
        (bytes(60_000_001), "The picture's file is larger than 60 MB."),
    ),
)
def test_what_is_refused(data: bytes, expected: str) -> None:
    with pytest.raises(CompanionError) as refused:
        decode_picture(data)

    assert str(refused.value) == expected


def spoilt(choose: Random, data: bytes) -> bytes:
    """The file cut somewhere, or with bits of it turned over."""
    if choose.random() < 0.5:
        return data[: choose.randrange(len(data))]
    bad = bytearray(data)
    for _bit in range(choose.choice((1, 5, 40))):
        bad[choose.randrange(len(bad))] ^= 1 << choose.randrange(8)
    return bytes(bad)


def test_no_damaged_file_is_silently_read_wrongly(reader: PhotoReader) -> None:
    choose = Random(5)
    small = file_of(np.asarray(cv2.resize(PICTURE, None, fx=0.5, fy=0.5), np.uint8))
    silent, refused = [], 0
    for number in range(TRIES):
        try:
            shown = reader.read(spoilt(choose, small)).shown
        except CompanionError:
            refused += 1
            continue
        if shown and not shown.asks and dict(shown.squares) != shown_squares(KINGDOM):
            silent.append(number)

    assert silent == []
    assert refused > 0


def test_a_black_picture_and_half_a_kingdom(reader: PhotoReader) -> None:
    half = PICTURE.copy()
    half[:, 760:] = PICTURE[5, 5]

    black = reader.read_table(np.zeros((900, 1200, 3), np.uint8))
    left = reader.read_table(half)

    assert [read.shown for read in black] == [None]
    assert [read.shown.asks for read in left if read.shown] in ([], [True])
