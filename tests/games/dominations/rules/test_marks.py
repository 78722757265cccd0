"""A number says a ruling exactly where another answer would have changed it."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.page import page
from companion.games.dominations.rules.box import QUESTIONS
from companion.games.dominations.rules.position import Position
from tests.games.dominations.rules.test_growth import RING
from tests.games.dominations.rules.test_rulings import SANCTUARY, SITUATIONS, THIRD, before_the_question
from tests.games.dominations.stories import DOMINATIONS, passing, play, rich

HARD_MARKS = 'mastery hard "Difícil" T 3 needs A 9 basic 4 2'
THEATRE = 'mastery theatre "Teatro" A 6 basic 0 0 "era end: 1 points per basic"'

STORIES = {key: story for key, (story, _expected) in SITUATIONS.items()} | {
    # The owner beyond the circle is somebody else, who has nothing there by the other answer, and as much within it.
    "exchange": f"{RING}\ntile T:RRR at 6,4u\n2 adjusts T +3\n2 adjusts A +3\n1 passes\n1 ends\n2 passes"
    "\n2 builds at 5,4u\n2 ends\n1 passes\n1 ends\n2 passes\n2 builds at 6,4u\n2 ends\n1 lays C:RST at 5,4d",
    "assimilation": f"{HARD_MARKS}\n2 adjusts T +3\n{passing(1)}\n2 passes\n"
    '2 develops hard nodi T1 because "so"\n2 ends\n'
    f"{passing(8)}\n1 adjusts influence +5\nera effects\n1 assimilates hard nodi T1",
    # Another player's card, and another card of the same player, bring points at the end of the Era as well.
    "roles_counted": f"{SANCTUARY}\n{THEATRE}\n{rich(1, 'R6 A6')}\n{rich(2, 'A6')}\n1 passes\n1 develops sanctuary\n"
    f"2 passes\n2 develops theatre\n2 ends\n1 passes\n1 develops theatre\n1 ends\n{passing(7, first=1)}"
    "\n1 adjusts T +1\nera effects\n1 assimilates nothing\nera roles",
}

MARKED: dict[str, dict[str, list[str]]] = {
    "joins": {"once": ["1 P +9 Territory"], "per_side": ["1 P +10 Territory"]},
    "overflow": {
        "per_domain": ["1 points +2 More than 20 in a Reserve"],
        "per_occasion": ["1 points +1 More than 20 in a Reserve"],
    },
    "city_influence": {
        "added": ["1 influence +2 City of level 2"],
        "replaced": ["1 influence +1 City of level 2"],
    },
    "exchange": {"all": ["2 T +1 Exchange"], "circle": ["2 T +0 Exchange"]},
    # A Locus instead of a territory: every number has another reason, and one comes to nothing.
    "cradle": {
        "no_part": ["1 T +1 Territory", "1 C +1 Territory", "1 S +4 Territory", "1 R +1 Territory"],
        "part": ["1 T +1 Locus", "1 C +1 Locus", "1 S +3 Locus", "1 R +0 Territory"],
    },
    "white": {"no_concentration": ["1 T +2 Territory"], "concentration": ["1 T +3 Territory"]},
    "governor_of_two": {"three": ["1 points +3 Governor"], "nothing": ["1 points +0 Governor"]},
    "assimilation": {
        "free": ["1 points +4 Difícil", "1 influence +2 Difícil", "1 points +7 Influence"],
        "prerequisite": [],
    },
    "nodi": {
        "all": ["1 points +10 Objective: 1 of 5 goals"],
        "masteries": ["1 points +0 Objective: 0 of 5 goals"],
    },
    "no_governor": {"keep": [], "choose": []},
    "no_tile": {"pass": [], "lay": []},
    "roles_counted": {"new": ["1 points +6 Santuário"], "held": ["1 points +0 Santuário"]},
    # By the one answer Black is Diplomat, by the other White; the Inventor's depends on what White would choose.
    "comparison": {
        "one": [
            "2 points +4 Diplomat",
            "2 influence +2 Diplomat",
            "1 points +0 Diplomat",
            "1 influence +0 Diplomat",
        ],
        "every": [
            "1 points +4 Diplomat",
            "1 influence +2 Diplomat",
            "1 points +2 Inventor",
            "2 points +0 Diplomat",
            "2 influence +0 Diplomat",
            "2 points +0 Inventor",
        ],
    },
    "era_end_limit": {"clipped": ["1 A +5 Dote"], "kept": ["1 A +9 Dote"]},
    "lozenge": {
        "two_cells": ["1 C +1 Locus", "1 S +3 Locus", "1 P +1 Locus", "1 R +2 Locus"],
        "no_part": ["1 C +1 Territory", "1 S +2 Territory", "1 P +3 Territory", "1 R +2 Territory"],
    },
}
"""For each question and each answer, the lines that say it."""


def marked(position: Position, key: str) -> list[str]:
    return [
        f"{line.player + 1} {line.unit.value} {line.amount:+} {line.why}"
        for line in position.lines
        if key in dict(line.rulings)
    ]


def settled(key: str, answer: str, then: str = "") -> Position:
    """The table after a story with this ruling, made where the question is asked."""
    lines = [line for line in before_the_question(STORIES[key], key).splitlines() if line.strip()]
    for number, _line in enumerate(lines, 1):
        if play(2, "\n".join(lines[:number]), options="").held is not None:
            return play(
                2, "\n".join([*lines[:number], f"rule {key} {answer}", then, *lines[number:]]), options=""
            )
    raise AssertionError("nothing was asked")


@pytest.mark.parametrize(("key", "answer"), [(key, a) for key in SITUATIONS for a in QUESTIONS[key].answers])
def test_a_number_says_a_ruling_where_another_answer_would_have_changed_it(key: str, answer: str) -> None:
    chosen = "1 chooses S" if answer == "one" else ""

    assert marked(settled(key, answer, chosen), key) == MARKED[key][answer]


def test_a_ruling_made_before_it_matters_marks_the_same_numbers() -> None:
    for key in ("exchange", "cradle", "roles_counted"):
        for answer, expected in MARKED[key].items():
            story = before_the_question(STORIES[key], key)

            assert marked(play(2, f"rule {key} {answer}\n{story}", options=""), key) == expected


def test_the_objectives_are_marked_again_by_the_ruling_that_counts_now() -> None:
    position = settled("nodi", "all")
    for answer in ("masteries", "all"):
        position = DOMINATIONS.apply(position, DOMINATIONS.parse(f"rule nodi {answer}"))

        assert marked(position, "nodi") == MARKED["nodi"][answer]


def test_an_order_of_effects_that_a_ruling_made_the_best_one_says_so() -> None:
    """Counted one in all, no order brings more than three points; counted apart, another one brings four."""
    dawn = 'mastery dawn "Aurora" R 3 basic 0 0 "turn start: 3 V" "turn start: 2 A" "turn start: 1 T"'
    story = (
        f"{dawn}\n{rich(1, 'T19 A19')}\n1 adjusts R +3\n1 passes\n1 develops dawn\n1 ends\n2 passes\n2 ends"
    )
    position = play(2, f"{story}\n1 chooses TTA", options="unasked overflow_per_occasion")

    assert position.points[0] == 3
    assert marked(position, "overflow") == [
        "1 A +1 Aurora",
        "1 A +0 Aurora",
        "1 points +1 More than 20 in a Reserve",
    ]


def test_what_could_not_happen_by_a_ruling_says_so() -> None:
    problems = DOMINATIONS.problems(settled("assimilation", "prerequisite"))

    assert str(problems[-1]) == (
        "assimilates “Difícil”: it does not count by a ruling (what assimilated cards need: Yes, that as well)."
        " The Mastery that this card presupposes is not in the Tree."
    )


def test_what_a_ruling_took_away_is_read_before_the_step_is_taken() -> None:
    """Two play, and the third Era ends: what the Roles bring says that the Governor brings nothing, and why."""
    story = f"{before_the_question(THIRD, 'governor_of_two')}\nrule governor_of_two nothing"
    position = play(2, f"{story}\n1 adjusts P +1\nera effects\n1 assimilates nothing", options="")
    brings = page(position, {})["wizard"].brings

    assert [(line.amount, str(line.why)) for line in brings] == [
        (0, "Governor (ruling, the Governor of two: Nothing)")
    ]
