"""Complete games at random, by every rule a table may choose: what has to hold at every step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import Phase as Search
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import notation
from companion.core.log import Restored, Source, Withdrawn, redoable, undoable
from companion.core.session import Session, fold
from companion.games.carcassonne.rules.board import TILES, Board, Placement
from companion.games.carcassonne.rules.events import Event, NoFollower, TileDiscarded, TileLaid
from companion.games.carcassonne.rules.position import Phase, Position, add_counts
from companion.games.carcassonne.text.words import problems
from tests.games.carcassonne.plain import PlainTable, fits
from tests.games.carcassonne.stories import CARCASSONNE, session_of, started
from tests.games.stories import EVENING

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(2, 5)
OPTIONS = ("", "two_tile_cities", "farms_once", "farms_by_city", "no_farmers", "farms_once two_tile_cities")

# A game is its seed, and a smaller seed is no simpler game: a failure is reported as it is found.
a_few = settings(max_examples=3, deadline=None, phases=(Search.explicit, Search.reuse, Search.generate))
one = settings(a_few, max_examples=1)
each_option = pytest.mark.parametrize("options", OPTIONS)


def next_event(position: Position, random: Random) -> Event:
    """What the bag or a player at random would do now; players like farmers better than chance would."""
    drawn = CARCASSONNE.draw(position, random.randrange(2**32))
    if drawn is not None:
        return drawn
    choices = list(CARCASSONNE.legal(position))
    farmers = [event for event in choices if getattr(event, "segment", ("",))[-1][:1] == "f"]
    return random.choice(farmers if farmers and random.random() < 0.5 else choices)


def random_game(players: int, options: str, seed: int) -> Iterator[tuple[Event, Session]]:
    """Each event and the session after it, until the game is over."""
    random, session = Random(seed), session_of(started(players, options))
    while not session.turn.over:
        event = next_event(session.position, random)
        session = session.record(event, Source.DEMO, EVENING)
        yield event, session


def plain(position: Position) -> PlainTable:
    lying = {cell: (tile.letter, tile.turn) for cell, tile in position.board.tiles.items()}
    return PlainTable(lying, position.followers)


def plain_places(position: Position, letter: str) -> set[Placement]:
    columns, rows = zip(*position.board.tiles, strict=True)
    cells = [
        (x, y) for x in range(min(columns) - 1, max(columns) + 2) for y in range(min(rows) - 1, max(rows) + 2)
    ]
    table = plain(position)
    return {
        Placement(letter, x, y, turn)
        for x, y in cells
        for turn in range(4)
        if fits(table.lying, (x, y), letter, turn)
    }


@each_option
@given(players=PLAYERS, seed=SEEDS)
@a_few
def test_points_and_claims_are_those_of_a_table_built_anew(options: str, players: int, seed: int) -> None:
    chosen, track = options.split(), [0] * players
    before: Position = session_of(started(players, options)).position
    for event, session in random_game(players, options, seed):
        after: Position = session.position
        if isinstance(event, TileLaid):
            free = plain(after).free((event.placement.x, event.placement.y))
            claimed = {part for part in free if part[0] != "f" or "no_farmers" not in chosen}
            in_hand = before.supply(event.player) > 0
            assert {part for _x, _y, part in after.claims} == (claimed if in_hand and after.laid else set())
        if after.laid is None and after.player != before.player:
            mover, last = plain(placed(before, event)), [*after.board.tiles][-1]
            gained, home = mover.completed(players, last, "two_tile_cities" in chosen)
            track = [sum(pair) for pair in zip(track, gained, strict=True)]
            assert after.followers == {s: p for s, p in mover.followers.items() if s not in home}
            assert list(after.points) == track
        now = plain(after).final(players, chosen)
        assert list(add_counts(after.points, after.outlook)) == [
            sum(pair) for pair in zip(track, now, strict=True)
        ]
        before = after


def placed(before: Position, event: Event) -> Position:
    """The table at the end of the turn, before anything is counted."""
    if isinstance(event, TileLaid):
        return Position(
            before.variants, before.players, before.board.laid(event.placement), followers=before.followers
        )
    segment = getattr(event, "segment", None)
    followers = {**before.followers, segment: before.player} if segment else before.followers
    return Position(before.variants, before.players, before.board, followers=followers)


@given(players=PLAYERS, seed=SEEDS)
@a_few
def test_places_and_holes_are_those_the_rulebook_allows(players: int, seed: int) -> None:
    for _event, session in random_game(players, "", seed):
        position: Position = session.position
        if position.phase is not Phase.LAY or position.tiles_in_the_bag % 3:
            continue
        expected = plain_places(position, position.drawn)
        assert set(position.board.placements(position.drawn)) == expected
        assert isinstance(CARCASSONNE.legal(position)[0], TileLaid if expected else TileDiscarded)
        if position.tiles_in_the_bag % 9 == 0:
            left = [letter for letter, count in position.bag.items() if count > 0] + [position.drawn]
            filled = {(p.x, p.y) for letter in left for p in plain_places(position, letter)}
            assert set(position.holes) == position.board.frontier.keys() - filled


@given(players=PLAYERS, seed=SEEDS)
@a_few
def test_a_tile_changes_only_what_it_touches(players: int, seed: int) -> None:
    for event, session in random_game(players, "", seed):
        if isinstance(event, TileLaid):
            before, after = session.fold.positions[-2].board, session.fold.positions[-1].board
            cell = (event.placement.x, event.placement.y)
            fresh = {after.features[*cell, part.id] for part in after.tiles[cell].parts}
            changed = {f for f in after.features.values() if f not in set(before.features.values())}
            around = {f for f in changed if f.kind == "monastery"}
            assert changed <= fresh | around
            assert all(max(abs(x - cell[0]), abs(y - cell[1])) <= 1 for f in around for x, y in f.cells)


@given(players=PLAYERS, seed=SEEDS)
@one
def test_undo_goes_back_exactly_and_redo_forward(players: int, seed: int) -> None:
    sessions = [session for _event, session in random_game(players, "", seed)]
    session = sessions[-1]
    for expected in reversed(sessions[:-1]):
        seq = undoable(session.entries)
        assert seq is not None
        session = session.record(Withdrawn(seq), Source.PAGE, EVENING)
        assert session.position == expected.position
        assert segments(session.position.board) == segments(expected.position.board)
    for expected in sessions[1:]:
        seq = redoable(session.entries)
        assert seq is not None
        session = session.record(Restored(seq), Source.PAGE, EVENING)
        assert session.position == expected.position


def segments(board: Board) -> set[frozenset[tuple[int, int, str]]]:
    return {feature.segments for feature in board.features.values()}


@each_option
@given(players=PLAYERS, seed=SEEDS)
@a_few
def test_nothing_is_wrong_with_a_game_by_the_rules(options: str, players: int, seed: int) -> None:
    events, session = [], session_of(started(players, options))
    for event, grown in random_game(players, options, seed):
        events.append(event)
        session = grown
        assert not [*problems(session.position)]
        assert all(0 <= session.position.supply(player) <= 7 for player in range(players))
    lines = [notation.write_entry(CARCASSONNE, event) for event in events]

    assert [notation.parse_entry(CARCASSONNE, line) for line in lines] == events
    assert fold(CARCASSONNE, session.entries).position == session.position
    assert len(session.position.board.tiles) + len(session.position.discards) == 72
    assert sum(max(0, count) for count in session.position.bag.values()) == 0


@given(seed=SEEDS)
@a_few
def test_tiles_laid_anyhow_are_counted_as_they_lie(seed: int) -> None:
    random, position, players = Random(seed), session_of(started(3)).position, 3
    for _turn in range(40):
        cell = random.choice([*position.board.frontier])
        placement = Placement(random.choice([*TILES]), cell[0], cell[1], random.randrange(4))
        laid = CARCASSONNE.apply(position, TileLaid(position.player, placement, because="so"))
        choices = CARCASSONNE.legal(laid)
        position = CARCASSONNE.apply(laid, random.choice(choices)) if choices else laid
        assert list(add_counts((0,) * players, position.outlook)) == plain(position).final(players)
    told = [str(problem) for problem in CARCASSONNE.problems(position)]

    assert told
    assert CARCASSONNE.tally(position).totals == add_counts(position.points, position.outlook)


def test_who_keeps_a_follower_says_so() -> None:
    position = session_of(started(2), ["1 draws U", "1 lays U at 0,1 N"]).position

    assert CARCASSONNE.legal(position)[-1] == NoFollower(0)
