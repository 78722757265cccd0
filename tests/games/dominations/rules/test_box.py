"""The tables hold what the rulebook prints."""

from __future__ import annotations

import pytest

from companion.games.dominations.rules.box import (
    CITY_LEVELS,
    CRADLE,
    ERAS,
    FINAL_ROLE_POINTS,
    HAND,
    LIMITS,
    LOOKS,
    MARKERS,
    OBJECTIVE_POINTS,
    QUESTIONS,
    ROLES,
    TURNS,
    Domain,
    assimilable,
)
from companion.games.dominations.rules.lattice import Point, cells_round


def test_each_domain_has_a_letter_a_colour_and_an_icon_of_its_own() -> None:
    assert {look.key: look.colour for look in LOOKS.values()} == {
        "trade": "yellow",
        "crafts": "orange",
        "art": "blue",
        "science": "green",
        "politics": "red",
        "religion": "purple",
    }
    assert [len({getattr(look, part) for look in LOOKS.values()}) for part in ("letter", "icon")] == [6, 6]


def test_cities_cost_and_bring_what_the_rulebook_prints() -> None:
    found = {n: (level.cost, level.influence, level.limit) for n, level in CITY_LEVELS.items()}

    assert found == {1: (3, 1, 10), 2: (6, 2, 15), 3: (9, 3, 20)}
    assert LIMITS == (5, 10, 15, 20)


def test_a_game_has_a_marker_for_every_turn() -> None:
    assert (ERAS, TURNS, HAND, MARKERS) == (3, 5, 7, ERAS * TURNS)


def test_the_six_roles_bring_six_to_one_points_and_three_in_the_end() -> None:
    assert {key: (role.domain, role.points) for key, role in ROLES.items()} == {
        "governor": (Domain.POLITICS, 6),
        "high_priest": (Domain.RELIGION, 5),
        "diplomat": (Domain.ART, 4),
        "merchant": (Domain.TRADE, 3),
        "inventor": (Domain.SCIENCE, 2),
        "worker": (Domain.CRAFTS, 1),
    }
    assert [role.points_of_two for role in ROLES.values()] == [0, 5, 4, 3, 2, 1]
    assert FINAL_ROLE_POINTS == 3
    assert [key for key, role in ROLES.items() if role.once] == ["inventor", "worker"]


@pytest.mark.parametrize(("influence", "expected"), ((0, 3), (12, 3), (13, 6), (22, 6), (23, 9), (60, 9)))
def test_influence_says_what_may_be_assimilated(influence: int, expected: int) -> None:
    assert assimilable(influence) == expected


def test_objectives_bring_ten_to_a_hundred_in_all() -> None:
    assert OBJECTIVE_POINTS == (0, 10, 20, 40, 70, 100)


def test_twenty_questions_are_open_and_each_has_a_default() -> None:
    assert [question.number for question in QUESTIONS.values()] == [f"A{n}" for n in range(1, 21)]
    assert [q.key for q in QUESTIONS.values() if q.never] == ["barter", "raised_limit"]
    assert all(len(q.answers) > 1 for q in QUESTIONS.values() if not q.never)


def test_the_cradle_lies_round_the_middle() -> None:
    assert set(cells_round(Point(0, 0))) == CRADLE
