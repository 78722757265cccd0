"""Under a camera that only says what it is told: fingers on the picture's page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Locator

from companion.core import notation
from companion.core.devices import Lamp, Lamps
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Proposal, Reading
from companion.core.session import Session
from companion.watch.state import Announcement, PipelineStage, Status, WayOut
from tests.browser.conftest import OpenDevice
from tests.browser.device import SIZES, Device
from tests.web.pretending import PretendedTable, PretendedWatcher
from tests.web.serving import Serving

pytestmark = pytest.mark.browser

LAY = "2 lays 31 at -1,-1 S"
OTHERWISE = "2 lays 31 at -2,0 E"
HERE = Area(400, 300, 80, 40, 90)
TOUCH = {"lying": 48, "upright": 48, "phone": 44, "small phone": 44}


def proposal(session: Session, text: str = LAY) -> Reading:
    return Reading((Proposal(session.game.parse(text), HERE, 0.97),))


def last_entry(watched: Serving, session: Session) -> str:
    newest = watched.house.sessions.session(session.id)
    return notation.write_entry(newest.game, newest.entries[-1].event)


def shown(device: Device, watcher: PretendedWatcher) -> None:
    """Until the page shows what the camera shows."""
    device.page.wait_for_selector(f'#page[data-watch="{watcher.watch.version}"]')


def test_the_picture_follows_without_flickering(
    tablet: Device, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.open(f"/s/{session.id}")
    tablet.until("document.getElementById('live').src.startsWith('blob:')")
    tablet.watch_picture("live")
    for _each in range(3):
        before = tablet.find("#live").get_attribute("src")
        watcher.number += 1
        watcher.show(reading=proposal(session, "2 discards 31") if _each % 2 else proposal(session))
        shown(tablet, watcher)
        tablet.until(f"document.getElementById('live').src !== '{before}'")

    assert tablet.gaps == 0
    asked = len(watcher.asked)
    tablet.find('a[href*="view=drawn"]').first.tap()
    tablet.find(".kingdomino").wait_for()
    tablet.page.wait_for_timeout(600)
    asked, before_rest = len(watcher.asked), asked
    tablet.page.wait_for_timeout(600)
    assert len(watcher.asked) == asked >= before_rest, "nobody looks at a picture that is not shown"


def test_a_proposal_is_confirmed_by_touch(
    tablet: Device, watched: Serving, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.open(f"/s/{session.id}")
    watcher.show(reading=proposal(session))
    tablet.find(".proposing").wait_for()

    tablet.record(".confirm button")

    assert last_entry(watched, session) == LAY
    assert tablet.find(".proposing").count() == 0
    assert tablet.address == f"/s/{session.id}"


def test_a_tap_is_not_lost_when_news_come_under_the_finger(
    tablet: Device, watched: Serving, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.open(f"/s/{session.id}")
    watcher.show(reading=proposal(session))
    confirm = tablet.find(".confirm button")
    confirm.wait_for()
    box = confirm.bounding_box()
    assert box
    tablet.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tablet.page.mouse.down()
    version = watcher.watch.version
    watcher.show(alone=True)
    tablet.page.wait_for_timeout(700)
    assert tablet.page.get_attribute("#page", "data-watch") == str(version), "the page waits for the finger"
    tablet.page.mouse.up()

    tablet.find(".tray .notice").wait_for()
    assert "The table has changed since you looked" in tablet.find(".tray .notice").inner_text()
    tablet.record(".confirm button")
    assert last_entry(watched, session) == LAY
    tablet.forgives = ("status of 409",)
    tablet.complaints.clear()


def test_a_question_is_answered_by_touch(
    tablet: Device, watched: Serving, watcher: PretendedWatcher, session: Session
) -> None:
    parse = session.game.parse
    choices = (
        Choice((parse(LAY),)),
        Choice((parse(OTHERWISE),)),
        Choice((), _("Nothing has happened")),
    )
    watcher.show(reading=Reading((), (Doubt(_("Which one is it?"), choices, HERE, 1),)))
    tablet.open(f"/s/{session.id}")
    tablet.until("document.querySelector('img.crop').naturalWidth === 64")

    tablet.record('.answers button[value="1"]')

    assert last_entry(watched, session) == OTHERWISE


def test_a_button_is_pressed_and_held(
    tablet: Device, watcher: PretendedWatcher, table: PretendedTable, session: Session
) -> None:
    watcher.show(lamps=Lamps((Lamp.OFF, Lamp.PULSE), Lamp.PULSE))
    tablet.open(f"/s/{session.id}")
    ana, rui = (tablet.find(".arcade [data-push]").nth(seat) for seat in (0, 1))

    rui.tap()
    tablet.find(".announcement").wait_for()
    assert "pressed: recorded" in tablet.find(".announcement").inner_text()
    hold(tablet, ana, 1200)
    tablet.until("document.querySelector('.announcement')?.textContent.includes('Ana')")
    ana.focus()
    tablet.page.keyboard.press("Enter")
    tablet.page.wait_for_timeout(400)

    pushed = [asked for asked in table.asked if asked[0] == "push"]
    assert [seat for _push, seat, _seconds in pushed] == [1, 0, 0]
    seconds = [float(str(seconds)) for _push, _seat, seconds in pushed]
    assert seconds[0] < 0.5
    assert seconds[1] == 1
    assert seconds[2] == 0.1


def hold(device: Device, button: Locator, ms: int) -> None:
    box = button.bounding_box()
    assert box
    device.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    device.page.mouse.down()
    device.page.wait_for_timeout(ms)
    device.page.mouse.up()


def test_what_a_button_did_is_told_for_a_moment(
    tablet: Device, watcher: PretendedWatcher, session: Session
) -> None:
    tablet.page.clock.install()
    watcher.show(announcement=Announcement(_("pressed: recorded"), 1, 1))
    tablet.open(f"/s/{session.id}")
    tablet.find(".announcement").wait_for(state="detached")
    watcher.show(announcement=Announcement(_("held: taken back"), 1, 2))
    tablet.page.clock.run_for(1000)
    tablet.find(".announcement").wait_for()
    tablet.page.clock.run_for(7000)

    tablet.find(".announcement").wait_for(state="detached")


def moments(watcher: PretendedWatcher, table: PretendedTable, session: Session) -> Iterator[str]:
    """Everything the camera can have to show, one after the other."""
    proposed = proposal(session).proposals + proposal(session, "2 takes 10").proposals
    doubt = Doubt(
        _("Which domino lies here?"), (Choice((proposed[0].event,)), Choice((), _("Neither"))), HERE, 1
    )
    odd = Contradiction(_("Domino 4 does not lie where the log says."), HERE, player=0)
    ways = (
        WayOut("again", _("Put right on the table: look again")),
        WayOut("undo", _("It was taken back: undo “%(what)s”", what="Tomé places domino 4")),
        WayOut("go-on", _("The log is right: go on as it is")),
    )
    names = "capture rectify settle locate classify read record show".split()
    lit = Lamps((Lamp.PULSE, Lamp.BLINK, Lamp.STEADY), Lamp.PULSE)
    for status in (Status.STARTING, Status.NO_CAMERA, Status.BLIND, Status.MOVING, Status.WATCHING):
        watcher.show(status=status, stages=tuple(PipelineStage(name, 12.5) for name in names))
        yield status.value
    watcher.show(reading=Reading(waiting=_("Two of four dominoes lie in the next line.")))
    yield "waiting"
    watcher.show(reading=Reading(proposed), lamps=lit, alone=True)
    yield "proposed"
    watcher.show(reading=Reading((), (doubt, doubt)))
    yield "asked"
    elsewhere = replace(odd, area=Area(1200, 600, 80, 40), text=_("Domino 31 is not on the table."))
    watcher.show(
        reading=Reading((), (doubt,), (odd, elsewhere)), status=Status.PAUSED, said=odd.text, ways=ways
    )
    yield "paused"
    table.playing = True
    watcher.show(reading=Reading(), status=Status.WATCHING, said=None)
    yield "demonstrated"
    watcher.show(reading=Reading(proposed))
    yield "demonstrated and proposed"


@pytest.mark.parametrize("size", TOUCH)
def test_everything_under_the_camera_fits(
    watched: Serving,
    device: OpenDevice,
    watcher: PretendedWatcher,
    table: PretendedTable,
    session: Session,
    size: str,
) -> None:
    tablet = device(size, at=watched)
    tablet.forgives = ("status of 503",)
    tablet.unlock()

    wrong = {}
    for moment in moments(watcher, table, session):
        tablet.open(f"/s/{session.id}")
        found = tablet.look(TOUCH[size])
        wrong[moment] = {kind: seen for kind, seen in found.items() if seen}
        assert tablet.nameless() == [], moment

    assert {moment: found for moment, found in wrong.items() if found} == {}
    assert set(TOUCH) <= set(SIZES)


def test_a_watched_game_is_played_without_javascript(
    watched: Serving, device: OpenDevice, watcher: PretendedWatcher, table: PretendedTable, session: Session
) -> None:
    tablet = device("lying", at=watched, java_script_enabled=False)
    tablet.unlock()
    watcher.show(reading=proposal(session))
    tablet.open(f"/s/{session.id}")
    tablet.tap('.arcade noscript button[aria-label*="Ana"]')
    tablet.find(".announcement").wait_for()
    assert table.asked == [("push", 0, 2.0)]
    tablet.record(".confirm button")
    assert last_entry(watched, session) == LAY

    tablet.follow('.ways a[href="/table"]')
    tablet.follow('[data-box="domino-48"]')
    tablet.follow("button[aria-label='Lay it in the middle']")
    tablet.follow('button[aria-label="Move it up"]')
    lying = next(piece for piece in table.lying if piece.piece == "domino-48")
    assert (lying.x, lying.y) == (800, 440)
