"""The end of a game told step by step in the rulebook's order, so that the table can follow with the track."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.rules.position import Position, added
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.rules.tiles import Kind
from companion.games.carcassonne.text.tally import name, telling_order


@dataclass(frozen=True)
class Step:
    """One thing to do on the table."""

    text: Message
    points: tuple[int, ...]
    """What each player has on the track after it."""
    count: Count | None = None
    """None where followers go home."""
    farmers: bool = False
    """Whether nobody but the farmers stands there any more."""


def closing(position: Position) -> Iterator[Step]:
    """Rulebook 001, "Contagem Final": unfinished features, then everybody but the farmers leaves, then the fields."""
    counts = sorted(position.outlook, key=telling_order)
    points = position.points
    fields = [count for count in counts if count.kind is Kind.FIELD]
    for count in counts[: len(counts) - len(fields)]:
        points = added(points, [count])
        yield Step(name(count), points, count)
    yield Step(_("Take every follower off the table but the farmers"), points, farmers=True)
    for count in fields:
        points = added(points, [count])
        yield Step(name(count), points, count, farmers=True)
