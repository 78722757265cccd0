"""Totals are sums, and standings say what separated the first from the others."""

from __future__ import annotations

import pytest

from companion.core.message import message
from companion.core.tally import Criterion, Standing, Tally, TallyLine, stand

KEYS = ("score", "largest", "crowns")


def criteria(*players: tuple[int, ...]) -> list[Criterion]:
    """One criterion for each column of the players' values."""
    columns = zip(*players, strict=True)
    return [Criterion(key, message(key), values) for key, values in zip(KEYS, columns, strict=False)]


@pytest.mark.parametrize(
    ("players", "ranks", "decided_by"),
    (
        # two players
        ([(9, 1, 1), (8, 9, 9)], (1, 2), "score"),
        ([(8, 9, 9), (9, 1, 1)], (2, 1), "score"),
        ([(9, 5, 1), (9, 4, 9)], (1, 2), "largest"),
        ([(9, 5, 1), (9, 5, 9)], (2, 1), "crowns"),
        ([(9, 5, 3), (9, 5, 3)], (1, 1), None),
        # three players: each comparison is needed only while somebody is still equal to the first
        ([(9, 5, 3), (8, 5, 3), (7, 5, 3)], (1, 2, 3), "score"),
        ([(9, 5, 3), (9, 4, 3), (7, 5, 3)], (1, 2, 3), "largest"),
        ([(9, 5, 3), (9, 4, 3), (9, 5, 2)], (1, 3, 2), "crowns"),
        ([(9, 4, 9), (9, 5, 2), (9, 5, 3)], (3, 2, 1), "crowns"),
        ([(9, 5, 3), (9, 5, 3), (9, 5, 2)], (1, 1, 3), None),
        ([(9, 5, 2), (9, 5, 3), (9, 5, 2)], (2, 1, 2), "crowns"),
        ([(9, 5, 3), (9, 5, 3), (9, 5, 3)], (1, 1, 1), None),
        # a tie further down does not matter to who is first
        ([(9, 5, 3), (8, 5, 3), (8, 5, 3)], (1, 2, 2), "score"),
        # four players, as in a competition: 1, 2, 2, 4
        ([(9, 5, 3), (8, 5, 3), (8, 5, 3), (7, 9, 9)], (1, 2, 2, 4), "score"),
        ([(7, 5, 3), (9, 5, 3), (9, 5, 3), (8, 9, 9)], (4, 1, 1, 3), None),
        # nobody to be compared with
        ([(0, 0, 0)], (1,), "score"),
    ),
)
def test_players_stand_by_the_first_comparison_that_differs(
    players: list[tuple[int, ...]], ranks: tuple[int, ...], decided_by: str | None
) -> None:
    standing = stand(criteria(*players))

    assert standing.ranks == ranks
    assert (standing.decided_by.key if standing.decided_by else None) == decided_by
    assert standing.winners == tuple(player for player, rank in enumerate(ranks) if rank == 1)


def test_what_decided_comes_with_the_values_to_show() -> None:
    decided_by = stand(criteria((9, 5, 1), (9, 4, 9))).decided_by

    assert decided_by == Criterion("largest", message("largest"), (5, 4))


def test_a_total_is_the_sum_of_a_players_lines() -> None:
    lines = (
        TallyLine(0, message("Forest"), 12, "4 × 3"),
        TallyLine(1, message("Lake"), 2),
        TallyLine(0, message("Mine"), 6, "2 × 3", ("1:0,1",)),
        TallyLine(2, message("Swamp"), -1),
    )
    tally = Tally(4, lines, Standing((1, 2, 4, 3), None))

    assert tally.totals == (18, 2, -1, 0)
    assert tally.of(0) == (lines[0], lines[2])
    assert tally.of(3) == ()


def test_nobody_has_won_while_something_that_matters_is_still_to_be_told() -> None:
    standing = stand(criteria((9, 1, 1), (8, 9, 9)), open=True)
    untold = TallyLine(1, message("Objective"), 0, unknown=True)

    assert (standing.ranks, standing.winners) == ((1, 2), ())
    assert Tally(2, (TallyLine(0, message("Forest"), 9), untold), standing).unknown == (untold,)
