"""Objectives: seven kinds of goals, and what they bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.board import Planted, Tree
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.cards import moved_goals, parse_goal
from companion.games.dominations.rules.eras import is_reached, reached_goals
from companion.games.dominations.rules.gains import city_groups
from companion.games.dominations.rules.lattice import Cell, parse_cell
from companion.games.dominations.rules.position import City, Position, Site, start
from tests.games.dominations.rules.test_without_a_map import COUNTED, TWO_CITIES, goals, problems
from tests.games.dominations.stories import LIGHTHOUSE, ROMAN, era_over, evening, play, refusal

THE_END = (f"{era_over()}\nera effects\n1 assimilates nothing\nera roles\nera next\n" * 3).rpartition(
    "era next"
)[0]


def with_cities(*cities: str) -> Position:
    """The Cities of the first player, as `3 at 2,-1u` or a level alone."""
    found = []
    for text in cities:
        level, _at, cell = text.partition(" at ")
        found.append(City(0, Domain.TRADE, int(level), parse_cell(cell) if cell else None))
    return replace(start(2, {}), cities=tuple(found))


def reaches(position: Position, goal: str) -> bool:
    return is_reached(position, 0, parse_goal(goal))


def test_a_higher_city_may_stand_for_a_lower_one_but_once() -> None:
    """Rulebook 004: five Cities of level 1 and one of level 2."""
    goal = "cities 1:5 2:1"

    assert reaches(with_cities("1", "1", "1", "1", "1", "2"), goal)
    assert reaches(with_cities("3", "1", "2", "1", "3", "1"), goal)
    assert not reaches(with_cities("1", "1", "1", "1", "1", "1"), goal)
    assert not reaches(with_cities("3", "3", "3", "3", "3"), goal)


def row(length: int, j: int = 0) -> list[Cell]:
    """That many cells in a row, each beside the next."""
    return [Cell(n // 2, j, n % 2) for n in range(length)]


def test_the_rulebooks_example_of_groups_of_eight_and_three() -> None:
    """They are groups of 8 and 3, never one of 11, and two Cities that are not adjacent."""
    cells = [*row(8), *row(3, 5)]
    position = with_cities(*(f"1 at {cell}" for cell in cells))

    assert sorted(map(len, city_groups(position.cities))) == [3, 8]
    assert [reaches(position, f"adjacent {n}") for n in (8, 9, 11)] == [True, False, False]
    assert [reaches(position, f"apart {n}") for n in (2, 3)] == [True, False]


def test_cities_of_others_do_not_connect() -> None:
    position = with_cities(*(f"1 at {cell}" for cell in row(5)))
    split = replace(position, cities=tuple(replace(c, owner=n == 2) for n, c in enumerate(position.cities)))

    assert sorted(map(len, city_groups(split.cities_of(0)))) == [2, 2]
    assert (reaches(split, "adjacent 2"), reaches(split, "adjacent 3")) == (True, False)


def test_all_parts_of_a_goal_about_nodi_are_required() -> None:
    """Rulebook 004: 8 of Trade, 5 of Politics and 3 of Science."""
    nodi = [*[Domain.TRADE] * 8, *[Domain.POLITICS] * 5, *[Domain.SCIENCE] * 3]
    full = Tree().with_card(Planted("a", nodi=tuple(nodi)))
    less = Tree().with_card(Planted("a", nodi=tuple(nodi[:-1])))

    found = [
        reaches(replace(start(1, {}), seats=(replace(start(1, {}).seats[0], tree=t),)), "nodi T8 P5 S3")
        for t in (full, less)
    ]
    assert found == [True, False]


@pytest.mark.parametrize(("influence", "expected"), ((29, False), (30, True), (31, True)))
def test_influence_is_reached_at_its_number(influence: int, expected: bool) -> None:
    position = play(2, f"1 adjusts influence +{influence}")

    assert reaches(position, "influence 30") is expected


def test_masteries_count_by_value_and_domain() -> None:
    """Rulebook 004: four of value 6 in Trade or Science, and three of value 9 in Trade or Politics."""
    position = play(
        2, 'mastery a_one "A" T 6 basic 0 0\nmastery b_one "B" S 6 basic 0 0\nmastery c_one "C" P 9 basic 0 0'
    )
    seat = position.seats[0]
    tree = Tree((*seat.tree.cards, *(Planted(f"{x}_one") for x in "abc")))
    position = replace(position, seats=(replace(seat, tree=tree), position.seats[1]))

    assert reaches(position, "masteries 6:2 TS 9:1 TP")
    assert not reaches(position, "masteries 6:3 TS 9:1 TP")
    assert not reaches(position, "masteries 6:2 TS 9:1 T")


def test_control_may_name_a_monument() -> None:
    tree = Tree().with_card(Planted("lighthouse", 1))
    position = play(2, LIGHTHOUSE)
    position = replace(
        position,
        seats=(replace(position.seats[0], tree=tree), position.seats[1]),
        sites={"lighthouse": Site(1)},
    )

    assert [reaches(position, f"control {which}") for which in ("1", "2", "lighthouse", "gardens")] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(("goals", "points"), ((0, 0), (1, 10), (2, 20), (3, 40), (4, 70), (5, 100)))
def test_goals_bring_ten_to_a_hundred_in_any_order(goals: int, points: int) -> None:
    ticks = "\n".join(f"1 reached {goal}" for goal in range(5, 5 - goals, -1))
    session = evening(2, f"{ticks}\n{THE_END}\nera objectives")

    assert session.position.points == (points, 0)
    last = [line for line in session.tally.lines if line.player == 0][-1]
    expected = (
        f"Objective: {goals} of 5 goals" if goals else "Objective: nobody has said how many goals are reached"
    )
    assert str(last.reason) == f"{expected}, in Era 3"


def test_counted_and_ticked_goals_add_up() -> None:
    words = ROMAN.replace("control 1", "wonders of the world")
    story = f"{words}\n{LIGHTHOUSE}\n1 keeps roman and lighthouse\n1 adjusts influence +45\n1 reached 3\n{THE_END}"

    # Influence brings 45 in each of three Eras; two goals bring 20.
    assert play(2, f"{story}\nera objectives").points == (3 * 45 + 20, 0)


def test_a_tick_is_taken_away_again() -> None:
    assert play(2, "1 reached 3\n1 missed 3").seats[0].achieved == frozenset()
    assert refusal(2, "1 reached 3", "1 reached 3") == "This goal is marked so already."


def test_everybody_keeps_one_objective_and_one_monument() -> None:
    story = f"{ROMAN}\n{LIGHTHOUSE}\n1 keeps roman and lighthouse"

    assert len(play(2, story).sites) == 1
    assert refusal(2, story, "2 keeps roman and gardens") == "This Objective belongs to somebody else."
    assert refusal(2, story, "1 keeps egyptian and gardens") == "This player has an Objective already."


BESIDE = "tile C:RRR at 0,0d\ntile C:RRR at 1,0u\n1 has C1 at 0,0d\n1 has C1 at 1,0u"
APART = "tile C:RRR at 0,0d\ntile C:RRR at 4,4u\n1 has C1 at 0,0d\n1 has C1 at 4,4u"
WORDS = 'objective mine "Minha" "one" "two" "three" "influence 9" "five"'
KEPT = f"{WORDS}\n{LIGHTHOUSE}\n1 keeps mine and lighthouse\n1 reached 2"


def test_what_can_be_counted_is_counted_whatever_was_ticked() -> None:
    ticked = f"{TWO_CITIES}1 reached 1"
    beside, apart = (play(2, f"{ticked}\n{drawn}") for drawn in (BESIDE, APART))

    assert 1 in reached_goals(play(2, ticked), 0)
    assert (1 in reached_goals(beside, 0), 1 in reached_goals(apart, 0)) == (True, False)
    assert problems(2, f"{ticked}\n{BESIDE}") == []
    assert problems(2, f"{ticked}\n{APART}") == [
        "Goal 1 is marked as reached, and by the count it is not: Cities side by side: 2"
    ]
    # The panel shows what counts, and takes the mark back with a tap.
    assert (goals(apart)[0].far, goals(apart)[0].reached, goals(apart)[0].tick) == (
        ((1, 2),),
        False,
        "1 missed 1",
    )
    assert problems(2, f"{ticked}\n{APART}\n1 missed 1") == []


def test_what_was_said_to_be_missed_may_come_out_reached() -> None:
    story = f"{COUNTED}1 missed 1\n1 missed 3\n{BESIDE}"

    assert 1 in reached_goals(play(2, story), 0)
    assert problems(2, story) == [
        "Goal 1 is marked as missed, and by the count it is reached: Cities side by side: 2"
    ]
    assert (goals(play(2, story))[0].tick, problems(2, f"{story}\n1 reached 1")) == ("1 reached 1", [])


def test_the_final_count_takes_no_tick_for_what_it_can_count() -> None:
    points = [
        play(2, f"{COUNTED}1 reached 1\n1 missed 3\nera objectives\n{drawn}").points[0]
        for drawn in ("", BESIDE, APART)
    ]

    # Influence brings 2 in each Era and the Worker 1; two goals bring 20, whichever of the three they are.
    assert [total - 3 * 2 - 1 for total in points] == [20, 20, 20]
    assert len(problems(2, f"{COUNTED}1 reached 1\n1 missed 3\nera objectives\n{APART}")) == 2


@pytest.mark.parametrize(
    ("again", "expected"),
    (
        ('"two" "one" "three" "influence 9" "five"', {1}),
        ('"one" "influence 9" "three" "two" "five"', {4}),
        ('"one" "twice" "three" "influence 9" "five"', {2}),
        ('"five" "one" "three" "influence 9" "twice"', set()),
    ),
)
def test_a_tick_stays_with_its_goal_when_the_card_is_read_again(again: str, expected: set[int]) -> None:
    assert play(2, f'{KEPT}\nobjective mine "Minha" {again}').seats[0].achieved == expected
    assert play(2, f'{KEPT}\nobjective other "Outra" {again}').seats[0].achieved == {2}


def test_goals_of_the_same_words_stay_in_their_places() -> None:
    old, new = (tuple(map(parse_goal, text.split(","))) for text in ("?,?,?", "adjacent 5,?,?"))

    assert moved_goals(old, new) == {1: 1, 2: 2, 3: 3}


def test_the_panel_counts_nodi_as_the_table_ruled() -> None:
    story = f"""objective mine "Minha" "nodi T1" "a" "b" "c" "d"
        mastery plain "Lisa" T 3 basic 0 0
        {LIGHTHOUSE}
        1 keeps mine and lighthouse
        1 adjusts T +3
        1 passes
        1 develops plain in 1,0 CCCT
        """
    by_ruling = [
        page(play(2, f"{story}\nrule nodi {answer}"), {})["seats"][0].goals[0].reached
        for answer in ("all", "masteries")
    ]

    assert by_ruling == [True, False]


def test_cities_side_by_side_stay_so_whatever_is_built_elsewhere() -> None:
    story = f"{TWO_CITIES}\n{BESIDE}\n1 adjusts C +3"
    more = f'{story}\n1 builds C because "nobody knows where"'

    assert 1 in reached_goals(play(2, story), 0)
    assert 1 in reached_goals(play(2, more), 0)
