"""A frame in full and smaller, from pixels or from a JPEG."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.core.errors import CameraError
from hardware.camera import Frame

if TYPE_CHECKING:
    from hardware.camera import Pixels


def table(width: int, height: int) -> Pixels:
    """A picture with something in every part of it, and nothing so fine that a JPEG loses it."""
    few = np.random.default_rng(1).integers(0, 256, (height // 16, width // 16, 3), np.uint8)
    return np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def jpeg(pixels: Pixels) -> bytes:
    done, content = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, 95))
    assert done
    return content.tobytes()


@pytest.mark.parametrize("times", (0, 1, 2, 3))
@pytest.mark.parametrize("size", ((640, 480), (643, 481)), ids=("even", "odd"))
def test_a_jpeg_shows_the_same_as_its_pixels_on_every_level(size: tuple[int, int], times: int) -> None:
    pixels = table(*size)
    given, packed = Frame(pixels, 0), Frame(jpeg(pixels), 0)

    expected, actual = given.halved(times), packed.halved(times)

    assert packed.size == given.size == size
    assert actual.shape == expected.shape == (size[1] >> times, size[0] >> times, 3)
    assert np.abs(actual.astype(int) - expected).mean() < 2


def test_what_a_level_shows_does_not_depend_on_what_was_looked_at_before() -> None:
    content = jpeg(np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8))
    at_once, after_all = Frame(content, 0), Frame(content, 0)
    _ = after_all.pixels

    assert all(np.array_equal(at_once.halved(times), after_all.halved(times)) for times in (1, 2))


@pytest.mark.parametrize("packed", (False, True), ids=("pixels", "JPEG"))
def test_a_level_is_as_small_as_it_may_be_and_worked_out_once(packed: bool) -> None:
    frame = Frame(jpeg(table(640, 480)) if packed else table(640, 480), 0)

    assert [frame.at_least(width).shape[1] for width in (900, 640, 321, 320, 100)] == [
        640,
        640,
        640,
        320,
        160,
    ]
    assert frame.at_least(200) is frame.halved(1)
    assert frame.pixels is frame.halved(0)


def test_a_picture_is_never_made_smaller_than_a_pixel() -> None:
    assert Frame(table(32, 16), 0).halved(9).shape[:2] == (1, 2)


def resized(content: bytes, width: int, height: int) -> bytes:
    """A JPEG whose heading speaks of another size."""
    place = content.index(b"\xff\xc0") + 5
    return content[:place] + pack(">HH", height, width) + content[place + 4 :]


WHOLE = jpeg(table(64, 64))


@pytest.mark.parametrize(
    "content",
    (b"", b"\xff\xd8\xff", b"GIF89a", WHOLE[:30], resized(WHOLE, 0, 0), resized(WHOLE, 64, 0)),
)
def test_what_is_no_jpeg_is_told(content: bytes) -> None:
    with pytest.raises(CameraError, match=r"^The camera gave a damaged picture.$"):
        _ = Frame(content, 0).size
    with pytest.raises(CameraError, match=r"^The camera gave a damaged picture.$"):
        _ = Frame(content, 0).pixels
    with pytest.raises(CameraError, match=r"^The camera gave a damaged picture.$"):
        _ = Frame(content, 0).at_least(100)
