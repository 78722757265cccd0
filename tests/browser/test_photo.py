"""A kingdom read from a photo on the tablet: chosen, asked about, put right, recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.games import GAMES
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.service import PhotoService
from companion.photos.teaching import BoxService
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.gallery import squares as galleries
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.vision.photo.kingdoms import board, file_of, grown_kingdom, our_gallery, photo
from tests.web.serving import PIN, Serving, serving

pytestmark = pytest.mark.browser

LARGE = grown_kingdom(3, dominoes=20, size=7)
HOLE = grown_kingdom(8, dominoes=11)
BESIDE_SYMBOLS = """() => [...document.querySelectorAll('.photographed .place')].flatMap((place) => {
  const side = Math.sqrt(place.querySelector('polygon').getBoundingClientRect().width
    * place.querySelector('polygon').getBoundingClientRect().height);
  const [square, symbol] = ['polygon', '.frame'].map((part) => place.querySelector(part)?.getBoundingClientRect());
  return symbol ? [Math.min(symbol.left - square.left, square.right - symbol.right,
    symbol.top - square.top, square.bottom - symbol.bottom) / side] : [];
})"""
"""How far each symbol is from the sides of its square, in parts of the side."""
FILE = "input[type=file]:not([capture])"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    with pytest.MonkeyPatch.context() as patch:
        ours = our_gallery()  # made here, so that no reading waits for it
        patch.setattr(galleries, "load_shipped", lambda _name: ours)
        folder = tmp_path_factory.mktemp("photos")
        table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
        photos, boxes = PhotoService(folder), BoxService(folder)
        inside = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=photos, boxes=boxes)
        with serving(create_app(inside), inside) as served:
            yield served
        table.close()


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taken")
    (folder / "hole.jpg").write_bytes(file_of(photo(board(HOLE))))
    (folder / "large.jpg").write_bytes(file_of(photo(board(LARGE))))
    (folder / "black.jpg").write_bytes(file_of(np.zeros((900, 1200, 3), np.uint8)))
    return folder


def looks_well(tablet: Device, touch: float = 48, text: float = 14) -> None:
    found = tablet.look(touch, text)
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
    assert tablet.find(".learn").count() == 0, "an empty place teaches nothing"
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


@pytest.mark.parametrize("size", ("phone", "small phone"))
@pytest.mark.parametrize("language", ("pt-BR", "es"))
def test_on_a_phone_what_records_is_in_reach_and_no_crown_is_covered(
    device: OpenDevice, house: Serving, photos: Path, size: str, language: str
) -> None:
    phone = device(size, language, at=house)
    phone.unlock()
    phone.start(("Ana", "Rui"), "score_only")
    phone.follow(".controls a.photo")
    with phone.page.expect_navigation():
        phone.page.set_input_files(FILE, photos / "hole.jpg")
    while phone.find(".answers a").count():
        phone.follow(".answers a")
    phone.page.evaluate("scrollTo(0, 0)")

    button = phone.find("form[action$='/record'] button").bounding_box()
    screen = phone.page.viewport_size
    symbols = phone.page.evaluate(BESIDE_SYMBOLS)

    assert button
    assert screen
    assert (button["y"] > 0, button["y"] + button["height"] <= screen["height"]) == (True, True)
    # Crowns stand in the corners, on a quarter of the side.
    assert len(symbols) == 23
    assert min(symbols) > 0.2


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("phone", "es"), ("small phone", "en")))
def test_a_kingdom_too_large_for_the_game_has_a_way_out(
    device: OpenDevice, house: Serving, photos: Path, size: str, language: str
) -> None:
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    path = f"{tablet.origin}{tablet.address}/photo/1"
    tablet.page.goto(path)
    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, photos / "large.jpg")
    # A kingdom of 7 by 7 squares shares the width of a phone.
    smallest = (48, 14) if size == "lying" else (38, 10)
    looks_well(tablet, *smallest)
    assert tablet.find(".notice").first.is_visible()
    assert tablet.find("form[action$='/record']").count() == 0

    tablet.follow(".ways-on a[href*=mighty_duel]")
    tablet.follow("form[action$='/correct'] button.primary")
    tablet.page.goto(path)
    looks_well(tablet)
    tablet.follow("a.left")
    while tablet.find(".answers a").count():
        tablet.follow(".answers a")
    if tablet.find(".panel > a[href*=fix]").count():
        tablet.follow(".panel > a[href*=fix]")
    looks_well(tablet, *smallest)
    tablet.follow("form[action$='/record'] button")

    assert tablet.totals == [property_points(LARGE), 0]


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_a_corner_is_dragged_from_beside_it_and_seen_closely(
    device: OpenDevice, house: Serving, photos: Path, size: str
) -> None:
    tablet = device(size, "en", at=house)
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    tablet.page.goto(f"{tablet.origin}{tablet.address}/photo/1")
    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, photos / "large.jpg")
    tablet.follow(".ways-on a[href*=corners]")
    tablet.page.evaluate("scrollTo(0, 0)")
    looks_well(tablet)
    corner = tablet.find("#handles [role=button]").first
    before = corner.bounding_box()
    assert before

    mouse = tablet.page.mouse
    mouse.move(before["x"] + before["width"] / 2 + 12, before["y"] + before["height"] / 2 + 9)
    mouse.down()
    mouse.move(before["x"] + before["width"] / 2 + 42, before["y"] + before["height"] / 2 + 29)
    held, after = tablet.find("#loupe").is_visible(), corner.bounding_box()
    mouse.up()
    assert after

    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (30, 20)
    assert (held, tablet.find("#loupe").is_visible()) == (True, False)
    button = tablet.find("#corners button").bounding_box()
    screen = tablet.page.viewport_size
    assert button
    assert screen
    assert button["y"] + button["height"] <= screen["height"]

    mouse.move(after["x"] + after["width"] / 2 + 12, after["y"] + after["height"] / 2 + 9)
    mouse.down()
    mouse.move(after["x"] + after["width"] / 2 - 18, after["y"] + after["height"] / 2 - 11)
    mouse.up()
    tablet.follow("#corners button")
    assert tablet.find("#handles").count() == 0
    assert tablet.find(".photographed .place").count() == 49


@pytest.mark.parametrize(("size", "language"), (("lying", "es"), ("phone", "pt-BR")))
def test_one_photo_for_two_people_is_told_before_it_is_recorded(
    device: OpenDevice, house: Serving, photos: Path, size: str, language: str
) -> None:
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    told = []
    for player in (1, 2):
        tablet.page.goto(f"{tablet.origin}{tablet.address}/photo/{player}")
        with tablet.page.expect_navigation():
            tablet.page.set_input_files(FILE, photos / "hole.jpg")
        while tablet.find(".answers a").count():
            tablet.follow(".answers a")
        looks_well(tablet)
        told.append(tablet.page.locator(".panel .notice", has_text="Ana").count())
        if player == 1:
            tablet.follow("form[action$='/record'] button")

    assert told == [0, 1]
    assert tablet.find("form[action$='/record'] button.primary").count() == 0
