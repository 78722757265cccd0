"""How Kingdomino looks from above: its squares, castles and kings, and where they lie on a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.game import INKS, Colour, Setup
from companion.core.lattice import offset
from companion.core.observation import Area, Face, Observation, PlacedPiece, Reading
from companion.games.kingdomino.rules.kingdom import Direction, Placement
from companion.games.kingdomino.rules.pieces import DOMINOES, SQUARES, Square
from companion.games.kingdomino.rules.position import Line, Phase, Position

if TYPE_CHECKING:
    from companion.games.kingdomino.sight.photographed import KingdominoPhotos

SIDE = 40.0
"""Of a square, in millimetres."""
KING = 26.0
KINGS = (1, 2)
"""Those of each colour: two players have both of theirs on the table."""
COLOURS = (Colour.PINK, Colour.YELLOW, Colour.GREEN, Colour.BLUE)

TURNS: Mapping[Direction, int] = {
    Direction.EAST: 0,
    Direction.SOUTH: 90,
    Direction.WEST: 180,
    Direction.NORTH: 270,
}
"""How far a domino is turned, by where its right half lies."""

_SEATS: Mapping[int, Sequence[tuple[float, float, float]]] = {
    2: ((-500, 0, 90), (500, 0, 270)),
    3: ((-520, -210, 180), (520, -210, 180), (520, 210, 0)),
    4: ((-520, -210, 180), (520, -210, 180), (520, 210, 0), (-520, 210, 0)),
}
"""Where the castles lie, by the number of players: people sit round the table, clockwise from the upper left."""
_COLUMN = 75.0
_ROW = 70.0


class KingdominoSight:
    """The protocol `companion.core.observation.Sight`."""

    @cached_property
    def faces(self) -> Sequence[Face]:
        squares = map(square_face, sorted(SQUARES))
        return (*squares, *map(castle_face, COLOURS), *map(_king, COLOURS))

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        castles = {face.label: face for face in map(castle_face, COLOURS)}
        kings = {_king_name(colour, which): _king(colour) for colour in COLOURS for which in KINGS}
        dominoes = {
            domino_name(number): Face(domino_name(number), 2 * SIDE, SIDE, domino_svg(number))
            for number in sorted(DOMINOES)
        }
        # What a game begins with lies on top.
        return {**castles, **kings, **dominoes}

    def arrange(self, setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        return tuple(_arranged(setup, position))

    def read(
        self, setup: Setup, position: Position, seen: Sequence[Observation], unknown: Sequence[Area] = ()
    ) -> Reading:
        # Imported here: only a table that is watched is read.
        from companion.games.kingdomino.sight.reader import read

        return read(setup, position, seen, unknown)

    @cached_property
    def photos(self) -> KingdominoPhotos:
        # Imported here: only a table whose photos are read needs it.
        from companion.games.kingdomino.sight.photographed import KingdominoPhotos

        return KingdominoPhotos()


def domino_name(domino: int) -> str:
    """What the domino is called among the pieces of the box."""
    return f"domino-{domino}"


def _arranged(setup: Setup, position: Position) -> Iterator[PlacedPiece]:
    seats = _SEATS[position.players]
    for player, (x, y, angle) in enumerate(seats):
        castle = f"castle-{setup.players[player].colour}"
        yield PlacedPiece(castle, castle, x, y, angle)
        for placement in position.kingdoms[player].placements:
            yield _laid(placement, x, y, angle)
    yield from _lines(setup, position)


def _laid(placement: Placement, x: float, y: float, angle: float) -> PlacedPiece:
    (ax, ay), (bx, by) = placement.cells
    dx, dy = offset((ax + bx) / 2 * SIDE, (ay + by) / 2 * SIDE, angle)
    name = domino_name(placement.domino)
    return PlacedPiece(name, name, x + dx, y + dy, (angle + TURNS[placement.direction]) % 360)


def _lines(setup: Setup, position: Position) -> Iterator[PlacedPiece]:
    if position.phase is Phase.OVER or not position.line:
        return
    # A line stays where it was laid: every other one in the same column.
    number = len(position.drawn) // position.line_length
    column = number - bool(position.next_line)
    kings = dict.fromkeys(range(position.players), 0)
    for line, gone, side in (
        (position.line, position.placed, column),
        (position.next_line, 0, column + 1),
    ):
        yield from _column(setup, line, gone, -_COLUMN if side % 2 else _COLUMN, kings)


def _column(setup: Setup, line: Line, gone: int, x: float, kings: dict[int, int]) -> Iterator[PlacedPiece]:
    for index, slot in enumerate(line):
        y = (index - (len(line) - 1) / 2) * _ROW
        if slot.player is not None:
            kings[slot.player] += 1
        if index < gone:
            continue
        name = domino_name(slot.domino)
        yield PlacedPiece(name, name, x, y)
        if slot.player is not None:
            colour = setup.players[slot.player].colour
            which = KINGS[(kings[slot.player] - 1) % len(KINGS)]
            yield PlacedPiece(_king_name(colour, which), f"king-{colour}", x, y)


def draw_square(square: Square) -> str:
    """A square as SVG, its crowns in the lower right corner."""
    crowns = "".join(
        f'<g transform="translate({70 - 27 * crown} 70) scale(.27)">{_symbols()["crown"]}</g>'
        for crown in range(square.crowns)
    )
    return f'<g transform="scale({SIDE / 10})">{_symbols()[square.terrain.value]}{crowns}</g>'


def domino_svg(number: int) -> str:
    domino = DOMINOES[number]
    right = f'<g transform="translate({SIDE * 10} 0)">{draw_square(domino.right)}</g>'
    return draw_square(domino.left) + right


def square_face(square: Square) -> Face:
    return Face(str(square), SIDE, SIDE, draw_square(square), ways=1)


def castle_face(colour: Colour) -> Face:
    return Face(f"castle-{colour}", SIDE, SIDE, _coloured("castle", colour, SIDE))


def _king(colour: Colour) -> Face:
    return Face(f"king-{colour}", KING, KING, _coloured("king", colour, KING), stands=True)


def _king_name(colour: Colour, which: int) -> str:
    return f"king-{colour}-{which}"


def _coloured(symbol: str, colour: Colour, side: float) -> str:
    return f'<g transform="scale({side / 10})" color="{INKS[colour]}">{_symbols()[symbol]}</g>'


@cache
def _symbols() -> Mapping[str, str]:
    """The drawings of the page, by name."""
    svg = (Path(__file__).parents[1] / "static" / "faces.svg").read_text(encoding="utf-8")
    return dict(re.findall(r'<symbol id="(\w+)"[^>]*>(.*?)</symbol>', svg, re.DOTALL))
