"""A camera that goes on whether we look or not: only a picture that somebody waits for is unpacked."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Condition, Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol, cast

from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from hardware import folder_camera
from hardware.camera import DAMAGED, FRAME_S, Frame

if TYPE_CHECKING:
    from hardware.camera import Pixels

PATIENCE_S = 5.0
"""How long we wait for a picture."""
MOST_DAMAGED = 10
"""A cable or the air spoils one picture now and then; of so many in a row people are told."""

_log = logging.getLogger(__name__)


class VideoCapture(Protocol):
    """What we need of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


class LiveCamera:
    """Pictures of a device or a stream, read by a thread; after an error, asking again connects anew."""

    def __init__(
        self,
        name: str,
        connect: Callable[[], VideoCapture],
        unreachable: Message,
        clock: Callable[[], float] = monotonic,
        patience_s: float = PATIENCE_S,
        sleep: Callable[[float], None] = sleep,
    ) -> None:
        self.name, self._connect, self._unreachable = name, connect, unreachable
        self._clock, self._patience_s, self._sleep = clock, patience_s, sleep
        self._due = clock()
        """No picture is wanted before that."""
        self._wanted = Event()
        self._changed = Condition()
        self._newest: Frame | None = None
        self._trouble: Message | None = None
        self._reader: Thread | None = None
        self._number = 0
        self._closed = False

    def frame(self) -> Frame:
        self._sleep(max(0.0, self._due - self._clock()))
        self._due = self._clock() + FRAME_S
        with self._changed:
            if self._closed:
                raise CameraError(_("The camera is closed."))
            self._wanted.set()
            if self._reader is None:
                self._trouble, self._reader = None, Thread(target=self._read, name="camera", daemon=True)
                self._reader.start()
            self._changed.wait_for(lambda: self._newest or self._trouble or self._closed, self._patience_s)
            newest, trouble = self._newest, self._trouble
            self._newest = None
            self._wanted.clear()
            if newest is None and trouble is not None:
                self._reader = None
        if newest is None:
            raise CameraError(trouble or _("%(camera)s gives no pictures.", camera=self.name))
        return newest

    def close(self) -> None:
        """Let the camera go; a driver that does not answer delays this by our patience at most."""
        with self._changed:
            self._closed, reader = True, self._reader
            self._newest = None
            self._changed.notify_all()
        if reader:
            reader.join(self._patience_s + 1)
            if reader.is_alive():
                _log.warning("%s does not let go", self.name)

    def _read(self) -> None:
        try:
            trouble = self._read_all()
        except Exception as error:  # drivers fail in ways of their own
            _log.debug("%s failed: %s", self.name, error)
            trouble = self._unreachable
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()

    def _read_all(self) -> Message:
        """Take the newest picture whenever one is wanted, until there are no more, and say why."""
        capture, damaged = self._connect(), 0
        try:
            if not capture.isOpened():
                return self._unreachable
            while not self._closed:
                if not capture.grab():
                    break
                self._number += 1
                if not self._wanted.is_set():
                    continue
                there, given = capture.retrieve()
                if not there:
                    break
                frame = self._framed(given)
                if frame is None:
                    damaged += 1
                    if damaged == MOST_DAMAGED:
                        return DAMAGED
                    continue
                damaged = 0
                if frame.size[0] * frame.size[1] > folder_camera.LARGEST_PIXELS:
                    return folder_camera.photo_too_large()
                self._show(frame)
        finally:
            capture.release()
        return _("%(camera)s broke off. Look at its cable or network.", camera=self.name)

    def _framed(self, given: Pixels) -> Frame | None:
        """What a capture gives, be it pixels, coloured or grey, or a JPEG in one row; None of one that is damaged."""
        if given.dtype == "uint8" and min(given.shape) <= 1:
            packed = given.tobytes()
            sound = folder_camera.photo_size(packed) is not None and folder_camera.is_whole(packed)
            return Frame(packed, self._clock(), self._number) if sound else None
        if given.ndim == 2:
            import cv2

            given = cast("Pixels", cv2.cvtColor(given, cv2.COLOR_GRAY2BGR))
        return Frame(given, self._clock(), self._number)

    def _show(self, frame: Frame) -> None:
        with self._changed:
            self._wanted.clear()
            self._newest = frame
            self._changed.notify_all()
