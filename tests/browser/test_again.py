"""A household's second evening: the same people with a tap, others from the names that are known, and old games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.browser.evenings import evening, over
from tests.soak.running import Running
from tests.web.serving import Serving, begin, household, to_the_end

pytestmark = pytest.mark.browser


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Serving]:
    with household(tmp_path) as served:
        yield served


def test_a_second_evening_needs_one_tap_to_its_first_move(device: OpenDevice, home: Serving) -> None:
    to_the_end(home.house.sessions, begin(home.house.sessions, 3, "harmony"))
    tablet = device("lying", at=home)
    tablet.unlock()
    tablet.open("/")

    tablet.follow("form[action$='/again'] button")

    assert tablet.find("aside .name").all_inner_texts() == ["Ana", "Rui", "Eva"]
    assert tablet.find("input[name=with]").first.is_visible()


def test_people_sit_down_and_get_up_with_a_tap(device: OpenDevice, home: Serving) -> None:
    begin(home.house.sessions, 4)
    phone = device("phone", at=home)
    phone.unlock()
    phone.open("/new/carcassonne")
    assert phone.find(".seat >> visible=true").count() == 2

    for name in ("Teo", "Ana", "Eva"):
        phone.tap(f"[data-person={name}]")

    names = [field.input_value() for field in phone.find(".seat input[list] >> visible=true").all()]
    assert names == ["Teo", "Ana", "Eva"]
    phone.tap("[data-person=Ana]")
    phone.tap("[data-person=Rui]")
    expect(phone.find("[data-person=Ana]")).to_have_attribute("aria-pressed", "false")
    phone.follow("form.setup > button")
    assert phone.find("aside .name").all_inner_texts() == ["Teo", "Rui", "Eva"]


def test_an_old_game_is_watched_again_with_a_finger_on_the_slider(
    device: OpenDevice, companion: Running
) -> None:
    address = evening(companion, over)
    tablet = device("lying")
    tablet.open(f"{address}/replay?at=0")
    last = int(tablet.find("#at").get_attribute("max") or 0)
    assert set(tablet.totals) == {0}

    tablet.page.evaluate(
        "at => { const s = document.getElementById('at'); s.value = at; "
        "s.dispatchEvent(new Event('input', {bubbles: true})); }",
        last,
    )

    expect(tablet.find("[data-at]")).to_have_text(str(last))
    tablet.page.wait_for_url(f"**/replay?at={last}")
    assert max(tablet.totals) > 0
    told = tablet.find(".told").inner_text()
    tablet.tap('[data-step="-1"]')
    expect(tablet.find("[data-at]")).to_have_text(str(last - 1))
    expect(tablet.find(".told")).not_to_have_text(told)
