"""Pictures of what the watcher sees, as JPEG, made only when somebody asks for one."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from companion.core.errors import CameraError
from companion.core.message import message as _
from companion.core.observation import Area, close_up

if TYPE_CHECKING:
    from hardware.camera import Pixels

WIDEST = 1280
"""Pixels: more would only cost the tablets time."""
QUALITY = 78

_TABLE = "table"
"""The table from above as it was seen last, even if it cannot be found now."""


class PictureCache:
    """The newest pictures by stage, each encoded once however many look."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = 0
        self._pixels: dict[str, Pixels] = {}
        self._encoded: dict[str, tuple[int, bytes]] = {}

    def keep(self, pixels: dict[str, Pixels]) -> None:
        with self._lock:
            self._number += 1
            self._pixels = {**self._pixels, **pixels}

    def keep_look(self, taken: Pixels, above: Pixels | None) -> None:
        """The picture the camera took, and the table from above where it was found."""
        if above is None:
            self.keep({"": taken, "capture": taken, "rectify": taken})
        else:
            self.keep({"": above, "capture": taken, "rectify": above, _TABLE: above})

    def picture(self, stage: str) -> tuple[int, bytes]:
        with self._lock:
            number, pixels, done = self._number, self._pixels.get(stage), self._encoded.get(stage)
            if pixels is None:
                raise CameraError(_("There is no picture yet."))
            if done is None or done[0] != number:
                done = self._encoded[stage] = (number, _jpeg(pixels))
            return done

    def crop(self, area: Area) -> bytes:
        with self._lock:
            pixels = self._pixels.get(_TABLE)
        if pixels is None:
            raise CameraError(_("There is no picture yet."))
        left, top, right, bottom = close_up(area)
        part = pixels[top:bottom, left:right]
        return _jpeg(part if part.size else pixels)


def _jpeg(pixels: Pixels) -> bytes:
    # Imported here: a companion without a camera never needs it.
    import cv2

    height, width = pixels.shape[:2]
    if width > WIDEST:
        pixels = cv2.resize(pixels, (WIDEST, height * WIDEST // width), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, encoded = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    if not done:
        raise CameraError(_("The picture cannot be shown."))
    return encoded.tobytes()
