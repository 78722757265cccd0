"""A household's own boxes: pictures of pieces that people taught, and the repository that keeps them in the
data folder.

A box is a value; `BoxRepository.change` applies one change after the other, also between processes, and
writes all of it or nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from types import MappingProxyType, ModuleType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.vision.gallery.squares import (
    DRAWN,
    SquareGallery,
    embed,
    gallery_arrays,
    gallery_from_arrays,
    gallery_of,
    network_crop,
)
from models.registry import network_of, pack_arrays, unpack_arrays

NAME = re.compile(r"[\w-]{1,40}", re.ASCII)
"""Of a piece, and of a box's file."""
LONGEST_TITLE = 40
MOST_DRAWINGS = 1000
TOO_ALIKE = 0.96
"""Pieces of different kinds that look more alike than this are told."""
SAME_PICTURE = 0.995
"""Two pictures of one piece that look more alike than this are the same picture: other photos of it stay below 0.99."""


class BoxError(CompanionError, ValueError):
    """A box cannot be used, or what is asked of it cannot be done."""


class DamagedBox(BoxError):
    """Nothing can be read of a box's file any more: it can only be forgotten."""


@dataclass(frozen=True, eq=False)
class Box:
    """The squares of one box, each as often as there are pictures of it."""

    labels: tuple[str, ...] = ()
    pictures: Pixels = field(default_factory=lambda: np.zeros((0, DRAWN, DRAWN, 3), np.uint8))
    title: str = ""
    """What people call it."""
    game: str = ""
    """Whose pieces it has; empty where it was made before boxes said so: any game may have it."""

    @property
    def known(self) -> tuple[str, ...]:
        """Every label once."""
        return tuple(dict.fromkeys(self.labels))

    @property
    def drawings(self) -> Iterator[tuple[str, Pixels]]:
        return zip(self.labels, self.pictures, strict=True)

    def learned(self, drawings: Iterable[tuple[str, Pixels]]) -> Box:
        """With more pictures of squares; a label may come again, nearly the same picture of it is kept once."""
        new = self.fresh(drawings)
        if not new:
            return self
        if len(self.labels) + len(new) > MOST_DRAWINGS:
            raise BoxError(
                _("A box holds at most %(limit)d drawings: remove some first.", limit=MOST_DRAWINGS)
            )
        small = np.stack([_small(picture) for _label, picture in new])
        pictures = np.asarray(np.concatenate([self.pictures, small]), np.uint8)
        return replace(self, labels=self.labels + tuple(label for label, _picture in new), pictures=pictures)

    def fresh(self, drawings: Iterable[tuple[str, Pixels]]) -> Sequence[tuple[str, Pixels]]:
        """Those drawings of which the box has none that is nearly the same."""
        shown = list(drawings)
        for label, _picture in shown:
            _check_name(label)
        labels = {label for label, _picture in shown}
        kept = [one for one in self.drawings if one[0] in labels]
        every = [*kept, *shown]
        if not shown:
            return ()
        looks = embed(np.stack([network_crop(_small(picture)) for _label, picture in every]))
        seen = list(range(len(kept)))
        for index in range(len(kept), len(every)):
            same = [at for at in seen if every[at][0] == every[index][0]]
            if not same or float((looks[same] @ looks[index]).max()) <= SAME_PICTURE:
                seen.append(index)
        return [every[index] for index in seen[len(kept) :]]

    def without(self, label: str) -> Box:
        """Without any drawing of that piece, or BoxError when there is none."""
        kept = [index for index, known in enumerate(self.labels) if known != label]
        if len(kept) == len(self.labels):
            raise _no_piece(label)
        return self._only(kept)

    def only(self, labels: Collection[str]) -> Box:
        """With the drawings of these pieces alone."""
        return self._only([index for index, known in enumerate(self.labels) if known in labels])

    def dropped(self, index: int, label: str) -> Box:
        """Without one drawing of a piece, or BoxError when it is not there any more."""
        if not 0 <= index < len(self.labels) or self.labels[index] != label:
            raise _no_piece(label)
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
        _check_name(name)
        if label not in self.labels:
            raise _no_piece(label)
        return replace(self, labels=tuple(name if known == label else known for known in self.labels))

    def gallery(self, network: str = "") -> SquareGallery:
        """Its pieces as a network describes them: as the game's own does, unless another one is named."""
        if not self.labels:
            raise BoxError(_("This box is empty: enrol its pieces first."))
        return gallery_of(self.drawings, network=network or network_of(self.game))

    def alike(self, kind: Callable[[str], object]) -> Iterator[tuple[str, str, float]]:
        """Pieces of different kinds that look too much alike, the likest first."""
        if len(self.known) < 2:
            return
        gallery = self.gallery()
        likeness = gallery.traits @ gallery.traits[::4].T
        best: dict[tuple[str, str], float] = {}
        for row, column in np.argwhere(likeness > TOO_ALIKE):
            one, other = sorted((gallery.labels[row], gallery.labels[4 * column]))
            if kind(one) != kind(other):
                best[one, other] = max(best.get((one, other), 0.0), float(likeness[row, column]))
        for (one, other), score in sorted(best.items(), key=lambda pair: -pair[1]):
            yield one, other, score


def _check_name(name: str) -> None:
    """Refuse what cannot be a name in a file."""
    if not NAME.fullmatch(name):
        raise BoxError(
            _("“%(name)s” is no name: letters, digits, “-” and “_”, at most 40 of them.", name=name[:40])
        )


def _no_piece(label: str) -> BoxError:
    return BoxError(_("There is no piece “%(label)s” in this box.", label=label[:40]))


def _small(picture: Pixels) -> Pixels:
    return np.asarray(cv2.resize(picture, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), np.uint8)


fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has none: there one program at a time is asked for nothing
    fcntl = None

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
        return sorted(file.stem for file in self.folder.glob("*.npz") if NAME.fullmatch(file.stem))

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
        return Box(labels, np.asarray(pictures, np.uint8), _title(arrays), _game(arrays))

    def of(self, game: str) -> Sequence[str]:
        """The names of a game's boxes; one that cannot be read may be anybody's."""
        return [name for name in self.names if self._game(name) in ("", game)]

    def _game(self, name: str) -> str:
        try:
            return _game(_read(self._file(name), ("game",)))
        except BoxError:
            return ""

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
                else _("No box is enrolled yet: companion enrol GAME FOLDER")
            )
        arrays = _read(file)
        with suppress(KeyError, ValueError, IndexError, TypeError):
            gallery = gallery_from_arrays(arrays, network_of(_game(arrays)))
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
        said = {"title": np.array(box.title), "game": np.array(box.game)}
        kept = {"drawn": np.array(box.labels), "pictures": box.pictures, **said}
        _keep(file, pack_arrays({**described, **kept}))

    def change(self, name: str, done: Callable[[Box], Box], anew: bool = False, game: str = "") -> Box:
        """Change a box, one change after the other; `anew` begins without its drawings, damaged or not.

        `game` says whose it is from then on.
        """
        with _CHANGING, _alone(self.folder):
            before = self._bare(name) if anew else self.open(name)
            after = done(before)
            if anew or after is not before:
                after = replace(after, game=game or after.game)
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

    def add(self, title: str, called: Mapping[str, str] = MappingProxyType({}), game: str = "") -> str:
        """A new box, empty; the name of its file."""
        box = Box(game=game).titled(title)
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
        _check_name(name)
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


def _game(arrays: Mapping[str, NDArray[np.generic]]) -> str:
    return str(arrays["game"])[:40] if "game" in arrays else ""


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
            "The box “%(name)s” is damaged: forget it on the page, or by companion enrol GAME --name %(name)s "
            "--anew, and enrol its pieces again.",
            name=file.stem,
        )
    )
