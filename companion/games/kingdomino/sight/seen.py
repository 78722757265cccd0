"""What lies on the table, sorted: kingdoms square by square, dominoes lying by themselves, and kings on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot

from companion.core.game import Setup
from companion.core.lattice import Cell, join_neighbours, offset, skew
from companion.core.observation import Area, Observation, bounding_box
from companion.games.kingdomino.rules.pieces import DOMINOES, SQUARES, Square
from companion.games.kingdomino.sight.home import castle_of
from companion.games.kingdomino.sight.sight import SIDE

SQUARE_LABELS: Mapping[str, Square] = {str(square): square for square in SQUARES}

SURE = 0.5
"""Confidence below which people are asked."""
CLEAR = 0.7
"""Confidence from which a square is believed to be something else than the log says."""
_STRAIGHT = 20.0
"""How far two halves of one domino may seem turned against each other, in degrees."""


@dataclass(frozen=True)
class LooseDomino:
    """A domino lying by itself, left half first."""

    left: Observation
    right: Observation
    kings: tuple[tuple[int, Observation], ...] = ()
    """The kings that stand on it, each with its player."""

    @property
    def area(self) -> Area:
        x, y = (self.left.x + self.right.x) / 2, (self.left.y + self.right.y) / 2
        return Area(x, y, 2 * SIDE, SIDE, self.left.angle)

    @property
    def confidence(self) -> float:
        return min(self.left.confidence, self.right.confidence)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dominoes that look like this."""
        return numbers_of(self.left.label, self.right.label)

    def may_be(self, number: int) -> bool:
        """Whether nothing that is clear speaks against its being this domino."""
        halves = DOMINOES[number]
        pairs = ((self.left, halves.left), (self.right, halves.right))
        return all(seen.label == str(half) or seen.confidence < CLEAR for seen, half in pairs)

    def read_as(self, left: str, right: str) -> LooseDomino:
        """The same domino, had its halves been read so."""
        return replace(self, left=replace(self.left, label=left), right=replace(self.right, label=right))

    def king_of(self, player: int) -> Observation | None:
        return next((king for owner, king in self.kings if owner == player), None)


@dataclass(frozen=True)
class RegisteredTable:
    """The table as a camera shows it."""

    kingdoms: tuple[Mapping[Cell, Observation] | None, ...]
    """The squares of each player's kingdom around the castle, which is not among them; None without a castle."""
    castles: tuple[Observation | None, ...]
    homes: tuple[Observation | None, ...]
    """The castles, or something without a label where a kingdom lies without its castle."""
    apart: tuple[LooseDomino, ...]
    single: tuple[Observation, ...]
    """Squares that belong to nothing."""
    unknown: tuple[Area, ...] = ()
    """Where something lies that is no piece, and that may hide some."""

    def hides(self, area: Area, margin: float = 0) -> bool:
        """Whether something unknown lies over this area, or no farther from it than that."""
        wide = replace(area, width=area.width + 2 * margin, height=area.height + 2 * margin)
        return any(_overlap(wide, one) for one in self.unknown)

    def axis(self, player: int) -> float:
        """How the kingdom of a player is turned on the table."""
        home = self.homes[player]
        return home.angle if home else 0


@lru_cache(maxsize=1024)
def numbers_of(left: str, right: str) -> tuple[int, ...]:
    """The dominoes with these halves, the lowest number first."""
    return tuple(
        number
        for number, domino in sorted(DOMINOES.items())
        if (str(domino.left), str(domino.right)) == (left, right)
    )


def square_area(seen: Observation) -> Area:
    return Area(seen.x, seen.y, SIDE, SIDE, seen.angle)


def _overlap(a: Area, b: Area) -> bool:
    """Whether two rectangles share ground: no side of either one keeps them apart."""
    for angle in (a.angle, b.angle):
        ours, theirs = ([offset(x, y, -angle) for x, y in one.corners] for one in (a, b))
        for side in (0, 1):
            low, high = min(at[side] for at in ours), max(at[side] for at in ours)
            if high < min(at[side] for at in theirs) or low > max(at[side] for at in theirs):
                return False
    return True


def area_of(seen: Iterable[Observation]) -> Area | None:
    """The ground that some squares cover."""
    areas = [square_area(one) for one in seen]
    if len(areas) == 2 and abs(skew(areas[0].angle, areas[1].angle)) < _STRAIGHT:
        a, b = areas
        flat = abs(offset(b.x - a.x, b.y - a.y, -a.angle)[0]) > SIDE / 2
        width, height = (2 * SIDE, SIDE) if flat else (SIDE, 2 * SIDE)
        return Area((a.x + b.x) / 2, (a.y + b.y) / 2, width, height, a.angle)
    return bounding_box(areas) if areas else None


def ground_of(seen: Iterable[Observation], axis: float) -> Area:
    """The rectangle around some squares that is turned as they are."""
    upright = (_swung(square_area(one), -axis) for one in seen)
    return _swung(bounding_box(tuple(upright)), axis)


def _swung(area: Area, angle: float) -> Area:
    x, y = offset(area.x, area.y, angle)
    return replace(area, x=x, y=y, angle=area.angle + angle)


def sort_out(
    setup: Setup,
    known: Sequence[Mapping[Cell, Square]],
    seen: Sequence[Observation],
    unknown: Sequence[Area] = (),
) -> RegisteredTable:
    """Who has what; `known` are the squares each kingdom should have."""
    squares = [one for one in seen if one.label in SQUARE_LABELS]
    castles = tuple(_one(seen, f"castle-{player.colour}") for player in setup.players)
    homes = tuple(castle_of(castle, cells, squares) for castle, cells in zip(castles, known, strict=True))
    kingdoms: list[Mapping[Cell, Observation] | None] = []
    for home, cells in zip(homes, known, strict=True):
        if home is None:
            kingdoms.append(None)
            continue
        grown = dict(join_neighbours(home, squares, SIDE, cells))
        del grown[0, 0]
        squares = [one for one in squares if one not in grown.values()]
        kingdoms.append(grown)
    apart, single = _pair(squares)
    kings = [
        (number, one)
        for number, player in enumerate(setup.players)
        for one in seen
        if one.label == f"king-{player.colour}"
    ]
    crowned = tuple(_crowned(domino, kings) for domino in apart)
    return RegisteredTable(tuple(kingdoms), castles, homes, crowned, single, tuple(unknown))


def _one(seen: Iterable[Observation], label: str) -> Observation | None:
    return max((one for one in seen if one.label == label), key=lambda one: one.confidence, default=None)


def _pair(squares: Sequence[Observation]) -> tuple[tuple[LooseDomino, ...], tuple[Observation, ...]]:
    """Squares that lie side by side as the halves of a domino do, the best fitting pairs first."""
    pairs = sorted(
        (misfit, a, b)
        for a, left in enumerate(squares)
        for b, right in enumerate(squares)
        if a != b and (misfit := _misfit(left, right)) is not None
    )
    taken: set[int] = set()
    found = []
    for _misfit_mm, a, b in pairs:
        if not {a, b} & taken:
            taken |= {a, b}
            found.append(LooseDomino(squares[a], squares[b]))
    return tuple(found), tuple(one for index, one in enumerate(squares) if index not in taken)


def _misfit(left: Observation, right: Observation) -> float | None:
    """How far in millimetres the second square is from being the right half of the first; None when it is none."""
    turned = abs((left.angle - right.angle + 180) % 360 - 180)
    dx, dy = offset(right.x - left.x, right.y - left.y, -left.angle)
    away = hypot(dx - SIDE, dy)
    return away if turned < _STRAIGHT and away < SIDE / 4 else None


def _crowned(domino: LooseDomino, kings: Iterable[tuple[int, Observation]]) -> LooseDomino:
    on_it = []
    for player, king in kings:
        dx, dy = offset(king.x - domino.area.x, king.y - domino.area.y, -domino.left.angle)
        if abs(dx) <= SIDE and abs(dy) <= SIDE / 2:
            on_it.append((player, king))
    return LooseDomino(domino.left, domino.right, tuple(on_it))
