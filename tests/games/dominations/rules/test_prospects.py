"""What can be paid, what is still unused, and how far goals are."""

from __future__ import annotations

from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.goals import parse_goal
from companion.games.dominations.rules.judging import goal_progress
from companion.games.dominations.rules.prospects import (
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
    track_place,
    unused_roles,
)
from tests.games.dominations.stories import CARDS, evening, play, rich


def test_prices_show_what_reductions_leave() -> None:
    theocracy = 'mastery theocracy "Teocracia" P 6 basic 0 0 "pay city: 2"'
    position = play(2, f"{theocracy}\n{rich(1, 'P6 T5', 10)}\n1 passes\n1 develops theocracy")
    prices = city_prices(position, 0)

    assert [(p.printed, p.cost, p.payable) for p in (prices[Domain.TRADE, n] for n in (1, 2, 3))] == [
        (3, 1, True),
        (6, 4, True),
        (9, 7, False),
    ]
    assert city_prices(position, 1)[Domain.TRADE, 1].cost == 3


def test_only_cards_read_out_have_a_price() -> None:
    position = play(
        2, f"{CARDS}\n1 keeps roman and lighthouse\n{rich(1, 'C9')}\n1 passes\n1 develops fishing"
    )

    assert sorted(mastery_prices(position, 0)) == ["agriculture", "livestock"]
    assert sorted(mastery_prices(position, 1)) == ["agriculture", "fishing", "livestock"]
    assert {key: price.cost for key, price in advance_prices(position, 0).items()} == {"fishing": 3}
    assert {key: price.printed for key, price in level_prices(position, 0).items()} == {"lighthouse": 5}


def test_powers_that_are_used_once_are_reminded_of() -> None:
    assert unused_roles(play(2, "1 holds worker\n1 holds merchant"), 0) == ("worker",)


def test_tracks_are_told_by_lap_and_place() -> None:
    assert [track_place(n, "influence") for n in (49, 50, 63)] == [(0, 49), (1, 0), (1, 13)]
    assert [track_place(n, "points") for n in (99, 100, 312)] == [(0, 99), (1, 0), (3, 12)]


def test_goals_show_how_far_they_are() -> None:
    position = play(2, f"1 adjusts influence +7\n{rich(1, 'T9')}\n1 passes\n1 builds T")

    def far(goal: str) -> list[tuple[int, int]]:
        return [(part.have, part.need) for part in goal_progress(position, 0, parse_goal(goal))]

    assert far("influence 30") == [(8, 30)]
    assert far("cities 1:2 2:1") == [(1, 3)]
    assert far("nodi T8 P5") == [(0, 8), (0, 5)]


def test_more_territories_than_the_box_has_are_pointed_out() -> None:
    cells = [f"{i},{j}{way}" for i in range(20, 30) for j in range(5) for way in "ud"][:91]
    session = evening(2, "\n".join(f"tile T:TTT at {cell}" for cell in cells))

    assert [str(problem) for problem in session.problems] == ["There are only 90 territories in the box."]
    assert evening(2, "\n".join(f"tile T:TTT at {cell}" for cell in cells[:90])).problems == ()
