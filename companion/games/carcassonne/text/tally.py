"""The points of a position as lines that say why, and the end of a game step by step in the rulebook's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand
from companion.games.carcassonne.rules.board import FeatureKind, reading_order
from companion.games.carcassonne.rules.position import Phase, Position, add_counts
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.rules.variants import Variant

KINDS_IN_ORDER = tuple(FeatureKind)
"""In which kinds of features are told: roads, cities, monasteries, and fields last, as the rulebook counts them."""


def tally(position: Position) -> Tally:
    """Points on the track, and those that would be added if the game ended now."""
    lines = [*_on_the_track(position), *_lines(all_counts(position))]
    totals = [0] * position.players
    for line in lines:
        totals[line.player] += line.points
    return Tally(position.players, tuple(lines), stand([Criterion("score", _("points"), tuple(totals))]))


def all_counts(position: Position) -> Iterator[Count]:
    """Everything that brings somebody points, what is on the track already first."""
    yield from position.scored
    if Variant.PURIST not in position.variants or position.phase is Phase.OVER:
        yield from sorted(position.outlook, key=telling_order)


def telling_order(count: Count) -> tuple[int, tuple[int, int, str]]:
    return KINDS_IN_ORDER.index(count.kind), reading_order(count.place)


def _on_the_track(position: Position) -> Iterator[TallyLine]:
    for player, points in enumerate(position.table.points if position.table else position.told):
        if points is not None:
            yield TallyLine(player, _("On the track"), points)


def _lines(counts: Iterable[Count]) -> Iterator[TallyLine]:
    for count in counts:
        shared = len(count.owners) > 1
        reason = _("%(feature)s, shared", feature=count.name) if shared else count.name
        for owner in count.owners:
            yield TallyLine(owner, reason, count.points, count.working, count.places)


@dataclass(frozen=True)
class FinalStep:
    """One thing to do on the table."""

    text: Message | None
    """None before the first step."""
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
        yield FinalStep(count.name, points, count)
    yield FinalStep(_("Take every follower off the table but the farmers"), points, farmers=True)
    for count in fields:
        points = add_counts(points, [count])
        yield FinalStep(count.name, points, count, farmers=True)
