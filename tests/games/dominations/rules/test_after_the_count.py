"""What is told once the Objectives are counted: the count is always that of the table as it is known."""

from __future__ import annotations

from tests.games.dominations.stories import evening, passing, play

GOALS = 'objective mine "Minha" "words to tick" "influence 2" "cities 1:9" "more words" "apart 9"'
LIGHTHOUSE = 'monument lighthouse "O Farol" lozenge level T 5 5 0'
ERA = f"{passing(10)}\nera effects\n1 assimilates nothing\nera roles\n"
COUNTED = (
    f"{GOALS}\n{LIGHTHOUSE}\n1 keeps mine and lighthouse\n{ERA}era next\n{ERA}era next\n{ERA}era objectives"
)


def objectives(story: str) -> list[tuple[int, int, str]]:
    """The lines of the Objectives: whose, how much, and why."""
    lines = play(2, story).lines
    return [(line.player, line.amount, str(line.why)) for line in lines if line.objective]


def test_a_goal_that_is_ticked_after_the_count_counts() -> None:
    nobody = (1, 0, "Objective: 0 of 5 goals")
    assert objectives(COUNTED) == [(0, 0, "Objective: 0 of 5 goals"), nobody]

    ticked = f"{COUNTED}\n1 reached 1"
    assert objectives(ticked) == [(0, 10, "Objective: 1 of 5 goals"), nobody]
    assert play(2, ticked).points == (10, 0)
    assert objectives(f"{ticked}\n1 missed 1") == objectives(COUNTED)


def test_a_number_set_right_after_the_count_may_reach_a_goal() -> None:
    assert play(2, f"{COUNTED}\n1 adjusts influence +2").points == (10, 0)
    assert play(2, f"{COUNTED}\n1 adjusts influence +2\n1 adjusts influence -1").points == (0, 0)


def test_an_objective_that_is_read_again_after_the_count_is_counted_again() -> None:
    read = GOALS.replace("cities 1:9", "influence 0")

    assert play(2, f"{COUNTED}\n{read}").points == (10, 0)


def test_the_winner_is_the_one_of_the_last_count() -> None:
    story = f"{COUNTED}\n2 adjusts points +5"
    winners = [evening(2, each).tally.standing.winners for each in (story, f"{story}\n1 reached 1")]

    assert winners == [(1,), (0,)]


def test_a_question_that_only_matters_after_the_count_is_asked_then() -> None:
    read = GOALS.replace("influence 2", "nodi T1")
    card = (
        'mastery plain "Lisa" T 3 basic 0 0\n1 adjusts T +3\n1 passes\n1 develops plain in 1,0 CCCT\n1 ends'
    )
    begun = COUNTED.replace(ERA, f"{card}\n{passing(9, first=1)}{ERA.removeprefix(passing(10))}", 1)
    story = f"rule no_tile pass\nrule no_governor keep\n{begun}"

    held = play(2, f"{story}\n{read}", options="").held
    assert held is not None
    assert held.need.about == "nodi"
    ruled = [play(2, f"{story}\n{read}\nrule nodi {answer}", options="") for answer in ("all", "masteries")]
    assert [position.points for position in ruled] == [(10, 0), (0, 0)]
