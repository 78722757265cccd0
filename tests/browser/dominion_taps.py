"""A game of people with real hands as taps on the page: of a live game, and of a light one.

A tap is a button's line, or the address part that a link leads to (`?who=2`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from tests.games.dominion.stories import DOMINION

Turn = tuple[str, ...]


def turns_of(lines: Iterable[str]) -> Iterator[Turn]:
    """The lines of each turn."""
    turn: list[str] = []
    for line in lines:
        turn.append(DOMINION.write(DOMINION.parse(line)))
        if line.endswith(" ends"):
            yield tuple(turn)
            turn = []


def live_taps(turn: Turn) -> Iterator[str]:
    """Every card played is told; whoever suffers an Attack suffers it together."""
    for suffers, lines in groupby(turn, lambda line: line.endswith(" suffers")):
        yield from ("all suffer",) if suffers else lines


def light_taps(turn: Turn, players: int) -> Iterator[str]:
    """Nothing but what leaves the supply: the Curses of a Witch, and what is bought."""
    player = turn[0][0]
    witch = False
    for suffers, lines in groupby(turn, lambda line: line.endswith(" suffers")):
        told = list(lines)
        if not suffers:
            attacks = [line for line in told if line.endswith((" plays witch", " plays militia"))]
            witch = bool(attacks) and attacks[-1].endswith(" witch")
        elif witch and len(told) == players - 1:
            yield from ("?who=others", "others gain curse")
        elif witch:
            for line in told:
                yield from (f"?who={line[0]}", f"{line[0]} gains curse")
    bought = [line.split()[2] for line in turn if " buys " in line]
    for card in bought[:-1]:
        yield from (f"?who={player}", f"{player} buys {card}")
    yield f"{player} buys {bought[-1]} ends" if bought else f"{player} ends"
