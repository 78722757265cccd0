"""The ways on a watched game's page: in, out and back again; and that the picture has its room."""

from __future__ import annotations

import pytest

from companion.core.message import message as _
from companion.core.session import Session
from companion.watch.state import Announcement, Status
from tests.browser.conftest import OpenDevice
from tests.browser.device import SIZES, Device
from tests.browser.test_watch import shown
from tests.web.pretending import PretendedTable, PretendedWatcher
from tests.web.serving import Serving, begin

# Set up before any device: a device goes before the companion it looks at.
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("watched")]

STEPS, DRAWN, CAMERA = ".how", ".kingdomino", "#live"


def box(device: Device, selector: str) -> tuple[float, float, float, float]:
    """Left, top, width and height, in whole pixels."""
    found = device.find(selector).bounding_box()
    assert found
    return round(found["x"]), round(found["y"]), round(found["width"]), round(found["height"])


def test_back_leads_out_of_the_steps_and_of_the_drawn_table(tablet: Device, session: Session) -> None:
    tablet.open("/")
    tablet.follow(f'a[href="/s/{session.id}"]')
    for way, there in (('.ways a[href*="how=1"]', STEPS), ('.views a[href*="view=drawn"]', DRAWN)):
        tablet.tap(way)
        tablet.find(there).first.wait_for()
        tablet.page.go_back()
        tablet.find(CAMERA).wait_for()
        assert tablet.page.url.endswith(f"/s/{session.id}")

    tablet.page.go_back()
    tablet.page.wait_for_url(tablet.origin + "/")


def test_closing_leaves_nothing_for_back_to_open(tablet: Device, session: Session) -> None:
    tablet.open("/")
    tablet.follow(f'a[href="/s/{session.id}"]')
    for way, there, out in (
        ('.ways a[href*="how=1"]', STEPS, ".how header a"),
        ('.views a[href*="view=drawn"]', DRAWN, '.views a[href*="view=camera"]'),
    ):
        tablet.tap(way)
        tablet.find(there).first.wait_for()
        tablet.tap(out)
        tablet.find(CAMERA).wait_for()

    tablet.page.go_back()
    tablet.page.wait_for_url(tablet.origin + "/")


def test_steps_opened_by_their_address_are_closed_like_others(tablet: Device, session: Session) -> None:
    tablet.open(f"/s/{session.id}?how=1")
    tablet.tap(".how header a")

    tablet.find(CAMERA).wait_for()
    assert "how" not in tablet.page.url


def test_a_game_the_camera_has_left_says_so(
    tablet: Device, watched: Serving, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.forgives = ("status of 404",)  # a picture may have been asked for in that very moment
    tablet.open(f"/s/{session.id}")
    tablet.until("document.getElementById('live').src.startsWith('blob:')")
    watcher.follow(begin(watched.house.sessions).id)

    notice = tablet.find(".tray .notice")
    notice.wait_for()
    assert "The camera watches another game now." in notice.inner_text()
    asked = len(watcher.asked)
    tablet.page.wait_for_timeout(800)
    assert len(watcher.asked) == asked, "nobody asks for a picture that there is no more"
    assert {kind: found for kind, found in tablet.look(48).items() if found} == {}
    notice.locator("button").first.tap()
    tablet.find(CAMERA).wait_for()
    assert watcher.watch.session == session.id


def test_a_picture_that_is_gone_is_not_asked_for_again(
    tablet: Device, watched: Serving, watcher: PretendedWatcher, session: Session
) -> None:
    """Where the news do not get through, the answer to the picture says it."""
    tablet.forgives = ("status of 404", "status of 503")
    tablet.page.route("**/events", lambda route: route.fulfill(status=503))
    tablet.open(f"/s/{session.id}")
    tablet.until("document.getElementById('live').src.startsWith('blob:')")
    watcher.follow(begin(watched.house.sessions).id)

    tablet.find('.tray .notice form[action$="/follow"]').wait_for()


@pytest.mark.parametrize("size", ("lying", "upright", "phone"))
def test_nothing_stands_on_the_picture_and_nothing_jumps(
    watched: Serving,
    device: OpenDevice,
    watcher: PretendedWatcher,
    table: PretendedTable,
    session: Session,
    size: str,
) -> None:
    tablet = device(size, at=watched)
    tablet.unlock()
    tablet.open(f"/s/{session.id}")
    before = box(tablet, ".scene")

    table.playing = True
    told = Announcement(_("The table is not still yet. Press again when it is."), 0, 1)
    watcher.show(alone=True, status=Status.MOVING, announcement=told)
    shown(tablet, watcher)

    assert box(tablet, ".scene") == before
    _left, top, width, height = before
    for sign in (".sign", ".announcement"):
        x, y, wide, high = box(tablet, f"{sign} >> nth=0")
        assert y + high <= top, sign
        assert 0 <= x <= x + wide <= SIZES[size]["width"], sign
    assert width >= {"lying": 960, "upright": 800, "phone": 390}[size]
    assert height >= 0.56 * {"lying": 900, "upright": 800, "phone": 390}[size]
    for part in (".tally", ".tray"):
        _x, y, _wide, high = box(tablet, part)
        assert 0 <= y <= y + high <= SIZES[size]["height"], part
    tablet.find(".announcement").wait_for(state="detached")
    assert box(tablet, ".scene") == before


@pytest.mark.parametrize("size", ("lying", "upright", "phone", "small phone"))
def test_how_it_works_shows_pictures_whole(
    watched: Serving, device: OpenDevice, session: Session, size: str
) -> None:
    tablet = device(size, at=watched)
    tablet.open(f"/s/{session.id}?how=1")
    tablet.until("[...document.querySelectorAll('.shown img')].every((image) => image.naturalWidth)")

    assert (
        tablet.page.evaluate(
            "[...document.querySelectorAll('.shown > *')].map((one) => getComputedStyle(one).objectFit)"
        ).count("cover")
        == 0
    )
    for step in ("capture", "rectify", "locate"):
        _x, _y, wide, high = box(tablet, f"#shown-{step}")
        assert high >= 80, "large enough to see something"
        if "phone" in size:
            assert abs(wide / high - 16 / 9) < 0.05
    fits = {
        kind: found for kind, found in tablet.look(44).items() if kind in ("wide", "tall", "outside", "cut")
    }
    assert not any(fits.values()), fits


def test_a_tap_before_the_pin_is_done_after_it(
    device: OpenDevice, watched: Serving, table: PretendedTable, session: Session
) -> None:
    tablet = device("phone", at=watched)
    table.playing = True
    tablet.open(f"/s/{session.id}")
    with tablet.page.expect_navigation(url=lambda url: "/unlock" in url):
        tablet.tap('form[action$="/take-over"] button')
    tablet.unlock()

    tablet.page.wait_for_url(f"**/s/{session.id}")
    tablet.find(CAMERA).wait_for()
    assert not table.playing
    assert tablet.find('form[action$="/take-over"]').count() == 0


def test_a_button_pressed_before_the_pin_is_pressed_again(
    device: OpenDevice, watched: Serving, table: PretendedTable, session: Session
) -> None:
    tablet = device("lying", at=watched)
    tablet.open(f"/s/{session.id}")
    with tablet.page.expect_navigation(url=lambda url: "/unlock" in url):
        tablet.tap(".arcade [data-push] >> nth=1")
    tablet.unlock()

    tablet.find(".passing").wait_for()
    assert "Tap again" in tablet.find(".passing").inner_text()
    assert table.asked == []
    tablet.tap(".arcade [data-push] >> nth=1")
    tablet.find(".announcement").wait_for()
    assert (tablet.find(".passing").count(), [asked[:2] for asked in table.asked]) == (0, [("push", 1)])
