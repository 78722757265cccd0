"""What cannot be: kingdoms that one box of 48 dominoes cannot make, alone or together.

For kingdoms of which only the squares are known (tapped in or photographed). A search that takes too long
(`PATIENCE` attempts) finds nothing wrong: nobody is told of a problem that was not proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.kingdomino.rules.kingdom import HOME, Cell, Kingdom, around, kingdom_of
from companion.games.kingdomino.rules.pieces import DOMINOES, SQUARES, TERRAIN_NAMES, Square

PATIENCE = 20_000
"""Attempts to cover a kingdom with dominoes before giving up without an answer."""

APART = 100
"""Columns between kingdoms that are looked at together: none touches another."""

SquarePair = tuple[Square, Square]


def scarce_squares(kingdoms: Sequence[Kingdom]) -> Iterator[tuple[Square, Message]]:
    """Kinds of squares the kingdoms have more of, together, than the box."""
    counts = Counter(
        square for kingdom in kingdoms for cell, square in kingdom.squares.items() if cell != HOME
    )
    for square, count in sorted(counts.items()):
        most = SQUARES.get(square, 0)
        if count > most:
            yield (
                square,
                _n(
                    "%(terrain)s (crowns: %(crowns)d): %(count)d square, but the box has only %(most)d.",
                    "%(terrain)s (crowns: %(crowns)d): %(count)d squares, but the box has only %(most)d.",
                    count,
                    terrain=TERRAIN_NAMES[square.terrain],
                    crowns=square.crowns,
                    most=most,
                ),
            )


def kingdom_problems(kingdom: Kingdom) -> Iterator[Message]:
    """What cannot be in a single kingdom built of dominoes."""
    if not _connected(kingdom):
        yield _("A square is cut off from the castle.")
    if len(kingdom.squares) % 2 == 0:
        yield _("An odd number of squares beside the castle: dominoes have two each.")
    elif not fits_one_box([kingdom]):
        yield _("No dominoes of the box make these squares: look at the crowns again.")


def fits_one_box(kingdoms: Iterable[Kingdom]) -> bool:
    """Whether different dominoes of one box make all of these kingdoms; True when the search gets too long."""
    return _coverable(
        frozenset(
            ((x + APART * number, y), square)
            for number, kingdom in enumerate(kingdoms)
            for (x, y), square in kingdom.squares.items()
            if (x, y) != HOME
        )
    )


@lru_cache(maxsize=64)
def _coverable(squares: frozenset[tuple[Cell, Square]]) -> bool:
    # A still table is read many times a second, and a page drawn again and again.
    return not squares or buildable(kingdom_of(dict(squares), 0))


def buildable(kingdom: Kingdom) -> bool:
    """Whether the kingdom can be covered with different dominoes of the box; True when the search gets too long."""
    stock = Counter(_pair(domino.left, domino.right) for domino in DOMINOES.values())
    free = {cell: square for cell, square in kingdom.squares.items() if cell != HOME}
    return _cover(free, stock, iter(range(PATIENCE)))


def _cover(free: Mapping[Cell, Square], stock: Counter[SquarePair], attempts: Iterator[int]) -> bool:
    if not free or next(attempts, None) is None:
        return True
    options = {cell: [near for near in around(cell) if near in free] for cell in free}
    tightest = min(options, key=lambda cell: len(options[cell]))
    for near in options[tightest]:
        pair = _pair(free[tightest], free[near])
        if stock[pair]:
            rest = {cell: square for cell, square in free.items() if cell not in (tightest, near)}
            if _cover(rest, stock - Counter([pair]), attempts):
                return True
    return False


def _pair(one: Square, other: Square) -> SquarePair:
    return (one, other) if one <= other else (other, one)


def _connected(kingdom: Kingdom) -> bool:
    reached, frontier = {HOME}, [HOME]
    while frontier:
        for near in around(frontier.pop()):
            if near in kingdom.squares and near not in reached:
                reached.add(near)
                frontier.append(near)
    return len(reached) == len(kingdom.squares)


TableProblem = tuple[Message, int | None]
"""What is said, and of whose kingdom."""


def table_problems(kingdoms: Sequence[Kingdom]) -> Iterator[TableProblem]:
    """Everything in the kingdoms of a table that cannot be."""
    scarce = [(reason, None) for _square, reason in scarce_squares(kingdoms)]
    single = [(text, player) for player, kingdom in enumerate(kingdoms) for text in kingdom_problems(kingdom)]
    yield from scarce
    yield from single
    if not scarce and not single and not fits_one_box(kingdoms):
        yield from _twice(kingdoms)


def _twice(kingdoms: Sequence[Kingdom]) -> Iterator[TableProblem]:
    """Whose kingdoms need the same dominoes."""
    pairs = combinations(range(len(kingdoms)), 2)
    clashing = {player for pair in pairs if not fits_one_box([kingdoms[p] for p in pair]) for player in pair}
    for player in sorted(clashing):
        yield _("This kingdom needs a domino that lies in another one: look at both again."), player
    if not clashing:
        yield _("The box has too few dominoes for all these kingdoms: look at them again."), None


def conflicts(kingdom: Kingdom, others: Mapping[str, Kingdom]) -> Iterator[Message]:
    """Why a kingdom cannot lie on the table beside the others, which are called by whose they are."""
    known = {name: other for name, other in others.items() if len(other.squares) > 1}
    same = [name for name, other in known.items() if _same(kingdom, other)]
    if same:
        yield _(
            "This is the very kingdom that is recorded for %(name)s: is it the same photo?",
            name=joined(same),
        )
        return
    scarce = list(_scarce(kingdom, known))
    yield from scarce or _shared(kingdom, known)


def _scarce(kingdom: Kingdom, others: Mapping[str, Kingdom]) -> Iterator[Message]:
    """Kinds of squares of which this kingdom and others have more than the box."""
    for square, reason in scarce_squares([kingdom, *others.values()]):
        whose = [name for name, other in others.items() if square in other.squares.values()]
        if square in kingdom.squares.values() and whose:
            yield _("%(reason)s Others lie in the kingdom of %(name)s.", reason=reason, name=joined(whose))
        elif square in kingdom.squares.values():
            yield reason


def _shared(kingdom: Kingdom, others: Mapping[str, Kingdom]) -> Iterator[Message]:
    """Whose kingdoms need dominoes that this one needs, too."""
    sound = {name: other for name, other in others.items() if fits_one_box([other])}
    if not fits_one_box([kingdom]) or fits_one_box([kingdom, *sound.values()]):
        return
    whose = [name for name, other in sound.items() if not fits_one_box([kingdom, other])]
    if whose:
        yield _(
            "A domino of this kingdom lies in that of %(name)s, too, and the box has it only once: look at both again.",
            name=joined(whose),
        )
    else:
        yield _("The box has too few dominoes for all these kingdoms: look at them again.")


def _same(one: Kingdom, other: Kingdom) -> bool:
    """Whether both have the same squares, from whichever side of the table they were seen."""
    return any(dict(turned) == dict(other.squares) for turned in _turns(one.squares))


def _turns(squares: Mapping[Cell, Square]) -> Iterator[Mapping[Cell, Square]]:
    for _quarter in range(4):
        yield squares
        squares = {(-y, x): square for (x, y), square in squares.items()}
