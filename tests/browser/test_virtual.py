"""The virtual table under fingers."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect

from companion.core.message import message as _
from companion.core.observation import Choice, Doubt, Reading
from companion.core.session import Session
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.test_dragging import on_screen
from tests.web.pretending import PretendedTable, PretendedWatcher
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

SMALL_AND_AWAY = """(() => {
    const { right, bottom } = document.getElementById("pieces").getBoundingClientRect();
    const place = (piece) => piece.getBoundingClientRect();
    const away = (piece) => place(piece).right > right || place(piece).bottom > bottom;
    [...document.querySelectorAll("[data-box]")].filter(away).forEach((piece) => piece.remove());
    document.querySelectorAll(".piece").forEach((piece) => piece.remove());
})()"""
"""Takes out of the page what nobody touches: pieces as small as they lie, and those the box has to be pushed for."""

TOUCH = {"lying": 48, "upright": 48, "phone": 44}


def test_a_piece_is_taken_from_the_box_and_put_by_taps(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    tablet.tap('[data-box="domino-48"]')
    tablet.find('[data-box="domino-48"].held').wait_for()
    tablet.page.touchscreen.tap(*on_screen(tablet, 400, 225))
    tablet.find('[data-piece="domino-48"].held').wait_for()
    tablet.tap('button[aria-label="A quarter to the right"]')
    tablet.until("document.querySelector('[data-piece=\"domino-48\"]').dataset.angle === '90.0'")
    tablet.page.touchscreen.tap(*on_screen(tablet, 1152, 450))
    tablet.until("Number(document.querySelector('[data-piece=\"domino-48\"]').dataset.x) > 1000")

    lying = next(piece for piece in table.lying if piece.piece == "domino-48")
    assert lying.x == pytest.approx(1152, abs=3)
    assert lying.y == pytest.approx(450, abs=3)
    assert lying.angle == 90
    tablet.tap("button[value=domino-48]")
    tablet.find('[data-box="domino-48"]').wait_for()
    assert "domino-48" in [piece.piece for piece in table.aside]


def test_others_see_what_is_moved(watched: Serving, tablet: Device, device: OpenDevice) -> None:
    phone = device("phone", at=watched)
    phone.open("/table")
    tablet.open("/table?piece=domino-39")

    tablet.tap('button[aria-label="A bit to the left"]')

    phone.page.wait_for_selector('[data-piece="domino-39"][data-angle="345.0"]')


def test_the_sheet_leaves_table_and_buttons_free_and_closes(watched: Serving, device: OpenDevice) -> None:
    for size in TOUCH:
        tablet = device(size, at=watched)
        tablet.unlock()
        tablet.open("/table")
        tablet.tap("#trouble summary")
        sheet = tablet.find("#trouble[open]").bounding_box()
        free = [tablet.find("#felt").bounding_box(), tablet.find(".buttons").bounding_box()]
        covers = [apart(sheet, part) for part in free]
        assert covers == [True, True], size
        tablet.page.keyboard.press("Escape")
        assert tablet.find("#trouble[open]").count() == 0
        tablet.tap("#trouble summary")
        tablet.tap("#trouble .close")
        assert tablet.find("#trouble[open]").count() == 0


def apart(one: FloatRect | None, other: FloatRect | None) -> bool:
    """Whether two boxes cover nothing of each other, but for a rounded edge."""
    assert one
    assert other
    beside = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    below = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return min(beside, below) <= 1


def test_answers_are_given_at_the_table(
    tablet: Device, watcher: PretendedWatcher, session: Session, watched: Serving
) -> None:
    event = session.game.legal(session.position)[0]
    watcher.show(reading=Reading(doubts=(Doubt(_("Was it that?"), (Choice((event,)), Choice(()))),)))
    tablet.open("/table")
    tablet.record('form[action$="/answer"] button[value="0"]')

    assert tablet.page.url.endswith("/table")
    assert watched.house.sessions.session(session.id).seq == session.seq + 1


def test_what_cannot_be_recorded_is_said_at_the_table(
    tablet: Device, watcher: PretendedWatcher, session: Session
) -> None:
    against_the_rules = session.game.parse("1 takes 19")
    tablet.forgives = ("422",)
    watcher.show(reading=Reading(doubts=(Doubt(_("Was it that?"), (Choice((against_the_rules,)),)),)))
    tablet.open("/table")
    tablet.tap('form[action$="/answer"] button')
    tablet.find("#told > .notice").wait_for()

    assert tablet.page.url.endswith("/table")


def test_holding_a_button_says_what_it_will_do(tablet: Device) -> None:
    tablet.open("/table")
    tablet.find(".arcade button").first.hover()
    tablet.page.mouse.down()
    tablet.find(".holding").wait_for()
    said = tablet.find(".holding").inner_text()
    tablet.page.mouse.up()
    tablet.find(".holding").wait_for(state="hidden")

    assert "Hold on to take back the last entry" in said


def test_the_whole_table_is_seen_on_a_phone_with_box_and_buttons(
    watched: Serving, device: OpenDevice
) -> None:
    phone = device("phone", at=watched)
    phone.unlock()
    phone.open("/table")
    felt, tabletop = (phone.find(part).bounding_box() for part in ("#felt", "#tabletop"))
    buttons = [one.bounding_box() for one in phone.find(".arcade button[data-push]").all()]

    assert felt == tabletop
    assert felt
    assert felt["width"] > 370
    assert all(one and one["y"] + one["height"] <= 844 and one["width"] >= 44 for one in buttons)


@pytest.mark.parametrize("size", TOUCH)
def test_the_virtual_table_fits(watched: Serving, device: OpenDevice, size: str) -> None:
    """Pieces are as small as they lie on the table, and the box scrolls; everything else fits."""
    tablet = device(size, at=watched)
    tablet.unlock()

    wrong = {}
    for wish in ("", "?piece=domino-39", "?piece=domino-48"):
        tablet.open(f"/table{wish}")
        tablet.page.evaluate(SMALL_AND_AWAY)
        found = tablet.look(TOUCH[size])
        found["scrolling"] = [box for box in found["scrolling"] if "pieces" not in box]
        wrong[wish] = {kind: seen for kind, seen in found.items() if seen}
        assert tablet.nameless() == [], wish

    assert {wish: found for wish, found in wrong.items() if found} == {}
