"""Kingdoms that were counted one by one come out of one box: what two of them cannot both have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.kingdomino.rules.inventory import fits_one_box, kingdom_problems, scarce_squares
from companion.games.kingdomino.rules.kingdom import Cell, Kingdom
from companion.games.kingdomino.rules.pieces import Square

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
