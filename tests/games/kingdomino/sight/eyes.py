"""An eye that sees well: what a camera would say of a table laid as people lay it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from companion.core.game import Setup
from companion.core.lattice import offset
from companion.core.observation import Observation, PlacedPiece
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.layout import SIDE

MIDDLE = (800.0, 450.0)


def seen(setup: Setup, position: Position, seed: int = 0) -> tuple[Observation, ...]:
    """Everything at that position, each piece a little out of place and out of line."""
    random = Random(seed)
    lying = Kingdomino().sight.arrange(setup, position)
    found = [one for piece in lying for one in see(piece, random)]
    random.shuffle(found)
    return tuple(found)


def see(piece: PlacedPiece, random: Random) -> Iterator[Observation]:
    x, y = piece.x + MIDDLE[0] + random.gauss(0, 0.8), piece.y + MIDDLE[1] + random.gauss(0, 0.8)
    angle = piece.angle + random.gauss(0, 1.0)
    if not piece.piece.startswith("domino"):
        yield Observation(piece.face, x, y, angle)
        return
    halves = DOMINOES[int(piece.piece.removeprefix("domino-"))]
    for half, way in ((halves.left, -0.5), (halves.right, 0.5)):
        dx, dy = offset(way * SIDE, 0, angle)
        yield Observation(str(half), x + dx, y + dy, angle)


def without(found: Sequence[Observation], *labels: str) -> tuple[Observation, ...]:
    return tuple(one for one in found if one.label not in labels)
