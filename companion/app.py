"""Puts the house together: settings, store, table, page and server; the only module that knows them all."""

from __future__ import annotations

import errno
import functools
import io
import json
import logging
import os
import re
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING

import segno

from companion.core.errors import CompanionError, StoreError
from companion.core.message import Message
from companion.core.message import message as _
from companion.demo import Demonstration
from companion.games import GAMES
from companion.logs import begin_logging
from companion.settings import Loaded, Settings
from companion.store.store import Store
from companion.table import Table
from companion.web import House, create_app
from companion.web.guard import PHOTO_LIMIT
from companion.web.pin import Doorkeeper
from companion.web.trouble import trouble_page
from companion.words import catalogue, terminal_language

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from waitress.server import BaseWSGIServer, MultiSocketServer

    Server = BaseWSGIServer | MultiSocketServer

WORKERS = 8
"""Threads for pages, besides one for each open stream."""
PIN_LENGTH = 6
SECRET_LENGTH = 32

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Keys:
    """What has to stay the same when the companion starts again, so that tablets stay unlocked."""

    secret: bytes
    pin: str


def load_keys(folder: Path, pin: str) -> Keys:
    """The keys kept in the data folder, made at the first start; a PIN from the settings goes first."""
    path = folder / "keys.json"
    try:
        keys = _read_keys(path)
    except FileNotFoundError:
        keys = _new_keys(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning(_said(_("%(file)s cannot be read: there is a new PIN now.", file=str(path))))
        log.debug("%s", error)
        keys = _new_keys(path)
    return Keys(keys.secret, pin or keys.pin)


def _read_keys(path: Path) -> Keys:
    kept = json.loads(path.read_text(encoding="utf-8"))
    keys = Keys(bytes.fromhex(kept["secret"]), str(kept["pin"]))
    if len(keys.secret) < SECRET_LENGTH or not re.fullmatch("[0-9]{4,8}", keys.pin):
        raise ValueError("an empty secret or PIN would let everybody in")
    return keys


def _new_keys(path: Path) -> Keys:
    digits = (secrets.choice("0123456789") for _each in range(PIN_LENGTH))
    keys = Keys(secrets.token_bytes(SECRET_LENGTH), "".join(digits))
    _keep_keys(path, keys)
    return keys


def _keep_keys(path: Path, keys: Keys) -> None:
    """All of it or nothing: a power cut leaves no half of a file behind."""
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.touch(mode=0o600)
        with new.open("w", encoding="utf-8") as file:
            json.dump({"secret": keys.secret.hex(), "pin": keys.pin}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        trouble = _(
            "the PIN cannot be kept in %(folder)s (%(reason)s): it will be another one next time",
            folder=str(path.parent),
            reason=str(error.strerror),
        )
        log.warning(_said(trouble))


def addresses(port: int) -> list[str]:
    """Where other devices find the page: numbers, since names of the form `.local` fail on many phones."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # sends nothing: it only asks which of our addresses would be used
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    found = found or ["127.0.0.1"]
    return [f"http://{address}:{port}/" for address in dict.fromkeys(found)]


def names(settings: Settings) -> frozenset[str]:
    host = socket.gethostname().lower()
    return frozenset({"localhost", host, f"{host}.local", *(name.lower() for name in settings.web.names)})


def open_house(loaded: Loaded, port: int) -> House:
    """Open the log and everything that stands on it, or StoreError."""
    settings = loaded.settings
    table = open_table(settings.store_url)
    # After the log: while that cannot be opened, nobody needs a PIN, nor words about it with every new try.
    keys = load_keys(settings.data_folder, settings.web.pin)
    return House(
        table=table,
        doorkeeper=Doorkeeper(keys.pin),
        secret=keys.secret,
        names=names(settings),
        addresses=addresses(port),
        notices=loaded.problems,
        language=settings.page.language,
        theme=settings.page.theme,
        listeners=settings.web.listeners,
    )


def open_table(url: str) -> Table:
    store = Store(url, GAMES)
    try:
        return Table(store)
    except StoreError:
        store.close()
        raise


class Door:
    """The application a server runs: the page, or why there is none yet; it tries again with each visit."""

    def __init__(self, build: Callable[[], House]) -> None:
        self._build = build
        self._lock = Lock()
        self._page: WSGIApplication | None = None
        self.house: House | None = None
        self.trouble: CompanionError | None = None
        self.open()

    def open(self) -> None:
        with self._lock:
            if self._page:
                return
            try:
                self.house = self._build()
            except StoreError as error:
                if str(error) != str(self.trouble):
                    log.error(_said(error.message))
                self.trouble = error
            else:
                self._page = create_app(self.house)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.open()
        page = self._page or trouble_page(self.trouble)
        return page(environ, start_response)

    def close_streams(self) -> None:
        if self.house:
            self.house.table.news.close()

    def close(self) -> None:
        if self.house:
            if self.house.demonstration:
                self.house.demonstration.stop()
            self.house.table.close()


def serve(
    loaded: Loaded,
    host: str | None = None,
    port: int | None = None,
    demo: bool = False,
    open_browser: bool = False,
    tell: Callable[[str], object] = print,
) -> int:
    """Run the page until somebody stops it; 0 when it was stopped, 1 when it could not start."""
    web = loaded.settings.web
    host, port = host or web.host, port or web.port
    begin_logging(loaded.settings.log.level, loaded.settings.data_folder)
    for problem in loaded.problems:
        log.warning(_said(problem))
    build = functools.partial(open_house, loaded, port)
    door = Door(lambda: _start_demonstration(build()) if demo else build())
    try:
        server = _server(door, host, port, web.listeners)
    except (OSError, ValueError) as error:  # a name that is no address is a ValueError
        door.close()
        tell(_said(_port_trouble(host, port, error)))
        return 1
    _welcome(door, port, tell)
    if open_browser:
        Timer(0.5, webbrowser.open, (f"http://127.0.0.1:{port}/",)).start()
    return _run(server, door)


def _server(door: Door, host: str, port: int, listeners: int) -> Server:
    # Imported here: nobody but a server needs it.
    from waitress.server import create_server

    return create_server(
        door,
        host=host,
        port=port,
        threads=listeners + WORKERS,
        connection_limit=4 * (listeners + WORKERS),
        channel_timeout=20,
        cleanup_interval=5,
        channel_request_lookahead=1,
        # More than we take, so that the page itself can say what was too large.
        max_request_body_size=2 * PHOTO_LIMIT,
        max_request_header_size=32 * 1024,
        asyncore_use_poll=True,
        ident="Table Companion",
        clear_untrusted_proxy_headers=False,
    )


def _run(server: Server, door: Door) -> int:
    def leave(_signal: int, _frame: object) -> None:
        # Open streams end first: the server would wait for them.
        door.close_streams()
        sys.exit(0)

    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, leave)
    try:
        server.run()
    finally:
        door.close()
    return 0


def _start_demonstration(house: House) -> House:
    words = catalogue(house.language or terminal_language())
    try:
        demonstration = Demonstration(house.table, next(iter(GAMES.values())), words)
    except CompanionError:
        house.table.close()
        raise
    demonstration.start()
    return replace(house, demonstration=demonstration)


def _port_trouble(host: str, port: int, error: OSError | ValueError) -> Message:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return _(
            "Port %(port)d is in use, perhaps by another companion."
            " Stop that one, or choose another: companion serve --port %(other)d, or make run PORT=%(other)d",
            port=port,
            other=port + 1,
        )
    return _(
        "The page cannot listen on %(host)s, port %(port)d: %(reason)s.",
        host=host,
        port=port,
        reason=str(error.strerror) if isinstance(error, OSError) else _("there is no such address"),
    )


def _welcome(door: Door, port: int, tell: Callable[[str], object]) -> None:
    """The address and a picture of it, where the trouble is shown if there is any; the PIN of an open house."""
    address = addresses(port)[0]
    picture = io.StringIO()
    segno.make(address, micro=False).terminal(picture, compact=True, border=2)
    tell(picture.getvalue())
    tell(_said(_("On this computer:  %(address)s", address=f"http://127.0.0.1:{port}/")))
    tell(_said(_("Phones, tablets:   %(address)s", address=address)))
    if door.house:
        tell(_said(_("PIN to change the game: %(pin)s", pin=door.house.doorkeeper.pin)))
    tell(_said(_("Stop with Ctrl+C; nothing is lost.")))


def _said(message: Message) -> str:
    """In the language of whoever sits at the terminal."""
    return message.say(catalogue(terminal_language()))
