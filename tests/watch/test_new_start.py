"""After a new start the camera looks at the game that was going on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app import with_rig
from companion.core.game import AnyGame, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.household.settings import Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.watch.night import GAME
from tests.web.serving import knowing_the_pin

DRAWN = "line 3 17 24 41"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveSessions]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    yield table
    table.close()


def begin(table: LiveSessions, game: AnyGame = GAME) -> Session:
    players = tuple(Player(name, colour) for name, colour in zip("AR", game.colours, strict=False))
    return table.begin(game, Setup(players), Source.PAGE)


@contextmanager
def started(table: LiveSessions, folder: Path) -> Iterator[House]:
    """A companion with a camera that has just started."""
    settings = Settings(store=Kept(folder=str(folder)))
    settings = replace(settings, camera=replace(settings.camera, source="virtual"))
    house, rig = with_rig(House(table, PinRateLimiter("2468"), b"s" * 32), settings, demo=False)
    assert rig is not None
    yield house
    rig.close()


def watched(table: LiveSessions, folder: Path) -> str:
    """Which game it watches."""
    with started(table, folder) as house:
        assert house.watcher is not None
        return house.watcher.watch.session


def test_the_newest_game_that_is_not_over_is_watched_again(table: LiveSessions, tmp_path: Path) -> None:
    begin(table)
    newest = begin(table)
    table.record(newest.id, 1, DRAWN, Source.BUTTON)

    assert watched(table, tmp_path) == newest.id


def test_nothing_is_watched_when_every_game_is_over(table: LiveSessions, tmp_path: Path) -> None:
    session = begin(table)
    while not session.turn.over:
        event = GAME.draw(session.position, session.seq) or next(iter(GAME.legal(session.position)))
        session = table.record(session.id, session.seq, GAME.write(event), Source.PAGE)

    assert watched(table, tmp_path) == ""


def test_a_game_that_a_camera_once_watched_goes_on_without_one(table: LiveSessions, tmp_path: Path) -> None:
    older, newest = begin(table), begin(table, GAMES["dominations"])
    table.record(newest.id, 1, "1 lays T:TTC at 0,0d", Source.CAMERA)

    with started(table, tmp_path) as house:
        assert house.watcher is not None
        page = knowing_the_pin(create_app(house)).get(f"/s/{newest.id}?view=camera")

        assert house.watcher.watch.session == older.id
    assert (page.status_code, "watch.jpg" in page.text, 'data-place="0,0d"' in page.text) == (
        200,
        False,
        True,
    )
