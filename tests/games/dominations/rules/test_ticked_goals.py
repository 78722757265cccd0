"""Goals that people mark: the mark counts while nobody can count the goal, and is named where it errs."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.page import page
from companion.games.dominations.rules.goals import moved_goals, parse_goal
from companion.games.dominations.rules.judging import reached_goals
from tests.games.dominations.rules.test_without_a_map import COUNTED, TWO_CITIES, goals, problems
from tests.games.dominations.stories import LIGHTHOUSE, play

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
