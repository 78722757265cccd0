"""Why a number is so: a reason lights what it speaks of, whatever one has been looking at."""

from __future__ import annotations

import pytest

from companion.core.session import Session
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.test_virtual import apart
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

BOARD = ".board.large"


def tap_reason(tablet: Device) -> None:
    """A reason of Tomé, the only one who has laid a domino."""
    tablet.tap("#score3 summary")
    tablet.tap("#score3 .reasons a[href*='why=']")
    tablet.find(f"{BOARD} .lit").first.wait_for()


@pytest.mark.parametrize("size", ("lying", "upright", "phone", "small phone"))
def test_a_reason_leads_from_the_camera_to_what_it_speaks_of(
    watched: Serving, device: OpenDevice, session: Session, size: str
) -> None:
    tablet = device(size, at=watched)
    tablet.open(f"/s/{session.id}")
    tap_reason(tablet)

    board = tablet.find(BOARD).bounding_box()
    sheet = tablet.find(".score[open] .reasons").bounding_box()
    assert board
    assert sheet
    hidden = min(board["y"] + board["height"], sheet["y"] + sheet["height"]) - max(board["y"], sheet["y"])
    assert apart(board, sheet) or hidden <= board["height"] / 2
    tablet.page.go_back()
    tablet.find(".scene").wait_for()
    assert "view=" not in tablet.page.url


def test_looking_at_a_player_leads_from_the_camera_to_the_kingdom(tablet: Device, session: Session) -> None:
    tablet.open(f"/s/{session.id}")
    tablet.tap("#score2 summary")
    tablet.tap("#score2 .see a")

    tablet.find(".others .on >> nth=0").wait_for()
    assert tablet.find(f"{BOARD}[aria-label*='Beatriz']").count() == 1
