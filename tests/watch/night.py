"""A whole rig on the virtual table, by a clock of its own; everything from pixels to the log is the real thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop
from pathlib import Path
from random import Random
from typing import Any

from companion.app import Clock, Rig, open_rig
from companion.core.game import AnyGame, Player, Setup
from companion.core.log import Source
from companion.core.observation import PlacedPiece
from companion.core.session import Session
from companion.games import GAMES
from companion.household.settings import CameraSettings, Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.art import Art
from companion.virtual.camera import SIZE
from companion.virtual.demonstration import answer_questions, correct_log
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.virtual.players import PlayerInterface, Policy, anything_legal
from companion.watch.state import WatchState
from tests.hardware.clockwork import Clock as StandingClock

GAME = GAMES["kingdomino"]
NAMES = ("Ana", "Rui", "Bea", "Gil", "Eva")
TICK_S = 0.03
"""How often a panel looks after its contacts."""


FRAME_S = 0.4
"""Between two frames: half as often as in a living room, so that a test is over twice as soon."""


class TickingClock(StandingClock):
    """Time passes only when somebody sleeps; meanwhile fingers move and the panel looks after its contacts."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.tick: Callable[[float], object] = lambda _now: None

    def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + TICK_S, max(self._due, self.now))
            while self._todo and self._todo[0][0] <= self.now:
                heappop(self._todo)[2]()
            self.tick(self.now)


def rig_by(
    clock: TickingClock,
    table: LiveSessions,
    disturbances: Disturbances | None = None,
    folder: Path | None = None,
    size: tuple[int, int] = SIZE,
    art: Art | None = None,
) -> Rig:
    """A rig on the virtual table for which time passes only while its camera waits."""
    camera = CameraSettings(source="virtual", width=size[0], height=size[1])
    settings = Settings(store=Kept(folder=str(folder) if folder else ""), camera=camera)
    time = Clock(clock, clock.sleep, clock.later, threaded=False, pace=FRAME_S)
    rig = open_rig(settings, table, virtual=True, time=time, disturbances=disturbances, art=art)
    assert rig.panel is not None
    clock.tick = rig.panel.tick
    return rig


class Night:
    """People who play on the virtual table, and everything that watches them."""

    def __init__(
        self,
        folder: Path,
        players: int,
        seed: int,
        options: Iterable[str] = (),
        disturbed: bool = True,
        policy: Policy | None = None,
        game: AnyGame = GAME,
        truth: list[object] | None = None,
        size: tuple[int, int] = SIZE,
        art: Art | None = None,
    ) -> None:
        self.clock = TickingClock()
        self.table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
        named = zip(NAMES[:players], game.colours, strict=False)
        setup = Setup(tuple(Player(name, colour) for name, colour in named), frozenset(options))
        self.id = self.table.begin(game, setup, Source.COMMAND).id
        chosen = Disturbances(seed, [one.key for one in DISTURBANCES] if disturbed else ())
        self.rig = rig_by(self.clock, self.table, chosen, folder, size, art)
        self.by_hand = self.doubts = self.frames = self.wrong = 0
        self.truth: list[object] = [] if truth is None else truth
        """What really happens, as the people at the table make it up."""
        self._asked: set[object] = set()
        self._compared = 0
        self.rig.watcher.follow(self.id)
        assert self.rig.virtual is not None
        self.virtual, self.scene = self.rig.virtual, self.rig.virtual.scene
        self.virtual.companion = PlayerInterface(
            lambda: self.session, self.virtual.push, self._put_right, self._answer
        )
        self.virtual.policy = policy or self._anything(Random(seed))

    @property
    def session(self) -> Session:
        return self.table.session(self.id)

    @property
    def watch(self) -> WatchState:
        return self.rig.watcher.watch

    @property
    def told(self) -> str:
        """What was announced last."""
        return str(self.watch.announcement.text) if self.watch.announcement else ""

    def find(self, piece: str) -> PlacedPiece:
        found = self.scene.snapshot.find(piece)
        assert found, f"{piece} is not on the table"
        return found

    def tap(self, *lines: str) -> None:
        """Record by hand, as on the page."""
        for line in lines:
            self.table.record(self.id, self.session.seq, line, Source.PAGE)

    def play(self, most_s: float = 7200.0) -> None:
        """Until the hand has nothing more to do."""
        self.virtual.play(True)
        while self.virtual.playing and self.clock.now < most_s and not self.session.turn.over:
            self.step()

    def step(self) -> None:
        """One frame, and what the hand does meanwhile."""
        self.rig.loop.step()
        self.virtual.step(self.clock.now)
        self.frames += 1
        self._compare()

    def wait(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.step()

    def close(self) -> None:
        self.rig.close()
        self.table.close()

    def _anything(self, random: Random) -> Policy:
        """What the box gives, and any legal move; the script it makes up is the truth to compare the log with."""
        policy = anything_legal(random)

        def choose(game: AnyGame, position: Any) -> object | None:
            if (event := policy(game, position)) is not None:
                self.truth.append(event)
            return event

        return choose

    def _compare(self) -> None:
        """Count what a push of a button has recorded though it never happened, before anybody puts it right."""
        session = self.session
        pushed = {entry.seq for entry in session.entries[self._compared :] if entry.source is Source.BUTTON}
        self._compared = len(session.entries)
        if pushed:
            self.wrong += sum(
                step.seq in pushed and step.event != truth
                for step, truth in zip(session.fold.steps, self.truth, strict=False)
            )

    def _put_right(self, truth: Any) -> None:
        self.by_hand += 1
        correct_log(self.table, self.session, truth, Source.PAGE)

    def _answer(self, truth: Any) -> None:
        doubts = self.watch.reading.doubts
        if doubts and (mark := (self.session.seq, str(doubts[0].question))) not in self._asked:
            self._asked.add(mark)
            self.doubts += 1
        answer_questions(self.rig.watcher, truth)
