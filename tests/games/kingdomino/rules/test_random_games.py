"""Complete games at random, for every mixture of variants: what has to hold at every step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import Phase as Search
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import notation
from companion.core.correction import work_out_correction
from companion.core.log import Change, Restored, Source, Withdrawn, redoable, undoable
from companion.core.session import Session, fold
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced, Event, LineDrawn
from companion.games.kingdomino.rules.kingdom import STEPS, Cell, Kingdom
from companion.games.kingdomino.rules.pieces import DOMINOES, Terrain
from companion.games.kingdomino.rules.position import Phase, Position
from tests.games.kingdomino.stories import KINGDOMINO, drawn, session_of, started
from tests.games.stories import EVENING

SEEDS = st.integers(0, 2**32)
BONUSES = [" ".join(chosen) for n in range(3) for chosen in combinations(("harmony", "middle_kingdom"), n)]
TABLES = ((2, ""), (3, ""), (4, ""), (2, "mighty_duel"))
MIXTURES = [
    (players, " ".join(sorted(f"{bonus} {duel} {dynasty}".split())))
    for players, duel in TABLES
    for bonus in BONUSES
    for dynasty in ("", "dynasty")
]
ONE_GAME = [mixture for mixture in MIXTURES if "dynasty" not in mixture[1]]

# A game is its seed, and a smaller seed is no simpler game: a failure is reported as it is found.
a_few = settings(max_examples=2, deadline=None, phases=(Search.explicit, Search.reuse, Search.generate))
each_mixture = pytest.mark.parametrize(("players", "options"), MIXTURES)


def next_event(position: Position, random: Random) -> Event:
    """What the box or a player at random would do now."""
    drawn = KINGDOMINO.draw(position, random.randrange(2**32))
    if drawn is not None and (position.phase is Phase.DRAW or random.random() < 0.8):
        return drawn
    return random.choice(KINGDOMINO.legal(position))


def random_game(players: int, options: str, seed: int) -> Iterator[Session]:
    """The session after each event until the game is over."""
    random, session = Random(seed), session_of(started(players, options))
    while not session.turn.over:
        session = session.record(next_event(session.position, random), Source.DEMO, EVENING)
        yield session


def plain_places(kingdom: Kingdom, number: int) -> set[tuple[int, int, str]]:
    """Every cell and direction by the words of the rulebook: within the area, on free cells, one half joined."""
    taken, found = kingdom.squares, set()
    reach = range(-kingdom.size, kingdom.size + 1)
    xs, ys = [x for x, _y in taken], [y for _x, y in taken]
    halves = (DOMINOES[number].left.terrain, DOMINOES[number].right.terrain)
    for x in reach:
        for y in reach:
            for direction, (dx, dy) in STEPS.items():
                cells = ((x, y), (x + dx, y + dy))
                if cells[0] in taken or cells[1] in taken:
                    continue
                wide = max(*xs, x, x + dx) - min(*xs, x, x + dx) < kingdom.size
                high = max(*ys, y, y + dy) - min(*ys, y, y + dy) < kingdom.size
                if wide and high and any(joins(kingdom, *half) for half in zip(cells, halves, strict=True)):
                    found.add((x, y, direction.value))
    return found


def joins(kingdom: Kingdom, cell: Cell, terrain: Terrain) -> bool:
    x, y = cell
    beside = [kingdom.squares.get(near) for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))]
    return any(square is not None and square.terrain.value in (terrain.value, "castle") for square in beside)


def plain_properties(kingdom: Kingdom) -> list[tuple[str, int, int]]:
    """Terrain, squares and crowns of every property, by giving neighbours the same label until nothing changes."""
    squares = {
        cell: square for cell, square in kingdom.squares.items() if square.terrain is not Terrain.CASTLE
    }
    label = {cell: cell for cell in squares}
    changed = True
    while changed:
        changed = False
        for x, y in squares:
            for near in ((x + 1, y), (x, y + 1)):
                if (
                    near in squares
                    and squares[near].terrain is squares[x, y].terrain
                    and label[near] != label[x, y]
                ):
                    label[near] = label[x, y] = min(label[near], label[x, y])
                    changed = True
    groups = {
        name: [squares[cell] for cell in squares if label[cell] == name] for name in set(label.values())
    }
    return sorted((g[0].terrain.value, len(g), sum(square.crowns for square in g)) for g in groups.values())


def check_dominoes(position: Position) -> None:
    """Every domino is in one place at most, and all that were placed have been drawn."""
    placed = [p.domino for kingdom in position.kingdoms for p in kingdom.placements]
    thrown = [discard.domino for pile in position.discards for discard in pile]
    waiting = [slot.domino for slot in (*position.line[position.placed :], *position.next_line)]
    everywhere = [*placed, *thrown, *waiting]

    assert len(everywhere) == len(set(everywhere))
    assert sorted(everywhere) == sorted(position.drawn)
    assert not set(position.drawn) & set(position.removed)


def check_kingdom(kingdom: Kingdom, dominoes: int) -> None:
    """A kingdom is its castle and two squares a domino, all within its area, and its properties are what they look."""
    xs, ys = zip(*kingdom.squares, strict=True)

    assert len(kingdom.squares) == 1 + 2 * dominoes
    assert (min(xs), min(ys), max(xs), max(ys)) == tuple(kingdom.bounds)
    assert max(max(xs) - min(xs), max(ys) - min(ys)) < kingdom.size
    assert sorted((p.terrain.value, p.size, p.crowns) for p in kingdom.properties()) == plain_properties(
        kingdom
    )
    assert sum(p.size for p in kingdom.properties()) == 2 * dominoes


def check_tally(session: Session) -> None:
    tally, position = session.tally, session.position
    for player, kingdom in enumerate(position.kingdoms):
        past = sum(points[player] for points in position.past)
        base = sum(size * crowns for _terrain, size, crowns in plain_properties(kingdom))
        bonus = plain_bonus(position, kingdom) if position.game_ended else 0
        assert tally.totals[player] == past + base + bonus == sum(line.points for line in tally.of(player))


def plain_bonus(position: Position, kingdom: Kingdom) -> int:
    xs, ys = zip(*kingdom.squares, strict=True)
    centred = (min(xs) + max(xs), min(ys) + max(ys)) == (0, 0)
    full = len(kingdom.squares) == position.size * position.size
    return 10 * (centred and "middle_kingdom" in position.variants) + 5 * (
        full and "harmony" in position.variants
    )


def check_legal(position: Position) -> None:
    """The places offered are those of the rulebook, and a discard is offered only when there are none."""
    player, number = position.player, position.domino
    assert player is not None
    assert number is not None
    plain = plain_places(position.kingdoms[player], number)
    legal = KINGDOMINO.legal(position)
    found = [event.placement for event in legal if isinstance(event, DominoPlaced)]

    assert {(p.x, p.y, p.direction.value) for p in found} == plain
    assert len(found) == len(plain)
    assert plain or legal == [DominoDiscarded(player, number)]


def check_notation(session: Session) -> None:
    event = session.entries[-1].event

    assert notation.parse_entry(KINGDOMINO, notation.write_entry(KINGDOMINO, event)) == event


@each_mixture
@a_few
@given(seed=SEEDS)
def test_everything_holds_at_every_step_of_a_game(players: int, options: str, seed: int) -> None:
    turns = 0
    for session in random_game(players, options, seed):
        position = session.position
        check_dominoes(position)
        if position.phase is Phase.PLACE:
            turns += 1
            check_legal(position)
            check_notation(session)
            check_tally(session)
        if isinstance(session.entries[-1].event, LineDrawn) or session.turn.over:
            for kingdom in position.kingdoms:
                check_kingdom(kingdom, len(kingdom.placements))
        assert session.problems == ()

    check_tally(session)
    check_notation(session)
    assert turns == position.dominoes_in_play * (3 if "dynasty" in options else 1)
    assert session.fold == fold(KINGDOMINO, session.entries)


@pytest.mark.parametrize(("players", "options"), (*ONE_GAME, (3, "dynasty harmony")))
@a_few
@given(seed=SEEDS, steps=st.integers(1, 40))
def test_undo_and_redo_of_as_many_steps_bring_back_the_same_game(
    players: int, options: str, seed: int, steps: int
) -> None:
    *_before, session = random_game(players, options, seed)
    positions = session.fold.positions
    undone = session
    for step in range(1, steps + 1):
        seq = undoable(undone.entries)
        assert seq is not None
        undone = undone.record(Withdrawn(seq), Source.PAGE, EVENING)
        assert undone.position == positions[-1 - step]
    for _step in range(steps):
        seq = redoable(undone.entries)
        assert seq is not None
        undone = undone.record(Restored(seq), Source.PAGE, EVENING)

    assert redoable(undone.entries) is None
    assert undone.fold == session.fold
    assert undone.tally == session.tally


@pytest.mark.parametrize(("players", "options"), ONE_GAME)
@a_few
@given(seed=SEEDS, data=st.data())
def test_a_correction_that_changes_nothing_leaves_everything_as_it_was(
    players: int, options: str, seed: int, data: st.DataObject
) -> None:
    *_before, session = random_game(players, options, seed)
    chosen = data.draw(st.lists(st.sampled_from(session.fold.steps), min_size=1, max_size=10, unique=True))
    same = {step.seq: step.event for step in chosen}
    difference = work_out_correction(session, same, "", EVENING)
    corrected = difference.after

    assert difference.changes == tuple(Change(seq, same[seq]) for seq in sorted(same))
    assert corrected.fold == session.fold
    assert corrected.record(Withdrawn(corrected.seq), Source.PAGE, EVENING).fold == session.fold


@settings(a_few, max_examples=20)
@given(seed=SEEDS, choice=st.integers(0, 2**16))
def test_a_correction_taken_back_leaves_no_trace(seed: int, choice: int) -> None:
    *_before, session = random_game(3, "harmony", seed)
    steps = [step for step in session.fold.steps if isinstance(step.event, DominoPlaced)]
    step = steps[choice % len(steps)]
    before = session.fold.before(step.seq)
    others = KINGDOMINO.legal(before)
    other = others[choice % len(others)]
    corrected = work_out_correction(session, {step.seq: other}, "so", EVENING).after

    assert corrected.fold.before(step.seq) == before
    assert corrected.record(Withdrawn(corrected.seq), Source.PAGE, EVENING).fold == session.fold


def test_the_same_seed_plays_the_same_game() -> None:
    one, other, third = (list(random_game(2, "harmony", seed))[-1] for seed in (7, 7, 8))

    assert one.entries == other.entries
    assert one.entries != third.entries


def test_the_plain_ways_of_counting_agree_with_a_count_by_hand() -> None:
    # Beside the castle: each of four cells can hold either half, the other half lies in one of three directions.
    assert len(plain_places(Kingdom(), 48)) == 4 * 2 * 3
    # At the right edge of a full row: two cells, either half, the other half outwards or to the left.
    assert len(plain_places(drawn("w0 w0 w0 w0 ##"), 7)) == 2 * 2 * 2
    assert plain_properties(drawn("w1 w0 ## w0 l0")) == [("lake", 1, 0), ("wheat", 1, 0), ("wheat", 2, 1)]
