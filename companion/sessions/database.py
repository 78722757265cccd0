"""The database of the log: its tables, connections that survive a power cut, migrations, and database errors
in our own words.

SQLite by default (write-ahead log, full sync), PostgreSQL by its address. The tables stand here as the newest
migration leaves them; `migrate` brings older ones there. Every error leaves as a StoreError in words people
can act upon.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, IntegrityError, SQLAlchemyError

from companion.core.errors import StaleSession, StoreError
from companion.core.message import Message
from companion.core.message import message as _

metadata = MetaData()

HEAD = "0001"
"""The newest migration in `migrations/versions`; a test keeps it true."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("created", String(32), nullable=False),
)

entries = Table(
    "entries",
    metadata,
    # Numbered over all sessions, so that another process's entries can be noticed with one cheap question.
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("session", String(32), ForeignKey("sessions.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("time", String(32), nullable=False),
    Column("source", String(16), nullable=False),
    Column("event", String, nullable=False),
    UniqueConstraint("session", "seq", name="one_entry_per_number"),
)


PATIENCE_S = 5
"""How long a write waits for another process to finish its own."""

MIGRATIONS = Path(__file__).with_name("migrations")

ONE_WRITER = 7_310_453
"""The number of PostgreSQL's lock that whoever writes into the log holds."""

_BUSY = _("The log is busy: another program holds it. Nothing was recorded; try again.")
_TROUBLE: tuple[tuple[str, Message], ...] = (
    ("locked", _BUSY),
    ("lock timeout", _BUSY),  # PostgreSQL says it this way
    ("full", _("The disk is full. Nothing was recorded; make room and try again.")),
    (
        "not a database",
        _(
            "The file of the log is damaged or is something else. It was left as it is: see `companion doctor`."
        ),
    ),
    ("malformed", _("The file of the log is damaged. It was left as it is: see `companion doctor`.")),
    ("readonly", _("The log may not be written here. Nothing was recorded: see `companion doctor`.")),
    ("unable to open", _("The file of the log cannot be opened: see `companion doctor`.")),
)
_OTHER_TROUBLE = _("The log cannot be reached. Nothing was recorded: see `companion doctor`.")


def open_engine(url: str) -> Engine:
    """An engine for the log's database; nothing is read or written yet."""
    try:
        target = make_url(url)
        prepare, patience = _DATABASES[target.get_backend_name()]
        served = target.get_backend_name() != "sqlite"
        engine = create_engine(target, connect_args={patience: PATIENCE_S}, pool_pre_ping=served)
    except (KeyError, ArgumentError, ImportError, SQLAlchemyError) as error:
        if isinstance(error, ImportError) and target.drivername in _WITH_PSYCOPG:
            raise StoreError(
                _(
                    "The part that speaks with PostgreSQL is not installed: %(command)s",
                    command=f"{sys.executable} -m pip install 'table-companion[postgresql]'",
                )
            ) from error
        raise StoreError(
            _("“%(url)s” is not the address of a database we can use.", url=_without_password(url)[:80])
        ) from error
    prepare(engine)
    return engine


def _without_password(url: str) -> str:
    """As much of an address as anybody may see, whatever is wrong with it."""
    return re.sub(r"^([\w+.-]+://)?.*@", r"\1***@", url).partition("?")[0]


def _prepare_sqlite(engine: Engine) -> None:
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_sqlite)
    path = engine.url.database or ":memory:"
    if path != ":memory:" and not path.startswith("file:"):
        _watch_file(engine, Path(path))


def _set_pragmas(connection: Any, _record: object) -> None:
    # The driver's own idea of when to begin a transaction is switched off: we say BEGIN ourselves.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # Taking the write lock at once is what keeps two processes from interleaving their entries.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _watch_file(engine: Engine, path: Path) -> None:
    """Never write into a file that was moved away or replaced: its entries would be gone with it."""
    opened = Event()

    def look(*_connecting: object) -> None:
        if opened.is_set() and not path.exists():  # SQLite would begin a new, empty file
            raise _gone(path)

    def remember(_connection: object, record: Any) -> None:
        opened.set()
        record.info["file"] = _identity(path)

    def compare(_connection: object, record: Any, _proxy: object) -> None:
        found = _identity(path)
        if found is None:
            raise _gone(path)
        if found != record.info["file"]:
            raise DisconnectionError  # the pool opens the file that is there now

    event.listen(engine, "do_connect", look)
    event.listen(engine, "connect", remember)
    event.listen(engine, "checkout", compare)


def _gone(path: Path) -> StoreError:
    return StoreError(
        _(
            "The file of the log is gone: %(file)s. Put it back, or start the companion again with a new one.",
            file=str(path),
        )
    )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare_postgresql(engine: Engine) -> None:
    event.listen(engine, "begin", _begin_postgresql)


def _begin_postgresql(connection: Connection) -> None:
    if _writes(connection):
        # As with SQLite, one writes at a time: the numbers of entries grow in the order they can be seen.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ONE_WRITER})")


def _writes(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get("writes", False))


_DATABASES: Mapping[str, tuple[Callable[[Engine], None], str]] = {
    "sqlite": (_prepare_sqlite, "timeout"),
    "postgresql": (_prepare_postgresql, "connect_timeout"),
}
"""What each kind of database needs, and what its driver calls our patience."""

_WITH_PSYCOPG = ("postgresql", "postgresql+psycopg")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    with _in_our_words(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction: all of it is on disk afterwards, or nothing."""
    with _in_our_words(), engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise StaleSession(
            _("Somebody else recorded something at the same moment. Look again and repeat.")
        ) from error
    except (DBAPIError, sqlite3.Error) as error:  # what SQLite says while connecting comes unwrapped
        said = str(error).lower()
        raise StoreError(next((words for sign, words in _TROUBLE if sign in said), _OTHER_TROUBLE)) from error
    except SQLAlchemyError as error:
        raise StoreError(_OTHER_TROUBLE) from error


def migrate(engine: Engine) -> None:
    """Bring the tables to the newest shape; an up-to-date database costs one query."""
    with reading(engine) as connection:
        if _revision(connection) == HEAD:
            return
    with writing(engine) as connection:
        revision = _revision(connection)
        if revision is not None and revision > HEAD:
            raise StoreError(
                _("This log was written by a newer Table Companion: update this one to open it.")
            )
        if revision != HEAD:
            _upgrade(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _upgrade(connection: Connection) -> None:
    # Imported here: an up-to-date log never needs it, and it would slow every start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
