"""Dominations under a camera, by touch: a territory on its picture, its colours put right, and every tap counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from companion.core.log import Source
from companion.games.dominations.rules.position import OF_A_TURN
from companion.virtual.image_effects import WARM_LAMP
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES, SIZES, Device
from tests.browser.dominations import Finger
from tests.games.dominations.stories import CARDS
from tests.watch.test_whole_dominations import Evening
from tests.web.serving import PIN, Serving, serving

pytestmark = pytest.mark.browser

TOUCH = {"lying": 48, "upright": 48, "phone": 44, "small phone": 44}
INKS = """all => all.map((chip) => [
  chip.querySelector("rect").getAttribute("class").replace("domain-", ""), chip.querySelector("text").textContent,
]).map(([letter, text]) => (letter === "V" ? text : letter))"""
"""The letters that stand for what is named beside a territory, whatever language names it."""
MOST_TAPS = 8
"""Of an ordinary turn: a territory, a City or a Mastery, and its end."""
TURNS = (
    ("0,0d", "T:TCR"),
    ("-2,0d", "C:CCS"),
    ("1,0u", "T:TTC"),
    ("-1,1u", "C:CCA"),
    ("1,-1u", "T:TTS"),
    ("0,-2d", "P:PPR"),
)


@dataclass
class Watched:
    """A real rig on the virtual table, and the page it is shown on."""

    evening: Evening
    served: Serving

    def lay(self, cell: str, tile: str) -> None:
        self.evening.lay(cell, tile)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Watched]:
    evening = Evening(tmp_path, seed=5)
    for line in CARDS.splitlines()[:3]:
        evening.table.record(evening.id, evening.session.seq, line, Source.PAGE)
    rig = evening.rig
    house = House(evening.table, PinRateLimiter(PIN), b"s" * 32, watcher=rig.watcher, virtual=rig.virtual)
    with serving(create_app(house), house) as served:
        yield Watched(evening, served)
    evening.close()


def opened(device: OpenDevice, home: Watched, size: str = "lying", language: str = "en") -> Device:
    tablet = device(size, language, at=home.served)
    tablet.forgives = ("ERR_",)
    tablet.unlock()
    tablet.open(f"/s/{home.evening.id}")
    return tablet


def shown(tablet: Device) -> list[str]:
    """The colours named beside the territory."""
    tablet.page.wait_for_selector(".as-read .chip")
    found: list[str] = tablet.find(".chip").evaluate_all(INKS)
    return found


def turn(tablet: Device, home: Watched, finger: Finger, cell: str, tile: str) -> int:
    """One turn with the camera; how many taps it took, from the territory on its picture to the turn's end."""
    finger.taps = 0
    home.lay(cell, tile)
    tablet.open(f"/s/{home.evening.id}")
    shown(tablet)
    finger.record(".as-read form button")
    home.evening.until_read()
    tablet.open(f"/s/{home.evening.id}")
    finger.answer()
    if not finger.build():
        finger.develop()
    finger.answer()
    finger.end()
    return finger.taps


def test_an_ordinary_turn_with_the_camera_takes_at_most_eight_taps(
    device: OpenDevice, home: Watched, figure: Callable[[str], None]
) -> None:
    tablet = opened(device, home)
    finger = Finger(tablet, Random(2))

    taps = [turn(tablet, home, finger, *one) for one in TURNS]

    lines = home.evening.lines
    assert [line.partition(" lays ")[2] for line in lines if " lays " in line] == [
        f"{tile} at {cell}" for cell, tile in TURNS
    ]
    assert any(" builds " in line or " develops " in line for line in lines)
    figure(
        f"taps per turn of Dominations with the camera: {sum(taps) / len(taps):.1f} on average,"
        f" {max(taps)} at most, questions of the rules included"
    )
    assert max(taps) <= MOST_TAPS


def test_a_colour_is_put_right_on_the_picture_in_three_taps(device: OpenDevice, home: Watched) -> None:
    tablet = opened(device, home)
    home.lay("0,0d", "T:TCR")
    tablet.open(f"/s/{home.evening.id}")
    finger = Finger(tablet)

    assert shown(tablet) == ["T", "T", "C", "R"]
    finger.point(tablet.find(".chip").nth(2))
    finger.point(finger.colour("P"))
    finger.record(".hand button.primary")

    assert home.evening.lines[-1] == "1 lays T:TPR at 0,0d"
    assert finger.taps == 3
    home.evening.until_read()
    assert home.evening.disagreed == [], "people know better than one colour"


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_what_was_read_is_shown_on_the_virtual_tables_page_too(
    device: OpenDevice, home: Watched, size: str
) -> None:
    """Where it is laid; a colour is put right on the game's own page."""
    tablet = opened(device, home, size)
    home.lay("0,0d", "T:TCR")
    tablet.open("/table")
    assert tablet.find(".asking .chip").evaluate_all(INKS) == ["T", "T", "C", "R"]
    tablet.follow(tablet.find(".asking .chip").nth(2))
    Finger(tablet).point(Finger(tablet).colour("P"))
    tablet.record(".hand button.primary")

    assert home.evening.lines[-1] == "1 lays T:TPR at 0,0d"


def test_an_unclear_colour_is_asked_and_answered_in_one_tap(device: OpenDevice, home: Watched) -> None:
    home.evening.virtual.camera.lamp = WARM_LAMP
    home.evening.until_read()
    home.lay("0,0d", "C:PTV")
    tablet = opened(device, home)
    finger = Finger(tablet)

    assert tablet.find(".chip.unsure").count() > 0
    home.evening.rig.watcher.let_alone(True)
    before = home.evening.lines
    finger.record(".as-read form button")

    assert (len(home.evening.lines), finger.taps) == (len(before) + 1, 1)


def test_under_the_camera_everything_can_still_be_told_by_the_map_and_in_numbers(
    device: OpenDevice, home: Watched
) -> None:
    tablet = opened(device, home)
    finger = Finger(tablet, Random(4))

    finger.lay(colours="TCRS")
    finger.end()
    finger.point("a.choice-of[href*='tier=ledger']")
    assert tablet.find(".stepper").count() == 6
    assert home.evening.session.position.stage in OF_A_TURN


def test_a_read_territory_fits_and_every_colour_can_be_touched(device: OpenDevice, home: Watched) -> None:
    home.lay("0,0d", "T:TC-")

    for size, language in zip(SIZES, (*LANGUAGES, "en"), strict=True):
        tablet = opened(device, home, size, language)
        assert shown(tablet) == ["T", "T", "C", "-"]
        assert tablet.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), size
        least = tablet.find(".chip rect").evaluate_all(
            "all => Math.min(...all.map(a => a.getBoundingClientRect()).map(b => Math.min(b.width, b.height)))"
        )
        assert least >= TOUCH[size], size
