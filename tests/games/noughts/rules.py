"""What is on the board of noughts and crosses, and what can happen there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ROWS = (("a3", "b3", "c3"), ("a2", "b2", "c2"), ("a1", "b1", "c1"))
"""The board as people see it."""
LINES = (*ROWS, *zip(*ROWS, strict=True), ("a3", "b2", "c1"), ("a1", "b2", "c3"))
"""Everything that counts as three in a row."""


@dataclass(frozen=True)
class Position:
    """What is on the board."""

    marks: Mapping[str, int]
    """Who has marked each square, players counted from 0."""

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return len(self.marks) % 2

    @property
    def won(self) -> tuple[int, tuple[str, ...]] | None:
        """Who has three in a row, and where."""
        for line in LINES:
            owners = {self.marks.get(square) for square in line}
            if len(owners) == 1 and (owner := owners.pop()) is not None:
                return owner, line
        return None

    @property
    def over(self) -> bool:
        return self.won is not None or len(self.marks) == 9


@dataclass(frozen=True)
class Marked:
    """A player has marked a square."""

    player: int
    square: str


@dataclass(frozen=True)
class BoardShown:
    """A whole board as it lies, for a table that nobody followed."""

    marks: tuple[tuple[str, int], ...]
    """Squares by name, and who has marked each."""
