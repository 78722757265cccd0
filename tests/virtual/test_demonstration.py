"""A game that plays itself on the virtual table: only while somebody looks, and never against people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.app import Rig
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.message import ENGLISH
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.demonstration import Demonstration
from companion.virtual.faults import Disturbances
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.watch.night import GAME, TickingClock, rig_by

LONG_S = 120.0
"""Of the table's own time: longer than a few turns take."""


@dataclass
class Show:
    """A demonstration that goes on as fast as it can, frame by frame."""

    table: LiveSessions
    rig: Rig
    clock: TickingClock
    demonstration: Demonstration

    @property
    def session(self) -> Session:
        return self.table.session(self.demonstration._session)

    def go_on(self, until: Callable[[], bool]) -> None:
        limit = self.clock.now + LONG_S
        while not until():
            assert self.clock.now < limit, self.rig.watcher.watch
            self.step()

    def wait(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.step()

    def step(self) -> None:
        assert self.rig.virtual is not None
        self.rig.loop.step()
        self.rig.virtual.step(self.clock.now)

    def looker(self) -> FlaskClient:
        """A device that shows the page of this show."""
        house = House(
            self.table,
            PinRateLimiter("2468"),
            b"s" * 32,
            demonstration=self.demonstration,
            watcher=self.rig.watcher,
            virtual=self.rig.virtual,
        )
        return create_app(house).test_client()

    def player(self) -> FlaskClient:
        """One on which the PIN was entered."""
        client = self.looker()
        client.post("/unlock", data={"pin": "2468"})
        return client


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Show]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    clock = TickingClock()
    rig = rig_by(clock, table, Disturbances(1, ()), tmp_path)
    assert rig.virtual is not None
    demonstration = Demonstration(table, GAMES["kingdomino"], ENGLISH, rig.watcher, rig.virtual)
    demonstration.start()
    yield Show(table, rig, clock, demonstration)
    demonstration.stop()
    rig.close()
    table.close()


@pytest.fixture
def somebody_looks(show: Show) -> Iterator[None]:
    """A page that shows the demonstration until the test is over."""
    with show.table.news.watching(show.demonstration.session):
        yield


@pytest.mark.usefixtures("somebody_looks")
def test_a_hand_lays_the_camera_reads_and_a_button_tells_the_log(show: Show) -> None:
    show.go_on(lambda: show.session.seq >= 7)

    assert {entry.source for entry in show.session.entries} == {Source.DEMO}
    assert [player.name for player in show.session.setup.players] == ["Pink", "Yellow", "Green", "Blue"]
    assert show.session.problems == ()
    assert list(show.table.list(10)) == [], "its games are no past sessions of people"


def test_it_waits_while_nobody_looks(show: Show) -> None:
    with show.table.news.watching("a game of people"):
        show.wait(20)

    assert show.session.seq == 1


@pytest.mark.usefixtures("somebody_looks")
@pytest.mark.parametrize("tap", ("undo", "move"))
def test_it_steps_back_when_people_play_in_its_game(show: Show, tap: str) -> None:
    show.go_on(lambda: show.session.seq > 3)
    session = show.session
    if tap == "undo":
        show.table.undo(session.id, session.seq, Source.PAGE)
    else:
        event = session.game.draw(session.position, 1) or session.game.legal(session.position)[0]
        show.table.record(session.id, session.seq, session.game.write(event), Source.PAGE)
    show.go_on(lambda: not show.demonstration.session)
    last = show.session
    show.wait(20)

    assert last.entries[-1].source is Source.PAGE
    assert show.session is last


@pytest.mark.usefixtures("somebody_looks")
def test_people_take_over_and_go_on_with_what_lies_there(show: Show) -> None:
    looker, player = show.looker(), show.player()
    id = show.demonstration.session
    show.go_on(lambda: show.session.seq > 3)
    assert show.rig.virtual is not None

    assert looker.post(f"/s/{id}/take-over").status_code == 303
    assert show.demonstration.session == id, "not without the PIN"
    assert f'action="/s/{id}/take-over"' in player.get(f"/s/{id}").text
    assert player.post(f"/s/{id}/take-over").status_code == 303
    seq, lying = show.table.session(id).seq, len(show.rig.virtual.lying)
    show.wait(10)
    assert player.post(f"/s/{id}/undo", data={"seq": str(seq)}).status_code == 303

    assert (show.demonstration.session, show.rig.virtual.playing) == ("", False)
    assert len(show.rig.virtual.lying) == lying
    assert "/take-over" not in player.get(f"/s/{id}").text
    assert show.table.session(id).entries[-1].source is Source.PAGE
    assert [item.id for item in show.table.list(10)] == [id]
    assert player.post(f"/s/{id}/take-over").status_code == 303, "a second tap does no harm"


@pytest.mark.usefixtures("somebody_looks")
def test_whoever_takes_a_seat_on_the_virtual_table_plays_a_game_of_their_own(show: Show) -> None:
    player = show.player()
    id = show.demonstration.session
    show.go_on(lambda: show.session.seq > 3)

    assert player.post("/virtual/play", data={"on": "0"}).status_code == 303
    assert show.demonstration.session == ""
    assert player.post("/virtual/play", data={"on": "1"}).status_code == 303
    seq = show.session.seq
    show.go_on(lambda: show.session.seq > seq)

    assert show.session.entries[-1].source in {Source.CAMERA, Source.BUTTON, Source.PAGE}
    assert [item.id for item in show.table.list(10)] == [id]


@pytest.mark.usefixtures("somebody_looks")
def test_a_hand_that_people_let_go_on_records_for_them_what_no_camera_sees(show: Show) -> None:
    show.go_on(lambda: show.session.seq > 3)
    assert show.rig.virtual is not None
    stopped = show.rig.virtual.companion
    show.demonstration.stop()
    session, theirs = show.session, show.rig.virtual.companion
    assert stopped is not None
    assert theirs is not None
    event = session.game.draw(session.position, 1) or session.game.legal(session.position)[0]
    truth = [*(step.event for step in session.fold.steps), event]

    stopped.put_right(truth)
    assert show.session is session
    theirs.put_right(truth)
    assert show.session.entries[-1].source is Source.PAGE
    assert show.session.fold.steps[-1].event == event


@pytest.mark.usefixtures("somebody_looks")
def test_it_goes_on_when_the_log_can_be_written_again(show: Show, tmp_path: Path) -> None:
    show.go_on(lambda: show.session.seq > 2)
    away = (tmp_path / "companion.db").rename(tmp_path / "away.db")
    show.go_on(lambda: "The file of the log is gone" in str(show.rig.watcher.watch.announcement))
    seq = show.session.seq

    away.rename(tmp_path / "companion.db")

    show.go_on(lambda: show.session.seq > seq)


def test_a_page_with_a_finished_game_follows_to_the_next_and_can_take_over(show: Show) -> None:
    player = show.player()
    finished = show.demonstration.session
    assert show.rig.virtual is not None
    assert show.rig.virtual.companion is not None
    show.rig.virtual.companion.again()

    stream = iter(player.get(f"/s/{finished}/events").response)
    told = "".join(str(next(stream)) for _part in range(2))
    answer = player.post(f"/s/{finished}/take-over")

    assert f'"next": "{answer.location.rpartition("/")[2]}"' in told
    assert answer.location != f"/s/{finished}"
    assert show.rig.watcher.watch.session == show.demonstration._session
    assert show.demonstration.session == ""


@pytest.mark.usefixtures("somebody_looks")
def test_it_leaves_the_table_to_a_game_that_people_let_the_camera_watch(show: Show) -> None:
    player = show.player()
    players = tuple(Player(name, colour) for name, colour in zip("AR", GAME.colours, strict=False))
    theirs = show.table.begin(GAME, Setup(players), Source.PAGE)
    show.go_on(lambda: show.session.seq > 2)
    assert show.rig.virtual is not None

    assert player.post(f"/s/{theirs.id}/follow").status_code == 303

    assert (show.demonstration.session, show.rig.virtual.playing) == ("", False)
    assert sorted(one.face for one in show.rig.virtual.lying) == ["castle-pink", "castle-yellow"]
    show.wait(5)
    assert show.rig.watcher.watch.session == theirs.id
    assert show.rig.watcher.watch.reading.contradictions == ()


@pytest.mark.usefixtures("somebody_looks")
def test_it_is_begun_again_from_the_first_page_when_people_have_played(show: Show) -> None:
    looker, player = show.looker(), show.player()
    first, offered = show.demonstration.session, 'action="/demonstration"'
    show.go_on(lambda: show.session.seq > 3)
    before = player.get("/").text
    players = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "yellow"}
    theirs = player.post("/new/kingdomino", data=players).location.rpartition("/")[2]
    meanwhile = player.get("/").text

    assert looker.post("/demonstration").location.startswith("/unlock")
    assert show.demonstration.session == "", "not without the PIN"
    again = player.post("/demonstration").location.rpartition("/")[2]
    with show.table.news.watching(again):
        show.go_on(lambda: show.session.seq > 3)
    after = player.get("/").text

    assert [offered in page for page in (before, meanwhile, after)] == [False, True, False]
    assert len({first, theirs, again}) == 3
    assert {entry.source for entry in show.session.entries} == {Source.DEMO}
    assert f'href="/s/{again}"' in after
    assert player.post("/demonstration").location == f"/s/{again}", "a second tap does no harm"
