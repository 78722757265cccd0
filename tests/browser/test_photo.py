"""A kingdom read from a photo on the tablet: chosen, asked about, put right, recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.games import GAMES
from companion.games.kingdomino.scoring import property_points
from companion.photo_desk import PhotoDesk
from companion.store.store import Store
from companion.table import Table
from companion.vision import shipped as galleries
from companion.web import House, create_app
from companion.web.pin import Doorkeeper
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.vision.kingdoms import board, file_of, grown_kingdom, our_gallery, photo
from tests.web.serving import PIN, Serving, serving

pytestmark = pytest.mark.browser

HOLE = grown_kingdom(8, dominoes=11)
FILE = "input[type=file]:not([capture])"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(galleries, "shipped", lambda _name: our_gallery())
        folder = tmp_path_factory.mktemp("photos")
        table = Table(Store(f"sqlite:///{folder / 'companion.db'}", GAMES))
        inside = House(table, Doorkeeper(PIN), b"s" * 32, listeners=8, photos=PhotoDesk(folder))
        with serving(create_app(inside), inside) as served:
            yield served
        table.close()


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taken")
    (folder / "hole.jpg").write_bytes(file_of(photo(board(HOLE))))
    (folder / "black.jpg").write_bytes(file_of(np.zeros((900, 1200, 3), np.uint8)))
    return folder


def looks_well(tablet: Device) -> None:
    found = tablet.look(48)
    # On a phone the answers stand below the photo, and the page may be scrolled.
    assert {kind: what for kind, what in found.items() if what and kind != "tall"} == {}
    assert tablet.nameless() == []


@pytest.mark.parametrize(("size", "language"), (("lying", "en"), ("small phone", "pt-BR"), ("lying", "es")))
def test_a_photo_is_read_put_right_and_recorded(
    device: OpenDevice, house: Serving, photos: Path, size: str, language: str
) -> None:
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    address = tablet.address
    tablet.follow(".controls a.photo")
    looks_well(tablet)

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, photos / "hole.jpg")
    looks_well(tablet)
    while tablet.find(".answers a").count():
        tablet.follow(".answers a")
    looks_well(tablet)
    tablet.follow("form[action$='/record'] button")

    assert tablet.address == address
    assert tablet.totals == [property_points(HOLE), 0]


def test_corners_are_dragged_where_nothing_is_found(device: OpenDevice, house: Serving, photos: Path) -> None:
    tablet = device("small phone", "es", at=house)
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    tablet.follow(".controls a.photo")
    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, photos / "black.jpg")
    looks_well(tablet)
    before = tablet.find("#corners input[name=x0]").input_value()

    tablet.page.touchscreen.tap(20, 170)

    assert tablet.find("#corners input[name=x0]").input_value() != before
    tablet.follow("#corners button")
    assert tablet.find("form[action$='/record']").count() == 0
    assert tablet.find(".notice").count() == 1
