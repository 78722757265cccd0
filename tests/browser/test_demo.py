"""The demonstration: it plays on the virtual table while somebody looks, until somebody takes over."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import SIZES
from tests.browser.evenings import recorded
from tests.soak.running import Running

pytestmark = pytest.mark.browser

PATIENCE_MS = 60_000
"""The hand lays pieces as slowly as people do, and the camera waits until it is gone."""


def test_a_demonstration_moves_until_somebody_takes_over(own_companion: Running, device: OpenDevice) -> None:
    running = own_companion.start("--demo")
    tablet = device("lying", "es", at=running)
    tablet.open("/")
    tablet.follow('a[href^="/s/"]')
    assert tablet.find("button[name=event]").count() == 0
    for size in (SIZES["small phone"], SIZES["lying"]):
        tablet.wait_after(tablet.seq, timeout=PATIENCE_MS)
        tablet.page.set_viewport_size(size)
        seen = tablet.look(44)
        assert {kind: found for kind, found in seen.items() if found and kind != "scrolling"} == {}

    with tablet.page.expect_navigation(url=lambda url: "/unlock" in url):
        tablet.tap('form[action$="/take-over"] button')
    tablet.unlock()
    tablet.find("#page[data-seq]").wait_for()
    tablet.find('form[action$="/take-over"]').wait_for(state="detached")
    tablet.tap('a[href*="view=drawn"]')
    tablet.find(".kingdomino").wait_for()
    seq = tablet.seq
    tablet.page.wait_for_timeout(5000)
    assert (tablet.seq, recorded(running.visitor(), tablet.address).seq) == (seq, seq)

    for _move in range(4):
        tablet.go_on()
    session = recorded(running.visitor(), tablet.address)
    assert [entry.source.value for entry in session.entries] == ["demo"] * seq + ["page"] * 4
