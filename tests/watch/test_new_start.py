"""After a new start the camera looks at the game that was going on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app import with_rig
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.household.settings import Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House
from companion.web.rate_limiter import PinRateLimiter
from tests.watch.night import GAME

DRAWN = "line 3 17 24 41"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveSessions]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", {GAME.key: GAME}))
    yield table
    table.close()


def begin(table: LiveSessions, *options: str) -> Session:
    players = tuple(Player(name, colour) for name, colour in zip("AR", GAME.colours, strict=False))
    return table.begin(GAME, Setup(players, frozenset(options)), Source.PAGE)


def watched(table: LiveSessions, folder: Path) -> str:
    """Which game a companion with a camera watches once it has started."""
    settings = Settings(store=Kept(folder=str(folder)))
    settings = replace(settings, camera=replace(settings.camera, source="virtual"))
    _house, rig = with_rig(House(table, PinRateLimiter("2468"), b"s" * 32), settings, demo=False)
    assert rig is not None
    found = rig.watcher.watch.session
    rig.close()
    return found


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
