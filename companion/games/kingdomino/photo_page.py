"""What the page draws of a photographed kingdom, and what it records once people have said what is right.

A person's corrections come with the address: `21f0` is a forest without crowns in column 2, row 1; `c0` is the castle,
`x0` a place without a piece, `ok` that no row is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.drawing import KingdomDrawing, draw_kingdom
from companion.games.kingdomino.events import KingdomShown
from companion.games.kingdomino.inventory import doubts
from companion.games.kingdomino.kingdom import Cell, Kingdom, kingdom_of
from companion.games.kingdomino.notation import write_event
from companion.games.kingdomino.photographed import Photographed, Unsure
from companion.games.kingdomino.pieces import CASTLE, LETTERS, SQUARES, TERRAIN_NAMES, Square, parse_square
from companion.games.kingdomino.scoring import property_points

Point = tuple[float, float]

STRETCH = 1.4
"""How much a photo may be stretched, so that every square is large enough for a finger."""
ROOM = 0.025
"""Of the photo around the kingdom that is shown, in parts of the kingdom."""
CROP = 1.25
"""How much of the photo around a square is shown, in its sides."""
LIKELY = 4
"""Answers in reach of one tap."""
MOST_FIXES = 60
WRITTEN_CASTLE, WRITTEN_NOTHING, AGREED = "c0", "x0", "ok"
_FIX = re.compile(r"(\d)(\d)([wflgsmcx][0-3])")


@dataclass(frozen=True)
class Taken:
    """A photo in which a kingdom was found."""

    width: int
    height: int
    corners: Mapping[Cell, tuple[Point, ...]]
    """Of each place, clockwise from its upper left."""
    shown: Photographed


@dataclass(frozen=True)
class Answer:
    """What a place may be."""

    square: Square | None
    fixes: str
    """All corrections, with this one among them."""

    @property
    def name(self) -> Message:
        return name_of(self.square)


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
        return name_of(self.square)

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
    likely: tuple[Answer, ...]
    """The answers to it, the likeliest first."""
    others: tuple[Answer, ...]
    """Everything else it could be."""
    open: int
    """Questions that are left."""
    whole: bool
    """False while somebody has to say that this is all of it."""
    beside: bool
    """Whether more pieces lie beside it."""
    kingdom: KingdomDrawing | None
    points: int | None
    event: str
    """What is recorded; empty while it cannot be."""
    troubles: tuple[Message, ...]
    fixes: str


def photo_view(taken: Taken, player: int, size: int, fixes: str, at: str) -> PhotoView:
    taken = _stretched(taken)
    told, agreed = read_fixes(fixes, taken.corners), AGREED if AGREED in fixes else ""
    # Five rows of a kingdom of seven look like a whole kingdom of five.
    complete = taken.shown.whole and len({x for x, _ in taken.corners}) == size
    whole = bool(agreed) or (complete and taken.shown.alone)
    squares = squares_of(taken, told)
    unsure = {one.cell: one for one in taken.shown.unsure}
    places = tuple(
        _place(taken, cell, squares.get(cell), cell in unsure, cell in told) for cell in taken.corners
    )
    open_places = [place for place in places if place.state == "asked"]
    asked = next((place for place in places if f"{place.cell[0]}{place.cell[1]}" == at), None)
    asked = asked or next(iter(open_places), None)
    ranked = taken.shown.ranked.get(asked.cell, ()) if asked else ()
    likely = _likely(asked, unsure.get(asked.cell), ranked) if asked else ()
    rest = [square for square in (*SQUARES, CASTLE, None) if square not in likely]
    kingdom = kingdom_in(squares, size)
    troubles = tuple(_troubles(kingdom, size))
    fits = kingdom is not None and max(kingdom.bounds.columns, kingdom.bounds.rows) <= size
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
        kingdom=draw_kingdom(player, kingdom) if kingdom else None,
        points=property_points(kingdom) if kingdom else None,
        event=write_event(KingdomShown(player, kingdom))
        if kingdom and fits and whole and not open_places
        else "",
        troubles=troubles,
        fixes=write_fixes(told) + agreed,
    )


def name_of(square: Square | None) -> Message:
    if square is None:
        return _("No piece")
    return TERRAIN_NAMES[square.terrain]


def read_fixes(text: str, places: Iterable[Cell]) -> dict[Cell, Square | None]:
    """What people have said of places; what nobody could have said is left out."""
    known, told = set(places), dict[Cell, Square | None]()
    for column, row, written in _FIX.findall(text)[:MOST_FIXES]:
        cell = int(column), int(row)
        square = _square(written)
        if cell not in known or (square not in SQUARES and square not in (CASTLE, None)):
            continue
        if square == CASTLE:  # the castle moves, there is never a second one
            told = {other: kind for other, kind in told.items() if kind != CASTLE}
        told[cell] = square
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


def squares_of(taken: Taken, told: Mapping[Cell, Square | None]) -> Mapping[Cell, Square]:
    """The squares as they were read, and as people put them right."""
    squares: dict[Cell, Square | None] = dict(taken.shown.squares)
    if CASTLE in told.values():
        squares = {cell: None if square == CASTLE else square for cell, square in squares.items()}
    squares.update(told)
    return {cell: square for cell, square in squares.items() if square is not None}


def kingdom_in(squares: Mapping[Cell, Square], size: int) -> Kingdom | None:
    """As the rules count it; None without a castle."""
    home = next((cell for cell, square in squares.items() if square == CASTLE), None)
    if home is None:
        return None
    return kingdom_of({(x - home[0], y - home[1]): square for (x, y), square in squares.items()}, size)


def _place(taken: Taken, cell: Cell, square: Square | None, unsure: bool, told: bool) -> PlaceView:
    corners = taken.corners[cell]
    moved = not told and square is None and taken.shown.squares.get(cell) is not None
    state = "told" if told else "asked" if unsure or moved else "sure"
    x, y = (sum(axis) / 4 for axis in zip(*corners, strict=True))
    area = (
        abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)))
        / 2
    )
    outline = " ".join(f"{u:.1f},{v:.1f}" for u, v in corners)
    return PlaceView(cell, square, state, outline, round(x, 1), round(y, 1), round(area**0.5, 1))


def _likely(
    place: PlaceView, unsure: Unsure | None, ranked: Iterable[Square | None]
) -> tuple[Square | None, ...]:
    """What the place is taken for, what else a doubt names, and what it looks like besides."""
    named = unsure.candidates if unsure else ()
    return tuple(dict.fromkeys((place.square, *named, *ranked)))[:LIKELY]


def _answers(
    squares: Iterable[Square | None], place: PlaceView | None, told: Mapping[Cell, Square | None], agreed: str
) -> tuple[Answer, ...]:
    if place is None:
        return ()
    return tuple(
        Answer(square, write_fixes({**_without_castle(told, square), place.cell: square}) + agreed)
        for square in squares
    )


def _without_castle(
    told: Mapping[Cell, Square | None], square: Square | None
) -> Mapping[Cell, Square | None]:
    if square != CASTLE:
        return told
    return {cell: kind for cell, kind in told.items() if kind != CASTLE}


def _troubles(kingdom: Kingdom | None, size: int) -> Iterable[Message]:
    if kingdom is None:
        yield _("There is no castle yet: tap the square where it stands.")
    elif max(kingdom.bounds.columns, kingdom.bounds.rows) > size:
        yield _(
            "This is larger than %(size)d by %(size)d squares: tap what does not belong to it, or drag the corners.",
            size=size,
        )
    else:
        yield from doubts(kingdom)


def _stretched(taken: Taken) -> Taken:
    """The photo a little wider or higher, so that a kingdom seen from the side is nearly as high as wide."""
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    columns, rows = (len({cell[axis] for cell in taken.corners}) for axis in (0, 1))
    if columns != rows:
        return taken
    by = min(max(wide / high, 1 / STRETCH), STRETCH)
    corners = {cell: tuple((x, y * by) for x, y in known) for cell, known in taken.corners.items()}
    return replace(taken, height=round(taken.height * by), corners=corners)


def _view_box(taken: Taken) -> str:
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    room = ROOM * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0.0, min(xs) - room), max(0.0, min(ys) - room)
    right, bottom = min(taken.width, max(xs) + room), min(taken.height, max(ys) + room)
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
