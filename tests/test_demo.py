"""A game that plays itself: only while somebody looks, by the rules, and never against people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from companion.core.errors import StaleSession
from companion.core.log import Source
from companion.core.message import ENGLISH
from companion.demo import Demonstration
from companion.games import GAMES
from companion.store.store import Store
from companion.table import Table
from companion.web import House, create_app
from companion.web.pin import Doorkeeper

FAST = 0.001
LONG_S = 20.0
"""Longer than anything here takes; nothing waits for it unless it fails."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(Store(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    yield table
    table.close()


@pytest.fixture
def demonstration(table: Table) -> Iterator[Demonstration]:
    demonstration = Demonstration(table, GAMES["kingdomino"], ENGLISH, pace=FAST, rest=FAST)
    yield demonstration
    demonstration.stop()


@pytest.fixture
def somebody_looks(table: Table, demonstration: Demonstration) -> Iterator[None]:
    """A page that shows the demonstration until the test is over."""
    with table.news.watching(demonstration.session):
        yield


def until(table: Table, done: Callable[[], bool]) -> None:
    """Wait for entries until this is so."""
    limit, number = monotonic() + LONG_S, 0
    while not done():
        assert monotonic() < limit
        number = table.news.wait(number, 0.05)


@pytest.mark.usefixtures("somebody_looks")
def test_it_plays_whole_games_one_after_the_other(table: Table, demonstration: Demonstration) -> None:
    first = demonstration.session
    demonstration.start()
    until(table, lambda: demonstration.session not in (first, None))
    demonstration.stop()

    played = table.session(first)
    assert played.turn.over
    assert played.problems == ()
    assert {entry.source for entry in played.entries} == {Source.DEMO}
    assert [player.name for player in played.setup.players] == ["Pink", "Yellow", "Green", "Blue"]


@pytest.mark.usefixtures("somebody_looks")
def test_its_games_are_no_past_sessions_of_people(table: Table, demonstration: Demonstration) -> None:
    demonstration.start()
    until(table, lambda: table.session(demonstration.session).seq > 5)

    assert list(table.list(10)) == []


def test_it_waits_while_nobody_looks(table: Table, demonstration: Demonstration) -> None:
    demonstration.start()

    with table.news.watching("a game of people"):
        Event().wait(100 * FAST)

    assert table.session(demonstration.session).seq == 1


@pytest.mark.usefixtures("somebody_looks")
@pytest.mark.parametrize("tap", ("undo", "move"))
def test_it_steps_back_when_people_play_in_its_game(
    table: Table, demonstration: Demonstration, tap: str
) -> None:
    id = demonstration.session
    demonstration.start()
    until(table, lambda: table.session(id).seq > 3)
    while demonstration.session == id:
        session = table.session(id)
        try:
            if tap == "undo":
                table.undo(id, session.seq, Source.PAGE)
            else:
                event = session.game.draw(session.position, 1) or session.game.legal(session.position)[0]
                table.record(id, session.seq, session.game.write(event), Source.PAGE)
        except StaleSession:
            continue  # the demonstration was faster this time
        until(table, lambda: not demonstration.session)

    last = table.session(id)
    Event().wait(20 * FAST)
    assert demonstration.session == ""
    assert last.entries[-1].source is Source.PAGE
    assert table.session(id) is last


@pytest.mark.usefixtures("somebody_looks")
def test_people_take_over_and_go_on(table: Table, demonstration: Demonstration) -> None:
    house = House(table, Doorkeeper("2468"), b"s" * 32, demonstration=demonstration)
    looker, player = create_app(house).test_client(), create_app(house).test_client()
    player.post("/unlock", data={"pin": "2468"})
    id = demonstration.session
    demonstration.start()
    until(table, lambda: table.session(id).seq > 3)

    assert looker.post(f"/s/{id}/take-over").status_code == 303
    assert demonstration.session == id, "not without the PIN"
    assert f'action="/s/{id}/take-over"' in player.get(f"/s/{id}").text
    assert player.post(f"/s/{id}/take-over").status_code == 303
    demonstration._thread.join(LONG_S)
    seq = table.session(id).seq
    assert player.post(f"/s/{id}/undo", data={"seq": str(seq)}).status_code == 303

    assert demonstration.session == ""
    assert "/take-over" not in player.get(f"/s/{id}").text
    assert table.session(id).seq == seq + 1
    assert [item.id for item in table.list(10)] == [id]
    assert player.post(f"/s/{id}/take-over").status_code == 303, "a second tap does no harm"


@pytest.mark.usefixtures("somebody_looks")
def test_it_goes_on_when_the_log_can_be_written_again(
    table: Table, demonstration: Demonstration, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    demonstration.start()
    until(table, lambda: table.session(demonstration.session).seq > 3)
    away = (tmp_path / "companion.db").rename(tmp_path / "away.db")
    until(table, lambda: bool(caplog.records))
    seq = table.session(demonstration.session).seq

    away.rename(tmp_path / "companion.db")

    until(table, lambda: table.session(demonstration.session).seq > seq)
    assert (
        caplog.records[0]
        .getMessage()
        .startswith("the demonstration cannot go on: The file of the log is gone")
    )


@pytest.mark.usefixtures("somebody_looks")
def test_a_page_with_a_finished_game_follows_to_the_next_and_can_take_over(
    table: Table, demonstration: Demonstration
) -> None:
    house = House(table, Doorkeeper("2468"), b"s" * 32, demonstration=demonstration)
    player = create_app(house).test_client()
    player.post("/unlock", data={"pin": "2468"})
    finished = demonstration.session
    demonstration.start()
    until(table, lambda: demonstration.session not in (finished, ""))

    stream = iter(player.get(f"/s/{finished}/events").response)
    told = "".join(str(next(stream)) for _part in range(2))
    answer = player.post(f"/s/{finished}/take-over")

    assert f'"next": "{answer.location.rpartition("/")[2]}"' in told
    assert answer.location != f"/s/{finished}"
    assert demonstration.session == ""
