"""What is drawn over the camera's picture: an outline for everything seen, proposed, asked about or odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.core.lattice import offset
from companion.core.observation import Area, Face, Observation
from companion.core.session import Session
from companion.watch.state import Status, WatchState

UNKNOWN_MM = 40
"""How large something is drawn of which only the middle is known."""
MARK_ABOVE_MM = 14
"""How far above an outline its mark stands."""
TOP_MM = 80
"""Marks of what lies nearer to the upper edge stand below it."""


class OutlineKind(StrEnum):
    """What an outline says; each has a line of its own besides its colour."""

    SEEN = "seen"
    PROPOSED = "proposed"
    DOUBTED = "doubted"
    CONTRADICTED = "contradicted"
    LATER = "later"
    """Contradicted as well, and not looked at now."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outline:
    """One shape over the picture, in millimetres."""

    kind: OutlineKind
    corners: str
    """As SVG lists points."""
    x: float
    """Where its mark stands, as is y."""
    y: float
    below: bool = False
    """Whether the mark stands below, for want of room above."""
    mark: str = ""


def outlines(session: Session, watch: WatchState, marks: Sequence[str], odd: int = 0) -> tuple[Outline, ...]:
    """Everything to be drawn, what matters most last; `marks` are the proposals', `odd` is looked at."""
    reading = watch.reading
    drawn = [
        *_recognised(session, watch),
        *_all(OutlineKind.UNKNOWN, watch.unknown),
    ]
    if watch.seq == session.seq and watch.status is not Status.PAUSED:
        proposed = zip(reading.proposals, marks, strict=True)
        drawn += [outline(OutlineKind.PROPOSED, p.area, mark) for p, mark in proposed if p.area]
        drawn += [outline(OutlineKind.DOUBTED, doubt.area, "?") for doubt in reading.doubts if doubt.area]
    areas = [found.area for found in reading.contradictions]
    drawn += _all(OutlineKind.LATER, (area for number, area in enumerate(areas) if area and number != odd))
    drawn += [outline(OutlineKind.CONTRADICTED, area, "!") for area in areas[odd : odd + 1] if area]
    return tuple(drawn)


def outline(kind: OutlineKind, area: Area, mark: str = "") -> Outline:
    corners = area.corners
    top, bottom = min(y for _x, y in corners), max(y for _x, y in corners)
    below = top < TOP_MM
    y = bottom + MARK_ABOVE_MM if below else top - MARK_ABOVE_MM
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return Outline(kind, points, round(area.x, 1), round(y, 1), below, mark)


def _all(kind: OutlineKind, areas: Iterable[Area]) -> list[Outline]:
    return [outline(kind, area) for area in areas]


def _recognised(session: Session, watch: WatchState) -> Iterator[Outline]:
    sight = session.game.sight
    faces = {face.label: face for face in (*sight.faces, *sight.pieces.values())} if sight else {}
    for seen in watch.seen:
        face = faces.get(seen.label)
        found = outline(OutlineKind.SEEN, _area(seen, face))
        yield replace(found, corners=_corners(seen, face)) if face and face.outline else found


def _corners(seen: Observation, face: Face) -> str:
    """Of a piece that is no rectangle, as SVG lists points."""
    turned = (offset(x, y, seen.angle) for x, y in face.outline)
    return " ".join(f"{seen.x + x:.1f},{seen.y + y:.1f}" for x, y in turned)


def _area(seen: Observation, face: Face | None) -> Area:
    width, height = (face.width, face.height) if face else (UNKNOWN_MM, UNKNOWN_MM)
    return Area(seen.x, seen.y, width, height, seen.angle)
