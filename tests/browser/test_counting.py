"""Only counting the points: kingdoms tapped in, square by square."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.text.notation import write_kingdom
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.evenings import begin, recorded, tell
from tests.soak.running import Running

pytestmark = pytest.mark.browser

CONFIRM = "form[data-count] .controls button"


def paint(tablet: Device, brush: str, *squares: int) -> None:
    """Choose a terrain and tap squares, counted from 0 row by row."""
    tablet.tap(f'input[name=brush][value="{brush}"]')
    for square in squares:
        tablet.tap(f'[data-cell="{square}"]')


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_kingdoms_are_tapped_in_square_by_square(device: OpenDevice, companion: Running, size: str) -> None:
    tablet = device(size, "pt-BR")
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only", "middle_kingdom")
    assert tablet.turn == tablet.words.gettext("Tap in each kingdom as it lies")

    # Ana: a castle in the corner, lakes with two crowns, a mine with three.
    paint(tablet, "#", 0)
    paint(tablet, "l", 1, 2, 2, 6, 6)
    paint(tablet, "m", 5, 5, 5, 5)
    tablet.record(CONFIRM)
    # Rui: his castle stays in the middle; a square tapped in by mistake goes again.
    paint(tablet, "w", 13, 13, 11)
    paint(tablet, "f", 14)
    paint(tablet, ".", 14)
    tablet.record(CONFIRM)

    session = recorded(companion.visitor(), tablet.address)
    shown = [entry.event for entry in session.entries[1:]]
    assert [write_kingdom(e.kingdom) for e in shown if isinstance(e, KingdomShown)] == [
        "##l0l1/m3l1..",
        "w0##w1",
    ]
    assert tablet.totals == [3 * 2 + 3, 1 * 1 + 10]
    assert session.turn.over
    tablet.follow('.tray a[href$="/result"]')
    assert tablet.find(".ranking .total").all_inner_texts() == ["11", "9"]


def test_what_cannot_be_is_pointed_out(device: OpenDevice, companion: Running) -> None:
    """The box has one mine with three crowns, and dominoes have two squares each."""
    tablet = device("upright", "es")
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    for player in range(2):
        paint(tablet, "m", 11, 11, 11, 11)
        tablet.record(CONFIRM)
        if tablet.find("#problems").count():  # many problems are folded into a line
            tablet.tap("#problems > summary")
        tray = tablet.find(".tray").inner_text()
        problems = recorded(companion.visitor(), tablet.address).problems
        assert len(problems) == (1, 3)[player]
        assert [p.text.say(tablet.words) for p in problems if p.text.say(tablet.words) not in tray] == []

    tablet.tap('.others a[href*="look=2"]')
    tablet.page.wait_for_selector('form[data-prefix^="2 "]')
    paint(tablet, ".", 11)
    paint(tablet, "w", 13, 14)
    tablet.record(CONFIRM)
    assert len(recorded(companion.visitor(), tablet.address).problems) == 1
    assert tablet.totals == [3, 0]


def test_what_is_being_tapped_in_survives_the_others(device: OpenDevice, companion: Running) -> None:
    """Ana taps in her kingdom while Rui confirms his on another device."""
    visitor = companion.unlocked()
    address = begin(visitor, ("Ana", "Rui"), "score_only")
    tablet = device("lying")
    tablet.unlock()
    tablet.open(address)
    paint(tablet, "f", 13, 14, 14)
    tell(visitor, address, "2 shows 5 ##w1w0")
    tablet.wait_after(1)
    tablet.tap('.others a[href*="look=2"]')
    tablet.page.wait_for_selector('form[data-prefix^="2 "]')
    tablet.tap('.others a[href*="look=1"]')
    tablet.page.wait_for_selector('form[data-prefix^="1 "]')
    tablet.record(CONFIRM)

    assert tablet.totals == [2, 2]


def test_what_is_being_tapped_in_outlives_the_page(device: OpenDevice, companion: Running) -> None:
    """Another language, another light, a page loaded again lose no square; a recorded kingdom is done with."""
    tablet = device("phone")
    tablet.unlock()
    tablet.start(("Ana", "Rui"), "score_only")
    paint(tablet, "f", 13, 14, 14)
    tablet.page.reload()
    for button in ('name=language][value="es"', 'name=theme][value="evening"'):
        tablet.tap("details.menu > summary")
        tablet.follow(f"button[{button}]")
    tablet.record(CONFIRM)
    assert tablet.totals == [2, 0]

    tablet.tap("details.score > summary")
    tablet.tap('details.score[open] a[href*="look=1"]')
    tablet.page.wait_for_selector('form[data-prefix^="1 "]')
    paint(tablet, ".", 14)
    tell(companion.unlocked(), tablet.address, "1 shows 5 ##f0f1f1")
    tablet.wait_after(2)
    assert tablet.find("input[name=event]").get_attribute("value") == (
        "1 shows 5 ........../........../##f0f1f1../........../.........."
    )
