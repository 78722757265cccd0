"""The virtual table under fingers."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.web.pretending import PretendedTable
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

TOUCH = {"lying": 48, "upright": 48, "phone": 44}


def test_a_piece_is_dragged_by_touch(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    piece = tablet.find('[data-piece="domino-10"]')
    box = piece.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    scale = tablet.page.evaluate("document.getElementById('felt').getScreenCTM().a") * 10
    before = next(lying for lying in table.lying if lying.piece == "domino-10")
    touch = tablet.page.context.new_cdp_session(tablet.page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": px, "y": py} for px, py in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    finger("touchStart", (x, y))
    for step in range(1, 11):
        finger("touchMove", (x + 10 * step, y + 4 * step))
    finger("touchEnd")
    tablet.find('[data-piece="domino-10"].held').wait_for()

    after = next(lying for lying in table.lying if lying.piece == "domino-10")
    assert after.x - before.x == pytest.approx(100 / scale, abs=2)
    assert after.y - before.y == pytest.approx(40 / scale, abs=2)
    assert [asked[0] for asked in table.asked] == ["put"]


def test_a_piece_is_taken_from_the_box_and_put_by_taps(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    tablet.tap('[data-box="domino-48"]')
    tablet.find('[data-box="domino-48"].held').wait_for()
    felt = tablet.find("#felt").bounding_box()
    assert felt
    tablet.page.touchscreen.tap(felt["x"] + felt["width"] / 4, felt["y"] + felt["height"] / 4)
    tablet.find('[data-piece="domino-48"].held').wait_for()
    tablet.tap('button[aria-label="A quarter to the right"]')
    tablet.until("document.querySelector('[data-piece=\"domino-48\"]').dataset.angle === '90.0'")
    felt = tablet.find("#felt").bounding_box()
    assert felt
    tablet.page.touchscreen.tap(felt["x"] + felt["width"] * 0.72, felt["y"] + felt["height"] / 2)
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


@pytest.mark.parametrize("size", TOUCH)
def test_the_virtual_table_fits(watched: Serving, device: OpenDevice, size: str) -> None:
    """Pieces are as small as they lie on the table, and the box scrolls; everything else fits."""
    tablet = device(size, at=watched)
    tablet.unlock()

    wrong = {}
    for wish in ("", "?piece=domino-39", "?piece=domino-48"):
        tablet.open(f"/table{wish}")
        tablet.page.evaluate("document.querySelectorAll('.piece').forEach((piece) => piece.remove())")
        found = tablet.look(TOUCH[size])
        found["scrolling"] = [box for box in found["scrolling"] if "pieces" not in box]
        wrong[wish] = {kind: seen for kind, seen in found.items() if seen}
        assert tablet.nameless() == [], wish

    assert {wish: found for wish, found in wrong.items() if found} == {}
