"""What people taught the companion of their own box: small pictures of its squares, kept in the data folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import MappingProxyType, ModuleType

import numpy as np
from numpy.typing import NDArray

from companion.core.message import message as _
from companion.vision.gallery.box import LONGEST_TITLE, MOST_DRAWINGS, Box, BoxError, DamagedBox, check_name
from companion.vision.gallery.likeness import DRAWN, SquareGallery
from companion.vision.gallery.shipped import gallery_arrays, gallery_from_arrays
from models.galleries import pack_arrays, unpack_arrays

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has none: there one program at a time is asked for nothing
    fcntl = None

FILE_NAME = re.compile(r"[\w-]{1,40}", re.ASCII)
_NUMBERED = re.compile(r"box-([0-9]{1,8})")
MOST_BOXES = 20
LARGEST_FILE = 120_000_000
"""Bytes of a box's file that we read."""
_CHANGING = Lock()


@dataclass(frozen=True)
class BoxRepository:
    """All boxes of a household."""

    data: Path
    """The folder of everything that is kept."""

    @property
    def folder(self) -> Path:
        return self.data / "boxes"

    @property
    def names(self) -> Sequence[str]:
        return sorted(file.stem for file in self.folder.glob("*.npz") if FILE_NAME.fullmatch(file.stem))

    def open(self, name: str) -> Box:
        """The box of that name, empty when nobody has enrolled one."""
        file = self._file(name)
        if not _there(file):
            return Box()
        arrays = _read(file)
        pictures = arrays.get("pictures", np.zeros(0, np.uint8))
        labels = _drawn(arrays)
        well = pictures.dtype == np.uint8 and pictures.shape == (len(labels), DRAWN, DRAWN, 3)
        if not well or len(labels) > MOST_DRAWINGS:
            raise _damaged(file)
        return Box(labels, np.asarray(pictures, np.uint8), _title(arrays))

    def title(self, name: str) -> str:
        """What people call a box, without a look at its drawings."""
        file = self._file(name)
        return _title(_read(file, ("title",))) if _there(file) else ""

    def load(self, name: str) -> SquareGallery:
        """The gallery of a box; one that does not describe its drawings as pictures are described now is made again."""
        file = self._file(name)
        if not _there(file):
            raise BoxError(
                _("There is no box “%(name)s”, only: %(known)s.", name=name[:40], known=", ".join(self.names))
                if self.names
                else _("No box is enrolled yet: companion enrol kingdomino FOLDER")
            )
        arrays = _read(file)
        with suppress(KeyError, ValueError, IndexError, TypeError):
            gallery = gallery_from_arrays(arrays)
            if gallery.labels[::4] == _drawn(arrays):
                return gallery
        with _CHANGING, _alone(self.folder):
            box = self.open(name)
            self.save(name, box)
        return box.gallery()

    def save(self, name: str, box: Box) -> None:
        """Keep a box: whole, or as it was before."""
        file = self._file(name)
        described = gallery_arrays(box.gallery()) if box.labels else {}
        kept = {"drawn": np.array(box.labels), "pictures": box.pictures, "title": np.array(box.title)}
        _keep(file, pack_arrays({**described, **kept}))

    def change(self, name: str, done: Callable[[Box], Box], anew: bool = False) -> Box:
        """Change a box, one change after the other; `anew` begins without its drawings, damaged or not."""
        with _CHANGING, _alone(self.folder):
            before = self._bare(name) if anew else self.open(name)
            after = done(before)
            if anew or after is not before:
                self.save(name, after)
        return after

    def _bare(self, name: str) -> Box:
        """A box of the same title that knows nothing."""
        try:
            return Box(title=self.title(name))
        except DamagedBox:
            return Box()

    def unlike(self, title: str, called: Mapping[str, str], name: str = "") -> None:
        """BoxError where another box has that title; `called` says what people read of one without any."""
        others = [
            self._bare(other).title or called.get(other, other) for other in {*self.names, *called} - {name}
        ]
        if _plain(title) in map(_plain, others):
            taken = " ".join(title.split())[:LONGEST_TITLE]
            raise BoxError(_("There is a box “%(title)s” already: choose another name.", title=taken))

    def add(self, title: str, called: Mapping[str, str] = MappingProxyType({})) -> str:
        """A new box, empty; the name of its file."""
        box = Box().titled(title)
        with _CHANGING, _alone(self.folder):
            self.unlike(title, called)
            if len(self.names) >= MOST_BOXES:
                raise BoxError(_("At most %(limit)d boxes: remove one first.", limit=MOST_BOXES))
            name = f"box-{self._count()}"
            self.save(name, box)
        return name

    def _count(self) -> int:
        """A number that no box ever had: pages that still show a forgotten one must not change another."""
        file = self.folder / "boxes.count"
        named = [int(found[1]) for name in self.names if (found := _NUMBERED.fullmatch(name))]
        with suppress(OSError, ValueError):
            named.append(int(file.read_text(encoding="ascii")[:9]))
        number = max(named, default=0) + 1
        _keep(file, str(number).encode("ascii"))
        return number

    def remove(self, name: str) -> None:
        """Forget a box and all its drawings, and that photos were read by it."""
        try:
            with _CHANGING, _alone(self.folder):
                for chosen in self.folder.glob("*.used"):
                    if _chosen(chosen) == name:
                        chosen.unlink(missing_ok=True)
                self._file(name).unlink(missing_ok=True)
        except OSError as error:
            raise _not_kept(error) from error

    def used(self, first: str) -> str:
        """The box that photos are read by; the first one unless people have chosen another."""
        name = _chosen(self.folder / f"{first}.used")
        return name if name in self.names else first

    def use(self, first: str, name: str) -> None:
        """Read photos by this box from now on."""
        with _CHANGING, _alone(self.folder):
            self.check(first, name)
            _keep(self.folder / f"{first}.used", name.encode("ascii"))

    def check(self, first: str, name: str) -> None:
        """BoxError where there is no such box: a household always has its first one, be it empty."""
        if name != first and name not in self.names:
            raise BoxError(_("There is no such box any more."))

    def stamp(self, name: str) -> int:
        """Another number whenever a box was changed, here or by a command, or may be read again."""
        try:
            file = self._file(name).stat()
            return max(file.st_mtime_ns, file.st_ctime_ns)
        except OSError:
            return 0

    def _file(self, name: str) -> Path:
        check_name(FILE_NAME, name)
        return self.folder / f"{name}.npz"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other program changes boxes: people enrol at a terminal while the page is open."""
    if fcntl is None:
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = (folder / ".changing").open("w", encoding="ascii")
    except OSError as error:
        raise _not_kept(error) from error
    with held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


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


def _chosen(file: Path) -> str:
    """The box that people chose; empty where they have not."""
    try:
        return file.read_text(encoding="ascii", errors="replace")[:40]
    except OSError:
        return ""


def _plain(title: str) -> str:
    """What is the same to whoever reads it."""
    return " ".join(title.split()).casefold()


def _drawn(arrays: Mapping[str, NDArray[np.generic]]) -> tuple[str, ...]:
    """The label of each drawing."""
    return tuple(str(label)[:40] for label in np.atleast_1d(arrays.get("drawn", np.zeros(0))).tolist())


def _title(arrays: Mapping[str, NDArray[np.generic]]) -> str:
    return str(arrays["title"])[:LONGEST_TITLE] if "title" in arrays else ""


def _there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as error:
        raise _unread(file, error) from error


def _read(file: Path, only: Sequence[str] = ()) -> dict[str, NDArray[np.generic]]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise _damaged(file)
        return dict(unpack_arrays(file.read_bytes(), only))
    except BoxError:
        raise
    except OSError as error:
        raise _unread(file, error) from error
    except ValueError as error:
        raise _damaged(file) from error


def _unread(file: Path, error: OSError) -> BoxError:
    return BoxError(
        _(
            "The box “%(name)s” cannot be read just now: %(reason)s. Nothing of it is lost.",
            name=file.stem,
            reason=error.strerror or str(error),
        )
    )


def _damaged(file: Path) -> DamagedBox:
    return DamagedBox(
        _(
            "The box “%(name)s” is damaged: forget it on the page, or by companion enrol kingdomino --name %(name)s "
            "--anew, and enrol its pieces again.",
            name=file.stem,
        )
    )
