"""The tables change shape without losing a game: from every revision there ever was to the newest."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, create_engine, inspect, text

from companion.core.errors import StoreError
from companion.games import GAMES
from companion.sessions import database
from companion.sessions.database import MIGRATIONS, open_engine, reading, writing
from companion.sessions.json_lines import write_session
from companion.sessions.repository import SessionRepository
from tests.sessions.evenings import evening

OLDER = Path(__file__).with_name("older")
"""A log as each revision left it, `REVISION.sql`, and the session in it, `REVISION.jsonl`; never changed again."""


def revisions() -> list[str]:
    """Every revision, the oldest first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    return found[::-1]


def shape(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """Every table's columns and what holds them together."""
    looked = inspect(connection)
    return {
        table: [
            *((c["name"], str(c["type"]), c["nullable"]) for c in looked.get_columns(table)),
            ("key", tuple(looked.get_pk_constraint(table)["constrained_columns"])),
            *(("unique", u["name"], tuple(u["column_names"])) for u in looked.get_unique_constraints(table)),
            *(
                ("refers", tuple(f["constrained_columns"]), f["referred_table"])
                for f in looked.get_foreign_keys(table)
            ),
        ]
        for table in looked.get_table_names()
        if table != "alembic_version"
    }


def test_the_head_we_name_is_the_newest_migration() -> None:
    assert revisions()[-1] == database.HEAD
    assert revisions() == sorted(revisions())


def test_the_migrations_make_the_tables_we_use(tmp_path: Path) -> None:
    used = create_engine(f"sqlite:///{tmp_path / 'used.db'}")
    database.metadata.create_all(used)
    made = open_engine(f"sqlite:///{tmp_path / 'made.db'}")
    database.migrate(made)
    with used.connect() as one, made.connect() as another:
        assert shape(another) == shape(one)
    used.dispose()
    made.dispose()


def test_alembic_finds_nothing_left_to_do(store: SessionRepository) -> None:
    from alembic.autogenerate import compare_metadata

    looked = open_engine(store.url)
    with reading(looked) as connection:
        found = compare_metadata(MigrationContext.configure(connection), database.metadata)
    looked.dispose()

    assert found == []


def test_every_revision_has_left_a_log_to_try() -> None:
    assert sorted(path.stem for path in OLDER.glob("*.sql")) == revisions()
    assert sorted(path.stem for path in OLDER.glob("*.jsonl")) == revisions()


@pytest.mark.parametrize("revision", revisions())
def test_a_log_of_any_revision_is_brought_up_to_date_with_its_games(file: Path, revision: str) -> None:
    with closing(sqlite3.connect(file)) as old:
        old.executescript((OLDER / f"{revision}.sql").read_text(encoding="utf-8"))

    store = SessionRepository(f"sqlite:///{file}", GAMES)
    exported = [f"{line}\n" for line in write_session(store.load("eventful"))]
    store.begin(evening())
    store.close()

    assert "".join(exported) == (OLDER / f"{revision}.jsonl").read_text(encoding="utf-8")
    with closing(sqlite3.connect(file)) as now:
        assert now.execute("SELECT version_num FROM alembic_version").fetchall() == [(database.HEAD,)]


def test_the_newest_log_we_try_has_the_tables_we_write(file: Path, tmp_path: Path) -> None:
    """When this fails, a migration is missing: what a revision left behind is never changed again."""
    kept = tmp_path / "kept.db"
    with closing(sqlite3.connect(kept)) as old:
        old.executescript((OLDER / f"{database.HEAD}.sql").read_text(encoding="utf-8"))
    SessionRepository(f"sqlite:///{file}", GAMES).close()

    one, another = create_engine(f"sqlite:///{kept}"), create_engine(f"sqlite:///{file}")
    with one.connect() as before, another.connect() as now:
        assert shape(now) == shape(before)
    one.dispose()
    another.dispose()


def stamp(store: SessionRepository, revision: str) -> None:
    stamped = open_engine(store.url)
    with writing(stamped) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    stamped.dispose()


def test_a_log_of_a_newer_companion_is_refused_and_left_alone(store: SessionRepository) -> None:
    store.begin(evening())
    stamp(store, "9001")

    with pytest.raises(StoreError, match="written by a newer Table Companion: update this one to open it"):
        SessionRepository(store.url, GAMES)

    assert store.load("evening1") == evening()
    looked = open_engine(store.url)
    with reading(looked) as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9001"
    looked.dispose()


def test_a_migration_that_fails_changes_nothing(
    store: SessionRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of it is done when it breaks: the log is as it was, and the next start may try again."""
    store.begin(evening())
    before = _tables(store)
    monkeypatch.setattr(database, "MIGRATIONS", _one_more(tmp_path, "raise ValueError('power cut')"))
    monkeypatch.setattr(database, "HEAD", "0002")

    with pytest.raises(ValueError, match="power cut"):
        SessionRepository(store.url, GAMES)
    assert _tables(store) == before

    monkeypatch.setattr(database, "MIGRATIONS", _one_more(tmp_path, ""))
    grown = SessionRepository(store.url, GAMES)
    assert _tables(grown) == sorted([*before, "scratch"])
    assert grown.load("evening1") == evening()
    grown.close()


def _tables(store: SessionRepository) -> list[str]:
    looked, found = open_engine(store.url), MetaData()
    with reading(looked) as connection:
        found.reflect(connection)
    looked.dispose()
    return sorted(found.tables)


def _one_more(folder: Path, ending: str) -> Path:
    """Our migrations, and one that makes another table."""
    copy = folder / "migrations"
    (copy / "versions").mkdir(parents=True, exist_ok=True)
    for path in MIGRATIONS.rglob("*.*"):
        if path.suffix in (".py", ".mako"):
            (copy / path.relative_to(MIGRATIONS)).write_text(path.read_text("utf-8"), "utf-8")
    (copy / "versions" / "0002_scratch.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        'revision = "0002"\ndown_revision = "0001"\n'
        "def upgrade() -> None:\n"
        f'    op.create_table("scratch", sa.Column("id", sa.Integer, primary_key=True))\n    {ending}\n',
        "utf-8",
    )
    return copy
