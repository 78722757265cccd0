"""Which dominoes make up a kingdom of which only a picture is known: 48 of them, each once, and one castle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import NamedTuple

from companion.core.photo import GalleryRow
from companion.games.kingdomino.rules.kingdom import STEPS, Cell, Direction
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, SQUARES, Square, parse_square
from companion.games.kingdomino.sight.layout import TURNS, domino_name

BEAM = 60
"""Unfinished kingdoms that are followed at a time, the likeliest."""
PER_PLACE = 10
"""Dominoes tried in each place."""
ALIKE = 6
"""Of those that have explained the same places."""
HOPELESS = 1.2
"""Nothing is followed that is so much less likely than the best."""
BARE = 0.1
"""What a bare table speaks for a place without a piece, beside what always does."""
NOTHING = 0.3
"""What speaks for a place without a piece; squares of the box look more like theirs than that."""
STANDING = 0.45
"""What speaks for a castle by itself: whatever stands on the starting tile looks like nothing in the box."""

Half = tuple[int, bool]
"""A domino, and whether it is its right half."""


@dataclass(frozen=True)
class Evidence:
    """What speaks for each kind of square, and for each half of a domino, in each place of a picture."""

    kinds: Mapping[Cell, Mapping[Square | None, float]]
    """None is a place without a piece."""
    halves: Mapping[Cell, Mapping[tuple[Half, int], float]]
    """By how many quarter turns it lies turned; at most what speaks for its kind."""


@dataclass(frozen=True)
class Tiling:
    """One way to lay dominoes that explains a picture."""

    squares: Mapping[Cell, Square]
    """As they were laid: the halves of each domino one after the other."""
    likely: float
    """0 when every square is what it looks most like; below when it takes more than that."""
    dominoes: frozenset[int] = frozenset()


def label_of(number: int, right: bool) -> str:
    """What half a domino is called in a gallery."""
    return f"{domino_name(number)}-{'right' if right else 'left'}"


_HALVES: Mapping[str, Half] = {label_of(n, right): (n, right) for n in DOMINOES for right in (False, True)}


_EVERY = frozenset(_HALVES.values())


def half_named(label: str) -> Half | None:
    """The half of a domino that a gallery's label stands for."""
    return _HALVES.get(label)


def square_of(label: str) -> Square | None:
    """The square of the box that a gallery's label stands for; None for no piece at all."""
    if label in _HALVES:
        return _SQUARES[_HALVES[label]]
    if label.startswith("castle"):
        return CASTLE
    try:
        square = parse_square(label)
    except ValueError:
        return None
    return square if square in SQUARES else None


def knows_halves(rows: Sequence[GalleryRow]) -> bool:
    """Whether every half of every domino is among what a picture was compared with."""
    return {_HALVES[row.label] for row in rows if row.label in _HALVES} == _EVERY


_SQUARES: Mapping[Half, Square] = {
    (n, right): domino.right if right else domino.left
    for n, domino in DOMINOES.items()
    for right in (False, True)
}


class _Way(NamedTuple):
    """A domino as it may lie: which half is here, and which beside or below."""

    number: int
    here: tuple[Half, int]
    there: tuple[Half, int]
    squares: tuple[Square, Square]


_WAYS: Mapping[Direction, Sequence[_Way]] = {
    direction: [
        _Way(n, ((n, right), turn), ((n, not right), turn), (_SQUARES[n, right], _SQUARES[n, not right]))
        for n in DOMINOES
        for right, turn in ((False, TURNS[direction] // 90), (True, (TURNS[direction] // 90 + 2) % 4))
    ]
    for direction in (Direction.EAST, Direction.SOUTH)
}


def evidence_of(
    rows: Sequence[GalleryRow], seen: Mapping[Cell, Sequence[float]], bare: Mapping[Cell, float] | None = None
) -> Evidence:
    """Sort what a gallery's rows say of each place, and how much it looks like bare table."""
    squares = [square_of(row.label) for row in rows]
    numbers: dict[tuple[Half, int], list[int]] = {}
    for index, row in enumerate(rows):
        if row.label in _HALVES:
            numbers.setdefault((_HALVES[row.label], row.turn), []).append(index)
    known = [_HalfRows(half, _SQUARES[half[0]], tuple(of)) for half, of in numbers.items()]
    unknown = [(half, turn) for half in _EVERY - {half for half, _turn in numbers} for turn in range(4)]
    found = {cell: _kinds(squares, scores, (bare or {}).get(cell, 0)) for cell, scores in seen.items()}
    halves = {cell: _halves(known, unknown, scores, found[cell]) for cell, scores in seen.items()}
    return Evidence(found, halves)


def without(known: Evidence, cells: Collection[Cell]) -> Evidence:
    """The same where nobody looks at some places: anything may lie there."""
    kinds = {cell: dict.fromkeys(of, 0.0) if cell in cells else of for cell, of in known.kinds.items()}
    halves = {cell: dict.fromkeys(of, 0.0) if cell in cells else of for cell, of in known.halves.items()}
    return Evidence(kinds, halves)


class _HalfRows(NamedTuple):
    """The numbers of a gallery's rows for a half that lies one way."""

    half: tuple[Half, int]
    square: Square
    rows: tuple[int, ...]


def _kinds(
    squares: Sequence[Square | None], scores: Sequence[float], bare: float
) -> Mapping[Square | None, float]:
    nothing, standing = NOTHING + BARE * bare, STANDING - BARE * bare
    kinds: dict[Square | None, float] = {**dict.fromkeys(SQUARES, 0.0), CASTLE: standing, None: nothing}
    for square, score in zip(squares, scores, strict=True):
        if score > kinds[square]:
            kinds[square] = score
    return kinds


def _halves(
    known: Sequence[_HalfRows],
    unknown: Sequence[tuple[Half, int]],
    scores: Sequence[float],
    kinds: Mapping[Square | None, float],
) -> Mapping[tuple[Half, int], float]:
    """A half as likely as its kind, less by what a half of the same kind looks more like the picture.

    Of halves that the gallery does not have, only the kind is known.
    """
    best, found = dict.fromkeys(SQUARES, 0.0), list[float]()
    for _half, square, rows in known:
        score = max(0.0, scores[rows[0]] if len(rows) == 1 else max(scores[row] for row in rows))
        found.append(score)
        if score > best[square]:
            best[square] = score
    less = {square: kinds[square] - score for square, score in best.items()}
    likely = {one.half: score + less[one.square] for one, score in zip(known, found, strict=True)}
    return {**{(half, turn): kinds[_SQUARES[half]] for half, turn in unknown}, **likely}


class _Part(NamedTuple):
    """The first places of a picture explained."""

    likely: float
    covered: frozenset[Cell]
    used: frozenset[int]
    castle: bool
    laid: tuple[tuple[Cell, Square], ...]


def tilings(known: Evidence) -> Sequence[Tiling]:
    """The likeliest ways to explain all places, the best first; without any when there is no castle."""
    known = _compared(known)
    pairs = {cell: list(_options(known, cell)) for cell in known.kinds}
    beam = [_Part(0.0, frozenset(), frozenset(), False, ())]
    for cell in sorted(known.kinds, key=lambda cell: (cell[1], cell[0])):
        beam = _likeliest([after for part in beam for after in _after(known, part, cell, pairs[cell])])
    return [Tiling(dict(part.laid), part.likely, part.used) for part in beam if part.castle]


def _likeliest(parts: Sequence[_Part]) -> list[_Part]:
    """The best, not too many of them with the same places ahead of them."""
    kept: list[_Part] = []
    same: Counter[object] = Counter()
    seen: set[object] = set()
    for part in sorted(parts, key=lambda part: -part.likely):
        if len(kept) == BEAM or (kept and part.likely < kept[0].likely - HOPELESS):
            break
        ahead = part.covered, part.castle
        same[ahead] += 1
        if same[ahead] <= ALIKE and (*ahead, part.laid) not in seen:
            seen.add((*ahead, part.laid))
            kept.append(part)
    return kept


def _compared(known: Evidence) -> Evidence:
    """What speaks against everything, compared with what each place looks most like: places ahead count for nothing."""
    best = {cell: max(kinds.values()) for cell, kinds in known.kinds.items()}
    kinds = {
        cell: {kind: score - best[cell] for kind, score in of.items()} for cell, of in known.kinds.items()
    }
    halves = {
        cell: {half: score - best[cell] for half, score in of.items()} for cell, of in known.halves.items()
    }
    return Evidence(kinds, halves)


def _options(known: Evidence, cell: Cell) -> Iterator[tuple[Cell, float, _Way]]:
    """The likeliest dominoes that lie here and to the right or below."""
    for direction, ways in _WAYS.items():
        near = cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]
        if near not in known.kinds:
            continue
        here, there = known.halves[cell], known.halves[near]
        found = ((near, here.get(one.here, -1.0) + there.get(one.there, -1.0), one) for one in ways)
        yield from nlargest(PER_PLACE, (one for one in found if one[1] > -HOPELESS), key=lambda one: one[1])


def _after(
    known: Evidence, part: _Part, cell: Cell, options: Sequence[tuple[Cell, float, _Way]]
) -> Iterator[_Part]:
    if cell in part.covered:
        yield part._replace(covered=part.covered - {cell})
        return
    kinds = known.kinds[cell]
    yield part._replace(likely=part.likely + kinds[None])
    if not part.castle:
        laid = (*part.laid, (cell, CASTLE))
        yield part._replace(likely=part.likely + kinds[CASTLE], castle=True, laid=laid)
    for near, likely, way in options:
        if near not in part.covered and way.number not in part.used:
            one, other = way.squares
            yield _Part(
                part.likely + likely,
                part.covered | {near},
                part.used | {way.number},
                part.castle,
                (*part.laid, (cell, one), (near, other)),
            )
