"""Several devices at one table: each sees what the others do, and nothing is lost when the companion goes away."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenDevice
from tests.browser.evenings import begin, evening, in_phase, recorded
from tests.soak.running import Running

pytestmark = pytest.mark.browser

LOST = "#lost"
"""The banner of a page that has no connection."""
BROKEN = "net::ERR_"
"""How Chromium writes of connections that broke, as the test wanted."""


def test_a_tap_on_one_device_is_seen_on_all(
    device: OpenDevice, companion: Running, figure: Callable[[str], None]
) -> None:
    address = evening(companion, in_phase("choose_first", entries=3))
    tablet, phone, onlooker = device("lying"), device("phone", "pt-BR"), device("phone", "es")
    tablet.unlock()
    phone.unlock()
    for one in (tablet, phone, onlooker):
        one.open(address)

    for tapping, looking in ((tablet, phone), (phone, onlooker), (tablet, onlooker)):
        seq = tapping.seq
        began = monotonic()
        tapping.tap("button[name=event][value*=' takes ']")
        looking.wait_after(seq)
        figure(f"a tap is seen on another device after {(monotonic() - began) * 1000:.0f} ms")
        tapping.wait_after(seq)

    entries = [one.seq for one in (tablet, phone, onlooker)]
    assert entries == [recorded(companion.visitor(), address).seq] * 3
    assert tablet.find(".slot .king").count() == onlooker.find(".slot .king").count() == 3


def test_who_only_looks_changes_nothing_before_the_pin_is_right(
    device: OpenDevice, companion: Running
) -> None:
    address = evening(companion, in_phase("choose", entries=20))
    onlooker = device("lying")
    onlooker.forgives = ("status of 403",)
    onlooker.open(address)
    before = recorded(companion.visitor(), address)

    assert onlooker.find("button[name=event]").count() == 0
    with onlooker.page.expect_navigation():
        onlooker.tap('form[action$="/undo"] button')

    assert onlooker.page.url.startswith(f"{onlooker.origin}/unlock")
    assert recorded(companion.visitor(), address) == before
    onlooker.page.fill("input[name=pin]", "0")
    onlooker.follow('form[action="/unlock"] button')
    assert onlooker.find(".notice").count() == 1
    onlooker.unlock()
    assert onlooker.address == address
    assert recorded(companion.visitor(), address).seq == before.seq + 1, "what was tapped is done now"
    assert onlooker.seq == before.seq + 1


def test_the_page_outlives_the_companion(own_companion: Running, device: OpenDevice) -> None:
    """It says that the connection is lost, and goes on where it was when the companion is back."""
    running = own_companion.start()
    address = evening(running, in_phase("place", entries=20))
    tablet = device("upright", at=running)
    tablet.forgives = (BROKEN,)
    tablet.unlock()
    tablet.open(f"{address}?hint=1")
    shown = tablet.find("main").inner_html()

    running.kill()
    banner = tablet.find(LOST)
    expect(banner).to_be_visible()
    assert banner.inner_text() == tablet.find("body").get_attribute("data-lost")
    assert tablet.find("main").inner_html() == shown
    running.start()
    expect(banner).to_be_hidden()

    assert (tablet.find("main").inner_html(), tablet.turn) == (shown, tablet.turn)
    tablet.tap(".target.hint")
    tablet.place()
    assert tablet.seq == recorded(running.visitor(), address).seq


def test_a_tap_made_while_the_companion_is_away_counts_once(
    own_companion: Running, device: OpenDevice
) -> None:
    running = own_companion.start()
    address = evening(running, in_phase("choose", entries=20))
    tablet = device("lying", at=running)
    tablet.forgives = (BROKEN,)
    tablet.unlock()
    tablet.open(address)
    seq = tablet.seq

    running.kill()
    tablet.tap("button[name=event][value*=' takes ']")
    expect(tablet.find(LOST)).to_be_visible()
    tablet.tap("button[name=event][value*=' takes ']")
    running.start()
    tablet.wait_after(seq)
    expect(tablet.find(LOST)).to_be_hidden()

    assert (tablet.seq, recorded(running.visitor(), address).seq) == (seq + 1, seq + 1)
    assert tablet.find(".notice").count() == 0

    running.kill()
    tablet.tap('form[action$="/undo"] button')
    expect(tablet.find(LOST)).to_contain_text("Your tap waits on this device")
    tablet.page.goto("about:blank")
    running.start()
    tablet.open(address)
    tablet.wait_after(seq + 1)
    assert recorded(running.visitor(), address).seq == seq + 2


def test_a_tap_whose_answer_is_lost_counts_once(device: OpenDevice, companion: Running) -> None:
    address = evening(companion, in_phase("choose", entries=20))
    tablet = device("phone")
    tablet.forgives = (BROKEN,)
    tablet.unlock()
    tablet.open(address)
    seq = tablet.seq
    lost: list[int] = []

    def lose_the_answer(route: Route) -> None:
        lost.append(route.fetch(max_redirects=0).status)
        route.abort("connectionreset")

    tablet.page.route("**/record", lose_the_answer, times=1)
    tablet.tap("button[name=event][value*=' takes ']")
    tablet.wait_after(seq)
    expect(tablet.find(LOST)).to_be_hidden()

    assert lost == [303]
    assert (tablet.seq, recorded(companion.visitor(), address).seq) == (seq + 1, seq + 1)


def test_two_taps_at_once_are_not_both_believed(device: OpenDevice, companion: Running) -> None:
    """The second device tapped on what it saw, which was old already: it is told so, and sees the new."""
    visitor = companion.unlocked()
    address = begin(visitor)
    tablet = device("lying")
    tablet.forgives = ("status of 409", BROKEN)
    tablet.unlock()
    tablet.page.route("**/events", lambda route: route.abort())  # this tablet hears nothing of the other one
    tablet.open(address)
    for domino in (1, 2, 3, 4):
        tablet.tap(f'input[name=with][value="{domino}"]')
    visitor.post(f"{address}/record", {"event": "line 5 6 7 8", "seq": "1"})
    tablet.record("button[name=event][value=line]")

    assert tablet.find(".tray .notice span").all_inner_texts() == [
        tablet.words.gettext("The game has moved on since you looked. Nothing was recorded: look again.")
    ]
    assert tablet.find(".slot .number").all_inner_texts() == ["5", "6", "7", "8"]
