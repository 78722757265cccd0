"""The virtual table keeps its size and place under the hands, whatever is told and asked around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import FloatRect

from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Proposal, Reading
from companion.core.session import Session
from companion.watch.state import Announcement, Status, WayOut
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.test_virtual import apart
from tests.web.pretending import PretendedWatcher
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

HERE = Area(400, 300, 80, 40, 90)
LONG = _("Domino 31 may not lie there. It touches neither the castle nor a square of its own terrain.")
FLICKERS = _("This button flickers, as with a loose wire: it does not count until it is calm.")


def moments(watcher: PretendedWatcher, session: Session) -> Iterator[str]:
    """Everything that is told beside the table, one after the other."""
    parse = session.game.parse
    lays = (Proposal(parse("2 lays 31 at -1,-1 S"), HERE, 0.97), Proposal(parse("2 takes 10"), HERE, 0.97))
    watcher.show(reading=Reading(lays))
    yield "proposed"
    choices = (Choice((), _("It lies there all the same")), Choice((), _("We lay it elsewhere")))
    watcher.show(
        reading=Reading((), (Doubt(LONG, choices, HERE, 1),) * 2),
        announcement=Announcement(FLICKERS, 2, watcher.watch.version + 1),
    )
    yield "asked"
    odd = Contradiction(_("Domino 4 of Tomé does not lie where the log says."), HERE, player=3)
    ways = (WayOut("again", _("Put right on the table: look again")), WayOut("go-on", _("The log is right")))
    watcher.show(status=Status.PAUSED, said=odd.text, reading=Reading((), (), (odd, odd)), ways=ways)
    yield "paused"


def felt(tablet: Device) -> FloatRect | None:
    return tablet.find("#felt").bounding_box()


@pytest.mark.parametrize("language", ("en", "pt-BR"))
@pytest.mark.parametrize("size", ("lying", "upright", "phone"))
def test_the_table_stays_where_it_is(
    watched: Serving,
    device: OpenDevice,
    watcher: PretendedWatcher,
    session: Session,
    size: str,
    language: str,
) -> None:
    tablet = device(size, language, at=watched)
    tablet.unlock()
    tablet.open("/table?piece=domino-39")
    before = felt(tablet)

    for moment in moments(watcher, session):
        tablet.page.wait_for_selector(f'#page[data-watch="{watcher.watch.version}"]')
        assert felt(tablet) == before, moment
        if moment == "asked":
            told = tablet.find(".announcement").bounding_box()
            covered = [part for part in ("#felt", ".asking", ".hand") if not apart(told, box(tablet, part))]
            assert covered == []
    words = tablet.find(".asking .words").bounding_box()
    assert words
    assert words["width"] >= 230


def box(tablet: Device, part: str) -> FloatRect | None:
    return tablet.find(part).bounding_box()


def test_why_a_tap_was_refused_is_told_until_the_next_tap(
    tablet: Device, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.forgives = ("422",)
    against_the_rules = session.game.parse("1 takes 19")
    watcher.show(reading=Reading(doubts=(Doubt(_("Was it that?"), (Choice((against_the_rules,)),)),)))
    tablet.open("/table")
    before = felt(tablet)
    tablet.tap('form[action$="/answer"] button')
    tablet.find("#told .notice").wait_for()
    watcher.show(alone=True)
    tablet.page.wait_for_selector(f'#page[data-watch="{watcher.watch.version}"]')

    assert (tablet.find("#told .notice").count(), felt(tablet)) == (1, before)
    tablet.tap(".box h2")
    assert tablet.find("#told .notice").count() == 0
