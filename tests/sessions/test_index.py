"""What every session came to, worked out from its log a few at a time, and again when it has grown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from companion.core.log import Filed, FiledAs, Source
from companion.core.session import Session
from companion.sessions.database import open_engine, writing
from companion.sessions.index import SessionIndex, SessionState, summary
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.sessions.evenings import played
from tests.sessions.playing import KINGDOMINO, MOVES, PAIR, Clock, play


def test_a_session_in_a_few_numbers(game: Session) -> None:
    told = summary(game)

    assert (told.id, told.game, told.state, told.players) == (
        game.id,
        "kingdomino",
        SessionState.GOING,
        PAIR.players,
    )
    assert [result.points for result in told.results] == [*game.tally.totals]
    assert (told.began, told.ended) == (game.entries[0].time, game.entries[-1].time)
    # Kings come out of the bag first; then Rui has domino 4, Ana 31, and Rui is waited for with 39.
    assert [result.turns for result in told.results] == [1, 2]
    assert told.first == 1
    assert told.lasted == timedelta(seconds=4)
    assert not told.counts


def test_a_game_counts_once_it_is_over_and_by_people_and_not_in_the_bin(table: LiveSessions) -> None:
    whole = played("whole")
    assert whole.turn.over
    table.take_in(whole)
    told = summary(table.session("whole"))
    thrown = summary(table.file("whole", Filed(FiledAs.DELETED), Source.PAGE))
    demonstration = table.begin(KINGDOMINO, PAIR, Source.DEMO)
    kept = table.file(demonstration.id, Filed(FiledAs.KEPT), Source.PAGE)

    assert (told.state, told.counts, thrown.counts) == (SessionState.OVER, True, False)
    assert (summary(demonstration).demonstration, summary(kept).demonstration) == (True, False)


def test_a_demonstration_that_somebody_took_over_stays_one(table: LiveSessions) -> None:
    shown = table.begin(KINGDOMINO, PAIR, Source.DEMO)
    taken = table.record(shown.id, 1, MOVES[0], Source.PAGE)

    assert [summary(one).by_people for one in (shown, taken)] == [False, True]
    assert summary(taken).demonstration


def test_an_index_is_brought_up_to_date_a_few_at_a_time_the_newest_first(
    table: LiveSessions, store: SessionRepository
) -> None:
    first, second, third = (table.begin(KINGDOMINO, PAIR, Source.PAGE).id for _each in range(3))
    index = SessionIndex(store)

    assert index.refresh(2) == 1
    assert [one.id for one in index.summaries()] == [third, second]
    assert index.refresh(2) == 0
    assert [one.id for one in index.summaries()] == [third, second, first]
    play(table, table.session(first), MOVES[0], MOVES[1])
    fourth = table.begin(KINGDOMINO, PAIR, Source.PAGE).id
    assert index.refresh(1) == 1
    assert [one.id for one in index.summaries()] == [fourth, third, second, first]
    before = index.summaries()[-1].ended
    assert index.refresh(1) == 0
    assert index.summaries()[-1].ended > before


def test_what_no_version_can_read_is_kept_in_its_place(
    table: LiveSessions, store: SessionRepository, url: str, clock: Clock
) -> None:
    odd = table.begin(KINGDOMINO, PAIR, Source.PAGE)
    engine = open_engine(url)
    with writing(engine) as connection:
        connection.execute(text("UPDATE sessions SET game = 'chess' WHERE id = :id"), {"id": odd.id})
    engine.dispose()
    index = SessionIndex(store)
    index.refresh()

    (told,) = index.summaries()
    assert (told.id, told.state, told.began, told.counts) == (
        odd.id,
        SessionState.UNREADABLE,
        clock.now,
        False,
    )


def test_a_result_that_is_still_open_counts_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played("whole")
    tally = whole.tally
    assert summary(whole).counts

    monkeypatch.setitem(whole.__dict__, "tally", replace(tally, standing=replace(tally.standing, open=True)))

    told = summary(whole)
    assert (told.counts, [result.won for result in told.results]) == (False, [False, False])


def test_a_game_that_was_ended_at_once_is_none(table: LiveSessions) -> None:
    begun = table.begin(KINGDOMINO, PAIR, Source.PAGE)
    ended = table.record(begun.id, 1, "end", Source.PAGE)

    assert (ended.turn.over, summary(ended).counts) == (True, False)


def test_when_it_ended_is_its_last_move_whatever_was_done_with_it_since(
    table: LiveSessions, game: Session
) -> None:
    named = table.file(game.id, Filed(FiledAs.NAMED, "Friday"), Source.PAGE)

    assert summary(named).ended == game.entries[-1].time < named.entries[-1].time
