"""From what is seen on the table to what has happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.core.game import Setup
from companion.core.observation import Observation, Reading
from companion.games.kingdomino.rules.events import DominoPlaced, Event
from companion.games.kingdomino.rules.position import Phase, Position
from companion.games.kingdomino.sight.registration import SQUARE_LABELS
from tests.games.kingdomino.sight.eyes import seen
from tests.games.kingdomino.sight.tables import GAME, table


def events_of_a_game(setup: Setup, seed: int) -> Iterator[tuple[Position, Event]]:
    """A whole game by chance, with the position before each event."""
    random, position = Random(seed), GAME.start(setup)
    while not GAME.turn(position).over:
        legal = GAME.legal(position)
        drawn = GAME.draw(position, random.getrandbits(32)) if position.phase is Phase.DRAW else None
        event = drawn or random.choice(legal)
        yield position, event
        position = GAME.apply(position, event)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("players", "options"), ((2, ()), (3, ()), (4, ()), (2, ("mighty_duel",))))
def test_every_event_of_a_game_is_read_from_the_table_after_it(
    players: int, options: tuple[str, ...], seed: int
) -> None:
    setup = table(players, *options)
    for position, event in events_of_a_game(setup, seed):
        after = GAME.apply(position, event)
        reading = GAME.sight.read(setup, position, seen(setup, after, seed))

        assert [p.event for p in reading.proposals] == [event]
        assert (reading.doubts, reading.contradictions) == ((), ())


@pytest.mark.parametrize("players", (2, 3, 4))
def test_a_table_that_has_not_changed_says_nothing(players: int) -> None:
    setup = table(players)
    for position, _event in events_of_a_game(setup, 3):
        reading = GAME.sight.read(setup, position, seen(setup, position, 3))

        assert (reading.proposals, reading.doubts, reading.contradictions) == ((), (), ())
        assert reading.waiting, "what the table waits for"


def test_a_whole_turn_is_read_at_once() -> None:
    setup = table(4)
    last: tuple[Position, Event] | tuple[None, None] = (None, None)
    for position, event in events_of_a_game(setup, 4):
        before, placed = last
        if before and placed and position.phase is Phase.CHOOSE:
            reading = GAME.sight.read(setup, before, seen(setup, GAME.apply(position, event)))

            assert [p.event for p in reading.proposals] == [placed, event]
        last = (position, event) if isinstance(event, DominoPlaced) else (None, None)


def test_an_empty_table_says_nothing_at_all() -> None:
    setup = table(2)

    assert GAME.sight.read(setup, GAME.start(setup), ()).proposals == Reading().proposals


def test_a_domino_of_the_line_that_is_hard_to_read_is_taken_for_what_the_log_says() -> None:
    setup = table(2)
    position = GAME.apply(GAME.start(setup), GAME.parse("line 3 17 24 41"))
    unclear = [
        replace(one, label="m3", confidence=0.5) if one.label == "g2" else one
        for one in seen(setup, position)
    ]
    clear = [
        replace(one, label="m3", confidence=0.9) if one.label == "g2" else one
        for one in seen(setup, position)
    ]

    assert GAME.sight.read(setup, position, unclear).contradictions == ()
    assert GAME.sight.read(setup, position, unclear).doubts == ()
    assert [str(found.text) for found in GAME.sight.read(setup, position, clear).contradictions] == [
        "Domino 41 of the line cannot be seen.",
        "Domino 48 lies on the table, but is not in the log.",
    ]


def turned_anyhow(found: tuple[Observation, ...], random: Random) -> tuple[Observation, ...]:
    """As printed squares are seen that do not say which way up they lie."""
    return tuple(
        replace(one, angle=one.angle + random.choice((0, 90, 270))) if one.label in SQUARE_LABELS else one
        for one in found
    )


@pytest.mark.parametrize("seed", range(6))
def test_which_way_up_squares_seem_to_lie_changes_nothing(seed: int) -> None:
    setup = table(4)
    for position, event in events_of_a_game(setup, seed):
        after = GAME.apply(position, event)
        found = turned_anyhow(tuple(seen(setup, after, seed)), Random(seed))
        reading = GAME.sight.read(setup, position, found)

        assert [p.event for p in reading.proposals] == [event]
