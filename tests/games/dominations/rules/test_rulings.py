"""The seventeen open questions: asked the first time one matters, recorded, and marked where they changed a number."""

from __future__ import annotations

import pytest

from companion.games.dominations.rules.box import QUESTIONS, OpenQuestion
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.rulings import ANSWER_TEXTS, OPTIONS, QUESTION_TEXTS
from tests.games.dominations.rules.test_growth import RING
from tests.games.dominations.stories import (
    LIGHTHOUSE,
    ROMAN,
    era_over,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)

ERA = f"{era_over()}\nera effects\n1 assimilates nothing\nera roles\n"
THIRD = f"{ERA}era next\n" * 2 + era_over()
TWO_SIDES = "tile A:APP at 4,0u\ntile A:SSP at 5,0u"
BEACON = 'mastery beacon "Farol" T 3 basic 0 0 "compare: 2 V"'
SANCTUARY = 'mastery sanctuary "Santuário" R 6 basic 0 0 "role: 6 points"'
GIFT = 'mastery gift "Dote" T 3 basic 0 0 "era end: 9 A"'
HARD = 'mastery hard "Difícil" T 3 needs A 9 basic 0 0'

SITUATIONS: dict[str, tuple[str, dict[str, str]]] = {
    "joins": (
        f"1 adjusts limit P +15\n{TWO_SIDES}\n1 lays T:PPP at 4,0d",
        {"once": "P9 T1 S1", "per_side": "P10 T1 S1"},
    ),
    "overflow": (
        f"{rich(1, 'T20 A20')}\n1 produces T1 A1",
        {"per_domain": "T20 A20 points 2", "per_occasion": "T20 A20 points 1"},
    ),
    "city_influence": (
        f"{rich(1, 'T20')}\n1 passes\n1 builds T\n1 ends\n2 passes\n1 passes\n1 upgrades T1",
        {"added": "T11 influence 3", "replaced": "T11 influence 2"},
    ),
    "exchange": (
        f"{RING}\ntile T:RRR at 6,4u\n{rich(1, 'T5')}\n1 passes\n1 builds at 6,4u\n2 lays C:RST at 5,4d",
        {"all": "T3 influence 1", "circle": "T2 influence 1"},
    ),
    "cradle": (
        "tile A:SSS at 0,0d\ntile A:SSS at 1,0u\ntile A:SSS at 1,-1d\n1 lays C:RST at 1,-1u",
        {"no_part": "C1 S4 R1 T1", "part": "C1 S3 T1"},
    ),
    "white": (
        "tile A:AVR at 4,0u\n1 lays T:TSC at 4,0d\n1 chooses R",
        {"no_concentration": "T2 C1 R2", "concentration": "T3 C1 R2"},
    ),
    "governor_of_two": (
        f"{THIRD}\n1 adjusts P +1\nera effects\n1 assimilates nothing\nera roles",
        {"three": "P1 points 3", "nothing": "P1"},
    ),
    "assimilation": (
        f'{HARD}\n2 adjusts T +3\n{passing(1)}\n2 passes\n2 develops hard because "so"\n2 ends\n{passing(8)}'
        "\n1 adjusts influence +5\nera effects\n1 assimilates hard",
        {"free": "influence 5 points 5 cards 1", "prerequisite": "influence 5 dropped"},
    ),
    "nodi": (
        'mastery plain "Lisa" T 3 basic 0 0\nobjective mine "Minha" "nodi T1" "a" "b" "c" "d"\n'
        f"{LIGHTHOUSE}\n1 keeps mine and lighthouse\n1 adjusts T +3\n1 has campfire TTTT\n1 passes\n"
        f"1 develops plain in 1,0 CCCT\n2 passes\n2 ends\n{passing(8)}\nera effects\n1 assimilates nothing\n"
        f"era roles\nera next\n{ERA}era next\n{ERA}era objectives",
        {"all": "points 10 cards 1", "masteries": "cards 1"},
    ),
    "no_governor": (f"{ERA}order 2 1", {"keep": "dropped", "choose": "order 2"}),
    "no_tile": ("1 passes", {"pass": "", "lay": "dropped"}),
    "roles_counted": (
        f"{SANCTUARY}\n{rich(1, 'R6', 10)}\n1 passes\n1 develops sanctuary\n2 passes\n2 ends\n{passing(8)}"
        "\n1 adjusts T +1\nera effects\n1 assimilates nothing\nera roles",
        {"new": "T1 points 9 cards 1", "held": "T1 points 3 cards 1"},
    ),
    "comparison": (
        f"{BEACON}\n1 adjusts T +3\n1 passes\n1 develops beacon\n2 passes\n2 ends\n{passing(8)}"
        "\n2 adjusts S +2\n1 adjusts S +1\n2 adjusts A +1\nera effects\n1 assimilates nothing\nera roles",
        {"one": "asked", "every": "S1 influence 2 points 6 cards 1"},
    ),
    "era_end_limit": (
        f"{GIFT}\n1 adjusts T +3\n1 passes\n1 develops gift\n2 passes\n2 ends\n{passing(8)}\nera effects",
        {"clipped": "A5 cards 1", "kept": "A9 cards 1"},
    ),
    "lozenge": (
        f"{LIGHTHOUSE.replace(' beside T', '')}\n{ROMAN}\n1 keeps roman and lighthouse\n{rich(1, 'T5')}\n"
        "tile A:SSS at 5,5u\ntile A:SSS at 4,5d\ntile A:SSS at 4,5u\n1 passes\n"
        "1 raises lighthouse at 4,4d+5,4u dots RRRRRR\n2 passes\n1 lays C:PPP at 5,4d",
        {"two_cells": "C1 S3 R2 P1 T20 points 5 cards 1", "no_part": "C1 S2 R2 P3 T20 points 5 cards 1"},
    ),
}
"""For each question a story that first makes it matter, and what the first player has by each answer."""


def told(position: Position) -> str:
    """What the first player has, in a line."""
    if position.held:
        return "asked"
    seat = position.seats[0]
    parts = [f"{letter}{count}" for letter, count in has(position, 1).items()]
    parts += ["dropped"] * len(position.dropped)
    if seat.influence:
        parts.append(f"influence {seat.influence}")
    if position.points[0]:
        parts.append(f"points {position.points[0]}")
    if len(seat.tree.cards) > 1:
        parts.append(f"cards {len(seat.tree.cards) - 1}")
    return " ".join([*parts, *(["order 2"] if position.order == (1, 0) else [])])


def before_the_question(story: str, key: str) -> str:
    """The story with every other question settled by its default."""
    others = [f"rule {q.key} {q.answers[0]}" for q in QUESTIONS.values() if q.key != key]
    return "\n".join([*others, story])


@pytest.mark.parametrize("key", SITUATIONS)
def test_a_question_is_asked_when_it_matters_and_the_answer_counts(key: str) -> None:
    story, expected = SITUATIONS[key]
    lines = [line for line in before_the_question(story, key).splitlines() if line.strip()]
    asked = next(
        n for n in range(1, len(lines) + 1) if play(2, "\n".join(lines[:n]), options="").held is not None
    )
    # A choice that comes after the question is answered after it.
    before, after = lines[:asked], lines[asked:]
    held = play(2, "\n".join(before), options="").held

    assert held is not None
    assert (held.need.ask, held.need.about) == ("ruling", key)
    found = {}
    for answer in QUESTIONS[key].answers:
        position = play(2, "\n".join([*before, f"rule {key} {answer}", *after]), options="")
        assert position.rulings[key] == answer
        found[answer] = told(position)
    assert {a: set(t.split()) for a, t in found.items()} == {a: set(t.split()) for a, t in expected.items()}


def test_every_question_that_can_matter_has_a_story() -> None:
    assert set(SITUATIONS) == {key for key, question in QUESTIONS.items() if not question.never}
    assert set(QUESTION_TEXTS) == set(QUESTIONS) == set(OpenQuestion)
    assert {answer for question in QUESTIONS.values() for answer in question.answers} <= set(ANSWER_TEXTS)


def test_a_question_is_asked_once() -> None:
    story = "rule no_tile pass\n1 passes\n2 passes"

    assert play(2, story, options="").held is None


def test_the_table_waits_until_the_question_is_answered() -> None:
    session = evening(2, "1 passes", options="")

    assert str(session.turn.action) == "A player has no territory. May the player pass?"
    assert session.turn.player is None
    assert refusal(2, "1 passes", "1 produces T1", options="").startswith("Something is asked")
    assert refusal(2, "1 passes", "rule no_tile maybe", options="").startswith("There is no such question")
    assert refusal(2, "1 passes", "1 chooses pass", options="").startswith("The whole table is asked")


def test_a_ruling_may_be_made_before_it_matters_and_changed_later() -> None:
    assert play(2, "rule no_tile pass\n1 passes", options="").held is None
    assert (
        refusal(2, "rule no_tile lay", "1 passes", options="")
        == "This table ruled that a territory has to be laid."
    )


def test_a_number_that_depends_on_a_ruling_says_so() -> None:
    story = f"{rich(1, 'T20 A20')}\n1 produces T1 A1\nrule overflow per_occasion"
    session = evening(2, story, options="")

    assert [line.rulings for line in session.position.lines if line.unit == "points"] == [
        (("overflow", "per_occasion"),)
    ]
    told = "More than 20 in a Reserve, in Era 1 (ruling, several full Reserves: One in all)"
    assert str(session.tally.lines[0].reason) == told


def test_a_table_may_settle_questions_from_the_start() -> None:
    assert play(2, "1 passes", options="unasked").held is None
    assert (
        refusal(2, "", "1 passes", options="no_tile_lay")
        == "This table ruled that a territory has to be laid."
    )
    assert len(OPTIONS) == 1 + sum(len(q.answers) - 1 for q in QUESTIONS.values())
