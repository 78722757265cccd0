"""What the virtual table looks like where it is not drawn: pictures of printed pieces, and of real cloth or wood.

For measuring how a game of cardboard is seen. None of these pictures is ever kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import CameraError, NotationError
from companion.core.message import message as _
from companion.core.observation import Face
from hardware.folder_camera import LARGEST_PHOTO, decode_photo

Image = NDArray[np.uint8]

MOST_PICTURES = 500
SIDE_LIMIT = 800
"""Pixels of a piece's longer side that are kept: no camera shows more of it."""
GROUND_LIMIT = 4608
"""The same for what it lies on."""
SHAPE = 1.2
"""By so much a picture may be wider or narrower than the piece, as people cut them."""
ALSO = {"start": "castle"}
"""What a piece is called in a folder for `companion enrol`, and on the table."""

SHORT = 2
"""Letters or digits that tell by themselves which piece it is: a colour tells a castle and a king."""

_PICTURE = re.compile(r"[^.].*\.(jpe?g|png)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Print:
    """A picture file of a piece or a table, opened when it is first needed; NotationError when it is none."""

    file: Path
    limit: int = SIDE_LIMIT

    @cached_property
    def pixels(self) -> Image:
        """Blue, green and red, and how much of it covers what is below."""
        try:
            with self.file.open("rb") as file:
                content = file.read(LARGEST_PHOTO + 1)
            pixels = np.asarray(decode_photo(content, cover=True), np.uint8)
        except CameraError as error:
            raise NotationError(_("%(file)s: %(reason)s", file=self.file.name, reason=str(error))) from error
        except OSError as error:
            raise _unreadable(self.file, error) from error
        return _small(_with_cover(pixels), self.limit)

    def at(self, width: int, height: int) -> Image:
        """So large; bent to that shape."""
        return np.asarray(cv2.resize(self.pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def over(self, width: int, height: int) -> Image:
        """So much of its middle that it covers all of that, in its own shape, without its cover."""
        rows, columns = self.pixels.shape[:2]
        scale = max(width / columns, height / rows)
        size = max(width, round(columns * scale)), max(height, round(rows * scale))
        whole = self.at(*size)
        left, top = (size[0] - width) // 2, (size[1] - height) // 2
        return np.ascontiguousarray(whole[top : top + height, left : left + width, :3])


@dataclass(frozen=True)
class PrintedFace(Face):
    """A face with a picture of the real thing."""

    print: Print = field(kw_only=True)


@dataclass(frozen=True)
class Art:
    """Pictures for the pieces of any game, and for the table; what has none is drawn."""

    prints: Mapping[str, Print] = field(default_factory=dict)
    """By the name of their file, in small letters and without zeros in front."""
    grounds: tuple[Print, ...] = ()
    """What pieces may lie on."""

    def dressed(self, faces: Mapping[str, Face]) -> Mapping[str, Face]:
        """The faces, those that are pictured printed."""
        return {name: self._dressed(face) for name, face in faces.items()}

    def ground(self, seed: int) -> Print | None:
        """What this evening is played on."""
        return Random(f"ground {seed}").choice(self.grounds) if self.grounds else None

    def _dressed(self, face: Face) -> Face:
        known = (self.prints[name] for name in _names(face.label) if name in self.prints)
        if (found := next(known, None)) is None:
            return face
        height, width = found.pixels.shape[:2]
        if not 1 / SHAPE < width / height / (face.width / face.height) < SHAPE:
            raise NotationError(
                _(
                    "%(file)s has %(width)d x %(height)d pixels, but %(piece)s is %(wide)d x %(high)d mm: turn the "
                    "picture upright, and cut it to the piece's edges.",
                    file=found.file.name,
                    width=width,
                    height=height,
                    piece=face.label,
                    wide=round(face.width),
                    high=round(face.height),
                )
            )
        return PrintedFace(**vars(face), print=found)


def load_art(pieces: Path | None, ground: Path | None, faces: Mapping[str, Face]) -> Art:
    """The pictures of these folders; NotationError when none is of a piece of this game, or one is of another shape."""
    art = Art(
        {_plain(file.stem): Print(file) for file in _pictures(pieces)} if pieces else {},
        tuple(Print(file, GROUND_LIMIT) for file in _pictures(ground)) if ground else (),
    )
    if pieces and not any(isinstance(face, PrintedFace) for face in art.dressed(faces).values()):
        raise NotationError(
            _(
                "No picture in %(folder)s is named after a piece: %(some)s.",
                folder=str(pieces),
                some=", ".join(sorted({f"{face.label}.jpg" for face in faces.values()})[:4]),
            )
        )
    return art


def _pictures(place: Path) -> list[Path]:
    """The picture itself, or those of a folder by name."""
    place = place.expanduser()
    if place.is_file():
        return [place]
    try:
        files = sorted(file for file in place.iterdir() if _PICTURE.fullmatch(file.name) and file.is_file())
    except OSError as error:
        raise _unreadable(place, error) from error
    if not 0 < len(files) <= MOST_PICTURES:
        raise NotationError(
            _(
                "%(folder)s has %(count)d pictures (JPEG or PNG): 1 to %(limit)d are needed.",
                folder=str(place),
                count=len(files),
                limit=MOST_PICTURES,
            )
        )
    return files


def _unreadable(place: Path, error: OSError) -> NotationError:
    return NotationError(
        _("%(place)s cannot be read: %(reason)s.", place=str(place), reason=error.strerror or str(error))
    )


def _names(label: str) -> Iterator[str]:
    """What a picture of that piece may be called: domino-17 or 17, castle-blue, tile-A or A."""
    yield _plain(label)
    last = label.rpartition("-")[2]
    if len(last) <= SHORT:
        yield _plain(last)


def _plain(name: str) -> str:
    words = re.split(r"[ _-]+", name.casefold())
    return "-".join(ALSO.get(word, word.lstrip("0") or word) for word in words)


def _with_cover(pixels: Image) -> Image:
    if pixels.dtype != np.uint8:
        pixels = np.asarray(cv2.convertScaleAbs(pixels, alpha=1 / 257), np.uint8)
    if pixels.ndim == 2:
        pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    return pixels if pixels.shape[2] == 4 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA), np.uint8)


def _small(pixels: Image, limit: int) -> Image:
    part = limit / max(pixels.shape[:2])
    if part >= 1:
        return pixels
    size = tuple(max(1, round(side * part)) for side in pixels.shape[1::-1])
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
