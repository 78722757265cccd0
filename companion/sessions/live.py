"""The one owner of live sessions: changes queue up for its single thread, everybody else reads snapshots."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from threading import Condition, Event, Thread
from typing import Concatenate, ParamSpec, TypeVar

from companion.core import notation
from companion.core.correction import Difference, take_back_correction, work_out_correction
from companion.core.errors import CompanionError, IllegalEvent, StaleSession, StoreError
from companion.core.game import AnyGame, Setup
from companion.core.log import (
    Entry,
    Filed,
    Restored,
    Source,
    Withdrawn,
    filing,
    recorded_together,
    redoable,
    undoable,
)
from companion.core.message import message as _
from companion.core.session import Session, begin_session
from companion.sessions.index import SessionIndex
from companion.sessions.json_lines import import_session, write_session
from companion.sessions.repository import ListedSession as ListedSession
from companion.sessions.repository import SessionRepository, new_session_id

LIVE_SESSIONS = 32
"""Sessions kept in memory; the others are read again when somebody opens them."""

LOOK_AROUND_S = 0.5
"""How often to look whether another process has recorded something."""

CORRECTED = "after a correction"
"""Why something lies against the rules once an earlier entry was put right."""

CorrectionRequest = Mapping[int, str] | int
"""Entries by their numbers with what they should say, or `nothing`; or the number of a correction to take back."""

_NOTHING_BACK = _("There is nothing to take back.")
_MOVED_ON = _("The game has moved on since you looked. Nothing was recorded: look again.")

log = logging.getLogger(__name__)
Result = TypeVar("Result")
Given = ParamSpec("Given")


class NewsBroker:
    """Wakes everybody who waits for the next entry of any session, or for whatever else people can see."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._number = 0
        self._nudges = 0
        self._watching: Counter[str] = Counter()
        self._closed = False

    def tell(self, number: int) -> None:
        with self._changed:
            self._number = max(number, self._number)
            self._changed.notify_all()

    def nudge(self) -> None:
        """Wake everybody although there is no new entry: the camera or a lamp has something to show."""
        with self._changed:
            self._nudges += 1
            self._changed.notify_all()

    @property
    def nudges(self) -> int:
        """How often there was something else to see."""
        return self._nudges

    def wait(self, after: int, timeout: float, nudges: int | None = None) -> int:
        """The number of the newest entry, as soon as it is greater than `after`, on a nudge, or when the time is up.

        Whoever looked before it waits says how many nudges there had been then, and misses none in between.
        """
        with self._changed:
            known = self._nudges if nudges is None else nudges
            self._changed.wait_for(
                lambda: self._number > after or self._nudges != known or self._closed, timeout
            )
            return self._number

    @contextmanager
    def watching(self, session: str) -> Iterator[None]:
        """Count as somebody who looks at that session."""
        with self._changed:
            self._watching[session] += 1
        try:
            yield
        finally:
            with self._changed:
                self._watching[session] -= 1

    def watched(self, session: str) -> bool:
        """Whether anybody looks at that session."""
        return self._watching[session] > 0

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def on_owner_thread(
    work: Callable[Concatenate[LiveSessions, Given], Result],
) -> Callable[Concatenate[LiveSessions, Given], Result]:
    """Queue a method for the one thread that owns the sessions, and wait for what comes of it.

    Such methods must not call each other: the thread would wait for itself.
    """

    @wraps(work)
    def queued(self: LiveSessions, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return self._own(lambda: work(self, *args, **kwargs))

    return queued


class LiveSessions:
    """Sessions as people play them: recorded in the store first, then shown."""

    def __init__(
        self, store: SessionRepository, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.news = NewsBroker()
        self.clock = clock
        self.index = SessionIndex(store)
        self._store = store
        self._live: OrderedDict[str, Session] = OrderedDict()
        self._latest = store.latest()
        self._owner = ThreadPoolExecutor(1, thread_name_prefix="owner")
        self._closing = Event()
        self.news.tell(self._latest)
        Thread(target=self._look_around, name="look-around", daemon=True).start()

    def close(self) -> None:
        self._closing.set()
        self.news.close()
        self._owner.shutdown()
        self._store.close()

    def list(self, limit: int, offset: int = 0, game: str = "") -> Sequence[ListedSession]:
        """Sessions people had a part in, the newest first; those of one game, if it is named."""
        return self._store.list(limit, offset, played=True, game=game)

    def export(self, id: str) -> str:
        """The session as a file that can be imported again."""
        return "".join(f"{line}\n" for line in write_session(self.session(id)))

    def session(self, id: str) -> Session:
        """The session as it stands: a snapshot in memory waits neither for the disk nor for anybody's tap."""
        return self._live.get(id) or self._own(lambda: self._current(id))

    @on_owner_thread
    def begin(self, game: AnyGame, setup: Setup, source: Source) -> Session:
        """Start a session and record it."""
        session = begin_session(new_session_id(), game, setup, source, self.clock())
        self._store.begin(session)
        return self._keep(session)

    @on_owner_thread
    def record(self, id: str, seq: int, text: str, source: Source, because: str = "") -> Session:
        """Record an event in the game's notation, if the session is still where the sender saw it."""
        session = self._current(id)
        event = notation.parse_move(session.game, notation.with_reason(text, because))
        return self._append(session, seq, event, source)

    @on_owner_thread
    def record_all(self, id: str, seq: int, texts: Sequence[str], source: Source) -> Session:
        """Record several events in one step: all of them, or none."""
        session = self._current(id)
        events = [notation.parse_move(session.game, text) for text in texts]
        return self._append_all(session, seq, events, source)

    @on_owner_thread
    def undo_all(self, id: str, seq: int, source: Source) -> Session:
        """Take back everything that was recorded in one step with the last entry, or IllegalEvent."""
        session = self._current(id)
        last = recorded_together(session.entries)
        if not last:
            raise IllegalEvent(_NOTHING_BACK)
        return self._append_all(session, seq, [Withdrawn(number) for number in last], source)

    @on_owner_thread
    def undo(self, id: str, seq: int, source: Source) -> Session:
        session = self._current(id)
        number = undoable(_seen_by(session, seq))
        if number is None:
            raise IllegalEvent(_NOTHING_BACK)
        return self._append(session, seq, Withdrawn(number), source)

    @on_owner_thread
    def redo(self, id: str, seq: int, source: Source) -> Session:
        session = self._current(id)
        number = redoable(_seen_by(session, seq))
        if number is None:
            raise IllegalEvent(_("There is nothing to bring back."))
        return self._append(session, seq, Restored(number), source)

    @on_owner_thread
    def file(self, id: str, filed: Filed, source: Source) -> Session:
        """Name a session, put it away or bring it back; what is so already is not recorded again."""
        session = self._current(id)
        if filing((*session.entries, Entry(session.seq + 1, filed, source, self.clock()))) == session.filing:
            return session
        return self._append_all(session, session.seq, [filed], source)

    @on_owner_thread
    def take_in(self, session: Session) -> bool:
        """Put a session from a file into the log; False when it is there already, to the letter."""
        self._catch_up()
        new = import_session(self._store, session)
        if new:
            self._keep(session, len(session.entries))
        return new

    @on_owner_thread
    def difference(self, id: str, asked: CorrectionRequest, because: str = CORRECTED) -> Difference:
        """What these corrections would come to."""
        return self._difference(self._current(id), asked, because)

    @on_owner_thread
    def correct(
        self, id: str, seq: int, asked: CorrectionRequest, source: Source, because: str = CORRECTED
    ) -> Session:
        """Record the corrections; `because` is the reason of what stays against the rules by them."""
        session = self._current(id)
        if not 1 <= seq <= session.seq:
            raise StaleSession(_MOVED_ON)
        # Worked out on what the sender saw, so that the same correction sent twice is known for the same.
        seen = session if seq == session.seq else replace(session, entries=session.entries[:seq])
        difference = self._difference(seen, asked, because)
        if difference.refused:
            raise IllegalEvent(difference.refused.reason)
        return self._append(session, seq, difference.final, source)

    def _own(self, work: Callable[[], Result]) -> Result:
        try:
            asked = self._owner.submit(work)
        except RuntimeError as error:  # the owner has gone home
            raise StoreError(_("The companion is closing. Nothing was recorded.")) from error
        return asked.result()

    def _current(self, id: str) -> Session:
        self._catch_up()
        if id not in self._live:
            self._live[id] = self._store.load(id)
            while len(self._live) > LIVE_SESSIONS:
                self._live.popitem(last=False)
        self._live.move_to_end(id)
        return self._live[id]

    def _catch_up(self) -> None:
        """Forget what is in memory when another process has recorded something."""
        latest = self._store.latest()
        if latest != self._latest:
            self._live.clear()
            self._latest = latest

    def _difference(self, session: Session, asked: CorrectionRequest, because: str) -> Difference:
        if isinstance(asked, int):
            return take_back_correction(session, asked, because, self.clock())
        changes = {
            seq: None if text == notation.NOTHING else notation.parse_entry(session.game, text)
            for seq, text in asked.items()
        }
        return work_out_correction(session, changes, because, self.clock())

    def _append(self, session: Session, seq: int, event: object, source: Source) -> Session:
        if seq != session.seq and _said_already(session, seq, event, source):
            return session
        return self._append_all(session, seq, [event], source)

    def _append_all(self, session: Session, seq: int, events: Sequence[object], source: Source) -> Session:
        if seq != session.seq:
            raise StaleSession(_MOVED_ON)
        now = self.clock()
        for event in events:
            session = session.record(event, source, now)
        self._store.append(session, len(events))
        return self._keep(session, len(events))

    def _keep(self, session: Session, count: int = 1) -> Session:
        self._live[session.id] = session
        self._latest += count
        self.news.tell(self._latest)
        return session

    def _look_around(self) -> None:
        while not self._closing.wait(LOOK_AROUND_S):
            try:
                latest = self._store.latest()
                if latest != self._latest:
                    self._own(self._catch_up)
                self.news.tell(latest)
            except CompanionError as error:
                log.debug("cannot look at the log: %s", error)


def _seen_by(session: Session, seq: int) -> list[Entry]:
    """The entries up to that one, which its sender saw last."""
    return [entry for entry in session.entries if entry.seq <= seq]


def _said_already(session: Session, seq: int, event: object, source: Source) -> bool:
    """Whether the entry after the one the sender saw is this very event: a tap sent twice counts once."""
    after = [entry for entry in session.entries if entry.seq == seq + 1]
    return bool(after) and after[0].event == event and after[0].source == source
