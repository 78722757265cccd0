"""What a game adds to have photos of its table read, put right and recorded, and its box taught.

Square pieces that lie side by side are found and compared with a gallery by the house; `PhotoSight` says what their
labels mean, how they explain a picture together, what is doubtful, and what a finished table counts for.
`SimplePhotoSight` answers what small games need not say. Cells count columns and rows from the upper left place of a
group, x to the right and y down; likenesses are from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

from companion.core.game import AnyGame, Line, Setup
from companion.core.lattice import Cell, LatticeMove
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Face, Pose

Kind = TypeVar("Kind", bound=Hashable)
Corners = Sequence[tuple[float, float]]
"""Of a place in a picture, clockwise from the upper left; in pixels, unless it says otherwise."""

EMPTY = "empty"
DOUBTED = 0.49
"""The most that a place may be believed that is asked about for another reason than how it looks."""
UNFAMILIAR = 0.25
"""Part of the pieces that are asked about, from which on they may be of another edition."""


@dataclass(frozen=True)
class SentPhoto:
    """A picture, and what is known of it by who took it."""

    data: bytes = b""
    """Its file."""
    pixels: Any = None
    """What the table's camera gave instead of a file."""
    game: str = ""
    """The key of the game that the table's camera looks for."""
    lying: tuple[Corners, ...] = ()
    """The flat pieces that it sees, in widths of the picture."""

    def pieces(self, game: str, width: int) -> Sequence[Corners]:
        """Those of a game, in pixels of a picture so wide."""
        lying = self.lying if game == self.game else ()
        return [[(x * width, y * width) for x, y in corners] for corners in lying]


class GalleryRow(NamedTuple):
    """What a number of the picture speaks for."""

    label: str
    turn: int
    """Quarter turns clockwise."""


@dataclass(frozen=True)
class SeenFigure:
    """Something that stands or lies on a piece, where it touches the table."""

    cell: Cell
    """The place of the piece."""
    x: float
    """From 0 to 1 along the piece's row, as is y down its column; beyond that where it hangs over the edge."""
    y: float
    colour: str
    pose: Pose = Pose.UNCLEAR
    confidence: float = 1.0
    """That it is there and of that colour, from 0 to 1; below a half somebody is asked."""
    rival: str = ""
    """The next likely colour; empty where there is none."""
    at: tuple[float, float] = (0.0, 0.0)
    """The pixel of the picture where it touches the table."""

    @property
    def sure(self) -> bool:
        return self.confidence >= 0.5

    @property
    def place(self) -> tuple[float, float]:
        """Where it touches the table in columns and rows, the middle of the first place being 0,0."""
        return self.cell[0] + self.x - 0.5, self.cell[1] + self.y - 0.5

    def recounted(self, move: LatticeMove) -> SeenFigure:
        """The same where columns and rows are counted otherwise."""
        cell, (x, y) = move.cell(self.cell), move.place(*self.place)
        return replace(self, cell=cell, x=x - cell[0] + 0.5, y=y - cell[1] + 0.5)


@dataclass(frozen=True)
class Track:
    """A printed board beside the pieces, on which a figure of each player stands at their points.

    What is read of it is only ever proposed: a figure may have gone around before, or stand between two spaces.
    """

    gallery: str
    """What its print is found by."""
    spaces: Sequence[Corners]
    """The outline of each space, that of no points first, in sides of a piece from the board's upper left corner."""

    def space(self, x: float, y: float) -> int | None:
        """On which space a place is; None beside them, and where it may as well be the next one."""
        around = [(x, y), (x - CLOSE, y), (x + CLOSE, y), (x, y - CLOSE), (x, y + CLOSE)]
        there = {n for n, outline in enumerate(self.spaces) for place in around if is_within(outline, *place)}
        return there.pop() if len(there) == 1 else None

    def read(self, views: Iterable[Sequence[SeenFigure]]) -> Mapping[str, int]:
        """What each colour has, by what pictures show on the board, the middle of its first square being 0,0; without
        the colours of which that is not clear."""
        spaces: dict[str, set[int | None]] = {}
        for figures in views:
            standing = [
                (one.colour, self.space(*(each + 0.5 for each in one.place))) for one in figures if one.sure
            ]
            for colour, some in groupby(sorted(standing, key=lambda one: one[0]), key=lambda one: one[0]):
                on = [space for _colour, space in some]
                spaces.setdefault(colour, set()).add(on[0] if len(on) == 1 else None)
        return {
            colour: space
            for colour, seen in spaces.items()
            for space in seen
            if len(seen) == 1 and space is not None
        }


CLOSE = 0.05
"""Sides of a piece by which a figure's foot may stand elsewhere than it is seen."""


def is_within(outline: Corners, x: float, y: float) -> bool:
    """Whether a place is inside an outline."""
    inside = False
    for (left, top), (right, low) in pairwise((outline[-1], *outline)):
        if (top > y) != (low > y) and x < left + (y - top) * (right - left) / (low - top):
            inside = not inside
    return inside


class PictureDoubt(StrEnum):
    """Why somebody has to look at a place, whatever the game."""

    GALLERY_CONTRADICTS_ITSELF = "the gallery contradicts itself"
    PALE = "pale"
    COVERED = "something lies on it"
    SHIPPED_DISAGREES = "shipped gallery disagrees"


@dataclass(frozen=True)
class SeenSquares:
    """A group of places in a picture, each compared with every row of a gallery."""

    rows: Sequence[GalleryRow]
    scores: Mapping[Cell, Sequence[float]]
    """How much each place looks like each row."""
    bare: Mapping[Cell, float] = field(default_factory=dict)
    """From 0 to 1, how much it looks like bare table."""
    pale: Collection[Cell] = ()
    """Plain places that look less like pieces than all others."""
    covered: Collection[Cell] = ()
    """Places on which something seems to lie."""
    doubted: Collection[Hashable] = ()
    """Kinds of which drawings contradict each other: nobody believes what they look like."""
    table: Collection[Cell] = ()
    """Places that look like most of the table around."""
    beside: bool = False
    """Whether more pieces lie beside it, or may lie beyond the picture's edge."""
    mirrored: bool = False
    """Whether the picture is mirrored; places count as the pieces lie."""
    figures: Sequence[SeenFigure] = ()
    """What stands or lies on the pieces."""
    beyond: Collection[Cell] = ()
    """Where more may lie beside pieces that spread over the table."""
    cut: Collection[Cell] = ()
    """Places that the picture's edge cuts."""
    also: Sequence[SeenSquares] = ()
    """The same group as other pictures show it, places counted in common."""
    differing: Collection[Cell] = ()
    """Places that several pictures show otherwise."""

    @property
    def columns(self) -> int:
        return len({x for x, _y in self.scores})

    @property
    def lines(self) -> int:
        """Rows of places."""
        return len({y for _x, y in self.scores})


@dataclass(frozen=True)
class UnsureSquare(Generic[Kind]):
    """A place somebody has to look at."""

    cell: Cell
    candidates: tuple[Kind | None, ...]
    """The likeliest first; None is a place without a piece."""
    reason: str
    joint: str = ""
    """Of which question about several places it is a part, where the game has such questions."""

    @property
    def asked_with(self) -> str:
        """The same; whether places are empty is such a question in every game. Empty for a question of its own."""
        return self.joint or (EMPTY if self.candidates[:1] == (None,) else "")


@dataclass(frozen=True)
class Question(Generic[Kind]):
    """What somebody answers at once: one place, or all that are asked about together."""

    places: tuple[UnsureSquare[Kind], ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(one.cell for one in self.places)


@dataclass(frozen=True)
class SquaresReading(Generic[Kind]):
    """What a group of places shows."""

    squares: Mapping[Cell, Kind]
    unsure: tuple[UnsureSquare[Kind], ...]
    whole: bool = True
    """False where a row or column may be missing."""
    ranked: Mapping[Cell, tuple[Kind | None, ...]] = field(default_factory=dict)
    """What each place looks like, the likeliest first."""
    alone: bool = True
    """False where more pieces lie beside these: they may belong to it, or it may be somebody else's."""
    sureness: Mapping[Cell, float] = field(default_factory=dict)
    """How many times over enough speaks for each place: below 1 somebody has to look at it."""
    colour: str = ""
    """Whose it seems to be, where a piece says so."""
    mirrored: bool = False
    """Whether the picture is mirrored; the squares are as they lie."""

    def confidence(self, cell: Cell) -> float:
        """From 0 to 1; below a half where somebody has to look."""
        sureness = max(0.0, self.sureness.get(cell, 0.0))
        asked = any(one.cell == cell for one in self.unsure)
        return min(sureness / (1 + sureness), DOUBTED if asked else 1.0)

    def asking(self, more: Iterable[UnsureSquare[Kind]]) -> Self:
        """With questions about more places; one that is asked about already keeps its question."""
        known = {one.cell for one in self.unsure}
        return replace(self, unsure=(*self.unsure, *(one for one in more if one.cell not in known)))

    def doubt(self, cell: Cell, reason: str) -> UnsureSquare[Kind]:
        """A question about a place: whether it is what it is taken for, or what it looks like besides."""
        chosen = self.squares.get(cell)
        rival = next((kind for kind in self.ranked.get(cell, ()) if kind != chosen), None)
        return UnsureSquare(cell, (chosen, rival), reason)

    def doubting(self, seen: SeenSquares) -> Self:
        """With questions about what the picture itself makes doubtful."""
        reasons = {
            **dict.fromkeys(seen.pale, PictureDoubt.PALE),
            **dict.fromkeys(seen.covered, PictureDoubt.COVERED),
            **{
                cell: PictureDoubt.GALLERY_CONTRADICTS_ITSELF
                for cell, kind in self.squares.items()
                if kind in seen.doubted
            },
        }
        asked = (self.doubt(cell, reason) for cell, reason in sorted(reasons.items()) if cell in self.squares)
        alone = self.alone and not seen.beside
        return replace(self.asking(asked), alone=alone, mirrored=seen.mirrored)

    def disputed(self, sure: Mapping[Cell, Kind]) -> Self:
        """With a question wherever another reading of the same places is sure of something else."""
        taken = self.squares
        return self.asking(
            UnsureSquare(cell, (taken.get(cell), kind), PictureDoubt.SHIPPED_DISAGREES)
            for cell, kind in sure.items()
            if taken.get(cell) != kind
        )

    @property
    def questions(self) -> tuple[Question[Kind], ...]:
        """What somebody is asked, first about several places together."""
        joint: dict[str, list[UnsureSquare[Kind]]] = {}
        for one in self.unsure:
            if one.asked_with:
                joint.setdefault(one.asked_with, []).append(one)
        alone = (Question((one,)) for one in self.unsure if not one.asked_with)
        return (*(Question(tuple(places)) for places in joint.values()), *alone)

    @property
    def sure(self) -> Mapping[Cell, Kind]:
        """The squares nobody is asked about."""
        asked = {one.cell for one in self.unsure}
        return {cell: kind for cell, kind in self.squares.items() if cell not in asked}

    @property
    def colours(self) -> Sequence[str]:
        """Whose pieces are seen in it, where it is a whole table's."""
        return ()

    @property
    def unfamiliar(self) -> bool:
        """Whether so many pieces are unclear that they may be of an edition nobody has taught."""
        return sum(one.cell in self.squares for one in self.unsure) > UNFAMILIAR * len(self.squares)

    @property
    def points(self) -> int | None:
        """What it counts for; None where it cannot be counted."""
        return None

    @property
    def asks(self) -> bool:
        """Whether somebody has to look before the points count."""
        return bool(self.unsure) or not (self.whole and self.alone) or self.points is None


AnyReading = SquaresReading[Any]


@dataclass(frozen=True)
class Lesson:
    """Pieces laid close together for one photo that teaches a box, or what a picture of that name shows."""

    key: str
    """As a photo of it is called, for `companion enrol`."""
    labels: tuple[str, ...]
    """Of each square, row by row."""
    columns: int
    name: Message | str = ""
    numbers: tuple[str, ...] = ()
    """What stands beside each row."""
    cut: bool = False
    """Whether the picture ends where the pieces end; a photo has some of the table around them."""

    @property
    def rows(self) -> int:
        return len(self.labels) // self.columns

    @property
    def places(self) -> Iterator[tuple[str, int, int]]:
        """Each label with its column and row."""
        for index, label in enumerate(self.labels):
            yield label, index % self.columns, index // self.columns

    def lacking(self, known: Collection[str]) -> tuple[str, ...]:
        """Its squares of which there is no drawing yet."""
        return tuple(label for label in self.labels if label not in known)


@dataclass(frozen=True)
class PhotoTable:
    """The table that photographed pieces are counted at."""

    setup: Setup
    position: Any
    player: int = 0
    """Whose they are, where each player has their own."""
    points: tuple[int, ...] = ()
    """What each player has already, where a game keeps that on a track that the photo does not tell."""


@dataclass(frozen=True)
class ScoredBy:
    """What a script says of the table whose photo is scored."""

    colours: Sequence[str] = ()
    """Who plays, in their order; nobody said where it is empty."""
    points: Sequence[int] = ()
    """What each of them has on the track."""


@dataclass(frozen=True)
class Settled:
    """What squares amount to at a table, as they were read and as people put them right."""

    event: object | None
    """What is recorded once nothing is open; None where that cannot be."""
    points: int | None = None
    whole: bool = True
    """False while somebody has to say that this is all of it."""
    troubles: tuple[Message, ...] = ()
    """What is odd; people may record it all the same."""
    refused: Message | None = None
    """Why it cannot be recorded like this, and what to do."""
    meant: str = ""
    """An option that the table may have been meant to play by, where that would mend it."""


Reading = TypeVar("Reading", bound=AnyReading)


@dataclass(frozen=True)
class JointQuestion:
    """A question about several places, in words."""

    asked: Message
    agreed: Message
    """All of them are as they are taken to be."""
    otherwise: Message
    """What to do where one is not."""


NO_PIECE = _("Empty")


def empty_places(count: int) -> JointQuestion:
    """Whether so many places have no piece."""
    return JointQuestion(
        _n("Is this place empty?", "Are these %(count)d places empty?", count),
        _("Yes, all of them are empty"),
        _("Something lies on one of them? Tap it."),
    )


class PhotoSight(Protocol[Reading]):
    """How a game's finished table is read from photos: its labels and kinds, lessons, explanations and words.

    A kind is what counts about a piece; several labels may stand for one (every domino's wheat field is a wheat field).
    None is a place without a piece.
    """

    @property
    def lessons(self) -> Sequence[Lesson]:
        """The photos that teach a box, one after the other."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """A label of each kind of which a gallery holds drawings."""
        ...

    @property
    def single(self) -> Collection[Hashable]:
        """Kinds that lie in a group once."""
        ...

    @property
    def owned(self) -> bool:
        """Whether each group of pieces is somebody's; else there is one, and it is the table's."""
        ...

    @property
    def spreads(self) -> bool:
        """Whether pieces spread over the table, as a board that grows; else a group is a block of rows and columns."""
        ...

    @property
    def track(self) -> Track | None:
        """Where a table's points are kept, so that a photo of its pieces does not tell them; None where they do."""
        ...

    @property
    def groups(self) -> str:
        """What groups are called in JSON; empty where there is one, and it is the table's."""
        ...

    @property
    def options(self) -> frozenset[str]:
        """The options of a table that photos are counted at."""
        ...

    def kind(self, label: str) -> Hashable | None:
        """What a label stands for: a gallery's, or what people say of a place; None for no piece of this game."""
        ...

    def label(self, kind: Hashable) -> str:
        """How a place is said to show that, in letters, digits and hyphens."""
        ...

    def teaches(self, kind: Hashable) -> tuple[str, int] | None:
        """By which label a gallery learns the drawing of a place that shows this, and how many quarter turns it lies
        clockwise; None where it shows no drawing, or looks otherwise in every game."""
        ...

    def ground(self, label: str) -> Hashable:
        """What the main colour of a piece goes by: pieces of several grounds never look all alike."""
        ...

    def part(self, label: str) -> tuple[str, int] | None:
        """Of which piece of several squares it is which, counted from 0; None for a piece of one square."""
        ...

    def name(self, label: str) -> Message:
        """A piece in words."""
        ...

    def title(self, name: str) -> Message:
        """What the pieces of somebody of that name are called together."""
        ...

    def face(self, label: str, colour: str = "") -> Face:
        """How it is drawn, for a player of that colour."""
        ...

    def likely(self, kind: Hashable) -> Sequence[Hashable]:
        """What people often mean instead."""
        ...

    def choices(self, kind: Hashable | None) -> Sequence[Hashable]:
        """Everything that people may say of a place that is taken for this, or for nothing."""
        ...

    def joint(self, question: str, count: int) -> JointQuestion:
        """What is asked about so many places together."""
        ...

    @property
    def nothing(self) -> Message:
        """What is said of a place where no piece of this game lies."""
        ...

    def pictured(self, name: str) -> Lesson | None:
        """What a picture of that name shows, or None; NotationError for a piece that the box has not."""
        ...

    @property
    def unpictured(self) -> Message:
        """What may be said in such a name, for who used another one."""
        ...

    def explain(self, seen: Sequence[SeenSquares]) -> Sequence[Reading | None]:
        """What groups of one table show, each by its own rows, together with everything people have to look at;
        None where it is nothing of this game. All of them share one box."""
        ...

    def line_up(self, seen: Sequence[SeenSquares]) -> Sequence[LatticeMove | None]:
        """How places of pictures are counted as those of the first one, by the pieces that pictures of one group have
        in common; None for a picture that does not show it beyond doubt."""
        return [LatticeMove(), *(None for _other in seen[1:])]

    def settle(self, shown: Reading, squares: Mapping[Cell, Any], table: PhotoTable) -> Settled:
        """What these squares are worth at a table, `shown` as they were read."""
        ...

    def describe(
        self, shown: Reading, columns: int, rows: int, scored: ScoredBy | None, say: Say
    ) -> dict[str, Any]:
        """A group as JSON; where it is scored, with all there is to count in it."""
        ...

    def tell(self, group: Mapping[str, Any], number: int) -> Iterable[Line]:
        """That JSON for a person to read; groups are counted from 1."""
        ...


AnyPhotoSight = PhotoSight[Any]


@runtime_checkable
class ReadsPhotos(Protocol):
    """A sight whose finished tables can be read from photos."""

    @property
    def photos(self) -> AnyPhotoSight: ...


def photo_sight(game: AnyGame) -> AnyPhotoSight | None:
    """How a game is read from photos, where it is."""
    sight: object = game.sight
    return sight.photos if isinstance(sight, ReadsPhotos) else None


def face_of(game: AnyGame) -> Callable[[str], str]:
    """Which flat face a gallery's label shows: that of its name, or of its kind; empty where there is none."""
    sight, photos = game.sight, photo_sight(game)
    names = {face.label for face in sight.faces if not face.stands} if sight else set[str]()
    kinds = {photos.kind(name): name for name in sorted(names)} if photos else {}
    return lambda label: label if label in names else kinds.get(photos.kind(label), "") if photos else ""


def missing_labels(sight: AnyPhotoSight, known: Collection[str]) -> tuple[str, ...]:
    """A label of each kind of which there is no drawing at all."""
    kinds = {sight.kind(label) for label in known}
    return tuple(label for label in sight.labels if sight.kind(label) not in kinds)


def next_lesson(sight: AnyPhotoSight, key: str, known: Collection[str] = ()) -> Lesson:
    """The lesson of that name, or the next one that teaches something new."""
    asked = next((lesson for lesson in sight.lessons if lesson.key == key), None)
    return asked or next((one for one in sight.lessons if one.lacking(known)), sight.lessons[0])


@dataclass(frozen=True)
class PlainThresholds:
    """How much has to speak for a square before nobody is asked, where pieces say nothing of each other."""

    clear: float = 0.16
    """How much less another kind has to look like the picture."""
    known: float = 0.6
    """How much a square has to look like its kind."""
    shown: float = 0.3
    """Less than that is no piece."""
    explained: float = 0.6
    """Likeness that half of all places have to have, or this is nothing of the game."""


PLAIN = PlainThresholds()


class PlainDoubt(StrEnum):
    """Why somebody has to look at a place where pieces say nothing of each other."""

    NO_PIECE = "no piece is like it"
    OTHER_KIND = "another kind of square nearly as like"
    UNLIKE_ITS_KIND = "too little like its kind"


def nearest_kinds(sight: AnyPhotoSight, seen: SeenSquares) -> SquaresReading[Any] | None:
    """Every place as the kind it looks most like; None where most look like nothing in the box."""
    likeness: dict[Cell, dict[Any, float]] = {}
    kinds = [sight.kind(row.label) for row in seen.rows]
    for cell, scores in seen.scores.items():
        best: dict[Any, float] = {None: PLAIN.shown}
        for kind, score in zip(kinds, scores, strict=True):
            if kind is not None:
                best[kind] = max(best.get(kind, -1.0), score)
        likeness[cell] = dict(sorted(best.items(), key=lambda one: -one[1]))
    tops = sorted(max(of.values()) for of in likeness.values())
    if not tops or tops[len(tops) // 2] <= PLAIN.explained:
        return None
    ranked = {cell: tuple(of) for cell, of in likeness.items()}
    squares = {cell: kind for cell, (kind, *_rest) in ranked.items() if kind is not None}
    weakest = {cell: _weakest(*list(of.items())[:2]) for cell, of in likeness.items()}
    unsure = tuple(
        UnsureSquare(cell, ranked[cell][:2], reason) for cell, (sure, reason) in weakest.items() if sure < 1
    )
    sureness = {cell: sure for cell, (sure, _reason) in weakest.items()}
    return SquaresReading(squares, unsure, ranked=ranked, sureness=sureness).doubting(seen)


def _weakest(
    first: tuple[Hashable, float], second: tuple[Hashable, float] = (None, 0.0)
) -> tuple[float, str]:
    if first[0] is None:
        return 0.0, PlainDoubt.NO_PIECE
    apart = (first[1] - second[1]) / PLAIN.clear, PlainDoubt.OTHER_KIND
    return min(apart, (first[1] / PLAIN.known, PlainDoubt.UNLIKE_ITS_KIND))


class SimplePhotoSight(PhotoSight[AnyReading]):
    """The parts of `PhotoSight` that have an answer for most small games; override what has another.

    To be said: `lessons`, `labels`, `name`, `face` and `settle`. Each label is a kind of its own then, and every place
    is taken for the kind it looks most like.
    """

    labels: Sequence[str] = ()
    single: Collection[Hashable] = ()
    owned = False
    spreads = False
    track: Track | None = None
    groups = "groups"
    options: frozenset[str] = frozenset()

    def kind(self, label: str) -> Hashable | None:
        return label if label in self.labels else None

    def label(self, kind: Hashable) -> str:
        return str(kind)

    def teaches(self, kind: Hashable) -> tuple[str, int] | None:
        return None if kind in self.single else (self.label(kind), 0)

    def ground(self, label: str) -> Hashable:
        return self.kind(label)

    def part(self, label: str) -> tuple[str, int] | None:  # noqa: ARG002
        return None

    def title(self, name: str) -> Message:
        return _("Pieces of %(name)s", name=name)

    def likely(self, kind: Hashable) -> Sequence[Hashable]:  # noqa: ARG002
        return ()

    def choices(self, kind: Hashable | None) -> Sequence[Hashable]:  # noqa: ARG002
        return [known for label in self.labels if (known := self.kind(label)) is not None]

    nothing = NO_PIECE

    def joint(self, question: str, count: int) -> JointQuestion:  # noqa: ARG002
        return empty_places(count)

    def pictured(self, name: str) -> Lesson | None:
        if self.kind(name) is not None:
            return Lesson(name, (name,), 1, cut=True)
        return next((lesson for lesson in self.lessons if lesson.key == name), None)

    @property
    def unpictured(self) -> Message:
        keys = ", ".join([*(lesson.key for lesson in self.lessons), *self.labels])
        return _("a picture is called by what it shows, one of: %(names)s.", names=keys)

    def explain(self, seen: Sequence[SeenSquares]) -> Sequence[AnyReading | None]:
        return [nearest_kinds(self, one) for one in seen]

    def describe(
        self,
        shown: AnyReading,
        columns: int,
        rows: int,
        scored: ScoredBy | None,  # noqa: ARG002
        say: Say,  # noqa: ARG002
    ) -> dict[str, Any]:
        grid = [
            [
                {
                    "label": self.label(kind) if (kind := shown.squares.get((x, y))) is not None else EMPTY,
                    "confidence": round(shown.confidence((x, y)), 3),
                }
                for x in range(columns)
            ]
            for y in range(rows)
        ]
        doubts = [
            {"cells": [list(cell) for cell in one.cells], "reason": str(one.places[0].reason)}
            for one in shown.questions
        ]
        return {"grid": grid, "score": shown.points, "doubts": doubts}

    def tell(self, group: Mapping[str, Any], number: int) -> Iterable[Line]:  # noqa: ARG002
        for row in group["grid"]:
            yield (" ", " ".join(f"{one['label']}{'' if one['confidence'] > 0.5 else '?'}" for one in row))
