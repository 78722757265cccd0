"""A household that sets up its camera, keeps what was set in its folder, and can be started again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from calibration.mat import Mat
from companion.app import Rig
from companion.core.devices import CalibrationState
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.faults import Disturbances
from companion.virtual.scene import CUP, NAPKIN
from companion.virtual.table import VirtualTable
from tests.watch.night import GAME, TickingClock, rig_by

Line = tuple[tuple[float, float], ...]
FRAME = (1280, 720)


@dataclass
class Home:
    """A companion that can be started again, with what it keeps in its folder."""

    folder: Path
    on: tuple[str, ...] = ()
    seed: int = 1
    opened: list[tuple[Rig, LiveSessions]] = field(default_factory=list)

    def start(self) -> Home:
        self.close()
        table = LiveSessions(SessionRepository(f"sqlite:///{self.folder / 'companion.db'}", GAMES))
        self.opened.append(
            (rig_by(TickingClock(), table, Disturbances(self.seed, self.on), self.folder), table)
        )
        return self

    def close(self) -> None:
        while self.opened:
            rig, table = self.opened.pop()
            rig.close()
            table.close()

    @property
    def rig(self) -> Rig:
        return self.opened[0][0]

    @property
    def virtual(self) -> VirtualTable:
        assert self.rig.virtual is not None
        return self.rig.virtual

    @property
    def aim(self) -> CalibrationState:
        return self.rig.aimer.aim

    @property
    def file(self) -> Path:
        return self.folder / "virtual" / "camera.json"

    @property
    def told(self) -> str:
        return str(self.aim.told or "")

    def look(self, seconds: float = 0.2, attended: bool = True) -> CalibrationState:
        for _frame in range(round(seconds / 0.2)):
            if attended:
                self.rig.aimer.attend()
            self.rig.loop.step()
        return self.aim

    def corners(self, *places: tuple[float, float]) -> Line:
        """Where the camera sees those places of the table; the mat's own corners without any."""
        return tuple(self.virtual.camera.project(x, y) for x, y in places or Mat().corners)

    def show_corners(self, *places: tuple[float, float]) -> None:
        self.rig.aimer.set_corners(self.corners(*places), FRAME)
        self.look()

    def cover(self, *places: tuple[float, float]) -> None:
        """Put a napkin, then a cup, on these places."""
        for thing, (x, y) in zip((NAPKIN, CUP), places, strict=False):
            self.virtual.scene.add(thing.label, thing)
            self.virtual.scene.put(thing.label, x, y, 0)

    def play(self) -> None:
        """Watch a new game; nothing lies on the table yet."""
        table = self.opened[0][1]
        players = tuple(Player(name, colour) for name, colour in zip("AR", GAME.colours, strict=False))
        self.rig.watcher.follow(table.begin(GAME, Setup(players), Source.PAGE).id)
        for piece in self.virtual.lying:
            self.virtual.remove(piece.piece)
