"""Watches one session: what a still table shows waits here until somebody confirms it, and then goes to the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING

from companion.core.devices import Lamps
from companion.core.errors import CompanionError, IllegalEvent, StaleSession
from companion.core.game import AnyGame
from companion.core.log import Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Doubt
from companion.core.photo import SentPhoto
from companion.core.session import Session
from companion.sessions.live import LiveSessions
from companion.watch import recording
from companion.watch.cross_check import (
    CheckedReading,
    DisagreementTimer,
    Dismissals,
    LastPositions,
    asked_about,
    cross_check,
    why_blind,
)
from companion.watch.evenings import Deed, Did
from companion.watch.familiarity import familiarity
from companion.watch.panel import PRESS_S, PendingPress, lamps_for, waited_in_vain, why_not_recorded
from companion.watch.recording import MOVED_ON, correct_place, events_in_words, last_step, ways_out
from companion.watch.state import (
    UNREAD,
    UNSEEING,
    PictureCache,
    StatePublisher,
    Status,
    WatchState,
    first_version,
)

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading
    from hardware.camera import Frame

log = logging.getLogger(__name__)


class TableWatcher:
    """The loop tells it what is seen; pages and buttons tell it what people want, from any thread.

    What records waits for the disk, and so do all others.
    """

    def __init__(
        self,
        sessions: LiveSessions,
        camera: str = "",
        show_lamps: Callable[[Lamps], object] = lambda _lamps: None,
        alone: bool = False,
        beep: Callable[[], object] = lambda: None,
    ) -> None:
        self._sessions, self._beep = sessions, beep
        self._lock = RLock()
        self._pictures = PictureCache()
        self._alone = alone
        watch = WatchState(version=first_version(), alone=alone, camera=camera)
        self._publisher = StatePublisher(watch, sessions.news, show_lamps)
        self._checked = CheckedReading()
        self._positions, self._disagreement = LastPositions(), DisagreementTimer()
        self._now = 0.0
        self._pending: PendingPress | None = None
        self._dismissals = Dismissals()
        self._last_tap = (0, 0)
        """The entry and the version of the tap that was recorded last: sent twice, it counts once."""
        self._afresh = False
        # By whom entries are signed: a demonstration signs for the hand that plays.
        self.sign: Callable[[Source], Source] = lambda source: source
        self.followed: Callable[[Session], object] = lambda _session: None
        """Called with every session that is watched from now on."""
        self.heard: Callable[[Deed, float], object] = lambda _deed, _time: None
        """Called with what people do here, and the time of the frame that was seen last."""
        self._own: set[int] = set()

    @property
    def watch(self) -> WatchState:
        return self._publisher.watch

    def picture(self, stage: str = "") -> tuple[int, bytes]:
        return self._pictures.picture(stage)

    def photo(self, patience_s: float = 0.0) -> Callable[[], SentPhoto]:
        return self._pictures.photo(self.game, patience_s)

    def crop(self, area: Area) -> bytes:
        return self._pictures.crop(area)

    @property
    def game(self) -> AnyGame | None:
        """The game being watched."""
        session = self._session()
        return session.game if session else None

    def recorded(self, seq: int) -> bool:
        """Whether that entry of the watched session was recorded here, and not tapped in on a page."""
        return seq in self._own

    # -- what the loop tells it ---------------------------------------------------------------------------------

    def wants_afresh(self) -> bool:
        """Whether somebody asked to look at everything again; once."""
        afresh, self._afresh = self._afresh, False
        return afresh

    def unable(self, status: Status, reason: Message) -> None:
        """Say why nothing is to be seen just now."""
        with self._lock:
            if session := self._session():
                self._keep_up(session)
                self._publisher.show(lamps=lamps_for(session, status, self.watch.reading))
            self._publisher.show(status=status, said=reason)
            self._let_press_go(reason)

    def idle(self, frame: Frame) -> None:
        """A picture with nothing to look for in it."""
        with self._lock:
            self._pictures.keep(frame)
            session = self._session()
            said = cross_check(session, (), (), self._dismissals).said if session else None
            self._publisher.show(status=Status.WATCHING, said=said)

    def absorb(self, glance: FrameReading, capture: dict[str, float]) -> None:
        """Take in what a frame shows."""
        with self._lock:
            began = perf_counter()
            session = self._session()
            if session is None:
                return
            self._now = glance.frame.time
            if self._pending and self._pending.seq != session.seq:
                self._let_press_go(MOVED_ON)
            late = self._pending is not None and self._pending.over(self._now)
            self._publisher.took({**capture, **dict(glance.stages)})
            if glance.plane is not None:
                self._publisher.measured(glance.plane.mat)
            self._pictures.keep_look(glance)
            if glance.plane is None:
                self.unable(Status.BLIND, why_blind(len(glance.markers), glance.off))
            elif glance.seen is None:
                self._moving(session)
            else:
                self._still(session, glance, late)
            if late:
                self._let_press_go(waited_in_vain(self.watch, self._checked))
            self._publisher.since("show", began)

    def _keep_up(self, session: Session) -> None:
        """People tap on while nothing is to be read."""
        if session.seq != self.watch.seq and self._positions.seen is not None:
            self._read(session, self.watch.unknown)

    def _moving(self, session: Session) -> None:
        self._positions.stirred(self._now)
        self._keep_up(session)
        if self.watch.status is not Status.PAUSED:
            self._publisher.show(status=Status.MOVING, said=None)

    def _still(self, session: Session, glance: FrameReading, late: bool) -> None:
        self._positions.take(glance, session.game)
        self._publisher.show(familiarity=familiarity(glance, self.watch.familiarity))
        self._read(session, glance.unknown, sighted=True)
        if not self._checked.ready or late:
            return
        if self._pending:
            self._press_came(session, self._pending.player)
        elif self.watch.alone and self._positions.long_enough(self._now):
            self._record_believed(session)

    def _record_believed(self, session: Session, implied: bool = False) -> None:
        believed = self._dismissals.believed(session, self._checked.reading, implied)
        self._record_told(believed, Source.CAMERA, None)

    def _press_came(self, session: Session, player: int | None) -> None:
        if reason := why_not_recorded(session, player, self.watch):
            self._let_press_go(reason)
        else:
            self._pending = None
            self._record_told(self._checked.proposed, Source.BUTTON, player)

    def _let_press_go(self, reason: Message) -> None:
        """A press that nothing has come of is over, and said to be."""
        if self._pending:
            seat, self._pending = self._pending.player, None
            self._publisher.announce(reason, seat)

    # -- what people want, on a page or by a button -------------------------------------------------------------

    def confirm(self, seq: int, version: int) -> Session:
        """Record what is proposed, if that is still what the sender saw."""
        with self._lock:
            return self._tapped(seq, version, self._confirmable, lambda: Deed(Did.CONFIRM))

    def answer(self, seq: int, version: int, doubt: int, choice: int) -> Session:
        """Record the answer to a doubt."""
        with self._lock:
            reading = self.watch.reading
            return self._tapped(
                seq,
                version,
                lambda: self._answered(doubt, choice),
                lambda: self._answer_told(asked_about(reading, doubt, choice), choice),
            )

    def _tapped(
        self, seq: int, version: int, events: Callable[[], Sequence[object]], deed: Callable[[], Deed]
    ) -> Session:
        """Record what a page has shown, if that is still so."""
        if (seq, version) != self._last_tap:
            self._check(seq, version)
            if chosen := events():
                self._record(chosen, Source.PAGE)
                self._last_tap = seq, version
            self.heard(deed(), self._now)
        return self._sessions.session(self.watch.session)

    def _confirmable(self) -> Sequence[object]:
        if not self._checked.ready or self.watch.status in UNSEEING:
            raise IllegalEvent(_("There is nothing to confirm now."))
        return self._checked.proposed

    def _answered(self, doubt: int, choice: int) -> Sequence[object]:
        asked = asked_about(self.watch.reading, doubt, choice)
        if not asked.choices[choice].events:
            session = self._sessions.session(self.watch.session)
            self._dismissals.refuse(session, asked, self._now)
            self._read(session, self.watch.unknown)
        return asked.choices[choice].events

    def _answer_told(self, asked: Doubt, choice: int) -> Deed:
        write = self._sessions.session(self.watch.session).game.write
        events = tuple(map(write, asked.choices[choice].events))
        return Deed(Did.ANSWER, question=str(asked.question), events=events)

    def take(self, version: int, way: str) -> Session:
        """Take one of the ways out of a disagreement."""
        with self._lock:
            if way not in {known.key for known in self.watch.ways}:
                raise StaleSession(MOVED_ON)
            # The way speaks of the log as it was read: another tablet may have recorded something since.
            session = self._sessions.session(self.watch.session)
            self._check(session.seq, version)
            first, before = self.watch.reading.contradictions[0], session
            source = self.sign(Source.PAGE)
            match way:
                case recording.WAY_AGAIN:
                    self._afresh = True
                    self._disagreement.forget()
                case recording.WAY_MOVED:
                    session = correct_place(self._sessions, session, first, source)
                case recording.WAY_UNDO:
                    session = self._sessions.undo_all(session.id, session.seq, source)
                case recording.WAY_GO_ON:
                    self._dismissals.add(session, first, self._now)
            self._told_here(before, session)
            self.heard(Deed(Did.WAY, way=way), self._now)
            self._read(session, self.watch.unknown)
            return session

    def _check(self, seq: int, version: int) -> None:
        if seq != self.watch.seq or not self._publisher.fresh <= version <= self.watch.version:
            raise StaleSession(MOVED_ON)

    def let_alone(self, alone: bool) -> None:
        """Allow or forbid recording without a confirmation."""
        with self._lock:
            self.heard(Deed(Did.ALONE, alone=alone), self._now)
            self._publisher.show(alone=alone)

    def record_believed(self) -> None:
        """Record what needs no question, however short it has lain there: in a film nobody can be asked."""
        with self._lock:
            session = self._session()
            if session and self._checked.ready and self.watch.status is Status.WATCHING:
                self._record_believed(session, implied=True)

    def follow(self, session: str) -> None:
        """Watch that session from now on."""
        found = self._sessions.session(session)
        self._turn_to("")
        # Outside the lock: a hand that has to leave the table first may be waiting for it.
        self.followed(found)
        self._turn_to(session)

    def leave(self, session: str) -> None:
        """Watch nothing, if it was that session that was watched."""
        if self.watch.session == session:
            self._turn_to("")

    def _turn_to(self, session: str) -> None:
        with self._lock:
            self._checked, self._pending, self._afresh = CheckedReading(), None, False
            self._positions.forget()
            self._disagreement.forget()
            self._dismissals.clear()
            self._own.clear()
            self._publisher.turn_to(session, self._alone)

    def press(self, seat: int | None, long: bool = False) -> None:
        """A button of the panel was pressed; None is the common one."""
        with self._lock:
            session = self._session()
            if session is None:
                return
            self.heard(Deed(Did.PRESS, seat, long), self._now)
            player = seat if seat is not None and seat < len(session.setup.players) else None
            try:
                self._take_back(session, player) if long else self._done(session, seat, player)
            except CompanionError as error:
                self._publisher.announce(error.message, player)

    def _done(self, session: Session, seat: int | None, player: int | None) -> None:
        watch = self.watch
        if reason := why_not_recorded(session, seat, watch):
            self._publisher.announce(reason, player)
        elif watch.status is Status.WATCHING and self._checked.ready and session.seq == watch.seq:
            self._record_told(self._checked.proposed, Source.BUTTON, player)
        else:
            self._pending = PendingPress(player, session.seq, self._now + PRESS_S if self._now else None)
            self._publisher.announce(_("Pressed: looking at the table …"), player)

    def _take_back(self, session: Session, player: int | None) -> None:
        after = self._sessions.undo_all(session.id, session.seq, self.sign(Source.BUTTON))
        self._told_here(session, after)
        self._pending = None
        self._read(after, self.watch.unknown)
        self._publisher.announce(_("Taken back: %(what)s.", what=last_step(session, player)), player)
        self._beep()

    def trouble(self, text: Message, seat: int | None) -> None:
        """Say what is wrong with a button."""
        with self._lock:
            self._publisher.announce(text, seat)

    # -- reading and recording, with the lock held --------------------------------------------------------------

    def _read(self, session: Session, unknown: tuple[Area, ...], sighted: bool = False) -> None:
        """Read what was seen last, for the log as it is now."""
        began, seen = perf_counter(), self._positions.seen or ()
        self._checked = cross_check(session, seen, unknown, self._dismissals, self.watch.middle)
        self._dismissals.keep(session, self._checked.raised, self._now)
        self._publisher.since("read", began)
        reading = self._checked.reading
        paused = self._disagreement.lasts(reading, self._now)
        status = Status.PAUSED if paused else Status.WATCHING
        said = self._checked.said if paused or not reading.contradictions else None
        if self.watch.status in UNREAD and not sighted:
            status, said = self.watch.status, self.watch.said  # what was seen before makes nobody see now
        self._publisher.show(
            seq=session.seq,
            status=status,
            said=said,
            seen=seen,
            unknown=unknown,
            reading=reading,
            ways=ways_out(session, reading.contradictions[0]) if paused else (),
            lamps=lamps_for(session, status, reading),
        )

    def _record_told(self, events: Sequence[object], source: Source, player: int | None) -> None:
        """Record without a tap, and say so."""
        if not events:
            return
        try:
            session = self._record(events, source)
        except CompanionError as error:
            if error.message != self._publisher.announced or source is Source.BUTTON:
                self._publisher.announce(error.message, player)
            return
        told = events_in_words(session, events, player)
        self._publisher.announce(_("Recorded: %(what)s.", what=told), player)
        if source is Source.BUTTON:
            self._beep()

    def _record(self, events: Sequence[object], source: Source) -> Session:
        """All of it in one step: nobody else's tap comes in between."""
        began = perf_counter()
        session = self._sessions.session(self.watch.session)
        if session.seq != self.watch.seq:
            raise StaleSession(MOVED_ON)
        lines, before = [session.game.write(event) for event in events], session
        session = self._sessions.record_all(session.id, session.seq, lines, self.sign(source))
        self._told_here(before, session)
        self._publisher.since("record", began)
        self._read(session, self.watch.unknown)
        return session

    def _told_here(self, before: Session, after: Session) -> None:
        self._own.update(range(before.seq + 1, after.seq + 1))

    def _session(self) -> Session | None:
        try:
            return self._sessions.session(self.watch.session) if self.watch.session else None
        except CompanionError as error:
            log.debug("the watched session cannot be opened: %s", error)
            return None
