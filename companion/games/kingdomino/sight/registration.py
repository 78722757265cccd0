"""The table as it is seen, sorted.

Kingdoms square by square, dominoes by themselves with the kings on them, and which is which.

`sort_out` turns observations (millimetres, degrees clockwise) into a `RegisteredTable`; `find_lines` says
which loose domino is which of the lines, by its faces, its kings and its place in the column;
`find_placement` how a domino lies in a kingdom. Nothing here judges whether the log agrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations, product
from math import atan2, degrees, hypot
from statistics import median
from typing import Any

from companion.core.game import Setup
from companion.core.lattice import Cell, join_neighbours, offset, quarter, skew
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import SURE, Area, Choice, Observation, bounding_box
from companion.games.kingdomino.rules.events import DIRECTION_WORDS, DominoPlaced
from companion.games.kingdomino.rules.kingdom import HOME, STEPS, Direction, Kingdom, Placement
from companion.games.kingdomino.rules.pieces import DOMINOES, SQUARES, TERRAIN_NAMES, Square, twins
from companion.games.kingdomino.rules.position import Position, Slot
from companion.games.kingdomino.sight.layout import SIDE, TURNS

CellLabels = Mapping[Cell, str]

SQUARE_LABELS: Mapping[str, Square] = {str(square): square for square in SQUARES}

STANDING = "a castle that stands"
"""Of no face: whose such a castle is, nobody sees from above."""
_CASTLE_MM = SIDE / 2, 1.5 * SIDE
"""How small and how large a castle seems that stands on its tile."""
_FEWEST = 4
"""Squares that are needed to tell a kingdom by them."""
_ENOUGH = 0.6
"""How much of a kingdom has to show before it is believed to lie somewhere else than around its castle."""
_PAIR = 2
"""Squares that are enough to tell a kingdom around a place that may be its castle's."""
_NEAR = 0.6 * SIDE
_ANCHORS = 3


def castle_of(
    castle: Observation | None,
    known: Mapping[Cell, Square],
    squares: Sequence[Observation],
    standing: Sequence[Observation] = (),
) -> Observation | None:
    """The castle, or the place where it should be by the squares of the log: under what may be a castle that stands on
    it, or, without a label, elsewhere than where it is seen."""
    labels = {cell: str(square) for cell, square in known.items() if cell != HOME}
    if castle is None or castle.confidence < SURE:
        if under := _best(_turned_about(standing), labels, squares):
            return under
        # What is not clear may be another one's, until the log says that one lies there.
        castle = castle if labels else None
    around = _matches(castle, labels, squares) if castle else 0
    if len(labels) < _FEWEST or 2 * around >= len(labels):
        return castle
    return _best(_guesses(labels, squares), labels, squares, around) or castle


def _best(
    homes: Iterable[Observation], labels: CellLabels, squares: Sequence[Observation], least: int = _PAIR
) -> Observation | None:
    """The first home that the most of these squares lie around, if they are enough."""
    counted = ((_matches(one, labels, squares), -number, one) for number, one in enumerate(homes))
    found, _number, home = max(counted, default=(0, 0, None))
    return home if found >= max(_ENOUGH * len(labels), least) else None


def _turned_about(homes: Iterable[Observation]) -> Iterator[Observation]:
    return (replace(one, angle=one.angle + turn) for one in homes for turn in range(0, 360, 90))


def castle_places(seen: Sequence[Observation], unknown: Sequence[Area]) -> Iterator[Observation]:
    """Places beside squares where something lies that may be a castle standing on its tile, the likeliest first: a
    thing that is no piece and as large as one; then what looks a little like some piece."""
    things = [one for one in unknown if _CASTLE_MM[0] <= min(one.width, one.height)]
    places = [(one.x, one.y) for one in things if max(one.width, one.height) <= _CASTLE_MM[1]]
    places += [(one.x, one.y) for one in seen if one.confidence < SURE]
    clear = [one for one in seen if one.label in SQUARE_LABELS and one.confidence >= SURE]
    beside = [
        Observation(STANDING, one.x + dx, one.y + dy, one.angle, 0)
        for one in clear
        for turn in range(0, 360, 90)
        for dx, dy in (offset(SIDE, 0, one.angle + turn),)
    ]
    free = [home for home in beside if not any(_same_place(one, home) for one in clear)]
    for x, y in places:
        home = min(free, key=lambda one: hypot(one.x - x, one.y - y), default=None)
        if home and hypot(home.x - x, home.y - y) < SIDE / 2:
            yield home


def _guesses(labels: CellLabels, squares: Sequence[Observation]) -> Iterator[Observation]:
    """Where the castle would be, judged by the squares that there are the fewest of."""
    counts = Counter(one.label for one in squares)
    rare = sorted((counts[label], cell) for cell, label in labels.items() if counts[label])
    for _count, cell in rare[:_ANCHORS]:
        for one in squares:
            if one.label == labels[cell]:
                for turn in range(0, 360, 90):
                    dx, dy = offset(cell[0] * SIDE, cell[1] * SIDE, one.angle + turn)
                    yield Observation("", one.x - dx, one.y - dy, one.angle + turn, 0)


def _matches(home: Observation, labels: CellLabels, squares: Sequence[Observation]) -> int:
    """How many squares lie where they would around that place."""
    found = 0
    for (column, row), label in labels.items():
        dx, dy = offset(column * SIDE, row * SIDE, home.angle)
        found += any(
            one.label == label and hypot(one.x - home.x - dx, one.y - home.y - dy) < _NEAR for one in squares
        )
    return found


_LIKELY = 0.15
"""Confidence from which what is expected needs no more than its other half to be clear."""
CLEAR = 0.7
"""Confidence from which a square is believed to be something else than the log says."""
_STRAIGHT = 20.0
"""How far two halves of one domino may seem turned against each other, in degrees."""
_DOUBTED = 0.3
"""Confidence in a domino whose halves may belong to others, or of which one may be misread."""
_TURNED_MM, _STRANGERS_MM = 4.0, 9.0
"""What speaks against a pair beside the place of its halves: a half that seems turned otherwise, and no such domino."""


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

    def among(self, squares: Iterable[Observation]) -> bool:
        """Whether one of these squares is a half of it, whichever way that seems to lie."""
        halves = {(half.x, half.y) for half in (self.left, self.right)}
        return any((one.x, one.y) in halves for one in squares)

    def king_of(self, player: int) -> Observation | None:
        return next((king for owner, king in self.kings if owner == player), None)


@dataclass(frozen=True)
class StandingCastle:
    """What may be a castle that stands on its tile, with the squares around it; they are around no other such thing."""

    home: Observation
    squares: Mapping[Cell, Observation]

    @property
    def area(self) -> Area | None:
        return area_of((self.home, *self.squares.values()))


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
    unclaimed: tuple[StandingCastle, ...] = ()
    """Those of which nothing tells whose they are."""

    def hides(self, area: Area, margin: float = 0) -> bool:
        """Whether something unknown lies over this area, or no farther from it than that."""
        wide = replace(area, width=area.width + 2 * margin, height=area.height + 2 * margin)
        return any(_overlap(wide, one) for one in self.unknown)

    def claimed(self, player: int, castle: StandingCastle) -> RegisteredTable:
        """The same, were it this player's castle."""
        home, own = castle.home, castle.squares

        def with_own(all_of: Sequence[Any], one: object) -> tuple[Any, ...]:
            return (*all_of[:player], one, *all_of[player + 1 :])

        return replace(
            self,
            kingdoms=with_own(self.kingdoms, own),
            castles=with_own(self.castles, home),
            homes=with_own(self.homes, home),
            apart=tuple(one for one in self.apart if not one.among(own.values())),
            single=tuple(
                one for one in self.single if one not in own.values() and not _same_place(one, home)
            ),
            unknown=tuple(one for one in self.unknown if not _same_place(one, home)),
        )

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
    last_first: bool = False,
) -> RegisteredTable:
    """Who has what; `known` are the squares each kingdom should have.

    Of castles that stand and have the same squares around them, the first player has the first; or the last.
    """
    places = list(castle_places(seen, unknown))
    flat = [_one(seen, f"castle-{player.colour}") for player in setup.players]
    castles, homes = list(flat), list(flat)
    players = range(len(setup.players))
    for player in reversed(players) if last_first else players:
        squares = [one for one in seen if one.label in SQUARE_LABELS]
        home = homes[player] = castle_of(flat[player], known[player], squares, places)
        if home is None:
            castles[player] = None
        elif home.label == STANDING:
            castles[player] = home
            places = [one for one in places if not _same_place(one, home)]
            unknown = [one for one in unknown if not _same_place(one, home)]
            seen = [one for one in seen if one.confidence >= SURE or not _same_place(one, home)]
    squares = [one for one in seen if one.label in SQUARE_LABELS]
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
    left = [one for one in seen if one in squares or one.label not in SQUARE_LABELS]
    unclaimed = tuple(_unclaimed(castle_places(left, unknown), squares))
    return RegisteredTable(
        tuple(kingdoms), tuple(castles), tuple(homes), crowned, single, tuple(unknown), unclaimed
    )


def _unclaimed(places: Iterable[Observation], squares: Sequence[Observation]) -> Iterator[StandingCastle]:
    """Castles that nobody has yet; where two may be the castle of the same squares, nobody can tell which is."""
    found: list[StandingCastle] = []
    for home in places:
        if not any(_same_place(one.home, home) for one in found):
            around = [one for one in squares if not _same_place(one, home)]
            grown = dict(join_neighbours(home, around, SIDE))
            found.append(StandingCastle(grown.pop(HOME), grown))
    counted = Counter(place for one in found for place in {(seen.x, seen.y) for seen in one.squares.values()})
    for castle in found:
        if all(counted[one.x, one.y] == 1 for one in castle.squares.values()):
            yield castle


def _same_place(one: Observation | Area, home: Observation) -> bool:
    return hypot(one.x - home.x, one.y - home.y) < SIDE / 2


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
    partner: dict[int, int] = {}
    dominoes = []
    for _misfit_mm, a, b in pairs:
        if not {a, b} & partner.keys():
            partner |= {a: b, b: a}
            dominoes.append((a, b))
    beside = {
        frozenset((a, b)) for _misfit_mm, a, b in pairs if numbers_of(squares[a].label, squares[b].label)
    }
    found = tuple(
        _domino(squares[a], squares[b], sure=not _crossed(a, b, partner, beside)) for a, b in dominoes
    )
    return found, tuple(one for index, one in enumerate(squares) if index not in partner)


def _crossed(a: int, b: int, partner: Mapping[int, int], beside: Collection[frozenset[int]]) -> bool:
    """Whether the halves of a domino may as well be halves of dominoes with their neighbours, two and two."""
    return any(
        frozenset((a, other)) in beside and frozenset((b, partner[other])) in beside
        for other in partner
        if other not in (a, b)
    )


def _domino(left: Observation, right: Observation, sure: bool) -> LooseDomino:
    """The domino of these halves, both turned as it lies.

    People are asked where both seem to lie upside down; and where they may be halves of two dominoes, unless both lie
    as halves of one do.
    """
    way = _way(left, right)
    turns = quarter(left.angle, way), quarter(right.angle, way)
    most = 1.0 if turns == (0, 0) or (sure and turns != (2, 2)) else _DOUBTED
    return LooseDomino(_turned(left, way, most), _turned(right, way, most))


def _misfit(left: Observation, right: Observation) -> float | None:
    """How far in millimetres the second square is from being the right half of the first; None when it is none.

    Printed squares do not all say which way up they lie, so that a half turned otherwise, and halves of no domino,
    only count as so many millimetres more.
    """
    way = _way(left, right)
    dx, dy = offset(right.x - left.x, right.y - left.y, -way)
    away = hypot(dx - SIDE, dy)
    if away >= SIDE / 4 or abs(skew(right.angle, way)) >= _STRAIGHT:
        return None
    turned = sum(quarter(one.angle, way) != 0 for one in (left, right))
    return away + _TURNED_MM * turned + _STRANGERS_MM * (not numbers_of(left.label, right.label))


def _turned(half: Observation, way: float, most: float) -> Observation:
    """A half of a domino, turned as the domino is, and at most so sure."""
    turn = quarter(way, half.angle)
    return (
        replace(half, angle=half.angle + 90 * turn, confidence=min(half.confidence, most)) if turn else half
    )


def _way(left: Observation, right: Observation) -> float:
    """The angle of a domino with these halves: along its squares, from the left one to the right one."""
    towards = degrees(atan2(right.y - left.y, right.x - left.x))
    return left.angle + 90 * quarter(towards, left.angle)


def _crowned(domino: LooseDomino, kings: Iterable[tuple[int, Observation]]) -> LooseDomino:
    on_it = []
    for player, king in kings:
        dx, dy = offset(king.x - domino.area.x, king.y - domino.area.y, -domino.left.angle)
        if abs(dx) <= SIDE and abs(dy) <= SIDE / 2:
            on_it.append((player, king))
    return LooseDomino(domino.left, domino.right, tuple(on_it))


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
    """The way the domino lies, if its two halves are seen side by side in one place only.

    That it is this domino is known already: where both halves look like it, one that is clear is enough.
    """
    found = []
    for placement in _placements_on(domino, new):
        first, second = (new[cell] for cell in placement.cells)
        if not _misread(placement, new):
            way_up = _CLOCKWISE[quarter(first.angle, axis)] is placement.direction
            least, most = sorted((first.confidence, second.confidence))
            found.append((way_up, most if least >= _LIKELY else least, placement))
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
    return tuple(way if way in legal else against_the_rules(way) for way in dict.fromkeys(found))


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
