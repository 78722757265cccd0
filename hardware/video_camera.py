"""A video file as a camera, played as fast as it was filmed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, cast

from companion.core.errors import CameraError
from companion.core.message import message as _
from hardware import folder_camera
from hardware.camera import Frame

if TYPE_CHECKING:
    from cv2 import VideoCapture

    from hardware.camera import Pixels

USUAL_FPS = 25.0
"""Where a file does not say, or says what cannot be."""
FASTEST_FPS = 240.0


class VideoCamera:
    """The frames of a video by the clock: who looks slowly misses some, as with a camera."""

    def __init__(
        self,
        file: Path,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], None] = sleep,
    ) -> None:
        self.name = str(file)
        self._file, self._clock, self._sleep = file, clock, sleep
        self._capture: VideoCapture | None = None
        self._begun, self._fps = 0.0, USUAL_FPS
        self._number = 0
        self._last: Pixels | None = None
        self._over = self._closed = False

    def frame(self) -> Frame:
        if self._closed:
            raise CameraError(_("The camera is closed."))
        if self._capture is None:
            self._open()
        due = self._begun + self._number / self._fps
        self._sleep(max(0.0, due - self._clock()))
        now = self._clock()
        pixels = self._next(int((now - self._begun) * self._fps))
        return Frame(pixels, now, self._number)

    def close(self) -> None:
        self._closed, self._last = True, None
        if self._capture:
            self._capture.release()

    def _open(self) -> None:
        self._capture, self._fps = open_video(self._file)
        self._begun = self._clock()

    def _next(self, wanted: int) -> Pixels:
        """The frame that is due, or the last one there was."""
        assert self._capture
        self._read(self._capture)
        while self._number <= wanted and not self._over:
            self._read(self._capture)
        if self._last is None:
            raise CameraError(_("%(file)s is no video that can be read.", file=self.name))
        return self._last

    def _read(self, capture: VideoCapture) -> None:
        self._number += 1
        there, pixels = (False, None) if self._over else capture.read()
        self._over = not there
        if there:
            self._last = cast("Pixels", pixels)


def open_video(file: Path) -> tuple[VideoCapture, float]:
    """A video and its frames a second, or CameraError."""
    from hardware.opencv import open_file

    if not file.is_file():
        raise CameraError(_("There is no file %(file)s. Correct camera.place.", file=str(file)))
    capture, width, height, fps = open_file(file)
    if width * height > folder_camera.LARGEST_PIXELS:
        capture.release()
        raise CameraError(folder_camera.photo_too_large())
    return capture, fps if 0 < fps <= FASTEST_FPS else USUAL_FPS
