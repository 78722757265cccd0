"""Whether kingdoms tapped in by hand can come out of one box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from companion.core.message import Message
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
