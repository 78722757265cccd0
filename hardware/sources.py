"""Where pictures come from, by what the settings say."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from urllib.parse import urlsplit

from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from hardware.camera import Camera, Frame
from hardware.live_camera import PATIENCE_S, LiveCamera

SCHEMES = ("rtsp", "http", "https")

VIDEO_DEVICES = Path("/sys/class/video4linux")
"""Where Linux names what gives pictures."""
NO_CAMERAS = ("bcm2835", "rpi", "pispbe", "unicam", "codec")
"""How devices are named that give pictures and are no USB camera: decoders, and parts of a Raspberry Pi's own."""
PICTURES_LOOKED_AT = 3
"""The first one of many cameras is dark: they are still opening their eye."""

_log = logging.getLogger(__name__)
_DEVICE = re.compile(r"(?:/dev/video)?([0-9]{1,2})")


def open_camera(
    source: str,
    place: str,
    size: tuple[int, int] = (0, 0),
    clock: Callable[[], float] = monotonic,
    patience_s: float = PATIENCE_S,
) -> Camera:
    """The camera of that source: folder, video, stream, usb or pi.

    CameraError when the place cannot be one, before anything is connected to.
    """
    if source in ("folder", "video") and not place:
        raise CameraError(_("camera.place has to name the folder of photos, or the file of the video."))
    match source:
        case "folder":
            from hardware.folder_camera import FolderCamera

            return FolderCamera(Path(place).expanduser(), clock=clock)
        case "video":
            from hardware.video_camera import VideoCamera

            return VideoCamera(Path(place).expanduser(), clock=clock)
        case "stream":
            return _stream(place, clock, patience_s)
        case "usb":
            return _device(place, size, clock, patience_s)
        case "pi":
            from hardware.pi_camera import PiCamera

            return PiCamera(_number(place or "0"), size, clock, patience_s)
    raise ValueError(source)


@dataclass(frozen=True)
class FoundCamera:
    """A camera of this computer."""

    source: str
    place: str
    name: str
    """As its maker calls it."""


def found_cameras(devices: Path = VIDEO_DEVICES) -> Sequence[FoundCamera]:
    """The cameras that are plugged in: USB ones as Linux lists them, and those of a Raspberry Pi.

    The list of a Raspberry Pi's cameras was run against a stand-in only.
    """
    found = []
    for device in sorted(devices.glob("video*"), key=lambda path: (len(path.name), path.name)):
        name, index = _line(device / "name"), _line(device / "index")
        # A camera has several devices: the first gives pictures, another tells about them.
        if index == "0" and not name.startswith(NO_CAMERAS):
            found.append(FoundCamera("usb", device.name.removeprefix("video"), name or device.name))
    return [*_pi_cameras(), *found]


def _pi_cameras() -> Iterator[FoundCamera]:
    if find_spec("picamera2") is None:
        return
    try:
        from picamera2 import Picamera2  # type: ignore[import-not-found,unused-ignore]

        for camera in Picamera2.global_camera_info():
            if "usb" not in str(camera.get("Id", "")):  # those are listed by Linux, too
                yield FoundCamera("pi", str(camera["Num"]), str(camera.get("Model", "")))
    except Exception as error:  # libcamera fails in ways of its own; the others can still be chosen
        _log.warning("the Raspberry Pi's cameras cannot be listed: %s", error)


def _line(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()[:80]
    except OSError:
        return ""


def look_through(
    source: str, place: str, limit_s: float, size: tuple[int, int] = (0, 0)
) -> tuple[str, Frame]:
    """The name of a camera and a picture of it; a driver that hangs is left to itself."""
    found: SimpleQueue[tuple[str, Frame] | CameraError] = SimpleQueue()
    Thread(target=_look_for_long, args=(source, place, size, limit_s, found), daemon=True).start()
    try:
        result = found.get(timeout=limit_s)
    except Empty:
        raise CameraError(_("There is no picture within %(limit)d seconds.", limit=round(limit_s))) from None
    if isinstance(result, CameraError):
        raise result
    return result


def _look_for_long(
    source: str,
    place: str,
    size: tuple[int, int],
    limit_s: float,
    found: SimpleQueue[tuple[str, Frame] | CameraError],
) -> None:
    try:
        found.put(_newest(open_camera(source, place, size, patience_s=limit_s * 0.8)))
    except CameraError as error:
        found.put(error)
    except Exception as error:  # drivers fail in ways of their own
        said = " ".join(str(error).split())[:200]
        found.put(CameraError(_("The camera cannot be used: %(said)s.", said=said)))


def _newest(camera: Camera) -> tuple[str, Frame]:
    try:
        frame = camera.frame()
        with suppress(CameraError):
            for _picture in range(1, PICTURES_LOOKED_AT):
                frame = camera.frame()
        return camera.name, frame
    finally:
        camera.close()


def shown_address(address: str) -> str:
    """An address as people may see it: without user, password and whatever else a camera wants to be told."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    path = parts.path if "=" not in parts.path else "/…"
    return f"{parts.scheme}://{host}{port}{path}"


def _stream(address: str, clock: Callable[[], float], patience_s: float) -> Camera:
    from hardware.opencv import open_stream

    name = shown_address(address)
    scheme, _colon, rest = name.partition("://")
    if scheme not in SCHEMES or not rest.partition("/")[0]:
        raise CameraError(
            _(
                "camera.place has to be an address such as rtsp://192.168.0.20/stream1; http and https do, too."
            )
        )
    unreachable = _(
        "There are no pictures at %(address)s. Look whether the camera is on, and whether address, user and"
        " password are right.",
        address=name,
    )
    return LiveCamera(name, lambda: open_stream(address, patience_s), unreachable, clock, patience_s)


def _device(place: str, size: tuple[int, int], clock: Callable[[], float], patience_s: float) -> Camera:
    from hardware.opencv import open_device

    number = _number(place or "0")
    unreachable: Message = _(
        "USB camera %(number)d cannot be opened. Look at its cable, close other programs that use it, or try"
        " another number in camera.place.",
        number=number,
    )
    return LiveCamera(f"USB {number}", lambda: open_device(number, size), unreachable, clock, patience_s)


def _number(place: str) -> int:
    found = _DEVICE.fullmatch(place)
    if not found:
        raise CameraError(_("camera.place has to be the number of the camera, such as “0”."))
    return int(found[1])
