"""Dominion fits: nothing too wide, too small to touch or to read, or in the way, and everything to touch has a
name.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import DEVICES
from tests.browser.dominion import LIGHT_MOMENTS, MOMENTS, seated
from tests.browser.test_audit import faults
from tests.soak.running import Running

pytestmark = pytest.mark.browser

TOUCH = 48
SET_UP = (
    "nothing chosen",
    "every card",
    "ten cards",
    "a card to exchange",
    "ten chosen freely",
    "everybody's veto",
    "building the table",
    "who begins",
)
OUTSIDE = """all => all.flatMap((frame) => [...frame.querySelectorAll("*")].filter((part) =>
  part.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1).map((part) => part.textContent))"""
"""What of the counter of the turn reaches over its edge."""
SHEETS = ("every card", "a card to exchange")
"""A sheet about the card lies over the list until it is closed."""
LONG = (
    *(*SET_UP, "counting", "counting what was passed", "a number", "the end"),
    *("counting a light deck", "a light result"),
)
READ = ("reading", "a light card", "an untold purchase", "another card", "the trash", "a tribute")
"""What is longer than a screen: nobody is in the middle of a turn."""
BOOK = ("/book/dominion", "/book/dominion?card=throne_room", "/book/dominion?find=carta+lixo")


@pytest.fixture(scope="session")
def tables(companion: Running) -> Mapping[str, str]:
    """The address of every moment."""
    visitor = companion.unlocked()
    return {
        name: seated(visitor, 4, *options, lines=lines) + query
        for options, moments in (((), MOMENTS), (("light",), LIGHT_MOMENTS))
        for name, (lines, query) in moments.items()
    }


@pytest.mark.parametrize(("size", "language"), (*DEVICES, ("small lying", "pt-BR")))
def test_every_moment_fits(device: OpenDevice, tables: Mapping[str, str], size: str, language: str) -> None:
    tablet = device(size, language)
    tablet.unlock()
    wrong = {}
    for moment, address in tables.items():
        tablet.open(address)
        seen = tablet.look(TOUCH)
        seen["scrolling"] = [box for box in seen["scrolling"] if not may_scroll(box, size, moment)]
        seen["out of the counter"] = tablet.find(".turn-now").evaluate_all(OUTSIDE)
        seen["nameless"] = tablet.nameless() if size == "lying" else []
        if moment in SHEETS:
            seen["covered"] = []
        wrong[moment] = {kind: found for kind, found in seen.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}


@pytest.mark.parametrize(("size", "theme"), (("small lying", "light"), ("phone", "dark")))
def test_no_moment_is_hard_to_use(
    device: OpenDevice, tables: Mapping[str, str], size: str, theme: str
) -> None:
    one = device(size, color_scheme=theme, bypass_csp=True)
    one.unlock()

    assert {moment: wrong for moment, address in tables.items() if (wrong := faults(one, address))} == {}


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("small phone", "es")))
def test_the_book_fits(device: OpenDevice, size: str, language: str) -> None:
    tablet = device(size, language)
    tablet.unlock()
    wrong = {}
    for address in BOOK:
        tablet.open(address)
        seen = tablet.look(TOUCH)
        wrong[address] = {
            kind: seen[kind] for kind in ("wide", "outside", "small", "tiny", "cut", "broken") if seen[kind]
        }

    assert {address: found for address, found in wrong.items() if found} == {}


def may_scroll(box: str, size: str, moment: str) -> bool:
    """A turn stands on one screen of a lying tablet; what people read beside it need not."""
    if "tray" in box or "pointed" in box or ("dominion" in box and (moment in LONG or "lying" not in size)):
        return True
    return "section.now" in box and moment in READ
