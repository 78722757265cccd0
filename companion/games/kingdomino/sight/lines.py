"""Which domino beside the kingdoms is which: those of the lines, new ones, and those that should lie elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from companion.core.observation import Observation
from companion.games.kingdomino.rules.pieces import DOMINOES, twins
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.matching import DominoesByNumber, in_order, likely_assignments
from companion.games.kingdomino.sight.seen import CLEAR, LooseDomino


@dataclass(frozen=True)
class LooseDominoes:
    """The dominoes that lie by themselves."""

    ways: tuple[DominoesByNumber, ...]
    """Those of the lines, in every way that may well be true; the likeliest first."""
    fresh: tuple[LooseDomino, ...]
    """Those that may have come out of the box since, in the order they lie."""
    back: Mapping[int, LooseDomino] = field(default_factory=dict)
    """Those that lay in a kingdom, by number."""
    stray: tuple[LooseDomino, ...] = ()
    """Those that cannot be explained."""

    @property
    def known(self) -> DominoesByNumber:
        """Those of the lines, most likely."""
        return self.ways[0]

    def surety(self, domino: int) -> float:
        """How sure it is that this domino of the line is not another one."""
        alike = ((other, self.known[other]) for other in twins(domino) if other in self.known)
        return min((one.confidence for other, one in alike if other not in one.numbers), default=1.0)

    def may_have_chosen(self, player: int, domino: int, position: Position) -> tuple[int, ...]:
        """The free dominoes that this king may stand on, the likeliest first: more than one among twins only."""
        free = [slot.domino for slot in position.open_line if slot.player is None]
        found = {domino: None}
        for way in self.ways:
            if not (domino in way and way[domino].king_of(player)):
                found |= dict.fromkeys(other for other in free if other in way and way[other].king_of(player))
        if self.surety(domino) < 1:
            found |= dict.fromkeys(other for other in free if other in twins(domino))
        return tuple(found)


def find_lines(position: Position, apart: Sequence[LooseDomino], gone: Collection[int] = ()) -> LooseDominoes:
    """Tell the dominoes apart; those in `gone` are not to be seen in the kingdoms the log has them in."""
    ordered = in_order(position, apart)
    ways = likely_assignments(position, ordered)
    left = [one for one in ordered if one not in ways[0].values()]
    back = {domino: one for domino in sorted(gone) if (one := _taken(domino, left))}
    fresh = _out_of_the_box(position, left)
    return LooseDominoes(ways, fresh, back, tuple(one for one in left if one not in fresh))


def _taken(domino: int, left: list[LooseDomino]) -> LooseDomino | None:
    """That domino, taken from those that are left."""
    one = next((one for one in left if domino in one.numbers), None)
    if one:
        left.remove(one)
    return one


def _out_of_the_box(position: Position, left: Sequence[LooseDomino]) -> tuple[LooseDomino, ...]:
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


def numbers_for(fresh: Sequence[LooseDomino], position: Position) -> tuple[int, ...] | None:
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


def likely_lines(fresh: Sequence[LooseDomino], position: Position, most: int) -> Iterator[tuple[int, ...]]:
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


def _readings(one: LooseDomino, box: Sequence[int]) -> list[tuple[int, LooseDomino]]:
    """What a domino may be, the likeliest first, each with how far it is from what was read."""
    looks = {
        (str(DOMINOES[number].left), str(DOMINOES[number].right)) for number in box if one.may_be(number)
    }
    ways = [(_odds(one.left, left) + _odds(one.right, right), left, right) for left, right in looks]
    return [(odds, one.read_as(left, right)) for odds, left, right in sorted(ways)]


def _odds(half: Observation, label: str) -> int:
    """How far another label is from what was read."""
    return 0 if label == half.label else 1 if label == half.runner_up else 3
