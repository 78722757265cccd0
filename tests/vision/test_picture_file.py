"""What may be unpacked: told by the head of a file alone, as the library that unpacks it reads it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from random import Random
from time import monotonic
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pillow_heif import from_pillow

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.photos.reader import PhotoReader
from companion.vision import picture_file
from companion.vision.picture_file import LARGEST_FILE, PictureError, decode_picture, size_of
from tests.vision.photo.kingdoms import (
    PHOTOS,
    board,
    file_of,
    grown_kingdom,
    our_gallery,
    photo,
    shown_squares,
)

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
    """The head of a PNG, and no pixels behind it."""
    head = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


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
    small, large = part(0xC0, struct.pack(">BHHB", 8, 100, 100, 0)), jpeg(30_000, 30_000)

    for hidden in (between, between + small[:2] + b"\0\2"):
        with pytest.raises(PictureError, match=r"more than (120|36) megapixels|or it is damaged"):
            size_of(large[:2] + hidden + large[2:])


def test_a_second_size_in_a_file_hides_nothing() -> None:
    size = GOOD.index(b"\xff\xc0")
    small = GOOD[size : size + 19].replace(GOOD[size + 5 : size + 9], struct.pack(">HH", 100, 100))

    for at in (size, size + 19):
        with pytest.raises(PictureError, match=r"or it is damaged"):
            decode_picture(GOOD[:at] + small + GOOD[at:])


def test_a_file_that_is_larger_than_any_photo() -> None:
    with pytest.raises(PictureError) as error:
        decode_picture(GOOD + bytes(LARGEST_FILE))

    assert str(error.value) == "The picture's file is larger than 60 MB."


def test_marks_without_end() -> None:
    with pytest.raises(PictureError) as error:
        size_of(b"\xff\xd8" + part(0xE1, b"") * 100_000 + jpeg(100, 100)[2:])

    assert str(error.value) == "This file is not a JPEG, PNG or HEIC picture, or it is damaged."


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


KINGDOM = grown_kingdom(4)
PICTURE = photo(board(KINGDOM))
SMALL_PICTURE = np.asarray(cv2.resize(PICTURE, (320, 240)), np.uint8)
WHOLE_PHOTO = file_of(PICTURE)
TRIES = 10


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader(PHOTOS, our_gallery())


def lying(data: bytes, orientation: int) -> bytes:
    """The same file as a phone writes it that was held otherwise."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + bytes(4)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


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


def heic(picture: Pixels, alpha: int | None = None, **more: Any) -> bytes:
    """The file an iPhone makes of it; with how opaque its first row of squares is."""
    pixels = np.ascontiguousarray(picture[..., ::-1])
    if alpha is not None:
        pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
        pixels[:80, :, 3] = alpha
    file = BytesIO()
    from_pillow(Image.fromarray(pixels)).save(file, quality=90, enc_params={"preset": "ultrafast"}, **more)
    return file.getvalue()


def turned_by_exif(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def test_an_iphones_photo_is_read(reader: PhotoReader) -> None:
    shown = reader.read(heic(PICTURE)).shown

    assert shown is not None
    assert dict(shown.squares) == shown_squares(KINGDOM)


@pytest.mark.parametrize(("orientation", "turn"), ((3, 2), (6, 1), (8, 3)))
def test_an_iphones_photo_lies_as_it_was_taken(orientation: int, turn: int) -> None:
    lying_down = np.ascontiguousarray(np.rot90(SMALL_PICTURE, turn))

    read = decode_picture(heic(lying_down, exif=turned_by_exif(orientation)))

    assert read.shape == SMALL_PICTURE.shape
    assert np.abs(read.astype(int) - SMALL_PICTURE).mean() < 6


def test_an_iphones_photo_is_made_smaller_as_others_are() -> None:
    data, (height, width) = heic(SMALL_PICTURE), SMALL_PICTURE.shape[:2]

    assert size_of(data) == (width, height)
    assert decode_picture(data, worked=width // 2).shape == (height // 2, width // 2, 3)


def test_an_iphones_photo_has_limits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = heic(SMALL_PICTURE)
    with pytest.raises(PictureError, match=r"or it is damaged"):
        decode_picture(data[: len(data) // 2])
    with pytest.raises(PictureError, match=r"at least 60 pixels a side"):
        decode_picture(heic(SMALL_PICTURE[:50]))
    with pytest.raises(PictureError, match=r"Parts of this picture are transparent"):
        decode_picture(heic(SMALL_PICTURE, alpha=0))
    assert decode_picture(heic(SMALL_PICTURE, alpha=255)).shape == SMALL_PICTURE.shape

    monkeypatch.setattr(picture_file, "LARGEST_WHOLE", 50_000)
    monkeypatch.setattr(picture_file, "_heic_pixels", lambda *_arguments: pytest.fail("unpacked"))
    with pytest.raises(PictureError, match=r"more than 0 megapixels"):
        decode_picture(data)


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
        (b"", "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (b"GIF89a" + bytes(200), "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (
            b"\0\0\0\x18ftypheic" + bytes(200),
            "This file is not a JPEG, PNG or HEIC picture, or it is damaged.",
        ),
        (b"<svg/>", "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (WHOLE_PHOTO[:100], "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (WHOLE_PHOTO[:300], "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (file_of(np.zeros((1, 1, 3), np.uint8)), "The picture is too small: at least 60 pixels a side."),
        (png(900, 900), "This file is not a picture, or it is damaged."),
        (png(12_000, 10_000), "The picture has more than 36 megapixels."),
        (png(2**31 - 1, 2**31 - 1), "The picture has more than 36 megapixels."),
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


HEADS = (lying(GOOD, 6), seen_through(0.4, 0), heic(SMALL_PICTURE, exif=turned_by_exif(6)))


@settings(deadline=None)
@given(st.sampled_from(HEADS), st.lists(st.tuples(st.integers(0, 700), st.integers(0, 255)), max_size=10))
def test_a_damaged_head_is_a_size_or_refused(data: bytes, damages: list[tuple[int, int]]) -> None:
    bad = bytearray(data)
    for at, value in damages:
        bad[at] = value

    with suppress(PictureError):
        assert min(size_of(bytes(bad))) > 0


def test_a_head_without_end_takes_no_time() -> None:
    began = monotonic()
    for endless in (
        b"\xff\xd8" + b"\xff\xe1\0\2" * 10_000_000,
        png(9, 9)[:33] + chunk(b"tEXt", b"") * 3_000_000,
    ):
        with pytest.raises(PictureError):
            size_of(endless)

    assert monotonic() - began < 5


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
