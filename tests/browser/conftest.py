"""A real companion and a real Chromium, each started once; a context of its own for every device of a test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.device import SIZES, Device
from tests.soak.running import Running

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
PATIENCE_MS = 8_000
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
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Notes a measured figure, to be read at the end of the run."""
    return request.config.stash.setdefault(FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if figures := config.stash.get(FIGURES, []):
        terminalreporter.section("measured in the browser")
        for line in figures:
            terminalreporter.write_line(line)
