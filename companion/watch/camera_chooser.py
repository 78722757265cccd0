"""Choosing the camera on the page: what is plugged in, what it sees, and going on with it at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from companion.core.errors import CameraError
from companion.core.message import message as _
from companion.household.chosen_camera import check_choice, keep_chosen_camera
from companion.household.settings import Settings

if TYPE_CHECKING:
    from hardware.camera import Frame
    from hardware.sources import FoundCamera

LOOK_S = 10.0
"""How long a camera may take to show something: one of a Raspberry Pi needs some seconds."""
SHOWN_PX = 640
"""How wide a test picture is at least."""


@dataclass(frozen=True)
class TriedCamera:
    """What a camera showed when somebody tried it."""

    source: str
    place: str
    name: str
    size: tuple[int, int]
    jpeg: bytes


class CameraChooser:
    """Tries cameras one at a time, beside the one that is in use."""

    def __init__(self, settings: Settings, reopen: Callable[[], object]) -> None:
        self.settings = settings
        """Those in force, with what was chosen last."""
        self._reopen = reopen
        self._trying = Lock()
        self.tried: TriedCamera | None = None

    def found(self) -> Sequence[FoundCamera]:
        """The cameras of this computer."""
        from hardware.sources import found_cameras

        return found_cameras()

    def look(self, source: str, place: str) -> TriedCamera:
        """A picture of that camera, or CameraError with what to do."""
        from hardware.sources import look_through

        source, place = check_choice(source, place)
        if source == "none":
            raise CameraError(_("Without a camera there is nothing to see: everything is tapped in."))
        if not self._trying.acquire(blocking=False):
            raise CameraError(_("Another camera is being tried just now. Wait a moment, and try again."))
        try:
            name, frame = look_through(source, place, LOOK_S)
            self.tried = TriedCamera(source, place, name, frame.size, _jpeg(frame))
        finally:
            self._trying.release()
        return self.tried

    def use(self, source: str, place: str) -> None:
        """Go on with that camera at once and after every start."""
        keep_chosen_camera(self.settings.data_folder, check_choice(source, place))
        self._reopen()

    def forget(self) -> None:
        """Go by the settings file again."""
        keep_chosen_camera(self.settings.data_folder, None)
        self._reopen()


def _jpeg(frame: Frame) -> bytes:
    import cv2

    packed: bytes = cv2.imencode(".jpg", frame.at_least(SHOWN_PX))[1].tobytes()
    return packed
