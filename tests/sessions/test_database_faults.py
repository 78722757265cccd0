"""Whatever is wrong with the file of the log: one clear sentence, and not a byte of it changed."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.errors import StoreError
from companion.games import GAMES
from companion.sessions import database
from companion.sessions.repository import SessionRepository
from tests.sessions.evenings import evening, growing, played

DAMAGED = "The file of the log is damaged. It was left as it is: see `companion doctor`."
NOT_OURS = (
    "The file of the log is damaged or is something else. It was left as it is: see `companion doctor`."
)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second is long enough to wait for a lock that nobody gives back."""
    monkeypatch.setattr(database, "PATIENCE_S", 0.1)


def a_log(file: Path) -> Path:
    """A closed log with a whole game in it, all of it in the one file."""
    store = SessionRepository(f"sqlite:///{file}", GAMES)
    store.begin(played())
    store.close()
    return file


def refusal(file: Path) -> str:
    """Why the log cannot be opened; empty when it can."""
    try:
        store = SessionRepository(f"sqlite:///{file}", GAMES)
    except StoreError as error:
        return str(error)
    store.close()
    return ""


def overwrite(start: int, content: bytes) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        with file.open("r+b") as opened:
            opened.seek(start)
            opened.write(content)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "expected"),
    (
        (overwrite(0, b"\xff\xd8\xff\xe0 a photo"), NOT_OURS),
        (lambda file: file.write_text("a shopping list\n" * 100), NOT_OURS),
        (overwrite(100, b"\xff" * 300), DAMAGED),
        (lambda file: file.write_bytes(file.read_bytes()[:5000]), DAMAGED),
    ),
    ids=("its head is gone", "another file", "its first page is gone", "cut off"),
)
def test_a_spoiled_file_is_named_and_left_as_it_is(
    file: Path, spoil: Callable[[Path], None], expected: str
) -> None:
    spoil(a_log(file))
    before = file.read_bytes()

    assert refusal(file) == expected
    assert refusal(file) == expected
    assert file.read_bytes() == before


def test_damage_inside_is_found_by_looking(file: Path) -> None:
    overwrite(4096 * 3 + 8, b"\xee" * 2000)(a_log(file))
    store = SessionRepository(f"sqlite:///{file}", GAMES)
    try:
        found = store.damage()
    except StoreError as error:
        found = str(error)
    store.close()

    assert found


def test_a_log_somebody_else_holds_is_busy_and_then_free(file: Path) -> None:
    store = SessionRepository(f"sqlite:///{a_log(file)}", GAMES)
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="The log is busy: another program holds it"):
            store.begin(evening("another"))
        assert store.load("evening1") == played()
        holder.execute("ROLLBACK")
    store.begin(evening("another"))

    assert store.load("another") == evening("another")
    store.close()


def test_a_log_held_by_another_program_cannot_be_opened_yet(file: Path) -> None:
    with closing(sqlite3.connect(a_log(file), isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        assert refusal(file) == "The log is busy: another program holds it. Nothing was recorded; try again."
    assert refusal(file) == ""


def test_a_disk_that_is_full_loses_nothing(file: Path) -> None:
    store = SessionRepository(f"sqlite:///{a_log(file)}", GAMES)
    store.begin(evening("small"))
    allow_pages(store, 1)
    kept, said = evening("small"), ""
    for grown in growing(kept, 500):
        try:
            store.append(grown)
        except StoreError as error:
            said = str(error)
            break
        kept = grown

    assert said == "The disk is full. Nothing was recorded; make room and try again."
    assert store.load("small").entries == kept.entries
    allow_pages(store, 1_000_000)
    store.append(grown)
    assert store.load("small") == grown
    store.close()


def allow_pages(store: SessionRepository, most: int) -> None:
    """Let the file grow no further; the limit holds for the connection, which the pool gives again."""
    with store._engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")

    said = refusal(tmp_path / "data" / "companion.db")

    assert said == f"The folder {tmp_path / 'data'} cannot be made: File exists."
    assert refusal(tmp_path / "data" / "deeper" / "companion.db").endswith("cannot be made: Not a directory.")


def test_a_file_that_is_a_folder_cannot_be_opened(file: Path) -> None:
    file.mkdir()

    assert refusal(file) == "The file of the log cannot be opened: see `companion doctor`."


@pytest.mark.parametrize(
    ("url", "shown"),
    (
        ("", ""),
        ("companion.db", "companion.db"),
        ("sqlite", "sqlite"),
        ("oracle://x", "oracle://x"),
        ("://", "://"),
        ("mysql://me:secret@host/db", "mysql://***@host/db"),
        ("mysql+pymysql://me:sec/r@et?@host/db", "mysql+pymysql://***@host/db"),
        ("mysql://host/db?password=secret", "mysql://host/db"),
        ("me:secret@host/db", "***@host/db"),
        ("postgresql+nodriver://me:secret@host/db", "postgresql+nodriver://***@host/db"),
    ),
)
def test_an_address_of_no_database_is_named_without_its_password(url: str, shown: str) -> None:
    with pytest.raises(StoreError) as refused:
        SessionRepository(url, GAMES)

    assert str(refused.value) == f"“{shown}” is not the address of a database we can use."


def test_a_part_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(StoreError) as refused:
        SessionRepository("postgresql://me:secret@host/db", GAMES)

    assert str(refused.value) == (
        "The part that speaks with PostgreSQL is not installed: "
        f"{sys.executable} -m pip install 'table-companion[postgresql]'"
    )


def test_a_log_moved_away_takes_no_entries_with_it(file: Path) -> None:
    store = SessionRepository(f"sqlite:///{a_log(file)}", GAMES)
    begun = evening("begun")
    store.begin(begun)
    away = file.rename(file.with_name("away.db"))

    with pytest.raises(StoreError, match=f"The file of the log is gone: {file}. Put it back"):
        store.append(next(growing(begun, 1)))
    assert not file.exists()

    away.rename(file)
    store.append(next(growing(begun, 1)))
    assert store.load("begun") == next(growing(begun, 1))
    assert store.load("evening1") == played()
    store.close()


def test_a_log_put_back_from_a_copy_is_used_at_once(file: Path) -> None:
    copy = a_log(file).read_bytes()
    store = SessionRepository(f"sqlite:///{file}", GAMES)
    store.begin(evening("later"))
    file.unlink()
    for rest in ("-wal", "-shm"):
        file.with_name(file.name + rest).unlink(missing_ok=True)
    file.write_bytes(copy)

    assert [item.id for item in store.list()] == ["evening1"]
    store.begin(evening("again"))
    store.close()
    with closing(sqlite3.connect(file)) as reader:
        assert reader.execute("SELECT id FROM sessions ORDER BY id").fetchall() == [("again",), ("evening1",)]
