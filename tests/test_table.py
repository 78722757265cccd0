"""The table: recorded first, then shown; one owner, many hands, and the same tap never counts twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest

from companion import table as table_module
from companion.core import notation
from companion.core.errors import (
    CompanionError,
    IllegalEvent,
    NotationError,
    StaleSession,
    StoreError,
    UnknownSession,
)
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.store.store import Store
from companion.table import Table

KINGDOMINO = GAMES["kingdomino"]
PAIR = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE)))
MOVES = (
    "line 4 31 39 41",  # entry 2
    "1 takes 41",
    "1 takes 31",
    "2 takes 39",
    "2 takes 4",  # 6
    "line 10 17 19 25",
    "2 lays 4 at 0,-2 S",  # 8
    "2 takes 19",
    "1 lays 31 at -1,-1 S",  # 10
    "1 takes 10",
)


class Clock:
    """A clock that a test can set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'companion.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url, GAMES)
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(store: Store, clock: Clock) -> Iterator[Table]:
    table = Table(store, clock)
    yield table
    table.close()


@pytest.fixture
def neighbour(url: str) -> Iterator[Table]:
    """Another companion on the same log."""
    store = Store(url, GAMES)
    neighbour = Table(store)
    yield neighbour
    neighbour.close()
    store.close()


@pytest.fixture
def game(table: Table) -> Session:
    """A game of two that has come to entry 11."""
    return play(table, table.begin(KINGDOMINO, PAIR, Source.PAGE), *MOVES)


def play(table: Table, session: Session, *moves: str) -> Session:
    for move in moves:
        session = table.record(session.id, session.seq, move, Source.PAGE)
    return session


def lines(session: Session) -> list[str]:
    return [notation.write(session.game, entry.event) for entry in session.entries[1:]]


def refused(work: Callable[[], object]) -> str:
    try:
        work()
    except CompanionError as error:
        return f"{type(error).__name__}: {error}"
    return ""


MOVED_ON = "StaleSession: The game has moved on since you looked. Nothing was recorded: look again."


def test_what_is_shown_is_what_is_recorded(table: Table, store: Store, game: Session) -> None:
    assert lines(game) == list(MOVES)
    assert table.session(game.id) is game
    assert store.load(game.id).entries == game.entries


def test_every_entry_has_its_source_and_its_moment(table: Table, clock: Clock) -> None:
    session = table.begin(KINGDOMINO, PAIR, Source.DEMO)
    session = table.record(session.id, 1, MOVES[0], Source.CAMERA)
    session = table.undo(session.id, 2, Source.BUTTON)

    assert [(entry.source, entry.time) for entry in session.entries] == [
        (source, clock.now - timedelta(seconds=ago))
        for source, ago in ((Source.DEMO, 2), (Source.CAMERA, 1), (Source.BUTTON, 0))
    ]


def test_undo_goes_back_step_by_step_and_redo_forth(table: Table, game: Session) -> None:
    undone = table.undo(game.id, game.seq, Source.PAGE)
    twice = table.undo(game.id, undone.seq, Source.PAGE)
    redone = table.redo(game.id, twice.seq, Source.PAGE)
    again = table.redo(game.id, redone.seq, Source.PAGE)

    assert lines(again)[-4:] == ["withdraw 11", "withdraw 10", "restore 10", "restore 11"]
    assert undone.position == redone.position
    assert again.position == game.position


def test_nothing_to_take_back_or_to_bring_back_is_said(table: Table) -> None:
    session = table.begin(KINGDOMINO, PAIR, Source.PAGE)

    assert refused(lambda: table.undo(session.id, 1, Source.PAGE)) == (
        "IllegalEvent: There is nothing to take back."
    )
    assert refused(lambda: table.redo(session.id, 1, Source.PAGE)) == (
        "IllegalEvent: There is nothing to bring back."
    )
    assert table.session(session.id).seq == 1


def test_who_looked_at_an_older_table_is_refused(table: Table, game: Session) -> None:
    for seq in (0, 1, game.seq - 1, game.seq + 1, 10**8):
        assert refused(partial(table.record, game.id, seq, "1 takes 17", Source.PAGE)) == MOVED_ON
    for seq in (0, game.seq - 1, game.seq + 1, 10**8):
        assert refused(partial(table.correct, game.id, seq, {9: "2 takes 25"}, Source.PAGE)) == MOVED_ON
    assert refused(lambda: table.undo(game.id, game.seq - 1, Source.PAGE)) == MOVED_ON

    assert table.session(game.id) is game


def test_the_same_tap_sent_twice_counts_once(table: Table, game: Session) -> None:
    once = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)
    twice = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

    assert twice is once
    assert table.session(game.id).seq == game.seq + 1


def test_the_same_undo_redo_and_correction_sent_twice_count_once(table: Table, game: Session) -> None:
    undone = table.undo(game.id, game.seq, Source.PAGE)
    assert table.undo(game.id, game.seq, Source.PAGE) is undone
    redone = table.redo(game.id, undone.seq, Source.PAGE)
    assert table.redo(game.id, undone.seq, Source.PAGE) is redone
    changes = {2: "line 4 31 39 43"}
    corrected = table.correct(game.id, redone.seq, changes, Source.PAGE)
    assert table.correct(game.id, redone.seq, changes, Source.PAGE) is corrected

    assert lines(corrected)[-3:-1] == ["withdraw 11", "restore 11"]
    assert lines(corrected)[-1] == "correct 2: line 4 31 39 43; 3: 1 takes 43"


def test_the_same_event_from_elsewhere_is_not_the_same_tap(table: Table, game: Session) -> None:
    table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.CAMERA)

    with pytest.raises(StaleSession):
        table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)


@pytest.mark.parametrize(
    ("text", "expected"),
    (
        ("", "NotationError: “” is not a move of Kingdomino."),
        ("1 takes 17", "IllegalEvent: No king can be set now."),
        ("withdraw 1", "IllegalEvent: Entry 1 cannot be taken back."),
        ("restore 3", "IllegalEvent: Entry 3 was not taken back."),
        ("correct 99: nothing", "IllegalEvent: Entry 99 cannot be corrected."),
        ('start kingdomino with "A" pink, "B" blue', "IllegalEvent: The session has started already."),
        ("x" * 30_000, "NotationError: This line is too long, or has characters that do not belong in it."),
        (
            "2 lays 39\nat 0,2 N",
            "NotationError: This line is too long, or has characters that do not belong in it.",
        ),
    ),
)
def test_what_cannot_be_recorded_changes_nothing(
    table: Table, store: Store, game: Session, text: str, expected: str
) -> None:
    assert refused(lambda: table.record(game.id, game.seq, text, Source.PAGE)) == expected
    assert store.load(game.id).entries == game.entries


def test_an_unknown_session_is_named(table: Table) -> None:
    with pytest.raises(UnknownSession, match="There is no session “nobody”"):
        table.session("nobody")


def test_looking_at_a_correction_records_nothing(table: Table, store: Store, game: Session) -> None:
    difference = table.difference(game.id, {8: "2 lays 4 at 0,1 S"})

    assert difference.before is game
    assert difference.after.seq == game.seq + 1
    assert store.load(game.id).entries == game.entries
    assert table.session(game.id) is game


def test_a_correction_leaves_out_what_no_longer_fits_and_undo_brings_all_back(
    table: Table, store: Store, game: Session
) -> None:
    difference = table.difference(game.id, {8: "nothing"})
    corrected = table.correct(game.id, game.seq, {8: "nothing"}, Source.PAGE)

    assert [misfit.seq for misfit in difference.left_out] == [9, 10, 11]
    assert lines(corrected)[-1] == "correct 8: nothing; 9: nothing; 10: nothing; 11: nothing"
    assert corrected.problems == ()
    assert store.load(game.id).entries == corrected.entries
    undone = table.undo(game.id, corrected.seq, Source.PAGE)
    assert (undone.position, undone.problems) == (game.position, game.problems)


def test_a_correction_that_cannot_count_itself_is_refused(table: Table, game: Session) -> None:
    said = refused(lambda: table.correct(game.id, game.seq, {9: "2 takes 48"}, Source.PAGE))

    assert said == "IllegalEvent: Domino 48 is not in the line."
    assert table.session(game.id) is game


@pytest.mark.parametrize("changes", ({}, {99: "nothing"}, {0: "nothing"}, {1: "nothing"}, {2: "withdraw 3"}))
def test_a_correction_of_nothing_is_refused(table: Table, game: Session, changes: dict[int, str]) -> None:
    works: tuple[Callable[[], object], ...] = (
        lambda: table.difference(game.id, changes),
        lambda: table.correct(game.id, game.seq, changes, Source.PAGE),
    )
    for work in works:
        with pytest.raises((IllegalEvent, NotationError)):
            work()

    assert table.session(game.id) is game


def test_who_plays_can_be_corrected(table: Table, game: Session) -> None:
    start = 'start kingdomino harmony with "Eva" green, "Rui" blue'

    corrected = table.correct(game.id, game.seq, {1: start}, Source.PAGE)

    assert [player.name for player in corrected.setup.players] == ["Eva", "Rui"]
    assert corrected.problems == ()


def test_another_companion_on_the_same_log_is_noticed(table: Table, neighbour: Table, game: Session) -> None:
    number = table.news.wait(-1, 0)
    theirs = neighbour.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

    assert table.news.wait(number, 10) > number
    assert table.session(game.id).entries == theirs.entries
    assert refused(lambda: table.record(game.id, game.seq, "2 discards 39", Source.PAGE)) == MOVED_ON
    number = neighbour.news.wait(-1, 0)
    back = table.undo(game.id, theirs.seq, Source.PAGE)
    assert neighbour.news.wait(number, 10) > number
    assert neighbour.session(game.id).entries == back.entries


def test_news_of_another_companion_wakes_who_waits(
    table: Table, neighbour: Table, game: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "LOOK_AROUND_S", 0.01)
    number = table.news.wait(-1, 0)
    with ThreadPoolExecutor(1) as waiting:
        woken = waiting.submit(table.news.wait, number, 10)
        neighbour.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

        assert woken.result() == number + 1


def test_many_hands_at_once_record_one_entry_each_time(table: Table, store: Store, game: Session) -> None:
    """Eight devices tap something different at the same moment: one tap counts, the others are told."""
    choices = [game.game.write(event) for event in game.game.legal(game.position)][:8]
    together = Barrier(len(choices))

    def tap(choice: str) -> str:
        together.wait()
        return refused(lambda: table.record(game.id, game.seq, choice, Source.PAGE))

    with ThreadPoolExecutor(len(choices)) as hands:
        said = list(hands.map(tap, choices))

    assert len(choices) == 8
    assert sorted(said) == ["", *[MOVED_ON] * 7]
    assert lines(store.load(game.id)) == [*MOVES, choices[said.index("")]]


def test_many_games_at_once_do_not_mix(table: Table, store: Store) -> None:
    def evening(_number: int) -> Session:
        return play(table, table.begin(KINGDOMINO, PAIR, Source.PAGE), *MOVES)

    with ThreadPoolExecutor(8) as tables:
        sessions = list(tables.map(evening, range(40)))

    assert len({session.id for session in sessions}) == 40
    for session in sessions:
        assert lines(store.load(session.id)) == list(MOVES)
    assert store.latest() == 40 * (len(MOVES) + 1)


def test_a_log_that_cannot_be_written_leaves_the_session_as_it_was(
    table: Table, store: Store, game: Session, tmp_path: Path
) -> None:
    away = (tmp_path / "companion.db").rename(tmp_path / "away.db")
    works: tuple[Callable[[], object], ...] = (
        lambda: table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE),
        lambda: table.undo(game.id, game.seq, Source.PAGE),
        lambda: table.correct(game.id, game.seq, {9: "2 takes 25"}, Source.PAGE),
        lambda: table.begin(KINGDOMINO, PAIR, Source.PAGE),
        lambda: table.session("another"),
    )
    for work in works:
        with pytest.raises(StoreError, match="The file of the log is gone"):
            work()
    assert table.session(game.id) is game, "shown from memory"

    away.rename(tmp_path / "companion.db")
    on = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)
    assert store.load(game.id).entries == on.entries
    assert lines(on) == [*MOVES, "2 lays 39 at 0,2 N"]


def test_a_clock_that_jumps_back_keeps_the_order(
    table: Table, store: Store, clock: Clock, game: Session
) -> None:
    clock.now -= timedelta(days=400)

    later = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

    assert later.entries[-1].time < later.entries[0].time
    assert store.load(game.id).entries == later.entries
    assert all(time >= timedelta() for time in later.thinking(clock.now))


def test_more_games_than_are_kept_in_memory(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "LIVE_SESSIONS", 2)
    ids = [table.begin(KINGDOMINO, PAIR, Source.PAGE).id for _each in range(4)]

    for id in (*ids, *ids):
        play(table, table.session(id), MOVES[0] if table.session(id).seq == 1 else MOVES[1])
    assert [lines(store.load(id)) for id in ids] == [list(MOVES[:2])] * 4


def test_after_closing_everybody_is_told(table: Table, game: Session) -> None:
    table.close()
    table.close()

    assert refused(lambda: table.undo(game.id, game.seq, Source.PAGE)) == (
        "StoreError: The companion is closing. Nothing was recorded."
    )
    assert table.news.closed
    assert table.news.wait(10**9, 10) >= game.seq
