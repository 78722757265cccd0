"""Sessions as JSON Lines: a head, then one line an entry, the same way out and in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from companion.core import notation
from companion.core.errors import CompanionError, NotationError, UnknownSession
from companion.core.game import AnyGame
from companion.core.log import Entry, Filed, Source, check_refers
from companion.core.message import message as _
from companion.core.session import Session, fold
from companion.sessions.repository import SessionRepository, entry_row, is_session_id, read_time, write_time

FORMAT = 1
LONGEST_LOG = 10_000
"""Entries we accept from a file; a long evening has a few hundred."""


def write_session(session: Session) -> Iterator[str]:
    """The lines of a session's file."""
    yield _dump({"companion": FORMAT, "session": session.id, "game": session.game.key})
    for entry in session.entries:
        yield _dump(entry_row(session.game, entry))


def read_session(lines: Iterable[str], games: Mapping[str, AnyGame]) -> Session:
    """The session of a file, or NotationError that names the line and what is wrong with it."""
    numbered = ((number, _load(number, line)) for number, line in enumerate(lines, start=1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise NotationError(_("This file is empty."))
    head = first[1]
    game = games.get(str(head.get("game")))
    id = head.get("session")
    if head.get("companion") != FORMAT or not isinstance(id, str) or not is_session_id(id):
        raise NotationError(
            _("This is not a session of Table Companion: its first line should say which session it is.")
        )
    if game is None:
        raise NotationError(
            _("This session is of a game we do not have: “%(game)s”.", game=str(head.get("game"))[:40])
        )
    entries: list[Entry] = []
    places: list[int] = []
    for number, row in numbered:
        if len(entries) == LONGEST_LOG:
            raise NotationError(_("This session has more than %(limit)d entries.", limit=LONGEST_LOG))
        entries.append(_read_entry(number, row, game, entries))
        places.append(number)
    return _checked(Session(id, game, tuple(entries)), places)


def import_session(store: SessionRepository, session: Session) -> bool:
    """Put a session into the log; False when it is there already, to the letter."""
    try:
        known = store.load(session.id)
    except UnknownSession:
        store.begin(session)
        return True
    moved = max(n for n, entry in enumerate(known.entries, start=1) if not isinstance(entry.event, Filed))
    # Named, put away or thrown away since the file was written, it is the same session still.
    same = (known, replace(known, entries=known.entries[: max(moved, len(session.entries))]))
    if list(write_session(session)) not in [list(write_session(one)) for one in same]:
        raise NotationError(
            _("There is another session “%(id)s” in the log already. Nothing was imported.", id=session.id)
        )
    return False


def _read_entry(number: int, row: Mapping[str, Any], game: AnyGame, before: list[Entry]) -> Entry:
    seq, time, source, event = (row.get(key) for key in ("seq", "time", "source", "event"))
    if type(seq) is not int or seq != len(before) + 1:
        raise NotationError(
            _("Line %(line)d: entry %(seq)d should come here.", line=number, seq=len(before) + 1)
        )
    if not isinstance(source, str) or source not in set(Source) or not isinstance(event, str):
        raise NotationError(_("Line %(line)d is not an entry of a log.", line=number))
    try:
        entry = Entry(seq, notation.parse_entry(game, event), Source(source), _time(time))
        check_refers(before, entry.event)
    except CompanionError as error:
        raise NotationError(_("Line %(line)d: %(reason)s", line=number, reason=error.message)) from error
    return entry


def _time(text: object) -> datetime:
    shown = str(text)[:40]
    try:
        time = read_time(str(text))
        write_time(time)  # the first and last days of the calendar do not exist in every time zone
    except (ValueError, OverflowError) as error:
        raise NotationError(_("“%(text)s” is not a time.", text=shown)) from error
    if time.tzinfo is None:
        raise NotationError(_("“%(text)s” does not say which time zone it is in.", text=shown))
    return time


def _checked(session: Session, places: Sequence[int]) -> Session:
    """A file from elsewhere has to be a whole game: what does not fit the rules is refused, with its place."""
    misfits = fold(session.game, session.entries).misfits
    if misfits:
        seq, reason = misfits[0].seq, misfits[0].reason
        raise NotationError(
            _("Line %(line)d, entry %(seq)d: %(reason)s", line=places[seq - 1], seq=seq, reason=reason)
        )
    return session


def _load(number: int, line: str) -> dict[str, Any]:
    if len(line) > 3 * notation.LINE_LIMIT:
        raise NotationError(_("Line %(line)d is too long.", line=number))
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError(_("Line %(line)d is not JSON.", line=number)) from error
    if not isinstance(row, dict):
        raise NotationError(_("Line %(line)d is not an entry of a log.", line=number))
    return row


def _dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)
