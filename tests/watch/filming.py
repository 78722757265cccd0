"""Films of tables with our own drawings: what a script says lies there, picture by picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import cv2

from calibration.plane import Pixels
from companion.core.game import AnyGame, Player, Setup
from companion.games import GAMES
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.hand import HandPlanner
from companion.virtual.players import anything_legal, arrangement, faces_of, lay_at_once, set_table
from companion.virtual.scene import COVERS, Scene
from companion.virtual.table import VirtualTable


@dataclass(frozen=True)
class Script:
    """What happens in a film."""

    game: AnyGame
    lines: tuple[str, ...]
    """Events in the game's notation; each that shows brings a picture."""
    players: int = 2

    @property
    def setup(self) -> Setup:
        colours = list(self.game.colours)[: self.players]
        return Setup(tuple(Player(f"Player {number}", colour) for number, colour in enumerate(colours, 1)))


KINGDOMINO = Script(
    GAMES["kingdomino"],
    (
        *("line 15 21 24 44", "1 takes 24", "1 takes 44", "2 takes 21", "2 takes 15", "line 3 10 12 39"),
        *("2 lays 15 at 0,2 N", "2 takes 12"),
    ),
)
CARCASSONNE = Script(
    GAMES["carcassonne"],
    (
        *("1 lays J at 0,1 W", "1 places f0 at 0,1", "2 lays V at 0,2 W", "2 places none"),
        *("1 lays V at 0,3 S", "1 places f1 at 0,3", "2 lays H at -1,2 E", "2 places c1 at -1,2"),
    ),
)


def whole_game(game: AnyGame, players: int, seed: int) -> Script:
    """A game that plays itself to its end."""
    policy = anything_legal(Random(seed))
    position = game.start(Script(game, (), players).setup)
    lines: list[str] = []
    while (event := policy(game, position)) is not None:
        lines.append(game.write(event))
        position = game.apply(position, event)
    return Script(game, tuple(lines), players)


class FilmSet:
    """A virtual table and a camera that takes a picture when somebody says so."""

    def __init__(self, script: Script, disturbances: Sequence[str] = (), seed: int = 1) -> None:
        sight = script.game.sight
        assert sight
        self.script, self._sight = script, sight
        self.scene = Scene({**sight.pieces, **COVERS}, VirtualTable.width, VirtualTable.height)
        self._now = 0.0
        self.camera = VirtualCamera(
            self.scene, Disturbances(seed, disturbances), clock=lambda: self._now, sleep=self._sleep
        )
        self._position: Any = script.game.start(script.setup)
        self._fingers = HandPlanner(faces_of(sight), Random(seed))
        self._lies = arrangement(self.scene, sight, script.setup, self._position)
        set_table(self.scene, self._fingers, self._lies)

    def picture(self) -> Pixels:
        return self.camera.frame().pixels

    def happen(self, line: str) -> bool:
        """Do on the table what a line says; whether there is anything to see."""
        game = self.script.game
        self._position = game.apply(self._position, game.parse(line))
        before = self._lies
        self._lies = arrangement(self.scene, self._sight, self.script.setup, self._position)
        lay_at_once(self.scene, self._fingers, before, self._lies)
        return before != self._lies

    def _sleep(self, seconds: float) -> None:
        self._now += seconds


def filmed(script: Script, disturbances: Sequence[str] = ()) -> list[Pixels]:
    """A picture of the table as it is set out, and one after each line that shows."""
    table = FilmSet(script, disturbances)
    return [table.picture(), *(table.picture() for line in script.lines if table.happen(line))]


def kept(pixels: Sequence[Pixels], folder: Path) -> Path:
    """A folder of numbered pictures."""
    folder.mkdir(exist_ok=True)
    for number, one in enumerate(pixels, 1):
        cv2.imwrite(str(folder / f"{number:06d}.jpg"), one, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return folder
