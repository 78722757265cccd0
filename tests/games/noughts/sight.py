"""How noughts and crosses looks: square tiles laid three by three, each a cross, a nought, or blank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.lattice import Cell
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Face, Observation, PlacedPiece, Proposal, Reading
from companion.core.photo import AnyReading, Lesson, PhotoTable, Settled, SimplePhotoSight
from tests.games.noughts.rules import ROWS, BoardShown, Marked, Position

SIDE = 40.0
"""Of a tile, in millimetres."""
MARKS = ("cross", "nought")
"""By player."""
BLANK = "blank"
NAMES = {"cross": _("Cross"), "nought": _("Nought"), BLANK: _("Blank")}
_EDGE = '<path d="M0 0h400v400H0z" fill="{}"/><path d="M30 30h120v20H50v100H30z" fill="#33261c"/>'
FACES = {
    label: Face(label, SIDE, SIDE, _EDGE.format(ground) + drawing)
    for label, ground, drawing in (
        (
            "cross",
            "#e6d3a7",
            '<path d="M80 80l240 240M320 80L80 320" stroke="#8c2f2b" stroke-width="60"/>'
            '<path d="M180 20h40l-20 60zM180 380h40l-20-60zM360 180v40l-50-20z" fill="#33261c"/>',
        ),
        (
            "nought",
            "#a9c5d8",
            '<circle cx="200" cy="200" r="120" fill="none" stroke="#1f4a7a" stroke-width="56"/>'
            '<path d="M185 150h30v100h-30zM330 320h40v40h-40zM30 330l40 40h-40z" fill="#33261c"/>',
        ),
        (
            BLANK,
            "#b9c8a0",
            '<path d="M60 300q60-90 120 0t120 0M60 200q60-90 120 0t120 0" stroke="#5a6b3c" stroke-width="18"'
            ' fill="none"/>'
            '<path d="M300 60l40 70h-80zM330 250l30 50h-60z" fill="#3c4a28"/>',
        ),
    )
}


# --8<-- [start:photos]
class NoughtsPhotos(SimplePhotoSight):
    """The protocol `companion.core.photo.PhotoSight`, as far as this game has something of its own to say."""

    lessons = (Lesson("all", tuple(FACES), 1, _("All tiles"), ("", "", "")),)
    labels = tuple(FACES)

    def name(self, label: str) -> Message:
        return NAMES.get(label, _("Unknown piece"))

    def face(self, label: str, colour: str = "") -> Face:  # noqa: ARG002
        return FACES[label]

    def settle(self, shown: AnyReading, squares: Mapping[Cell, Any], table: PhotoTable) -> Settled:  # noqa: ARG002
        if {*shown.ranked} != {(x, y) for x in range(3) for y in range(3)}:
            return Settled(
                None, refused=_("A board has three rows of three tiles. Drag the corners to its own.")
            )
        places = {ROWS[y][x]: label for (x, y), label in squares.items() if label in MARKS}
        marks = {square: MARKS.index(label) for square, label in places.items()}
        return Settled(BoardShown(tuple(sorted(marks.items()))))


# --8<-- [end:photos]


class NoughtsSight:
    """The protocol `companion.core.observation.Sight`."""

    faces = tuple(FACES.values())
    photos = NoughtsPhotos()

    @property
    def pieces(self) -> Mapping[str, Face]:
        return {f"{label}-{number}": face for label, face in FACES.items() for number in range(1, 10)}

    def face_of(self, label: str) -> str:
        return label if label in FACES else ""

    def arrange(self, setup: object, position: Position) -> Sequence[PlacedPiece]:  # noqa: ARG002
        return tuple(_arranged(position))

    def read(
        self,
        setup: object,  # noqa: ARG002
        position: Position,
        seen: Sequence[Observation],
        unknown: Sequence[Area] = (),  # noqa: ARG002
    ) -> Reading:
        """A tile with a mark where there was none: its player marked that square."""
        for one in seen:
            square = _square_at(one.x, one.y)
            if one.label == MARKS[position.player] and square and square not in position.marks:
                return Reading((Proposal(Marked(position.player, square), confidence=one.confidence),))
        return Reading()


def _arranged(position: Position) -> Iterator[PlacedPiece]:
    used = dict.fromkeys(FACES, 0)
    for y, row in enumerate(ROWS):
        for x, square in enumerate(row):
            owner = position.marks.get(square)
            label = BLANK if owner is None else MARKS[owner]
            used[label] += 1
            yield PlacedPiece(f"{label}-{used[label]}", label, (x - 1) * SIDE, (y - 1) * SIDE)


def _square_at(x: float, y: float) -> str:
    column, row = round(x / SIDE) + 1, round(y / SIDE) + 1
    return ROWS[row][column] if column in range(3) and row in range(3) else ""
