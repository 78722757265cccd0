"""The camera's page over real HTTP: what it says, what it takes, and what it refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from calibration.mat import Mat
from companion.app import Rig, with_rig
from companion.core.devices import FoundBy
from companion.games import GAMES
from companion.household.settings import Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.faults import Disturbances
from companion.virtual.scene import NAPKIN
from companion.web import House, create_app
from companion.web.camera import TOLD_S
from companion.web.rate_limiter import PinRateLimiter
from tests.watch.night import TickingClock, rig_by
from tests.web.serving import PIN, Serving, serving
from tests.web.test_pages import forbidden
from tests.web.visitor import Answer, Visitor

FRAME = {"width": "1280", "height": "720"}
NOT_UNDERSTOOD = "The companion did not understand that. Nothing was recorded."


@dataclass
class Room:
    """A virtual table under its camera, and the page; the camera takes a picture when a test says so."""

    served: Serving
    rig: Rig
    ana: Visitor

    def look(self, times: int = 1) -> None:
        for _picture in range(times):
            self.rig.aimer.attend()
            self.rig.loop.step()

    @property
    def found(self) -> FoundBy:
        self.look()
        return self.rig.aimer.aim.found

    def corners(self, *places: tuple[float, float]) -> dict[str, str]:
        assert self.rig.virtual
        seen = [self.rig.virtual.camera.project(x, y) for x, y in places or Mat().corners]
        return FRAME | {
            f"{k}{i}": f"{p:.1f}" for i, xy in enumerate(seen) for k, p in zip("xy", xy, strict=True)
        }


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    rig = rig_by(TickingClock(), table, Disturbances(1, ()), tmp_path)
    house = House(
        table, PinRateLimiter(PIN), b"s" * 32, watcher=rig.watcher, aimer=rig.aimer, keeper=rig.keeper
    )
    with serving(create_app(house), house) as served:
        room = Room(served, rig, served.unlocked())
        room.look()
        yield room
    rig.close()
    table.close()


def icons(answer: Answer) -> list[str]:
    """The small pictures beside what people should know."""
    return re.findall(r'<div class="notice \w+"><svg[^>]*><use href="[^"#]*#([\w-]+)"', answer.text)


def said(answer: Answer) -> str:
    """What the page says, in one line."""
    return " ".join(unescape(re.sub(r"(?s)<script.*?</script>|<[^>]+>", " ", answer.text)).split())


def test_the_page_shows_where_the_table_was_found(room: Room) -> None:
    page = room.ana.get("/camera")

    assert "The table is found: all four markers are seen." in said(page)
    assert forbidden(page.text) == []
    assert page.text.count('<g class="there">') == 4
    assert 'viewBox="0 0 1280 720"' in page.text
    # Lines every ten centimetres, without the edges.
    assert page.text.count("<polyline") == 15 + 8


def test_a_missing_marker_is_named_and_drawn(room: Room) -> None:
    assert room.rig.virtual
    room.rig.virtual.scene.add("napkin", NAPKIN)
    room.rig.virtual.scene.put("napkin", *Mat().middles[2], 0)
    room.look(4)

    now = room.ana.get("/camera/now", **{"X-Fragment": "1"})

    assert "The table is found: 3 of 4 markers are seen. Missing: lower right." in said(now)
    assert (now.text.count('<g class="there">'), now.text.count('<g class="missing">')) == (3, 1)


def test_it_is_linked_from_the_menu_and_the_first_page(room: Room) -> None:
    assert room.ana.get("/").text.count('href="/camera"') == 2


def test_without_a_camera_there_is_no_such_page(tmp_path: Path) -> None:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    house = House(table, PinRateLimiter(PIN), b"s" * 32)
    with serving(create_app(house), house) as served:
        answers = [served.visitor().get(path) for path in ("/camera", "/camera/picture.jpg")]
        home = served.visitor().get("/")
    table.close()

    assert [answer.status for answer in answers] == [404, 404]
    assert 'href="/camera"' not in home.text


def test_the_app_furnishes_the_page_with_its_camera(tmp_path: Path) -> None:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    settings = Settings(store=Kept(folder=str(tmp_path)))
    settings = replace(settings, camera=replace(settings.camera, source="virtual"))

    house, rig = with_rig(House(table, PinRateLimiter(PIN), b"s" * 32), settings, demo=False)

    assert rig
    rig.close()
    table.close()
    assert house.aimer is rig.aimer


def test_the_picture_is_the_cameras_own(room: Room) -> None:
    answer = room.ana.get("/camera/picture.jpg")

    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/jpeg")
    assert room.ana.get("/camera/picture.jpg", **{"If-None-Match": answer.headers["ETag"]}).status == 304


def test_an_unplugged_camera_is_said_calmly(room: Room) -> None:
    assert room.rig.virtual
    room.rig.virtual.cause("unplugged")
    with pytest.raises(OSError, match="unplugged"):
        room.look()

    page = room.ana.get("/camera")

    assert page.status == 200
    assert "The camera is unplugged: plug it in again, nothing is lost." in said(page)


@pytest.mark.parametrize(
    ("language", "expected"),
    (("en", "upper left · 0"), ("pt-BR", " · 0"), ("es", " · 0")),
)
def test_everybody_may_print_the_markers_in_their_language(room: Room, language: str, expected: str) -> None:
    answer = room.served.visitor().get("/camera/markers.svg", **{"Accept-Language": language})

    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.text).get("width") == "180mm"
    assert expected in answer.text


def test_the_markers_come_with_how_to_print_them_and_a_way_back(room: Room) -> None:
    page = room.served.visitor().get("/camera/markers")

    assert (page.status, forbidden(page.text)) == (200, [])
    assert "Print at 100 percent, without “fit to page”" in said(page)
    assert "it has to measure 100 mm" in said(page)
    assert 'src="/camera/markers.svg"' in page.text
    assert 'href="/camera"' in page.text
    assert 'href="/camera/markers"' in room.ana.get("/camera").text


def test_corners_are_saved_and_the_markers_asked_again(room: Room) -> None:
    places = ((200.0, 100.0), (1400.0, 100.0), (1400.0, 800.0), (200.0, 800.0))
    saved = room.ana.post("/camera/corners", room.corners(*places))
    found = room.found
    page = room.ana.get("/camera")
    room.ana.post("/camera/found")

    assert (saved.status, saved.location, found) == (303, "/camera", FoundBy.CORNERS)
    assert "The table is where its corners were shown." in said(page)
    assert room.found is FoundBy.MARKERS


def test_corners_that_the_markers_question_get_no_tick(room: Room) -> None:
    room.ana.post("/camera/corners", room.corners((200.0, 100.0), *Mat().corners[1:]))
    room.look()
    questioned = room.ana.get("/camera/now")
    room.ana.post("/camera/corners", room.corners())
    room.look()
    right = room.ana.get("/camera/now")

    assert "The markers say otherwise" in said(questioned)
    assert (icons(questioned), icons(right)) == (["info", "info"], ["check"])


def test_a_bump_that_is_over_is_told_for_a_minute(room: Room) -> None:
    assert room.rig.virtual
    told = "the markers were found again"
    before = said(room.ana.get("/camera"))
    room.rig.virtual.camera.bump(12, 0)
    room.look(4)
    clock = room.served.house.heard.clock = lambda: 1000.0
    now = [said(room.ana.get("/camera")) for _visit in range(2)]
    room.served.house.heard.clock = lambda: clock() + TOLD_S
    later = said(room.ana.get("/camera"))

    assert [told in page for page in (before, *now, later)] == [False, True, True, False]


def test_after_a_bump_the_page_says_how_far_and_offers_to_keep_the_outline(room: Room) -> None:
    assert room.rig.virtual
    room.ana.post("/camera/corners", room.corners())
    room.look()
    room.rig.virtual.camera.bump(12, 0)
    room.look(4)
    bumped = room.ana.get("/camera")
    form = dict(re.findall(r'name="(width|height|[xy][0-3])" value="([\d.]+)"', bumped.text))
    room.ana.post("/camera/corners", form)
    room.look(3)

    assert "The camera was bumped by about 12 mm. Nothing is read: push it back" in said(bumped)
    assert set(form) == set(room.corners())
    assert "The table is where its corners were shown." in said(room.ana.get("/camera"))


@pytest.mark.parametrize(
    ("change", "status", "expected"),
    (
        ({"x0": ""}, 400, NOT_UNDERSTOOD),
        ({"x0": "nan"}, 400, NOT_UNDERSTOOD),
        ({"x0": "1e3"}, 400, NOT_UNDERSTOOD),
        ({"x0": "-1"}, 400, NOT_UNDERSTOOD),
        ({"width": "0"}, 400, NOT_UNDERSTOOD),
        ({"width": "99999"}, 400, NOT_UNDERSTOOD),
        ({"x0": "1280.5"}, 400, "A table has four corners, all in the picture. Nothing was changed."),
        (
            {"x0": "900", "y0": "500"},
            400,
            "These corners cross each other, or one lies inside. Drag each to its own. Nothing was changed.",
        ),
    ),
)
def test_what_is_no_table_is_refused_in_words(
    room: Room, change: dict[str, str], status: int, expected: str
) -> None:
    answer = room.ana.post("/camera/corners", room.corners() | change)

    assert (answer.status, answer.notices[:1], room.found) == (status, [expected], FoundBy.MARKERS)


def test_a_form_with_nothing_in_it_is_refused(room: Room) -> None:
    answers = [room.ana.post(f"/camera/{form}") for form in ("corners", "size", "empty")]

    assert [(answer.status, answer.notices[:1]) for answer in answers] == [(400, [NOT_UNDERSTOOD])] * 3


@pytest.mark.parametrize("form", ("corners", "found", "size", "empty"))
def test_nothing_is_changed_without_the_pin(room: Room, form: str) -> None:
    asked = {**room.corners(), "on": "1"}

    answer = room.served.visitor().post(f"/camera/{form}", asked)

    assert (answer.status, answer.location.startswith("/unlock?back=/&asked=")) == (303, True)
    assert (room.found, room.rig.aimer.aim.table) == (FoundBy.MARKERS, (1600, 900))
    assert room.ana.get(f"/camera/{form}").location == "/camera"


def test_a_size_the_markers_do_not_believe_is_doubted_with_theirs_to_take(room: Room) -> None:
    room.ana.post("/camera/size", {"width": "140", "height": "80"})
    room.look(3)
    doubted = room.ana.get("/camera")
    taken = re.search(
        r'name="width" value="(\d+)"><input type="hidden" name="height" value="(\d+)"', doubted.text
    )
    assert taken
    room.ana.post("/camera/size", {"width": taken[1], "height": taken[2]})
    room.look(3)

    assert "but it is set to 140 × 80 cm." in said(doubted)
    assert [int(taken[1]), int(taken[2])] == pytest.approx([160, 90], abs=2)
    assert "By its markers" not in said(room.ana.get("/camera"))
    assert f"{taken[1]} × {taken[2]} cm" in room.ana.get("/camera/markers.svg").text


def test_a_size_no_table_has_is_refused(room: Room) -> None:
    answer = room.ana.post("/camera/size", {"width": "16", "height": "9"})

    expected = "A side of the table has 30 to 300 centimetres. Nothing was changed."
    assert (answer.status, answer.notices[:1]) == (400, [expected])


def test_the_empty_table_is_learned_and_forgotten(room: Room) -> None:
    room.ana.post("/camera/empty", {"on": "0"})
    room.look()
    before = said(room.ana.get("/camera"))
    room.ana.post("/camera/empty", {"on": "1"})
    room.look()
    during = said(room.ana.get("/camera"))
    room.look(15)
    after = said(room.ana.get("/camera"))

    assert "Not learned yet: a table of one colour does without." in before
    assert "Hands off, please: the table is learned as soon as it is still …" in during
    assert ("The empty table is known." in after, "Hands off" in after) == (True, False)
