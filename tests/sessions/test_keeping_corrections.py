"""What a correction leaves standing: pieces lie where they lie, whatever the rules say to it afterwards."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced
from companion.sessions.live import LiveSessions

GAME = GAMES["kingdomino"]


@pytest.fixture
def evening(table: LiveSessions) -> Session:
    """A finished game of four."""
    random = Random(11)
    players = tuple(Player(str(colour), colour) for colour in GAME.colours)
    session = table.begin(GAME, Setup(players), Source.PAGE)
    while not session.turn.over:
        drawn = GAME.draw(session.position, random.getrandbits(32))
        event = drawn or random.choice(list(GAME.legal(session.position)))
        session = table.record(session.id, session.seq, GAME.write(event), Source.PAGE)
    return session


def first_placement(session: Session) -> tuple[int, DominoPlaced]:
    return next((s.seq, s.event) for s in session.fold.steps if isinstance(s.event, DominoPlaced))


def elsewhere(session: Session) -> dict[int, str]:
    """The first placement of the game, corrected to each other place it could have had."""
    seq, placed = first_placement(session)
    places = session.fold.before(seq).kingdoms[placed.player].placements_of(placed.placement.domino)
    return {
        n: GAME.write(DominoPlaced(placed.player, p)) for n, p in enumerate(places) if p != placed.placement
    }


def test_a_corrected_placement_never_costs_the_rest_of_the_game(
    table: LiveSessions, evening: Session
) -> None:
    seq, _placed = first_placement(evening)
    for text in elsewhere(evening).values():
        difference = table.difference(evening.id, {seq: text})

        assert difference.left_out == ()
        assert difference.after.turn.over
        assert len(difference.after.fold.steps) == len(evening.fold.steps)


def test_what_breaks_the_rules_then_says_why(table: LiveSessions, evening: Session) -> None:
    seq, _placed = first_placement(evening)
    odd = 0
    for text in elsewhere(evening).values():
        difference = table.difference(evening.id, {seq: text}, "the first one lay elsewhere")
        for kept in difference.kept:
            event = next(step.event for step in difference.after.fold.steps if step.seq == kept)
            assert isinstance(event, DominoPlaced | DominoDiscarded)
            assert "the first one lay elsewhere" in GAME.write(event)
            odd += 1
        assert len(difference.after.problems) == len(difference.kept)
    assert odd > 0


def test_one_undo_brings_all_of_it_back(table: LiveSessions, evening: Session) -> None:
    seq, _placed = first_placement(evening)
    text = next(t for t in elsewhere(evening).values() if table.difference(evening.id, {seq: t}).kept)

    corrected = table.correct(evening.id, evening.seq, {seq: text}, Source.PAGE)
    undone = table.undo(evening.id, corrected.seq, Source.PAGE)

    assert corrected.problems
    assert undone.position == evening.position


def test_a_correction_can_be_taken_back_after_more_was_recorded(
    table: LiveSessions, evening: Session
) -> None:
    from companion.core.notation import write_entry

    seq, _placed = first_placement(evening)
    text = next(iter(elsewhere(evening).values()))
    corrected = table.correct(evening.id, evening.seq, {seq: text}, Source.PAGE)
    later = table.correct(
        evening.id, corrected.seq, {1: write_entry(GAME, evening.entries[0].event)}, Source.PAGE
    )

    again = table.correct(evening.id, later.seq, corrected.seq, Source.PAGE)

    assert again.position == evening.position


def test_what_was_asked_for_has_to_fit_by_itself(table: LiveSessions, evening: Session) -> None:
    seq, placed = first_placement(evening)
    far = GAME.write(DominoPlaced(placed.player, placed.placement._replace(x=4, y=4)))

    with pytest.raises(ValueError, match="touches neither the castle"):
        table.correct(evening.id, evening.seq, {seq: far}, Source.PAGE)
