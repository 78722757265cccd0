"""Sessions in and out of the database."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Row, case, exists, func, insert, select, true
from sqlalchemy.engine import make_url

from companion.core import notation
from companion.core.errors import StoreError, UnknownSession
from companion.core.game import AnyGame
from companion.core.log import Entry, Source
from companion.core.message import message as _
from companion.core.session import Session
from companion.sessions.database import entries, migrate, open_engine, reading, sessions, writing

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""No letter or digit that could be taken for another: people read session names aloud."""


LONG_AGO = datetime(1970, 1, 2, tzinfo=UTC)
"""When a session began whose time nobody can read."""


@dataclass(frozen=True)
class SessionHead:
    """What is known of a session before its log is read."""

    id: str
    game: str
    created: datetime


@dataclass(frozen=True)
class ListedSession(SessionHead):
    """A session as the list of sessions shows it."""

    entries: int
    source: Source
    """Who started it: a demonstration is told apart from a game of people."""


def new_session_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _each in range(8))


def is_session_id(text: str) -> bool:
    """Whether a session may be called so."""
    return re.fullmatch(r"[a-z0-9]{1,32}", text) is not None


def _unknown(id: str) -> UnknownSession:
    return UnknownSession(_("There is no session “%(id)s”.", id=id[:40]))


def write_time(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


class SessionRepository:
    """The log of every session; entries are added, never changed."""

    def __init__(self, url: str, games: Mapping[str, AnyGame]) -> None:
        self.url = url
        self._games = games
        self._engine = open_engine(url)
        try:
            _make_folder(url)
            migrate(self._engine)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    def begin(self, session: Session) -> None:
        """Record a new session with the entries it has."""
        created = write_time(session.entries[0].time)
        head = {"id": session.id, "game": session.game.key, "created": created}
        with writing(self._engine) as connection:
            connection.execute(insert(sessions), head)
            connection.execute(insert(entries), _rows(session, session.entries))

    def append(self, session: Session, count: int = 1) -> None:
        """Record the session's last entries, all or none; StaleSession if a number is taken already."""
        with writing(self._engine) as connection:
            connection.execute(insert(entries), _rows(session, session.entries[-count:]))

    def load(self, id: str) -> Session:
        if not is_session_id(id):
            raise _unknown(id)
        with reading(self._engine) as connection:
            head = connection.execute(select(sessions).where(sessions.c.id == id)).one_or_none()
            rows = connection.execute(
                select(entries).where(entries.c.session == id).order_by(entries.c.seq)
            ).all()
        if head is None or not rows:
            raise _unknown(id)
        game = self._games.get(head.game)
        if game is None:
            raise StoreError(
                _(
                    "Session %(id)s is a game of “%(game)s”, which this version does not know.",
                    id=id,
                    game=head.game,
                )
            )
        try:
            return Session(id, game, tuple(_entry(game, row) for row in rows))
        except ValueError as error:  # a time or a source that we never wrote
            raise StoreError(
                _("Session %(id)s cannot be read by this version; it is kept as it is.", id=id)
            ) from error

    def list(
        self, limit: int = 50, offset: int = 0, played: bool = False, game: str = ""
    ) -> Sequence[ListedSession]:
        """Sessions, the newest first; `played` leaves out demonstrations that nobody took over, `game` all others."""
        by_people = exists().where(entries.c.session == sessions.c.id, entries.c.source != Source.DEMO.value)
        newest = select(sessions).where(by_people if played else true())
        newest = newest.where(sessions.c.game == game if game else true())
        newest = newest.order_by(sessions.c.created.desc(), sessions.c.id).limit(limit).offset(offset)
        first = case((entries.c.seq == 1, entries.c.source))
        with reading(self._engine) as connection:
            rows = connection.execute(newest).all()
            # Only the listed sessions are counted: a log of many years has millions of entries.
            counted = select(entries.c.session, func.count().label("size"), func.max(first).label("source"))
            counted = counted.where(entries.c.session.in_([row.id for row in rows]))
            about = {row.session: row for row in connection.execute(counted.group_by(entries.c.session))}
        return [
            ListedSession(
                id=row.id,
                game=row.game,
                created=_readable_time(row.created),
                entries=about[row.id].size,
                source=_readable_source(about[row.id].source),
            )
            for row in rows
            if row.id in about
        ]

    def heads(self, after: int = 0) -> Sequence[SessionHead]:
        """The sessions with entries newer than that one, the newest sessions first."""
        grown = select(sessions).order_by(sessions.c.created.desc(), sessions.c.id)
        if after:
            newer = select(entries.c.session).where(entries.c.number > after)
            grown = grown.where(sessions.c.id.in_(newer))
        with reading(self._engine) as connection:
            return [
                SessionHead(row.id, row.game, _readable_time(row.created))
                for row in connection.execute(grown)
            ]

    def latest(self) -> int:
        """The number of the newest entry of all; it grows whenever any process records something."""
        with reading(self._engine) as connection:
            return connection.execute(select(func.max(entries.c.number))).scalar() or 0

    def damage(self) -> str:
        """What SQLite finds wrong with its file; empty when all is well, and for other databases."""
        if make_url(self.url).get_backend_name() != "sqlite":
            return ""
        with reading(self._engine) as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return "" if found == "ok" else found


def _readable_time(text: str) -> datetime:
    """For lists, which one odd session must not spoil."""
    try:
        time = read_time(text)
    except ValueError:
        return LONG_AGO
    return time if time.tzinfo else LONG_AGO


def _readable_source(text: str | None) -> Source:
    return Source(text) if text in set(Source) else Source.COMMAND


def _make_folder(url: str) -> None:
    path = make_url(url).database
    if not url.startswith("sqlite") or not path:
        return
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            _(
                "The folder %(folder)s cannot be made: %(reason)s.",
                folder=str(Path(path).parent),
                reason=str(error.strerror),
            )
        ) from error


def entry_row(game: AnyGame, entry: Entry) -> dict[str, Any]:
    """An entry as the database, files and scripts have it."""
    return {
        "seq": entry.seq,
        "time": write_time(entry.time),
        "source": entry.source.value,
        "event": notation.write_entry(game, entry.event),
    }


def _rows(session: Session, added: Sequence[Entry]) -> list[dict[str, Any]]:
    return [{"session": session.id, **entry_row(session.game, entry)} for entry in added]


def _entry(game: AnyGame, row: Row[Any]) -> Entry:
    return Entry(row.seq, notation.read_entry(game, row.event), Source(row.source), read_time(row.time))
