"""From a tap on one tablet until another one has the new page: a real server, two real connections."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from time import monotonic, perf_counter, sleep
from urllib.parse import urlencode

from companion.core.errors import StoreError
from companion.core.message import message as _
from companion.core.session import Session

PIN = "24680"
PATIENCE_S = 30.0
"""How long a server may take to start, and to answer."""


def tap_to_page(played: Session, packages: Path) -> Iterator[float]:
    """Play the game again through the page, event by event."""
    with (
        running(packages) as house,
        closing(Tablet(house.port)) as tapping,
        closing(Tablet(house.port)) as looking,
    ):
        unlock(tapping)
        address = begin(tapping, played)
        with closing(Tablet(house.port)) as listening:
            stream = listening.stream(f"{address}/events")
            wait_for(stream, 1)
            for entry in played.entries[1:]:
                event = played.game.write(entry.event)
                began = perf_counter()
                tapping.post(f"{address}/record", {"event": event, "seq": str(entry.seq - 1)})
                wait_for(stream, entry.seq)
                looking.fetch(address)
                yield perf_counter() - began


def unlock(tablet: Tablet) -> None:
    tablet.post("/unlock", {"pin": PIN})


def begin(tablet: Tablet, played: Session) -> str:
    """Begin a game with the same players; the address of its page."""
    return tablet.post(f"/new/{played.game.key}", _form(played))


class Tablet:
    """A connection that stays open and keeps its cookies, as a browser's does."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._cookies = ""

    def close(self) -> None:
        self._connection.close()

    def post(self, path: str, form: Mapping[str, str]) -> str:
        """Send a form; the answer is where it leads."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self._cookies}
        self._connection.request("POST", path, urlencode(form), headers)
        response = self._answer(303)
        response.read()
        if cookies := response.headers.get_all("Set-Cookie"):
            self._cookies = "; ".join(cookie.partition(";")[0] for cookie in cookies)
        return response.headers["Location"]

    def fetch(self, path: str) -> bytes:
        self._connection.request("GET", path, headers={"X-Fragment": "1"})
        return self._answer(200).read()

    def stream(self, path: str) -> HTTPResponse:
        self._connection.request("GET", path)
        return self._answer(200)

    def _answer(self, status: int) -> HTTPResponse:
        response = self._connection.getresponse()
        if response.status != status:
            raise StoreError(_("The page answered with %(status)d instead.", status=response.status))
        return response


@dataclass(frozen=True)
class Running:
    """A companion in a process of its own."""

    port: int
    process: subprocess.Popen[bytes]


@contextmanager
def running(packages: Path, more: str = "") -> Iterator[Running]:
    """A companion of its own, with nothing in its log; `more` is what its settings say besides."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "companion.toml")
        said = f'[web]\npin = "{PIN}"\n[store]\nfolder = "data"\n{more}'
        settings.write_text(said, encoding="utf-8")
        command = (sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port))
        environment = {**os.environ, "PYTHONPATH": str(packages)}
        server = subprocess.Popen(
            (*command, "--config", str(settings)),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_until_open(server, port)
            yield Running(port, server)
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


def _wait_until_open(server: subprocess.Popen[bytes], port: int) -> None:
    until = monotonic() + PATIENCE_S
    while server.poll() is None and monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise StoreError(_("The page did not open: try `companion serve`."))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _form(played: Session) -> dict[str, str]:
    """The table as the page's form of a new game says it."""
    form = {f"option_{key}": "on" for key in played.setup.options}
    for seat, player in enumerate(played.setup.players):
        form |= {f"name{seat}": player.name, f"colour{seat}": player.colour.value}
    return form


def wait_for(stream: HTTPResponse, number: int, what: str = "seq") -> None:
    """Read the stream until it tells of the entry of that number, or of that version of the `watch`."""
    limit = monotonic() + PATIENCE_S
    for line in stream:
        if monotonic() > limit:
            raise StoreError(_("The page was told nothing new."))
        if line.startswith(b"data: ") and json.loads(line[6:]).get(what, 0) >= number:
            return
    raise StoreError(_("The stream of the page ended too soon."))
