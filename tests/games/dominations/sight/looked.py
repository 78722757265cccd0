"""Boards of Dominations laid tile by tile before the virtual camera, and what the game makes of every one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from calibration.mat import Mat
from companion.core.game import Player, Setup
from companion.core.observation import Face, Observation, Reading, shifted
from companion.games import GAMES
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.events import TerritoryLaid as LaidEvent
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.sight import faces
from companion.virtual.camera import SIZE, VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene
from companion.vision.gallery.drawn import DrawnFace
from companion.vision.live.eye import Eye
from companion.vision.live.triangles import TriangleReader
from tests.games.dominations.sight.laid import Laid, Laying, any_tile, middle

GAME = GAMES["dominations"]
QUIET = tuple("perspective lens gradient colour shadows screens blur noise jpeg".split())
"""All that disturbs on most tables, but for hands."""
MAT = Mat()
SPREAD = 0.023
"""By how much the inks of one print differ from those of another: five percent of the light they give back."""
FRAMES = 12
"""Pictures after which a table that is still has been read."""
SETUP = Setup(tuple(Player(name, colour) for name, colour in zip(("Ana", "Rui"), GAME.colours, strict=False)))


class Clock:
    """A clock that only a camera moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def reader() -> TriangleReader:
    tinted = faces.tinted_territories()
    parts = (DrawnFace(face, rasterize(face, 4)) for face in (tinted.blank, tinted.centre, tinted.card))
    return TriangleReader(tinted, *parts)


def printed(tile: Tile, random: Random) -> Face:
    """A territory out of a print in which no ink is quite as it should be."""

    def another(found: re.Match[str]) -> str:
        values = (int(found[0][n : n + 2], 16) for n in (1, 3, 5))
        return "#" + "".join(f"{min(255, max(0, round(v * random.gauss(1, SPREAD)))):02x}" for v in values)

    face = faces.territory_face(faces.canonical_tile(tile))
    return replace(face, drawing=re.sub("#[0-9a-f]{6}", another, face.drawing))


@dataclass
class Looked:
    """A table with a camera above it."""

    seed: int
    laying: Laying
    lamp: str
    tilt: float = 0.0
    disturbed: tuple[str, ...] = QUIET
    size: tuple[int, int] = SIZE
    scene: Scene = field(default_factory=lambda: Scene({}, MAT.width, MAT.height))

    def __post_init__(self) -> None:
        clock = Clock()
        self.random = Random(self.seed)
        chosen = Disturbances(self.seed, self.disturbed)
        self.camera = VirtualCamera(self.scene, chosen, size=self.size, clock=clock, sleep=clock.sleep)
        self.camera.lamp = self.lamp
        self.eye = Eye([], MAT, 0.3, self.camera.ignore, reader=reader())
        self.eye.learn_empty(self.camera.frame())
        self.laid = Laid(self.random, self.laying, (800, 430, self.tilt))
        self.put("cradle", faces.cradle_face(), *self.laid.cradle)
        self.put("colours", faces.colour_card_face(), 330, 90, self.random.uniform(-5, 5))

    def put(self, piece: str, face: Face, x: float, y: float, angle: float) -> None:
        self.scene.add(piece, face)
        self.scene.put(piece, x, y, angle)

    def lay(self, cell: Cell, tile: Tile, face: Face | None = None) -> str:
        """Lay a territory; the answer is the name of the piece."""
        lying = self.laid.lay(cell, tile)
        name = f"{lying.piece}"
        one = face or printed(tile, self.random)
        self.put(name, replace(one, label=name), lying.x, lying.y, lying.angle)
        return name

    def seen(self) -> tuple[Observation, ...]:
        """What the eye sees once the table is still, counted from its middle."""
        found: tuple[Observation, ...] = ()
        for _n in range(FRAMES):
            glance = self.eye.look(self.camera.frame())
            if glance.seen is not None and glance.stages[-1][0] == "settle":
                found = glance.seen
                break
            found = glance.seen or found
        return tuple(shifted(one, -MAT.width / 2, -MAT.height / 2) for one in found)

    def read(self, position: Any) -> Reading:
        sight = GAME.sight
        assert sight
        return sight.read(SETUP, position, self.seen())


@dataclass
class Counts:
    """What came of so many territories."""

    tiles: int = 0
    right: int = 0
    """Proposed as they are."""
    asked: int = 0
    """Asked about, in the right place."""
    answered: int = 0
    """Of these, the right territory was among the answers."""
    missed: int = 0
    """Neither proposed nor asked about."""
    wrong: int = 0
    """Proposed wrongly: people see it on the picture and put it right."""
    elsewhere: int = 0
    """Proposed or asked about in another place than where they lie."""
    odd: int = 0
    """Looks in which table and log disagreed although they did not."""
    colours: int = 0
    colours_right: int = 0
    colours_unsure: int = 0
    colours_wrong: int = 0
    """Believed, and wrong."""

    def add(self, other: Counts) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def __str__(self) -> str:
        return ", ".join(f"{one.name} {getattr(self, one.name)}" for one in fields(self))


def play(seed: int, laying: Laying, lamp: str, tiles: int, size: tuple[int, int] = SIZE) -> Counts:
    """Lay a board, each territory read before the next one; people record what really lies there."""
    table = Looked(seed, laying, lamp, tilt=Random(seed + 1).uniform(-20, 20), size=size)
    counts, position = Counts(), GAME.start(SETUP)
    for _n in range(tiles):
        cells = [cell for cell in table.laid.free() if abs(middle(cell)[0]) < 6 and abs(middle(cell)[1]) < 4]
        cell, tile = table.random.choice(cells), any_tile(table.random)
        table.lay(cell, tile)
        judge(counts, table.read(position), cell, tile)
        position = replace(position, board=position.board.laid(cell, tile))
    return counts


def judge(counts: Counts, reading: Reading, cell: Cell, tile: Tile) -> None:
    """Compare one reading with the truth."""
    counts.tiles += 1
    counts.odd += bool(reading.contradictions)
    proposed = [one.event for one in reading.proposals if isinstance(one.event, LaidEvent)]
    offered = [
        event
        for doubt in reading.doubts
        for choice in doubt.choices
        for event in choice.events
        if isinstance(event, LaidEvent)
    ]
    marks = (
        [*reading.proposals[-1].marks] if proposed else [*reading.doubts[0].marks] if reading.doubts else []
    )
    told = f"{tile.field}{tile.dots}"
    for mark, letter in zip(marks, told, strict=False):
        counts.colours += 1
        counts.colours_unsure += mark.unsure
        counts.colours_right += not mark.unsure and mark.letter == letter
        counts.colours_wrong += not mark.unsure and mark.letter != letter
    if any(event.cell != cell for event in (*proposed, *offered)):
        counts.elsewhere += 1
    elif proposed:
        counts.right += proposed[0].tile == tile
        counts.wrong += proposed[0].tile != tile
    elif reading.doubts:
        counts.asked += 1
        counts.answered += any(event.tile == tile for event in offered)
    else:
        counts.missed += 1
