"""Evenings that a household keeps: what the camera saw and what people did, each a folder that can be watched again.

A folder has numbered pictures, the calibration of its camera, and `evening.jsonl`: a head, then a line for each
picture, each thing people did, and each entry of the log, in the order in which they came. Lines that end too soon
and files nobody wrote do no harm: a folder can be read whenever the power went.
"""

from __future__ import annotations

import json
import lzma
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from companion.core.errors import NotationError, StoreError
from companion.core.message import message as _
from companion.games import GAMES
from companion.sessions.json_lines import read_session

FILE = "evening.jsonl"
CALIBRATION = "camera.json"
"""What is set about a camera, as `calibration.storage` keeps it; written anew whenever somebody sets it up."""
FORMAT = 1
BEGUN = 2
"""Lines of a session's file that say which game it is, and who plays."""
NAME = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9]{1,32}(?:-[1-9]\d{0,3})?")
"""Of a folder: the day, the session, and a number where there are several."""
PICTURE = re.compile(r"\d{6,9}\.jpg", re.ASCII)
CALIBRATION_PICTURE = re.compile(r"[a-z0-9_-]{1,40}\.png")
"""The empty table in even light, which the calibration names."""
LONGEST_LINE = 32_000_000
"""Bytes of a line we read: its head has the whole log of a game."""
CHUNK = 256 * 1024
LARGEST_FILE, MOST_UNPACKED = 64_000_000, 3
"""Bytes of a file out of a ZIP file; and how many times larger than that all of them may be: pictures hardly shrink."""


class Did(StrEnum):
    """What people do at a watched table."""

    PRESS = "press"
    """A button was pressed."""
    CONFIRM = "confirm"
    """What was proposed is right."""
    ANSWER = "answer"
    """A question was answered."""
    WAY = "way"
    """A way out of a disagreement was taken."""
    ALONE = "alone"
    """Recording without a word was allowed, or forbidden."""
    RECORD = "record"
    """Something was tapped in by hand."""


@dataclass(frozen=True)
class Deed:
    """Something people did."""

    did: Did
    seat: int | None = None
    """Of the button; None is the common one."""
    long: bool = False
    question: str = ""
    events: tuple[str, ...] = ()
    """The answer, or what was tapped in, in notation."""
    way: str = ""
    alone: bool = False


@dataclass(frozen=True)
class EveningPart:
    """One line of an evening: a picture, a deed, or an entry of the log."""

    time: float
    """Seconds since it began."""
    frame: str = ""
    """The picture's file."""
    deed: Deed | None = None
    entry: str = ""
    """As the session's file has it."""


@dataclass(frozen=True)
class EveningHead:
    """What has to be known before the first picture."""

    session: str
    game: str
    log: tuple[str, ...]
    """The session's file when it began: who plays, by which options, and what had happened."""
    alone: bool = False
    """Whether the companion might record by itself."""
    still_s: float = 0.8
    rest_s: float = 4.0
    ignore: tuple[tuple[float, float, float, float], ...] = ()
    """What was not looked at: x, y, width and height of rectangles in millimetres."""


@dataclass(frozen=True)
class KeptEvening:
    """A folder as the page shows it."""

    name: str
    game: str
    """"" where nobody can tell."""
    players: tuple[str, ...]
    ended: datetime
    """When it was written to at last."""
    pictures: int
    bytes: int


def head_row(head: EveningHead) -> dict[str, Any]:
    return {"evening": FORMAT, **asdict(head), "log": [json.loads(line) for line in head.log]}


def deed_row(deed: Deed) -> dict[str, Any]:
    """What is said of a deed, without what it leaves open."""
    usual = asdict(Deed(deed.did))
    said = {key: value for key, value in asdict(deed).items() if key == "did" or value != usual[key]}
    return {**said, "seat": deed.seat} if deed.did is Did.PRESS else said


def read_evening(folder: Path) -> tuple[EveningHead, list[EveningPart]]:
    """What is in the folder of an evening, or NotationError."""
    rows = _rows(folder / FILE)
    try:
        head = _head(next(rows))
    except (StopIteration, KeyError, TypeError, ValueError) as error:
        raise NotationError(
            _("%(file)s is no evening that was kept by this version.", file=str(folder / FILE))
        ) from error
    parts = (_part(row) for row in rows)
    return head, [part for part in parts if part]


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Every line that can be read: the last one may have been cut off with the power."""
    try:
        with path.open("rb") as file:
            for line in iter(partial(file.readline, LONGEST_LINE), b""):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(row, dict):
                    yield row
    except OSError as error:
        raise NotationError(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error


def _head(row: Mapping[str, Any]) -> EveningHead:
    if row["evening"] != FORMAT:
        raise ValueError("another version's")
    areas = tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in row["ignore"])
    return EveningHead(
        str(row["session"]),
        str(row["game"]),
        tuple(map(json.dumps, row["log"])),
        row["alone"] is True,
        _between(row["still_s"], 0.2, 5),
        _between(row["rest_s"], 1, 20),
        areas,
    )


def _between(value: Any, least: float, most: float) -> float:
    if not least <= float(value) <= most:
        raise ValueError("no such number of seconds")
    return float(value)


def _part(row: Mapping[str, Any]) -> EveningPart | None:
    """What a line says; None where it says nothing of an evening."""
    try:
        time = _between(row["time"], 0, 1e6)
        if "entry" in row:
            return EveningPart(time, entry=json.dumps(row["entry"]))
        if "frame" in row:
            return EveningPart(time, str(row["frame"])) if PICTURE.fullmatch(str(row["frame"])) else None
        seat = row.get("seat")
        deed = Deed(
            Did(row["did"]),
            None if seat is None else int(seat),
            row.get("long") is True,
            str(row.get("question", "")),
            tuple(map(str, row.get("events", ()))),
            str(row.get("way", "")),
            row.get("alone") is True,
        )
    except (KeyError, TypeError, ValueError):
        return None
    return EveningPart(time, deed=deed)


class EveningRepository:
    """The evenings in the data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def list(self) -> Sequence[KeptEvening]:
        """The newest first; what cannot be read is one without a game, and can still be deleted."""
        try:
            names = sorted(
                (one.name for one in self.folder.iterdir() if NAME.fullmatch(one.name)), reverse=True
            )
        except OSError:
            return []
        return [self._kept(name) for name in names]

    def delete(self, name: str) -> None:
        """Remove an evening with all of its pictures, or StoreError."""
        try:
            shutil.rmtree(self._path(name))
        except OSError as error:
            raise StoreError(
                _("The evening cannot be deleted: %(reason)s.", reason=str(error.strerror))
            ) from error

    def zipped(self, name: str) -> Iterator[bytes]:
        """The folder as a ZIP file, bit by bit: nothing of it is copied to disk or kept in memory."""
        return _zipped(self._path(name))

    def fresh(self, day: str, session: str) -> Path:
        """A new folder, or OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            folder = self.folder / (f"{day}-{session}" if number == 1 else f"{day}-{session}-{number}")
            try:
                folder.mkdir()
            except FileExistsError:
                number += 1
            else:
                return folder

    def _path(self, name: str) -> Path:
        folder = self.folder / name
        if not NAME.fullmatch(name) or not folder.is_dir():
            raise NotationError(_("There is no such evening."))
        return folder

    def _kept(self, name: str) -> KeptEvening:
        folder = self.folder / name
        game, players = "", tuple[str, ...]()
        try:
            begun = read_session(_head(next(_rows(folder / FILE))).log[:BEGUN], GAMES)
            game, players = begun.game.key, tuple(player.name for player in begun.setup.players)
        except (NotationError, StopIteration, KeyError, TypeError, ValueError):
            pass
        files = list(_files(folder))
        pictures = sum(PICTURE.fullmatch(path.name) is not None for path, _size in files)
        ended = datetime.fromtimestamp(_changed(folder), UTC)
        return KeptEvening(name, game, players, ended, pictures, sum(size for _path, size in files))


def _changed(folder: Path) -> float:
    """When an evening was last written to; of one that goes meanwhile, the beginning of time."""
    for path in (folder / FILE, folder):
        with suppress(OSError):
            return path.stat().st_mtime
    return 0.0


def _files(folder: Path) -> Iterator[tuple[Path, int]]:
    """The files of a folder with their sizes; one that goes meanwhile is left out."""
    for path in sorted(folder.iterdir()):
        try:
            if path.is_file() and not path.name.endswith(".new"):
                yield path, path.stat().st_size
        except OSError:
            continue


class _Outgoing:
    """A file that only hands on what is written to it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
"""What Python says of a ZIP file that is none, is damaged, or is locked by a password."""


def unpack_evening(archive: Path, folder: Path) -> Path:
    """An evening out of the ZIP file that the page hands out, in a folder of its own; or NotationError.

    Only files that belong to an evening are taken, by their names alone: nothing is written anywhere else.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            head = next((one for one in packed.namelist() if one.rpartition("/")[2] == FILE), FILE)
            home = head.removesuffix(FILE)
            inside = {
                name: info
                for info in packed.infolist()
                if info.filename.startswith(home) and _belongs(name := info.filename.removeprefix(home))
            }
            sizes = [info.file_size for info in inside.values()]
            most = MOST_UNPACKED * archive.stat().st_size + LARGEST_FILE
            if FILE not in inside or max(sizes) > LARGEST_FILE or sum(sizes) > most:
                raise NotationError(_("There is no evening in %(file)s.", file=str(archive)))
            for name, info in inside.items():
                with packed.open(info) as file, (folder / name).open("wb") as out:
                    shutil.copyfileobj(file, out, CHUNK)
    except NotationError:
        raise
    except UNREADABLE as error:
        raise NotationError(_("%(file)s is no ZIP file that can be read.", file=str(archive))) from error
    except OSError as error:
        reason = str(error.strerror or error)
        raise NotationError(_("The file cannot be read: %(reason)s.", reason=reason)) from error
    return folder


def _belongs(name: str) -> bool:
    """Whether a file of an evening is called that."""
    known = name in (FILE, CALIBRATION) or PICTURE.fullmatch(name) or CALIBRATION_PICTURE.fullmatch(name)
    return bool(known)


def _zipped(folder: Path) -> Iterator[bytes]:
    out = _Outgoing()
    # Pictures are packed already.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path, _size in _files(folder):
            with path.open("rb") as file, archive.open(f"{folder.name}/{path.name}", "w") as inside:
                while chunk := file.read(CHUNK):
                    inside.write(chunk)
                    yield out.take()
        yield out.take()
    yield out.take()
