"""The virtual table as people touch it: pieces, disturbances, faults, buttons; and nothing without the PIN."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from companion.core.devices import Lamp, Lamps
from companion.core.message import message as _
from companion.core.observation import PlacedPiece, Proposal, Reading
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.state import Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.pretending import PretendedTable, PretendedWatcher, Stopped, laid_out
from tests.web.serving import MOVES, PIN, Serving, begin, play, serving
from tests.web.test_guard import address, rules
from tests.web.test_pages import forbidden
from tests.web.visitor import Visitor

NOT_UNDERSTOOD = "The companion did not understand that. Nothing was recorded."
NO_PIECE = "There is no such piece on this table or in its box. Nothing was moved."
NO_SUCH = "The virtual table has nothing of that name. Nothing was changed."
PLACE = {"piece": "domino-39", "x": "400.5", "y": "300", "angle": "90"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    """A house whose camera looks at a virtual table, on which a game has come to entry 11."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    session = play(table, begin(table), *MOVES)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    virtual = laid_out(session, watcher)
    house = House(
        table,
        PinRateLimiter(PIN),
        b"s" * 32,
        listeners=8,
        watcher=cast("Any", watcher),
        virtual=cast("Any", virtual),
        demonstration=cast("Any", Stopped(session.id)),
    )
    with serving(create_app(house), house) as found:
        yield found
    table.close()


@pytest.fixture
def table(served: Serving) -> PretendedTable:
    assert isinstance(served.house.virtual, PretendedTable)
    return served.house.virtual


@pytest.fixture
def watcher(served: Serving) -> PretendedWatcher:
    assert isinstance(served.house.watcher, PretendedWatcher)
    return served.house.watcher


@pytest.fixture
def ana(served: Serving) -> Visitor:
    return served.unlocked()


@pytest.fixture
def session(served: Serving, watcher: PretendedWatcher) -> Session:
    return served.house.sessions.session(watcher.watch.session)


def names(found: object) -> set[str]:
    pieces: tuple[PlacedPiece, ...] = tuple(found)  # type: ignore[arg-type]  # whatever a table has
    return {piece.piece for piece in pieces}


def test_every_piece_is_drawn_where_it_lies_and_the_others_in_the_box(
    table: PretendedTable, ana: Visitor
) -> None:
    page = ana.get("/table").text

    assert set(re.findall(r'data-piece="([^"]+)"', page)) == names(table.lying)
    assert set(re.findall(r'data-box="([^"]+)"', page)) <= names(table.aside)
    assert {"castle-pink", "domino-31", "king-yellow-1"} <= names(table.lying)
    assert 'viewBox="0 0 16000 9000"' in page
    castle = next(piece for piece in table.lying if piece.piece == "castle-pink")
    where = rf"translate\({castle.x * 10} {castle.y * 10}\) rotate\({castle.angle:.2f}\) translate\(-200.0 -200.0\)"
    assert re.search(rf'data-piece="castle-pink"[^>]*><g transform="{where}"', page)


def test_faces_are_drawn_once_beside_the_part_that_is_replaced(table: PretendedTable, ana: Visitor) -> None:
    page, inner = ana.get("/table").text, ana.get("/table", **{"X-Fragment": "1"}).text
    drawing = next(iter(table.faces.values())).drawing.strip().splitlines()[1].strip()

    assert (page.count(drawing) > 0, drawing in inner) == (True, False)
    assert re.findall(r'data-faces="(\w+)"', page) == re.findall(r'data-faces="(\w+)"', inner) * 2
    faces = set(re.findall(r'<g id="(face\d+)">', page))
    assert set(re.findall(r'href="#(face\d+)"', inner)) <= faces
    assert len(faces) == len(table.faces)


def test_a_piece_is_put_and_stays_in_hand(table: PretendedTable, ana: Visitor) -> None:
    answer = ana.post("/virtual/put", PLACE)

    assert answer.location == "/table?piece=domino-39"
    assert table.asked == [("put", "domino-39", 400.5, 300.0, 90.0)]
    assert "Back into the box" in ana.get(answer.location).text


def test_the_arrows_and_turns_say_where_a_piece_would_be(ana: Visitor) -> None:
    ana.post("/virtual/put", {**PLACE, "x": "5", "y": "895", "angle": "350"})
    page = ana.get("/table?piece=domino-39").text
    offered = re.findall(
        r'name="x" value="([\d.]+)"><input type="hidden" name="y" value="([\d.]+)">'
        r'<input type="hidden" name="angle" value="([\d.]+)">',
        page,
    )

    turns = [("5.0", "895.0", angle) for angle in ("260.00", "335.00", "5.00", "80.00")]
    moves = [("0.0", "895.0"), ("5.0", "885.0"), ("5.0", "900.0"), ("15.0", "895.0")]
    assert offered == [*turns, *((x, y, "350.00") for x, y in moves)]


def test_a_piece_from_the_box_is_laid_and_goes_back(table: PretendedTable, ana: Visitor) -> None:
    taken = sorted(names(table.aside))[0]
    page = ana.get(f"/table?piece={taken}").text

    assert "Lay it in the middle" in page
    assert ana.post("/virtual/put", {**PLACE, "piece": taken}).status == 303
    assert taken in names(table.lying)
    assert ana.post("/virtual/remove", {"piece": taken}).location == "/table"
    assert taken in names(table.aside)


def test_disturbances_faults_and_the_invisible_hand(table: PretendedTable, ana: Visitor) -> None:
    assert ana.post("/virtual/switch", {"key": "lamp", "on": "1"}).status == 303
    assert ana.post("/virtual/cause", {"key": "bump"}).status == 303
    assert ana.post("/virtual/play", {"on": "1"}).status == 303

    assert table.asked == [("switch", "lamp", True), ("cause", "bump"), ("play", True)]
    page = ana.get("/table").text
    assert "Take over" in page
    assert re.findall(r'aria-checked="(\w+)"><span>([^<]*)', page) == [
        ("true", "A lamp above the table"),
        ("true", "Somebody shakes the table"),
    ]


def test_people_take_their_seat_on_the_sessions_page_too(
    table: PretendedTable, ana: Visitor, session: Session
) -> None:
    table.playing = True
    path = f"/s/{session.id}"

    assert "This game plays itself." in ana.get(path).text
    assert ana.post(f"{path}/take-over").location == path
    assert (table.playing, "This game plays itself." in ana.get(path).text) == (False, False)


@pytest.mark.parametrize(
    ("form", "pushed"),
    (
        ({"seat": "1", "seconds": "0.1"}, (1, 0.1)),
        ({"seat": "0", "seconds": "2"}, (0, 2.0)),
        ({"seat": "common", "seconds": "1.234"}, (None, 1.234)),
    ),
)
def test_buttons_are_held_as_long_as_a_finger(
    table: PretendedTable, ana: Visitor, session: Session, form: dict[str, str], pushed: tuple[object, ...]
) -> None:
    back = f"/s/{session.id}?how=1"

    assert ana.post("/virtual/push", {**form, "back": back}).location == back
    assert table.asked == [("push", *pushed)]
    assert ana.post("/virtual/push", form, **{"X-Fragment": "1"}).status == 204
    assert ana.post("/virtual/push", {**form, "back": "https://elsewhere.example/"}).location == "/"


def test_the_panel_can_be_used_without_scripts(ana: Visitor, session: Session) -> None:
    page = ana.get(f"/s/{session.id}").text

    assert re.findall(r'name="seat" value="(\w+)"', page) == ["0", "1", "common"]
    assert page.count('<noscript><button name="seconds" value="2"') == 3


def test_the_page_tells_what_the_camera_makes_of_it(
    watcher: PretendedWatcher, ana: Visitor, session: Session
) -> None:
    reading = Reading((Proposal(session.game.parse("2 discards 39")),))
    watcher.show(reading=reading, lamps=Lamps((Lamp.OFF, Lamp.PULSE), Lamp.PULSE))
    page = ana.get("/table").text

    assert "discards domino 39" in page
    assert page.count("lamp pulsing: press to confirm") == 2
    assert f'href="/s/{session.id}"' in page


def test_pages_ask_whether_they_are_up_to_date(
    table: PretendedTable, watcher: PretendedWatcher, ana: Visitor, session: Session
) -> None:
    asked = ana.get("/table/version")

    seq = table.version + session.seq

    assert json.loads(asked.text) == {"seq": seq, "watch": watcher.watch.version}
    assert asked.headers["Cache-Control"] == "no-store"
    assert f'data-seq="{seq}" data-watch="{watcher.watch.version}"' in ana.get("/table").text
    watcher.show(session="")
    assert json.loads(ana.get("/table/version").text) == {"seq": table.version}
    assert "data-watch" not in ana.get("/table").text


BAD_NUMBERS = ("", "x", "-1", "1601", "1e3", "nan", "inf", "1" * 9, "²", "1,5", "0x10", "\0")


@pytest.mark.parametrize("number", BAD_NUMBERS)
@pytest.mark.parametrize("name", ("x", "y"))
def test_a_place_beside_the_table_is_refused(
    table: PretendedTable, ana: Visitor, name: str, number: str
) -> None:
    answer = ana.post("/virtual/put", {**PLACE, name: number})

    assert (answer.status, answer.notices, table.asked) == (400, [NOT_UNDERSTOOD], [])
    assert 'id="felt"' in answer.text, "the table is shown as it is"


@pytest.mark.parametrize(
    ("what", "form", "status", "says"),
    (
        ("put", {**PLACE, "piece": "domino-49"}, 404, NO_PIECE),
        ("put", {**PLACE, "piece": ""}, 400, NOT_UNDERSTOOD),
        ("put", {**PLACE, "piece": "<b>"}, 400, NOT_UNDERSTOOD),
        ("put", {**PLACE, "piece": "d" * 1000}, 400, NOT_UNDERSTOOD),
        ("put", {**PLACE, "angle": "99999"}, 400, NOT_UNDERSTOOD),
        ("put", {}, 400, NOT_UNDERSTOOD),
        ("remove", {"piece": "the table"}, 400, NOT_UNDERSTOOD),
        ("remove", {"piece": "table"}, 404, NO_PIECE),
        ("switch", {"key": "gravity", "on": "1"}, 404, NO_SUCH),
        ("switch", {"key": "lamp", "on": "maybe"}, 400, NOT_UNDERSTOOD),
        ("cause", {"key": "flood"}, 404, NO_SUCH),
        ("cause", {}, 400, NOT_UNDERSTOOD),
        ("play", {"on": "2"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "2", "seconds": "0.1"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "-1", "seconds": "0.1"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "everybody", "seconds": "0.1"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "1", "seconds": "3600"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "1", "seconds": "0"}, 400, NOT_UNDERSTOOD),
        ("push", {"seat": "1"}, 400, NOT_UNDERSTOOD),
    ),
)
def test_what_is_no_sense_is_refused_in_words(
    table: PretendedTable, ana: Visitor, what: str, form: dict[str, str], status: int, says: str
) -> None:
    answer = ana.post(f"/virtual/{what}", form)

    assert (answer.status, answer.notices, table.asked) == (status, [says], [])
    assert ana.get(f"/virtual/{what}").location == "/table", "where a browser without scripts stands then"


def test_without_the_pin_the_table_is_only_looked_at(served: Serving, table: PretendedTable) -> None:
    guest, app = served.visitor(), create_app(served.house)
    forms = [rule for rule in rules(app, "POST") if rule.endpoint.startswith("virtual.")]

    for rule in forms:
        answer = guest.post(
            address(rule, "x"), {**PLACE, "key": "lamp", "on": "1", "seat": "0", "seconds": "1"}
        )
        assert answer.location.startswith("/unlock?back="), rule.rule
    assert len(forms) == 6
    assert (table.asked, guest.get("/table").status, guest.get("/table/version").status) == ([], 200, 200)


def test_nothing_is_inline_on_the_virtual_table(
    table: PretendedTable, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(status=Status.BLIND, said=_("<b>Nothing</b>"))
    lying, aside = sorted(names(table.lying))[0], sorted(names(table.aside))[0]
    for wish in ("", f"?piece={lying}", f"?piece={aside}&zoom=1", "?piece=%3Cb%3E", "?zoom=9"):
        answer = ana.get(f"/table{wish}")
        assert (answer.status, forbidden(answer.text)) == (200, []), wish
        assert "<b>Nothing" not in answer.text


def test_a_table_whose_camera_watches_nothing_is_shown_all_the_same(
    watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(session="gone")
    assert ana.get("/table").status == 200
    watcher.show(session="")
    page = ana.get("/table")
    pushed = [ana.post("/virtual/push", {"seat": seat, "seconds": "1"}).status for seat in ("0", "common")]
    assert (page.status, 'class="panel"' in page.text, pushed) == (200, False, [400, 303])


def test_every_page_leads_to_the_table(ana: Visitor, session: Session) -> None:
    for path in ("/", "/sessions", f"/s/{session.id}", f"/s/{session.id}?view=drawn"):
        assert 'href="/table"' in ana.get(path).text, path
