"""Where pictures come from, by what the settings say."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from hardware.camera import Camera
from hardware.live_camera import PATIENCE_S, LiveCamera

SCHEMES = ("rtsp", "http", "https")

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
