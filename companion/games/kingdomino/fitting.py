"""How a domino may lie where something new is seen in a kingdom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.core.lattice import Cell, quarter
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import Area, Choice, Observation
from companion.games.kingdomino.events import DIRECTION_WORDS, DominoPlaced, Event
from companion.games.kingdomino.kingdom import STEPS, Direction, Kingdom, Placement
from companion.games.kingdomino.pieces import DOMINOES, TERRAIN_NAMES
from companion.games.kingdomino.seen import area_of

WHY = AS_IT_LIES.text
_CLOCKWISE = (Direction.EAST, Direction.SOUTH, Direction.WEST, Direction.NORTH)


@dataclass(frozen=True)
class Laid:
    """A domino found in a kingdom."""

    placement: Placement
    confidence: float
    area: Area | None


def fitting(domino: int, new: Mapping[Cell, Observation], axis: float) -> Laid | None:
    """The way the domino lies, if its two halves are seen side by side in one place only."""
    halves = DOMINOES[domino]
    found = []
    for placement in _pairs(domino, new):
        first, second = (new[cell] for cell in placement.cells)
        if (first.label, second.label) == (str(halves.left), str(halves.right)):
            way_up = _CLOCKWISE[quarter(first.angle, axis)] is placement.direction
            found.append((way_up, min(first.confidence, second.confidence), placement))
    if len({frozenset(placement.cells) for _way_up, _confidence, placement in found}) != 1:
        return None
    _best, confidence, placement = max(found)
    return Laid(placement, confidence, area_of(new[cell] for cell in placement.cells))


def _pairs(domino: int, cells: Iterable[Cell]) -> Iterator[Placement]:
    """Every way to lay it on two of these cells."""
    cells = set(cells)
    for x, y in sorted(cells):
        for direction, (dx, dy) in STEPS.items():
            if (x + dx, y + dy) in cells:
                yield Placement(domino, x, y, direction)


def pair_choices(kingdom: Kingdom, domino: int, cells: Iterable[Cell]) -> Sequence[Placement]:
    """Both ways round on the two cells, the one the rules allow first."""
    legal = set(kingdom.placements_of(domino))
    ways = sorted(_pairs(domino, cells), key=lambda way: way not in legal)
    return tuple(way if way in legal else way._replace(because=WHY) for way in ways)


def half_choices(kingdom: Kingdom, domino: int, cell: Cell) -> Sequence[Placement]:
    """The legal ways to lay it with a half in that cell."""
    return tuple(way for way in kingdom.placements_of(domino) if cell in way.cells)


def choices(player: int, ways: Iterable[Placement]) -> list[Choice]:
    return [Choice((DominoPlaced(player, way),), _told(way)) for way in ways]


def _told(way: Placement) -> Message:
    """The way a domino lies, as people round the table would say it."""
    halves = DOMINOES[way.domino]
    return _(
        "%(left)s, then %(right)s %(direction)s",
        left=TERRAIN_NAMES[halves.left.terrain],
        right=TERRAIN_NAMES[halves.right.terrain],
        direction=DIRECTION_WORDS[way.direction.value],
    )


def as_it_lies(event: Event) -> Event | None:
    """The event recorded against the rules, where that is possible."""
    match event:
        case DominoPlaced(player, placement):
            return DominoPlaced(player, placement._replace(because=WHY))
    return None
