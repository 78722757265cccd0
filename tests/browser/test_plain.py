"""Before any script runs, and where none may run: plain forms and links play the game."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.evenings import recorded
from tests.soak.running import Running

pytestmark = pytest.mark.browser

TAKES, LAYS = "button[name=event][value*=' takes ']", "button[name=event][value*=' lays ']"


def test_a_game_is_played_without_javascript(device: OpenDevice, companion: Running) -> None:
    tablet = device("lying", java_script_enabled=False)
    tablet.unlock()
    tablet.start(("Ana", "Rui"))
    tablet.line(3, 18, 33, 48)
    tablet.record('form[action$="/draw"] button')
    for _king in range(4):
        tablet.choose()
    tablet.line(5, 19, 36, 45)
    tablet.follow('a[href*="at=3%401%2C0"]')
    tablet.follow('.controls a[href*="turn="]')
    held = tablet.held
    tablet.record(LAYS)
    tablet.choose(19)

    session = recorded(companion.visitor(), tablet.address)
    assert [session.game.write(entry.event) for entry in session.entries[-2:]] == [
        held,
        f"{held[0]} takes 19",
    ]
    tablet.record('form[action$="/undo"] button')
    tablet.record('form[action$="/undo"] button')
    undone = recorded(companion.visitor(), tablet.address)
    assert (undone.position.phase.value, undone.position.domino) == ("place", 3)
    tablet.record('form[action$="/redo"] button')
    assert recorded(companion.visitor(), tablet.address).position.phase.value == "choose"


def test_after_a_refusal_the_page_goes_on(device: OpenDevice) -> None:
    """Three dominoes are no line: the page says so, and everything on it still works."""
    tablet = device("phone", java_script_enabled=False)
    tablet.forgives = ("status of 4",)
    tablet.unlock()
    tablet.start()
    for domino in (1, 2, 3):
        tablet.tap(f'input[name=with][value="{domino}"]')
    tablet.follow("button[name=event][value=line]")
    assert tablet.find(".tray .notice").count() == 1
    tablet.tap("details.score >> nth=1")
    tablet.follow('details.score[open] a[href*="look=2"]')
    assert tablet.turn == tablet.words.gettext("Draw %(count)d dominoes for the first line") % {"count": 4}
    tablet.line(1, 2, 3, 4)
    assert tablet.seq == 2
