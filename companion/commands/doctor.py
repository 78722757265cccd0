"""`companion doctor`: looks for what could go wrong before it does, and says how to mend it.

Each check yields what it found and, if that is bad, what to do. Checks stand in the order in which they are told."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import socket
import sqlite3
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from companion.commands.terminal import Exit, config_argument, json_argument, terminal
from companion.core.errors import CameraError, CompanionError, PanelError, StoreError
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.photo import photo_sight
from companion.games import GAMES
from companion.household import languages
from companion.household.chosen_camera import with_chosen_camera
from companion.household.settings import LoadedSettings, Settings, load_settings

if TYPE_CHECKING:
    from hardware.camera import Pixels


SERVER = "Table Companion"
"""How our server names itself in every answer."""
ANSWER_S = 1.0
OLDEST_PYTHON = (3, 11)
LEAST_SPACE = 200_000_000
"""Bytes; a log never gets near, but a full disk loses what comes next."""
PATIENCE_S = 1.0
LOOK_S = 3.0
"""How long we look for a picture, at most."""
DARKEST, BRIGHTEST = 12, 92
"""Percent: in a darker or brighter picture, pieces cannot be told apart."""
OWNED = ("usb", "pi")
"""Sources that only one program at a time can use."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_MAKE_ROOM = _("Make room: at least %(least)d MB should be free.", least=LEAST_SPACE // 1_000_000)
_INSTALL_AGAIN = _("Install the companion again.")
_ASK_AGAIN = _("Then ask `companion doctor` again; docs/settings.md says what can be set.")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: Message
    """What it is called at the terminal, in ten letters at most; scripts read it in English."""
    ok: bool
    detail: Message | str
    fix: Message | str = ""


def check_python(_loaded: LoadedSettings) -> Iterator[Check]:
    yield Check(
        _("python"),
        sys.version_info >= OLDEST_PYTHON,
        _("Python %(version)s", version=platform.python_version()),
        _("Install Python 3.11 or newer, then the companion again."),
    )


def check_settings(loaded: LoadedSettings) -> Iterator[Check]:
    for problem in loaded.problems:
        yield Check(
            _("settings"), False, problem, _("Correct the file; docs/settings.md lists every setting.")
        )
    if not loaded.problems:
        path: Message | str = str(loaded.path) if loaded.path else _("no file; everything has its default")
        yield Check(_("settings"), True, path)


def check_data_folder(loaded: LoadedSettings) -> Iterator[Check]:
    folder = loaded.settings.data_folder
    trouble = _trouble_with(folder)
    fix = (
        _MAKE_ROOM
        if trouble and trouble.errno in _FULL
        else _("Let the user who runs the companion write there, or name another folder as store.folder.")
    )
    yield Check(_("folder"), not trouble, _not_written(folder, trouble) if trouble else str(folder), fix)


def check_disk(loaded: LoadedSettings) -> Iterator[Check]:
    folder = loaded.settings.data_folder
    trouble = _trouble_with(folder)
    if trouble and trouble.errno not in _FULL:
        return  # the log will be on another disk, once it has a folder
    free = shutil.disk_usage(nearest_folder(folder)).free
    yield Check(_("disk"), free >= LEAST_SPACE, _("%(free)d MB free", free=free // 1_000_000), _MAKE_ROOM)


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


def check_log(loaded: LoadedSettings) -> Iterator[Check]:
    url, file = loaded.settings.store_url, _sqlite_file(loaded.settings)
    if file and not file.exists():
        trouble = _trouble_with(file.parent)
        detail = _("%(file)s: the first game will make it", file=str(file))
        yield Check(
            _("log"), not trouble, _not_written(file.parent, trouble) if trouble else detail, _cure("", file)
        )
        return
    try:
        detail = _look_into_log(url)
    except StoreError as error:
        missing = isinstance(error.__cause__, ImportError)
        install = _("Install it, then start the companion again.")
        yield Check(_("log"), False, error.message, install if missing else _cure(str(error.__cause__), file))
        return
    yield Check(_("log"), True, detail)
    if file:
        yield _lock(file)


def _sqlite_file(settings: Settings) -> Path | None:
    url = settings.store_url
    return Path(url.removeprefix("sqlite:///").partition("?")[0]) if url.startswith("sqlite:///") else None


def _look_into_log(url: str) -> Message:
    from companion.sessions.repository import SessionRepository

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


def _cure(cause: str, file: Path | None) -> Message:
    """What to do about a database that says this."""
    name, cause = quote(str(file)), cause.lower()
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


def _lock(file: Path) -> Check:
    try:
        with closing(sqlite3.connect(file, timeout=PATIENCE_S, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        detail = _("The log cannot be written: %(reason)s", reason=str(error))
        return Check(_("writing"), False, detail, _cure(str(error), file))
    return Check(_("writing"), True, _("the log can be written"))


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
        yield Check(_("port"), True, _("%(port)d is free", port=web.port))


def _taken(host: str, port: int, error: OSError) -> Check:
    if error.errno == errno.EADDRINUSE and is_companion(port):
        return Check(_("port"), True, _("the companion is open at %(port)d already", port=port))
    if error.errno == errno.EADDRINUSE:
        detail = _("another program uses port %(port)d", port=port)
        return Check(_("port"), False, detail, _("Close that program, or choose another web.port."))
    detail = _("%(host)s, port %(port)d: %(reason)s", host=host, port=port, reason=str(error.strerror))
    if error.errno == errno.EACCES:
        return Check(_("port"), False, detail, _("Choose a web.port above 1023."))
    fix = _("Correct web.host: 0.0.0.0 is for every device, 127.0.0.1 for this computer alone.")
    return Check(_("port"), False, detail, fix)


def is_companion(port: int) -> bool:
    """Whether whoever answers there says that it is one of us."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/manifest.webmanifest", timeout=ANSWER_S) as answer:
            return bool(answer.headers["Server"] == SERVER)
    except (OSError, HTTPException):
        return False


def check_network(loaded: LoadedSettings) -> Iterator[Check]:
    # Imported here: it brings the web server along, which only this check needs.
    from companion.app import page_addresses

    found = [address for address in page_addresses(loaded.settings.web.port) if "//127." not in address]
    if loaded.settings.web.host in ("127.0.0.1", "::1", "localhost"):
        yield Check(_("network"), True, _("the page stays on this computer, as web.host says"))
        return
    yield Check(
        _("network"),
        bool(found),
        ", ".join(found) if found else _("no network: other devices cannot come in"),
        _("Join the network of the tablets and phones."),
    )


def check_languages(_loaded: LoadedSettings) -> Iterator[Check]:
    missing = list(languages.missing_catalogues())
    names = ", ".join(languages.LANGUAGES.values())
    yield Check(
        _("languages"),
        not missing,
        _n("%(count)d file is missing: %(files)s", "%(count)d files are missing: %(files)s", len(missing),
           files=", ".join(f"{path.parts[-3]}/{path.name}" for path in missing)) if missing else names,
        _("Install the companion again; in a folder of sources, run `make translations`."),
    )  # fmt: skip


def check_photos(_loaded: LoadedSettings) -> Iterator[Check]:
    if find_spec("cv2") is None:
        yield Check(_("photos"), False, _("OpenCV is missing: no photo can be read"), _INSTALL_AGAIN)
        return
    # Imported here: nothing else that the doctor looks at needs pictures.
    from companion.photos.reader import shipped_gallery
    from models.registry import PIECES, load_network, network_of

    try:
        shipped = [shipped_gallery(key) for key, game in GAMES.items() if photo_sight(game)]
        pieces = sum(len(set(gallery.labels)) for gallery in shipped if gallery)
        for network in {PIECES, *map(network_of, GAMES)}:
            load_network(network)
    except CompanionError as error:
        yield Check(_("photos"), False, error.message, _INSTALL_AGAIN)
    else:
        yield Check(_("photos"), True, _n("%(count)d square is known", "%(count)d squares are known", pieces))


def check_boxes(loaded: LoadedSettings) -> Iterator[Check]:
    if find_spec("cv2") is None:
        return
    from companion.vision.gallery.box import BoxRepository, DamagedBox

    kept, drawings, damaged = BoxRepository(loaded.settings.data_folder), 0, False
    for name in kept.names:
        try:
            drawings += len(kept.open(name).labels)
        except CompanionError as error:
            damaged, file = True, str(kept.folder / f"{name}.npz")
            fix = _("Let the companion read %(file)s.", file=file)
            if isinstance(error, DamagedBox):
                fix = _(
                    "On the page: menu, Teach it your box, Forget this box. Or remove %(file)s.", file=file
                )
            yield Check(_("boxes"), False, error.message, fix)
    if not damaged:
        yield Check(
            _("boxes"), True, _n("%(count)d drawing of your own", "%(count)d drawings of your own", drawings)
        )


def check_camera(loaded: LoadedSettings) -> Iterator[Check]:
    chosen = loaded.settings.camera
    unlooked = _unlooked(loaded)
    if unlooked:
        yield Check(_("camera"), True, unlooked)
        return
    # Imported here: only a household with a camera needs it.
    from hardware.sources import look_through

    try:
        name, frame = look_through(chosen.source, chosen.place, LOOK_S, (chosen.width, chosen.height))
    except CameraError as error:
        yield Check(_("camera"), False, error.message, _ASK_AGAIN)
        return
    yield _picture(name, frame.pixels)
    yield _table(loaded, frame.pixels)


def _unlooked(loaded: LoadedSettings) -> Message | None:
    """Why there is no camera to look through, if that is well."""
    chosen = loaded.settings.camera
    if chosen.source == "none":
        return _("no camera is set")
    if chosen.source == "virtual":
        return _("the virtual table needs none")
    if chosen.source in OWNED and is_companion(loaded.settings.web.port):
        return _("the companion that is open uses it")
    return None


def _picture(name: str, pixels: Pixels) -> Check:
    height, width = pixels.shape[:2]
    brightness = round(float(pixels.mean()) / 2.55)
    detail = _(
        "%(camera)s: %(width)d × %(height)d pixels, brightness %(percent)d of 100",
        camera=name,
        width=width,
        height=height,
        percent=brightness,
    )
    fix = _("Put less light on the table: the picture is too bright to tell pieces apart.")
    if brightness < DARKEST:
        fix = _("Put more light on the table; look whether the lens is covered.")
    return Check(_("camera"), DARKEST <= brightness <= BRIGHTEST, detail, fix)


def _table(loaded: LoadedSettings, pixels: Pixels) -> Check:
    """Whether the table is found in the picture: by its markers, or by the corners that somebody has shown."""
    from calibration.markers import MarkerFinder
    from calibration.storage import load_calibration

    kept, trouble = load_calibration(loaded.settings.data_folder)
    page = _("The companion's page helps: open its menu, and “Set up the camera”.")
    if trouble:
        return Check(_("table"), False, trouble, page)
    if kept.corners:
        return Check(_("table"), True, _("its corners were shown on the camera's page"))
    found = MarkerFinder(kept.mat).find(pixels)
    return Check(
        _("table"),
        found.plane is not None,
        _("%(count)d of %(all)d markers are seen", count=len(found.seen), all=len(kept.mat.ids)),
        _(
            "Lay the printed markers flat into the corners of the table, all of them in the picture, none covered. "
            "To print them, or to do without: open the page's menu, and “Set up the camera”."
        ),
    )


def check_panel(loaded: LoadedSettings) -> Iterator[Check]:
    chosen = loaded.settings.panel
    if chosen.pins == "none":
        yield Check(_("panel"), True, _("no buttons and lamps are set"))
        return
    # Imported here: only a household with a panel needs one.
    from hardware.pins import PIN_MAP_FILE, load_pin_map

    try:
        board = load_pin_map(Path(chosen.board).expanduser() if chosen.board else PIN_MAP_FILE)
    except PanelError as error:
        yield Check(
            _("panel"), False, error.message, _("Correct the pin map; hardware/wiring.md explains it.")
        )
        return
    if chosen.pins == "gpio" and not is_companion(loaded.settings.web.port):
        from hardware.panel import Panel

        try:
            Panel(board, None, lambda _seat, _long: None, lambda _text, _seat: None).close()
        except PanelError as error:
            yield Check(_("panel"), False, error.message, _ASK_AGAIN)
            return
    count = len(board.spots)
    yield Check(
        _("panel"), True, _n("%(count)d button with a lamp", "%(count)d buttons, each with a lamp", count)
    )


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


def arguments(parser: ArgumentParser, say: Say) -> None:
    config_argument(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    reader, loaded = terminal(args), load_settings(args.config)
    loaded = replace(loaded, settings=with_chosen_camera(loaded.settings))
    rows: list[dict[str, Any]] = []
    for look in CHECKS:
        for found in look(loaded):
            row = {
                "check": str(found.name),
                "ok": found.ok,
                "detail": reader.put(found.detail),
                "fix": "" if found.ok else reader.put(found.fix),
            }
            rows.append(row)
            reader.say("✓" if found.ok else "✗", f"{reader.put(found.name):10}", found.detail)
            if not found.ok:
                reader.say(" " * 12, "→", found.fix)
    reader.data(rows)
    wrong = sum(not row["ok"] for row in rows)
    if wrong:
        reader.say(_n("%(count)d thing needs you.", "%(count)d things need you.", wrong))
        return Exit.FAILED
    reader.say(_("All is well."))
    return Exit.DONE
