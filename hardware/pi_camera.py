"""The camera of a Raspberry Pi, through picamera2.

Written after picamera2's documentation and run against a stand-in only; no line of it has met a real camera yet.
What to look at first on a device: whether the colours come as blue, green, red; how long the first picture takes;
whether autofocus stays where it was; whether exposure and white balance stay as they were.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.core.errors import CameraError
from companion.core.message import message as _
from hardware import folder_camera
from hardware.camera import FRAME_S, Frame

WARM_UP_S = 2.0
"""How long exposure and white balance settle before they are kept; pictures come meanwhile."""
KEPT = ("ExposureTime", "AnalogueGain", "ColourGains")


class PiCamera:
    """One configuration from the first picture to the last: a change costs more than half a second."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (0, 0),
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = 5.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"Raspberry Pi {number}"
        self._camera_number, self._size = number, size
        self._clock, self._patience_s, self._sleep = clock, patience_s, sleep
        self._due = clock()
        """No picture is taken before that."""
        self._camera: Any = None
        self._keep_at: float | None = None
        self._number = 0
        self._closed = False

    def frame(self) -> Frame:
        if self._closed:
            raise CameraError(_("The camera is closed."))
        self._sleep(max(0.0, self._due - self._clock()))
        self._due = self._clock() + FRAME_S
        if self._camera is None:
            self._open()
        try:
            if self._keep_at is not None and self._clock() >= self._keep_at:
                self._keep()
            pixels = self._camera.capture_array("main", wait=self._patience_s)
        except Exception as error:
            self._let_go()  # the next picture starts afresh
            raise CameraError(
                _(
                    "The Raspberry Pi's camera gives no pictures. Switch the Raspberry Pi off and look at its cable."
                )
            ) from error
        if pixels.shape[0] * pixels.shape[1] > folder_camera.LARGEST_PIXELS:
            raise CameraError(folder_camera.photo_too_large())
        self._number += 1
        return Frame(pixels, self._clock(), self._number)

    def close(self) -> None:
        self._closed = True
        self._let_go()

    def _open(self) -> None:
        try:
            from picamera2 import Picamera2  # type: ignore[import-not-found]
        except ImportError as error:
            raise CameraError(
                _(
                    "picamera2 is not installed: sudo apt install python3-picamera2, and make the companion's"
                    " environment with --system-site-packages."
                )
            ) from error
        try:
            self._camera = Picamera2(self._camera_number)
            self._start()
        # libcamera's errors are RuntimeErrors, IndexErrors and others: there is no camera, or it is taken.
        except Exception as error:
            self._let_go()
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise CameraError(
                _(
                    "The Raspberry Pi's camera cannot be opened (%(said)s). Look at its cable, and close other"
                    " programs that use it: only one at a time can.",
                    said=said,
                )
            ) from error

    def _start(self) -> None:
        # RGB888 is libcamera's name for bytes in the order blue, green, red.
        main: dict[str, Any] = {"format": "RGB888"}
        if all(self._size):
            main["size"] = tuple(side // 2 * 2 for side in self._size)
        # Without a queue, a picture is taken after it was asked for, never before.
        settings = self._camera.create_still_configuration(main=main, buffer_count=2, queue=False)
        self._camera.configure(settings)
        self._camera.start()
        self._keep_at = self._clock() + WARM_UP_S

    def _keep(self) -> None:
        """From now on no picture is lighter, warmer or sharper than another because the camera thinks so."""
        if "AfMode" in self._camera.camera_controls:
            self._camera.autofocus_cycle(wait=self._patience_s)
        found = self._camera.capture_metadata(wait=self._patience_s)
        kept = {name: found[name] for name in KEPT if name in found}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})
        self._keep_at = None

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
