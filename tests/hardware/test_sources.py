from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.core.errors import CameraError
from hardware.sources import open_camera, shown_address
from tests.hardware.pictures import encoded, grey, level, video

if TYPE_CHECKING:
    from hardware.camera import Pixels

HOUSE = Path(__file__).parents[2]


def test_a_folder_and_a_video_are_opened_where_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/a.jpg").write_bytes(encoded(60))
    video(tmp_path / "game.avi", [100])

    cameras = [open_camera("folder", "~/photos"), open_camera("video", "~/game.avi")]

    assert [level(camera.frame()) for camera in cameras] == [60, 100]
    assert [camera.name for camera in cameras] == [f"{tmp_path}/photos", f"{tmp_path}/game.avi"]
    for camera in cameras:
        camera.close()


@pytest.mark.parametrize(
    ("address", "expected"),
    (
        ("rtsp://192.168.0.20/stream1", "rtsp://192.168.0.20/stream1"),
        ("rtsp://ana:secret@192.168.0.20:554/stream1", "rtsp://192.168.0.20:554/stream1"),
        ("http://ana:se%40cret@cam.local/video?user=ana&password=secret", "http://cam.local/video"),
        ("rtsp://cam:554/user=ana&password=secret&channel=1.sdp", "rtsp://cam:554/…"),
        ("https://secret@cam/", "https://cam/"),
        ("rtsp://ana:secret@[fe80::1/x", ""),
        ("rtsp://ana:secret@cam:port/x", ""),
    ),
)
def test_an_address_is_shown_without_its_secrets(address: str, expected: str) -> None:
    assert shown_address(address) == expected


@pytest.mark.parametrize(
    "address",
    (
        "",
        "cam",
        "/etc/passwd",
        "file:///etc/passwd",
        "ftp://ana:secret@cam/",
        "concat:http://secret/|file:///etc/passwd",
        "data:image/jpeg;base64,secret",
        "http://",
        "rtsp:///x",
        "rtsp://ana:secret@cam:port/x",
        "udp://@secret:1234",
    ),
)
def test_only_addresses_of_cameras_are_connected_to(address: str) -> None:
    with pytest.raises(CameraError) as found:
        open_camera("stream", address)

    assert str(found.value) == (
        "camera.place has to be an address such as rtsp://192.168.0.20/stream1; http and https do, too."
    )


@pytest.mark.parametrize("source", ("folder", "video"))
def test_a_place_on_this_computer_has_to_be_named(source: str) -> None:
    with pytest.raises(CameraError, match=r"^camera.place has to name the folder of photos"):
        open_camera(source, "")


@pytest.mark.parametrize(("place", "name"), (("", "USB 0"), ("2", "USB 2"), ("/dev/video4", "USB 4")))
def test_a_usb_camera_is_known_by_its_number(place: str, name: str) -> None:
    assert open_camera("usb", place).name == name


@pytest.mark.parametrize("place", ("first", "-1", "100", "/dev/sda", "http://cam/", "0; reboot"))
@pytest.mark.parametrize("source", ("usb", "pi"))
def test_a_number_is_all_that_a_device_may_be(source: str, place: str) -> None:
    with pytest.raises(CameraError, match=r"camera.place has to be the number of the camera"):
        open_camera(source, place)


def test_a_usb_camera_that_is_not_there() -> None:
    camera = open_camera("usb", "63", (1920, 1080))

    with pytest.raises(CameraError, match=r"^USB camera 63 cannot be opened. Look at its cable"):
        camera.frame()
    camera.close()


class Device:
    """What OpenCV makes of a camera on USB that has one picture, in the format it can."""

    def __init__(self, fourcc: str, backend: str) -> None:
        self.settings = {float(cv2.CAP_PROP_FOURCC): float(cv2.VideoWriter.fourcc(*fourcc))}
        self.settings[cv2.CAP_PROP_CONVERT_RGB] = 1
        self._fourcc, self._backend, self._left = fourcc, backend, 1

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def getBackendName(self) -> str:  # noqa: N802
        return self._backend

    def set(self, name: int, value: float) -> bool:
        if name != cv2.CAP_PROP_FOURCC:
            self.settings[name] = value
        return True

    def get(self, name: int) -> float:
        return self.settings[name]

    def grab(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def retrieve(self) -> tuple[bool, Pixels]:
        if self.settings[cv2.CAP_PROP_CONVERT_RGB]:
            return True, grey(60)
        return True, np.frombuffer(encoded(60) + b"\0" * 9, np.uint8).reshape(1, -1)

    def release(self) -> None: ...


@pytest.mark.parametrize(
    ("fourcc", "backend", "given"),
    (("MJPG", "V4L2", bytes), ("YUYV", "V4L2", np.ndarray), ("MJPG", "AVFOUNDATION", np.ndarray)),
)
def test_a_usb_camera_hands_on_the_jpegs_it_gives(
    monkeypatch: pytest.MonkeyPatch, fourcc: str, backend: str, given: type
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_place: Device(fourcc, backend))
    camera = open_camera("usb", "0", (160, 120))

    frame = camera.frame()
    camera.close()

    assert (type(frame.given), frame.size, level(frame)) == (given, (160, 120), 60)


LOOK = """
from companion.core.errors import CameraError
from hardware.sources import open_camera
for source, place in (("stream", "http://ana:secret@127.0.0.1:9/"), ("usb", "63"), ("video", "game.avi")):
    try:
        open_camera(source, place).frame()
    except CameraError:
        print(source)
"""


def test_nobody_but_us_speaks_of_a_camera_that_fails(tmp_path: Path) -> None:
    (tmp_path / "game.avi").write_bytes(b"RIFF\xff\xff\xff\xffAVI LIST" + b"\0" * 500)

    said = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HOUSE)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert (said.stdout.split(), said.stderr) == (["stream", "usb", "video"], "")


def test_a_source_nobody_knows_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="virtual"):
        open_camera("virtual", "")
