"""Tables to look at: a whole Kingdomino evening from a seed, a camera above it, and what should have been seen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import cos, hypot, radians, sin

from calibration.mat import Mat
from companion.core.observation import Observation, PlacedPiece
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.sight.layout import SIDE, KingdominoSight
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene
from companion.vision.gallery.known import DrawnFace, KnownPieces, known_pieces
from companion.vision.live.eye import Eye, FrameReading

MAT = Mat()
SIGHT = KingdominoSight()
QUIET = tuple("perspective lens gradient colour shadows screens blur noise jpeg".split())
"""All that disturbs on most tables, but for hands."""
STANDING = ("king", "follower", "farmer")
"""What stands on other pieces, by the first word of its label."""
COLOURS = ("pink", "yellow", "green", "blue")
SEATS = ((300, 260), (1300, 260), (1300, 640), (300, 640))
NEXT = ((1, 0), (0, 1), (-1, 0), (0, -1))
PITCH = SIDE + 0.9
STILL_S = 0.5
BOX = SIGHT.pieces


@cache
def pieces_known() -> KnownPieces:
    """The pieces of Kingdomino as the app hands them to the eye."""
    return known_pieces(DrawnFace(face, rasterize(face, 3)) for face in SIGHT.faces)


class Clock:
    """A clock that only a camera moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Table:
    """A scene, and where every face on it really lies."""

    scene: Scene = field(default_factory=lambda: Scene(BOX, MAT.width, MAT.height))
    truth: dict[str, tuple[PlacedPiece, ...]] = field(default_factory=dict)

    def put(self, piece: str, x: float, y: float, angle: float = 0) -> None:
        """Lay a piece of the box down."""
        self.scene.put(piece, x, y, angle)
        if not piece.startswith("domino"):
            self.truth[piece] = (PlacedPiece(piece, self.scene.snapshot.find(piece).face, x, y, angle),)  # type: ignore[union-attr]  # it was just laid
            return
        domino, c, s = DOMINOES[int(piece.removeprefix("domino-"))], cos(radians(angle)), sin(radians(angle))
        halves = ((domino.left, -SIDE / 2), (domino.right, SIDE / 2))
        self.truth[piece] = tuple(
            PlacedPiece(piece, str(half), x + d * c, y + d * s, angle) for half, d in halves
        )

    def remove(self, piece: str) -> None:
        self.scene.remove(piece)
        del self.truth[piece]

    def kingdom(self, choose: random.Random, seat: int, dominoes: Sequence[int]) -> None:
        """Lay a castle and dominoes around it, as crooked as hands do."""
        middle = SEATS[seat][0] + choose.uniform(-20, 20), SEATS[seat][1] + choose.uniform(-10, 10)
        lean = choose.choice((0, 90, 180, 270)) + choose.uniform(-5, 5)
        self.put(f"castle-{COLOURS[seat]}", *middle, (lean + choose.choice((0, 90, 180, 270))) % 360)
        taken = {(0, 0)}
        for number in dominoes:
            places = sorted(_places(taken))
            if not places:
                return
            (ax, ay), (bx, by) = choose.choice(places)
            taken |= {(ax, ay), (bx, by)}
            x, y = ((a + b) / 2 * PITCH + choose.uniform(-0.8, 0.8) for a, b in ((ax, bx), (ay, by)))
            c, s = cos(radians(lean)), sin(radians(lean))
            turn = 90 * NEXT.index((bx - ax, by - ay)) + choose.uniform(-2, 2)
            self.put(
                f"domino-{number}", middle[0] + x * c - y * s, middle[1] + x * s + y * c, (lean + turn) % 360
            )

    def lines(self, choose: random.Random, dominoes: Iterable[int]) -> None:
        """Lay two lines of dominoes, most of them with a king on it."""
        for index, number in enumerate(dominoes):
            x = (725 if index < 4 else 875) + choose.uniform(-4, 4)
            y = 450 + (index % 4 - 1.5) * 75 + choose.uniform(-3, 3)
            self.put(f"domino-{number}", x, y, choose.uniform(-4, 4) % 360)
            if choose.random() < 0.7:
                king = f"king-{COLOURS[index % 4]}-{1 + index // 4}"
                self.put(king, x + choose.uniform(-12, 12), y + choose.uniform(-6, 6), choose.uniform(0, 360))

    @property
    def lying(self) -> tuple[PlacedPiece, ...]:
        return tuple(lying for face in self.truth.values() for lying in face)


def _places(taken: set[tuple[int, int]]) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Where another domino could lie beside the others, within five by five squares."""
    beside = {(x + dx, y + dy) for x, y in taken for dx, dy in NEXT} - taken
    pairs = {((x, y), (x + dx, y + dy)) for x, y in beside for dx, dy in NEXT} - {
        (a, b) for a in taken for b in taken
    }
    return {
        (a, b)
        for a, b in pairs
        if b not in taken and all(max(side) - min(side) < 5 for side in zip(*taken, a, b, strict=True))
    }


def full_table(seed: int, dominoes: int = 10, lines: int = 8) -> Table:
    """Four kingdoms of so many dominoes each, and two lines between them."""
    choose, table = random.Random(seed), Table()
    numbers = sorted(DOMINOES)
    choose.shuffle(numbers)
    for seat in range(4):
        table.kingdom(choose, seat, numbers[seat * dominoes : (seat + 1) * dominoes])
    table.lines(choose, sorted(numbers[4 * dominoes : 4 * dominoes + lines]))
    return table


class Looking:
    """An eye that looks at a table through a camera."""

    def __init__(
        self,
        table: Table,
        seed: int = 0,
        on: Iterable[str] = QUIET,
        size: tuple[int, int] = (1280, 720),
        known: KnownPieces | None = None,
    ) -> None:
        self.clock, self.scene = Clock(), table.scene
        self.disturbances = Disturbances(seed, on)
        self.camera = VirtualCamera(
            table.scene, self.disturbances, mat=MAT, size=size, clock=self.clock, sleep=self.clock.sleep
        )
        self.eye = Eye(known or pieces_known(), MAT, STILL_S, self.camera.ignore)

    def look(self) -> FrameReading:
        return self.eye.look(self.camera.frame())

    def glances(self, count: int) -> list[FrameReading]:
        return [self.look() for _ in range(count)]

    def settled(self, frames: int = 60) -> FrameReading:
        """The first glance that shows what lies on the table."""
        return next(glance for glance in (self.look() for _ in range(frames)) if glance.seen is not None)


@dataclass(frozen=True)
class Outcome:
    """What was seen, beside what lies there."""

    found: tuple[tuple[PlacedPiece, Observation], ...]
    missed: tuple[PlacedPiece, ...]
    false: tuple[Observation, ...]

    @property
    def wrong(self) -> list[tuple[str, str]]:
        """Sure and wrong: the worst that can happen."""
        wrong = [
            (lying.face, seen.label)
            for lying, seen in self.found
            if lying.face != seen.label and seen.confidence > 0.5
        ]
        return wrong + [("", seen.label) for seen in self.false if seen.confidence > 0.5]

    @property
    def off(self) -> list[float]:
        """By how many millimetres pieces that lie flat were seen beside their places."""
        return [hypot(s.x - p.x, s.y - p.y) for p, s in self.found if not p.face.startswith(STANDING)]

    @property
    def turned(self) -> list[float]:
        """By how many degrees."""
        return [abs((s.angle - p.angle + 180) % 360 - 180) for p, s in self.found if p.face == s.label]


def compare(table: Table, seen: Sequence[Observation]) -> Outcome:
    """Match what was seen with what lies there."""
    left, found, missed = list(seen), [], []
    for lying in table.lying:
        stands = lying.face.startswith(STANDING)
        near = [
            one
            for one in left
            if one.label.startswith(STANDING) == stands and hypot(one.x - lying.x, one.y - lying.y) < 15
        ]
        if not near:
            missed.append(lying)
            continue
        nearest = min(near, key=lambda one: hypot(one.x - lying.x, one.y - lying.y))
        left.remove(nearest)
        found.append((lying, nearest))
    return Outcome(tuple(found), tuple(missed), tuple(left))


def labels(seen: Iterable[Observation] | None) -> list[str]:
    return sorted(one.label for one in seen or ())
