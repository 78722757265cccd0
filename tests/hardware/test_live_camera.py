from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Semaphore
from threading import enumerate as threads
from typing import Any

import numpy as np
import pytest

from companion.core.errors import CameraError
from companion.core.message import message as _
from hardware import folder_camera
from hardware.camera import FRAME_S, Camera, Frame
from hardware.live_camera import MOST_DAMAGED, LiveCamera
from hardware.sources import open_camera
from tests.hardware.pictures import encoded, grey, level
from tests.hardware.streaming import streaming

PATIENCE_S = 0.4
LONG_S = 30.0
"""Longer than a picture takes on a busy machine; nothing waits for it unless it fails."""
UNREACHABLE = _("Nobody there.")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with streaming() as found:
        yield found


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    assert [thread.name for thread in threads() if thread.name == "camera"] == []


def stream(address: str, patience_s: float = LONG_S) -> Camera:
    return open_camera("stream", address, patience_s=patience_s)


def error_of(camera: Camera) -> str:
    """What the camera says instead of a picture, after the pictures it has."""
    until = time.monotonic() + LONG_S
    while time.monotonic() < until:
        try:
            camera.frame()
        except CameraError as error:
            return str(error)
    pytest.fail("there are pictures and no error")


def test_pictures_come_from_a_camera_on_the_network(address: str) -> None:
    camera = stream(f"{address}/good/video?token=secret")

    frames = [camera.frame() for _number in range(4)]
    camera.close()

    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    assert [frame.pixels.shape for frame in frames] == [(120, 160, 3)] * 4
    assert {type(frame.given) for frame in frames} == {bytes}  # a JPEG each, which nobody has unpacked before
    assert camera.name == f"{address.replace('ana:secret@', '')}/good/video"


def test_a_user_and_a_password_open_the_camera(address: str) -> None:
    camera = stream(f"{address}/guarded")

    assert camera.frame().pixels.shape == (120, 160, 3)
    camera.close()


@pytest.mark.parametrize("kind", ("silent", "garbage", "endless", "huge", "locked"))
def test_what_is_no_stream_is_told_in_time_and_without_a_password(
    address: str, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    camera = stream(f"{address}/{kind}?token=secret", PATIENCE_S)

    begun = time.monotonic()
    said = error_of(camera)
    camera.close()

    assert time.monotonic() - begun < LONG_S / 2
    ways = ("There are no pictures at {}. Look", "{} gives no pictures.", "{} broke off.")
    assert said.startswith(tuple(way.format(camera.name) for way in ways))
    assert "secret" not in said + camera.name + "".join(capfd.readouterr())


@pytest.mark.parametrize("kind", ("stalls", "dies"))
def test_a_stream_that_breaks_off_can_be_asked_again(address: str, kind: str) -> None:
    camera = stream(f"{address}/{kind}", 5 * PATIENCE_S)

    said = [error_of(camera), error_of(camera)]
    frame = camera.frame() if kind == "dies" else None
    camera.close()

    assert set(said) <= {
        f"{camera.name} broke off. Look at its cable or network.",
        f"{camera.name} gives no pictures.",
    }
    assert frame is None or frame.number > 3


def test_a_picture_that_is_too_large_ends_the_stream(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_camera, "LARGEST_PIXELS", 10_000)
    camera = stream(f"{address}/good")

    assert error_of(camera).startswith("The picture is larger than")
    camera.close()


def test_nobody_at_the_address() -> None:
    camera = stream("http://ana:secret@127.0.0.1:9/video", PATIENCE_S)

    with pytest.raises(CameraError) as found:
        camera.frame()
    camera.close()

    assert str(found.value) == (
        "There are no pictures at http://127.0.0.1:9/video. Look whether the camera is on, and whether address,"
        " user and password are right."
    )


class Fake:
    """A capture that has one more picture whenever a test says so."""

    def __init__(self) -> None:
        self.wanted, self.released = Semaphore(0), False
        self.level = 0
        self.unpacked: list[int] = []
        self.there: bool | Exception = True
        self.packed: Callable[[int], bytes] | None = None
        """Makes the JPEG of a picture, for a camera that gives JPEGs."""
        self.grey = False
        """Whether it gives pictures of one channel."""

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        assert self.wanted.acquire(timeout=LONG_S)
        if isinstance(self.there, Exception):
            raise self.there
        self.level += 10
        return self.there

    def retrieve(self) -> tuple[bool, Any]:
        self.unpacked.append(self.level)
        if self.packed is None:
            return True, grey(self.level)[:, :, 0] if self.grey else grey(self.level)
        return True, np.frombuffer(self.packed(self.level), np.uint8).reshape(1, -1)

    def release(self) -> None:
        self.released = True


@dataclass
class Faked:
    """A camera on a capture that a test holds in its hand; it waits for no picture's turn."""

    capture: Fake = field(default_factory=Fake)
    slept: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.camera = LiveCamera(
            "fake", lambda: self.capture, UNREACHABLE, lambda: 7.0, PATIENCE_S, self.slept.append
        )

    def unasked(self) -> None:
        """One more picture while nobody waits for any."""
        wanted = self.capture.level + 10
        self.capture.wanted.release()
        self.until(lambda: self.capture.level == wanted)

    def asked(self) -> Frame:
        """The picture that comes once somebody waits for it."""
        with ThreadPoolExecutor(1) as pool:
            frame = pool.submit(self.camera.frame)
            self.until(self.camera._wanted.is_set)
            self.capture.wanted.release()
            return frame.result(LONG_S)

    def until(self, happened: Callable[[], bool]) -> None:
        limit = time.monotonic() + LONG_S
        while not happened() and time.monotonic() < limit:
            Event().wait(0.001)


@pytest.fixture
def fake() -> Iterator[Faked]:
    faked = Faked()
    yield faked
    faked.capture.there = False
    faked.capture.wanted.release()
    faked.camera.close()


def test_only_a_picture_that_somebody_waits_for_is_unpacked(fake: Faked) -> None:
    first = fake.asked()
    for _picture in range(4):
        fake.unasked()
    second = fake.asked()

    assert [(level(frame), frame.number, frame.time) for frame in (first, second)] == [
        (10, 1, 7.0), (60, 6, 7.0),
    ]  # fmt: skip
    assert fake.capture.unpacked == [10, 60]


def test_pictures_are_asked_for_at_their_pace(fake: Faked) -> None:
    for _picture in range(3):
        fake.asked()

    assert [round(seconds, 6) for seconds in fake.slept] == [0, FRAME_S, FRAME_S]


def test_no_picture_is_given_twice(fake: Faked) -> None:
    fake.asked()

    with pytest.raises(CameraError, match=r"fake gives no pictures."):
        fake.camera.frame()
    assert level(fake.asked()) == 20


def test_a_damaged_jpeg_is_left_out(fake: Faked) -> None:
    fake.capture.packed = lambda level: encoded(level)[: 400 if level == 20 else None]

    first = fake.asked()
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(fake.camera.frame)
        fake.until(fake.camera._wanted.is_set)
        fake.capture.wanted.release(2)

    assert [level(first), level(second.result(LONG_S))] == [10, 30]
    assert fake.capture.unpacked == [10, 20, 30]


def test_a_camera_that_gives_nothing_but_damaged_jpegs_is_told_of(fake: Faked) -> None:
    fake.capture.packed = lambda level: encoded(level)[:-2]
    fake.camera._patience_s = LONG_S

    with ThreadPoolExecutor(1) as pool:
        damaged = pool.submit(fake.camera.frame)
        fake.until(fake.camera._wanted.is_set)
        fake.capture.wanted.release(MOST_DAMAGED)
    with pytest.raises(CameraError, match=r"^The camera gave a damaged picture.$"):
        damaged.result(LONG_S)

    fake.capture.packed = encoded
    assert level(fake.asked()) == 10 * (MOST_DAMAGED + 1)


def test_a_grey_picture_is_no_jpeg(fake: Faked) -> None:
    fake.capture.grey = True

    assert level(fake.asked()) == 10


def test_a_driver_that_fails_is_told_in_our_words(fake: Faked) -> None:
    fake.capture.there = RuntimeError("rtsp://ana:secret@10.0.0.7")

    with pytest.raises(CameraError, match=r"^Nobody there.$"):
        fake.asked()
    assert fake.capture.released
    fake.capture.there = True
    assert level(fake.asked()) == 10


def test_a_closed_camera_says_so(address: str) -> None:
    camera = stream(f"{address}/good")
    camera.frame()
    camera.close()
    camera.close()

    with pytest.raises(CameraError, match=r"The camera is closed."):
        camera.frame()
