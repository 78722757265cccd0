"""Old entries at random put right, taken out and given back: whatever came later still counts, or is named."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from companion.core.correction import Difference, take_back_correction, work_out_correction
from companion.core.log import CountedEvent, Source, effective_events
from companion.core.session import Misfit, Session
from companion.games.dominations.rules import events
from companion.games.dominations.rules.correction import plain_event
from companion.games.dominations.rules.events import AnswerChosen, Event
from companion.games.dominations.rules.moves import GROWTH_EVENTS
from tests.games.dominations.random_corrections import TIERS, Mending, mended
from tests.games.dominations.stories import CARDS
from tests.games.stories import EVENING

A_FEW = range(int(os.environ.get("COMPANION_SEEDS", "1")))
MANY = range(100, 140)
ENTRIES = 6
"""Of each game, so many are put right, one at a time."""

every_table = pytest.mark.parametrize(("players", "tier"), [(n, tier) for n in (2, 3) for tier in TIERS])


@every_table
@pytest.mark.parametrize("seed", A_FEW)
def test_an_entry_put_right_loses_nothing_that_came_later(players: int, tier: str, seed: int) -> None:
    check_game(players, tier, seed)


@pytest.mark.soak
@every_table
@pytest.mark.parametrize("seed", MANY)
def test_many_more_entries_put_right_lose_nothing(players: int, tier: str, seed: int) -> None:
    check_game(players, tier, seed)


@every_table
@pytest.mark.parametrize("seed", A_FEW)
def test_corrections_taken_back_in_any_order_leave_the_log_as_it_was(
    players: int, tier: str, seed: int
) -> None:
    game = Mending(players, tier, seed)
    session, made = game.play(10), list[int]()
    told = effective_events(session.entries)
    mends = iter(game.random.choices(session.fold.steps[len(CARDS.splitlines()) + 2 :], k=40))
    while len(made) < 3:
        step = next(mends)
        asked = {step.seq: mended(session, step, game.random)}
        difference = work_out_correction(session, asked, "as it lies", EVENING)
        if step.seq in {entry.seq for entry in effective_events(session.entries)} and not difference.refused:
            session = session.record(difference.final, Source.PAGE, EVENING)
            made.append(session.seq)

    for correction in game.random.sample(made, len(made)):
        back = take_back_correction(session, correction, "as it lies", EVENING)
        session = session.record(back.final, Source.PAGE, EVENING)

    assert effective_events(session.entries) == told


def check_game(players: int, tier: str, seed: int) -> None:
    game = Mending(players, tier, seed)
    session = game.play(players * 8)
    assert session.fold.misfits == ()
    told = [step for step in session.fold.steps if step.seq > len(CARDS.splitlines()) + 2]
    told = [step for step in told if not isinstance(step.event, (events.Adjusted, events.Taught))]
    for step in game.random.sample(told, ENTRIES):
        check_entry(session, step, mended(session, step, game.random))


def check_entry(session: Session, step: CountedEvent, new: Event | None) -> None:
    difference = work_out_correction(session, {step.seq: new}, "as it lies", EVENING)
    final = session.record(difference.final, Source.PAGE, EVENING)
    assert (final.position, final.fold.misfits) == (difference.after.position, ())
    if step.seq not in {misfit.seq for misfit in difference.left_out}:
        # A correction that does not fit itself is refused by the table.
        check_counts(session, step, new, difference)
    back = take_back_correction(final, final.seq, "as it lies", EVENING)
    assert final.record(back.final, Source.PAGE, EVENING).position == session.position


def check_counts(session: Session, step: CountedEvent, new: Event | None, difference: Difference) -> None:
    """Turns, City levels and cards are as many as before, but for what the entry itself told."""
    old, before, after = event_of(step), session.position, difference.after.position
    lost = Counter(type(event_of(misfit)) for misfit in difference.left_out)
    turns = (
        Counter({old.player: 1})
        if isinstance(old, (*GROWTH_EVENTS, events.TurnEnded))
        else Counter[int | None]()
    )
    for player in range(before.players):
        had, has = (turns_taken(one, player) for one in (session, difference.after))
        assert has >= had - turns[player]
    if new is not None:
        levels = [sum(city.level for city in one.cities) for one in (before, after)]
        assert levels[1] >= levels[0] - lost[events.Upgraded] - lost[events.Built]
        cards = [sum(len(seat.tree.cards) for seat in one.seats) for one in (before, after)]
        assert (
            cards[1]
            >= cards[0] - lost[events.Developed] - lost[events.Contributed] - lost[events.Assimilated]
        )
        # What is left out needs what nothing gives any more: an answer, a free place, a City without one.
        assert lost.keys() <= {
            AnswerChosen,
            events.CityTold,
            events.TileTold,
            events.Advanced,
            events.Developed,
        }
    overruled = [plain_event(event) for event in after.overruled]
    for kept in (one for one in difference.after.fold.steps if one.seq in difference.kept):
        event = event_of(kept)
        # A City whose place another one has taken breaks no rule where it stands in numbers alone.
        unplaced = isinstance(event, events.Built) and event.cell is None
        assert (
            isinstance(event, AnswerChosen) or unplaced or event in overruled or after.left_open or after.held
        )


def event_of(step: CountedEvent | Misfit) -> events.Plain:
    return plain_event(step.event)  # type: ignore[arg-type]  # every event that counts is the game's own


def turns_taken(session: Session, player: int) -> int:
    """How many turns somebody has had in all."""
    most: dict[int, int] = {}
    for position in session.fold.positions:
        most[position.era] = max(most.get(position.era, 0), position.turns[player])
    return sum(most.values())
