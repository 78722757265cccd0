"""The board of Carcassonne under fingers and wheel: it pans and zooms, keeps its place, and fits every device."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.browser.carcassonne import FARM, Fingers, drawn, evening, point, seated, size, tap
from tests.browser.conftest import OpenDevice
from tests.browser.device import DEVICES, SIZES, Device
from tests.soak.running import Running

pytestmark = pytest.mark.browser

TOUCH = {"lying": 48, "upright": 48, "phone": 44, "small phone": 44}
FLINGS = ((-400, -150), (400, 150), (-300, 200), (300, -200), (350, 0), (-350, 0))
TRACED = ("devtools.timeline", "cc", "benchmark", "viz")
SHOWN = "Display::FrameDisplayed"
"""What Chromium notes when a frame has come to the screen; nothing while the finger turns and rests."""
SCROLLING = ("numbers", "hand", "tray")


@pytest.fixture(scope="module")
def full(companion: Running) -> str:
    """A game of five in which all 72 tiles lie."""
    return seated(companion.unlocked(), 5, lines=evening())


def test_fingers_pan_and_zoom_and_buttons_do_it_too(device: OpenDevice, full: str) -> None:
    tablet = _opened(device, "lying", full)
    fingers, whole = Fingers(tablet), size(tablet)
    middle = _middle(tablet)

    fingers.pinch(middle, 100, 220)
    tablet.until(f"() => document.querySelector('svg.board').clientWidth > {whole * 12}")
    zoomed = size(tablet)
    assert zoomed / whole == pytest.approx(2, rel=0.15)  # the first pixels only tell it from a tap

    before = point(tablet, 0, 0)
    fingers.drag(middle, (middle[0] - 120, middle[1] + 60))
    tablet.until(lambda: point(tablet, 0, 0) == pytest.approx((before[0] - 120, before[1] + 60), abs=2))
    assert "about" not in tablet.page.url

    tablet.page.mouse.move(*middle)
    tablet.page.mouse.wheel(0, -200)
    tablet.until(lambda: size(tablet) > zoomed * 1.2)
    tablet.tap("#zoom-out")
    tablet.tap("#zoom-whole")
    assert size(tablet) == pytest.approx(whole, abs=0.5)
    tablet.tap("#zoom-in")
    assert size(tablet) == pytest.approx(whole * 1.5, rel=0.05)


def test_what_is_looked_at_stays_while_the_game_goes_on(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, lines=FARM)
    tablet = _opened(device, "upright", address)
    tablet.tap("#zoom-in")
    Fingers(tablet).drag(_middle(tablet), (_middle(tablet)[0] + 40, _middle(tablet)[1] + 30))
    before = (*point(tablet, 0.5, 0.5), size(tablet))

    seq = tablet.seq
    visitor.post(f"{address}/record", {"event": "1 lays B at 0,1 N", "seq": str(seq)})
    tablet.wait_after(seq)
    assert size(tablet) == pytest.approx(before[2], abs=0.5)
    tablet.page.reload()
    assert size(tablet) == pytest.approx(before[2], abs=0.5)


def test_places_too_small_for_a_finger_come_closer_first(device: OpenDevice, companion: Running) -> None:
    phone = _opened(device, "phone", seated(companion.unlocked(), 5, lines=drawn(50)))
    assert size(phone) < 44
    cell = phone.find("a.target rect").first.evaluate(
        "box => [box.x.baseVal.value / 450, box.y.baseVal.value / 450]"
    )

    tap(phone, cell[0] + 0.45, cell[1] + 0.45)
    phone.until(lambda: size(phone) >= 88)
    assert phone.find(".ghost").count() == 0
    tap(phone, cell[0] + 0.45, cell[1] + 0.45)
    phone.page.wait_for_selector(".ghost")


def test_a_full_board_is_panned_smoothly(
    device: OpenDevice, full: str, browser: Browser, figure: Callable[[str], None]
) -> None:
    tablet = _opened(device, "lying", full)
    assert tablet.find(".tiles use").count() == 72
    for _ in range(2):
        tablet.tap("#zoom-in")
    fingers = Fingers(tablet)
    x, y = _middle(tablet)
    fingers.fling(x, y, 60, 60, 600)

    browser.start_tracing(page=tablet.page, categories=list(TRACED))
    for dx, dy in FLINGS:
        fingers.fling(x, y, dx, dy, 700)
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    happened = Counter(event["name"] for event in trace)
    shown = sorted(event["ts"] / 1000 for event in trace if event["name"] == SHOWN)

    gaps = sorted(later - earlier for earlier, later in pairwise(shown))
    figure(
        f"72 tiles panned by {len(FLINGS)} strokes: {len(shown)} frames on the screen, half of them within"
        f" {median(gaps):.1f} ms of the one before, 90 % within {gaps[int(0.9 * len(gaps))]:.1f} ms;"
        f" {happened['Layout']} layouts, {happened['Paint']} paints"
    )
    assert len(shown) > 10 * len(FLINGS)  # the trace has seen what it should
    assert (happened["Layout"], happened["Paint"]) == (0, 0)


@pytest.fixture(scope="module")
def moments(companion: Running, full: str) -> Mapping[str, str]:
    """An address of every kind of moment in a game."""
    visitor = companion.unlocked()
    start, farm = seated(visitor, 5), seated(visitor, 5, lines=FARM[:2])
    showing = seated(visitor, 5, "score_only")
    shown = seated(
        visitor, 5, "score_only", lines=("table D@0,0W E@0,-1N C@3,3N C@4,3N | 1:f0@0,0 | 9 99 149 0 1",)
    )
    told = seated(visitor, 5, "score_only", lines=[f"{player} has 99" for player in range(1, 6)])
    wrong = seated(
        visitor, 3, lines=('1 lays C at 1,1 N because "it lay there and nobody had seen it for an hour"',)
    )
    return {
        "start": start,
        "a tile in hand": f"{start}?tile=U",
        "a tile held": f"{start}?tile=U&at=0,1",
        "every place": f"{start}?tile=U&at=0,1&turn=1&all=1",
        "a follower": farm,
        "a follower held": f"{farm}?claim=0,-1:f0",
        "tiles left": f"{farm}?bag=1",
        "asked about": f"{farm}?about=0,-1:c0",
        "against the rules": wrong,
        "options on": seated(visitor, 5, "two_tile_cities", "farms_by_city", "purist", lines=FARM[:2]),
        "over": full,
        "a step of the end": f"{full}?step=4",
        "the last step": f"{full}?step=99",
        "showing": showing,
        "shown": shown,
        "the track of a table": f"{shown}?done=1",
        "the sheet begins": f"{showing}?room=sheet1",
        "the sheet": f"{told}?room=sheet2&also=1",
        "a tile tapped": f"{shown}?on=0,0&spot=c0",
        "a tile lies": f"{shown}?tile=E&at=1,0",
    }


@pytest.mark.parametrize(("size", "language"), DEVICES)
def test_every_moment_of_a_game_fits(
    device: OpenDevice, moments: Mapping[str, str], size: str, language: str
) -> None:
    tablet = device(size, language)
    tablet.unlock()

    wrong = {}
    for moment, address in moments.items():
        tablet.open(address)
        seen = tablet.look(TOUCH[size])
        seen["scrolling"] = [box for box in seen["scrolling"] if not _may_scroll(box, size)]
        wrong[moment] = {kind: found for kind, found in seen.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}
    assert tablet.nameless() == []


def _may_scroll(box: str, size: str) -> bool:
    """On phones the sheet and the part below the board, where five people and their troubles share the screen."""
    return any(f".{part}" in box for part in (SCROLLING if "phone" in size else SCROLLING[2:]))


def _opened(device: OpenDevice, size: str, address: str) -> Device:
    assert size in SIZES
    tablet = device(size, "en")
    tablet.unlock()
    tablet.open(address)
    return tablet


def _middle(tablet: Device) -> tuple[float, float]:
    box = tablet.find(".world").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
