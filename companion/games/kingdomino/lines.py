"""Which domino beside the kingdoms is which: those of the lines, new ones, and those that should lie elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product

from companion.core.observation import Observation
from companion.games.kingdomino.pieces import DOMINOES, twins
from companion.games.kingdomino.position import Position, Slot
from companion.games.kingdomino.seen import CLEAR, Apart

_NO_KING = 2
"""How much less likely a domino is the one of a slot when the slot's king is not on it."""
_OTHER_KING = 1


@dataclass(frozen=True)
class Lines:
    """The dominoes that lie by themselves."""

    known: Mapping[int, Apart]
    """Those of the lines, by number."""
    fresh: tuple[Apart, ...]
    """Those that may have come out of the box since, in the order they lie."""
    back: Mapping[int, Apart] = field(default_factory=dict)
    """Those that lay in a kingdom, by number."""
    stray: tuple[Apart, ...] = ()
    """Those that cannot be explained."""


def find_lines(position: Position, apart: Sequence[Apart], gone: Collection[int] = ()) -> Lines:
    """Tell the dominoes apart; those that look the same go by their kings, and by their order in the line.

    Those in `gone` are not to be seen in the kingdoms the log has them in.
    """
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
    back = {domino: one for domino in sorted(gone) if (one := _taken(domino, left))}
    fresh = _out_of_the_box(position, left)
    return Lines(known, fresh, back, tuple(one for one in left if one not in fresh))


def _taken(domino: int, left: list[Apart]) -> Apart | None:
    """That domino, taken from those that are left."""
    one = next((one for one in left if domino in one.numbers), None)
    if one:
        left.remove(one)
    return one


def _out_of_the_box(position: Position, left: Sequence[Apart]) -> tuple[Apart, ...]:
    """Those that the box may have had until now."""
    box = set(box_of(position))
    found = []
    for one in left:
        number = next((number for number in one.numbers if number in box), None)
        box.discard(number or 0)
        unclear = min(one.left.confidence, one.right.confidence) < CLEAR
        if number or (unclear and any(map(one.may_be, box))):
            found.append(one)
    return tuple(found)


def box_of(position: Position) -> tuple[int, ...]:
    """The dominoes that a new line may have, as far as the log knows."""
    used = () if position.game_ended and not position.last_game else (*position.drawn, *position.removed)
    return tuple(sorted(DOMINOES.keys() - set(used)))


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
    box = set(box_of(position))
    numbers = []
    for one in fresh:
        number = next((number for number in one.numbers if number in box), None)
        if number is None:
            return None
        box.remove(number)
        numbers.append(number)
    return tuple(numbers)


def likely_lines(fresh: Sequence[Apart], position: Position, most: int) -> Iterator[tuple[int, ...]]:
    """Lines that the dominoes may be, the likeliest first, where some halves are not clear."""
    box = box_of(position)
    readings = [_readings(one, box)[:most] for one in fresh]
    found: list[tuple[int, ...]] = []
    for way in sorted(product(*readings), key=lambda way: sum(odds for odds, _one in way)):
        numbers = numbers_for([one for _odds, one in way], position)
        if numbers and numbers not in found:
            found.append(numbers)
            yield numbers
        if len(found) == most:
            return


def _readings(one: Apart, box: Sequence[int]) -> list[tuple[int, Apart]]:
    """What a domino may be, the likeliest first, each with how far it is from what was read."""
    looks = {
        (str(DOMINOES[number].left), str(DOMINOES[number].right)) for number in box if one.may_be(number)
    }
    ways = [(_odds(one.left, left) + _odds(one.right, right), left, right) for left, right in looks]
    return [(odds, one.read_as(left, right)) for odds, left, right in sorted(ways)]


def _odds(half: Observation, label: str) -> int:
    """How far another label is from what was read."""
    return 0 if label == half.label else 1 if label == half.runner_up else 3
