"""Kings: on which domino they stand, and where they do not stand although they should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.observation import Area
from companion.games.kingdomino.rules.events import DominoChosen
from tests.games.kingdomino.sight.tables import (
    LATER,
    OPENING,
    Found,
    Table,
    answers,
    asked,
    disputed,
    proposed,
)

MISSING = "The king of Rui is not on domino 17."


def without_king(ours: Table, number: int) -> Found:
    found = ours.shows()
    king = ours.king_on(found, number)
    return tuple(one for one in found if one != king)


def knocked(ours: Table, found: Found, number: int, onto: int) -> Found:
    """The king on one domino stands on another one now."""
    king, there = ours.king_on(found, number), ours.apart(found, onto).area
    return tuple(replace(one, x=there.x + 20, y=there.y) if one == king else one for one in found)


def test_two_kings_on_a_free_domino_are_asked_about() -> None:
    ours = Table(OPENING[0])
    both = knocked(ours, ours.shows("1 takes 24", "2 takes 41"), 41, onto=24)
    reading = ours.read(both)

    assert (proposed(reading), disputed(reading)) == ([], [])
    assert asked(reading) == ["More than one king stands on domino 24. Who chooses it?"]
    assert answers(reading.doubts[0]) == [
        ("", ("1 takes 24",)),
        ("", ("2 takes 24",)),
        ("Something else", ()),
    ]


def test_a_king_beside_the_one_whose_turn_it_is_may_not_stand_there() -> None:
    ours = Table(*OPENING, "1 lays 3 at 1,0 E")
    reading = ours.read(knocked(ours, ours.shows("1 takes 20"), 41, onto=20))

    assert (proposed(reading), asked(reading)) == (["1 takes 20"], [])
    assert disputed(reading) == ["The king of Rui stands on domino 20."]


def test_a_king_knocked_onto_a_domino_that_has_its_own_is_told() -> None:
    ours = Table(*OPENING)
    reading = ours.read(knocked(ours, ours.shows(), 41, onto=24))
    (found,) = reading.contradictions

    assert str(found.text) == "The king of Rui stands on domino 24."
    assert (found.meant, found.lies, found.player) == (DominoChosen(1, 41), None, 1)


def test_a_king_knocked_onto_a_domino_with_another_king_of_its_player_is_told() -> None:
    ours = Table(*OPENING)

    assert disputed(ours.read(knocked(ours, ours.shows(), 41, onto=17))) == [
        "Two kings of Rui stand on domino 17."
    ]


def test_a_king_that_has_gone_is_told() -> None:
    ours = Table(*OPENING)
    (found,) = ours.read(without_king(ours, 17)).contradictions

    assert str(found.text) == MISSING
    assert (found.meant, found.lies, found.player) == (DominoChosen(1, 17), None, 1)
    assert found.area is not None


@pytest.mark.parametrize("hidden", (True, False))
def test_a_king_under_something_is_not_missed(hidden: bool) -> None:
    ours = Table(*OPENING)
    found = without_king(ours, 17)
    at = ours.apart(found, 17).area
    napkin = Area(at.x + (30 if hidden else 200), at.y, 50, 50, 10)

    assert disputed(ours.read(found, napkin)) == ([] if hidden else [MISSING])


def test_a_king_on_a_domino_that_is_not_clear_is_not_missed() -> None:
    ours = Table(*OPENING)
    found = without_king(ours, 17)
    left = ours.apart(found, 17).left

    assert disputed(ours.read([replace(one, confidence=0.6) if one is left else one for one in found])) == []


def test_whoever_places_a_domino_may_lift_its_king_first() -> None:
    ours = Table(*LATER)

    assert disputed(ours.read(without_king(ours, 24))) == []
