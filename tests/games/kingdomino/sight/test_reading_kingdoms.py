"""Kingdoms that are only counted: what is believed, what is asked, and what cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.core.game import Setup
from companion.core.lattice import Cell, offset
from companion.core.observation import Area, Observation, Reading
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.kingdom import HOME
from companion.games.kingdomino.rules.pieces import SQUARES
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.layout import SIDE
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
from tests.games.kingdomino.sight.test_reading import events_of_a_game
from tests.games.kingdomino.stories import drawn

ANA = """
w0 w0 ..
## f0 f0
l1 .. ..
w0 .. ..
"""
RUI = """
## g0
.. g0
"""
SHOWN = {0: "1 shows 5 w0w0../##f0f0/l1..../w0....", 1: "2 shows 5 ##g0/..g0"}
HALF = "Half a domino is missing in the kingdom of Ana: look whether something covers it."


def lying(player: int, picture: str, without: Sequence[Cell] = ()) -> Found:
    """A kingdom on the table, each player's at a place of its own and turned as the player sits."""
    colour, home = (
        table().players[player].colour,
        Observation("", 400.0 + 800 * player, 450.0, 90 + 180 * player),
    )
    squares = {cell: str(square) for cell, square in drawn(picture).squares.items() if cell not in without}
    found = []
    for (column, row), label in squares.items():
        dx, dy = offset(column * SIDE, row * SIDE, home.angle)
        name = f"castle-{colour}" if (column, row) == HOME else label
        found.append(replace(home, label=name, x=home.x + dx, y=home.y + dy))
    return tuple(found)


def read(*found: Observation, log: Sequence[str] = (), unknown: Sequence[Area] = ()) -> Reading:
    return Table(*log, setup=table(2, "score_only")).read(found, *unknown)


def test_kingdoms_that_can_be_are_proposed() -> None:
    reading = read(*lying(0, ANA), *lying(1, RUI))

    assert (proposed(reading), asked(reading), disputed(reading)) == ([SHOWN[0], SHOWN[1]], [], [])


@pytest.mark.parametrize("hidden", ((1, 0), (2, 0), (0, 1), (0, 2), (1, -1)))
def test_a_kingdom_with_half_a_domino_unseen_is_asked_about(hidden: Cell) -> None:
    reading = read(*lying(0, ANA, without=[hidden]), *lying(1, RUI))

    assert (proposed(reading), asked(reading)[0]) == ([SHOWN[1]], HALF)
    assert [text for text, _events in answers(reading.doubts[0])] == [
        "Count it as it is seen",
        "No: look again",
    ]
    assert len(answers(reading.doubts[0])[0][1]) == 1


@pytest.mark.parametrize(
    ("column", "row", "asks"),
    (
        (0, 1.5, True),  # over a domino nobody can see
        (3.2, 0, True),  # beside the kingdom
        (1, 1, True),  # in its corner
        (0, 0, True),  # on the castle
        (5, 0, False),  # a cup somewhere else
        (0, -5, False),
    ),
)
def test_something_over_or_beside_a_kingdom_is_asked_about(column: float, row: float, asks: bool) -> None:
    ana = lying(0, ANA, without=[(0, 1), (0, 2)] if asks else ())
    home = next(one for one in ana if one.label.startswith("castle"))
    dx, dy = offset(column * SIDE, row * SIDE, home.angle)
    napkin = Area(home.x + dx, home.y + dy, 70, 90, 30)
    reading = read(*ana, *lying(1, RUI), unknown=[napkin])

    assert len(proposed(reading)) == (1 if asks else 2)
    assert asked(reading) == (
        ["Something lies over or beside Ana's kingdom: take it away, then look again."] if asks else []
    )


def test_a_hidden_domino_that_cuts_others_off_is_asked_about() -> None:
    reading = read(*lying(0, ANA, without=[(0, 1), (1, -1)]), *lying(1, RUI))

    assert proposed(reading) == [SHOWN[1]]
    assert asked(reading) == [
        "Beside the kingdom of Ana lies a square that touches none of the others: push it up to them."
    ]


def test_squares_that_no_dominoes_make_are_asked_about() -> None:
    reading = read(*lying(0, ANA.replace("f0 f0", "m3 f0")), *lying(1, RUI))

    assert proposed(reading) == [SHOWN[1]]
    assert asked(reading) == [
        "No dominoes of the box make the kingdom of Ana as it is seen: look whether something covers it."
    ]


def test_more_squares_of_a_kind_than_the_box_has_are_asked_about() -> None:
    mine = "## m3\n.. w0"
    reading = read(*lying(0, mine), *lying(1, mine))

    assert proposed(reading) == []
    assert asked(reading) == [
        f"Look at the kingdom of {name} again. Mine (crowns: 3): 2 squares, but the box has only 1."
        for name in ("Ana", "Rui")
    ]


def test_more_dominoes_of_a_kind_than_the_box_has_are_asked_about() -> None:
    reading = read(*lying(0, "## s0\n.. s0"), *lying(1, "## s0\n.. s0"))

    assert proposed(reading) == []
    assert asked(reading) == [
        f"The box has too few dominoes for all these kingdoms: look at that of {name}."
        for name in ("Ana", "Rui")
    ]


def test_what_the_log_has_of_the_others_counts_too() -> None:
    reading = read(*lying(0, "## s0\n.. s0"), log=["2 shows 5 ##s0/..s0"])

    assert (proposed(reading), len(reading.doubts)) == ([], 1)


def test_a_kingdom_that_is_too_large_is_told_and_not_proposed() -> None:
    reading = read(*lying(0, ANA), *in_a_row(lying(1, "##"), "w0 w0 f0 f0 g0 g0"))

    assert proposed(reading) == [SHOWN[0]]
    assert disputed(reading) == [
        "The kingdom of Rui seems to have 7 by 1 squares, but only 5 by 5 are allowed."
    ]


def in_a_row(castle: Found, squares: str) -> Found:
    """A row of squares beside a castle, longer than any drawing may be."""
    home = castle[0]
    steps = [(label, offset(n * SIDE, 0, home.angle)) for n, label in enumerate(squares.split(), start=1)]
    return (home, *(replace(home, label=label, x=home.x + dx, y=home.y + dy) for label, (dx, dy) in steps))


def test_squares_without_their_castle_are_told() -> None:
    reading = read(*lying(0, ANA, without=[HOME]), *lying(1, RUI))

    assert (proposed(reading), disputed(reading)) == ([SHOWN[1]], ["The castle of Ana cannot be seen."])


def test_dominoes_that_lie_far_away_are_nobodys() -> None:
    reading = read(*lying(0, ANA), *lying(1, RUI), *domino(48, 800, 60))

    assert (proposed(reading), asked(reading), disputed(reading)) == ([SHOWN[0], SHOWN[1]], [], [])


def test_kingdoms_that_are_not_there_yet_are_waited_for() -> None:
    assert str(read().waiting) == "The kingdom of Ana is not seen yet."
    assert str(read(*lying(0, ANA)).waiting) == "The kingdom of Rui is not seen yet."
    assert read(log=[SHOWN[0], SHOWN[1]]).waiting is None


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_counted_and_a_hidden_square_is_always_noticed(players: int, seed: int) -> None:
    ended = last_of_a_game(table(players), seed)
    ours = Table(setup=table(players, "score_only"))
    found = Table(log=ended, setup=ours.setup).shows()
    kingdoms = [dict(kingdom.squares) for kingdom in ended.kingdoms]

    assert [
        dict(p.event.kingdom.squares) for p in ours.read(found).proposals if isinstance(p.event, KingdomShown)
    ] == kingdoms
    for hidden in Random(seed).sample([one for one in found if one.label in map(str, SQUARES)], 8):
        rest = ours.read([one for one in found if one is not hidden])
        assert len(rest.proposals) < players, "something that cannot be was believed"
        assert rest.doubts or rest.contradictions


def last_of_a_game(setup: Setup, seed: int) -> Position:
    """A game after its last domino."""
    for log, event in events_of_a_game(setup, seed):
        last: Position = GAME.apply(log, event)
    return last
