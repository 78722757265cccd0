"""Fingers on the camera's page: corners dragged, tapped and nudged into place on a live picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import numpy as np
import pytest

from calibration.mat import Mat
from companion.app import open_rig
from companion.core.devices import CalibrationState, FoundBy
from companion.games import GAMES
from companion.household.settings import Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.faults import Disturbances
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import OpenDevice
from tests.browser.device import PATIENCE_S, SIZES, Device
from tests.web.serving import PIN, Serving, begin, serving

pytestmark = pytest.mark.browser

TOUCH = {"lying": 48, "upright": 48, "phone": 44}
FRAME = (1280, 720)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Serving]:
    """A virtual table under its camera, by the clock on the wall."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    settings = Settings(store=Kept(folder=str(tmp_path)))
    rig = open_rig(settings, table, virtual=True, disturbances=Disturbances(1, ()))
    house = House(
        table,
        PinRateLimiter(PIN),
        b"s" * 32,
        listeners=8,
        watcher=rig.watcher,
        aimer=rig.aimer,
        virtual=rig.virtual,
        keeper=rig.keeper,
    )
    rig.start()
    with serving(create_app(house), house) as served:
        yield served
    rig.close()
    table.close()


def aim(watched: Serving) -> CalibrationState:
    assert watched.house.aimer
    return watched.house.aimer.aim


def opened(watched: Serving, device: OpenDevice, size: str) -> Device:
    found = device(size, at=watched)
    found.unlock()
    found.open("/camera")
    found.page.wait_for_selector(".drawn .there")
    return found


def on_screen(device: Device, x: float, y: float) -> tuple[float, float]:
    """Where a pixel of the camera is on the screen."""
    box = device.find("#glass").bounding_box()
    assert box
    return box["x"] + x * box["width"] / FRAME[0], box["y"] + y * box["height"] / FRAME[1]


def swipe(device: Device, start: tuple[float, float], end: tuple[float, float]) -> None:
    """One finger from here to there, as the browser itself gets it from the glass."""
    session = device.page.context.new_cdp_session(device.page)
    path = np.linspace(start, end, 8).tolist()
    for number, (x, y) in enumerate(path):
        kind = "touchMove" if number else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    device.page.wait_for_timeout(400)  # a finger is not back at once, and Chromium knows that


def outline(device: Device, selector: str) -> list[tuple[float, float]]:
    points = device.find(selector).first.get_attribute("points") or ""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in points.split())]


def until_found(watched: Serving, by: FoundBy) -> None:
    limit = monotonic() + PATIENCE_S
    while aim(watched).found is not by:
        assert monotonic() < limit, f"still found by {aim(watched).found}"
        Event().wait(0.05)


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_a_corner_is_dragged_and_the_outline_follows(watched: Serving, device: OpenDevice, size: str) -> None:
    tablet = opened(watched, device, size)
    before = aim(watched).corners
    tablet.tap("#begin")
    target = (before[2][0] - 130, before[2][1] - 90)
    swipe(tablet, on_screen(tablet, *before[2]), on_screen(tablet, *target))
    shown = outline(tablet, "#handles polygon")
    lines = tablet.find("#handles .line").get_attribute("d") or ""
    with tablet.page.expect_navigation():
        tablet.tap("#save")
    until_found(watched, FoundBy.CORNERS)
    tablet.page.wait_for_selector(".drawn .there", state="detached")

    expected = np.array([*before[:2], target, before[3]])
    assert np.array(shown) == pytest.approx(expected, abs=4)
    assert lines.count("M") == 15 + 8
    assert np.array(aim(watched).corners) == pytest.approx(np.array(shown), abs=0.2)
    edge = np.array(outline(tablet, ".placed > polygon"))
    assert len(edge) == 2 * (32 + 18)
    assert edge[[0, 32, 50, 82]] == pytest.approx(np.array(shown), abs=0.2)


def test_the_lines_over_the_picture_are_where_the_table_is(watched: Serving, device: OpenDevice) -> None:
    tablet = opened(watched, device, "lying")
    virtual = watched.house.virtual
    assert virtual
    tablet.tap("#begin")
    first = (tablet.find("#handles .line").get_attribute("d") or "")[1:].split("M")[0]

    (x, y), (u, v) = ([float(part) for part in end.split(",")] for end in first.split("L"))
    true = [virtual.camera.project(100, y) for y in (0, Mat().height)]
    assert [(x, y), (u, v)] == [pytest.approx(true[0], abs=1.5), pytest.approx(true[1], abs=1.5)]


def test_corners_are_tapped_one_after_the_other_and_nudged_by_key_and_button(
    watched: Serving, device: OpenDevice
) -> None:
    tablet = opened(watched, device, "upright")
    tablet.tap("#begin")
    places = ((300, 200), (1000, 210), (980, 560), (310, 550))
    for x, y in places:
        tablet.page.touchscreen.tap(*on_screen(tablet, x, y))
    tapped = outline(tablet, "#handles polygon")
    tablet.tap('[data-corner="1"]')
    tablet.tap('.nudge [data-x="1"]')
    tablet.find('[data-handle="3"]').focus()
    tablet.page.keyboard.press("Shift+ArrowUp")
    nudged = outline(tablet, "#handles polygon")

    assert np.array(tapped) == pytest.approx(np.array(places), abs=3)
    assert np.array(nudged) - np.array(tapped) == pytest.approx(
        np.array([(0, 0), (1, 0), (0, 0), (0, -10)]), abs=0.01
    )


def test_crossed_corners_cannot_be_saved_and_say_so(watched: Serving, device: OpenDevice) -> None:
    tablet = opened(watched, device, "lying")
    tablet.tap("#begin")
    hint = tablet.find("#hint").inner_text()
    tablet.tap('[data-corner="0"]')
    tablet.page.touchscreen.tap(*on_screen(tablet, 900, 500))

    crossed = tablet.find("#hint").inner_text()
    saves = tablet.find("#save").is_enabled()
    tablet.tap("#leave")

    assert hint.startswith("Drag each number to its corner.")
    assert (crossed.startswith("The corners cross each other"), saves) == (True, False)
    assert (tablet.find("#deeds").is_visible(), aim(watched).found) == (True, FoundBy.MARKERS)


@pytest.mark.parametrize("language", ("en", "pt-BR"))
@pytest.mark.parametrize("size", TOUCH)
def test_everything_is_large_enough_and_has_a_name(
    watched: Serving, device: OpenDevice, size: str, language: str
) -> None:
    tablet = device(size, language, at=watched)
    tablet.unlock()
    tablet.open("/camera")
    tablet.page.wait_for_selector(".drawn .there")
    # There is more to it than a phone can show at once, until corners are dragged.
    found = [tablet.look(TOUCH[size]) | ({"tall": []} if size == "phone" else {})]
    found += [{"nameless": tablet.nameless()}]
    tablet.tap("#begin")
    placing = tablet.look(TOUCH[size])
    # A ring around a corner at the edge of the picture may reach beyond it; its middle never does.
    placing["outside"] = [name for name in placing["outside"] if not name.startswith("g ")]
    found += [placing, {"nameless": tablet.nameless()}]
    wide = tablet.page.evaluate("document.documentElement.scrollWidth")
    high = tablet.page.evaluate("document.documentElement.scrollHeight")

    assert [{kind: what for kind, what in part.items() if what} for part in found] == [{}] * 4
    assert (wide, high <= SIZES[size]["height"]) == (SIZES[size]["width"], True)


def test_the_picture_is_live_without_gaps(watched: Serving, device: OpenDevice) -> None:
    tablet = opened(watched, device, "lying")
    tablet.until("document.getElementById('seen').src.startsWith('blob:')")
    tablet.watch_picture("seen")
    for _next in range(3):
        before = tablet.find("#seen").get_attribute("src")
        tablet.until(f"document.getElementById('seen').src !== '{before}'")

    assert tablet.page.evaluate("document.getElementById('seen').naturalWidth") == FRAME[0]
    assert tablet.gaps == 0


@pytest.mark.parametrize("size", TOUCH)
def test_an_evening_is_kept_and_deleted_by_touch(watched: Serving, device: OpenDevice, size: str) -> None:
    assert watched.house.watcher
    assert watched.house.keeper
    watched.house.watcher.follow(begin(watched.house.sessions).id)
    tablet = opened(watched, device, size)
    with tablet.page.expect_navigation():
        tablet.tap("#keeping button")
    tablet.page.wait_for_selector("#keeping [aria-checked=true]")
    limit = monotonic() + PATIENCE_S
    while not watched.house.keeper.state.pictures:
        assert monotonic() < limit, "nothing is kept"
        Event().wait(0.05)
    with tablet.page.expect_navigation():
        tablet.tap("#keeping button")
    tablet.open("/camera/evenings")
    found = tablet.look(TOUCH[size]) | {"nameless": tablet.nameless()}
    tablet.tap(".evenings summary")
    with tablet.page.expect_navigation():
        tablet.tap(".evenings form button")

    assert {kind: what for kind, what in found.items() if what} == {}
    assert watched.house.keeper.evenings.list() == []
