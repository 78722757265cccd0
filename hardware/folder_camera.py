"""A folder of photos as a camera: a game that was photographed can be looked at again."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import unpack_from
from time import monotonic, sleep
from typing import TYPE_CHECKING, cast

from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _
from hardware.camera import FRAME_S, Frame

if TYPE_CHECKING:
    from hardware.camera import Pixels

STAY_S = 3.0
"""How long each photo lies before the camera: the table has to be still for a while to be read."""
LARGEST_PHOTO = 40_000_000
"""Bytes of a file we read."""
LARGEST_PIXELS = 64_000_000
"""A picture larger than this, of whatever source, is no picture of a table."""

_PHOTO = re.compile(r"[^.].*\.(jpe?g|png)", re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")
_LONGEST_NUMBER = 20
_NO_SIZE = frozenset((0xC4, 0xC8, 0xCC))
"""Segments of a JPEG that look like those that tell its size."""

_log = logging.getLogger(__name__)


class FolderCamera:
    """The photos of a folder, by name, each for a while; then the last one, until another is put behind it.

    What is put there while the last one is shown is what the table looks like by now, and comes at once.
    """

    def __init__(
        self,
        folder: Path,
        stay_s: float = STAY_S,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], None] = sleep,
    ) -> None:
        self.name = str(folder)
        self._folder, self._stay_s, self._clock, self._sleep = folder, stay_s, clock, sleep
        self._past: Path | None = None
        """What has been shown or left out last."""
        self._unread: Path | None = None
        """What has been told of that cannot be read."""
        self._latest = False
        """Whether nothing lay behind the photo that is shown when it came."""
        self._shown: Pixels | None = None
        self._shown_at = 0.0
        self._number = 0
        self._last = -FRAME_S
        self._closed = False

    def frame(self) -> Frame:
        if self._closed:
            raise CameraError(_("The camera is closed."))
        self._sleep(max(0.0, self._last + FRAME_S - self._clock()))
        now = self._clock()
        pixels = self._photo(now)
        self._last, self._number = now, self._number + 1
        return Frame(pixels, now, self._number)

    def close(self) -> None:
        self._closed, self._shown = True, None

    def _photo(self, now: float) -> Pixels:
        if self._shown is not None and not self._latest and now - self._shown_at < self._stay_s:
            return self._shown
        following = self._following()
        if following is not None:
            self._shown, self._shown_at = following, now
        elif self._shown is None:
            raise CameraError(
                _("There is no photo (JPEG or PNG) that can be read in %(folder)s.", folder=self.name)
            )
        return self._shown

    def _following(self) -> Pixels | None:
        """The next photo that can be read; of the others the log tells."""
        past = by_name(self._past) if self._past else None
        later = [path for path in photo_files(self._folder) if past is None or by_name(path) > past]
        for path in later:
            try:
                pixels = open_photo(path)
            except CameraError as error:
                if path != self._unread:
                    _log.warning("%s is left out: %s", path, error)
                self._unread = path
                if path == later[-1]:
                    return None  # perhaps somebody is writing it: it is tried again
                self._past = path
            else:
                self._past, self._latest = path, path == later[-1]
                return pixels
        return None


def photo_files(folder: Path) -> list[Path]:
    """The photos of a folder in the order of their names, in which 9 comes before 10; CameraError without a folder."""
    try:
        found = [path for path in folder.iterdir() if _PHOTO.fullmatch(path.name)]
    except OSError as error:
        raise CameraError(
            _(
                "The folder %(folder)s cannot be read: %(reason)s. Correct camera.place.",
                folder=str(folder),
                reason=str(error.strerror),
            )
        ) from error
    return sorted(found, key=by_name)


def by_name(path: Path) -> tuple[list[str], str]:
    """Sorts numbered files: digits count as the number they are."""
    parts = _DIGITS.split(path.name)
    return [part.zfill(_LONGEST_NUMBER) if part.isdecimal() else part for part in parts], path.name


def open_photo(path: Path) -> Pixels:
    """The picture in a file, or CameraError."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_PHOTO + 1)
    except OSError as error:
        raise CameraError(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error
    return decode_photo(content)


def decode_photo(content: bytes, cover: bool = False) -> Pixels:
    """The picture in a JPEG or PNG file, upright, or CameraError; its size is known before it is unpacked.

    With `cover`, a PNG file is left as it is: of a colour more, where it tells how much covers what is below.
    """
    size = photo_size(content) if len(content) <= LARGEST_PHOTO else None
    if len(content) > LARGEST_PHOTO or (size and size[0] * size[1] > LARGEST_PIXELS):
        raise CameraError(photo_too_large())
    import cv2

    try:
        import numpy as np

        kind = cv2.IMREAD_UNCHANGED if cover and not content.startswith(b"\xff\xd8") else cv2.IMREAD_COLOR
        sound = size is not None and is_whole(content)
        pixels = cv2.imdecode(np.frombuffer(content, np.uint8), kind) if sound else None
    except cv2.error:
        pixels = None
    if pixels is None:
        raise CameraError(_("It is no JPEG or PNG picture, or a damaged one."))
    return cast("Pixels", pixels)


def is_whole(content: bytes) -> bool:
    """Whether a JPEG or PNG file goes on to its end: OpenCV paints what is missing grey, and says nothing."""
    if not content.startswith(b"\xff\xd8"):
        return b"IEND" in content
    scan = next((place for place, marker in _segments(content) if marker == 0xDA), len(content))
    return b"\xff\xd9" in content[scan:]


def photo_too_large() -> Message:
    return _("The picture is larger than %(limit)d megapixels.", limit=LARGEST_PIXELS // 1_000_000)


def photo_size(content: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG or PNG file by its first bytes; None when it is neither, or has no pixels."""
    size = _told_size(content)
    return size if size and all(size) else None


def _told_size(content: bytes) -> tuple[int, int] | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = unpack_from(">II", content, 16)
        return width, height
    for place, marker in _segments(content):
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE and place + 9 <= len(content):
            height, width = unpack_from(">HH", content, place + 5)
            return width, height
    return None


def _segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Where each segment of a JPEG begins, and what marks it; up to its pixels."""
    place = 2 if content.startswith(b"\xff\xd8") else len(content)
    while place + 4 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        yield place, marker
        if marker == 0xDA:
            return
        alone = marker == 0xFF or 0xD0 <= marker <= 0xD8
        place += 1 if marker == 0xFF else 2 if alone else 2 + unpack_from(">H", content, place + 2)[0]
