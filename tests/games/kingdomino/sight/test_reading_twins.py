"""Dominoes that look alike: told apart by their kings and their places in the line, or asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.core.game import Setup
from companion.core.observation import Observation
from companion.games.kingdomino.rules.events import Event, LineDrawn
from companion.games.kingdomino.rules.pieces import twins
from companion.games.kingdomino.rules.position import Phase, Position
from companion.games.kingdomino.sight.registration import box_of
from tests.games.kingdomino.sight.eyes import MIDDLE, seen
from tests.games.kingdomino.sight.tables import (
    GAME,
    Found,
    Table,
    answers,
    asked,
    disputed,
    domino,
    proposed,
    table,
)

ALIKE = "Some dominoes look alike. Which one does Ana choose?"
FOUR = (
    "line 4 17 33 41",
    "2 takes 4",
    "3 takes 17",
    "4 takes 33",
    "1 takes 41",
    "line 5 34 35 36",
    "2 lays 4 at 1,0 E",
    "2 takes 36",
    "3 lays 17 at 1,0 E",
)
"""Dominoes 33, 34 and 35 look alike."""


def test_twins_are_told_apart_after_two_missed_turns() -> None:
    truth = ["3 takes 35", "4 lays 33 at 1,0 E", "4 takes 34"]
    ours = Table(*FOUR, setup=table(4))
    reading = ours.read(ours.shows(*truth))

    assert (proposed(reading), asked(reading), disputed(reading)) == (truth, [], [])


def test_twins_are_told_apart_where_numbers_grow_upwards() -> None:
    truth = ["3 takes 35", "4 lays 33 at 1,0 E", "4 takes 34"]
    ours = Table(*FOUR, setup=table(4))
    reading = ours.read([turned(one) for one in ours.shows(*truth)])

    assert (proposed(reading), asked(reading), disputed(reading)) == (truth, [], [])


def turned(one: Observation) -> Observation:
    """As somebody sees it who sits on the other side of the table."""
    x, y = MIDDLE
    return replace(one, x=2 * x - one.x, y=2 * y - one.y, angle=one.angle + 180)


def test_twins_whose_order_nobody_can_see_are_asked_about() -> None:
    ours = Table("line 3 4 17 24")
    reading = ours.read(side_by_side(ours.shows("1 takes 4")))

    assert (proposed(reading), asked(reading), disputed(reading)) == ([], [ALIKE], [])
    assert sorted(answers(reading.doubts[0])) == [
        ("", ("1 takes 3",)),
        ("", ("1 takes 4",)),
        ("Something else", ()),
    ]


def side_by_side(found: Found) -> Found:
    """Domino 3, and domino 4 with its king, shoved to one height."""
    ours = Table("line 3 4 17 24")
    king = next(one for one in found if one.label == "king-pink")
    rest = [one for one in ours.taken(ours.taken(found, 3), 3) if one != king]
    return (
        *rest,
        *domino(3, king.x - 50, king.y),
        *domino(4, king.x + 50, king.y),
        replace(king, x=king.x + 50),
    )


def test_a_domino_beside_a_twin_that_is_not_clear_is_asked_about() -> None:
    ours = Table("line 3 4 17 24")
    found = ours.shows("1 takes 4")
    first = min((ours.apart(found, 3), ours.apart(ours.taken(found, 3), 4)), key=lambda one: one.area.y)
    blurred = [replace(one, label="g1", confidence=0.3) if one is first.right else one for one in found]
    reading = ours.read(blurred)

    assert (proposed(reading), asked(reading), disputed(reading)) == ([], [ALIKE], [])
    assert answers(reading.doubts[0])[:2] == [("", ("1 takes 4",)), ("", ("1 takes 3",))]


def test_a_choice_is_as_sure_as_the_domino_that_is_chosen() -> None:
    ours = Table("line 3 17 24 41")
    right = ours.apart(found := ours.shows("1 takes 41"), 41).right
    blurred = ours.read([replace(one, label="m3", confidence=0.6) if one is right else one for one in found])
    faint = ours.read([replace(one, label="m3", confidence=0.3) if one is right else one for one in found])

    assert [(str(one.event), one.confidence) for one in blurred.proposals] == [
        ("DominoChosen(player=0, domino=41)", 0.6)
    ]
    assert (proposed(faint), asked(faint)) == ([], ["Not seen clearly. Ana chooses domino 41?"])


def test_kings_that_have_changed_places_on_twins_are_told() -> None:
    ours = Table("line 3 4 17 24", "1 takes 3", "2 takes 4")
    found = ours.shows()
    swap = {"king-pink": "king-yellow", "king-yellow": "king-pink"}
    reading = ours.read([replace(one, label=swap.get(one.label, one.label)) for one in found])

    assert sorted(disputed(reading)) == [
        "The king of Ana stands on domino 4.",
        "The king of Rui stands on domino 3.",
    ]


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("seed", range(2))
def test_what_is_read_of_missed_turns_among_twins_is_true(players: int, seed: int) -> None:
    setup = table(players)
    game = [*game_of_twins(setup, seed)]
    for first, (log, _event) in enumerate(game):
        for missed in game[first + 1 : first + 4]:
            if any(isinstance(event, LineDrawn) for _log, event in game[first : game.index(missed)]):
                break
            reading = GAME.sight.read(setup, log, seen(setup, missed[0], seed))
            if not reading.doubts and not reading.contradictions:
                assert after(log, [proposal.event for proposal in reading.proposals]) == missed[0]


def game_of_twins(setup: Setup, seed: int) -> Iterator[tuple[Position, Event]]:
    """A game whose lines have many dominoes that look alike."""
    random, position = Random(seed), GAME.start(setup)
    while not GAME.turn(position).over:
        legal = GAME.legal(position)
        event = line_of_twins(position, random) if position.phase is Phase.DRAW else random.choice(legal)
        yield position, event
        position = GAME.apply(position, event)


def line_of_twins(position: Position, random: Random) -> LineDrawn:
    """The twins of one domino that are in the box still, and others by chance."""
    box = box_of(position)
    line = [other for other in twins(random.choice(box)) if other in box][: position.line_length]
    others = random.sample([one for one in box if one not in line], position.line_length - len(line))
    return LineDrawn(tuple(sorted((*line, *others))))


def after(position: Position, events: list[object]) -> Position:
    for event in events:
        position = GAME.apply(position, event)  # type: ignore[arg-type]
    return position
