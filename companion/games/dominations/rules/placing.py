"""Where cards come to lie in Trees, and Monuments on the table."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.dominations.rules.box import UNKNOWN, Domain
from companion.games.dominations.rules.lattice import Cell, Point
from companion.games.dominations.rules.tree import Spot


@dataclass(frozen=True)
class TreePlacement:
    """Where a card comes to lie in a Tree, or the Nodi it makes, or neither."""

    spot: Spot | None = None
    halves: str = UNKNOWN * 4
    nodi: tuple[Domain, ...] = ()


@dataclass(frozen=True)
class Lozenge:
    """The two cells that a lozenge covers."""

    cells: tuple[Cell, Cell]
    dots: str = "------"
    """The resources printed on it: three for each cell, in the order of its corners."""
    open: tuple[int, ...] = ()
    """Which of its four outer sides show a reward, counted in the order of the cells beside it; empty when all do."""


Place = Lozenge | Point
"""Where a Monument's piece stands."""
