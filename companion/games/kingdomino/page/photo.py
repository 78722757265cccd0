"""What the page draws of a photographed kingdom, what people put right in it, and what is recorded then.

Fixes travel in the address: `21f0` is a forest without crowns in column 2, row 1; `c0` the castle, `x0` no
piece, `ok` that no row is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.page.board import KingdomDrawing, draw_kingdom
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.kingdom import Cell, Kingdom, kingdom_around_castle
from companion.games.kingdomino.rules.pieces import (
    CASTLE,
    LETTERS,
    SQUARES,
    Square,
    parse_square,
    square_name,
)
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.rules.problems import conflicts, kingdom_problems
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photo import KingdomReading
from companion.games.kingdomino.text.notation import write_event

MOST_FIXES = 60
WRITTEN_CASTLE, WRITTEN_NOTHING, AGREED = "c0", "x0", "ok"
_FIX = re.compile(r"(\d)(\d)([wflgsmcx][0-3])")


def read_fixes(text: str, places: Iterable[Cell]) -> dict[Cell, Square | None]:
    """What people have said of places; what nobody could have said is left out."""
    known, told = set(places), dict[Cell, Square | None]()
    for column, row, written in _FIX.findall(text)[:MOST_FIXES]:
        cell = int(column), int(row)
        square = _square(written)
        if cell in known and (square in SQUARES or square in (CASTLE, None)):
            told = _told_too(told, cell, square)
    return told


def _square(written: str) -> Square | None:
    if written[0] not in LETTERS:
        return CASTLE if written == WRITTEN_CASTLE else None
    return parse_square(written)


def write_fixes(told: Mapping[Cell, Square | None]) -> str:
    return "".join(f"{x}{y}{_written(square)}" for (x, y), square in told.items())


def _written(square: Square | None) -> str:
    if square is None:
        return WRITTEN_NOTHING
    return WRITTEN_CASTLE if square == CASTLE else str(square)


Point = tuple[float, float]

STRETCH = 1.4
"""How much a photo may be stretched, so that every square is large enough for a finger."""
ROOM = 0.025
"""Of the photo around the kingdom that is shown, in parts of the kingdom."""
CROP = 1.25
"""How much of the photo around a square is shown, in its sides."""
DUEL = 2
"""Players of a game with larger kingdoms."""
LIKELY = 4
"""Answers in reach of one tap."""


@dataclass(frozen=True)
class LocatedKingdom:
    """A photo in which a kingdom was found."""

    width: int
    height: int
    corners: Mapping[Cell, tuple[Point, ...]]
    """Of each place, clockwise from its upper left."""
    shown: KingdomReading


@dataclass(frozen=True)
class TableContext:
    """The table that a photographed kingdom belongs to."""

    player: int
    size: int
    """The side of the square it has to fit in."""
    duel: bool = False
    """Whether as many play as a game with larger kingdoms is for."""
    others: Mapping[str, Kingdom] = field(default_factory=dict)
    """The other kingdoms, by whose they are."""


@dataclass(frozen=True)
class SquareAnswer:
    """What a place may be."""

    square: Square | None
    fixes: str
    """All corrections, with this one among them."""

    @property
    def name(self) -> Message:
        return square_name(self.square)


@dataclass(frozen=True)
class PlaceView:
    """A place of the kingdom, where the photo shows it."""

    cell: Cell
    square: Square | None
    state: str
    """`sure`, `asked`, or `told` by a person."""
    outline: str
    """As SVG lists points."""
    x: float
    """Its middle, as is y."""
    y: float
    side: float

    @property
    def name(self) -> Message:
        return square_name(self.square)

    @property
    def crop(self) -> str:
        """The part of the photo to look at, as SVG says it."""
        half = self.side * CROP / 2
        return f"{self.x - half:.1f} {self.y - half:.1f} {2 * half:.1f} {2 * half:.1f}"


@dataclass(frozen=True)
class PhotoView:
    """A photographed kingdom with what people have said of it."""

    places: tuple[PlaceView, ...]
    width: int
    """Of the photo as it is drawn, as is the height."""
    height: int
    view_box: str
    asked: PlaceView | None
    """What is asked about now."""
    likely: tuple[SquareAnswer, ...]
    """The answers to it, the likeliest first."""
    others: tuple[SquareAnswer, ...]
    """Everything else it could be."""
    open: int
    """Questions that are left."""
    whole: bool
    """False while somebody has to say that this is all of it."""
    beside: bool
    """Whether more pieces lie beside it."""
    unfamiliar: bool
    """Whether so many pieces are unclear that the companion may not know this edition."""
    larger: Message | None
    """What to do about a kingdom that is larger than the game allows."""
    mightier: bool
    """Whether the game may have been meant for kingdoms as large as this one."""
    kingdom: KingdomDrawing | None
    points: int | None
    event: str
    """What is recorded; empty while it cannot be."""
    teaches: bool
    """Whether what people put right shows how a piece looks: a bare place and the castle's do not."""
    troubles: tuple[Message, ...]
    fixes: str


def table_context(position: Position, names: Sequence[str], player: int) -> TableContext:
    """The table around one player's kingdom."""
    others = dict(zip(names, position.kingdoms, strict=True))
    del others[names[player]]
    return TableContext(player, position.size, position.players == DUEL, others)


def photo_view(taken: LocatedKingdom, table: TableContext, fixes: str, at: str) -> PhotoView:
    taken = _stretched(taken)
    told, agreed = read_fixes(fixes, taken.corners), AGREED if AGREED in fixes else ""
    squares = corrected_squares(taken, told)
    places = tuple(_places(taken, squares, told))
    open_places = [place for place in places if place.state == "asked"]
    asked = next((place for place in places if f"{place.cell[0]}{place.cell[1]}" == at), None)
    asked = asked or next(iter(open_places), None)
    likely = _likely(asked, taken.shown) if asked else ()
    rest = [square for square in (*SQUARES, CASTLE, None) if square not in likely]
    larger = max(_spans(squares)) > table.size
    whole = bool(agreed) or (taken.shown.alone and (larger or _complete(taken, table.size)))
    kingdom = kingdom_around_castle(squares, table.size)
    ready = kingdom and whole and not larger and not open_places
    return PhotoView(
        places=places,
        width=taken.width,
        height=taken.height,
        view_box=_view_box(taken),
        asked=asked,
        likely=_answers(likely, asked, told, agreed),
        others=_answers(rest, asked, told, agreed),
        open=len(open_places),
        whole=whole,
        beside=not taken.shown.alone,
        unfamiliar=taken.shown.unfamiliar,
        larger=_larger(squares, table.size) if larger else None,
        mightier=larger and table.duel,
        kingdom=draw_kingdom(table.player, kingdom) if kingdom else None,
        points=property_points(kingdom) if kingdom else None,
        event=write_event(KingdomShown(table.player, kingdom)) if kingdom and ready else "",
        teaches=any(squares.get(cell, CASTLE) != CASTLE for cell in told),
        troubles=tuple(_troubles(kingdom, table)) if not larger else (),
        fixes=write_fixes(told) + agreed,
    )


def corrected_squares(taken: LocatedKingdom, told: Mapping[Cell, Square | None]) -> Mapping[Cell, Square]:
    """The squares as they were read, and as people put them right."""
    squares: dict[Cell, Square | None] = dict(taken.shown.squares)
    if CASTLE in told.values():
        squares = {cell: None if square == CASTLE else square for cell, square in squares.items()}
    squares.update(told)
    return {cell: square for cell, square in squares.items() if square is not None}


def _complete(taken: LocatedKingdom, size: int) -> bool:
    """Whether no row or column can be missing: five rows of a kingdom of seven look like a whole kingdom of five."""
    return min(len({cell[axis] for cell in taken.corners}) for axis in (0, 1)) >= size


def _spans(squares: Iterable[Cell]) -> tuple[int, int]:
    """Columns and rows from the first piece to the last."""
    axes = tuple(zip(*squares, strict=True)) or ((0,), (0,))
    return max(axes[0]) - min(axes[0]) + 1, max(axes[1]) - min(axes[1]) + 1


def _larger(squares: Iterable[Cell], size: int) -> Message:
    columns, rows = _spans(squares)
    return _(
        "This kingdom has %(columns)d by %(rows)d squares, and the game was started for %(size)d by %(size)d. "
        "Tap what does not belong to it, or:",
        columns=columns,
        rows=rows,
        size=size,
    )


def _places(
    taken: LocatedKingdom, squares: Mapping[Cell, Square], told: Mapping[Cell, Square | None]
) -> Iterator[PlaceView]:
    unsure = {one.cell for one in taken.shown.unsure}
    for cell, corners in taken.corners.items():
        square = squares.get(cell)
        moved = square is None and taken.shown.squares.get(cell) is not None
        state = "told" if cell in told else "asked" if cell in unsure or moved else "sure"
        yield _place(cell, square, state, corners)


def _place(cell: Cell, square: Square | None, state: str, corners: Sequence[Point]) -> PlaceView:
    x, y = (sum(axis) / 4 for axis in zip(*corners, strict=True))
    around = zip(corners, (*corners[1:], corners[0]), strict=True)
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in around)) / 2
    outline = " ".join(f"{u:.1f},{v:.1f}" for u, v in corners)
    return PlaceView(cell, square, state, outline, round(x, 1), round(y, 1), round(area**0.5, 1))


def _likely(place: PlaceView, shown: KingdomReading) -> tuple[Square | None, ...]:
    """What the place is taken for, what else a doubt names, one crown more or less, and what it looks like besides."""
    named = next((one.candidates for one in shown.unsure if one.cell == place.cell), ())
    near = [
        one
        for one, count in SQUARES.items()
        if count
        and place.square
        and one.terrain == place.square.terrain
        and abs(one.crowns - place.square.crowns) == 1
    ]
    return tuple(dict.fromkeys((place.square, *named, *near, *shown.ranked.get(place.cell, ()))))[:LIKELY]


def _answers(
    squares: Iterable[Square | None], place: PlaceView | None, told: Mapping[Cell, Square | None], agreed: str
) -> tuple[SquareAnswer, ...]:
    if place is None:
        return ()
    return tuple(
        SquareAnswer(square, write_fixes(_told_too(told, place.cell, square)) + agreed) for square in squares
    )


def _told_too(
    told: Mapping[Cell, Square | None], cell: Cell, square: Square | None
) -> dict[Cell, Square | None]:
    """What people said, with one place more; the castle moves, there is never a second one."""
    if square == CASTLE:
        told = {other: kind for other, kind in told.items() if kind != CASTLE}
    return {**told, cell: square}


def _troubles(kingdom: Kingdom | None, table: TableContext) -> Iterator[Message]:
    if kingdom is None:
        yield _("There is no castle yet: tap the square where it stands.")
        return
    yield from kingdom_problems(kingdom)
    yield from conflicts(kingdom, table.others)


def _stretched(taken: LocatedKingdom) -> LocatedKingdom:
    """The photo a little wider or higher, so that a kingdom seen from the side is nearly as high as wide."""
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    columns, rows = (len({cell[axis] for cell in taken.corners}) for axis in (0, 1))
    if columns != rows:
        return taken
    by = min(max(wide / high, 1 / STRETCH), STRETCH)
    corners = {cell: tuple((x, y * by) for x, y in known) for cell, known in taken.corners.items()}
    return replace(taken, height=round(taken.height * by), corners=corners)


def _view_box(taken: LocatedKingdom) -> str:
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    room = ROOM * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0.0, min(xs) - room), max(0.0, min(ys) - room)
    right, bottom = min(taken.width, max(xs) + room), min(taken.height, max(ys) + room)
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
