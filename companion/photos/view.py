"""What the page draws of photographed pieces, what people put right in them, and what is recorded then.

Fixes travel in the address: `21f0.` says `f0` (a label of the game's own) of column 2, row 1; `x0` says that nothing
lies there, `ok.` that no row is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, degrees
from string import ascii_lowercase, digits

from companion.core.game import AnyGame
from companion.core.lattice import Cell, LatticeMove
from companion.core.message import Message
from companion.core.observation import Face
from companion.core.photo import EMPTY, AnyPhotoSight, AnyReading, JointQuestion, PhotoTable, Settled

MOST_FIXES = 100
MOST_TOGETHER = 4
"""Photos that show one board together."""
END = "."
"""Ends everything that is said."""
NOTHING, AGREED = "x0", "ok."
DIGITS = digits + ascii_lowercase

Point = tuple[float, float]

STRETCH = 1.4
"""How much a photo may be stretched, so that every square is large enough for a finger."""
ROOM = 0.025
"""Of the photo around the group that is shown, in parts of the group."""
CROP = 1.25
"""How much of the photo around a square is shown, in its sides."""
LIKELY = 4
"""Answers in reach of one tap."""

Told = Mapping[Cell, Hashable | None]
"""What people have said of places; None is a place without a piece."""


def read_fixes(sight: AnyPhotoSight, text: str, places: Iterable[Cell]) -> dict[Cell, Hashable | None]:
    """What people have said of places; what nobody could have said is left out."""
    known, told = set(places), dict[Cell, Hashable | None]()
    for said in text.split(END)[:MOST_FIXES]:
        cell, label = cell_of(said[:2]), said[2:]
        kind = None if label == NOTHING else sight.kind(label)
        if cell in known and (kind is not None or label == NOTHING):
            told = _told_too(sight, told, cell, kind)
    return told


def moved_fixes(sight: AnyPhotoSight, text: str, places: Iterable[Cell], move: LatticeMove) -> str:
    """The same corrections where places are counted otherwise; whether all is there has to be said anew."""
    return write_fixes(
        sight, {move.cell(cell): kind for cell, kind in read_fixes(sight, text, places).items()}
    )


def write_fixes(sight: AnyPhotoSight, told: Told) -> str:
    said = ((cell, NOTHING if kind is None else sight.label(kind)) for cell, kind in told.items())
    return "".join(f"{cell_key(cell)}{label}{END}" for cell, label in said)


def cell_key(cell: Cell) -> str:
    """A place in two signs: its column and its row, counted from 0 and on from 9 by letters."""
    return "".join(DIGITS[one] for one in cell)


def cell_of(key: str) -> Cell | None:
    """The place of that key; None where it is none."""
    if len(key) != 2 or not {*key} <= {*DIGITS}:
        return None
    return DIGITS.index(key[0]), DIGITS.index(key[1])


@dataclass(frozen=True)
class PicturePlaces:
    """Where a photo shows a group of pieces."""

    width: int
    height: int
    corners: Mapping[Cell, tuple[Point, ...]]
    """Of each place, clockwise from its upper left."""


@dataclass(frozen=True)
class PhotographedGroup:
    """A group of pieces as it was found in a photo, or in several that show it together."""

    pictures: tuple[PicturePlaces, ...]
    shown: AnyReading
    best: Mapping[Cell, int] = field(default_factory=dict)
    """In which of several photos a place is seen best."""

    @property
    def cells(self) -> Iterable[Cell]:
        return dict.fromkeys(cell for one in self.pictures for cell in one.corners)


@dataclass(frozen=True)
class SquareAnswer:
    """What a place may be."""

    face: Face | None
    """None for a place without a piece."""
    name: Message
    fixes: str
    """All corrections, with this one among them."""


@dataclass(frozen=True)
class PlaceView:
    """A place of the group, where the photo shows it."""

    cell: Cell
    face: Face | None
    name: Message
    state: str
    """`sure`, `asked`, or `told` by a person."""
    outline: str
    """As SVG lists points."""
    x: float
    """Its middle, as is y."""
    y: float
    side: float
    matrix: str
    """From the drawing of what lies there to the photo, as SVG says it."""
    turn: int = 0
    """Quarters by which the photo shows it turned clockwise: of several photos each may be from another side."""
    photo: int = 0
    """Which of several photos this is."""
    best: bool = True
    """Whether none of the others shows it better."""

    @property
    def key(self) -> str:
        """What the address says of it."""
        return cell_key(self.cell)

    @property
    def crop(self) -> str:
        """The part of the photo to look at, as SVG says it."""
        half = self.side * CROP / 2
        return f"{self.x - half:.1f} {self.y - half:.1f} {2 * half:.1f} {2 * half:.1f}"


@dataclass(frozen=True)
class PictureView:
    """One photo, with all places of a group that it shows."""

    number: int
    """Which of several it is."""
    places: tuple[PlaceView, ...]
    width: int
    """Of the photo as it is drawn, as is the height."""
    height: int
    view_box: str

    def tells(self, cells: Collection[Cell]) -> bool:
        """Whether it is the one in which some of these places are seen best."""
        return any(place.best and place.cell in cells for place in self.places)


@dataclass(frozen=True)
class PhotoView:
    """A photographed group with what people have said of it."""

    pictures: tuple[PictureView, ...]
    asked: PlaceView | None
    """What is asked about now."""
    likely: tuple[SquareAnswer, ...]
    """The answers to it, the likeliest first."""
    others: tuple[SquareAnswer, ...]
    """Everything else it could be."""
    together: tuple[PlaceView, ...]
    """Places asked about at once."""
    joint: JointQuestion | None
    """What is asked about them."""
    agreed: str
    """All corrections, with each of them as it is taken to be."""
    open: int
    """Questions that are left."""
    whole: bool
    """False while somebody has to say that this is all of it."""
    beside: bool
    """Whether more pieces lie beside it."""
    room: bool
    """Whether another photo may show the rest of it."""
    mirrored: bool
    """Whether the photo is mirrored; the pieces are told as they lie."""
    unfamiliar: bool
    """Whether so many pieces are unclear that the companion may not know this edition."""
    settled: Settled
    event: str
    """What is recorded; empty while it cannot be."""
    teaches: bool
    """Whether what people put right shows how a piece looks: a bare place does not, nor what lies there once."""
    fixes: str

    @property
    def places(self) -> Sequence[PlaceView]:
        """Every place once, where it is seen best."""
        return [place for picture in self.pictures for place in picture.places if place.best]


def photo_view(
    game: AnyGame, sight: AnyPhotoSight, taken: PhotographedGroup, table: PhotoTable, fixes: str, at: str
) -> PhotoView:
    taken = taken if sight.spreads else _stretched(taken)
    told, agreed = read_fixes(sight, fixes, taken.cells), AGREED if AGREED in fixes else ""
    squares = corrected_squares(sight, taken.shown, told)
    look = _Look(sight, table.setup.players[table.player].colour)
    pictures = tuple(
        PictureView(
            number, tuple(_places(look, taken, number, squares, told)), one.width, one.height, _view_box(one)
        )
        for number, one in enumerate(taken.pictures)
    )
    places = [place for one in pictures for place in one.places if place.best]
    order = {one.cell: number for number, one in enumerate(taken.shown.unsure)}
    open_places = sorted(
        (place for place in places if place.state == "asked"), key=lambda place: order.get(place.cell, -1)
    )
    asked = next((place for place in places if place.key == at), None)
    joint = _joint(taken.shown, open_places)
    key, together = next(
        ((key, some) for key, some in joint.items() if len(some) > 1 and not asked), ("", ())
    )
    asked = asked or next(iter(open_places), None)
    likely = _likely(sight, asked.cell, squares.get(asked.cell), taken.shown) if asked else ()
    rest = (
        [kind for kind in (*sight.choices(squares.get(asked.cell)), None) if kind not in likely]
        if asked
        else []
    )
    settled = sight.settle(taken.shown, squares, table)
    if sight.spreads and open_places:  # which may be about what would be refused
        settled = replace(settled, refused=None)
    whole = bool(agreed) or (taken.shown.alone and settled.whole)
    ready = settled.event is not None and whole and not open_places
    return PhotoView(
        pictures=pictures,
        asked=asked,
        likely=_answers(look, likely, asked, told, agreed),
        others=_answers(look, rest, asked, told, agreed),
        together=together,
        joint=sight.joint(key, len(together)) if together else None,
        agreed=write_fixes(sight, {**told, **{place.cell: squares.get(place.cell) for place in together}})
        + agreed,
        open=len(open_places) - sum(len(some) - 1 for some in joint.values()),
        whole=whole,
        beside=not taken.shown.alone,
        room=sight.spreads and len(pictures) < MOST_TOGETHER,
        mirrored=taken.shown.mirrored,
        unfamiliar=taken.shown.unfamiliar,
        settled=settled,
        event=game.write(settled.event) if ready else "",
        teaches=any(teaching(sight, squares, told)),
        fixes=write_fixes(sight, told) + agreed,
    )


def _joint(shown: AnyReading, places: Iterable[PlaceView]) -> Mapping[str, tuple[PlaceView, ...]]:
    """The open places that are asked about together, by their question."""
    asked = {one.cell: one.asked_with for one in shown.unsure}
    found: dict[str, tuple[PlaceView, ...]] = {}
    for place in places:
        if key := (asked.get(place.cell) or (EMPTY if place.face is None else "")):
            found[key] = (*found.get(key, ()), place)
    return found


def corrected_squares(sight: AnyPhotoSight, shown: AnyReading, told: Told) -> Mapping[Cell, Hashable]:
    """The squares as they were read, and as people put them right."""
    moved = {kind for kind in told.values() if kind in sight.single}
    squares: dict[Cell, Hashable | None] = {
        cell: None if kind in moved else kind for cell, kind in shown.squares.items()
    }
    squares.update(told)
    return {cell: kind for cell, kind in squares.items() if kind is not None}


def teaching(
    sight: AnyPhotoSight, squares: Mapping[Cell, Hashable], told: Told
) -> Iterator[tuple[Cell, str, int]]:
    """The places that show how a piece looks, since people said which it is: as a gallery calls it, and turned so many
    quarters."""
    for cell in told:
        if (kind := squares.get(cell)) is not None and (known := sight.teaches(kind)):
            yield cell, *known


@dataclass(frozen=True)
class _Look:
    """How kinds are called and drawn for a player."""

    sight: AnyPhotoSight
    colour: str

    def of(self, kind: Hashable | None) -> tuple[Face | None, Message]:
        if kind is None:
            return None, self.sight.nothing
        label = self.sight.label(kind)
        return self.sight.face(label, self.colour), self.sight.name(label)


def _places(
    look: _Look, taken: PhotographedGroup, photo: int, squares: Mapping[Cell, Hashable], told: Told
) -> Iterator[PlaceView]:
    unsure = {one.cell for one in taken.shown.unsure}
    for cell, corners in taken.pictures[photo].corners.items():
        kind = squares.get(cell)
        moved = kind is None and taken.shown.squares.get(cell) is not None
        state = "told" if cell in told else "asked" if cell in unsure or moved else "sure"
        place = _place(cell, *look.of(kind), state, corners)
        yield replace(place, photo=photo, best=taken.best.get(cell, photo) == photo)


def _place(cell: Cell, face: Face | None, name: Message, state: str, corners: Sequence[Point]) -> PlaceView:
    x, y = (sum(axis) / 4 for axis in zip(*corners, strict=True))
    around = zip(corners, (*corners[1:], corners[0]), strict=True)
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in around)) / 2
    outline = " ".join(f"{u:.1f},{v:.1f}" for u, v in corners)
    size = (face.width * 10, face.height * 10) if face else (1, 1)
    return PlaceView(
        cell,
        face,
        name,
        state,
        outline,
        round(x, 1),
        round(y, 1),
        round(area**0.5, 1),
        _matrix(corners, *size),
        _turn(corners),
    )


def _turn(corners: Sequence[Point]) -> int:
    """Quarters by which a place is turned clockwise; in a mirror nobody can say."""
    (x, y), (right_x, right_y), _low, (left_x, left_y) = corners
    along, down = (right_x - x, right_y - y), (left_x - x, left_y - y)
    mirrored = along[0] * down[1] < along[1] * down[0]
    return 0 if mirrored else round(degrees(atan2(along[1], along[0])) / 90) % 4


def _matrix(corners: Sequence[Point], width: float, height: float) -> str:
    """What lays an upright drawing of that size between corners that are nearly a parallelogram."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    across = (x2 + x3 - x1 - x4) / 2 / width, (y2 + y3 - y1 - y4) / 2 / width
    down = (x3 + x4 - x1 - x2) / 2 / height, (y3 + y4 - y1 - y2) / 2 / height
    left = (x1 + x2 + x3 + x4) / 4 - (across[0] * width + down[0] * height) / 2
    top = (y1 + y2 + y3 + y4) / 4 - (across[1] * width + down[1] * height) / 2
    return "matrix(" + " ".join(f"{one:.5g}" for one in (*across, *down, left, top)) + ")"


def _likely(
    sight: AnyPhotoSight, cell: Cell, kind: Hashable | None, shown: AnyReading
) -> tuple[Hashable | None, ...]:
    """What the place is taken for, what else a doubt names, what is often meant instead, what it looks like besides."""
    named = next((one.candidates for one in shown.unsure if one.cell == cell), ())
    near = sight.likely(kind) if kind is not None else ()
    return tuple(dict.fromkeys((kind, *named, *near, *shown.ranked.get(cell, ()))))[:LIKELY]


def _answers(
    look: _Look, kinds: Iterable[Hashable | None], place: PlaceView | None, told: Told, agreed: str
) -> tuple[SquareAnswer, ...]:
    if place is None:
        return ()
    return tuple(
        SquareAnswer(
            *look.of(kind),
            write_fixes(look.sight, _told_too(look.sight, told, place.cell, kind)) + agreed,
        )
        for kind in kinds
    )


def _told_too(
    sight: AnyPhotoSight, told: Told, cell: Cell, kind: Hashable | None
) -> dict[Cell, Hashable | None]:
    """What people said, with one place more; what lies there once moves, there is never a second one."""
    if kind in sight.single:
        told = {other: one for other, one in told.items() if one != kind}
    return {**told, cell: kind}


def _stretched(taken: PhotographedGroup) -> PhotographedGroup:
    """The photo a little wider or higher, so that a group seen from the side is nearly as high as wide."""
    return replace(taken, pictures=tuple(map(_stretched_picture, taken.pictures)))


def _stretched_picture(taken: PicturePlaces) -> PicturePlaces:
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    columns, rows = (len({cell[axis] for cell in taken.corners}) for axis in (0, 1))
    if columns != rows:
        return taken
    by = min(max(wide / high, 1 / STRETCH), STRETCH)
    corners = {cell: tuple((x, y * by) for x, y in known) for cell, known in taken.corners.items()}
    return replace(taken, height=round(taken.height * by), corners=corners)


def _view_box(taken: PicturePlaces) -> str:
    xs, ys = zip(*(corner for corners in taken.corners.values() for corner in corners), strict=True)
    room = ROOM * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0.0, min(xs) - room), max(0.0, min(ys) - room)
    right, bottom = min(taken.width, max(xs) + room), min(taken.height, max(ys) + room)
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
