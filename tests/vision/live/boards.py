"""Boards of Carcassonne to look at: laid as hands lay them, with followers standing and lying on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from calibration.mat import Mat
from companion.core.game import Player, Setup
from companion.games import GAMES
from companion.games.carcassonne.rules.events import FollowerPlaced, TileLaid
from companion.virtual.hand import HandPlanner
from companion.virtual.players import arrangement, faces_of, set_table
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene
from companion.vision.gallery.known import DrawnFace, KnownPieces, known_pieces
from models.registry import network_of
from tests.vision.live.tables import Table

GAME = GAMES["carcassonne"]
PLACING = 0.75
"""How often a follower is placed where it can be."""
COMPACT = 6
"""So many of the places nearest to the middle are chosen from."""


@cache
def tiles_known() -> KnownPieces:
    """The pieces of Carcassonne as the app hands them to the eye."""
    assert GAME.sight
    drawn = (DrawnFace(face, rasterize(face, 3)) for face in GAME.sight.faces)
    return known_pieces(drawn, network=network_of(GAME.key))


def board(seed: int, tiles: int = 45) -> Table:
    """A board of five players, as large as that."""
    random = Random(seed)
    setup = Setup(tuple(map(Player, "ABCDE", GAME.colours)))
    position: Any = GAME.start(setup)
    while len(position.board.tiles) < tiles and not GAME.turn(position).over:
        position = GAME.apply(position, _next(position, random))
    return _laid(setup, position, random)


def beside_the_first(letter: str, part: str) -> Table:
    """One tile in the first way it fits, with a follower on that part of it."""
    setup = Setup(tuple(map(Player, "AB", GAME.colours)))
    position: Any = GAME.start(setup)
    way = next(iter(position.board.placements(letter)))
    for event in (TileLaid(0, way), FollowerPlaced(0, (*way.cell, part))):
        position = GAME.apply(position, event)
    return _laid(setup, position, Random(1))


def _laid(setup: Setup, position: Any, random: Random) -> Table:
    """As hands lay it."""
    assert GAME.sight
    mat = Mat()
    scene = Scene(GAME.sight.pieces, mat.width, mat.height)
    fingers = HandPlanner(faces_of(GAME.sight), random)
    set_table(scene, fingers, arrangement(scene, GAME.sight, setup, position))
    return Table(scene, {one.piece: (one,) for one in scene.snapshot.lying})


def _next(position: Any, random: Random) -> object:
    choices: Sequence[Any] = GAME.legal(position)
    if not choices:
        return GAME.draw(position, random.getrandbits(40))
    if isinstance(choices[0], TileLaid):
        near = sorted(choices, key=lambda event: max(abs(event.placement.x) * 0.6, abs(event.placement.y)))
        return random.choice(near[:COMPACT])
    placing = [event for event in choices if isinstance(event, FollowerPlaced)]
    return random.choice(placing) if placing and random.random() < PLACING else choices[-1]
