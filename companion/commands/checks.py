"""What the doctor looks at: each check says what it found and, if that is bad, what to do."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shlex import quote

from companion.commands.check import Check, is_companion
from companion.commands.photo_checks import check_boxes, check_photos
from companion.commands.table_checks import check_camera, check_panel
from companion.core.errors import StoreError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games import GAMES
from companion.household import words
from companion.household.settings import LoadedSettings, Settings

OLDEST_PYTHON = (3, 11)
LEAST_SPACE = 200_000_000
"""Bytes; a log never gets near, but a full disk loses what comes next."""
PATIENCE_S = 1.0

_FULL = (errno.ENOSPC, errno.EDQUOT)
_MAKE_ROOM = _("Make room: at least %(least)d MB should be free.", least=LEAST_SPACE // 1_000_000)


def check_python(_loaded: LoadedSettings) -> Iterator[Check]:
    yield Check(
        "python",
        sys.version_info >= OLDEST_PYTHON,
        _("Python %(version)s", version=platform.python_version()),
        _("Install Python 3.11 or newer, then the companion again."),
    )


def check_settings(loaded: LoadedSettings) -> Iterator[Check]:
    for problem in loaded.problems:
        yield Check("settings", False, problem, _("Correct the file; docs/settings.md lists every setting."))
    if not loaded.problems:
        path: Message | str = str(loaded.path) if loaded.path else _("no file; everything has its default")
        yield Check("settings", True, path)


def check_data_folder(loaded: LoadedSettings) -> Iterator[Check]:
    folder = loaded.settings.data_folder
    trouble = _trouble_with(folder)
    fix = (
        _MAKE_ROOM
        if trouble and trouble.errno in _FULL
        else _("Let the user who runs the companion write there, or name another folder as store.folder.")
    )
    yield Check("folder", not trouble, _not_written(folder, trouble) if trouble else str(folder), fix)


def check_disk(loaded: LoadedSettings) -> Iterator[Check]:
    folder = loaded.settings.data_folder
    trouble = _trouble_with(folder)
    if trouble and trouble.errno not in _FULL:
        return  # the log will be on another disk, once it has a folder
    free = shutil.disk_usage(nearest_folder(folder)).free
    yield Check("disk", free >= LEAST_SPACE, _("%(free)d MB free", free=free // 1_000_000), _MAKE_ROOM)


def check_log(loaded: LoadedSettings) -> Iterator[Check]:
    url, file = loaded.settings.store_url, _sqlite_file(loaded.settings)
    if file and not file.exists():
        trouble = _trouble_with(file.parent)
        detail = _("%(file)s: the first game will make it", file=str(file))
        yield Check(
            "log", not trouble, _not_written(file.parent, trouble) if trouble else detail, _cure("", file)
        )
        return
    try:
        detail = _look_into_log(url)
    except StoreError as error:
        yield Check("log", False, error.message, _cure_of(error, file))
        return
    yield Check("log", True, detail)
    if file:
        yield from _lock(file)


def check_port(loaded: LoadedSettings) -> Iterator[Check]:
    web = loaded.settings.web
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            web.host, web.port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        yield _taken(web.host, web.port, error)
    else:
        yield Check("port", True, _("%(port)d is free", port=web.port))


def check_network(loaded: LoadedSettings) -> Iterator[Check]:
    # Imported here: it brings the web server along, which only this check needs.
    from companion.app import page_addresses

    found = [address for address in page_addresses(loaded.settings.web.port) if "//127." not in address]
    if loaded.settings.web.host in ("127.0.0.1", "::1", "localhost"):
        yield Check("network", True, _("the page stays on this computer, as web.host says"))
        return
    yield Check(
        "network",
        bool(found),
        ", ".join(found) if found else _("no network: other devices cannot come in"),
        _("Join the network of the tablets and phones."),
    )


def check_languages(_loaded: LoadedSettings) -> Iterator[Check]:
    missing = list(words.missing_catalogues())
    names = ", ".join(words.LANGUAGES.values())
    yield Check(
        "languages",
        not missing,
        _n("%(count)d file is missing: %(files)s", "%(count)d files are missing: %(files)s", len(missing),
           files=", ".join(f"{path.parts[-3]}/{path.name}" for path in missing)) if missing else names,
        _("Install the companion again; in a folder of sources, run `make translations`."),
    )  # fmt: skip


CHECKS: tuple[Callable[[LoadedSettings], Iterator[Check]], ...] = (
    check_python,
    check_settings,
    check_data_folder,
    check_disk,
    check_log,
    check_port,
    check_network,
    check_languages,
    check_photos,
    check_boxes,
    check_camera,
    check_panel,
)


def nearest_folder(folder: Path) -> Path:
    """The folder, or the one above it that is there already."""
    return next(place for place in (folder, *folder.absolute().parents) if place.is_dir())


def _trouble_with(folder: Path) -> OSError | None:
    """None when the folder, or the one it will be made in, can be written."""
    try:
        place = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if not place.is_dir():
            return NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        with tempfile.TemporaryFile(dir=place):
            return None
    except OSError as error:
        return error


def _not_written(folder: Path, trouble: OSError) -> Message:
    return _("%(folder)s cannot be written: %(reason)s", folder=str(folder), reason=str(trouble.strerror))


def _sqlite_file(settings: Settings) -> Path | None:
    url = settings.store_url
    return Path(url.removeprefix("sqlite:///").partition("?")[0]) if url.startswith("sqlite:///") else None


def _look_into_log(url: str) -> Message:
    from companion.sessions.store import SessionRepository

    store = SessionRepository(url, GAMES)
    try:
        damage = store.damage()
        if damage:
            raise StoreError(
                _("The file of the log is damaged: %(damage)s", damage=" ".join(damage.split())[:200])
            ) from sqlite3.DatabaseError("malformed")
        count = len(store.list(limit=10_000))
    finally:
        store.close()
    return _n("%(count)d game, nothing damaged", "%(count)d games, nothing damaged", count)


def _cure_of(error: StoreError, file: Path | None) -> Message:
    if isinstance(error.__cause__, ImportError):
        return _("Install it, then start the companion again.")
    return _cure(str(error.__cause__).lower(), file)


def _cure(cause: str, file: Path | None) -> Message:
    """What to do about a database that says this."""
    name = quote(str(file))
    if "locked" in cause:
        return _("Close the other program that holds %(file)s.", file=name)
    if file and ("malformed" in cause or "not a database" in cause):
        # `.dump`, since `.recover` fails on every file in the SQLite 3.40.1 of Debian 12 and Raspberry Pi OS.
        save = f"sqlite3 {name}.damaged .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 {name}"
        return _(
            "Stop the companion and keep the file: mv %(file)s %(file)s.damaged (and %(file)s-wal likewise,"
            " if there is one). It starts again with an empty log."
            " To save before that what can be saved: %(save)s",
            file=name,
            save=save,
        )
    if file:
        return _("Let the user who runs the companion read and write %(file)s.", file=name)
    return _("Look whether the database is running, and whether store.url is right.")


def _lock(file: Path) -> Iterator[Check]:
    try:
        with closing(sqlite3.connect(file, timeout=PATIENCE_S, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        yield Check("writing", False, _("The log cannot be written: %(reason)s", reason=str(error)),
                    _cure(str(error).lower(), file))  # fmt: skip
    else:
        yield Check("writing", True, _("the log can be written"))


def _taken(host: str, port: int, error: OSError) -> Check:
    if error.errno == errno.EADDRINUSE and is_companion(port):
        return Check("port", True, _("the companion is open at %(port)d already", port=port))
    if error.errno == errno.EADDRINUSE:
        detail = _("another program uses port %(port)d", port=port)
        return Check("port", False, detail, _("Close that program, or choose another web.port."))
    detail = _("%(host)s, port %(port)d: %(reason)s", host=host, port=port, reason=str(error.strerror))
    if error.errno == errno.EACCES:
        return Check("port", False, detail, _("Choose a web.port above 1023."))
    fix = _("Correct web.host: 0.0.0.0 is for every device, 127.0.0.1 for this computer alone.")
    return Check("port", False, detail, fix)
