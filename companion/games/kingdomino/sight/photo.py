"""A kingdom read from a photo of it: its squares, its points, what somebody has to look at, and all that as JSON.

`find_tilings` finds the likeliest dominoes by what each place looks like (likeness from 0 to 1), `share_box` lets
several kingdoms of one photo share one box, `judge_kingdom` says what is sure by `Thresholds`; every doubt says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Any

from companion.core.document import Json
from companion.core.game import Line
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.photo import DOUBTED, GalleryRow, PictureDoubt, Question, SquaresReading
from companion.core.photo import UnsureSquare as UnsureKind
from companion.games.kingdomino.rules.kingdom import Cell, Kingdom, around, kingdom_around_castle
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square, Terrain, square_name
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.tiling import (
    Evidence,
    Tiling,
    evidence_of,
    knows_halves,
    tilings,
    without,
)
from companion.games.kingdomino.text.documents import describe_kingdom, tell_kingdom

FEWEST = 5
"""Squares of a kingdom: a castle and two dominoes."""
WHOLE = (5, 7)
"""Sides of a kingdom that took every domino."""
HOPELESS = 0.45
"""Nobody looks for dominoes where half of all places look less like anything."""
FURTHER = 4
"""Answers offered for a place."""
MOST_SURE = 99.0
"""What nothing at all speaks against."""
TWICE = 0.1
"""What speaks against each domino that lies in one kingdom more often than the others leave in the box."""
ROUNDS = 4
"""In which kingdoms of one photo leave each other their dominoes, at most."""
EMPTY = "empty"
"""The terrain of a place without a piece."""


@dataclass(frozen=True)
class Thresholds:
    """How much has to speak for something before nobody is asked; docs/recognition.md tells how each was chosen."""

    clear: float = 0.08
    """How much less likely a kingdom with another square in a place has to be."""
    apart: float = 0.08
    """How much less another kind of square has to look like the picture."""
    known: float = 0.5
    """How much a square has to look like its kind."""
    usual: float = 0.65
    """The same in parts of how much squares of its picture do: a plain thing of a terrain's colour does less."""
    beside_doubted: float = 0.9
    """The same beside a square that does not: one thing may lie on both."""
    beside_tower: float = 0.6
    """The same beside a castle that stands up, which hides what lies behind it."""
    flat: float = 0.7
    """A starting tile that looks less like one has a castle standing on it."""
    told: float = 0.12
    """How much less likely another square has to be, whatever doubtful places look like: those around tell them."""
    explained: float = 0.6
    """Likeness that half of all places have to have, or this is no kingdom."""
    strained: float = -0.06
    """What it may take in each place to explain a picture by dominoes; another game takes more."""
    mostly: float = 0.3
    """With more than this part of the places unsure, less strain is enough for this to be no kingdom."""
    uneasy: float = -0.05
    """That strain."""


BY_HALVES = Thresholds()
"""With a gallery that knows every half of every domino."""
BY_KINDS = Thresholds(
    clear=0.16, apart=0.12, known=0.6, beside_tower=0.7, told=inf, strained=-0.03, uneasy=-0.02
)
"""With a gallery that knows kinds of squares alone: no drawing says which domino it is."""


class DoubtReason(StrEnum):
    """Why somebody has to look at a place."""

    NO_DOMINO = "no domino fits"
    OTHER_TILING = "another tiling nearly as good"
    OTHER_KIND = "another kind of square nearly as like"
    UNLIKE_ITS_KIND = "too little like its kind"
    BESIDE_CASTLE = "too little like its kind beside a standing castle"
    BESIDE_DOUBTED = "beside a doubtful one, and less like its kind than others"
    MAY_BE_CASTLE = "the castle may be elsewhere"
    NOT_IN_BOX = "more dominoes than the box has"


HARD_TO_SEE = frozenset({*DoubtReason, PictureDoubt.PALE, PictureDoubt.COVERED}) - {
    DoubtReason.NO_DOMINO,
    DoubtReason.NOT_IN_BOX,
}
"""What the dominoes around may settle: a half that is seen says what lies beside it, and where."""
MAY_BE_HIDDEN = frozenset(
    {DoubtReason.UNLIKE_ITS_KIND, DoubtReason.BESIDE_DOUBTED, PictureDoubt.PALE, PictureDoubt.COVERED}
)
"""What may be so because something lies there."""
UnsureSquare = UnsureKind[Square]
"""A place somebody has to look at."""


@dataclass(frozen=True)
class KingdomReading(SquaresReading[Square]):
    """What a picture shows, in the places of its rows and columns."""

    @property
    def kingdom(self) -> Kingdom | None:
        """As the rules count it; None without a castle."""
        found = kingdom_around_castle(self.squares, 7)
        small = found and max(found.bounds.columns, found.bounds.rows) <= 5
        return replace(found, size=5) if found and small else found

    @property
    def points(self) -> int | None:
        """What the properties bring; None without a castle."""
        return None if self.kingdom is None else property_points(self.kingdom)


@dataclass(frozen=True)
class TilingResult:
    """What dominoes make of the places of a picture, before anybody judges whether that can be."""

    known: Evidence
    likeness: tuple[float, ...]
    """Of each place to what it looks most like, the least first."""
    tilings: Sequence[Tiling]
    halves: bool
    """Whether the gallery knows halves of dominoes, or kinds of squares alone."""
    columns: int
    rows: int
    taken: float = 0.0
    """What speaks against the first one because other kingdoms in the photo have its dominoes."""

    @property
    def caution(self) -> Thresholds:
        """How much its gallery asks for."""
        return BY_HALVES if self.halves else BY_KINDS

    @property
    def strain(self) -> float:
        """What it takes in each place."""
        return (self.tilings[0].likely + self.taken) / len(self.likeness)


def read_photo(
    rows: Sequence[GalleryRow], seen: Mapping[Cell, Sequence[float]], bare: Mapping[Cell, float] | None = None
) -> KingdomReading | None:
    """What the places of a picture show, each by how much it looks like each row of a gallery; None if no kingdom."""
    return judge_kingdom(find_tilings(rows, seen, bare))


def find_tilings(
    rows: Sequence[GalleryRow], seen: Mapping[Cell, Sequence[float]], bare: Mapping[Cell, float] | None = None
) -> TilingResult:
    """The likeliest kingdoms of a picture, whatever it shows."""
    known = evidence_of(rows, seen, bare)
    likeness = tuple(sorted(max(scores) for scores in seen.values()))
    wide, high = (len({cell[axis] for cell in seen}) for axis in (0, 1))
    worth = bool(likeness) and _middle(likeness) > HOPELESS
    return TilingResult(known, likeness, tilings(known) if worth else (), knows_halves(rows), wide, high)


def judge_kingdom(found: TilingResult, thresholds: Thresholds | None = None) -> KingdomReading | None:
    """The likeliest kingdom with everything somebody has to look at; None if the picture shows none.

    Without thresholds it is as cautious as its gallery asks for.
    """
    enough = thresholds or found.caution
    if not found.tilings or _middle(found.likeness) <= enough.explained or found.strain < enough.strained:
        return None
    best = found.tilings[0].squares
    if len(best) < FEWEST:
        return None
    alone = {cell: _weakest(found, enough, cell) for cell in found.known.kinds}
    open_alone = sum(sureness < 1 for sureness, _reason in alone.values())
    weakest = _with_those_beside(found, enough, alone)
    unsure = tuple(
        UnsureSquare(cell, (best.get(cell), _rival_asked(found, enough, cell)), reason)
        for cell, (sureness, reason) in weakest.items()
        if sureness < 1
    )
    whole = found.columns == found.rows and found.columns in WHOLE
    if open_alone > enough.mostly * len(found.likeness) and found.strain < enough.uneasy:
        return None
    ranked = {cell: tuple(_ranked(kinds)[:FURTHER]) for cell, kinds in found.known.kinds.items()}
    sureness = {cell: sure for cell, (sure, _reason) in weakest.items()}
    return KingdomReading(best, unsure, whole, ranked, sureness=sureness)


def leads_without_looking(read: KingdomReading, known: Evidence) -> Mapping[Cell, float]:
    """By how much what lies in doubtful places is likelier than anything else, whatever these look like.

    A half that is seen says which way its domino lies, and so what the place beside it shows.
    """
    asked = {one.cell for one in read.unsure}
    if not any(one.reason in HARD_TO_SEE for one in read.unsure):
        return {}
    ways = tilings(without(known, asked))
    return {cell: _lead(ways, cell, read.squares[cell]) for cell in asked & read.squares.keys()}


def _lead(ways: Sequence[Tiling], cell: Cell, square: Square) -> float:
    same = [one.likely for one in ways if one.squares.get(cell) == square]
    # What nobody followed is as likely at most as the last of those that were followed.
    other = [one.likely for one in ways if one.squares.get(cell) != square] or [
        one.likely for one in ways[-1:]
    ]
    return max(same) - max(other) if same else -inf


def believe_dominoes(
    read: KingdomReading, leads: Mapping[Cell, float], thresholds: Thresholds = BY_HALVES
) -> KingdomReading:
    """Without the questions that the dominoes of all other places answer."""
    told = {cell: lead / thresholds.told for cell, lead in leads.items() if lead >= thresholds.told}
    answered = {one.cell for one in read.unsure if one.reason in HARD_TO_SEE and one.cell in told}
    left = tuple(one for one in read.unsure if one.cell not in answered)
    return replace(read, unsure=left, sureness={**read.sureness, **{cell: told[cell] for cell in answered}})


def believe_table(read: KingdomReading, found: TilingResult, table: Collection[Cell]) -> KingdomReading:
    """Without the question about empty places, where all show the table around and nothing else is asked."""
    likeliest = found.tilings[0].likely - found.caution.clear

    def sure(one: UnsureSquare) -> bool:
        others = _otherwise(found, one.cell)
        lone = not others or others[0].likely <= likeliest
        return one.reason == DoubtReason.NO_DOMINO and one.cell in table and lone

    if not all(map(sure, read.unsure)):
        return read
    sureness = {**read.sureness, **dict.fromkeys((one.cell for one in read.unsure), 1.0)}
    return replace(read, unsure=(), sureness=sureness)


def beside_hidden(read: KingdomReading) -> frozenset[Cell]:
    """The places beside those on which something may lie, though dominoes may tell what is under it: it may lie on
    these as well, and have the colour of the table."""
    hidden = (one.cell for one in read.unsure if one.reason in MAY_BE_HIDDEN)
    return frozenset(near for cell in hidden for near in around(cell))


def _ranked(kinds: Mapping[Square | None, float]) -> list[Square | None]:
    return sorted(kinds, key=lambda kind: -kinds[kind])


def _middle(likeness: Sequence[float]) -> float:
    return likeness[len(likeness) // 2]


Weakest = tuple[float, DoubtReason]
"""The least of all that has to speak for what a place is taken for, in parts of what is enough, and of what."""


def _with_those_beside(
    found: TilingResult, enough: Thresholds, weakest: Mapping[Cell, Weakest]
) -> Mapping[Cell, Weakest]:
    """With doubts about what is less like its kind beside a place on which something may lie, and beside that again.

    Where something may lie on one, what stands on no castle's tile may be anywhere.
    """
    likeness = {cell: _likeness(found, cell) for cell in weakest}
    strange = [
        cell
        for cell, likely in likeness.items()
        if likely < enough.usual and not _hidden(found, enough, cell)
    ]
    spread, reached = dict(weakest), set(strange)
    while strange:
        for cell in around(strange.pop()):
            if cell in likeness and cell not in reached and likeness[cell] < enough.beside_doubted:
                reached.add(cell)
                strange.append(cell)
                less = (likeness[cell] / enough.beside_doubted, DoubtReason.BESIDE_DOUBTED)
                spread[cell] = min(spread[cell], less, key=lambda part: part[0])
    tower = next(cell for cell, square in found.tilings[0].squares.items() if square == CASTLE)
    doubted = reached or any(
        sure < 1 and reason is DoubtReason.OTHER_KIND and not _hidden(found, enough, cell)
        for cell, (sure, reason) in weakest.items()
    )
    if doubted and found.known.kinds[tower][CASTLE] < enough.flat:
        spread[tower] = min(spread[tower], (DOUBTED, DoubtReason.MAY_BE_CASTLE), key=lambda part: part[0])
    return spread


def _likeness(found: TilingResult, cell: Cell) -> float:
    """How much a place looks like what it is taken for, in parts of how much places usually do; a castle may not."""
    chosen = found.tilings[0].squares.get(cell)
    return (
        MOST_SURE if chosen in (None, CASTLE) else found.known.kinds[cell][chosen] / _middle(found.likeness)
    )


def _weakest(found: TilingResult, enough: Thresholds, cell: Cell) -> Weakest:
    kinds, best = found.known.kinds[cell], found.tilings[0]
    chosen, others = best.squares.get(cell), _otherwise(found, cell)
    if chosen is None:
        return 0.0, DoubtReason.NO_DOMINO
    lead = (best.likely - others[0].likely) / enough.clear if others else MOST_SURE
    parts = [(lead, DoubtReason.OTHER_TILING)]
    if chosen != CASTLE:
        hidden = _hidden(found, enough, cell)
        least = enough.beside_tower if hidden else max(enough.known, enough.usual * _middle(found.likeness))
        apart = kinds[chosen] - kinds[_rival(found, cell, chosen)]
        parts += [
            (apart / enough.apart, DoubtReason.OTHER_KIND),
            (
                kinds[chosen] / least if kinds[chosen] < least else MOST_SURE,
                DoubtReason.BESIDE_CASTLE if hidden else DoubtReason.UNLIKE_ITS_KIND,
            ),
        ]
    return min(parts, key=lambda part: part[0])


def _rival_asked(found: TilingResult, enough: Thresholds, cell: Cell) -> Square | None:
    """What else a place may be that is asked about."""
    others = _otherwise(found, cell)
    if others and found.tilings[0].likely - others[0].likely <= enough.clear:
        return others[0].squares.get(cell)
    # A castle that stands up looks like nothing: only another way to lay the dominoes speaks for it.
    return _rival(found, cell, found.tilings[0].squares.get(cell), CASTLE)


def _otherwise(found: TilingResult, cell: Cell) -> Sequence[Tiling]:
    """The ways to lay dominoes that have something else in a place."""
    chosen = found.tilings[0].squares.get(cell)
    return [tiling for tiling in found.tilings if tiling.squares.get(cell) != chosen]


def _rival(found: TilingResult, cell: Cell, *besides: Square | None) -> Square | None:
    """What else a place looks most like."""
    return next(kind for kind in _ranked(found.known.kinds[cell]) if kind not in besides)


def _hidden(found: TilingResult, enough: Thresholds, cell: Cell) -> bool:
    """Whether a castle that stands up may hide part of a place."""
    best = found.tilings[0].squares
    tower = next((near for near in best if best[near] == CASTLE), None)
    return tower in tuple(around(cell)) and found.known.kinds[tower][CASTLE] < enough.flat


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

    return read.asking(
        read.doubt(cell, DoubtReason.NOT_IN_BOX) for cell in read.squares if kinds(cell) & over
    )


_NOT_WHOLE = _("A row or a column of squares may be missing.")
_MIRRORED = _("The photo is mirrored. The kingdom is told as its pieces lie.")
_BESIDE = _("More pieces lie beside these: is this one kingdom, and all of it?")


def describe_photographed(
    shown: KingdomReading, columns: int, rows: int, scored: bool, say: Say
) -> dict[str, Any]:
    """A kingdom as it was read, row by row; where it is scored, all there is to count in it besides."""
    grid = [[_place_told(shown, (x, y)) for x in range(columns)] for y in range(rows)]
    kingdom = shown.kingdom
    home = next((cell for cell, square in shown.squares.items() if square == CASTLE), None)
    counted = describe_kingdom(kingdom, home) if scored and kingdom and home else {}
    doubts = list(_doubts_told(shown, say))
    return {
        **counted,
        "grid": grid,
        "score": shown.points,
        "mirrored": shown.mirrored,
        "doubts": doubts,
    }


def tell_photographed(kingdom: Json, number: int) -> Iterator[Line]:
    """A kingdom of a photo for a person: a sign for each square, the points, and what is not clear."""
    name = _("Kingdom %(number)d", number=number)
    open_ones = len(kingdom["doubts"])
    yield from tell_kingdom(
        _n(
            "%(kingdom)s, with %(count)d question open",
            "%(kingdom)s, with %(count)d questions open",
            open_ones,
            kingdom=name,
        )
        if open_ones
        else name,
        kingdom,
    )
    for row in kingdom["grid"]:
        yield (" ", " ".join(map(_sign, row)))
    if kingdom["mirrored"]:
        yield ("  ", _MIRRORED)
    for doubt in kingdom["doubts"]:
        yield ("  ?", doubt["question"])


def _place_told(shown: KingdomReading, cell: Cell) -> dict[str, Any]:
    return {**_described(shown.squares.get(cell)), "confidence": round(shown.confidence(cell), 3)}


def _described(square: Square | None) -> dict[str, Any]:
    if square is None:
        return {"terrain": EMPTY, "crowns": 0}
    return {"terrain": square.terrain.value, "crowns": square.crowns}


def _doubts_told(shown: KingdomReading, say: Say) -> Iterator[Mapping[str, Any]]:
    for one in shown.questions:
        first = one.places[0]
        yield {
            "cells": [list(cell) for cell in one.cells],
            "x": first.cell[0],
            "y": first.cell[1],
            "question": say(_question(one)),
            "reason": str(first.reason),
            "candidates": [_described(square) for square in first.candidates],
        }
    if not shown.whole:
        yield {"cells": [], "question": say(_NOT_WHOLE)}
    if not shown.alone:
        yield {"cells": [], "question": say(_BESIDE)}


def _question(question: Question[Square]) -> Message:
    one = question.places[0]
    if len(question.places) > 1:
        return _n(
            "Is this place empty: %(places)s (column, row)?",
            "Are these %(count)d places empty: %(places)s (column, row)?",
            len(question.places),
            places="; ".join(f"{x + 1}, {y + 1}" for x, y in question.cells),
        )
    first, second = (_named(square) for square in one.candidates[:2])
    return _(
        "Column %(x)d, row %(y)d: %(first)s or %(second)s?",
        x=one.cell[0] + 1,
        y=one.cell[1] + 1,
        first=first,
        second=second,
    )


def _named(square: Square | None) -> Message:
    name = square_name(square)
    if square is None or not square.crowns:
        return name
    return _n("%(name)s with %(count)d crown", "%(name)s with %(count)d crowns", square.crowns, name=name)


def _sign(place: Mapping[str, Any]) -> str:
    """A place in two signs, with a question mark where it is not clear."""
    if place["terrain"] == EMPTY:
        sign = "–"
    elif place["terrain"] == Terrain.CASTLE:
        sign = "C"
    else:
        sign = f"{place['terrain'][0]}{place['crowns']}"
    return f"{sign}{'?' if place['confidence'] < 0.5 else ''}".ljust(3)
