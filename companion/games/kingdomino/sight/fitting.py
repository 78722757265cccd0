"""How a domino may lie where something new is seen in a kingdom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.core.lattice import Cell, quarter
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import Area, Choice, Observation
from companion.games.kingdomino.rules.events import DIRECTION_WORDS, DominoPlaced
from companion.games.kingdomino.rules.kingdom import STEPS, Direction, Kingdom, Placement
from companion.games.kingdomino.rules.pieces import DOMINOES, TERRAIN_NAMES
from companion.games.kingdomino.sight.seen import CLEAR, area_of
from companion.games.kingdomino.sight.sight import TURNS

Squares = Mapping[Cell, Observation]

AGAINST_THE_RULES = AS_IT_LIES.text
_CLOCKWISE = (Direction.EAST, Direction.SOUTH, Direction.WEST, Direction.NORTH)


@dataclass(frozen=True)
class PlacementSeen:
    """A domino found in a kingdom."""

    placement: Placement
    confidence: float
    area: Area | None


def find_placement(domino: int, new: Squares, axis: float) -> PlacementSeen | None:
    """The way the domino lies, if its two halves are seen side by side in one place only."""
    found = []
    for placement in _placements_on(domino, new):
        first, second = (new[cell] for cell in placement.cells)
        if not _misread(placement, new):
            way_up = _CLOCKWISE[quarter(first.angle, axis)] is placement.direction
            found.append((way_up, min(first.confidence, second.confidence), placement))
    if len({frozenset(placement.cells) for _way_up, _confidence, placement in found}) != 1:
        return None
    _best, confidence, placement = max(found)
    return PlacementSeen(placement, confidence, area_of(new[cell] for cell in placement.cells))


def _placements_on(domino: int, cells: Iterable[Cell]) -> Iterator[Placement]:
    """Every way to lay it on two of these cells."""
    cells = set(cells)
    for x, y in sorted(cells):
        for direction, (dx, dy) in STEPS.items():
            if (x + dx, y + dy) in cells:
                yield Placement(domino, x, y, direction)


def _misread(way: Placement, new: Squares) -> int:
    """How many of its squares look like something else."""
    halves = zip(way.cells, DOMINOES[way.domino][1:], strict=True)
    return sum(cell in new and new[cell].label != str(half) for cell, half in halves)


def _possible(way: Placement, new: Squares) -> bool:
    """Whether nothing that is clear speaks against its lying so."""
    halves = zip(way.cells, DOMINOES[way.domino][1:], strict=True)
    seen = [(new[cell], half) for cell, half in halves if cell in new]
    return all(one.label == str(half) or one.confidence < CLEAR for one, half in seen)


def possible_placements(kingdom: Kingdom, domino: int, new: Squares) -> Sequence[Placement]:
    """How the domino may lie by what is seen: what the rules allow first, then what looks most like it.

    With one half seen, only what the rules allow: nobody knows where the other one is.
    """
    legal = kingdom.placements_of(domino)
    where = (
        _placements_on(domino, new) if len(new) > 1 else (way for way in legal if new.keys() & set(way.cells))
    )
    found = [way for way in where if _possible(way, new)]
    found.sort(key=lambda way: (way not in legal, _misread(way, new)))
    looks: dict[frozenset[tuple[Cell, str]], Placement] = {}
    for way in found:
        looks.setdefault(_appearance(way), way if way in legal else against_the_rules(way))
    return tuple(looks.values())


def _appearance(way: Placement) -> frozenset[tuple[Cell, str]]:
    """What would be seen of it: a domino whose halves are alike looks the same either way round."""
    return frozenset(zip(way.cells, map(str, DOMINOES[way.domino][1:]), strict=True))


def against_the_rules(way: Placement) -> Placement:
    return way._replace(because=AGAINST_THE_RULES)


def placement_choices(player: int, ways: Iterable[Placement], axis: float) -> list[Choice]:
    return [Choice((DominoPlaced(player, way),), _direction_told(way, axis)) for way in ways]


def _direction_told(way: Placement, axis: float) -> Message:
    """The way a domino lies; people sit around the table, so what is left and right is so in the picture."""
    halves = DOMINOES[way.domino]
    direction = _CLOCKWISE[quarter(TURNS[way.direction] + axis, 0)]
    lies = _(
        "In the picture: %(left)s, then %(right)s %(direction)s",
        left=TERRAIN_NAMES[halves.left.terrain],
        right=TERRAIN_NAMES[halves.right.terrain],
        direction=DIRECTION_WORDS[direction.value],
    )
    return _("%(lies)s, against the rules", lies=lies) if way.because else lies
