"""What the end of an Era says before a step is taken is what the step does."""

from __future__ import annotations

import pytest

from companion.games.dominations.page import page
from companion.games.dominations.position import Position
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import passing, play
from tests.games.dominations.test_rulings import SANCTUARY

NO_CARD = "No card does anything at the end of an Era."
SECOND = (
    f"rule no_tile pass\nrule no_governor keep\n{SANCTUARY}\n1 adjusts limit R +5\n1 adjusts R +6\n1 passes\n"
    f"1 develops sanctuary nodi R1\n2 passes\n2 ends\n{passing(8)}\n1 adjusts T +1\n1 adjusts A +1\nera effects\n"
    f"1 assimilates nothing\nera roles\nera next\n{passing(10)}"
)


def told(position: Position) -> tuple[list[str], list[str], list[int]]:
    """What stands to be tapped, the notes, and what the step brings."""
    view = page(position, {})
    brings = [line.amount for line in view["wizard"].brings if line.amount]
    return [str(c.text) for c in offers(view)], [str(note) for note in view["hand"].notes], brings


@pytest.mark.parametrize(
    ("answer", "expected"),
    (
        ("held", (["Santuário – 6 points for each Role held: 2", "Apply them"], [], [12])),
        ("new", (["Go on"], [NO_CARD], [])),
    ),
)
def test_cards_that_pay_for_roles_are_told_in_the_step_in_which_they_pay(
    answer: str, expected: tuple[list[str], list[str], list[int]]
) -> None:
    assert told(play(2, f"rule roles_counted {answer}\n{SECOND}", options="")) == expected


def test_before_the_ruling_the_step_says_what_it_will_ask_about() -> None:
    story = SECOND.split("era effects", maxsplit=1)[0]

    assert told(play(2, story, options="")) == (
        ["Santuário – 6 points for each Role held: 0", "Apply them"],
        [],
        [],
    )
