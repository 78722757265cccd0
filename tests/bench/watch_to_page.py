"""From the watched table until another tablet has been told: a real rig on the virtual table, a real server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from threading import Thread
from time import monotonic, perf_counter, sleep
from typing import Any

from companion.app import Clock, Rig, open_rig
from companion.core.errors import StoreError
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.session import Session
from companion.games import GAMES
from companion.household.settings import Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.faults import Disturbances
from tests.bench.tap_to_page import PATIENCE_S, Tablet, wait_for

PRESSES, SIGHTS = 30, 24
HELD_S = 0.08
"""How long a finger holds the button."""
BETWEEN_S = 0.3
"""Presses that follow each other faster count as one."""
FRAMES = 60
"""Something new is seen within so many pictures."""
MIDDLE = 800, 450
"""Of the table, in millimetres."""


@dataclass(frozen=True)
class _House:
    """A watched game, and a page that listens for its news."""

    table: LiveSessions
    rig: Rig
    session: Session
    stream: HTTPResponse

    @property
    def now(self) -> Session:
        return self.table.session(self.session.id)

    def lay(self, before: object, after: object) -> None:
        """Bring the table from one position to another, as tidily as a drawing."""
        desk, sight, setup = self.rig.virtual, self.session.game.sight, self.session.setup
        assert desk
        assert sight
        old, new = (
            {one.piece: one for one in sight.arrange(setup, position)} for position in (before, after)
        )
        for piece in old.keys() - new.keys():
            desk.remove(piece)
        for piece, one in new.items():
            if old.get(piece) != one:
                desk.scene.add(piece, desk.scene.faces[one.face])
                desk.put(piece, one.x + MIDDLE[0], one.y + MIDDLE[1], one.angle)


class _Clock:
    """Time that passes only between pictures."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def button_to_page(played: Session) -> Iterator[float]:
    """From a finger that leaves a button: the contact is believed, the entry on the disk, another tablet told."""
    with _house(played, Clock(), ()) as house:
        rig, pins = house.rig, house.rig.pins
        assert pins
        rig.start()
        house.lay(house.now.position, played.fold.positions[1])
        for _again in range(PRESSES):
            _until(
                lambda: rig.watcher.watch.seq == house.now.seq and bool(rig.watcher.watch.reading.proposals)
            )
            sleep(BETWEEN_S)
            seq = house.now.seq + 1
            pins.stick(None)
            sleep(HELD_S)
            began = perf_counter()
            pins.release(None)
            wait_for(house.stream, seq)
            yield perf_counter() - began
            house.table.undo(house.session.id, seq, Source.COMMAND)


def frame_to_page(played: Session) -> Iterator[float]:
    """From the first picture on which the table is still: read, proposed, another tablet told."""
    clock = _Clock()
    with _house(played, Clock(clock, clock.sleep, threaded=False), None) as house:
        watcher, done = house.rig.watcher, 0
        _look(house)  # at the empty table, for which the eye is made
        for event in played.fold.steps:
            before = house.now.position
            house.lay(before, played.game.apply(before, event.event))
            seconds = _look(house)
            if seconds is None:
                house.table.record(
                    house.session.id, house.now.seq, played.game.write(event.event), Source.COMMAND
                )
                continue
            yield seconds
            watcher.confirm(watcher.watch.seq, watcher.watch.version)
            done += 1
            if done == SIGHTS:
                return


def _look(house: _House) -> float | None:
    """Seconds from a still picture until the stream told of what it shows; None when it shows nothing clear."""
    watcher = house.rig.watcher
    for _frame in range(FRAMES):
        began = perf_counter()
        house.rig.loop.step()
        watch = watcher.watch
        if watch.reading.proposals and watch.seq == house.now.seq:
            wait_for(house.stream, watch.version, "watch")
            taken = next(stage.ms for stage in watch.stages if stage.name == "capture")
            return perf_counter() - began - taken / 1000
        if watch.reading.doubts:
            return None
    return None


def _until(happened: Any) -> None:
    limit = monotonic() + PATIENCE_S
    while not happened():
        if monotonic() > limit:
            raise StoreError(_("Nothing was read on the virtual table."))
        sleep(0.005)


@contextmanager
def _house(played: Session, time: Clock, disturbing: tuple[str, ...] | None) -> Iterator[_House]:
    """A house of its own, with nothing in its log; and what disturbs its camera, None for what usually does."""
    # Imported here: they need the web, which other benches do not.
    from companion.web import House, create_app
    from companion.web.rate_limiter import PinRateLimiter

    with tempfile.TemporaryDirectory() as folder:
        table = LiveSessions(SessionRepository(f"sqlite:///{folder}/companion.db", GAMES))
        settings = Settings(store=Kept(folder=str(Path(folder))))
        rig = open_rig(settings, table, virtual=True, time=time, disturbances=Disturbances(1, disturbing))
        session = table.begin(played.game, played.setup, Source.COMMAND)
        rig.watcher.follow(session.id)
        house = House(table, PinRateLimiter("2468"), b"s" * 32, watcher=rig.watcher)
        try:
            with _serving(create_app(house), table) as port, closing(Tablet(port)) as tablet:
                yield _House(table, rig, session, tablet.stream(f"/s/{session.id}/events"))
        finally:
            rig.close()
            table.close()


@contextmanager
def _serving(app: Any, table: LiveSessions) -> Iterator[int]:
    from waitress.server import create_server

    server: Any = create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = Thread(target=server.run, name="server", daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        table.news.close()
        server.task_dispatcher.shutdown()
        with suppress(OSError):  # awake for another reason, it may be gone before it is woken
            server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
        thread.join(PATIENCE_S)
