"""A board of Carcassonne counted from its photo by touch: questions, the track, the end over the photo, the result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.photos.service import PhotoService
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.rasterizer import rasterize
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.vision.photo.boards import grown_board, halves_of, photo_of
from tests.vision.photo.kingdoms import file_of
from tests.web.serving import PIN, Serving, serving

pytestmark = pytest.mark.browser

BOARD = grown_board(12, 16)
FILE = "input[type=file]:not([capture])"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A house that reads photos by what is shipped and by our own drawings, as the app does."""
    folder = tmp_path_factory.mktemp("photos")
    table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
    inside = House(
        table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=PhotoService(folder, rasterize=rasterize)
    )
    with serving(create_app(inside), inside) as served:
        yield served
    table.close()


def looks_well(tablet: Device) -> None:
    # Tiles of a board in a photo are as small as the photo shows them: the question beside it has what is to be tapped.
    found = tablet.look(48, 14)
    assert {kind: what for kind, what in found.items() if what and kind not in ("tall", "small")} == {}
    assert tablet.nameless() == []


def answer_all(tablet: Device) -> None:
    """Take the likeliest tile at every question, without a follower; and agree to what is asked together."""
    for _question in range(30):
        links = tablet.find(".answers a.big")
        if not links.count():
            return
        addresses = [links.nth(at).get_attribute("href") or "" for at in range(links.count())]
        bare = next((at for at, one in enumerate(addresses) if one.partition("#")[0][-2:-1].isdigit()), 0)
        with tablet.page.expect_navigation():
            links.nth(bare).tap()
    raise AssertionError("the questions never end")


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("phone", "es")))
def test_a_board_is_counted_by_touch(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str, language: str
) -> None:
    (tmp_path / "board.jpg").write_bytes(file_of(photo_of(BOARD, 12, 0.1)))
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/count/carcassonne")

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, tmp_path / "board.jpg")
    looks_well(tablet)
    answer_all(tablet)
    if (right := tablet.find("#asked a.primary")).count():
        with tablet.page.expect_navigation():
            right.first.tap()
    for at, points in enumerate(("31", "44")):
        tablet.find("form.track input[name^=track]").nth(at).fill(points)
    with tablet.page.expect_navigation():
        tablet.tap("form.track button")
    looks_well(tablet)
    with tablet.page.expect_navigation():
        tablet.tap('a[href*="step=0"]')
    looks_well(tablet)
    with tablet.page.expect_navigation():
        tablet.find("#asked > a.button.big").first.tap()
    with tablet.page.expect_navigation():
        tablet.tap("form.recording button.primary")

    assert tablet.page.url.endswith("/result")
    assert sorted(tablet.find(".ranking .total").all_inner_texts()) == ["31", "44"]


@pytest.mark.parametrize(("size", "language"), (("lying", "en"), ("phone", "pt-BR")))
def test_a_board_is_counted_from_two_photos_by_touch(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str, language: str
) -> None:
    for name, half in zip(("left.jpg", "right.jpg"), halves_of(BOARD, 12), strict=True):
        (tmp_path / name).write_bytes(file_of(half))
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/count/carcassonne")
    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, tmp_path / "left.jpg")
    looks_well(tablet)

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, tmp_path / "right.jpg")
    looks_well(tablet)
    answer_all(tablet)
    if (right := tablet.find("#asked > a.primary")).count():
        with tablet.page.expect_navigation():
            right.first.tap()

    assert tablet.find("svg.photographed").count() == 2
    assert tablet.find("form.track").count() == 1
