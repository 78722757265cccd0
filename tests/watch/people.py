"""People at the virtual table in the middle of a game: what they lay, what goes wrong, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.core import notation
from companion.core.errors import CameraError
from companion.core.observation import PlacedPiece
from companion.virtual.faults import DISTURBANCES
from companion.virtual.hand import HandPlanner
from companion.virtual.players import arrangement, faces_of, lay_at_once, set_table
from companion.watch.loop import AGAIN_S
from companion.watch.state import Status
from tests.watch.night import GAME, Night

OPENING = ("line 3 17 24 41", "1 takes 3", "2 takes 17", "1 takes 24", "2 takes 41", "line 12 20 30 40")
FIRST = ("1 lays 3 at 1,0 E", "1 takes 20", "2 lays 17 at 1,0 E", "2 takes 30")
BEFORE = (*OPENING, *FIRST)
"""What has happened when a test begins; Ana has domino 24 next, then Rui domino 41."""
ANA = ("1 lays 24 at 0,1 S", "1 takes 40")
RUI = ("2 lays 41 at 0,1 S", "2 takes 12")
LINE = "line 7 8 9 15"
LONG_S = 30.0


@dataclass(frozen=True)
class Shown:
    """What the page has to show."""

    status: Status
    said: str = ""
    """What is wrong; what the game waits for is told by the tests of the game."""
    proposed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    disagree: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()


class People(Night):
    """Two people, with all that usually disturbs a camera; time passes only while they wait."""

    def __init__(self, folder: Path, before: Sequence[str] = BEFORE, seed: int = 1) -> None:
        super().__init__(folder, 2, seed, disturbed=False)
        for one in DISTURBANCES:
            self.virtual.switch(one.key, one.usual)
        self.tap(*before)
        sight = GAME.sight
        assert sight
        self._sight, self._fingers = sight, HandPlanner(faces_of(sight), Random(seed))
        self._lies = self._arranged(())
        set_table(self.scene, self._fingers, self._lies)
        self.until(lambda: self.watch.status is Status.WATCHING)

    @property
    def shown(self) -> Shown:
        watch = self.watch
        reading = watch.reading
        return Shown(
            watch.status,
            "" if watch.said in (None, reading.waiting) else str(watch.said),
            tuple(GAME.write(proposal.event) for proposal in reading.proposals),
            tuple(str(doubt.question) for doubt in reading.doubts),
            tuple(str(found.text) for found in reading.contradictions),
            tuple(way.key for way in watch.ways),
        )

    @property
    def did(self) -> str:
        """What was told, without naming the deeds."""
        return self.told.partition(":")[0]

    @property
    def lines(self) -> tuple[str, ...]:
        """What was recorded since the test began."""
        return tuple(
            notation.write_entry(GAME, entry.event) for entry in self.session.entries[1 + len(BEFORE) :]
        )

    # -- what they do -------------------------------------------------------------------------------------------

    def lay(self, *lines: str) -> None:
        """Do on the table what the log does not know yet."""
        before, self._lies = self._lies, self._arranged(lines)
        lay_at_once(self.scene, self._fingers, before, self._lies)

    def push(self, seat: int | None) -> None:
        self.virtual.push(seat)
        self.wait(0.6)

    def take(self, way: str) -> None:
        self.rig.watcher.take(self.watch.version, way)

    def move(self, piece: str, x: float = 0, y: float = 0, turn: float = 0) -> None:
        """Move a piece by so much."""
        at = self.find(piece)
        self.scene.put(piece, at.x + x, at.y + y, at.angle + turn)

    def put_back(self, at: PlacedPiece) -> None:
        self.scene.put(at.piece, at.x, at.y, at.angle)

    # -- time ---------------------------------------------------------------------------------------------------

    def step(self) -> None:
        try:
            super().step()
        except CameraError:
            self.clock.sleep(AGAIN_S)

    def look(self, seconds: float = 3.0) -> Shown:
        """What is shown after a while; hands that pass by are waited for."""
        self.wait(seconds)
        self.until(lambda: self.watch.status is not Status.MOVING)
        return self.shown

    def until(self, happened: Callable[[], bool]) -> None:
        limit = self.clock.now + LONG_S
        while not happened():
            assert self.clock.now < limit, self.shown
            self.step()

    def _arranged(self, lines: Sequence[str]) -> Sequence[PlacedPiece]:
        position = self.session.position
        for line in lines:
            position = GAME.apply(position, GAME.parse(line))
        return arrangement(self.scene, self._sight, self.session.setup, position)
