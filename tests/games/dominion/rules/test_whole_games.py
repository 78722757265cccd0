"""Whole games of people with real hands: counter, piles, end and decks agree with what was counted apart."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.log import Source, Withdrawn
from companion.games.dominion.rules.position import Phase
from tests.games.dominion.hands import game_of
from tests.games.dominion.stories import DOMINION, session_of, started
from tests.games.stories import EVENING, tell


@pytest.mark.parametrize(("players", "seed"), ((2, 1), (2, 2), (3, 3), (4, 4), (4, 5), (5, 6), (6, 7)))
def test_a_whole_game(players: int, seed: int) -> None:
    game, session, seen = game_of(players, seed), session_of(started(players)), []
    for line in game.lines():
        turn = session.position.turn
        if turn and not turn.bought and (" buys" in line or " ends" in line):
            seen.append((turn.actions, turn.buys, turn.coins))
        session = tell(session, (line,))

    assert seen == game.counters
    assert len(seen) > 8 * players
    assert session.position.phase is Phase.COUNT
    assert session.position.supply == dict(game.piles)
    assert session.position.turns == tuple(person.turns for person in game.people)
    for seat, person in enumerate(game.people):
        owned = {id: count for id, count in session.position.owned[seat].items() if count}
        assert owned == dict(person.everything)
        counts = " ".join(f"{id}:{count}" for id, count in person.everything.items())
        session = tell(session, (f"{seat + 1} has {counts}",))
    assert session.tally.totals == tuple(person.points for person in game.people)
    assert session.problems == ()
    assert session.turn.over


def test_wrong_taps_taken_back_leave_no_trace() -> None:
    """Every few lines something wrong is tapped first, and taken back."""
    random, game = Random(8), game_of(4, 8)
    plain = session_of(started(4))
    session = session_of(started(4))
    for line in game.lines():
        if random.random() < 0.2 and (wrong := DOMINION.legal(session.position)):
            session = session.record(random.choice(wrong), Source.PAGE, EVENING)
            session = session.record(Withdrawn(session.seq), Source.PAGE, EVENING)
        session, plain = tell(session, (line,)), tell(plain, (line,))

    assert session.position == plain.position
    assert len(session.entries) > len(plain.entries)
