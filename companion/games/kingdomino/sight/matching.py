"""Which domino beside the kingdoms is which of the lines: by its faces, its kings, and its place in the column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import combinations
from statistics import median

from companion.core.lattice import offset, skew
from companion.core.observation import Area
from companion.games.kingdomino.rules.position import Position, Slot
from companion.games.kingdomino.sight.seen import SURE, LooseDomino
from companion.games.kingdomino.sight.sight import SIDE

DominoesByNumber = Mapping[int, LooseDomino]
"""The dominoes of the lines, by number."""

# What makes it less likely that a domino is the one of a slot; more of it is less likely.
_NOWHERE = 100
"""Nothing is left for the slot."""
_NOT_ITS_TURN = 4
"""It is gone, but one that goes before it is not."""
_WRONG_WAY = 8
"""It lies beyond one of its line that has a higher number, or a lower one."""
_OTHER_COLUMN = 4
"""It does not lie in one column with one of its line."""
_UNCLEAR = 3
"""It looks like something else."""
_OTHERS_KING, _NO_KING = 3, 2
"""On a domino that is taken."""
_ANY_KING = 1
"""On a domino that is not taken yet."""

_AS_LIKELY = 2
"""What is so little less likely than the likeliest may be true as well."""
_MOST = 64
"""Ways that are followed at the same time."""


def lines_of(position: Position) -> tuple[Sequence[Slot], Sequence[Slot]]:
    """What is left of the line, and the next one."""
    return position.line[position.placed :], position.next_line


def in_order(position: Position, apart: Sequence[LooseDomino]) -> tuple[LooseDomino, ...]:
    """Dominoes as numbers grow on the table."""
    angle = _heading(position, apart)
    return tuple(sorted(apart, key=lambda one: _place(one.area, angle)))


def likely_assignments(position: Position, ordered: Sequence[LooseDomino]) -> tuple[DominoesByNumber, ...]:
    """Every way to tell the dominoes of the lines apart that may well be true, the likeliest first."""
    table = _Table(position, ordered)
    found: list[_Way] = [_Way()]
    for slot, line in table.slots:
        found = nsmallest(_MOST, (more for way in found for more in table.told(way, slot, line)), key=_cost)
    likely = (way for way in found if way.cost <= found[0].cost + _AS_LIKELY)
    return tuple({slot: ordered[one] for slot, one in way.which.items()} for way in likely)


@dataclass(frozen=True)
class _Way:
    cost: int = 0
    which: Mapping[int, int] = field(default_factory=dict)
    """The domino of each slot, by its place among all of them."""


def _cost(way: _Way) -> int:
    return way.cost


class _Table:
    """The dominoes that lie by themselves, beside the lines of the log."""

    def __init__(self, position: Position, ordered: Sequence[LooseDomino]) -> None:
        self._ordered = ordered
        angle = _heading(position, ordered)
        self._places = [_place(one.area, angle) for one in ordered]
        lines = lines_of(position)
        self.slots = [(slot, frozenset(one.domino for one in line)) for line in lines for slot in line]
        self._may_be = {
            slot.domino: [index for index, one in enumerate(ordered) if one.may_be(slot.domino)]
            for slot, _line in self.slots
        }

    def told(self, way: _Way, slot: Slot, line: frozenset[int]) -> Iterator[_Way]:
        """The way gone on with: each domino that may be the one of this slot, or none."""
        for one in self._may_be[slot.domino]:
            if one not in way.which.values():
                cost = way.cost + _unlikely(slot, self._ordered[one]) + self._misplaced(way, slot, one, line)
                yield _Way(cost, {**way.which, slot.domino: one})
        if self._may_lack(slot.domino):
            yield _Way(way.cost + _NOWHERE + _NOT_ITS_TURN * bool(way.which), way.which)

    def _may_lack(self, domino: int) -> bool:
        """Whether what may be this one may be another one as well."""
        mine = self._may_be[domino]
        others = {one for other, may in self._may_be.items() if other != domino for one in may}
        return not mine or bool(others.intersection(mine))

    def _misplaced(self, way: _Way, slot: Slot, one: int, line: frozenset[int]) -> int:
        """How badly it lies beside those of its line that are told already."""
        along, across = self._places[one]
        cost = 0
        for other, index in way.which.items():
            if other in line:
                there, aside = self._places[index]
                wrong = (along - there) * (slot.domino - other) < 0 and abs(along - there) > SIDE / 4
                cost += _WRONG_WAY * wrong + _OTHER_COLUMN * (abs(across - aside) > SIDE)
        return cost


def _unlikely(slot: Slot, one: LooseDomino) -> int:
    unclear = 0 if slot.domino in one.numbers else _UNCLEAR
    if slot.player is None:
        return unclear + _ANY_KING * bool(one.kings)
    if one.king_of(slot.player):
        return unclear
    return unclear + (_OTHERS_KING if one.kings else _NO_KING)


def _place(area: Area, angle: float) -> tuple[float, float]:
    """How far along the way numbers grow a domino lies, and how far to the side."""
    return offset(area.x, area.y, -angle)


def _heading(position: Position, apart: Sequence[LooseDomino]) -> float:
    """The way numbers grow on the table, in degrees clockwise from its right; downwards where nothing tells."""
    clear = [one for one in apart if one.numbers and one.confidence >= SURE]
    lines = [{slot.domino for slot in line} for line in lines_of(position)]
    steps = [step for line in lines for step in _steps(_only_of(line, lines, clear))]
    if not steps:
        steps = list(
            _steps([one for one in clear if not any(line.intersection(one.numbers) for line in lines)])
        )
    axis = median([skew(one.left.angle, 0) for one in clear] or [0.0])
    ways = [axis + turn for turn in (90, 270, 0, 180)]
    return max(ways, key=lambda way: sum(_votes(*offset(x, y, -way)) for x, y in steps))


def _votes(along: float, across: float) -> int:
    """Whether a step to a higher number speaks for a way or against it."""
    return (along > SIDE / 4) - (along < -SIDE / 4) - (abs(across) > SIDE)


def _only_of(
    line: set[int], lines: Sequence[set[int]], clear: Sequence[LooseDomino]
) -> Iterator[LooseDomino]:
    """The dominoes that are of this line, whichever of those they look like they are."""
    for one in clear:
        numbers, alike = set(one.numbers), sum(other.numbers == one.numbers for other in clear)
        if [numbers & other for other in lines if numbers & other] == [numbers & line] and alike <= len(
            numbers & line
        ):
            yield one


def _steps(line: Iterable[LooseDomino]) -> Iterator[tuple[float, float]]:
    """From every domino of a line to those with higher numbers; numbers of those that look alike follow each other."""
    for a, b in combinations(sorted(line, key=lambda one: one.numbers), 2):
        if a.numbers != b.numbers:
            yield b.area.x - a.area.x, b.area.y - a.area.y
