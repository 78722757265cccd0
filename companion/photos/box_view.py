"""What the page shows of a box: what to lay down, what was seen, every piece with its drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.message import Message
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.sight.lessons import PIECES, Lesson, LessonSquare, lesson_square

if TYPE_CHECKING:
    from calibration.plane import Pixels
    from companion.vision.gallery.box import Box


@dataclass(frozen=True, eq=False)
class LessonPhoto:
    """The pieces of one photo, cut out, before the box learns them."""

    lesson: Lesson
    squares: tuple[Pixels, ...]
    complaints: tuple[Message, ...]
    """What is wrong with the photo, and what to do; it is not learned then."""
    since: float


@dataclass(frozen=True)
class LessonStep:
    """One photo of those to take."""

    lesson: Lesson
    lacking: int
    """Squares of it that have no drawing yet."""


@dataclass(frozen=True)
class TaughtPiece:
    """A piece of the box with all its drawings."""

    part: LessonSquare
    drawings: tuple[int, ...]

    @property
    def label(self) -> str:
        return self.part.label

    @property
    def name(self) -> Message:
        return self.part.name


@dataclass(frozen=True)
class LookAlikes:
    """Two pieces of different kinds that look too much alike."""

    one: TaughtPiece
    other: TaughtPiece


@dataclass(frozen=True)
class BoxView:
    """A box as the page shows it."""

    name: str
    title: str
    used: bool
    """Whether photos are read by it."""
    boxes: Sequence[tuple[str, str]]
    """Every box by its file's name and by what people call it."""
    steps: Sequence[LessonStep]
    lesson: Lesson
    """What to lay down next."""
    missing: Sequence[Square]
    twins: Sequence[LookAlikes]
    pieces: Sequence[TaughtPiece]
    drawings: int
    laid: LessonPhoto | None
    strange: Sequence[int]
    """Dominoes of the photo that look like others which the box knows."""
    stamp: int
    """Changes when the box does, so that no browser shows old drawings."""

    @property
    def known(self) -> int:
        """Drawings of the pieces to lay down."""
        return sum(len(piece.drawings) for piece in self.pieces if piece.label in self.lesson.labels)

    @property
    def done(self) -> int:
        return sum(not step.lacking for step in self.steps)


@dataclass(frozen=True)
class UnreadableBox:
    """A box whose file cannot be read, with the others beside it."""

    name: str
    boxes: Sequence[tuple[str, str]]
    """Every box by its file's name and by what people call it."""
    lost: bool
    """Whether it can only be forgotten; else it can be read another time."""


def taught_pieces(box: Box) -> dict[str, TaughtPiece]:
    """The pieces of a box by their labels, in the order in which they are laid down."""
    return {label: _piece(box, label) for label in sorted(box.known, key=_order)}


def _piece(box: Box, label: str) -> TaughtPiece:
    return TaughtPiece(
        lesson_square(label), tuple(index for index, known in enumerate(box.labels) if known == label)
    )


def _order(label: str) -> tuple[int, str]:
    return (PIECES.index(label) if label in PIECES else len(PIECES)), label
