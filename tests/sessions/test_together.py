"""The table: one owner for many hands, other companions beside it, and a log that may fail."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

from companion.core.errors import StoreError
from companion.core.log import Source
from companion.core.session import Session
from companion.sessions import live as table_module
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.sessions.playing import KINGDOMINO, MOVED_ON, MOVES, PAIR, Clock, lines, play, refused


def test_another_companion_on_the_same_log_is_noticed(
    table: LiveSessions, neighbour: LiveSessions, game: Session
) -> None:
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
    table: LiveSessions, neighbour: LiveSessions, game: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "LOOK_AROUND_S", 0.01)
    number = table.news.wait(-1, 0)
    with ThreadPoolExecutor(1) as waiting:
        woken = waiting.submit(table.news.wait, number, 10)
        neighbour.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

        assert woken.result() == number + 1


def test_many_hands_at_once_record_one_entry_each_time(
    table: LiveSessions, store: SessionRepository, game: Session
) -> None:
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


def test_many_games_at_once_do_not_mix(table: LiveSessions, store: SessionRepository) -> None:
    def evening(_number: int) -> Session:
        return play(table, table.begin(KINGDOMINO, PAIR, Source.PAGE), *MOVES)

    with ThreadPoolExecutor(8) as tables:
        sessions = list(tables.map(evening, range(40)))

    assert len({session.id for session in sessions}) == 40
    for session in sessions:
        assert lines(store.load(session.id)) == list(MOVES)
    assert store.latest() == 40 * (len(MOVES) + 1)


def test_a_log_that_cannot_be_written_leaves_the_session_as_it_was(
    table: LiveSessions, store: SessionRepository, game: Session, tmp_path: Path
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
    table: LiveSessions, store: SessionRepository, clock: Clock, game: Session
) -> None:
    clock.now -= timedelta(days=400)

    later = table.record(game.id, game.seq, "2 lays 39 at 0,2 N", Source.PAGE)

    assert later.entries[-1].time < later.entries[0].time
    assert store.load(game.id).entries == later.entries
    assert all(time >= timedelta() for time in later.thinking(clock.now))


def test_more_games_than_are_kept_in_memory(
    table: LiveSessions, store: SessionRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "LIVE_SESSIONS", 2)
    ids = [table.begin(KINGDOMINO, PAIR, Source.PAGE).id for _each in range(4)]

    for id in (*ids, *ids):
        play(table, table.session(id), MOVES[0] if table.session(id).seq == 1 else MOVES[1])
    assert [lines(store.load(id)) for id in ids] == [list(MOVES[:2])] * 4


def test_after_closing_everybody_is_told(table: LiveSessions, game: Session) -> None:
    table.close()
    table.close()

    assert refused(lambda: table.undo(game.id, game.seq, Source.PAGE)) == (
        "StoreError: The companion is closing. Nothing was recorded."
    )
    assert table.news.closed
    assert table.news.wait(10**9, 10) >= game.seq
