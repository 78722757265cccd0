"""What each player of the plain count has, and the Roles there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

ROLES = (
    ("governor", "P", 6),
    ("high_priest", "R", 5),
    ("diplomat", "A", 4),
    ("merchant", "T", 3),
    ("inventor", "S", 2),
    ("worker", "C", 1),
)


@dataclass
class Person:
    """What one player has."""

    knowledge: Counter[str] = field(default_factory=Counter)
    limits: dict[str, int] = field(default_factory=lambda: dict.fromkeys("TCASPR", 5))
    influence: int = 0
    points: int = 0
    markers: int = 15
    cards: dict[str, bool] = field(default_factory=dict)
    levels: list[tuple[str, int]] = field(default_factory=list)
    nodi: Counter[str] = field(default_factory=Counter)
    with_campfire: Counter[str] = field(default_factory=Counter)
    roles: list[str] = field(default_factory=list)
    produced: Counter[str] = field(default_factory=Counter)
    objective: str = ""
