"""Cardboard castles that stand on their tiles: from above nobody sees whose they are, nor that they are castles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import cast

import pytest

from companion.core.lattice import offset
from companion.core.observation import Area, Observation
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced, Event, KingdomShown
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.layout import SIDE
from tests.games.kingdomino.sight.eyes import seen
from tests.games.kingdomino.sight.tables import (
    GAME,
    LATER,
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


def ended(players: int = 2) -> Position:
    for before, event in events_of_a_game(table(players), 1):
        truth: Position = GAME.apply(before, event)
    return truth


def counted(players: int = 2) -> tuple[Table, Found, Sequence[Area]]:
    """The end of a game whose castles stand, before somebody who has not followed it."""
    found, things = standing(turned_anyhow(seen(table(players), ended(players), 1), Random(1)))
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


# -- what else it may be -------------------------------------------------------------------------------------------


def test_of_two_things_beside_a_domino_nobody_knows_which_is_the_castle() -> None:
    ours = Table(*OPENING)
    found, things = standing(ours.shows(LAID))
    ana = next(one for one in ours.shows(LAID) if one.label == "castle-pink")
    dx, dy = offset(3 * SIDE, 0, ana.angle)
    cup = Area(ana.x + dx, ana.y + dy, 36, 36)
    reading = ours.read(found, *things, cup)

    assert (asked(reading), proposed(reading)) == ([], [])


def test_a_domino_with_its_king_on_it_lies_in_the_line_beside_whatever_lies_there() -> None:
    ours = Table(*OPENING)
    found, _things = standing(ours.shows())
    domino = ours.apart(ours.shows(), 3)
    coin = Area(2 * domino.right.x - domino.left.x, 2 * domino.right.y - domino.left.y, 30, 30)

    assert asked(ours.read(found, coin)) == []


def test_a_cup_over_a_flat_castle_and_its_first_square_is_asked_about_by_nobody() -> None:
    ours = Table(*LATER)
    shown = ours.shows("1 lays 24 at 0,1 S")
    castle = next(one for one in shown if one.label == "castle-pink")
    hidden = (castle, *ours.lying(shown, 0, (1, 0)))
    reading = ours.read([one for one in shown if one not in hidden], Area(castle.x, castle.y, 50, 50))

    assert (asked(reading), proposed(reading)) == ([], [])
    assert disputed(reading) == ["The castle of Ana cannot be seen."]


def test_a_castle_that_looks_a_little_like_the_other_players_is_not_believed() -> None:
    ours, _found, _things = counted()
    flat = turned_anyhow(seen(ours.setup, ended(), 1), Random(1))
    colours = {"castle-pink": "castle-yellow", "castle-yellow": "castle-pink"}
    swapped = [
        replace(one, label=colours[one.label], confidence=0.3) if one.label in colours else one
        for one in flat
    ]
    reading = ours.read(swapped)

    assert (asked(reading), proposed(reading)) == ([WHOSE, WHOSE], [])


@pytest.mark.parametrize("player", (0, 1))
def test_twins_laid_alike_are_told_apart_by_what_comes_next(player: int) -> None:
    opening = ("line 24 25 28 41", "1 takes 24", "2 takes 25", "1 takes 28", "2 takes 41", "line 12 20 30 40")
    laid = ("1 lays 24 at 1,0 E", "1 takes 20", "2 lays 25 at 1,0 E", "2 takes 30")
    ours = Table(*opening, *laid, *(("1 lays 28 at -1,0 W", "1 takes 12") if player else ()))
    lays = "2 lays 41 at -1,0 W" if player else "1 lays 28 at -1,0 W"
    for seed in range(6):
        found, things = standing(seen(ours.setup, ours.after(lays), seed))
        reading = ours.read(found, *things)

        assert disputed(reading) == []
        assert [type(one.event) for one in reading.proposals] == [DominoPlaced]


def test_a_half_that_is_not_clear_is_no_castle_where_something_stands() -> None:
    opening = ("line 1 3 24 41", "1 takes 1", "2 takes 3", "1 takes 24", "2 takes 41", "line 12 20 30 40")
    before = (*opening, "1 lays 1 at 1,0 E", "1 takes 20", "2 lays 3 at 1,0 E", "2 takes 30")
    ours, lays = Table(*before), "1 lays 24 at 4,0 W"
    shown = ours.shows(lays)
    after = Table(*before, lays)
    found, things = standing(after.unclear(shown, 0, (3, 0)))

    assert proposed(ours.read(found, *things)) == [lays]


@pytest.mark.parametrize("players", (3, 4))
def test_every_kingdom_of_a_larger_table_is_asked_about_and_then_known(players: int) -> None:
    ours, found, things = counted(players)
    for _kingdom in range(players):
        (first, *_others) = ours.read(found, *things).doubts
        (event,) = first.choices[0].events
        ours = Table(setup=ours.setup, log=GAME.apply(ours.log, cast(Event, event)))

    reading = ours.read(found, *things)
    assert (asked(reading), disputed(reading), proposed(reading)) == ([], [], [])
