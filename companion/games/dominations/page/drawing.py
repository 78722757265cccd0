"""What lies on the table as shapes: a side of a territory is 100 units long, and y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.core.message import Message
from companion.games.dominations.page.choices import To
from companion.games.dominations.rules.board import NO_DOT, BoardPiece
from companion.games.dominations.rules.box import LOOKS, UNKNOWN
from companion.games.dominations.rules.lattice import Cell, Point
from companion.games.dominations.rules.position import OF_A_TURN, Position
from companion.games.dominations.rules.titles import Initials

SIDE = 100
HEIGHT = 87
"""Of a triangle with that side."""
FIELD, ABOVE_CITY, CITY = 9, 13, -13
"""How far above the middle a Field is named, towards its point, alone and with a City, which is at its broad side."""
INSET = 0.08
"""How far inside the sides of a place it is outlined, of the way to its middle."""
INTO = 0.42
"""How far from a corner towards the middle its resource lies."""
SHOWN_SEPARATOR = "_"
"""Between the places that an address asks to show."""
ROUND = SIDE
"""What is left free round everything that lies there."""


@dataclass(frozen=True)
class Dot:
    """A resource of a territory."""

    x: int
    y: int
    letter: str


@dataclass(frozen=True)
class TileView:
    """A filled place of the map."""

    place: str
    points: str
    middle: tuple[int, int]
    mark: tuple[int, int]
    """Where its Field is named."""
    stands: tuple[int, int]
    """Where a City stands: at the broad side."""
    letter: str
    colour: str
    dots: tuple[Dot, ...]
    owner: int | None
    """Whose City stands there."""
    level: int
    monument: str
    last: bool
    number: int = 0
    """Territories are counted as they were laid; words name them so."""


@dataclass(frozen=True)
class PieceView:
    """A Monument's piece on the map."""

    title: Message
    middle: tuple[int, int]
    round: bool

    @property
    def initials(self) -> Message:
        return Initials("", title=self.title)


@dataclass(frozen=True)
class TargetView:
    """A place that can be tapped."""

    place: str
    points: str
    middle: tuple[int, int]
    name: Message
    to: To
    filled: bool = False
    """Whether something lies there."""


@dataclass(frozen=True)
class OutlineView:
    """A territory that is marked: the one that was tapped, or one that can be."""

    points: str
    chosen: bool


@dataclass(frozen=True)
class GhostView:
    """The territory that is being told."""

    points: str
    middle: tuple[int, int]
    mark: tuple[int, int]
    field: str
    dots: tuple[Dot, ...]
    asked: tuple[int, int] | None
    """Where the resource lies that is told next."""


def shown_address(cells: Iterable[Cell]) -> str:
    """Places that are to be shown, as an address tells them."""
    return SHOWN_SEPARATOR.join(map(str, cells))


def on_page(i: int, j: int) -> tuple[int, int]:
    """A point of the lattice on the page."""
    return i * SIDE + j * SIDE // 2, -j * HEIGHT


def corners_of(cell: Cell) -> list[tuple[int, int]]:
    return [on_page(point.i, point.j) for point in cell.corners]


def cell_outline(cell: Cell) -> str:
    return " ".join(f"{x},{y}" for x, y in corners_of(cell))


def cell_middle(cell: Cell) -> tuple[int, int]:
    corners = corners_of(cell)
    return sum(x for x, _y in corners) // 3, sum(y for _x, y in corners) // 3


def _aside(cell: Cell, far: int) -> tuple[int, int]:
    """A point nearer the tip of a place, or nearer its broad side."""
    x, y = cell_middle(cell)
    return x, y + (far if cell.down else -far)


def dot_places(cell: Cell) -> list[tuple[int, int]]:
    """Where the three resources of a place are drawn."""
    x, y = cell_middle(cell)
    return [(round(a + INTO * (x - a)), round(b + INTO * (y - b))) for a, b in corners_of(cell)]


def tile_views(position: Position) -> Iterator[TileView]:
    last = next(reversed([*position.board.tiles]), None)
    numbers = {cell: number for number, cell in enumerate(position.board.tiles, 1)}
    for cell, piece in position.board.pieces.items():
        city = position.city_at(cell)
        field = piece.tile.field if piece.tile else None
        yield TileView(
            place=str(cell),
            points=cell_outline(cell),
            middle=cell_middle(cell),
            mark=_aside(cell, ABOVE_CITY if city else FIELD),
            stands=_aside(cell, CITY),
            letter=field.value if field else "",
            colour=LOOKS[field].colour if field else "",
            dots=tuple(_dots(cell, piece)),
            owner=city.owner if city else None,
            level=city.level if city else 0,
            monument=piece.monument,
            last=cell == last,
            number=numbers.get(cell, 0),
        )


def _dots(cell: Cell, piece: BoardPiece) -> Iterator[Dot]:
    for (x, y), point in zip(dot_places(cell), cell.corners, strict=True):
        dot = piece.dots.get(point, NO_DOT)
        if dot not in (NO_DOT, UNKNOWN):
            yield Dot(x, y, dot)


def piece_views(position: Position) -> Iterator[PieceView]:
    """Each piece with its name, in its middle."""
    for point, key in position.board.circles.items():
        yield PieceView(position.title(key), on_page(*point), True)
    halves: dict[str, list[Cell]] = {}
    for cell, piece in position.board.pieces.items():
        if piece.monument:
            halves.setdefault(piece.monument, []).append(cell)
    for key, cells in halves.items():
        xs, ys = zip(*map(cell_middle, cells), strict=True)
        yield PieceView(position.title(key), (sum(xs) // len(xs), sum(ys) // len(ys)), False)


def outline_view(cell: Cell, chosen: bool) -> OutlineView:
    x, y = cell_middle(cell)
    inside = ((round(a + INSET * (x - a)), round(b + INSET * (y - b))) for a, b in corners_of(cell))
    return OutlineView(" ".join(f"{a},{b}" for a, b in inside), chosen)


def cell_target(cell: Cell, name: Message, to: To, filled: bool = False) -> TargetView:
    return TargetView(str(cell), cell_outline(cell), cell_middle(cell), name, to, filled)


def point_target(point: Point, name: Message, to: To) -> TargetView:
    """A point where six territories meet."""
    x, y = on_page(*point)
    around = ((x - 26, y - 26), (x + 26, y - 26), (x + 26, y + 26), (x - 26, y + 26))
    return TargetView(str(point), " ".join(f"{a},{b}" for a, b in around), (x, y), name, to)


def ghost_tile(cell: Cell, letters: str) -> GhostView:
    """A territory as far as it was told: its Field first, then the resources in the order of the corners."""
    places = dot_places(cell)
    told = [
        Dot(x, y, letter) for (x, y), letter in zip(places, letters[1:], strict=False) if letter != NO_DOT
    ]
    asked = places[len(letters) - 1] if 0 < len(letters) < 4 else None
    return GhostView(
        cell_outline(cell), cell_middle(cell), _aside(cell, FIELD), letters[:1], tuple(told), asked
    )


def ghost_half(cell: Cell, dots: str, asks: bool) -> GhostView:
    """Half of a lozenge as far as its resources were told."""
    told = tuple(Dot(x, y, dot) for (x, y), dot in zip(dot_places(cell), dots, strict=False) if dot != NO_DOT)
    asked = dot_places(cell)[len(dots)] if asks else None
    return GhostView(cell_outline(cell), cell_middle(cell), _aside(cell, FIELD), "", told, asked)


def ghost_cradle(cell: Cell, dots: tuple[Dot, ...], asked: tuple[int, int]) -> GhostView:
    """A part of the Cradle: its dots that were told, and where the next one lies."""
    told = tuple(dot for dot in dots if dot.letter != NO_DOT)
    return GhostView(cell_outline(cell), cell_middle(cell), _aside(cell, FIELD), "", told, asked)


def map_bounds(position: Position, places: Sequence[Cell]) -> tuple[int, int, int, int]:
    """Left, top, width and height of all that lies there, and of where something may come to lie."""
    grows = places if position.stage in OF_A_TURN else ()
    return bounding_box([*position.board.pieces, *grows])


def bounding_box(cells: Sequence[Cell]) -> tuple[int, int, int, int]:
    corners = [corner for cell in cells for corner in corners_of(cell)]
    xs, ys = zip(*corners, strict=True)
    left, top = min(xs) - ROUND // 4, min(ys) - ROUND // 4
    return left, top, max(xs) - left + ROUND // 4, max(ys) - top + ROUND // 4
