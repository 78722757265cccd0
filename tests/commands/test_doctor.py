from __future__ import annotations

import errno
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import companion.household.languages
from companion.commands import doctor
from companion.core import notation
from companion.core.session import Session
from companion.household.settings import load_settings
from companion.sessions.repository import SessionRepository
from tests.commands.conftest import Companion


@pytest.fixture(autouse=True)
def catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    """This computer has every language, a network and a port of its own."""
    monkeypatch.setattr(companion.household.languages, "missing_catalogues", lambda: iter(()))
    monkeypatch.setattr("companion.app.page_addresses", lambda port: [f"http://192.0.2.7:{port}/"])
    Path("companion.toml").write_text(f"[web]\nport = {free_port()}\n")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def row(companion: Companion, check: str) -> dict[str, Any]:
    (rows,) = companion("doctor", "--json").json
    return next(row for row in rows if row["check"] == check)


def test_a_healthy_computer(companion: Companion, store: SessionRepository, played: Session) -> None:
    store.begin(played)

    said, told = companion("doctor", "--json"), companion("doctor")

    (rows,) = said.json
    assert (said.code, [row for row in rows if not row["ok"] or row["fix"]]) == (0, [])
    assert [row["check"] for row in rows] == [
        "python", "settings", "folder", "disk", "log", "writing", "port", "network", "languages", "photos",
        "boxes", "camera", "panel",
    ]  # fmt: skip
    assert "✓ log        1 game, nothing damaged" in told.out.splitlines()
    assert told.out.splitlines()[-1] == "All is well."


def test_before_the_first_game_nothing_is_made(companion: Companion, home: Path) -> None:
    assert row(companion, "log")["ok"]
    assert not (home / "data").exists()


def test_each_mistake_in_the_settings_is_a_line(companion: Companion) -> None:
    Path("companion.toml").write_text(f"[web]\nprot = 1\nport = {free_port()}\nhost = 3\n")

    said = companion("doctor")

    assert (said.code, said.out.count("✗ settings")) == (1, 2)
    assert said.out.splitlines()[-1] == "2 things need you."


def test_a_folder_that_cannot_be(companion: Companion, home: Path) -> None:
    (home / "data").write_text("a file in the way")

    found = row(companion, "folder")

    assert (found["ok"], found["detail"].endswith("cannot be written: Not a directory")) == (False, True)


@pytest.mark.parametrize("folder", ("/dev/null/games", "data/games"))
def test_a_folder_that_cannot_be_has_no_disk_and_no_log(
    companion: Companion, home: Path, folder: str
) -> None:
    (home / "data").write_text("a file in the way")
    Path("companion.toml").write_text(f'[store]\nfolder = "{folder}"\n')

    (rows,) = companion("doctor", "--json").json

    found = {row["check"]: row["ok"] for row in rows if row["check"] in ("folder", "disk", "log")}
    assert found == {"folder": False, "log": False}


def test_a_disk_without_room_for_a_byte(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_where: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)

    (rows,) = companion("doctor", "--json").json

    found = {row["check"]: row["fix"] for row in rows if row["check"] in ("folder", "disk")}
    assert found["folder"] == "Make room: at least 200 MB should be free."
    assert set(found) == {"folder", "disk"}


def test_a_full_disk(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    full = type("Usage", (), {"free": 3_000_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)

    found = row(companion, "disk")

    assert (found["ok"], found["detail"]) == (False, "3 MB free")


def damaged_file(home: Path, played: Session) -> Path:
    """A log with a torn page, which belongs to an index: every entry is still there for who knows how."""
    file = home / "data" / "table-companion" / "companion.db"
    store = SessionRepository(f"sqlite:///{file}", {"kingdomino": played.game})
    store.begin(played)
    store.close()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    content = bytearray(file.read_bytes())
    size = len(content) // pages
    content[size * (pages - 1) : size * (pages - 1) + 200] = b"\xa5" * 200
    file.write_bytes(content)
    return file


def test_a_damaged_log_can_be_kept_and_saved(companion: Companion, home: Path, played: Session) -> None:
    file = damaged_file(home, played)
    before = file.read_bytes()

    found = row(companion, "log")

    assert (found["ok"], "damaged" in found["detail"]) == (False, True)
    assert f"mv {file} {file}.damaged" in found["fix"]
    assert file.read_bytes() == before


@pytest.mark.skipif(
    not shutil.which("sqlite3"), reason="the words are for people who have the sqlite3 command"
)
def test_the_words_that_save_a_damaged_log_do(companion: Companion, home: Path, played: Session) -> None:
    file = damaged_file(home, played)
    save = row(companion, "log")["fix"].partition("saved: ")[2]
    file.rename(f"{file}.damaged")

    subprocess.run(["sh", "-c", save], check=True, capture_output=True)

    assert row(companion, "log")["detail"] == "1 game, nothing damaged"
    saved = [entry["event"] for entry in companion("sessions", "show", "evening1", "--json").json]
    assert saved == [notation.write_entry(played.game, entry.event) for entry in played.entries]


def test_a_file_that_is_no_log(companion: Companion, home: Path) -> None:
    file = home / "data" / "table-companion" / "companion.db"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"a shopping list, and a long one at that. " * 50)

    found = row(companion, "log")

    assert (found["ok"], f"mv {file} {file}.damaged" in found["fix"]) == (False, True)


@pytest.mark.usefixtures("store")
def test_a_log_of_a_newer_companion(companion: Companion, home: Path) -> None:
    with sqlite3.connect(home / "data/table-companion/companion.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()

    found = row(companion, "log")

    assert (found["ok"], "newer Table Companion" in found["detail"]) == (False, True)


@pytest.mark.usefixtures("store")
def test_a_log_that_another_program_holds(
    companion: Companion, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PATIENCE_S", 0.05)
    other = sqlite3.connect(home / "data/table-companion/companion.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    found = row(companion, "writing")
    other.close()

    assert (found["ok"], found["fix"].startswith("Close the other program that holds")) == (False, True)
    assert row(companion, "writing")["ok"]


def test_a_database_that_is_not_there(companion: Companion) -> None:
    Path("companion.toml").write_text('[store]\nurl = "nonsense://ana:secret@db/games"\n')

    found = row(companion, "log")

    assert not found["ok"]
    assert found["detail"] == "“nonsense://***@db/games” is not the address of a database we can use."


def test_a_database_whose_part_is_not_installed(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    Path("companion.toml").write_text('[store]\nurl = "postgresql://ana:secret@db/games"\n')

    found = row(companion, "log")

    assert found["detail"].endswith("-m pip install 'table-companion[postgresql]'")
    assert found["fix"] == "Install it, then start the companion again."


class Page(BaseHTTPRequestHandler):
    """Somebody who answers at the port."""

    server_name = "a game of chess"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def version_string(self) -> str:
        return self.server_name

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""


@pytest.fixture
def neighbour() -> Iterator[type[Page]]:
    """A server that has our port already."""
    with HTTPServer(("0.0.0.0", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        Path("companion.toml").write_text(f"[web]\nport = {server.server_address[1]}\n")
        yield Page
        server.shutdown()


@pytest.mark.usefixtures("neighbour")
def test_a_port_that_another_program_uses(companion: Companion) -> None:
    found = row(companion, "port")

    number = load_settings().settings.web.port
    assert (found["ok"], found["detail"]) == (False, f"another program uses port {number}")


def test_a_companion_that_is_open_already(
    companion: Companion, neighbour: type[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour, "server_name", "Table Companion")

    found = row(companion, "port")

    assert (found["ok"], "is open" in found["detail"]) == (True, True)


@pytest.mark.parametrize("host", ("192.0.2.1", "localhst.invalid"))
def test_an_address_that_is_not_ours(companion: Companion, host: str) -> None:
    Path("companion.toml").write_text(f'[web]\nhost = "{host}"\n')

    found = row(companion, "port")

    assert (found["ok"], found["fix"]) == (
        False,
        "Correct web.host: 0.0.0.0 is for every device, 127.0.0.1 for this computer alone.",
    )


def test_a_port_that_only_the_system_may_open(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_socket: socket.socket, _address: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)

    assert row(companion, "port")["fix"] == "Choose a web.port above 1023."


def test_a_computer_without_a_network(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.app.page_addresses", lambda port: [f"http://127.0.0.1:{port}/"])

    alone, meant = row(companion, "network"), '[web]\nhost = "127.0.0.1"\n'
    Path("companion.toml").write_text(meant)

    assert (alone["ok"], row(companion, "network")["ok"]) == (False, True)


def test_a_language_without_its_words(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Path("translations/es/LC_MESSAGES/companion.mo")
    monkeypatch.setattr("companion.household.languages.missing_catalogues", lambda: iter((missing,)))

    found = row(companion, "languages")

    assert (found["ok"], found["detail"]) == (False, "1 file is missing: es/companion.mo")
