"""What lies on the table, sorted into the cells of the lattice from neighbour to neighbour, however far it drifts.

Places on the table are in millimetres, tolerances in sides of a territory and in degrees.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

from companion.core.lattice import offset
from companion.core.observation import Area, Observation, Tint
from companion.games.dominations.rules.board import Board, Tile
from companion.games.dominations.rules.box import CRADLE, Domain
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.sight import faces

HEIGHT = 0.75**0.5
"""Of a triangle whose side is 1."""
SURE_CONFIDENCE = 0.5
"""Confidence from which the colour of a spot is believed."""
NEIGHBOUR_TOLERANCE = 0.22
"""How far beside its place a neighbour may lie, in sides."""
TURN_TOLERANCE = 14.0
"""Degrees by which it may be turned."""
ENOUGH_AGREEMENT = 0.8
"""How much of the board has to agree before no better way to lay it over the table is looked for."""
MOST_ANCHORS = 8
"""Territories tried as the one from which all others are found, where the Cradle is not seen."""


@dataclass(frozen=True)
class CellPose:
    """How the lattice lies where one piece is: the middle of a cell, and by how much it is turned there."""

    x: float
    y: float
    turn: float


@dataclass(frozen=True)
class SeenTerritory:
    """A territory in a cell, as it was read."""

    cell: Cell
    seen: Observation
    spread: CellPose

    @property
    def tints(self) -> tuple[Tint, ...]:
        """Its Field, then its resources in the order of the cell's corners; none when no colours could be read."""
        if not self.seen.tints:
            return ()
        first, *dots = self.seen.tints
        turned = self._thirds
        return (first, *dots[turned:], *dots[:turned])

    @property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Where on the table the same spots are."""
        first, *dots = (offset(spot.x, spot.y, self.seen.angle) for spot in faces.SPOTS)
        turned = self._thirds
        return tuple((self.seen.x + x, self.seen.y + y) for x, y in (first, *dots[turned:], *dots[:turned]))

    @property
    def sure(self) -> bool:
        return (
            bool(self.tints)
            and self.seen.confidence >= SURE_CONFIDENCE
            and all(tint.confidence >= SURE_CONFIDENCE for tint in self.tints)
        )

    @property
    def tile(self) -> Tile | None:
        """What it is, if every colour is one of the game's."""
        letters = "".join(tint.letter for tint in self.tints)
        return tile_of(letters)

    @property
    def area(self) -> Area:
        return Area(self.seen.x, self.seen.y, 2 * faces.CIRCUMRADIUS, 2 * faces.CIRCUMRADIUS)

    @property
    def _thirds(self) -> int:
        return round((self.seen.angle - self.spread.turn - faces.DOWN_ANGLE * self.cell.down) / 120) % 3


@dataclass(frozen=True)
class AlignedTable:
    """The table as a camera shows it."""

    territories: Mapping[Cell, SeenTerritory] = field(default_factory=dict)
    spreads: Mapping[Cell, CellPose] = field(default_factory=dict)
    """Where the cells of the board are, those too in which nothing is seen."""
    loose: tuple[Observation, ...] = ()
    """Territories that lie beside nothing."""
    begun: bool = False
    """Whether the Cradle or anything of the board is seen."""
    card: bool = False
    """Whether the card with the colours is seen."""


def tile_of(letters: str) -> Tile | None:
    """A territory from its Field and three resources, if these are letters of the game."""
    if (
        len(letters) == 4
        and letters[0] in set(Domain)
        and all(dot in faces.DOT_LETTERS for dot in letters[1:])
    ):
        return Tile(Domain(letters[0]), letters[1:])
    return None


def cell_centre(cell: Cell) -> tuple[float, float]:
    """Of a cell, in sides from the Cradle's middle; y grows down."""
    xs, ys = zip(*((p.i + p.j / 2, -p.j * HEIGHT) for p in cell.corners), strict=True)
    return sum(xs) / 3, sum(ys) / 3


def align(board: Board, observations: Sequence[Observation]) -> AlignedTable:
    """Lay the board of the log over what is seen, so that most of it agrees."""
    tiles = [one for one in observations if one.label == faces.TERRITORY_LABEL]
    cradle = next((one for one in observations if one.label == faces.CRADLE_LABEL), None)
    card = any(one.label == faces.CARD_LABEL for one in observations)
    best, most = AlignedTable(card=card), -1
    for roots in _anchors(board, cradle, tiles):
        found, spreads = _grown(board, roots, tiles)
        agreeing = sum(agrees_with_log(board, one) for one in found.values())
        if agreeing > most:
            taken = {id(one.seen) for one in found.values()}
            loose = tuple(one for one in tiles if id(one) not in taken)
            best, most = AlignedTable(found, spreads, loose, True, card), agreeing
        if agreeing >= ENOUGH_AGREEMENT * len(board.tiles):
            break
    return best


def agrees_with_log(board: Board, territory: SeenTerritory) -> bool:
    """Whether the log has that territory there, as far as its colours can be read."""
    known = board.tiles.get(territory.cell)
    return known is not None and differing_colours(known, territory) <= 1


def differing_colours(known: Tile, territory: SeenTerritory) -> int:
    """How many of its colours are surely others; a marker may stand on the Field."""
    pairs = zip(f"{known.field}{known.dots}", territory.tints, strict=False)
    return sum(letter != tint.letter and tint.confidence >= SURE_CONFIDENCE for letter, tint in pairs)


def _anchors(
    board: Board, cradle: Observation | None, tiles: Sequence[Observation]
) -> Iterator[Mapping[Cell, CellPose]]:
    """Where the lattice may lie: as the Cradle has it, or as one of the log's territories would have it."""
    if cradle:
        yield {cell: _beyond(CellPose(cradle.x, cradle.y, cradle.angle), (0, 0), cell) for cell in CRADLE}
    tried = 0
    for one in sorted(tiles, key=lambda one: -one.confidence):
        for cell, tile in board.tiles.items():
            if tried >= MOST_ANCHORS * 3:
                return
            for third in range(3):
                turn = one.angle - faces.DOWN_ANGLE * cell.down - 120 * third
                spread = CellPose(one.x, one.y, turn % 360)
                if one.tints and differing_colours(tile, SeenTerritory(cell, one, spread)) == 0:
                    tried += 1
                    yield {cell: spread}


def _beyond(spread: CellPose, here: tuple[float, float], cell: Cell) -> CellPose:
    """Where another cell is, as the lattice lies here."""
    x, y = cell_centre(cell)
    dx, dy = offset((x - here[0]) * faces.TERRITORY_SIDE, (y - here[1]) * faces.TERRITORY_SIDE, spread.turn)
    return CellPose(spread.x + dx, spread.y + dy, spread.turn)


def _grown(
    board: Board, roots: Mapping[Cell, CellPose], tiles: Sequence[Observation]
) -> tuple[dict[Cell, SeenTerritory], dict[Cell, CellPose]]:
    """Territories by their cells, each looked for beside its neighbours as these lie; and where all cells are."""
    found: dict[Cell, SeenTerritory] = {}
    spreads, taken = dict(roots), set[int]()
    waiting = deque(roots)
    for cell, spread in roots.items():
        if cell not in CRADLE and (one := _nearest(spread, cell, tiles, taken)):
            taken.add(id(one))
            found[cell] = SeenTerritory(cell, one, spread)
    while waiting:
        here = waiting.popleft()
        for cell in here.neighbours:
            if cell in spreads:
                continue
            expected = _beyond(spreads[here], cell_centre(here), cell)
            one = _nearest(expected, cell, tiles, taken)
            if one:
                taken.add(id(one))
                off = (one.angle - faces.DOWN_ANGLE * cell.down - expected.turn + 60) % 120 - 60
                expected = CellPose(one.x, one.y, expected.turn + off)
                found[cell] = SeenTerritory(cell, one, expected)
            elif cell not in board.pieces:
                continue
            # A Monument or a napkin may lie between what is seen: the lattice goes on under it.
            spreads[cell] = expected
            waiting.append(cell)
    return found, spreads


def _nearest(
    spread: CellPose, cell: Cell, tiles: Sequence[Observation], taken: set[int]
) -> Observation | None:
    def fits(one: Observation) -> bool:
        off = (one.angle - faces.DOWN_ANGLE * cell.down - spread.turn + 60) % 120 - 60
        return id(one) not in taken and abs(off) <= TURN_TOLERANCE

    def away(one: Observation) -> float:
        return hypot(one.x - spread.x, one.y - spread.y)

    nearest = min(filter(fits, tiles), key=away, default=None)
    return nearest if nearest and away(nearest) <= NEIGHBOUR_TOLERANCE * faces.TERRITORY_SIDE else None
