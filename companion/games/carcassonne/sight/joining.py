"""Photos that show parts of one board: how they lie to each other, and what they show together.

Before anything is explained: tiles that two photos have in common say how the columns and rows of one are counted in
the other. Then all photos that show a place say together what lies there, and what they show otherwise is asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import hypot, inf, log

from companion.core.lattice import Cell, LatticeMove
from companion.core.observation import Pose
from companion.core.photo import DOUBTED, SeenFigure, SeenSquares
from companion.games.carcassonne.rules.board import STEPS, TILES, TILES_IN_THE_BOX
from companion.games.carcassonne.sight.photo import PLAIN, Likeness, Thresholds, TileKind, kinds_seen

FEWEST = 3
"""Tiles that two photos have in common at least."""
ENOUGH = log(1e7)
"""What tiles in common have to speak for one way to lay two photos together: of the thousand ways there are, hardly one
in ten thousand pairs of other boards has one for which chance speaks as much."""
CLEARLY = log(1e3)
"""How much more than for any other way."""
AGAINST = log(50)
"""What a tile speaks against it that the photos show otherwise: one in fifty is read wrongly."""
MISSED = log(10)
"""The same of one that only one of them shows: it may be missed, or was laid meanwhile."""
ALIKE = 4
"""Tiles in common for each that they show otherwise, at least."""
TRIED = 40
"""Ways that are looked at closely: those for which most pairs of tiles speak."""
ONE = 0.4
"""Figures of two photos that are nearer to each other are one, in sides of a tile: feet are seen from other sides."""


def _surprise(letter: str) -> float:
    """How much it says that two places show this type, lying alike: the more, the fewer the box has."""
    return log(TILES_IN_THE_BOX * len(TileKind(letter, 0).turns) / TILES[letter].count)


SURPRISE: Mapping[str, float] = {letter: _surprise(letter) for letter in TILES}


@dataclass(frozen=True)
class _Part:
    """What a photo shows of a board, or several do that are laid together."""

    tiles: Likeness
    """The places that may be tiles of the box."""
    bare: frozenset[Cell]
    """Places beside tiles that are seen to be none."""

    @cached_property
    def best(self) -> Mapping[Cell, TileKind]:
        return {cell: max(of, key=lambda kind: of[kind]) for cell, of in self.tiles.items()}

    def moved(self, move: LatticeMove) -> _Part:
        turned = {kind: kind.turned(move.turn) for of in self.tiles.values() for kind in of}
        tiles = {
            move.cell(cell): {turned[kind]: how for kind, how in of.items()}
            for cell, of in self.tiles.items()
        }
        return _Part(tiles, frozenset(map(move.cell, self.bare)))

    def joined(self, other: _Part) -> _Part:
        """With another one that counts places alike."""
        both = self.tiles.keys() & other.tiles.keys()
        better = {
            cell: max(self.tiles[cell], other.tiles[cell], key=lambda of: max(of.values())) for cell in both
        }
        tiles = {**self.tiles, **other.tiles, **better}
        return _Part(tiles, (self.bare | other.bare) - tiles.keys())

    def likeness_to(self, other: _Part, enough: Thresholds) -> float:
        """How much speaks for it that two parts show one board; nothing does where too much speaks against it."""
        both = self.tiles.keys() & other.tiles.keys()
        alike = [cell for cell in both if self.best[cell] == other.best[cell]]
        against = sum(show_otherwise(self.tiles[cell], other.tiles[cell], enough) for cell in both)
        against += sum(not _continues(self.best, cell, other.best) for cell in other.tiles.keys() - both)
        if len(alike) < max(FEWEST, ALIKE * against):
            return -inf
        missed = len(self.bare & other.tiles.keys()) + len(self.tiles.keys() & other.bare)
        said = sum(SURPRISE[self.best[cell].letter] for cell in alike)
        return said - AGAINST * against - MISSED * missed

    def ways(self, other: _Part) -> Iterator[LatticeMove]:
        """How another part may lie to this one: ways in which enough tiles lie on their like, the most first."""
        cells: dict[TileKind, list[Cell]] = {}
        for cell, kind in self.best.items():
            cells.setdefault(kind, []).append(cell)
        found = Counter[LatticeMove]()
        for turn in range(4):
            about = LatticeMove(turn)
            for cell, kind in other.best.items():
                x, y = about.cell(cell)
                found.update(LatticeMove(turn, a - x, b - y) for a, b in cells.get(kind.turned(turn), ()))
        for move, count in found.most_common(TRIED):
            if count >= FEWEST:
                yield move


def line_up(seen: Sequence[SeenSquares], enough: Thresholds = PLAIN) -> Sequence[LatticeMove | None]:
    """How places of each photo are counted as those of the first; None where it does not show the same board beyond
    doubt. A photo may have its tiles in common with any other one."""
    parts = [_part(one, enough) for one in seen]
    moves: list[LatticeMove | None] = [LatticeMove(), *(None for _other in seen[1:])]
    board = parts[0]
    while left := [at for at, move in enumerate(moves) if move is None]:
        speaks, found, at = max(
            ((*_way(board, parts[at], enough), at) for at in left), key=lambda one: one[0]
        )
        if speaks < ENOUGH:
            break
        moves[at] = found
        board = board.joined(parts[at].moved(found))
    return moves


def _way(board: _Part, part: _Part, enough: Thresholds) -> tuple[float, LatticeMove]:
    """How much speaks for the likeliest way to lay a part to a board; nothing unless it clearly is the likeliest."""
    ways = ((board.likeness_to(part.moved(move), enough), move) for move in board.ways(part))
    best, second = sorted([*ways, *[(-inf, LatticeMove())] * 2], key=lambda one: -one[0])[:2]
    return best if best[0] - max(second[0], 0) > CLEARLY else (-inf, LatticeMove())


def _part(seen: SeenSquares, enough: Thresholds) -> _Part:
    likeness = kinds_seen(seen.rows, seen.scores)
    return _Part(
        {cell: of for cell, of in likeness.items() if max(of.values()) > enough.unknown}, _bare(seen)
    )


def _bare(seen: SeenSquares) -> frozenset[Cell]:
    """Places beside its tiles that a photo shows, and shows to be none."""
    return frozenset(near for cell in seen.scores for near in _around(cell) if near not in seen.scores) - {
        *seen.beyond,
        *seen.cut,
    }


def _around(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + dx, cell[1] + dy) for dx, dy in STEPS)


def _continues(board: Mapping[Cell, TileKind], cell: Cell, tiles: Mapping[Cell, TileKind]) -> bool:
    """Whether a tile goes on with those of a board that it comes to lie beside."""
    return all(
        near not in board or board[near].tile.edges[side + 2 & 3] == tiles[cell].tile.edges[side]
        for side, near in enumerate(_around(cell))
    )


def show_otherwise(
    one: Mapping[TileKind, float], other: Mapping[TileKind, float], enough: Thresholds
) -> bool:
    """Whether two photos of a place show clearly that another tile lies there."""
    (first, _), (second, _) = tops = _top(one, enough), _top(other, enough)
    return first != second and all(clear for _kind, clear in tops)


def _top(of: Mapping[TileKind, float], enough: Thresholds) -> tuple[TileKind, bool]:
    """What a place looks like most, and whether that is clear."""
    kind, *others = sorted(of, key=lambda one: -of[one])[:2]
    lead = of[kind] - max((of[other] for other in others), default=-1.0)
    return kind, of[kind] > enough.explained and lead > enough.clear


# -- what they show together -----------------------------------------------------------------------------------------


def joined(seen: SeenSquares, enough: Thresholds = PLAIN) -> SeenSquares:
    """What several photos of one board show together, as if it were one; what they show otherwise is `differing`."""
    if not seen.also:
        return seen
    every = [replace(seen, also=()), *seen.also]
    # What the edge of a photo cuts is known by the one that shows most of it.
    best = {cell: max(every, key=lambda one: _clarity(one, cell)) for one in every for cell in one.scores}
    known = [_bare(one) for one in every]
    differing = {cell for cell in best if any(cell in bare for bare in known)}
    scores = {cell: one.scores[cell] for cell, one in best.items()}
    likely = [kinds_seen(one.rows, one.scores) for one in every]
    for cell in best:
        showing = [at for at, one in enumerate(every) if _shows(one, cell)]
        of_each = zip(*(every[at].scores[cell] for at in showing), strict=True)
        if any(show_otherwise(likely[a][cell], likely[b][cell], enough) for a, b in combinations(showing, 2)):
            differing.add(cell)
            scores[cell] = [max(of) for of in of_each]
        elif len(showing) > 1:
            scores[cell] = [sum(of) / len(showing) for of in of_each]
    beyond = {cell for one in every for cell in one.beyond} - best.keys()
    beyond -= {cell for bare in known for cell in bare}
    return replace(
        seen,
        scores=scores,
        bare={cell: one.bare.get(cell, 0.0) for cell, one in best.items()},
        beside=bool(beyond),
        mirrored=any(one.mirrored for one in every),
        figures=_figures(every),
        beyond=beyond,
        cut={cell for cell, one in best.items() if cell in one.cut},
        also=(),
        differing=differing,
    )


def _clarity(seen: SeenSquares, cell: Cell) -> tuple[bool, bool, float]:
    """How well a photo shows a place: at all, as a whole, and like something."""
    return cell in seen.scores, cell not in seen.cut, max(seen.scores.get(cell, (-1.0,)))


def _figures(every: Sequence[SeenSquares]) -> Sequence[SeenFigure]:
    """Whoever stands on a board, seen in several photos once; what one photo shows and another does not is doubted."""
    found: list[tuple[SeenFigure, set[int]]] = []
    for at, one in enumerate(every):
        for figure in one.figures:
            near = [
                index
                for index, (other, photos) in enumerate(found)
                if at not in photos and _away(figure, other) < ONE
            ]
            if near:
                index = min(near, key=lambda index: _away(figure, found[index][0]))
                other, photos = found[index]
                found[index] = (_same(figure, other), photos | {at})
            else:
                found.append((figure, {at}))
    return [
        _doubted(figure)
        if any(_shows(one, figure.cell) for at, one in enumerate(every) if at not in photos)
        else figure
        for figure, photos in found
    ]


def _away(one: SeenFigure, other: SeenFigure) -> float:
    (a, b), (x, y) = one.place, other.place
    return hypot(a - x, b - y)


def _same(one: SeenFigure, other: SeenFigure) -> SeenFigure:
    """What two photos show of one figure: the clearer of them, between both places, doubted where the other has it in
    another colour."""
    clear, less = sorted((one, other), key=lambda figure: -figure.confidence)
    (a, b), (x, y) = clear.place, less.place
    lies_and_stands = {clear.pose, less.pose} == {Pose.LIES, Pose.STANDS}
    figure = replace(
        clear,
        x=clear.x + (x - a) / 2,
        y=clear.y + (y - b) / 2,
        pose=Pose.UNCLEAR if lies_and_stands else clear.pose,
    )
    return figure if clear.colour == less.colour else replace(_doubted(figure), rival=less.colour)


def _doubted(figure: SeenFigure) -> SeenFigure:
    return replace(figure, confidence=min(figure.confidence, DOUBTED))


def _shows(seen: SeenSquares, cell: Cell) -> bool:
    """Whether a photo shows all of a tile, so that whoever stands there is in it."""
    return cell in seen.scores and cell not in seen.cut
