"""From places of a photo that look like tiles to a board: what lies where, who stands on it, and what somebody has to
look at.

What each place looks like counts, and softly what continues its neighbours and what the box has: people lay tiles
wrongly, and then the board is read as it lies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from math import inf
from typing import NamedTuple

from companion.core.lattice import Cell
from companion.core.observation import Pose
from companion.core.photo import (
    DOUBTED,
    UNFAMILIAR,
    GalleryRow,
    SeenFigure,
    SeenSquares,
    SquaresReading,
    UnsureSquare,
)
from companion.games.carcassonne.rules.board import (
    STEPS,
    TILES,
    Placement,
    TurnedTile,
    upright,
)
from companion.games.carcassonne.rules.events import WholeTable
from companion.games.carcassonne.rules.position import Position, add_counts, show_table, start
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.sight.layout import COLOURS
from companion.games.carcassonne.sight.registration import USUAL
from companion.games.carcassonne.sight.shapes import TILE_SIDE, turned_point
from companion.games.carcassonne.sight.standing import FROM_ASIDE, parts_at


class TileKind(NamedTuple):
    """A type of tile as it lies, and who stands on it."""

    letter: str
    turn: int
    """Quarter turns clockwise; of turns that look alike the first."""
    part: str = ""
    """The part on which a follower stands; empty where none does."""
    colour: str = ""
    """Whose follower it is."""

    @property
    def tile(self) -> TurnedTile:
        return TILES[self.letter].turned[self.turn]

    @property
    def bare(self) -> TileKind:
        """The same without its follower."""
        return TileKind(self.letter, self.turn)

    @property
    def turns(self) -> Sequence[TileKind]:
        """The same tile in every way it may lie, without a follower."""
        return [
            TileKind(self.letter, turn)
            for turn in dict.fromkeys(upright(self.letter, turn) for turn in range(4))
        ]

    def turned(self, quarters: int) -> TileKind:
        """The same tile where the board is turned clockwise."""
        return self._replace(turn=upright(self.letter, (self.turn + quarters) % 4))

    def __str__(self) -> str:
        """As `A1`, or `A1-m0-blue` with a follower."""
        return f"{self.letter}{self.turn}" + (f"-{self.part}-{self.colour}" if self.part else "")


_NAME = re.compile(r"([A-X])([0-3])(?:-([crmf][0-9])-([a-z]+))?")
TILE = "tile-"
"""Begins the labels of tiles in galleries."""


@cache
def kind_named(label: str) -> TileKind | None:
    """What a gallery's label (`tile-A`) or a name (`A1`, `A1-m0-blue`) speaks of."""
    if label.startswith(TILE):
        letter = label.removeprefix(TILE)
        return TileKind(letter, 0) if letter in TILES else None
    named = _NAME.fullmatch(label)
    if not named:
        return None
    letter, turn, part, colour = named.groups(default="")
    if part and part not in TILES[letter].parts:
        return None
    return TileKind(letter, upright(letter, int(turn)), part, colour)


def _joins(tile: TurnedTile) -> set[tuple[int, ...]]:
    """Which parts of its edges belong together."""
    return {part.ports for part in tile.parts}


@dataclass(frozen=True)
class Thresholds:
    """What decides, and what is asked about; likenesses are from -1 to 1, lengths in sides of a tile."""

    mismatch: float = 0.25
    """What a tile costs that does not continue a neighbour that is seen well."""
    firm: float = 0.85
    """Likeness from which on a neighbour is seen well; the less it has, the less its edges weigh."""
    too_many: float = 0.1
    """What a tile costs that the box has not."""
    unknown: float = 0.5
    """Likeness from which on a place may be any tile of the box; below, something else lies there, or on it."""
    explained: float = 0.78
    """Likeness that half of the places have to have: prints of an edition nobody taught have 0.7 at most."""
    known: float = 0.6
    """Likeness of a tile on which somebody stands and that nobody is asked about."""
    usual: float = USUAL
    """The same of a bare one, in parts of the likeness that half of them have."""
    clear: float = 0.08
    """How much more than for anything else has to speak for a tile."""
    hidden: float = 0.2
    """The same for one on which somebody stands, beside its twin with a pennant or without."""
    looks: float = 0.12
    """How much more a place may look like another tile than like the one that continues its neighbours."""
    considered: float = 0.45
    """What looks so much less than the likeliest is not considered, but for what continues the neighbours."""
    somebody: float = 0.3
    """How sure it has to be that somebody stands on a tile; below, it is taken for nobody, and all such tiles are one
    question."""


TWINS: Mapping[str, str] = {
    one: other
    for one in TILES
    for other in TILES
    if one != other and any(_joins(turned) == _joins(TILES[one].turned[0]) for turned in TILES[other].turned)
}
"""The types of tiles that differ by a pennant alone."""
PLAIN = Thresholds()
ROUNDS = 12
"""How often neighbours tell each other what would continue them."""
FEWEST = 3
"""Tiles of a board, less are nothing to count."""
HALF = 0.5
"""Part of the places that have to be tiles of the box, else it is another game."""
FURTHER = 6
"""Kinds that are remembered of each place."""
SIDES = range(4)


class TileDoubt(StrEnum):
    """Why somebody has to look at a tile."""

    UNKNOWN = "not of this box"
    UNLIKE = "unlike its kind"
    OTHER_KIND = "another tile is nearly as likely"
    NEIGHBOURS = "looks like another tile, which would not continue its neighbours"
    NOT_IN_BOX = "more than the box has"
    PHOTOS = "two photos show it otherwise"
    FOLLOWER = "whether a follower stands there, or whose"
    PART = "on which part a follower stands"
    TOGETHER = "several followers on one tile"


NOBODY, STRANGERS = "nobody", "strangers"
"""Questions about several tiles: whether nobody stands on them, and whether they are none of the box."""
ABOUT_FOLLOWERS = (TileDoubt.FOLLOWER, TileDoubt.PART, TileDoubt.TOGETHER)


@dataclass(frozen=True)
class BoardReading(SquaresReading[TileKind]):
    """What a board shows."""

    @property
    def table(self) -> WholeTable:
        """The table as it was read; each colour there is is a player."""
        return table_of(self.squares, COLOURS)

    @property
    def colours(self) -> Sequence[str]:
        """Of the followers nobody doubts."""
        doubted = {one.cell for one in self.unsure if one.reason == TileDoubt.FOLLOWER}
        seen = {kind.colour for cell, kind in self.squares.items() if kind.colour and cell not in doubted}
        return [colour for colour in COLOURS if colour in seen]

    @property
    def asks(self) -> bool:
        return bool(self.unsure) or not self.alone

    @property
    def unfamiliar(self) -> bool:
        tiles = [
            one for one in self.unsure if one.reason not in ABOUT_FOLLOWERS and one.candidates[0] is not None
        ]
        return len(tiles) > UNFAMILIAR * len(self.squares)


def table_of(
    squares: Mapping[Cell, TileKind], colours: Sequence[str], points: tuple[int, ...] = ()
) -> WholeTable:
    """Places as a table that nobody watched, a player for each colour; followers of others are left out."""
    placements = tuple(Placement(kind.letter, *cell, kind.turn) for cell, kind in sorted(squares.items()))
    followers = tuple(
        (colours.index(kind.colour), (*cell, kind.part))
        for cell, kind in sorted(squares.items())
        if kind.colour in colours
    )
    return WholeTable(placements, followers, points)


def position_of(table: WholeTable, players: int) -> Position:
    """Where a game stands that looks like that."""
    return show_table(start(players, frozenset({Variant.SCORE_ONLY})), table)


Likeness = Mapping[Cell, Mapping[TileKind, float]]


def kinds_seen(rows: Sequence[GalleryRow], scores: Mapping[Cell, Sequence[float]]) -> Likeness:
    """How much each place looks like each tile as it may lie."""
    columns: dict[TileKind, list[int]] = {}
    for column, row in enumerate(rows):
        if kind := kind_named(row.label):
            turn = upright(kind.letter, (kind.turn + row.turn) % 4)
            columns.setdefault(TileKind(kind.letter, turn), []).append(column)
    return {
        cell: {kind: max(of[column] for column in known) for kind, known in columns.items()}
        for cell, of in scores.items()
    }


def read_board(seen: SeenSquares, thresholds: Thresholds = PLAIN) -> BoardReading | None:
    """What a group of places shows as a board of this box; None where most of them are nothing of it."""
    likeness = kinds_seen(seen.rows, seen.scores)
    known = {cell: of for cell, of in likeness.items() if of and max(of.values()) > thresholds.unknown}
    best = sorted(max(of.values()) for of in likeness.values() if of)
    if len(known) < max(FEWEST, HALF * len(likeness)) or best[len(best) // 2] < thresholds.explained:
        return None
    standing = frozenset(figure.cell for figure in seen.figures)
    bare = _Explanation(likeness, known, standing, thresholds).reading()
    otherwise = (
        UnsureSquare(cell, (*bare.doubt(cell, "").candidates, None), TileDoubt.PHOTOS)
        for cell in sorted(seen.differing)
        if cell in bare.squares
    )
    return _dearest_first(with_followers(bare.asking(otherwise), seen.figures, thresholds))


class _Explanation:
    """The tiles that explain all places best."""

    def __init__(
        self, seen: Likeness, known: Likeness, standing: Collection[Cell], thresholds: Thresholds
    ) -> None:
        self.seen, self.known, self.standing, self.enough = seen, known, standing, thresholds
        self.beliefs = self._agreed()
        self.tiles = {cell: _best(of) for cell, of in self.beliefs.items()}
        self.over = set[Cell]()
        """Where there may lie a tile that the box has not."""
        self._settle()
        self._leave_to_the_box()

    def _agreed(self) -> Likeness:
        """How likely each tile is with the best of all others (max-product over the edges)."""
        least = {cell: max(of.values()) - self.enough.considered for cell, of in self.known.items()}
        own = {
            cell: {kind: score for kind, score in of.items() if score >= least[cell]}
            for cell, of in self.known.items()
        }
        told: _Told = {}
        for _round in range(ROUNDS):
            told = {
                (near, side + 2 & 3): self._says(own[cell], cell, side, told)
                for cell in own
                for side, near in _beside(cell)
                if near in own
            }
        return {
            cell: {kind: score + _heard(told, cell, kind) for kind, score in of.items()}
            for cell, of in own.items()
        }

    def _says(self, of: Mapping[TileKind, float], cell: Cell, side: int, told: _Told) -> Mapping[str, float]:
        """What a place says to its neighbour on a side: how good it would be if that went on with each kind of edge."""
        best = dict.fromkeys("crf", -inf)
        for kind, score in of.items():
            edge = kind.tile.edges[side]
            best[edge] = max(best[edge], score + _heard(told, cell, kind, side))
        most = max(best.values())
        return {edge: max(best[edge], most - self._weight(cell)) - most for edge in best}

    def _weight(self, cell: Cell) -> float:
        """What not continuing this tile costs."""
        seen = (max(self.known[cell].values()) - self.enough.unknown) / (
            self.enough.firm - self.enough.unknown
        )
        return self.enough.mismatch * min(max(seen, 0.0), 1.0)

    def _settle(self) -> None:
        """Take at each place what is best beside its neighbours as they were taken, until nothing changes."""
        for _round in range(ROUNDS * len(self.tiles)):
            better = (
                (cell, kind) for cell in self.tiles if (kind := _best(self.alone(cell))) != self.tiles[cell]
            )
            found = next(better, None)
            if found is None:
                break
            self.tiles[found[0]] = found[1]

    def alone(self, cell: Cell) -> Mapping[TileKind, float]:
        """How likely each tile is in a place, all others as they were taken."""
        sides = [
            (side, self.tiles[near].tile.edges[side + 2 & 3], self._weight(near))
            for side, near in _beside(cell)
            if near in self.tiles
        ]
        return {
            kind: score - sum(weight for side, edge, weight in sides if kind.tile.edges[side] != edge)
            for kind, score in self.known[cell].items()
        }

    def _leave_to_the_box(self) -> None:
        """Where there are more of a type than in the box, the least sure of them are others if that costs little."""
        for letter, tile in TILES.items():
            lying = [cell for cell, kind in self.tiles.items() if kind.letter == letter]
            more = len(lying) - tile.count
            if more <= 0:
                continue
            used = Counter(kind.letter for kind in self.tiles.values())
            left = {other for other in TILES if used[other] < TILES[other].count}
            others = {cell: _best_of(self.alone(cell), left) for cell in lying}
            costs = sorted(
                (self.alone(cell)[self.tiles[cell]] - score, cell) for cell, (_kind, score) in others.items()
            )
            for cost, cell in costs[:more]:
                if cost < self.enough.too_many and (kind := others[cell][0]):
                    self.tiles[cell] = kind
            # What tells those that stayed from those that were taken for others is little: all of them are asked about.
            self.over |= {cell for cost, cell in costs if cost < costs[more - 1][0] + self.enough.clear}

    # -- what is sure ---------------------------------------------------------------------------------------------

    def _twin_lead(self, cell: Cell) -> float:
        """How much more speaks for a tile on which somebody stands than for its twin; a pennant may be hidden."""
        taken, looks = self.tiles[cell], self.known[cell]
        twin = TWINS.get(taken.letter)
        if twin is None or cell not in self.standing:
            return inf
        return looks[taken] - max(looks[kind] for kind in looks if kind.letter == twin)

    def _least(self, cell: Cell) -> float:
        """How much a place has to look like its tile before nobody is asked."""
        return self.enough.known if cell in self.standing else self.enough.usual * self._typical

    @cached_property
    def _typical(self) -> float:
        """How much half of the bare tiles look like what they are."""
        bare = sorted(
            self.known[cell][kind] for cell, kind in self.tiles.items() if cell not in self.standing
        )
        return bare[len(bare) // 2] if bare else 1.0

    def reading(self) -> BoardReading:
        weakest = {cell: self._weakest(cell) for cell in self.tiles}
        unsure = [
            UnsureSquare(cell, self._candidates(cell, reason), reason)
            for cell, (sure, reason) in weakest.items()
            if sure < 1
        ]
        unsure += [
            UnsureSquare(cell, (None, _best(of)), TileDoubt.UNKNOWN, STRANGERS)
            for cell, of in self.seen.items()
            if cell not in self.tiles
        ]
        return BoardReading(
            dict(self.tiles),
            tuple(unsure),
            ranked={
                cell: tuple(sorted(of, key=lambda kind: -of[kind])[:FURTHER])
                for cell, of in self.seen.items()
            },
            sureness={cell: sure for cell, (sure, _reason) in weakest.items()},
        )

    def _weakest(self, cell: Cell) -> tuple[float, TileDoubt]:
        """The least of all that has to speak for a tile, in parts of what is enough, and of what."""
        taken, looks, enough = self.tiles[cell], self.known[cell], self.enough
        lead = min(_lead(self.alone(cell), taken), _lead(self.beliefs[cell], taken))
        parts = [
            (lead / enough.clear, TileDoubt.OTHER_KIND),
            (self._twin_lead(cell) / enough.hidden, TileDoubt.OTHER_KIND),
            (looks[taken] / self._least(cell), TileDoubt.UNLIKE),
        ]
        if (rather := max(looks.values()) - looks[taken]) > 0:
            parts.append((enough.looks / rather, TileDoubt.NEIGHBOURS))
        if cell in self.over:
            parts.append((0.9, TileDoubt.NOT_IN_BOX))
        return min(parts, key=lambda part: part[0])

    def _candidates(self, cell: Cell, reason: TileDoubt) -> tuple[TileKind | None, ...]:
        """What a doubtful tile is taken for, and what else may lie there."""
        taken, alone = self.tiles[cell], self.alone(cell)
        rival = _best({kind: score for kind, score in alone.items() if kind != taken})
        return (taken, None, rival) if reason is TileDoubt.UNLIKE else (taken, rival)


_Told = Mapping[tuple[Cell, int], Mapping[str, float]]
"""What each place hears from a side, for each kind of edge that it may have there."""


def _heard(told: _Told, cell: Cell, kind: TileKind, without: int | None = None) -> float:
    edges = kind.tile.edges
    return sum(told[cell, side][edges[side]] for side in SIDES if side != without and (cell, side) in told)


def _lead(of: Mapping[TileKind, float], taken: TileKind) -> float:
    """How much more speaks for a tile than for any other."""
    return of.get(taken, -inf) - max((score for kind, score in of.items() if kind != taken), default=-inf)


def _best(of: Mapping[TileKind, float]) -> TileKind:
    return max(of, key=lambda kind: of[kind])


def _best_of(of: Mapping[TileKind, float], letters: Collection[str]) -> tuple[TileKind | None, float]:
    """The likeliest of some types."""
    known = {kind: score for kind, score in of.items() if kind.letter in letters}
    return (best := _best(known), known[best]) if known else (None, -inf)


def _beside(cell: Cell) -> Iterator[tuple[int, Cell]]:
    """The four places that share a side with this one, clockwise from the north."""
    for side, (dx, dy) in enumerate(STEPS):
        yield side, (cell[0] + dx, cell[1] + dy)


# -- followers -------------------------------------------------------------------------------------------------------


def with_followers(read: BoardReading, figures: Sequence[SeenFigure], enough: Thresholds) -> BoardReading:
    """The board with who stands on it, and questions where that is not clear."""
    position = position_of(read.table, 1)
    figures = _one_each(figures, read.squares)
    squares, doubts = dict(read.squares), dict[Cell, UnsureSquare[TileKind]]()
    for cell in dict.fromkeys(one.cell for one in figures if one.cell in squares):
        kind = squares[cell]
        first, *others = sorted((one for one in figures if one.cell == cell), key=lambda one: -one.confidence)
        parts = parts_under(kind, cell, first, position)
        ways = tuple(kind._replace(part=part, colour=first.colour) for part in parts)
        rivals = tuple(
            ways[0]._replace(colour=one.colour) for one in others if one.confidence > enough.somebody
        )
        squares[cell] = ways[0]
        if rivals:
            doubts[cell] = UnsureSquare(cell, (ways[0], *rivals, *ways[1:]), TileDoubt.TOGETHER)
        elif not first.sure:
            rivals = (ways[0]._replace(colour=first.rival),) if first.rival else ()
            weak = first.confidence < enough.somebody
            likely = (kind, ways[0]) if weak else (ways[0], kind)
            squares[cell] = likely[0]
            doubts[cell] = UnsureSquare(
                cell, (*likely, *rivals, *ways[1:]), TileDoubt.FOLLOWER, NOBODY if weak else ""
            )
        elif len(ways) > 1:
            doubts[cell] = UnsureSquare(cell, ways, TileDoubt.PART)
    # Which tile it is and who stands on it is one question where both are doubtful.
    unsure = tuple(_with_follower(one, squares, doubts.get(one.cell)) for one in read.unsure)
    return replace(read, squares=squares, unsure=unsure).asking(doubts.values())


def _one_each(figures: Sequence[SeenFigure], squares: Collection[Cell]) -> Sequence[SeenFigure]:
    """Figures with no more than one on a tile, where that can be: one at the edge of a tile on which another stands
    belongs to the neighbour, and somebody is asked."""
    taken = Counter(one.cell for one in figures)
    placed = list[SeenFigure]()
    for one in sorted(figures, key=lambda one: min(one.x, 1 - one.x, one.y, 1 - one.y)):
        (x, y), (dx, dy) = one.cell, min(STEPS, key=lambda way: _to_edge(one, way))
        beside = (x + dx, y + dy)
        if (
            taken[one.cell] > 1
            and _to_edge(one, (dx, dy)) < OVERHANG
            and beside in squares
            and not taken[beside]
        ):
            taken[one.cell] -= 1
            taken[beside] += 1
            moved = replace(one, cell=beside, x=one.x - dx, y=one.y - dy)
            one = replace(moved, confidence=min(one.confidence, DOUBTED))
        placed.append(one)
    return placed


OVERHANG = 0.12
"""How near to the edge of a tile somebody's foot is who may belong to the neighbour, in sides."""


def _to_edge(one: SeenFigure, way: tuple[int, int]) -> float:
    """How far a foot is from the edge of its tile that lies that way."""
    dx, dy = way
    along = one.x if dx else one.y
    return 1 - along if dx + dy > 0 else along


def _with_follower(
    one: UnsureSquare[TileKind],
    squares: Mapping[Cell, TileKind],
    doubt: UnsureSquare[TileKind] | None,
) -> UnsureSquare[TileKind]:
    """A question about a tile with whoever stands on it."""
    manned = (_in_place_of(squares.get(one.cell), kind, one.reason) for kind in one.candidates)
    return replace(one, candidates=tuple(dict.fromkeys((*manned, *(doubt.candidates if doubt else ())))))


def parts_under(kind: TileKind, cell: Cell, figure: SeenFigure, position: Position) -> Sequence[str]:
    """The parts of a tile that a follower may stand on, the likeliest first; more than one where it is not clear."""
    point = turned_point((figure.x * TILE_SIDE, figure.y * TILE_SIDE), -kind.turn)
    lies = figure.pose is Pose.LIES if figure.pose in (Pose.STANDS, Pose.LIES) else None
    features = {part: position.board.features.get((*cell, part)) for part in TILES[kind.letter].parts}
    complete = [part for part, feature in features.items() if feature and feature.complete]
    return parts_at(kind.letter, point, lies, FROM_ASIDE, complete)


def _dearest_first(read: BoardReading) -> BoardReading:
    """The question first whose answer moves most points."""
    colours = list(COLOURS)

    def points(squares: Mapping[Cell, TileKind]) -> Sequence[int]:
        position = position_of(table_of(squares, colours), len(colours))
        return add_counts((0,) * len(colours), position.outlook)

    now = points(read.squares)

    def stake(one: UnsureSquare[TileKind]) -> int:
        others = (_in_place_of(read.squares.get(one.cell), other, one.reason) for other in one.candidates)
        rest = {cell: kind for cell, kind in read.squares.items() if cell != one.cell}
        boards = (rest | ({one.cell: other} if other else {}) for other in others)
        return max(sum(abs(a - b) for a, b in zip(points(board), now, strict=True)) for board in boards)

    stakes = {one.cell: stake(one) for one in read.unsure}
    return replace(read, unsure=tuple(sorted(read.unsure, key=lambda one: -stakes[one.cell])))


def _in_place_of(taken: TileKind | None, other: TileKind | None, reason: str) -> TileKind | None:
    """What would lie there, with whoever stands on what is taken to lie there."""
    if reason in ABOUT_FOLLOWERS or not (taken and other) or taken.part not in TILES[other.letter].parts:
        return other
    return other._replace(part=taken.part, colour=taken.colour)
