"""Kingdoms that are read from one photo share one box: what lies in one of them cannot lie in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.kingdomino.rules.kingdom import Cell, around
from companion.games.kingdomino.rules.pieces import DOMINOES, Square
from companion.games.kingdomino.sight.photographed import KingdomReading, TilingResult
from companion.games.kingdomino.sight.tiling import Tiling

TWICE = 0.1
"""What speaks against each domino that lies in one kingdom more often than the others leave in the box."""
ROUNDS = 4

DominoKind = frozenset[Square]
"""The squares of a domino: two dominoes of the same kind count for the same."""

_BOX = Counter(frozenset({domino.left, domino.right}) for domino in DOMINOES.values())


def share_box(kingdoms: Sequence[TilingResult]) -> tuple[TilingResult, ...]:
    """The same kingdoms, those first that leave each other their dominoes."""
    found = list(kingdoms)
    for _round in range(ROUNDS):
        before = [one.tilings[:1] for one in found]
        for index, one in enumerate(kingdoms):
            if one.tilings:
                rest = (other for at, other in enumerate(found) if at != index)
                others = _used(other.tilings[0] for other in rest if other.tilings)
                tilings = _left(one.tilings, others)
                found[index] = replace(one, tilings=tilings, taken=_against(tilings[0], others))
        if [one.tilings[:1] for one in found] == before:
            break
    return tuple(found)


def _left(tilings: Sequence[Tiling], others: Counter[DominoKind]) -> Sequence[Tiling]:
    """Ways to lay a kingdom, the likeliest first, each by what the other kingdoms leave of the box."""
    tried = [replace(one, likely=one.likely - _against(one, others)) for one in tilings]
    return sorted(tried, key=lambda one: -one.likely)


def _against(tiling: Tiling, others: Counter[DominoKind]) -> float:
    return TWICE * sum(_over(tiling, others).values())


def _used(tilings: Iterable[Tiling]) -> Counter[DominoKind]:
    return sum((_kinds(one) for one in tilings), Counter[DominoKind]())


def _kinds(tiling: Tiling) -> Counter[DominoKind]:
    return Counter(frozenset({DOMINOES[n].left, DOMINOES[n].right}) for n in tiling.dominoes)


def _over(tiling: Tiling, others: Counter[DominoKind]) -> Counter[DominoKind]:
    """What this kingdom has and the others do not leave."""
    own = _kinds(tiling)
    return Counter({kind: over for kind in own if (over := own[kind] + others[kind] - _BOX[kind]) > 0})


def ask_about_shared(
    explained: Sequence[TilingResult], judged: Sequence[KingdomReading | None]
) -> list[KingdomReading | None]:
    """The kingdoms with a question wherever the box has fewer dominoes than lie on the table."""
    every = _used(one.tilings[0] for one, read in zip(explained, judged, strict=True) if read)
    over = {kind for kind in every if every[kind] > _BOX[kind]}
    return [read and _asking(read, over) for read in judged]


def _asking(read: KingdomReading, over: set[DominoKind]) -> KingdomReading:
    def kinds(cell: Cell) -> set[DominoKind]:
        near = [read.squares[other] for other in around(cell) if other in read.squares]
        return {frozenset({read.squares[cell], square}) for square in near}

    return read.asking({cell: read.rival(cell) for cell in read.squares if kinds(cell) & over})
