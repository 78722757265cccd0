"""Tables of Kingdomino on which something is not as it should be, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.core import notation
from companion.core.game import Player, Setup
from companion.core.lattice import Cell, offset
from companion.core.observation import Area, Doubt, Observation, Reading
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.layout import SIDE
from companion.games.kingdomino.sight.registration import LooseDomino, sort_out
from tests.games.kingdomino.sight.eyes import seen

GAME = Kingdomino()
NAMES = ("Ana", "Rui", "Bea", "Gil")
OPENING = ("line 3 17 24 41", "1 takes 3", "2 takes 17", "1 takes 24", "2 takes 41", "line 12 20 30 40")
FIRST = ("1 lays 3 at 1,0 E", "1 takes 20", "2 lays 17 at 1,0 E", "2 takes 30")
LATER = (*OPENING, *FIRST)
"""Ana has domino 24 next, one half forest with a crown and one half wheat, then Rui domino 41."""

Found = tuple[Observation, ...]


def table(players: int = 2, *options: str) -> Setup:
    named = zip(NAMES[:players], GAME.colours, strict=False)
    return Setup(tuple(Player(name, colour) for name, colour in named), frozenset(options))


class Table:
    """What the log says, and another table to be seen."""

    def __init__(self, *lines: str, setup: Setup | None = None, log: Position | None = None) -> None:
        self.setup = setup or table()
        self.log = log or self.after(*lines, start=GAME.start(self.setup))

    def after(self, *lines: str, start: Position | None = None) -> Position:
        position = start or self.log
        for line in lines:
            position = GAME.apply(position, GAME.parse(line))
        return position

    def shows(self, *lines: str) -> Found:
        """What is seen once these lines have happened, too."""
        return seen(self.setup, self.after(*lines))

    def lying(self, found: Iterable[Observation], player: int, *cells: Cell) -> list[Observation]:
        """What is seen in these cells of a kingdom."""
        known = [kingdom.squares for kingdom in self.log.kingdoms]
        squares = sort_out(self.setup, known, tuple(found)).kingdoms[player]
        assert squares is not None
        return [squares[cell] for cell in cells]

    def without(self, found: Found, player: int, *cells: Cell) -> Found:
        """The same with these cells of a kingdom empty."""
        gone = self.lying(found, player, *cells)
        return tuple(one for one in found if one not in gone)

    def unclear(self, found: Found, player: int, *cells: Cell, confidence: float = 0.3) -> Found:
        faint = self.lying(found, player, *cells)
        return tuple(replace(one, confidence=confidence) if one in faint else one for one in found)

    def taken(self, found: Found, number: int) -> Found:
        """The same without that domino of the line."""
        one = self.apart(found, number)
        return tuple(seen for seen in found if seen not in (one.left, one.right))

    def apart(self, found: Found, number: int) -> LooseDomino:
        """That domino of the line, the first that looks like it."""
        known = [kingdom.squares for kingdom in self.log.kingdoms]
        return next(one for one in sort_out(self.setup, known, found).apart if number in one.numbers)

    def king_on(self, found: Found, number: int) -> Observation:
        return self.apart(found, number).kings[0][1]

    def put(self, found: Found, number: int, player: int, column: float, row: float) -> Found:
        """The same with a domino there, its right half further down, counted from the castle as it lies."""
        colour = self.setup.players[player].colour
        castle = next(one for one in found if one.label == f"castle-{colour}")
        dx, dy = offset(column * SIDE, (row + 0.5) * SIDE, castle.angle)
        return (*found, *domino(number, castle.x + dx, castle.y + dy, castle.angle + 90))

    def read(self, found: Sequence[Observation], *unknown: Area) -> Reading:
        return GAME.sight.read(self.setup, self.log, found, unknown)


def proposed(reading: Reading) -> list[str]:
    return [notation.write_entry(GAME, proposal.event) for proposal in reading.proposals]


def disputed(reading: Reading) -> list[str]:
    return [str(found.text) for found in reading.contradictions]


def asked(reading: Reading) -> list[str]:
    return [str(doubt.question) for doubt in reading.doubts]


def answers(doubt: Doubt) -> list[tuple[str, tuple[str, ...]]]:
    """What each answer says, and what it records."""
    return [
        (str(choice.text or ""), tuple(notation.write_entry(GAME, event) for event in choice.events))
        for choice in doubt.choices
    ]


def domino(number: int, x: float, y: float, angle: float = 0) -> Found:
    """A domino lying by itself."""
    halves = zip(DOMINOES[number][1:], (-0.5, 0.5), strict=True)
    places = [(str(half), offset(way * SIDE, 0, angle)) for half, way in halves]
    return tuple(Observation(label, x + dx, y + dy, angle) for label, (dx, dy) in places)
