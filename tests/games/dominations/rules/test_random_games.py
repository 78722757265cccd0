"""Whole games at random, for 2, 3 and 4: what has to hold at every step, and a second count that agrees."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import groupby
from random import Random

import pytest

from companion.core.correction import work_out_correction
from companion.core.log import Source, Withdrawn
from companion.core.session import Session, fold
from companion.games.dominations.rules.board import CAMPFIRE, STEPS, Tile, Tree
from companion.games.dominations.rules.box import COPIES, LIMITS, MARKERS, OBJECTIVE_POINTS, Domain
from companion.games.dominations.rules.eras import reached_goals
from companion.games.dominations.rules.events import Adjusted, AnswerChosen, Ordered, TerritoryLaid, Track
from companion.games.dominations.rules.position import GameStage, Position
from tests.games.dominations.random_evenings import Evening
from tests.games.dominations.stories import DOMINATIONS, UNASKED
from tests.games.stories import EVENING

PLAYERS = (2, 3, 4)
A_FEW = range(int(os.environ.get("COMPANION_SEEDS", "3")))
MANY = range(100, 160)
FOLDED = 20
"""After every so many steps the log is played again from its start."""

every_table = pytest.mark.parametrize("players", PLAYERS)
a_few_times = pytest.mark.parametrize("seed", A_FEW)


def check_agreement(evening: Evening, position: Position) -> None:
    """Everything that people count is what the plain table has."""
    for player, (seat, person) in enumerate(zip(position.seats, evening.plain.people, strict=True)):
        counted = {
            "knowledge": {d.value: seat.knowledge[d] for d in Domain},
            "limits": {d.value: seat.limits[d] for d in Domain},
            "rest": (seat.influence, position.points[player], seat.markers, sorted(seat.roles)),
            "cities": {str(c.cell): c.level for c in position.cities_of(player)},
            "nodi": {d.value: n for d, n in seat.tree.count().items() if n},
        }
        assert counted == {
            "knowledge": {letter: person.knowledge[letter] for letter in "TCASPR"},
            "limits": person.limits,
            "rest": (person.influence, person.points, person.markers, sorted(person.roles)),
            "cities": {
                cell: level for cell, (owner, level) in evening.plain.cities.items() if owner == player
            },
            "nodi": {letter: n for letter, n in person.nodi.items() if n},
        }


def check_invariants(position: Position) -> None:
    """Limits, markers, Trees, racks, Roles, and points that only come from lines."""
    for player, seat in enumerate(position.seats):
        beyond = position.rulings.get("era_end_limit") == "kept" and position.stage not in (GameStage.GROWTH,)
        for domain in Domain:
            assert seat.knowledge[domain] >= 0
            assert beyond or seat.knowledge[domain] <= seat.limits[domain]
            assert seat.limits[domain] in LIMITS
            changes = [line.amount for line in position.lines if (line.player, line.unit) == (player, domain)]
            assert sum(changes) == seat.knowledge[domain]
        assert seat.markers + sum(city.level for city in position.cities_of(player)) == MARKERS
        for unit, value in (
            (Track.POINTS, position.points[player]),
            (Track.INFLUENCE, seat.influence),
        ):
            assert (
                sum(line.amount for line in position.lines if (line.player, line.unit) == (player, unit))
                == value
            )
        check_tree(seat.tree)
    for line in position.lines:
        if line.objective:
            assert line.amount == OBJECTIVE_POINTS[len(reached_goals(position, line.player))]
    held = [role for seat in position.seats for role in seat.roles]
    assert len(held) == len(set(held))
    keys = [card.key for seat in position.seats for card in seat.tree.masteries]
    assert all(keys.count(key) <= COPIES for key in keys)
    taken = sorted((c.key, c.level) for seat in position.seats for c in seat.tree.levels)
    assert taken == [
        (key, n) for key in sorted(position.sites) for n in range(1, position.sites[key].taken + 1)
    ]


def check_tree(tree: Tree) -> None:
    """Every card hangs on the Campfire, every two side by side make a Nodus, and no Mastery is there twice."""
    at = tree.at
    reached, todo = set[tuple[int, int]](), [(0, 0)]
    while todo:
        x, y = todo.pop()
        reached.add((x, y))
        for side, (dx, dy) in enumerate(STEPS):
            spot = (x + dx, y + dy)
            if spot in at:
                pair = {at[x, y].halves[side], at[spot].halves[(side + 2) % 4]}
                assert len(pair - {"V"}) == 1
                assert not pair & {"X", "-"}
                todo += [spot] if spot not in reached else []
    assert reached == at.keys()
    keys = [card.key for card in tree.masteries]
    assert len(keys) == len(set(keys))
    assert tree.cards[0].key == CAMPFIRE


@every_table
@a_few_times
def test_whole_games_keep_every_rule_and_a_plain_count_agrees(players: int, seed: int) -> None:
    evening = Evening(players, seed)
    for number, position in enumerate(evening.play()):
        check_agreement(evening, position)
        check_invariants(position)
        if number % FOLDED == 0:
            assert fold(DOMINATIONS, evening.session.entries).position == position

    assert evening.session.turn.over
    assert evening.position.era == 3
    assert fold(DOMINATIONS, evening.session.entries).position == evening.position
    assert evening.session.fold.misfits == ()
    assert evening.session.tally.totals == evening.position.points


@pytest.mark.soak
@every_table
@pytest.mark.parametrize("seed", MANY)
def test_many_more_games_agree_as_well(players: int, seed: int) -> None:
    evening = Evening(players, seed, UNASKED if seed % 4 == 0 else "")
    for position in evening.play():
        check_agreement(evening, position)
        check_invariants(position)
        assert fold(DOMINATIONS, evening.session.entries).position == position


def test_a_whole_game_is_written_and_read_again() -> None:
    evening = Evening(3, 7)
    for _position in evening.play():
        pass

    for step in evening.session.fold.steps:
        line = DOMINATIONS.write(step.event)  # type: ignore[arg-type]  # every event that counts is the game's own
        assert DOMINATIONS.parse(line) == step.event


def test_undo_goes_back_through_a_whole_game_exactly() -> None:
    evening = Evening(2, 5)
    for _position in evening.play():
        pass

    session = evening.session
    positions, steps = session.fold.positions, session.fold.steps
    for step in steps[:-41:-1]:
        session = session.record(Withdrawn(step.seq), Source.PAGE, EVENING)
    assert session.position == positions[-41]


def test_games_at_random_come_to_everything_that_can_be_built() -> None:
    """What the plain count agrees about is not a game in which nothing happens."""
    evenings = [Evening(players, seed) for players in PLAYERS for seed in A_FEW]
    for evening in evenings:
        for _position in evening.play():
            pass

    ends = [evening.position for evening in evenings]
    assert any(position.board.circles for position in ends)
    assert any(piece.monument for position in ends for piece in position.board.pieces.values())
    assert any(city.level == 3 for position in ends for city in position.cities)
    assert any(card.advanced for position in ends for seat in position.seats for card in seat.tree.masteries)
    reasons = {str(line.why) for position in ends for line in position.lines}
    assert {"Locus", "Exchange", "More than 20 in a Reserve", "Governor", "Worker", "Inventor"} <= reasons
    ruled = {key for position in ends for line in position.lines for key, _answer in line.rulings}
    assert {"joins", "overflow", "city_influence", "white", "lozenge", "cradle"} <= ruled


@every_table
def test_a_territory_put_right_late_keeps_the_rest_of_the_game(players: int) -> None:
    evening, random = Evening(players, 11), Random(players)
    for _position in evening.play():
        pass
    laid = [step for step in evening.session.fold.steps if isinstance(step.event, TerritoryLaid)]

    for step in random.sample(laid, 4):
        event = step.event
        assert isinstance(event, TerritoryLaid)
        dots = "".join(random.choices("TCASPRV", k=3))
        other = replace(event, tile=Tile(random.choice([*Domain]), dots))
        difference = work_out_correction(evening.session, {step.seq: other}, "as it lies", EVENING)
        # What cannot stand is local: an answer nobody asked for, a number set right that is right no more.
        assert difference.after.turn.over
        assert {type(misfit.event) for misfit in difference.left_out} <= {AnswerChosen, Adjusted}
        assert 20 * len(difference.left_out) <= len(evening.session.entries)
        assert turns_taken(difference.after) == turns_taken(evening.session)


@every_table
def test_an_order_put_right_late_keeps_every_turn_of_the_game(players: int) -> None:
    evening, random = Evening(players, 13), Random(players)
    for _position in evening.play():
        pass
    ordered = [step for step in evening.session.fold.steps if isinstance(step.event, Ordered)]
    assert len(ordered) > 1

    for step in ordered:
        order = tuple(random.sample(range(players), players))
        difference = work_out_correction(evening.session, {step.seq: Ordered(order)}, "as it lies", EVENING)
        assert difference.after.turn.over
        # What depends on who comes first in a tie: a question nobody was asked, a number that is right no more.
        assert {type(misfit.event) for misfit in difference.left_out} <= {AnswerChosen, Adjusted}
        assert turns_taken(difference.after) == turns_taken(evening.session)


def turns_taken(session: Session) -> list[tuple[int, tuple[int, ...]]]:
    """Who had how many turns, Era by Era, as they came to be played."""
    taken = [(position.era, position.turns) for position in session.fold.positions]
    return [turns for turns, _same in groupby(taken)]
