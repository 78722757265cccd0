"""Carcassonne for five under a camera: tiles are shown, never named, and all of it fits on every device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest

from companion.core.devices import Lamp, Lamps
from companion.core.observation import Observation, Reading, shifted_reading
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import import_session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.recording import MOVED_ON, ways_out
from companion.watch.state import Announcement, Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.browser.carcassonne import COLOURS, NAMES
from tests.browser.conftest import OpenDevice
from tests.browser.device import DEVICES, Device
from tests.games.carcassonne.eyes import changed, seen, without
from tests.games.carcassonne.stories import session_of
from tests.games.stories import tell
from tests.web.pretending import PretendedWatcher, laid_out
from tests.web.serving import PIN, Serving, serving

pytestmark = pytest.mark.browser

TOUCH = {"lying": 48, "upright": 48, "phone": 44, "small phone": 44}
STORY = (
    *("1 lays V at -1,0 N", "1 places f0 at -1,0", "2 lays E at 1,0 W", "2 places none"),
    *("3 lays U at 0,1 N", "3 places r0 at 0,1", "4 lays U at 0,2 N", "4 places none"),
)
SPILT = """() => [...document.querySelectorAll("details.score")]
  .filter((card) => card.firstElementChild.getBoundingClientRect().bottom > card.getBoundingClientRect().bottom)
  .map((card) => card.innerText)"""
"""What stands over the edge of somebody's part of the tally."""
NEXT = "5 lays U at 0,3 N"


@dataclass
class Evening:
    """Five people at a table, and what its camera sees."""

    served: Serving
    watcher: PretendedWatcher
    session: Session

    def sees(self, observations: tuple[Observation, ...]) -> Reading:
        """Show the page what the game reads there."""
        sight = self.session.game.sight
        assert sight
        found = sight.read(self.session.setup, self.session.position, observations)
        status = Status.PAUSED if found.contradictions else Status.WATCHING
        said = found.contradictions[0].text if found.contradictions else None
        ways = ways_out(self.session, found.contradictions[0]) if found.contradictions else ()
        self.watcher.show(reading=shifted_reading(found, 800, 450), status=status, said=said, ways=ways)
        return found

    def table_after(self, *lines: str) -> tuple[Observation, ...]:
        after = tell(self.session, lines)
        return seen(after.setup, after.position, 1)

    def a_tile_hardly_seen(self) -> None:
        self.sees(changed(self.table_after(NEXT), "tile-U", confidence=0.2, runner_up="tile-V"))

    def a_tile_turned(self) -> None:
        table = self.table_after()
        tile = next(one for one in table if one.label == "tile-V")
        rest = (one for one in without(table, "farmer-red") if one is not tile)
        turned = Observation(tile.label, tile.x, tile.y, (tile.angle + 90) % 360)
        self.sees((turned, *rest))

    def a_turn_played(self) -> None:
        self.sees(self.table_after(NEXT, "5 places f1 at 0,3"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    seats = ", ".join(f'"{name}" {colour}' for name, colour in zip(NAMES, COLOURS, strict=True))
    session = session_of(f"start carcassonne with {seats}", STORY)
    store = SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES)
    import_session(store, session)
    table = LiveSessions(store)
    watcher = PretendedWatcher(table)
    lamps = Lamps((Lamp.OFF,) * 4 + (Lamp.PULSE,), Lamp.PULSE)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING, lamps=lamps)
    virtual = laid_out(session, watcher)
    house = House(
        table,
        PinRateLimiter(PIN),
        b"s" * 32,
        listeners=8,
        watcher=cast("Any", watcher),
        virtual=cast("Any", virtual),
    )
    with serving(create_app(house), house) as served:
        yield Evening(served, watcher, session)
    table.close()


def test_an_answer_shows_the_tile_as_it_lies_and_is_recorded_by_touch(
    evening: Evening, device: OpenDevice
) -> None:
    evening.a_tile_hardly_seen()
    tablet = _opened(device, "lying", "pt-BR", evening)

    answers = tablet.find(".answers button")
    shown = [
        (use.get_attribute("href"), use.get_attribute("transform"))
        for use in tablet.find(".answers .pictured use").all()
    ]
    assert all((href or "").endswith(("#tile-U", "#tile-V")) for href, _transform in shown)
    assert len(set(shown)) == len(shown) == answers.count() - 1  # “something else” has no tile
    assert not any(letter in text for text in answers.all_inner_texts() for letter in (" U", " V"))
    tablet.record(answers.first)

    assert tablet.seq == evening.session.seq + 1


def test_a_disagreement_shows_what_the_log_says_and_what_lies_there(
    evening: Evening, device: OpenDevice
) -> None:
    evening.a_tile_turned()
    phone = _opened(device, "phone", "es", evening)

    pieces = phone.find(".disagree .pieces .pictured use").all()
    turned = [use.get_attribute("transform") or "rotate(0" for use in pieces]
    angles = [int(text.removeprefix("rotate(").split()[0]) for text in turned]
    assert "Se ha girado una loseta." in phone.find(".disagree").inner_text()
    assert (angles[1] - angles[0]) % 360 == pytest.approx(90, abs=1)
    phone.tap('.answers button[value="moved"]')
    phone.find(".disagree").wait_for(state="detached")

    assert ("way", "moved") in evening.watcher.asked


@pytest.mark.parametrize(("size", "language"), DEVICES)
def test_a_table_of_five_fits_whatever_the_camera_has_to_say(
    evening: Evening, device: OpenDevice, size: str, language: str
) -> None:
    moments = {
        "hardly seen": evening.a_tile_hardly_seen,
        "turned": evening.a_tile_turned,
        "played": evening.a_turn_played,
    }

    wrong = {}
    for moment, show in moments.items():
        show()
        tablet = _opened(device, size, language, evening)
        found = tablet.look(TOUCH[size])
        found["scrolling"] = [box for box in found["scrolling"] if not _may_scroll(box, size)]
        wrong[moment] = list(chain.from_iterable(found.values()))
        assert tablet.nameless() == []
        assert tablet.page.evaluate(SPILT) == []
    evening.watcher.show(reading=Reading(), announcement=Announcement(MOVED_ON, 4, 7))
    tablet = _opened(device, size, language, evening)
    wrong["told"] = list(chain.from_iterable(tablet.look(TOUCH[size]).values()))

    assert {moment: found for moment, found in wrong.items() if found} == {}


def _may_scroll(box: str, size: str) -> bool:
    return "phone" in size and ".tray" in box


def _opened(device: OpenDevice, size: str, language: str, evening: Evening) -> Device:
    tablet = device(size, language, at=evening.served)
    tablet.unlock()
    tablet.open(f"/s/{evening.session.id}")
    return tablet
