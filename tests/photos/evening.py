"""A whole table at the end of a game by the rules: all kingdoms, and dominoes beside them, from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.core.game import Colour, Player, Setup
from companion.games import GAMES
from companion.games.kingdomino.rules.kingdom import Cell, Kingdom
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.rules.position import Position
from companion.virtual.players import arrangement
from tests.vision.live.tables import SIGHT, Table
from tests.vision.photo.kingdoms import shown_squares

COLOURS = (Colour.PINK, Colour.YELLOW, Colour.GREEN, Colour.BLUE)
GAME = GAMES["kingdomino"]


def evening(players: int, seed: int, entries: int = 1000) -> tuple[Table, Position]:
    """A table after so many entries of a game at random, or after all of it."""
    setup = Setup(tuple(Player(str(colour), colour) for colour in COLOURS[:players]))
    choose, position = Random(seed), GAME.start(setup)
    for _entry in range(entries):
        if GAME.turn(position).over:
            break
        event = GAME.draw(position, choose.getrandbits(64)) or choose.choice(list(GAME.legal(position)))
        position = GAME.apply(position, event)
    table = Table()
    for lying in arrangement(table.scene, SIGHT, setup, position):
        table.scene.put(lying.piece, lying.x, lying.y, lying.angle)
    return table, position


def turned(squares: Mapping[Cell, Square], quarters: int) -> Mapping[Cell, Square]:
    """Squares turned clockwise, their upper left place 0, 0."""
    for _quarter in range(quarters):
        squares = {(-y, x): square for (x, y), square in squares.items()}
    left, top = (min(cell[axis] for cell in squares) for axis in (0, 1))
    return {(x - left, y - top): square for (x, y), square in squares.items()}


def differing(kingdom: Kingdom, squares: Mapping[Cell, Square]) -> int:
    """Squares that differ, by the turn in which fewest do."""
    truth = shown_squares(kingdom)
    return min(
        sum(there.get(cell) != truth.get(cell) for cell in {*there, *truth})
        for there in (turned(squares, quarters) for quarters in range(4))
    )
