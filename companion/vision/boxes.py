"""What people taught the companion of their own box: small pictures of its squares, kept in the data folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.vision.likeness import DRAWN, SquareGallery, gallery_of, more
from companion.vision.shipped import as_arrays, from_arrays, stale
from models.galleries import packed, unpacked

NAME = re.compile(r"[\w-]{1,40}", re.ASCII)
LABEL = re.compile(r"[\w-]{1,40}", re.ASCII)
LONGEST_TITLE = 40
MOST_BOXES = 20
MOST_DRAWINGS = 1000
LARGEST_FILE = 120_000_000
"""Bytes of a box's file that we read."""
_CHANGING = Lock()
ALIKE = 0.96
"""Pieces of different kinds that look more alike than this are told."""


class BoxError(CompanionError, ValueError):
    """A box cannot be used, or what is asked of it cannot be done."""


@dataclass(frozen=True, eq=False)
class Box:
    """The squares of one box, each as often as there are pictures of it."""

    labels: tuple[str, ...] = ()
    pictures: Pixels = field(default_factory=lambda: np.zeros((0, DRAWN, DRAWN, 3), np.uint8))
    title: str = ""
    """What people call it."""

    @property
    def known(self) -> tuple[str, ...]:
        """Every label once."""
        return tuple(dict.fromkeys(self.labels))

    @property
    def drawings(self) -> Iterator[tuple[str, Pixels]]:
        return zip(self.labels, self.pictures, strict=True)

    def learned(self, drawings: Iterable[tuple[str, Pixels]]) -> Box:
        """With more pictures of squares; a label may come again."""
        known = list(drawings)
        if not known:
            return self
        if len(self.labels) + len(known) > MOST_DRAWINGS:
            raise BoxError(
                _("A box holds at most %(limit)d drawings: remove some first.", limit=MOST_DRAWINGS)
            )
        for label, _picture in known:
            _check(LABEL, label)
        small = np.stack([cv2.resize(p, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA) for _label, p in known])
        pictures = np.asarray(np.concatenate([self.pictures, small]), np.uint8)
        return replace(
            self, labels=self.labels + tuple(label for label, _picture in known), pictures=pictures
        )

    def without(self, label: str) -> Box:
        """Without any drawing of that piece, or BoxError when there is none."""
        kept = [index for index, known in enumerate(self.labels) if known != label]
        if len(kept) == len(self.labels):
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return self._only(kept)

    def dropped(self, index: int, label: str) -> Box:
        """Without one drawing of a piece, or BoxError when it is not there any more."""
        if not 0 <= index < len(self.labels) or self.labels[index] != label:
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return self._only([other for other in range(len(self.labels)) if other != index])

    def _only(self, kept: list[int]) -> Box:
        return replace(self, labels=tuple(self.labels[index] for index in kept), pictures=self.pictures[kept])

    def titled(self, title: str) -> Box:
        """By another name of people's own."""
        said = " ".join(title.split())
        if not said or len(said) > LONGEST_TITLE or not said.isprintable():
            raise BoxError(_("A box's name has 1 to %(limit)d letters.", limit=LONGEST_TITLE))
        return replace(self, title=said)

    def renamed(self, label: str, name: str) -> Box:
        """With all drawings of a piece under another name."""
        _check(LABEL, name)
        if label not in self.labels:
            raise BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))
        return replace(self, labels=tuple(name if known == label else known for known in self.labels))

    def gallery(self) -> SquareGallery:
        """What pictures are compared with when they are read by this box alone."""
        if not self.labels:
            raise BoxError(_("This box is empty: enrol its pieces first."))
        return gallery_of(self.drawings)

    def beside(self, gallery: SquareGallery) -> SquareGallery:
        """What pictures are compared with when they are read by this box and by another gallery."""
        return more(gallery, self.drawings)

    def alike(self, kind: Callable[[str], object]) -> Iterator[tuple[str, str, float]]:
        """Pieces of different kinds that look too much alike, the likest first."""
        if len(self.known) < 2:
            return
        gallery = self.gallery()
        likeness = gallery.traits @ gallery.traits[::4].T
        best: dict[tuple[str, str], float] = {}
        for row, column in np.argwhere(likeness > ALIKE):
            one, other = sorted((gallery.labels[row], gallery.labels[4 * column]))
            if kind(one) != kind(other):
                best[one, other] = max(best.get((one, other), 0.0), float(likeness[row, column]))
        for (one, other), score in sorted(best.items(), key=lambda pair: -pair[1]):
            yield one, other, score


@dataclass(frozen=True)
class Boxes:
    """All boxes of a household."""

    data: Path
    """The folder of everything that is kept."""

    @property
    def folder(self) -> Path:
        return self.data / "boxes"

    @property
    def names(self) -> Sequence[str]:
        return sorted(file.stem for file in self.folder.glob("*.npz") if NAME.fullmatch(file.stem))

    def open(self, name: str) -> Box:
        """The box of that name, empty when nobody has enrolled one."""
        file = self._file(name)
        if not file.exists():
            return Box()
        arrays = _read(file)
        pictures = arrays.get("pictures", np.zeros(0, np.uint8))
        labels = tuple(str(label)[:40] for label in np.atleast_1d(arrays.get("drawn", np.zeros(0))).tolist())
        if pictures.shape != (len(labels), DRAWN, DRAWN, 3) or len(labels) > MOST_DRAWINGS:
            raise _damaged(file)
        return Box(labels, np.asarray(pictures, np.uint8), _title(arrays))

    def title(self, name: str) -> str:
        """What people call a box, without a look at its drawings."""
        file = self._file(name)
        return _title(_read(file, ("title",))) if file.exists() else ""

    def load(self, name: str) -> SquareGallery:
        """The gallery of a box; one that was described otherwise than pictures are now is made again."""
        file = self._file(name)
        if not file.exists():
            raise BoxError(
                _("There is no box “%(name)s”, only: %(known)s.", name=name[:40], known=", ".join(self.names))
                if self.names
                else _("No box is enrolled yet: companion enrol kingdomino FOLDER")
            )
        arrays = _read(file)
        if not stale(arrays):
            try:
                return from_arrays(arrays)
            except (KeyError, ValueError, IndexError, TypeError) as error:
                raise _damaged(file) from error
        box = self.open(name)
        self.save(name, box)
        return box.gallery()

    def save(self, name: str, box: Box) -> None:
        """Keep a box: whole, or as it was before."""
        file = self._file(name)
        described = as_arrays(box.gallery()) if box.labels else {}
        kept = {"drawn": np.array(box.labels), "pictures": box.pictures, "title": np.array(box.title)}
        _keep(file, packed({**described, **kept}))

    def change(self, name: str, done: Callable[[Box], Box]) -> Box:
        """Change a box, one change after the other."""
        with _CHANGING:
            before = self.open(name)
            after = done(before)
            if after is not before:
                self.save(name, after)
        return after

    def add(self, title: str) -> str:
        """A new box, empty; the name of its file."""
        box = Box().titled(title)
        with _CHANGING:
            if len(self.names) >= MOST_BOXES:
                raise BoxError(_("At most %(limit)d boxes: remove one first.", limit=MOST_BOXES))
            name = next(name for n in count(1) if (name := f"box-{n}") not in self.names)
            self.save(name, box)
        return name

    def remove(self, name: str) -> None:
        """Forget a box and all its drawings."""
        try:
            self._file(name).unlink(missing_ok=True)
        except OSError as error:
            raise _not_kept(error) from error

    def used(self, first: str) -> str:
        """The box that photos are read by; the first one unless people have chosen another."""
        try:
            name = (self.folder / f"{first}.used").read_text(encoding="ascii", errors="replace")[:40]
        except OSError:
            return first
        return name if name in self.names else first

    def use(self, first: str, name: str) -> None:
        """Read photos by this box from now on."""
        if name != first and name not in self.names:
            raise BoxError(_("There is no such box any more."))
        _keep(self.folder / f"{first}.used", name.encode("ascii"))

    def stamp(self, name: str) -> int:
        """Another number whenever a box was changed, here or by a command."""
        try:
            return self._file(name).stat().st_mtime_ns
        except OSError:
            return 0

    def _file(self, name: str) -> Path:
        _check(NAME, name)
        return self.folder / f"{name}.npz"


def _keep(file: Path, data: bytes) -> None:
    """Write a file so that a power cut at any moment leaves all of it, or what was there before."""
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        fresh.replace(file)
        _settle(file.parent)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise _not_kept(error) from error


def _settle(folder: Path) -> None:
    """What a folder lists is on the disk, too; some systems have no such thing, and need none."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _not_kept(error: OSError) -> BoxError:
    return BoxError(_("The box cannot be kept: %(reason)s.", reason=error.strerror or str(error)))


def _check(pattern: re.Pattern[str], name: str) -> None:
    if not pattern.fullmatch(name):
        raise BoxError(
            _("“%(name)s” is no name: letters, digits, “-” and “_”, at most 40 of them.", name=name[:40])
        )


def _title(arrays: Mapping[str, NDArray[np.generic]]) -> str:
    return str(arrays["title"])[:LONGEST_TITLE] if "title" in arrays else ""


def _read(file: Path, only: Sequence[str] = ()) -> dict[str, NDArray[np.generic]]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise _damaged(file)
        return dict(unpacked(file.read_bytes(), only))
    except BoxError:
        raise
    except (OSError, ValueError) as error:
        raise _damaged(file) from error


def _damaged(file: Path) -> BoxError:
    return BoxError(_("The box “%(name)s” is damaged: remove it and enrol its pieces again.", name=file.stem))
