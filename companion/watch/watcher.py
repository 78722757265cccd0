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
from companion.core.observation import Area
from companion.core.session import Session
from companion.sessions.live import LiveSessions
from companion.watch.cross_check import (
    LOOK_FIRST,
    CheckedReading,
    DisagreementTimer,
    Dismissals,
    LastPositions,
    asked_about,
    cross_check,
    why_blind,
)
from companion.watch.panel import PRESS_S, PendingPress, lamps_for, waited_in_vain, why_not_recorded
from companion.watch.recording import (
    MOVED_ON,
    WAY_AGAIN,
    WAY_GO_ON,
    record_events,
    recorded_in_words,
    take_back_last_step,
    take_way,
    ways_out,
)
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
        self._album = PictureCache()
        self._alone = alone
        watch = WatchState(version=first_version(), alone=alone, camera=camera)
        self._bulletin = StatePublisher(watch, sessions.news, show_lamps)
        self._judged = CheckedReading()
        self._lain, self._dispute = LastPositions(), DisagreementTimer()
        self._now = 0.0
        self._pressed: PendingPress | None = None
        self._settled = Dismissals()
        self._confirmed = (0, 0)
        """The entry and the version of the tap that was recorded last: sent twice, it counts once."""
        self._afresh = False
        # By whom entries are signed: a demonstration signs for the hand that plays.
        self.sign: Callable[[Source], Source] = lambda source: source
        self.followed: Callable[[Session], object] = lambda _session: None
        """Called with every session that is watched from now on."""

    @property
    def watch(self) -> WatchState:
        return self._bulletin.watch

    def picture(self, stage: str = "") -> tuple[int, bytes]:
        return self._album.picture(stage)

    def crop(self, area: Area) -> bytes:
        return self._album.crop(area)

    @property
    def game(self) -> AnyGame | None:
        """The game being watched."""
        session = self._session()
        return session.game if session else None

    def wants_afresh(self) -> bool:
        """Whether somebody asked to look at everything again; once."""
        afresh, self._afresh = self._afresh, False
        return afresh

    def unable(self, status: Status, reason: Message) -> None:
        """Say why nothing is to be seen just now."""
        with self._lock:
            if session := self._session():
                self._keep_up(session)
                self._bulletin.show(lamps=lamps_for(session, status, self.watch.reading))
            self._bulletin.show(status=status, said=reason)
            self._let_press_go(reason)

    def idle(self, frame: Frame) -> None:
        """A picture with nothing to look for in it."""
        with self._lock:
            self._album.keep({"": frame.pixels, "capture": frame.pixels})
            session = self._session()
            said = cross_check(session, (), (), self._settled).said if session else None
            self._bulletin.show(status=Status.WATCHING, said=said)

    def absorb(self, glance: FrameReading, capture: dict[str, float]) -> None:
        """Take in what a frame shows."""
        with self._lock:
            began = perf_counter()
            session = self._session()
            if session is None:
                return
            self._now = glance.frame.time
            if self._pressed and self._pressed.seq != session.seq:
                self._let_press_go(MOVED_ON)
            late = self._pressed is not None and self._pressed.over(self._now)
            self._bulletin.took({**capture, **dict(glance.stages)})
            self._bulletin.measured(glance.picture)
            self._album.keep_look(glance.frame.pixels, glance.picture)
            if glance.picture is None:
                self.unable(Status.BLIND, why_blind(len(glance.markers), glance.off))
            elif glance.seen is None:
                self._moving(session)
            else:
                self._still(session, glance, late)
            if late:
                self._let_press_go(waited_in_vain(self.watch, self._judged))
            self._bulletin.since("show", began)

    def _keep_up(self, session: Session) -> None:
        """People tap on while nothing is to be read."""
        if session.seq != self.watch.seq and self._lain.seen is not None:
            self._read(session, self.watch.unknown)

    def _moving(self, session: Session) -> None:
        self._lain.stirred(self._now)
        self._keep_up(session)
        if self.watch.status is not Status.PAUSED:
            self._bulletin.show(status=Status.MOVING, said=None)

    def _still(self, session: Session, glance: FrameReading, late: bool) -> None:
        self._lain.take(glance, session.game)
        self._read(session, glance.unknown, sighted=True)
        if not self._judged.ready or late:
            return
        if self._pressed:
            self._press_came(session, self._pressed.player)
        elif self.watch.alone and self._lain.long_enough(self._now):
            self._record_told(self._settled.believed(session, self._judged.reading), Source.CAMERA, None)

    def _press_came(self, session: Session, player: int | None) -> None:
        if reason := why_not_recorded(session, player, self.watch):
            self._let_press_go(reason)
        elif self._judged.to_be_seen:
            self._let_press_go(LOOK_FIRST)
        else:
            self._pressed = None
            self._record_told(self._judged.proposed, Source.BUTTON, player)

    def _read(self, session: Session, unknown: tuple[Area, ...], sighted: bool = False) -> None:
        """Read what was seen last, for the log as it is now."""
        began, seen = perf_counter(), self._lain.seen or ()
        judged = cross_check(session, seen, unknown, self._settled, self.watch.middle)
        self._judged = judged.after(self._judged, self._now)
        self._settled.keep(session, self._judged.raised, self._now)
        self._bulletin.since("read", began)
        reading = self._judged.reading
        paused = self._dispute.lasts(reading, self._now)
        status = Status.PAUSED if paused else Status.WATCHING
        said = self._judged.said if paused or not reading.contradictions else None
        if self.watch.status in UNREAD and not sighted:
            status, said = self.watch.status, self.watch.said  # what was seen before makes nobody see now
        self._bulletin.show(
            seq=session.seq,
            status=status,
            said=said,
            seen=seen,
            unknown=unknown,
            reading=reading,
            ways=ways_out(session, reading.contradictions) if paused else (),
            lamps=lamps_for(session, status, reading),
        )

    def _let_press_go(self, reason: Message) -> None:
        """A press that nothing has come of is over, and said to be."""
        if self._pressed:
            seat, self._pressed = self._pressed.player, None
            self._bulletin.announce(reason, seat)

    def confirm(self, seq: int, version: int) -> Session:
        """Record what is proposed, if that is still what the sender saw."""
        with self._lock:
            return self._tapped(seq, version, self._confirmable)

    def answer(self, seq: int, version: int, doubt: int, choice: int) -> Session:
        """Record the answer to a doubt."""
        with self._lock:
            return self._tapped(seq, version, lambda: self._answered(doubt, choice))

    def _tapped(self, seq: int, version: int, events: Callable[[], Sequence[object]]) -> Session:
        """Record what a page has shown, if that is still so."""
        if (seq, version) != self._confirmed:
            self._check(seq, version)
            if chosen := events():
                self._record(chosen, Source.PAGE)
                self._confirmed = seq, version
        return self._sessions.session(self.watch.session)

    def _confirmable(self) -> Sequence[object]:
        if not self._judged.ready or self.watch.status in UNSEEING:
            raise IllegalEvent(_("There is nothing to confirm now."))
        return self._judged.proposed

    def _answered(self, doubt: int, choice: int) -> Sequence[object]:
        asked = asked_about(self.watch.reading, doubt, choice)
        if not asked.choices[choice].events:
            session = self._sessions.session(self.watch.session)
            self._settled.refuse(session, asked, self._now)
            self._read(session, self.watch.unknown)
        return asked.choices[choice].events

    def take(self, version: int, way: str) -> Session:
        """Take one of the ways out of a disagreement."""
        with self._lock:
            if way not in {known.key for known in self.watch.ways}:
                raise StaleSession(MOVED_ON)
            # The way speaks of the log as it was read: another tablet may have recorded something since.
            session = self._sessions.session(self.watch.session)
            self._check(session.seq, version)
            first = self.watch.reading.contradictions[0]
            if way == WAY_GO_ON:
                self._settled.add(session, first, self._now)
            if way == WAY_AGAIN:
                self._afresh = True
                self._dispute.forget()
            session = take_way(self._sessions, session, first, way, self.sign(Source.PAGE))
            self._read(session, self.watch.unknown)
            return session

    def let_alone(self, alone: bool) -> None:
        """Allow or forbid recording without a confirmation."""
        with self._lock:
            self._bulletin.show(alone=alone)

    def follow(self, session: str) -> None:
        """Watch that session from now on."""
        found = self._sessions.session(session)
        self._turn_to("")
        # Outside the lock: a hand that has to leave the table first may be waiting for it.
        self.followed(found)
        self._turn_to(session)

    def _turn_to(self, session: str) -> None:
        with self._lock:
            self._judged, self._pressed, self._afresh = CheckedReading(), None, False
            self._lain.forget()
            self._dispute.forget()
            self._settled.clear()
            self._bulletin.turn_to(session, self._alone)

    def press(self, seat: int | None, long: bool = False) -> None:
        """A button of the panel was pressed; None is the common one."""
        with self._lock:
            session = self._session()
            if session is None:
                return
            player = seat if seat is not None and seat < len(session.setup.players) else None
            try:
                self._take_back(session, player) if long else self._done(session, seat, player)
            except CompanionError as error:
                self._bulletin.announce(error.message, player)

    def trouble(self, text: Message, seat: int | None) -> None:
        """Say what is wrong with a button."""
        with self._lock:
            self._bulletin.announce(text, seat)

    def _take_back(self, session: Session, player: int | None) -> None:
        session, told = take_back_last_step(self._sessions, session, self.sign(Source.BUTTON), player)
        self._pressed = None
        self._read(session, self.watch.unknown)
        self._bulletin.announce(told, player)
        self._beep()

    def _done(self, session: Session, seat: int | None, player: int | None) -> None:
        watch = self.watch
        if reason := why_not_recorded(session, seat, watch) or self._judged.unseen(self._now):
            self._bulletin.announce(reason, player)
        elif watch.status is Status.WATCHING and self._judged.ready and session.seq == watch.seq:
            self._record_told(self._judged.proposed, Source.BUTTON, player)
        else:
            self._pressed = PendingPress(player, session.seq, self._now + PRESS_S if self._now else None)
            self._bulletin.announce(_("Pressed: looking at the table …"), player)

    def _check(self, seq: int, version: int) -> None:
        if seq != self.watch.seq or not self._bulletin.fresh <= version <= self.watch.version:
            raise StaleSession(MOVED_ON)

    def _record_told(self, events: Sequence[object], source: Source, player: int | None) -> None:
        """Record without a tap, and say so."""
        if not events:
            return
        try:
            told = recorded_in_words(self._record(events, source), events, player)
        except CompanionError as error:
            if error.message != self._bulletin.announced or source is Source.BUTTON:
                self._bulletin.announce(error.message, player)
            return
        self._bulletin.announce(told, player)
        if source is Source.BUTTON:
            self._beep()

    def _record(self, events: Sequence[object], source: Source) -> Session:
        """All of it in one step: nobody else's tap comes in between."""
        began = perf_counter()
        session = record_events(self._sessions, self.watch.session, self.watch.seq, events, self.sign(source))
        self._bulletin.since("record", began)
        self._read(session, self.watch.unknown)
        return session

    def _session(self) -> Session | None:
        try:
            return self._sessions.session(self.watch.session) if self.watch.session else None
        except CompanionError as error:
            log.debug("the watched session cannot be opened: %s", error)
            return None
