"""The README's pictures of a watched table: `python -m tests.browser.pictures_watched`.

A game in its middle lies on the virtual table, a hand has just laid a domino, and the camera has read it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, sync_playwright

from companion.app import Rig
from companion.games import GAMES
from companion.sessions.json_lines import import_session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.faults import WELL_LIT, Disturbances
from companion.virtual.hand import HandPlanner
from companion.virtual.players import arrangement, faces_of
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import FLAGS, find_chromium
from tests.browser.device import SIZES, Device
from tests.browser.evenings import next_event
from tests.browser.pictures import SEED, _in_the_middle, keep, play
from tests.watch.night import TickingClock, rig_by
from tests.web.serving import serving

STEPS = 12
"""Frames until the hand is gone and the table has been read."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        take_all(browser, Path(folder))
        browser.close()


def take_all(browser: Browser, folder: Path) -> None:
    session = play("watched", _in_the_middle)
    store = SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES)
    import_session(store, session)
    table = LiveSessions(store)
    rig = rig_by(TickingClock(), table, Disturbances(2, WELL_LIT), folder)
    rig.watcher.follow(session.id)
    lay_next(rig, table, session.id)
    house = House(table, PinRateLimiter("2468"), b"s" * 32, watcher=rig.watcher, virtual=rig.virtual)
    with serving(create_app(house), house) as served:
        for name, size, address in (
            ("camera", "lying", f"/s/{session.id}"),
            ("how", "lying", f"/s/{session.id}?how=1"),
            ("camera-phone", "phone", f"/s/{session.id}"),
            ("virtual-table", "lying", "/table"),
        ):
            keep_page(browser, served.port, name, size, address)
    rig.close()
    table.close()


def lay_next(rig: Rig, table: LiveSessions, id: str) -> None:
    """A hand lays the next domino, and the camera looks until it has read it."""
    assert rig.virtual is not None
    desk, session = rig.virtual, table.session(id)
    sight = session.game.sight
    assert sight is not None
    for _frame in range(STEPS):
        rig.loop.step()
    event = next_event(session, Random(SEED))
    after = session.game.apply(session.position, event)
    before, wanted = (
        arrangement(desk.scene, sight, session.setup, position) for position in (session.position, after)
    )
    for move in HandPlanner(faces_of(sight), Random(SEED)).plan(before, wanted, lambda: desk.scene.snapshot):
        if move.end:
            desk.put(move.piece, move.end.x, move.end.y, move.end.angle)
        else:
            desk.remove(move.piece)
    for _frame in range(STEPS):
        rig.loop.step()


def keep_page(browser: Browser, port: int, name: str, size: str, address: str) -> None:
    context = browser.new_context(viewport=SIZES[size], locale="en", timezone_id="UTC", has_touch=True)
    device = Device(context.new_page(), port, "2468")
    device.unlock()
    device.open(address)
    device.page.wait_for_timeout(1500)
    keep(name, device.page.screenshot(animations="disabled"))
    context.close()


if __name__ == "__main__":
    main()
