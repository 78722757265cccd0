"""What can go wrong on an evening, on the real thing: what people see, what is kept, and that it heals by itself.

`docs/faults.md` tells the same as a table.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path

import pytest

from tests.soak.running import Running
from tests.web.serving import FORM, MOVES, Listener
from tests.web.visitor import Answer, Visitor

LOST = "Nothing that was recorded is lost by this."


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.close()
    assert "Traceback" not in running.complaints
    assert "Traceback" not in running.welcome


def data(companion: Running) -> Path:
    return companion.folder / "data" / "table-companion"


def log(companion: Running) -> Path:
    return data(companion) / "companion.db"


def begin(visitor: Visitor, moves: int = 6) -> str:
    """The address of a game with so many moves."""
    path = visitor.post("/new/kingdomino", FORM).location
    for seq, move in enumerate(MOVES[:moves], start=1):
        assert visitor.post(f"{path}/record", {"seq": str(seq), "event": move}).status == 303
    return path


def tap(visitor: Visitor, path: str) -> Answer:
    """Undo what the page shows as the last entry, whatever it is."""
    return visitor.post(f"{path}/undo", {"seq": seq(visitor, path)})


def seq(visitor: Visitor, path: str) -> str:
    found = re.search(r'data-seq="(\d+)"', visitor.get(path).text)
    assert found
    return found[1]


def trouble(answer: Answer) -> str:
    """What the page says that stands in for all others while the log cannot be opened."""
    assert answer.status == 503
    assert 'http-equiv="refresh"' in answer.text, "it looks again by itself"
    assert LOST in answer.text
    found = re.search(r"<strong>(.*?)</strong>", answer.text)
    assert found
    return unescape(found[1])


def ruin(path: Path) -> None:
    path.write_bytes(b"\xff" * 5000)


def close_the_log(companion: Running, visitor: Visitor) -> str:
    """A stopped companion with a game in its log; the address of the game."""
    path = begin(visitor)
    assert companion.stop() == 0
    return path


@pytest.mark.parametrize(
    ("spoil", "says"),
    (
        (
            ruin,
            "The file of the log is damaged or is something else. It was left as it is: see `companion doctor`.",
        ),
        (
            lambda path: path.write_bytes(path.read_bytes()[:9000]),
            "The file of the log is damaged. It was left as it is: see `companion doctor`.",
        ),
    ),
    ids=("another file", "cut off"),
)
def test_a_log_that_cannot_be_read_is_said_until_it_can(
    companion: Running, spoil: Callable[[Path], None], says: str
) -> None:
    path = close_the_log(companion, companion.start().unlocked())
    kept = log(companion).read_bytes()
    spoil(log(companion))
    spoiled = log(companion).read_bytes()

    visitor = companion.start().visitor()
    answer = visitor.get(path)

    assert trouble(answer) == says
    assert companion.complaints.count(says) == 1
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert visitor.post(f"{path}/undo", {"seq": "7"}).status == 503
    assert log(companion).read_bytes() == spoiled
    log(companion).write_bytes(kept)
    assert seq(visitor, path) == "7", "the game is back without a new start"


def test_a_log_held_by_another_program_is_said_until_it_is_free(companion: Running) -> None:
    visitor = companion.start().unlocked()
    path = begin(visitor)
    with closing(sqlite3.connect(log(companion), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        refused = tap(visitor, path)
        assert (refused.status, refused.notices) == (
            503,
            ["The log is busy: another program holds it. Nothing was recorded; try again."],
        )
        assert seq(visitor, path) == "7"
        assert visitor.get("/").status == 200
        holder.execute("ROLLBACK")

    assert tap(visitor, path).status == 303
    assert seq(visitor, path) == "8"


def test_a_log_that_is_moved_away_is_said_until_it_is_back(companion: Running) -> None:
    visitor = companion.start().unlocked()
    path = begin(visitor)
    away = log(companion).rename(companion.folder / "away.db")

    refused = tap(visitor, path)

    assert refused.status == 503
    assert refused.notices == [
        f"The file of the log is gone: {log(companion)}. Put it back, or start the companion again with a new one."
    ]
    assert seq(visitor, path) == "7", "shown from memory"
    listed = visitor.get("/sessions")
    assert (listed.status, listed.headers["Refresh"]) == (503, "5")
    away.rename(log(companion))
    assert tap(visitor, path).status == 303
    assert visitor.get("/sessions").status == 200


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[bool]:
    """A disk of that size at the folder, where this user may mount one."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    mounted = bool(shutil.which("mount")) and subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_and_is_said(companion: Running) -> None:
    with small_disk(data(companion), 1000) as mounted:
        sys.stdout.write(
            "a real disk of 1 MB\n" if mounted else "no right to mount: a limit on the file's size\n"
        )
        companion.start()
        visitor = companion.unlocked()
        path = begin(visitor)
        _fill(companion, mounted)
        answer, recorded = tap(visitor, path), 0
        while answer.status == 303 and recorded < 3000:
            recorded += 1
            again = "redo" if recorded % 2 else "undo"
            answer = visitor.post(f"{path}/{again}", {"seq": str(7 + recorded)})
        before = visitor.get(f"{path}/export").text

        assert (answer.status, answer.notices) == (
            503,
            ["The disk is full. Nothing was recorded; make room and try again."],
        )
        assert len(before.splitlines()) == 1 + 7 + recorded
        _make_room(companion, mounted)
        assert tap(visitor, path).status == 303
        assert companion.stop() == 0
        visitor = companion.start().unlocked()
        assert visitor.get(f"{path}/export").text.startswith(before)
        companion.stop()


def _fill(companion: Running, mounted: bool) -> None:
    if not mounted:
        limit = log(companion).with_name("companion.db-wal").stat().st_size + 20_000
        resource.prlimit(companion.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        return
    room = os.statvfs(data(companion))
    with (data(companion) / "holiday.mp4").open("wb") as film:
        film.write(b"x" * max(0, room.f_bavail * room.f_frsize - 20_000))


def _make_room(companion: Running, mounted: bool) -> None:
    if mounted:
        (data(companion) / "holiday.mp4").unlink()
    else:
        everything = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(companion.process.pid, resource.RLIMIT_FSIZE, everything)


@contextmanager
def read_only(folder: Path) -> Iterator[bool]:
    """The folder as a disk that may only be read, where this user may mount one so."""
    bind = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True)
    mounted = bind.returncode == 0
    if mounted:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_may_only_be_read_is_said(companion: Running) -> None:
    path = close_the_log(companion, companion.start().unlocked())
    with read_only(data(companion)) as mounted:
        if not mounted:
            pytest.skip("this user may not mount a disk that can only be read")
        visitor = companion.start().visitor()
        said = trouble(visitor.get(path))

        assert said in (
            "The log may not be written here. Nothing was recorded: see `companion doctor`.",
            "The file of the log cannot be opened: see `companion doctor`.",
        )
    assert seq(visitor, path) == "7", "the game is back without a new start"


def test_a_data_folder_that_is_a_file_is_said(companion: Running) -> None:
    (companion.folder / "data").write_text("a file where the folder should be")

    visitor = companion.start().visitor()

    assert trouble(visitor.get("/")) == f"The folder {data(companion)} cannot be made: Not a directory."
    (companion.folder / "data").unlink()
    assert visitor.get("/").status == 200


def test_broken_keys_give_a_new_pin_and_keep_the_games(companion: Running) -> None:
    before = companion.start().unlocked()
    path = close_the_log(companion, before)
    (data(companion) / "keys.json").write_text('{"secret": ')

    companion.start()

    assert f"{data(companion) / 'keys.json'} cannot be read: there is a new PIN now." in companion.complaints
    assert before.post(f"{path}/undo", {"seq": "7"}).location.startswith("/unlock"), (
        "devices type the PIN again"
    )
    assert tap(companion.unlocked(), path).status == 303


def test_wrong_settings_are_said_on_the_hosts_page_and_stop_nothing(companion: Running) -> None:
    companion.settings = '[web]\nprot = 9000\npin = "12"\n[page]\nlanguage = 7\n'

    visitor = companion.start().visitor()
    notices = visitor.get("/").notices

    assert len(notices) == 3
    assert "companion.toml, line 2: There is no setting “web.prot”; did you mean “web.port”?" in notices[0]
    assert companion.complaints.count("companion.toml, line ") == 3
    assert Visitor(companion.port, {"X-Forwarded-For": "10.0.0.1"}).get("/").notices == []


def test_settings_that_are_no_settings_stop_nothing(companion: Running) -> None:
    companion.settings = "this is not TOML"

    notices = companion.start().visitor().get("/").notices

    assert len(notices) == 1
    assert "All settings keep their defaults." in notices[0]


@pytest.mark.parametrize("sign", (signal.SIGTERM, signal.SIGINT))
def test_closing_ends_the_open_streams_at_once(companion: Running, sign: signal.Signals) -> None:
    visitor = companion.start().unlocked()
    path = begin(visitor)
    listeners = [Listener(companion.port, path.rpartition("/")[2]) for _each in range(5)]
    assert [listener.news() for listener in listeners] == [7] * 5

    companion.process.send_signal(sign)

    assert [listener.news() for listener in listeners] == [-1] * 5
    assert companion.process.wait(timeout=20) == 0
    assert companion.complaints == ""
    for listener in listeners:
        listener.close()
    assert seq(companion.start().visitor(), path) == "7"
