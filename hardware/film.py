"""A film: pictures that lie before a camera one after the other, by the film's own time and at nobody's pace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from companion.core.errors import CameraError
from companion.core.message import message as _
from hardware.camera import Frame
from hardware.folder_camera import open_photo
from hardware.video_camera import open_video

if TYPE_CHECKING:
    from hardware.camera import Pixels


@dataclass(frozen=True, eq=False)
class FilmPicture:
    """One picture of a film."""

    name: str
    """Its file, or the video's with the second."""
    time: float
    """Seconds since the film began."""
    open: Callable[[], Pixels]
    """Unpacks it, or CameraError."""


def film_of_files(files: Sequence[Path], every_s: float) -> Iterator[FilmPicture]:
    """Pictures that were taken so many seconds after each other, in this order."""
    for number, file in enumerate(files):
        yield FilmPicture(str(file), number * every_s, partial(open_photo, file))


def film_of_video(file: Path, every_s: float) -> Iterator[FilmPicture]:
    """A picture of a video for every so many seconds, or CameraError; those between are never unpacked."""
    capture, fps = open_video(file)
    due = number = 0
    try:
        while capture.grab():
            if number / fps >= due * every_s - 1e-6:
                there, pixels = capture.retrieve()
                if there:
                    time = number / fps
                    yield FilmPicture(f"{file} {time:.2f} s", time, partial(_given, cast("Pixels", pixels)))
                due += 1
            number += 1
    finally:
        capture.release()
    if not number:
        raise CameraError(_("%(file)s is no video that can be read.", file=str(file)))


def _given(pixels: Pixels) -> Pixels:
    return pixels


class FilmCamera:
    """The protocol `hardware.camera.Camera`: sees what was laid before it last, at the time that it is told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.time = 0.0
        """Seconds since the film began."""
        self._pixels: Pixels | None = None
        self._number = 0

    def lay(self, pixels: Pixels, time: float) -> None:
        """Show this picture from that time on."""
        self._pixels, self.time = pixels, time

    def frame(self) -> Frame:
        if self._pixels is None:
            raise CameraError(_("There is no picture yet."))
        self._number += 1
        return Frame(self._pixels, self.time, self._number)

    def close(self) -> None:
        self._pixels = None
