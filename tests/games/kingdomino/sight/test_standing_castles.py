"""Cardboard castles that stand on their tiles: from above nobody sees whose they are, nor that they are castles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import cast

import pytest

from companion.core.observation import Area, Observation
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced, Event, KingdomShown
from tests.games.kingdomino.sight.eyes import seen
from tests.games.kingdomino.sight.tables import (
    GAME,
    OPENING,
    Found,
    Table,
    answers,
    asked,
    disputed,
    proposed,
    table,
)
from tests.games.kingdomino.sight.test_doubting import gone_and_fits_nowhere
from tests.games.kingdomino.sight.test_reading import events_of_a_game, turned_anyhow

LAID = "1 lays 3 at 1,0 E"
ITS_CASTLE = "Domino 3 lies beside something. Is it Ana's castle?"
WHOSE = "Whose kingdom is this?"


def standing(found: Found) -> tuple[Found, Sequence[Area]]:
    """The same with every castle standing: something as large as its tile, a little beside it, that is no piece."""
    tiles = [one for one in found if one.label.startswith("castle")]
    things = [Area(one.x + 3, one.y - 2, 34, 42) for one in tiles]
    return tuple(one for one in found if one not in tiles), things


def as_a_piece(one: Observation) -> Observation:
    """A castle that looks a little like a forest."""
    return replace(one, label="f1", confidence=0.3) if one.label.startswith("castle") else one


def as_a_king(one: Observation) -> Observation:
    """A castle that looks a little like a king."""
    return replace(one, label="king-green", confidence=0.3) if one.label.startswith("castle") else one


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", (2, 4))
def test_a_whole_game_around_standing_castles_is_read_with_a_question_for_each(
    players: int, seed: int
) -> None:
    setup = table(players)
    log, told = GAME.start(setup), []
    for before, event in events_of_a_game(setup, seed):
        truth = GAME.apply(before, event)
        found, things = standing(seen(setup, truth, seed))
        reading = GAME.sight.read(setup, log, found, things)
        told += asked(reading)
        (happened,) = [one.event for one in reading.proposals] or reading.doubts[0].choices[0].events
        assert isinstance(event, DominoPlaced) or happened == event
        assert reading.contradictions == ()
        log = GAME.apply(log, cast(Event, happened))

    assert list(GAME.tally(log).totals) == list(GAME.tally(truth).totals)
    assert sum(one.endswith("'s castle?") for one in told) == len(told) == players


@pytest.mark.parametrize("looks", (None, as_a_piece, as_a_king))
def test_the_first_domino_beside_something_is_asked_about_and_then_known(
    looks: Callable[[Observation], Observation] | None,
) -> None:
    ours = Table(*OPENING)
    found, things = standing(ours.shows(LAID))
    if looks:
        found, things = tuple(map(looks, ours.shows(LAID))), ()
    reading = ours.read(found, *things)
    ((said, events), _other) = answers(reading.doubts[0])
    after = Table(*OPENING, *events)

    assert (asked(reading), proposed(reading), disputed(reading)) == ([ITS_CASTLE], [], [])
    assert (said, len(events)) == ("Yes", 1)
    assert disputed(after.read(found, *things)) == []
    assert str(after.read(found, *things).waiting) == "Ana chooses a domino."


@pytest.mark.parametrize("size", ((12, 40), (40, 90)))
def test_what_is_smaller_or_larger_than_a_castle_is_none(size: tuple[int, int]) -> None:
    ours = Table(*OPENING)
    found, things = standing(ours.shows(LAID))
    reading = ours.read(found, *(replace(one, width=size[0], height=size[1]) for one in things))

    assert asked(reading) == []
    assert str(reading.waiting) == "The castle of Ana cannot be seen."


def test_a_standing_castle_hides_no_domino() -> None:
    ours, number, found = gone_and_fits_nowhere()
    without, things = standing(found)

    (proposal,) = ours.read(without, *things).proposals

    assert proposal.event == DominoDiscarded(ours.log.player or 0, number)


# -- only counted --------------------------------------------------------------------------------------------------


def counted(players: int = 2) -> tuple[Table, Found, Sequence[Area]]:
    """The end of a game whose castles stand, before somebody who has not followed it."""
    setup = table(players)
    for before, event in events_of_a_game(setup, 1):
        truth = GAME.apply(before, event)
    found, things = standing(turned_anyhow(seen(setup, truth, 1), Random(1)))
    return Table(setup=table(players, "score_only")), found, things


def test_whose_kingdom_it_is_is_asked_and_then_known() -> None:
    ours, found, things = counted()
    reading = ours.read(found, *things)
    first = reading.doubts[0].choices[1].events[0]
    assert isinstance(first, KingdomShown)
    after = Table(setup=ours.setup, log=GAME.apply(ours.log, first))
    again = after.read(found, *things)

    assert (asked(reading), disputed(reading)) == ([WHOSE, WHOSE], [])
    assert [said for said, _events in answers(reading.doubts[0])] == [
        "It is Ana's",
        "It is Rui's",
        "Something else",
    ]
    assert (asked(again), disputed(again), proposed(again)) == ([WHOSE], [], [])
    assert [said for said, _events in answers(again.doubts[0])] == ["It is Ana's", "Something else"]


def test_a_kingdom_that_lacks_a_square_is_not_offered() -> None:
    ours, found, things = counted()
    lacks = next(one for one in found if one.label.startswith("w"))
    reading = ours.read([one for one in found if one is not lacks], *things)

    assert asked(reading) == [WHOSE]
    assert "The castle of Ana cannot be seen." in disputed(reading)
