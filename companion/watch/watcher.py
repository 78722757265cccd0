"""Watches one session: what a still table shows waits here until somebody confirms it, and then goes to the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import takewhile
from threading import RLock
from time import perf_counter, time_ns
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, IllegalEvent, StaleSession
from companion.core.game import AnyGame
from companion.core.log import Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Observation, Reading
from companion.core.panel import Lamps
from companion.core.session import Session
from companion.table import Table
from companion.watch.bulletin import Bulletin
from companion.watch.covered import with_covered
from companion.watch.deeds import recorded, take_back, taken_back
from companion.watch.judgement import Judgement, asked_about, blind, judge, unchanged
from companion.watch.lamps import lamps_for
from companion.watch.pictures import Album
from companion.watch.presses import Waiting, nothing_came, objection
from companion.watch.settled import Settled
from companion.watch.state import UNSEEING, Status, Watch
from companion.watch.ways import AGAIN, GO_ON, take_way, ways_out

if TYPE_CHECKING:
    from companion.vision.eye import Glance
    from hardware.camera import Frame

DISPUTE_S = 1.2
"""How long table and log have to disagree before people are told: a glimpse of something odd is no disagreement."""
SURE_S = 0.6
"""How long something has to lie unchanged before it is recorded without a confirmation."""

_MOVED_ON = _("The table has changed since you looked. Nothing was recorded: look again.")

log = logging.getLogger(__name__)


class TableWatcher:
    """The protocol `companion.watch.state.Watcher`; the loop tells it what is seen, everybody else what they want."""

    def __init__(
        self,
        table: Table,
        camera: str = "",
        show_lamps: Callable[[Lamps], object] = lambda _lamps: None,
        alone: bool = False,
        beep: Callable[[], object] = lambda: None,
    ) -> None:
        self._table, self._beep = table, beep
        self._lock = RLock()
        self._album = Album()
        self._alone = alone
        # Versions go on growing from one start to the next: no page from before is taken for one of now.
        watch = Watch(version=time_ns() // 1_000_000, alone=alone, camera=camera)
        self._bulletin = Bulletin(watch, table.news, show_lamps)
        self._judged = Judgement()
        self._seen: tuple[Observation, ...] | None = None
        self._seen_since = self._now = 0.0
        self._disputed_since: float | None = None
        self._pressed: Waiting | None = None
        self._settled = Settled()
        self._afresh = False
        # By whom entries are signed: a demonstration signs for the hand that plays.
        self.sign: Callable[[Source], Source] = lambda source: source
        self.followed: Callable[[Session], object] = lambda _session: None
        """Called with every session that is watched from now on."""

    @property
    def watch(self) -> Watch:
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
            said = judge(session, (), (), self._settled).said if session else None
            self._bulletin.show(status=Status.WATCHING, said=said)

    def absorb(self, glance: Glance, capture: dict[str, float]) -> None:
        """Take in what a frame shows."""
        with self._lock:
            began = perf_counter()
            session = self._session()
            if session is None:
                return
            self._now = glance.frame.time
            self._bulletin.took({**capture, **dict(glance.stages)})
            self._bulletin.measured(glance.picture)
            self._album.keep_look(glance.frame.pixels, glance.picture)
            if glance.picture is None:
                self.unable(Status.BLIND, blind(len(glance.markers), glance.off))
            elif glance.seen is None:
                self._moving(session)
            else:
                self._still(session, glance)
            if self._pressed and self._pressed.over(self._now):
                self._let_press_go(nothing_came(self.watch, self._judged))
            self._bulletin.since("show", began)

    def _keep_up(self, session: Session) -> None:
        """People tap on while nothing is to be read."""
        if session.seq != self.watch.seq and self._seen is not None:
            self._read(session, self.watch.unknown)

    def _moving(self, session: Session) -> None:
        self._keep_up(session)
        if self.watch.status is not Status.PAUSED:
            self._bulletin.show(status=Status.MOVING, said=None)

    def _still(self, session: Session, glance: Glance) -> None:
        seen = with_covered(self._seen or (), glance.seen or (), glance.unknown, session.game)
        if self._seen is None or not unchanged(self._seen, seen):
            self._seen, self._seen_since = seen, self._now
        self._read(session, glance.unknown, sighted=True)
        if not self._judged.ready:
            return
        if self._pressed:
            seat = self._pressed.player
            if reason := objection(session, seat, self.watch):
                self._let_press_go(reason)
                return
            self._pressed = None
            self._record_proposals(Source.BUTTON, seat)
        elif self.watch.alone and self._sure(session):
            self._record_proposals(Source.CAMERA, None)

    def _sure(self, session: Session) -> bool:
        first = self._judged.reading.proposals[0]
        # What people took back and still lies there is not recorded again without anybody's word.
        return self._now - self._seen_since >= SURE_S and first.shown and first.event != taken_back(session)

    def _read(self, session: Session, unknown: tuple[Area, ...], sighted: bool = False) -> None:
        """Read what was seen last, for the log as it is now."""
        began = perf_counter()
        self._judged = judge(session, self._seen or (), unknown, self._settled, self.watch.middle)
        self._settled.keep(session, self._judged.raised, self._now)
        self._bulletin.since("read", began)
        reading = self._judged.reading
        paused = self._paused(reading)
        status = Status.PAUSED if paused else Status.WATCHING
        said = self._judged.said if paused or not reading.contradictions else None
        if self.watch.status in UNSEEING and not sighted:
            status, said = self.watch.status, self.watch.said  # what was seen before makes nobody see now
        self._bulletin.show(
            seq=session.seq,
            status=status,
            said=said,
            seen=self._seen or (),
            unknown=unknown,
            reading=reading,
            ways=ways_out(session, reading.contradictions) if paused else (),
            lamps=lamps_for(session, status, reading),
        )

    def _paused(self, reading: Reading) -> bool:
        if not reading.contradictions:
            self._disputed_since = None
            return False
        if self._disputed_since is None:
            self._disputed_since = self._now
        return self._now - self._disputed_since >= DISPUTE_S

    def _let_press_go(self, reason: Message) -> None:
        """A press that nothing has come of is over, and said to be."""
        if self._pressed:
            seat, self._pressed = self._pressed.player, None
            self._bulletin.announce(reason, seat)

    def confirm(self, seq: int, version: int) -> Session:
        with self._lock:
            self._check(seq, version)
            if not self._judged.ready or self.watch.status in UNSEEING:
                raise IllegalEvent(_("There is nothing to confirm now."))
            return self._record([p.event for p in self._judged.reading.proposals], Source.PAGE)

    def answer(self, seq: int, version: int, doubt: int, choice: int) -> Session:
        with self._lock:
            self._check(seq, version)
            asked = asked_about(self.watch.reading, doubt, choice)
            if asked.choices[choice].events:
                return self._record(asked.choices[choice].events, Source.PAGE)
            session = self._table.session(self.watch.session)
            self._settled.add(session, asked, self._now)
            self._read(session, self.watch.unknown)
            return session

    def take(self, version: int, way: str) -> Session:
        with self._lock:
            if way not in {known.key for known in self.watch.ways}:
                raise StaleSession(_MOVED_ON)
            # The way speaks of the log as it was read: another tablet may have recorded something since.
            session = self._table.session(self.watch.session)
            self._check(session.seq, version)
            first = self.watch.reading.contradictions[0]
            if way == GO_ON:
                self._settled.add(session, first, self._now)
            if way == AGAIN:
                self._afresh, self._disputed_since = True, None
            session = take_way(self._table, session, first, way, self.sign(Source.PAGE))
            self._read(session, self.watch.unknown)
            return session

    def let_alone(self, alone: bool) -> None:
        with self._lock:
            self._bulletin.show(alone=alone)

    def follow(self, session: str) -> None:
        with self._lock:
            self.followed(self._table.session(session))
            self._judged, self._seen, self._pressed = Judgement(), None, None
            self._disputed_since, self._afresh = None, False
            self._settled.clear()
            self._bulletin.turn_to(session, self._alone)

    def press(self, seat: int | None, long: bool = False) -> None:
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
        session, told = take_back(self._table, session, self.sign(Source.BUTTON), player)
        self._pressed = None
        self._read(session, self.watch.unknown)
        self._bulletin.announce(told, player)
        self._beep()

    def _done(self, session: Session, seat: int | None, player: int | None) -> None:
        watch = self.watch
        if reason := objection(session, seat, watch):
            self._bulletin.announce(reason, player)
        elif watch.status is Status.WATCHING and self._judged.ready and session.seq == watch.seq:
            self._record_proposals(Source.BUTTON, player)
        else:
            self._pressed = Waiting(player)
            self._bulletin.announce(_("Pressed: looking at the table …"), player)

    def _check(self, seq: int, version: int) -> None:
        if seq != self.watch.seq or not self._bulletin.fresh <= version <= self.watch.version:
            raise StaleSession(_MOVED_ON)

    def _record_proposals(self, source: Source, player: int | None) -> None:
        proposals = self._judged.reading.proposals
        if source is Source.CAMERA:
            proposals = tuple(takewhile(lambda proposal: proposal.shown, proposals))
        events = [proposal.event for proposal in proposals]
        try:
            session = self._record(events, source)
        except CompanionError as error:
            self._bulletin.announce(error.message, player)
        else:
            self._bulletin.announce(recorded(session, events, player), player)
            if source is Source.BUTTON:
                self._beep()

    def _record(self, events: Sequence[object], source: Source) -> Session:
        """All of it in one step: nobody else's tap comes in between."""
        began = perf_counter()
        session = self._table.session(self.watch.session)
        if session.seq != self.watch.seq:
            raise StaleSession(_MOVED_ON)
        texts = [session.game.write(event) for event in events]
        session = self._table.record_all(session.id, session.seq, texts, self.sign(source))
        self._bulletin.since("record", began)
        self._read(session, self.watch.unknown)
        return session

    def _session(self) -> Session | None:
        try:
            return self._table.session(self.watch.session) if self.watch.session else None
        except CompanionError as error:
            log.debug("the watched session cannot be opened: %s", error)
            return None
