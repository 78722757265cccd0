"""What is seen on a table, what a game makes of it, and what lies where.

All lengths are millimetres on the table, x to the right and y down, angles in degrees clockwise; drawings of
faces are SVG in tenths of a millimetre. Confidences are 0 to 1; below 0.5 a reading is a doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import cos, radians, sin
from typing import Any, Protocol, TypeVar

from companion.core.game import Colour, Remark, Setup
from companion.core.message import Message

Position = TypeVar("Position", contravariant=True)


SURE = 0.5
"""Confidence below which people are asked."""
GLOW_MM = 12.0
"""How far the glow and the shadow of a screen reach."""


@dataclass(frozen=True)
class Area:
    """A rectangle on the table, turned or not; x grows to the right, y grows down."""

    x: float
    """Its middle, as is y."""
    y: float
    width: float
    height: float
    angle: float = 0
    """Degrees clockwise."""

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Clockwise from the upper left."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        halves = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        offsets = ((a * self.width / 2, b * self.height / 2) for a, b in halves)
        return tuple((self.x + dx * c - dy * s, self.y + dx * s + dy * c) for dx, dy in offsets)

    @property
    def lit(self) -> Area:
        """With what the glow and the shadow of a screen there reach; nothing is read in it."""
        return replace(self, width=self.width + 2 * GLOW_MM, height=self.height + 2 * GLOW_MM)


def offset_in(area: Area, x: float, y: float) -> tuple[float, float]:
    """How far a place is from the middle of an area, along the area's own sides."""
    c, s = cos(radians(area.angle)), sin(radians(area.angle))
    dx, dy = x - area.x, y - area.y
    return dx * c + dy * s, dy * c - dx * s


def bounding_box(areas: Sequence[Area], margin: float = 0) -> Area:
    """The upright rectangle around some areas."""
    xs, ys = zip(*(corner for area in areas for corner in area.corners), strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    return Area((left + right) / 2, (top + bottom) / 2, width, height)


CLOSE_MM = 25.0
"""Shown around what people are asked to look at."""


def close_up(area: Area) -> tuple[int, int, int, int]:
    """What is shown of the table for people to look at a place: left, top, right, bottom."""
    box = bounding_box([area], CLOSE_MM)
    left, top = max(0, round(box.x - box.width / 2)), max(0, round(box.y - box.height / 2))
    return left, top, round(box.x + box.width / 2), round(box.y + box.height / 2)


@dataclass(frozen=True)
class Observation:
    """One thing seen on the table."""

    label: str
    """What it is: the label of a face; empty when it is something we do not know."""
    x: float
    """Its middle, as is y."""
    y: float
    """Counted from the table's upper left corner; from its middle where a game reads it."""
    angle: float = 0
    """Degrees clockwise from upright."""
    confidence: float = 1
    """Near 1 when nothing else looks like it, near 0 when it could be anything."""
    runner_up: str = ""
    unrivalled: float = 0
    """The confidence where something else tells that it is not the runner-up."""
    usual: float = 1
    """How much it looks like its kind, in parts of what half of the flat pieces on the table do, where that tells:
    much less has what is most often another piece, printed as nobody has shown it."""

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence is between 0 and 1, not {self.confidence}")


@dataclass(frozen=True)
class Picture:
    """A face drawn as it lies on the table."""

    face: str
    """Its label."""
    angle: float = 0
    """By how many degrees it is turned clockwise."""
    unsure: bool = False
    """Whether it is what is asked about."""


@dataclass(frozen=True)
class Choice:
    """An answer to a doubt: events that are recorded one after the other when somebody gives it."""

    events: tuple[object, ...]
    """None of them when the answer is that nothing has happened."""
    text: Message | Remark | None = None
    """What the answer says, perhaps with a picture; without it, what its events say."""
    pictures: tuple[Picture, ...] = ()
    """The pieces that would lie there, in the order in which they do: labels of pieces."""


@dataclass(frozen=True)
class Proposal:
    """An event that seems to have happened, waiting for somebody to say so."""

    event: object
    area: Area | None = None
    """Where it happened, to be shown on the picture."""
    confidence: float = 1
    shown: bool = True
    """False for what a table cannot show, such as that nobody places a follower: only people can say so."""


@dataclass(frozen=True)
class Doubt:
    """A question for the people, with the answers they are most likely to give."""

    question: Message
    choices: tuple[Choice, ...]
    area: Area | None = None
    """What to look at."""
    player: int | None = None


@dataclass(frozen=True)
class Contradiction:
    """The table shows something else than the log says."""

    text: Message
    area: Area | None = None
    meant: object | None = None
    """The event of the log that does not show on the table; None when there is too much on the table."""
    lies: object | None = None
    """What that event would have to be for the table to be right; None when nothing of it is to be seen."""
    player: int | None = None
    pictures: tuple[Picture, ...] = ()
    """What is drawn beside the words: what the log says, and what lies there instead."""


@dataclass(frozen=True)
class Reading:
    """What a game makes of the table: what has happened since the log's last entry, and what is not clear."""

    proposals: tuple[Proposal, ...] = ()
    """In the order in which they happened."""
    doubts: tuple[Doubt, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    waiting: Message | None = None
    """What is still missing for the next event, such as two of four dominoes."""


Placed = TypeVar("Placed", Area, Observation)
ToldKind = TypeVar("ToldKind", Proposal, Doubt, Contradiction)


def shifted(one: Placed, dx: float, dy: float) -> Placed:
    """The same somewhere else on the table."""
    return replace(one, x=one.x + dx, y=one.y + dy)


def shifted_reading(reading: Reading, dx: float, dy: float) -> Reading:
    """The same reading with all its areas somewhere else on the table."""

    def there(one: ToldKind) -> ToldKind:
        return replace(one, area=shifted(one.area, dx, dy)) if one.area else one

    return replace(
        reading,
        proposals=tuple(map(there, reading.proposals)),
        doubts=tuple(map(there, reading.doubts)),
        contradictions=tuple(map(there, reading.contradictions)),
    )


class Pose(StrEnum):
    """How something lies or stands on a piece."""

    STANDS = "stands"
    LIES = "lies"
    DISC = "disc"
    """Which has no feet: it is put down in one way."""
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Wood:
    """A wooden figure in a player's colour, as boxes have them: a camera knows it by its wood, whoever drew it."""

    colour: Colour
    pose: Pose


@dataclass(frozen=True)
class Face:
    """How a piece, or a part of it that is told apart by itself, looks from above."""

    label: str
    width: float
    """In millimetres, as is the height."""
    height: float
    drawing: str
    """The inside of an SVG whose user units are tenths of a millimetre, from 0,0 to its lower right corner. What
    only the page draws may use symbols of the game's own sheet: `<use href="faces.svg#tile-A"/>`."""
    stands: bool = False
    """Whether it stands on other pieces, as a king stands on a domino."""
    round: bool = False
    """Whether it looks the same however it is turned."""
    ways: int = 4
    """In how many quarter turns, one after the other, it lies differently for the game: 1, 2 or 4."""
    wood: Wood | None = None
    """What it is in a real box, where its figures are of wood that is known."""


@dataclass(frozen=True)
class PlacedPiece:
    """A piece on the table."""

    piece: str
    """Which one of the box; no two pieces share a name."""
    face: str
    """The label of the face it shows."""
    x: float
    """Its middle, as is y; counted from the middle of the table where it is an arrangement."""
    y: float
    angle: float = 0


class Sight(Protocol[Position]):
    """What a game offers to be played under a camera, and on the virtual table."""

    @property
    def faces(self) -> Sequence[Face]:
        """Everything a camera has to tell apart."""
        ...

    @property
    def pieces(self) -> Mapping[str, Face]:
        """The face of everything a hand can move, by its label; often the faces themselves."""
        ...

    def arrange(self, setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        """What lies where at this position, as tidily as people would like it to; around the table's middle."""
        ...

    def read(
        self, setup: Setup, position: Position, seen: Sequence[Observation], unknown: Sequence[Area] = ()
    ) -> Reading:
        """What has happened on the table since this position; counted from the table's middle, as an arrangement is.

        Where something unknown lies, a piece may be hidden: what cannot be seen there has not happened.
        """
        ...


AnySight = Sight[Any]
