"""The small language of cards: what it says, how it is written back, and what is wrong with a line."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.games.dominations.rules.cards import (
    CardEffect,
    GoalKind,
    Measure,
    Trigger,
    parse_effect,
    parse_goal,
    printed_cards,
)
from companion.games.dominations.text.words import goal_text

LINES = (
    "turn start: 1 T",
    "produce 2 T: 1 T",
    "nodus R: 2 R",
    "now: 6 influence",
    "now: 3 V",
    "era start: 5 A",
    "era end: 1 points per nodus A",
    "era end: 2 points per 3 city level",
    "era end: 1 points per nodus not C",
    "era end: 1 points per left C",
    "era end: 3 points per domain",
    "era end: 1 points per city on the board",
    "now: 1 T per limit T",
    "field: 1 field",
    "field: 1 V",
    "city: 2 city",
    "build: 1 points",
    "upgrade: 1 influence",
    "activate: 1 points",
    "role: 6 points",
    "compare: 2 V",
    "pay mastery: 1",
    "pay city A: 2",
    "pay city: 1 per nodus P",
    "trade: 1",
    "trade T: 1",
    "limit T: 15",
    "now: 6 ?",
    "now: ? influence per city",
    "produce 2 ?: 1 ?",
    'era end: "move your marker"',
)


@pytest.mark.parametrize("line", LINES)
def test_every_line_is_written_as_it_was_read(line: str) -> None:
    assert str(parse_effect(line)) == line


@pytest.mark.parametrize("words", ('"' * 160, "\\" * 160, 'ganhe "2" por \\ cidade'))
def test_words_may_hold_quotes_and_backslashes(words: str) -> None:
    effect = CardEffect(Trigger.NOW, text=words)

    assert parse_effect(str(effect)) == effect


def test_a_line_says_trigger_amount_unit_and_measure() -> None:
    assert parse_effect("era end: 2 points per 3 city level") == CardEffect(
        Trigger.ERA_END, 2, "points", measure=Measure.CITY_LEVEL, per=3
    )


def test_what_holds_a_question_mark_or_words_is_not_known() -> None:
    known = [line for line in LINES if parse_effect(line).known]

    assert [line for line in LINES if line not in known] == [
        "now: 6 ?",
        "now: ? influence per city",
        "produce 2 ?: 1 ?",
        'era end: "move your marker"',
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("gain 2 Trade", "does not begin with a trigger"),
        ("now", "does not begin with a trigger"),
        ("now: plenty", "is no amount"),
        ("now: 2 bananas", "is no amount"),
        ("now: 0 T", "is not from 1 to 30"),
        ("now: 31 T", "is not from 1 to 30"),
        ("now: 2", "does not say what is given"),
        ("now: 2 city", "does not say what is given"),
        ("limit T: 15 T", "does not say what is given"),
        ("limit T: 15 per city", "does not grow"),
        ("trade: 1 per city", "does not grow"),
        ("compare: 2 points", "does not say what is given"),
        ("produce T: 1 T", "is not complete"),
        ("produce 0 T: 1 T", "is not complete"),
        ("nodus: 1 T", "is not complete"),
        ("limit: 15", "is not complete"),
        ("limit T: 7", "is raised to 10, 15, 20"),
        ("limit T: 5", "is raised to 10, 15, 20"),
        ("pay: 2", "is not complete"),
        ("turn start T: 1 T", "is not complete"),
        ("now: 2 points per left", "does not say by what"),
        ("now: 2 points per role T", "does not say by what"),
        ("now: 2 points per 0 city", "is not from 1 to 30"),
        ('now: ""', "have to be there"),
        ("now: 2 points " + "x" * 160, "160 characters at most"),
        (f'now: "{"x" * 161}"', "160 characters at most"),
    ),
)
def test_a_wrong_line_is_refused_with_what_to_do(line: str, expected: str) -> None:
    with pytest.raises(NotationError, match=expected):
        parse_effect(line)


def test_the_tables_hold_35_masteries_three_monuments_and_two_objectives() -> None:
    known = printed_cards()

    assert (len(known.masteries), len(known.monuments), len(known.objectives)) == (35, 3, 2)
    assert {key: mastery.value for key, mastery in known.masteries.items() if mastery.domain == "C"} == {
        **dict.fromkeys(("fishing", "agriculture", "mining", "artisans"), 3),
        **dict.fromkeys(("pottery", "road_building", "livestock", "bridges"), 6),
        **dict.fromkeys(("masonry", "irrigation", "warehouses", "forge"), 9),
    }


def test_the_great_wall_counts_as_a_lozenge() -> None:
    assert {key: monument.shape.value for key, monument in printed_cards().monuments.items()} == {
        "lighthouse": "lozenge",
        "hanging_gardens": "circle",
        "great_wall": "lozenge",
    }


@pytest.mark.parametrize(
    ("line", "kind"),
    (
        ("cities 1:5 2:1", GoalKind.CITIES),
        ("adjacent 10", GoalKind.ADJACENT),
        ("apart 10", GoalKind.APART),
        ("control 1", GoalKind.CONTROL),
        ("control lighthouse", GoalKind.CONTROL),
        ("nodi T8 P5 S3", GoalKind.NODI),
        ("influence 30", GoalKind.INFLUENCE),
        ("masteries 6:4 TS 9:3 TP", GoalKind.MASTERIES),
        ("cities many", GoalKind.TEXT),
        ("be the best", GoalKind.TEXT),
    ),
)
def test_goals_that_fit_no_grammar_are_kept_as_words(line: str, kind: GoalKind) -> None:
    goal = parse_goal(line)

    assert (goal.kind, str(goal), goal.known) == (kind, line, kind is not GoalKind.TEXT)


def test_a_goal_that_is_known_in_part_is_told_in_words_and_not_counted() -> None:
    goals = [parse_goal(text) for text in ("nodi ?7 P5", "masteries 6:4 ?")]

    assert [(str(goal), goal.known) for goal in goals] == [("nodi ?7 P5", False), ("masteries 6:4 ?", False)]
    assert [str(goal_text(goal)) for goal in goals] == [
        "Nodi: 7 ?, 5 Politics (? is not known: by hand)",
        "Masteries: 4 of value 6 in ? (? is not known: by hand)",
    ]
