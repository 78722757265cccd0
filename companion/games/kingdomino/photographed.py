"""A kingdom read from a photo of it: its squares, its points, and what somebody has to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.kingdomino.kingdom import Cell, Kingdom, around, kingdom_of
from companion.games.kingdomino.pieces import CASTLE, Square
from companion.games.kingdomino.scoring import property_points
from companion.games.kingdomino.tiling import Places, Row, Tiling, places, tilings

CLEAR = 0.05
"""How much less likely a kingdom with another square in a place has to be."""
APART = 0.03
"""How much less another kind of square has to look like the picture."""
KNOWN = 0.55
"""How much a square has to look like its kind."""
BESIDE_TOWER = 0.62
"""The same beside a castle that stands up, which hides what lies behind it."""
FLAT = 0.6
"""A starting tile that looks less like one has a castle standing on it."""
EXPLAINED = 0.6
"""Likeness that half of all places have to have, or this is no kingdom."""
STRAINED = -0.035
"""What it may take in each place to explain a picture by dominoes; another game takes more."""
FEWEST = 5
"""Squares of a kingdom: a castle and two dominoes."""
WHOLE = (5, 7)
"""Sides of a kingdom that took every domino."""
MOSTLY, UNEASY = 0.4, -0.012
"""With more than this part of the places unsure, less strain is enough for this to be no kingdom."""


@dataclass(frozen=True)
class Unsure:
    """A place somebody has to look at."""

    cell: Cell
    candidates: tuple[Square | None, ...]
    """The likeliest first; None is a place without a piece."""


@dataclass(frozen=True)
class Photographed:
    """What a picture shows, in the places of its rows and columns."""

    squares: Mapping[Cell, Square]
    unsure: tuple[Unsure, ...]
    whole: bool = True
    """False where a row or column may be missing: the places are no square as whole kingdoms are."""

    @property
    def asks(self) -> bool:
        """Whether somebody has to look before the points count."""
        return bool(self.unsure) or not self.whole or self.points is None

    @property
    def kingdom(self) -> Kingdom | None:
        """As the rules count it; None without a castle."""
        home = next((cell for cell, square in self.squares.items() if square == CASTLE), None)
        if home is None:
            return None
        found = {(x - home[0], y - home[1]): square for (x, y), square in self.squares.items()}
        side = max(kingdom_of(found, 7).bounds[2:]) - min(kingdom_of(found, 7).bounds[:2]) + 1
        return kingdom_of(found, 7 if side > 5 else 5)

    @property
    def points(self) -> int | None:
        """What the properties bring; None without a castle."""
        return None if self.kingdom is None else property_points(self.kingdom)


def read_photo(
    rows: Sequence[Row], seen: Mapping[Cell, Sequence[float]], bare: Mapping[Cell, float] | None = None
) -> Photographed | None:
    """What the places of a picture show, each by how much it looks like each row of a gallery; None if no kingdom."""
    known = places(rows, seen, bare)
    likeness = sorted(max(scores) for scores in seen.values())
    found = tilings(known) if likeness and likeness[len(likeness) // 2] > EXPLAINED else ()
    if not found or found[0].likely < STRAINED * len(likeness):
        return None
    if len(found[0].squares) < FEWEST:
        return None
    unsure = tuple(one for cell in known.kinds if (one := _unsure(known, found, cell)))
    wide, high = (len({cell[axis] for cell in seen}) for axis in (0, 1))
    whole = wide == high and wide in WHOLE
    if len(unsure) > MOSTLY * len(likeness) and found[0].likely < UNEASY * len(likeness):
        return None
    return Photographed(found[0].squares, unsure, whole)


def _unsure(known: Places, found: Sequence[Tiling], cell: Cell) -> Unsure | None:
    best = found[0].squares
    chosen = best.get(cell)
    others = [tiling for tiling in found if tiling.squares.get(cell) != chosen]
    kinds = sorted(known.kinds[cell].items(), key=lambda kind: -kind[1])
    rival = next(kind for kind, _ in kinds if kind != chosen)
    lead = known.kinds[cell][chosen] - known.kinds[cell][rival]
    settled = not others or found[0].likely - others[0].likely > CLEAR
    alike = known.kinds[cell][chosen]
    tower = next((near for near in best if best[near] == CASTLE), None)
    hidden = tower in tuple(around(cell)) and known.kinds[tower][CASTLE] < FLAT
    least = 0.0 if chosen == CASTLE else BESIDE_TOWER if hidden else KNOWN
    if settled and alike >= least and (lead > APART or chosen == CASTLE) and chosen is not None:
        return None
    first = others[0].squares.get(cell) if others and not settled else rival
    return Unsure(cell, (chosen, first))
