"""Dominations in numbers, by touch: what a territory brought, boards put right, and the map that comes afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.dominations import Finger, seated
from tests.browser.evenings import recorded
from tests.browser.test_dominations import at_the_table
from tests.games.dominations.stories import FISHING, LIVESTOCK
from tests.soak.running import Running

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def companion(tmp_path: Path) -> Iterator[Running]:
    """One of its own for every test: a household knows the cards that were read out at its last game."""
    running = Running(tmp_path).start()
    yield running
    running.close()


def test_a_table_goes_on_in_numbers_and_comes_back_to_the_map(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked", lines=("1 lays T:TTC at 0,0d", "1 ends"))
    tablet = at_the_table(device, "lying", "en", address)
    finger = Finger(tablet)

    finger.point("a.choice-of[href*='tier=ledger']")
    for letter in "TTC":
        finger.point(finger.find(f".stepper:has(svg.domain-{letter}) a").last)
    finger.record("button.primary[value*=' produces ']")
    finger.end()
    tablet.tap(".folded summary")
    finger.point("a.choice-of[href*='tier=map']")
    finger.lay("1,0u", "CCCC")

    position = recorded(visitor, address).position
    assert ([str(cell) for cell in position.board.tiles], position.seats[1].knowledge["T"]) == (
        ["0,0d", "1,0u"],
        2,
    )


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("phone", "pt-BR"), ("phone", "es")))
def test_in_numbers_the_same_spot_tapped_again_tells_the_same_again(
    device: OpenDevice, companion: Running, size: str, language: str
) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 4, "unasked", lines=(FISHING, LIVESTOCK, "1 produces T1", "1 ends"))
    finger = Finger(at_the_table(device, size, language, address))
    spots = [middle(finger, f".stepper:has(svg.domain-{letter}) a[aria-label$='+1']") for letter in "TCASPR"]

    for spot in (*spots, middle(finger, ".group.seats a:nth-child(1)"), *spots[:1]):
        for _tap in range(2):
            finger.device.point(spot)
    finger.record("button.primary[value*=' produces ']")

    last = recorded(visitor, address)
    assert last.game.write(last.entries[-1].event) == "2 produces T2 C2 A2 S2 P2 R2, 1 T2"


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_nothing_moves_for_what_was_taken_back(device: OpenDevice, companion: Running, size: str) -> None:
    tablet = at_the_table(
        device, size, "pt-BR", seated(companion.unlocked(), 2, "unasked", lines=("1 produces T2",))
    )
    bottom = "document.querySelector('main.table').getBoundingClientRect().bottom"
    before = tablet.page.evaluate(bottom)

    tablet.record('form[action$="/undo"] button')

    message = tablet.find(".taken-back")
    assert message.is_visible()
    assert tablet.page.evaluate(bottom) == before
    tablet.point("a.choice-of.button >> nth=0")
    message.wait_for(state="hidden")


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_who_only_looks_on_is_asked_nothing(device: OpenDevice, companion: Running, size: str) -> None:
    address = seated(companion.unlocked(), 2, "unasked", lines=("1 produces T2", "1 ends"))
    phone = device(size, "pt-BR")

    phone.open(address)

    assert phone.find(".hand h2, .hand .note, .hand .folded, .hand .choice-of").count() == 0
    assert phone.find(".ledger li").count() > 0


def middle(finger: Finger, selector: str) -> tuple[float, float]:
    box = finger.find(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_boards_are_put_right_by_touch_until_all_is_right(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    tablet = at_the_table(device, "phone", "pt-BR", seated(visitor, 2, "unasked"))

    tablet.tap(".elsewhere a[href*='check=']")
    tablet.point(".group.seats a >> nth=1")
    for _tap in range(3):
        tablet.record(".stepper:has(svg.domain-R) button[value='2 adjusts R +1']")
    tablet.record(".stepper:has(svg.domain-T) button[value='2 adjusts T +1']")
    tablet.point(".deeds a.primary")

    knowledge = recorded(visitor, tablet.address).position.seats[1].knowledge
    assert (knowledge["R"], knowledge["T"], tablet.find(".stepper").count()) == (3, 1, 0)


def test_a_table_of_numbers_is_drawn_on_the_map_afterwards(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    lines = ("1 produces T2", "1 ends", "2 produces C2", "2 ends")
    finger = Finger(at_the_table(device, "phone", "pt-BR", seated(visitor, 2, "unasked", lines=lines)))

    finger.device.tap(".folded summary")
    finger.point("a.choice-of[href*='do=old']")
    finger.lay("0,0d", "TTTC")
    finger.lay("1,0u", "CCCC")
    finger.point(".deeds a.primary")

    drawn = [str(cell) for cell in recorded(visitor, finger.device.address).position.board.tiles]
    assert (drawn, finger.find(".stepper").count()) == (["0,0d", "1,0u"], 6)
