"""Scores as explained lines: a total is always a sum, never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from companion.core.message import Message


@dataclass(frozen=True)
class TallyLine:
    """One reason for points."""

    player: int
    reason: Message
    points: int
    working: str = ""
    """The sum as people write it, e.g. `4 × 3`."""
    where: tuple[str, ...] = ()
    """Names of the places on the table it speaks of; the drawing marks them with the same names."""


@dataclass(frozen=True)
class Criterion:
    """Something players are compared by, and the value each of them has."""

    key: str
    name: Message
    values: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """Who stands where, and which comparison separated the first from the others."""

    ranks: tuple[int, ...]
    decided_by: Criterion | None
    """None when the first place is shared."""

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 1)


@dataclass(frozen=True)
class Tally:
    """All lines of all players and how the players stand."""

    players: int
    lines: tuple[TallyLine, ...]
    standing: Standing

    @cached_property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(line.points for line in self.of(player)) for player in range(self.players))

    def of(self, player: int) -> tuple[TallyLine, ...]:
        return tuple(line for line in self.lines if line.player == player)


def stand(criteria: Sequence[Criterion]) -> Standing:
    """Rank players by the criteria in turn; equal players share a rank and the next ranks are left out (1, 1, 3)."""
    keys = list(zip(*(criterion.values for criterion in criteria), strict=True))
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    if ranks.count(1) > 1:
        return Standing(ranks, None)
    best = max(keys)
    others = [key for key in keys if key != best]
    decided = next(
        (i for i in range(len(criteria)) if all(key[: i + 1] != best[: i + 1] for key in others)),
        0,
    )
    return Standing(ranks, criteria[decided])


@dataclass(frozen=True)
class Deciding:
    """The reason for points by which the first was farthest ahead of the second."""

    reason: Message
    points: int
    """Of the first."""
    against: int
    """Of the second."""


def what_decided(tally: Tally) -> Deciding | None:
    """What brought the victory; None where it is shared, or nobody came second by fewer points."""
    ranks, totals = tally.standing.ranks, tally.totals
    if len(tally.standing.winners) != 1 or len(ranks) < 2:
        return None
    first = tally.standing.winners[0]
    second = min((seat for seat in range(tally.players) if seat != first), key=lambda seat: ranks[seat])
    if totals[first] <= totals[second]:
        return None
    sums: dict[str, dict[int, int]] = {}
    reasons = {str(line.reason): line.reason for line in tally.lines}
    for line in tally.lines:
        own = sums.setdefault(str(line.reason), {first: 0, second: 0})
        if line.player in own:
            own[line.player] += line.points
    best = max(sums, key=lambda reason: sums[reason][first] - sums[reason][second])
    return Deciding(reasons[best], sums[best][first], sums[best][second])
