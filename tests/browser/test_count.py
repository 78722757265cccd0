"""A finished game counted from a photo on the tablet, from the first page to the result, before there was a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.photos.service import PhotoService
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.gallery import squares as galleries
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import OpenDevice
from tests.browser.test_photo import FILE, looks_well
from tests.vision.photo.kingdoms import our_gallery
from tests.web.serving import PIN, Serving, serving
from tests.web.test_count import EXPECTED
from tests.web.test_photo import two_kingdoms

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    with pytest.MonkeyPatch.context() as patch:
        ours = our_gallery()  # made here, so that no reading waits for it
        patch.setattr(galleries, "load_shipped", lambda _name: ours)
        folder = tmp_path_factory.mktemp("counted")
        table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
        inside = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=PhotoService(folder))
        with serving(create_app(inside), inside) as served:
            yield served
        table.close()


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("small phone", "es")))
def test_a_finished_game_from_the_first_page_to_the_result(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str, language: str
) -> None:
    (tmp_path / "table.jpg").write_bytes(two_kingdoms())
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.open("/")
    tablet.follow(".count-finished")
    looks_well(tablet)

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, tmp_path / "table.jpg")
    looks_well(tablet)
    tablet.follow(".owners li:first-child .colours a:nth-child(2)")
    tablet.follow(".panel > a.primary")
    while tablet.find(".panel .answers a, .panel > a.primary").count():
        tablet.follow(".panel .answers a, .panel > a.primary")
    looks_well(tablet)
    tablet.find(".ranking tr:first-child input").fill("Ana")
    tablet.follow(".recording button.primary")

    newest = house.house.sessions.session(house.house.sessions.list(1)[0].id)
    assert tablet.page.url.endswith(f"/s/{newest.id}/result")
    assert sorted(newest.tally.totals) == EXPECTED
    assert newest.setup.players[newest.tally.standing.winners[0]].name == "Ana"
    assert "yellow" in {player.colour.value for player in newest.setup.players}
