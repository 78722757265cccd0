"""The end of a game told step by step in the rulebook's order, so that the table can follow with the track."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.rules.position import Position, add_counts
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.rules.tiles import FeatureKind
from companion.games.carcassonne.text.tally import count_name, telling_order


@dataclass(frozen=True)
class FinalStep:
    """One thing to do on the table."""

    text: Message
    points: tuple[int, ...]
    """What each player has on the track after it."""
    count: Count | None = None
    """None where followers go home."""
    farmers: bool = False
    """Whether nobody but the farmers stands there any more."""


def final_steps(position: Position) -> Iterator[FinalStep]:
    """Rulebook 001, "Contagem Final": unfinished features, then everybody but the farmers leaves, then the fields."""
    counts = sorted(position.outlook, key=telling_order)
    points = position.points
    fields = [count for count in counts if count.kind is FeatureKind.FIELD]
    for count in counts[: len(counts) - len(fields)]:
        points = add_counts(points, [count])
        yield FinalStep(count_name(count), points, count)
    yield FinalStep(_("Take every follower off the table but the farmers"), points, farmers=True)
    for count in fields:
        points = add_counts(points, [count])
        yield FinalStep(count_name(count), points, count, farmers=True)
