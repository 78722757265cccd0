"""A real companion and a real Chromium, each started once; a context of its own for every device of a test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, cast

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from companion.core.observation import Observation
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.state import Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.device import NAMES, PATIENCE_S, SIZES, Device
from tests.soak.running import Running
from tests.web.pretending import PretendedTable, PretendedWatcher, laid_out
from tests.web.serving import PIN, Serving, begin, play, serving

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = PATIENCE_S * 1000
MOVES = (
    *("line 4 31 39 41", "1 takes 41", "2 takes 31", "3 takes 39", "4 takes 4"),
    *("line 10 17 19 25", "4 lays 4 at 0,-2 S", "4 takes 19"),
)
FIGURES = pytest.StashKey[list[str]]()

OpenDevice = Callable[..., Device]


class Host(Protocol):
    """Somewhere the page is served."""

    @property
    def port(self) -> int: ...

    @property
    def pin(self) -> str: ...


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The computer's own Chromium; nothing is downloaded."""
    path = find_chromium()
    if path is None:
        pytest.skip(f"no browser to drive: none of {', '.join(CHROMIUM)} is on this computer")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A household's companion that all tests share, each with games of its own."""
    running = Running(tmp_path_factory.mktemp("household")).start()
    yield running
    running.close()


@pytest.fixture
def own_companion(tmp_path: Path) -> Iterator[Running]:
    """A companion that a test may kill; it has to start it."""
    running = Running(tmp_path)
    yield running
    running.close()


@pytest.fixture
def device(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenDevice]:
    """Opens devices: `device(size, language)`, of another companion with `at=`."""
    opened: list[Device] = []

    def open_device(size: str = "lying", language: str = "en", at: Host | None = None, **more: Any) -> Device:
        running: Host = at or request.getfixturevalue("companion")
        context = browser.new_context(viewport=SIZES[size], locale=language, has_touch=True, **more)
        context.set_default_timeout(PATIENCE_MS)
        opened.append(Device(context.new_page(), running.port, running.pin, language))
        return opened[-1]

    yield open_device
    for device in opened:
        device.page.context.close()
    assert [device.complaints for device in opened if device.complaints] == []


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Serving]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    session = play(table, begin(table, 4, names=NAMES), *MOVES)
    virtual = laid_out(session, watcher)
    seen = tuple(Observation(piece.face, piece.x, piece.y, piece.angle, 0.9) for piece in virtual.lying)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING, seen=seen)
    house = House(
        table,
        PinRateLimiter(PIN),
        b"s" * 32,
        listeners=8,
        watcher=cast("Any", watcher),
        virtual=cast("Any", virtual),
    )
    with serving(create_app(house), house) as served:
        yield served
    table.close()


@pytest.fixture
def watcher(watched: Serving) -> PretendedWatcher:
    assert isinstance(watched.house.watcher, PretendedWatcher)
    return watched.house.watcher


@pytest.fixture
def table(watched: Serving) -> PretendedTable:
    assert isinstance(watched.house.virtual, PretendedTable)
    return watched.house.virtual


@pytest.fixture
def session(watched: Serving, watcher: PretendedWatcher) -> Session:
    return watched.house.sessions.session(watcher.watch.session)


@pytest.fixture
def tablet(watched: Serving, device: OpenDevice) -> Device:
    tablet = device("lying", at=watched)
    tablet.unlock()
    return tablet


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Notes a measured figure, to be read at the end of the run."""
    return request.config.stash.setdefault(FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if figures := config.stash.get(FIGURES, []):
        terminalreporter.section("measured in the browser")
        for line in figures:
            terminalreporter.write_line(line)
