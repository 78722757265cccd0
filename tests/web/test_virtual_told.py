"""What the virtual table's page tells: whose turn it is, what is asked, what has gone wrong and how it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, cast
from urllib.parse import quote

import pytest

from companion.core.message import message as _
from companion.core.observation import Area, Choice, Doubt, Reading
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.mock_pins import MockPins
from companion.virtual.table import VirtualTable
from companion.watch.state import Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from hardware.pins import PIN_MAP_FILE, load_pin_map
from tests.web.pretending import PretendedWatcher, Stopped
from tests.web.serving import MOVES, PIN, Serving, begin, play, serving
from tests.web.visitor import Visitor

NO_HAND = "The invisible hand plays the game of the demonstration only."
HATCHED = "What is hatched cannot be read. Move it a little, or take it away."
COVERED = "Nothing is read on the tablet, the lamps and close beside them: lay it elsewhere."
HAPPENED = re.compile(
    r'class="notice happened">.*?<span>([^<]+)</span>(?:<button[^>]*>([^<]+)</button>)?', re.S
)
ENDINGS = {
    "wrong": "Lay it rightly",
    "haste": "Put all of it back",
    "back": "Lay it there again",
    "shoved": "Move it back",
    "figure": "Set it back",
    "napkin": "Take the napkin away",
    "cup": "Take the cup away",
    "bumped": "Push it back",
    "unplugged": "Plug it in",
    "bounce": "",
    "stick": "Free the button",
    "chatter": "",
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    """A house with a virtual table of its own, but nobody who looks at its pictures."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    session = play(table, begin(table), *MOVES)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    sight = session.game.sight
    assert sight
    pins = MockPins(load_pin_map(PIN_MAP_FILE))
    virtual = VirtualTable(sight, pins)
    virtual.watched = lambda: table.session(session.id)
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
    virtual.close()
    pins.close()
    table.close()


@pytest.fixture
def virtual(served: Serving) -> VirtualTable:
    assert isinstance(served.house.virtual, VirtualTable)
    return served.house.virtual


@pytest.fixture
def session(served: Serving) -> Session:
    assert served.house.watcher
    return served.house.sessions.session(served.house.watcher.watch.session)


@pytest.fixture
def ana(served: Serving) -> Visitor:
    return served.unlocked()


def set_out(virtual: VirtualTable, session: Session, position: object) -> None:
    start = session.game.start(session.setup)
    assert session.game.sight
    virtual.set_out(session.game.sight, session.setup, position, start)


@pytest.mark.parametrize("key", ENDINGS)
def test_every_fault_says_what_it_does_and_is_put_right(
    virtual: VirtualTable, session: Session, ana: Visitor, key: str
) -> None:
    set_out(virtual, session, session.position)
    before = {one.piece: one for one in virtual.lying}
    assert ana.post("/virtual/cause", {"key": key}).location == "/table"
    happened = HAPPENED.findall(ana.get("/table").text)

    assert [ending for _told, ending in happened] == [ENDINGS[key]]
    assert happened[0][0].endswith(".")
    if ENDINGS[key]:
        ana.post("/virtual/cause", {"key": key})
        assert HAPPENED.findall(ana.get("/table").text) == []
        assert {one.piece: one for one in virtual.lying} == before


@pytest.mark.parametrize(
    ("key", "why"),
    (
        ("wrong", "No turn has laid a piece yet that could lie wrongly."),
        ("back", "No turn has laid a piece yet that could be taken back."),
        ("shoved", "No piece has been laid yet that could be moved."),
        ("figure", "No figure stands on the table yet."),
    ),
)
def test_a_fault_that_cannot_happen_yet_says_why(
    virtual: VirtualTable, session: Session, ana: Visitor, key: str, why: str
) -> None:
    set_out(virtual, session, session.game.start(session.setup))
    before = virtual.lying
    answer = ana.post("/virtual/cause", {"key": key})

    assert (answer.status, answer.notices, HAPPENED.findall(answer.text)) == (422, [why], [])
    assert virtual.lying == before


def test_what_a_fault_touched_stands_out_until_somebody_moves_it(
    virtual: VirtualTable, session: Session, ana: Visitor
) -> None:
    set_out(virtual, session, session.position)
    ana.post("/virtual/cause", {"key": "shoved"})
    page = ana.get("/table").text
    (odd,) = re.findall(r'class="piece odd" data-piece="([^"]+)"', page)
    x, y = Random(1).uniform(200, 300), Random(2).uniform(200, 300)
    virtual.put(odd, x, y, 0)
    page = ana.get("/table").text

    assert not odd.startswith("castle")
    assert ("odd" in re.findall(r'class="piece ?(\w*)"', page), HAPPENED.findall(page)) == (False, [])


def test_the_hand_plays_the_game_it_knows_and_no_other(
    virtual: VirtualTable, served: Serving, ana: Visitor
) -> None:
    assert "Let an invisible hand play" in ana.get("/table").text
    other = begin(served.house.sessions)
    assert isinstance(served.house.watcher, PretendedWatcher)
    served.house.watcher.show(session=other.id, seq=other.seq)
    refused = ana.post("/virtual/play", {"on": "1"})

    assert "Let an invisible hand play" not in ana.get("/table").text
    assert (refused.status, refused.notices[0], virtual.playing) == (422, NO_HAND, False)
    assert ana.post("/virtual/play", {"on": "0"}).status == 303


def test_the_page_says_whose_turn_it_is_and_what_is_asked(
    served: Serving, ana: Visitor, session: Session
) -> None:
    watcher = served.house.watcher
    assert isinstance(watcher, PretendedWatcher)
    turn, event = session.turn, session.game.parse("2 discards 39")
    assert turn.player is not None
    name = session.setup.players[turn.player].name
    page = ana.get("/table").text
    doubt = Doubt(_("Which one is it?"), (Choice((event,)), Choice(())))
    watcher.show(reading=Reading(doubts=(doubt,)))
    asking = ana.get("/table").text

    assert re.search(
        rf'<h1 class="turn[^>]*>\s*<svg.*?</svg><b>{name}</b><span>{turn.action}</span>', page, re.S
    )
    assert f'action="/s/{session.id}/undo"' in page
    assert ("Which one is it?" in asking, f'action="/s/{session.id}/answer"' in asking) == (True, True)


def test_what_the_camera_cannot_read_is_drawn_and_told(
    served: Serving, virtual: VirtualTable, session: Session, ana: Visitor
) -> None:
    watcher = served.house.watcher
    assert isinstance(watcher, PretendedWatcher)
    set_out(virtual, session, session.position)
    tablet, lamps = virtual.ignore
    before = ana.get("/table").text
    watcher.show(unknown=(Area(500, 500, 44, 20),))
    hatched = ana.get("/table").text
    virtual.put(virtual.lying[0].piece, lamps.x, lamps.y + lamps.height / 2 + 5, 0)
    covered = ana.get("/table").text

    left, top = tablet.lit.corners[0]
    assert before.count('class="furniture"') == 2
    assert f'<polygon points="{left * 10:.0f},{top * 10:.0f} ' in before
    assert [HATCHED in page for page in (before, hatched, covered)] == [False, True, False]
    assert [COVERED in page for page in (before, hatched, covered)] == [False, False, True]


def test_a_piece_of_the_box_is_turned_before_it_is_laid(virtual: VirtualTable, ana: Visitor) -> None:
    taken = virtual.aside[0].piece
    page = ana.get(f"/table?piece={taken}&turn=90").text

    assert f'href="?piece={taken}&amp;turn=180"' in page
    assert '<input type="hidden" name="angle" value="90.00">' in page
    for turn in ("x", "-1", "1" * 9, "²"):
        assert (
            '<input type="hidden" name="angle" value="0.00">'
            in ana.get(f"/table?piece={taken}&turn={quote(turn)}").text
        )
