"""Pieces of the virtual table under a finger and a mouse: out of the box, about the table, turned, and back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.core.observation import Area, PlacedPiece, Proposal, Reading
from companion.core.session import Session
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.web.pretending import PretendedTable, PretendedWatcher
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

Spot = tuple[float, float]

SIZES = ("lying", "upright", "phone")
BOXED = '[data-box="domino-48"]'
LIFTED_PX = 44
"""How far above a finger a piece out of the box floats."""
HELD_MS = 500
"""Longer than a finger has to rest on a piece to lift it."""


@dataclass
class Finger:
    """A finger on the screen: real touch events, that also push what can be scrolled."""

    tablet: Device

    def __post_init__(self) -> None:
        self._touch = self.tablet.page.context.new_cdp_session(self.tablet.page)

    def drag(self, start: Spot, end: Spot, rest: int = 0, steps: int = 12) -> None:
        """From there to there, after resting for so many milliseconds."""
        self._send("touchStart", start)
        self.tablet.page.wait_for_timeout(rest)
        for step in range(1, steps + 1):
            self._send("touchMove", between(start, end, step / steps))
            self.tablet.page.wait_for_timeout(10)
        self._send("touchEnd")

    def _send(self, kind: str, *points: Spot) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def between(start: Spot, end: Spot, part: float) -> Spot:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def middle(tablet: Device, selector: str) -> Spot:
    """Asked in one go: the page may be replaced at any moment."""
    x, y = tablet.page.evaluate(
        """(selector) => {
            const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        }""",
        selector,
    )
    return x, y


def reveal(tablet: Device, selector: str) -> None:
    """Push the box until it can be seen."""
    tablet.page.evaluate(
        "(selector) => document.querySelector(selector).scrollIntoView({ block: 'nearest', inline: 'nearest' })",
        selector,
    )


def on_screen(tablet: Device, x: float, y: float) -> Spot:
    """Where a place of the table is, given in millimetres."""
    scale, left, top = tablet.page.evaluate(
        "(() => { const m = document.getElementById('felt').getScreenCTM(); return [m.a, m.e, m.f]; })()"
    )
    return left + x * 10 * scale, top + y * 10 * scale


def lying(table: PretendedTable, piece: str) -> PlacedPiece:
    return next(one for one in table.lying if one.piece == piece)


def test_a_piece_is_dragged_by_touch(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    start = middle(tablet, '[data-piece="domino-10"]')
    scale = tablet.page.evaluate("document.getElementById('felt').getScreenCTM().a") * 10
    before = lying(table, "domino-10")

    Finger(tablet).drag(start, (start[0] + 100, start[1] + 40))
    tablet.find('[data-piece="domino-10"].held').wait_for()

    after = lying(table, "domino-10")
    assert after.x - before.x == pytest.approx(100 / scale, abs=2)
    assert after.y - before.y == pytest.approx(40 / scale, abs=2)
    assert [asked[0] for asked in table.asked] == ["put"]


@pytest.mark.parametrize("size", SIZES)
def test_a_piece_is_dragged_out_of_the_box_by_touch(
    watched: Serving, device: OpenDevice, table: PretendedTable, size: str
) -> None:
    tablet = device(size, at=watched)
    tablet.unlock()
    tablet.open("/table")
    reveal(tablet, BOXED)
    x, y = on_screen(tablet, 900, 450)

    Finger(tablet).drag(middle(tablet, BOXED), (x, y + LIFTED_PX))
    tablet.find('[data-piece="domino-48"].held').wait_for()

    found = lying(table, "domino-48")
    assert (found.x, found.y) == pytest.approx((900, 450), abs=5)
    assert tablet.find(".carried").count() == 0


@pytest.mark.parametrize("size", SIZES)
def test_a_finger_along_the_box_pushes_it_and_takes_nothing(
    watched: Serving, device: OpenDevice, table: PretendedTable, size: str
) -> None:
    tablet = device(size, at=watched)
    tablet.unlock()
    tablet.open("/table")
    x, y = middle(tablet, "#pieces")
    along = (x, y - 150) if size == "lying" else (x - 150, y)

    Finger(tablet).drag((x, y), along)
    tablet.until(
        "document.getElementById('pieces').scrollLeft + document.getElementById('pieces').scrollTop > 60"
    )

    assert table.asked == []


def test_a_finger_that_rests_on_a_piece_lifts_it_whichever_way_it_moves(
    watched: Serving, device: OpenDevice, table: PretendedTable
) -> None:
    phone = device("phone", at=watched)
    phone.unlock()
    phone.open("/table")
    first = phone.find("[data-box]").first.get_attribute("data-box")
    start = middle(phone, f'[data-box="{first}"]')
    beside = start[0] + 60, start[1]
    x, y = on_screen(phone, 1200, 300)
    finger = Finger(phone)
    finger.drag(start, beside, rest=HELD_MS)
    assert (table.asked, phone.page.evaluate("document.getElementById('pieces').scrollLeft")) == ([], 0)
    finger.drag(start, (x, y + LIFTED_PX), rest=HELD_MS)
    phone.find(f'[data-piece="{first}"].held').wait_for()

    assert (lying(table, str(first)).x, lying(table, str(first)).y) == pytest.approx((1200, 300), abs=6)


def test_a_mouse_drags_out_of_the_box_turns_and_drags_back(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    mouse = tablet.page.mouse
    reveal(tablet, BOXED)
    mouse.move(*middle(tablet, BOXED))
    mouse.down()
    mouse.move(*on_screen(tablet, 1000, 700), steps=6)
    mouse.wheel(0, 100)
    mouse.wheel(0, 100)
    tablet.until("document.querySelector('.carried').style.transform.endsWith('rotate(30deg)')")
    mouse.up()
    tablet.find('[data-piece="domino-48"].held').wait_for()
    out = lying(table, "domino-48")

    mouse.move(*middle(tablet, '[data-piece="domino-48"]'))
    mouse.down()
    mouse.move(*middle(tablet, "#pieces"), steps=6)
    assert tablet.find("#box.taking").count() == 1
    mouse.up()
    tablet.find(BOXED).wait_for()

    assert (out.x, out.y, out.angle) == pytest.approx((1000, 700, 30), abs=2)
    assert [asked[0] for asked in table.asked] == ["put", "remove"]


def test_a_piece_dropped_beside_the_table_stays_in_the_box(tablet: Device, table: PretendedTable) -> None:
    tablet.open("/table")
    mouse = tablet.page.mouse
    reveal(tablet, BOXED)
    for end, escape in ((middle(tablet, ".bar"), False), (on_screen(tablet, 800, 450), True)):
        mouse.move(*middle(tablet, BOXED))
        mouse.down()
        mouse.move(*end, steps=4)
        assert tablet.find(".carried").count() == 1
        if escape:
            tablet.page.keyboard.press("Escape")
        else:
            mouse.up()
        tablet.until("!document.querySelector('.carried, .taken, .dragging')")
        mouse.up()

    assert (table.asked, tablet.find(".held").count()) == ([], 0)


def test_a_piece_in_hand_is_turned_by_another_tap_and_by_the_wheel(
    tablet: Device, table: PretendedTable
) -> None:
    tablet.open("/table?piece=domino-10")
    before = float(lying(table, "domino-10").angle)
    piece = '[data-piece="domino-10"]'
    tablet.page.touchscreen.tap(*middle(tablet, piece))
    tablet.page.wait_for_selector(f'{piece}[data-angle="{(before + 90) % 360}"]')
    tablet.page.mouse.move(*on_screen(tablet, 800, 450))
    tablet.page.mouse.wheel(0, -100)
    tablet.page.wait_for_selector(f'{piece}[data-angle="{(before + 75) % 360}"]')

    reveal(tablet, BOXED)
    tablet.tap(BOXED)
    tablet.tap(f'{BOXED}.held[data-angle="0"], {BOXED}.held[data-angle="0.0"]')
    tablet.find(f'{BOXED}.held[data-angle="90.0"]').wait_for()
    tablet.page.touchscreen.tap(*on_screen(tablet, 800, 200))
    tablet.find('[data-piece="domino-48"].held').wait_for()

    assert lying(table, "domino-48").angle == 90


def test_what_was_read_is_not_drawn_where_a_piece_is_moved(
    tablet: Device, watcher: PretendedWatcher, session: Session
) -> None:
    proposal = Proposal(session.game.parse("2 takes 10"), area=Area(800, 300, 80, 40))
    watcher.show(reading=Reading((proposal,)), seen=())
    tablet.open("/table")
    mouse, overlay = tablet.page.mouse, tablet.find("#felt .overlay")
    assert overlay.is_visible()
    mouse.move(*middle(tablet, '[data-piece="domino-10"]'))
    mouse.down()
    mouse.move(*on_screen(tablet, 700, 700), steps=4)
    dragging = overlay.is_visible()
    mouse.up()
    tablet.find('[data-piece="domino-10"].held').wait_for()
    moved = overlay.is_visible()
    watcher.show(reading=Reading((proposal,)), alone=True)
    overlay.wait_for(state="visible")

    assert (dragging, moved) == (False, False)
