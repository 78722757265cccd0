"""OpenCV's ways into files, streams and devices, kept quiet: its own complaints could show a password."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import CameraError
from companion.core.message import message as _

if TYPE_CHECKING:
    from cv2 import VideoCapture


def open_file(file: Path) -> tuple[VideoCapture, float, float, float]:
    """A video with its width, height and frames a second, or CameraError."""
    cv2 = _quiet()
    # An absolute path, so that FFmpeg sees no protocol in a file's name.
    capture = cv2.VideoCapture(str(file.absolute()), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        capture.release()
        raise CameraError(_("%(file)s is no video that can be read.", file=str(file)))
    of = capture.get
    return capture, of(cv2.CAP_PROP_FRAME_WIDTH), of(cv2.CAP_PROP_FRAME_HEIGHT), of(cv2.CAP_PROP_FPS)


def open_stream(address: str, patience_s: float) -> VideoCapture:
    """The stream at an address, open or not; neither opening nor reading takes longer than our patience."""
    cv2 = _quiet()
    patience = max(1, round(patience_s * 1000))
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience]
    capture: VideoCapture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    if _squeezes(capture):
        capture.set(cv2.CAP_PROP_FORMAT, -1)
    return capture


def open_device(number: int, size: tuple[int, int]) -> VideoCapture:
    """A camera plugged into this computer, open or not; without a size it chooses its own.

    That it hands on its JPEGs is written after OpenCV's source and run against a stand-in only.
    """
    cv2 = _quiet()
    capture: VideoCapture = cv2.VideoCapture(number, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
    if all(size):
        # Most cameras give large pictures fast enough only when they squeeze them.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    if capture.isOpened() and capture.getBackendName() == "V4L2" and _squeezes(capture):
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
    return capture


def _squeezes(capture: VideoCapture) -> bool:
    """Whether each picture comes as a JPEG, which then is handed on as it is: nobody unpacks what nobody looks at."""
    import cv2

    return int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")


def _quiet() -> Any:
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET, read when FFmpeg is first used
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    return cv2
