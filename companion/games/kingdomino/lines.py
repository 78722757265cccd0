"""Which domino on the table is which: those of the lines, and those that have just come out of the box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from companion.games.kingdomino.pieces import twins
from companion.games.kingdomino.position import Position, Slot
from companion.games.kingdomino.seen import Apart

_NO_KING = 2
"""How much less likely a domino is the one of a slot when the slot's king is not on it."""
_OTHER_KING = 1


@dataclass(frozen=True)
class Lines:
    """The dominoes beside the box."""

    known: Mapping[int, Apart]
    """Those of the lines, by number."""
    fresh: tuple[Apart, ...]
    """Those the log does not know, in the order they lie."""


def find_lines(position: Position, apart: Sequence[Apart]) -> Lines:
    """Tell the dominoes apart; those that look the same go by their kings, and by their order in the line."""
    slots = [*position.line[position.placed :], *position.next_line]
    down = _runs_down(position, apart)
    ordered = sorted(apart, key=lambda one: (one.area.y, one.area.x), reverse=not down)
    known: dict[int, Apart] = {}
    for numbers in {twins(slot.domino) for slot in slots}:
        alike = [one for one in ordered if one.numbers == numbers]
        known |= _matched([slot for slot in slots if slot.domino in numbers], alike)
    left = [one for one in ordered if one not in known.values()]
    for slot in (slot for slot in slots if slot.domino not in known):
        # What is not clear may well be what the log says it is.
        may_be = [one for one in left if one.may_be(slot.domino)]
        if may_be:
            known[slot.domino] = min(may_be, key=lambda one: _unlikely(slot, one))
            left.remove(known[slot.domino])
    return Lines(known, tuple(left))


def _runs_down(position: Position, apart: Sequence[Apart]) -> bool:
    """Whether numbers grow downwards on the table, judged by the dominoes of each line that have no twins."""
    heights = {one.numbers[0]: one.area.y for one in apart if len(one.numbers) == 1}
    lines = [{slot.domino for slot in line} for line in (position.line, position.next_line)]
    lines.append(heights.keys() - lines[0] - lines[1])
    pairs = (
        (heights[b] - heights[a]) * (b - a)
        for line in lines
        for a, b in product(sorted(line & heights.keys()), repeat=2)
    )
    return sum(pairs) >= 0


def _matched(slots: Sequence[Slot], alike: Sequence[Apart]) -> dict[int, Apart]:
    """The likeliest way to give dominoes that look alike to the slots of the lines."""
    count = min(len(slots), len(alike))
    ways = product(combinations(slots, count), permutations(alike, count))
    best = min(ways, key=lambda way: sum(_unlikely(*pair) for pair in zip(*way, strict=True)))
    return {slot.domino: one for slot, one in zip(*best, strict=True)}


def _unlikely(slot: Slot, one: Apart) -> int:
    if slot.player is None:
        return _OTHER_KING * bool(one.kings)
    return 0 if one.king_of(slot.player) else _NO_KING


def numbers_for(fresh: Sequence[Apart], position: Position) -> tuple[int, ...] | None:
    """Numbers for dominoes that came out of the box, twins in the order they lie; None when the box has none left."""
    used = {*position.drawn, *position.removed}
    numbers = []
    for one in fresh:
        number = next((number for number in one.numbers if number not in used), None)
        if number is None:
            return None
        used.add(number)
        numbers.append(number)
    return tuple(numbers)


def likely_lines(
    fresh: Sequence[Apart], position: Position, sure: float, most: int
) -> Iterator[tuple[int, ...]]:
    """Lines that the dominoes may be, the likeliest first, where some halves are not clear."""
    readings = [_readings(one, sure) for one in fresh]
    found: list[tuple[int, ...]] = []
    for way in product(*readings):
        numbers = numbers_for(way, position)
        if numbers and numbers not in found:
            found.append(numbers)
            yield numbers
        if len(found) == most:
            return


def _readings(one: Apart, sure: float) -> list[Apart]:
    """What a domino may be: as it was read, and with the second best reading of each half that is not clear."""
    lefts = [one.left.label, *([one.left.runner_up] if one.left.confidence < sure else [])]
    rights = [one.right.label, *([one.right.runner_up] if one.right.confidence < sure else [])]
    return [one.read_as(left, right) for left, right in product(lefts, rights)]
