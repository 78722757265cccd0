"""An evening at a watched table: a real log, a real watcher, and an eye that is told what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.mat import Mat
from calibration.plane import Plane
from companion.core.devices import Lamps
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.observation import Area, Observation
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.live.eye import FrameReading
from companion.watch.state import WatchState
from companion.watch.watcher import TableWatcher
from hardware.camera import Frame
from tests.games.kingdomino.sight.eyes import seen

GAME = GAMES["kingdomino"]
NAMES = ("Ana", "Rui", "Bea", "Gil")
LINE = "line 3 17 24 41"
OPENING = (LINE, "1 takes 3", "2 takes 17", "1 takes 24", "2 takes 41", "line 1 20 30 40")
"""Before Ana lays domino 3, and Rui domino 17."""
FRAME_S = 0.2
PIXELS = np.zeros((90, 160, 3), np.uint8)
PLANE = Plane(np.eye(3), Mat(160, 90))


class Evening:
    """Two or more people, a session in a file, and a watcher whose clock moves with every frame."""

    def __init__(self, folder: Path, players: int = 2, alone: bool = False) -> None:
        self.table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
        self.lamps: list[Lamps] = []
        self.watcher = TableWatcher(self.table, "an eye", self.lamps.append, alone)
        named = zip(NAMES[:players], GAME.colours, strict=False)
        setup = Setup(tuple(Player(name, colour) for name, colour in named))
        self.id = self.table.begin(GAME, setup, Source.PAGE).id
        self.watcher.follow(self.id)
        self.time = 0.0

    def close(self) -> None:
        self.table.close()

    def restarted(self, folder: Path) -> Evening:
        """The same evening after the companion was killed."""
        self.close()
        again = Evening(folder)
        again.id = self.id
        again.watcher.follow(self.id)
        return again

    @property
    def session(self) -> Session:
        return self.table.session(self.id)

    @property
    def watch(self) -> WatchState:
        return self.watcher.watch

    @property
    def said(self) -> str:
        return str(self.watch.said or "")

    @property
    def announced(self) -> str:
        return str(self.watch.announcement.text) if self.watch.announcement else ""

    @property
    def lines(self) -> list[str]:
        """The log after its first entry, in notation."""
        from companion.core import notation

        return [notation.write_entry(GAME, entry.event) for entry in self.session.entries[1:]]

    @property
    def proposed(self) -> list[str]:
        return [GAME.write(proposal.event) for proposal in self.watch.reading.proposals]

    def tap(self, *lines: str) -> None:
        """Record lines by hand, as on the page."""
        for line in lines:
            self.table.record(self.id, self.session.seq, line, Source.PAGE)

    def after(self, *lines: str) -> tuple[Observation, ...]:
        """What lies on the table once these lines have happened."""
        position = self.session.position
        for line in lines:
            position = GAME.apply(position, GAME.parse(line))
        return seen(self.session.setup, position)

    def look(
        self,
        observations: Sequence[Observation] | None,
        seconds: float = FRAME_S,
        unknown: Sequence[Area] = (),
    ) -> None:
        """Frame after frame of the same still table, or of one where something moves."""
        for _frame in range(max(1, round(seconds / FRAME_S))):
            self.time += FRAME_S
            self.watcher.absorb(self.glance(observations, unknown), {})

    def glance(
        self, observations: Sequence[Observation] | None, unknown: Sequence[Area] = ()
    ) -> FrameReading:
        still = observations is not None
        return FrameReading(
            frame=Frame(PIXELS, self.time),
            plane=PLANE,
            still=still,
            hand=not still,
            moved=0.0,
            markers=frozenset(range(4)),
            seen=tuple(observations) if observations is not None else None,
            unknown=tuple(unknown),
            stages=(("rectify", 1.0),),
        )

    def counted(self, sure: int, strange: int, piece_px: float) -> FrameReading:
        """A still table of which the eye tells so many pieces apart, and so many not."""
        return replace(self.glance(()), sure=sure, strange=strange, piece_px=piece_px)

    def blind(self, markers: int) -> None:
        self.time += FRAME_S
        nothing = replace(self.glance(None), plane=None, markers=frozenset(range(markers)))
        self.watcher.absorb(nothing, {})
