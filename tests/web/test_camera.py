"""What the page shows of a session under a camera, and of the camera."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest

from companion.core.devices import Lamp, Lamps
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Observation, Reading
from companion.games import GAMES
from companion.photos.teaching import BoxService
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.familiarity import Familiarity
from companion.watch.state import Announcement, PipelineStage, Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.camera import HERE, game, proposal, said
from tests.web.pretending import PretendedWatcher
from tests.web.serving import PIN, Listener, Serving, begin, serving
from tests.web.test_pages import forbidden
from tests.web.visitor import Visitor


def test_the_camera_is_shown_first_and_the_drawn_table_on_request(watched: Serving, ana: Visitor) -> None:
    path = f"/s/{game(watched).id}"

    camera, drawn = ana.get(path).text, ana.get(f"{path}?view=drawn").text

    assert f'data-live="{path}/watch.jpg"' in camera
    assert ("kingdomino" in camera, 'class="kingdomino place"' in camera) == (True, False)
    assert ('class="kingdomino place"' in drawn, "watch.jpg" in drawn) == (True, False)
    assert 'href="?view=drawn"' in camera


def test_the_picture_is_sent_once_until_it_changes(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    path = f"/s/{game(watched).id}/watch.jpg"
    first = ana.get(path)
    mark = first.headers["ETag"]

    assert (first.status, first.headers["Content-Type"]) == (200, "image/jpeg")
    assert first.headers["Cache-Control"] == "no-cache"
    assert ana.get(path, **{"If-None-Match": mark}).status == 304
    watcher.number += 1
    again = ana.get(path, **{"If-None-Match": mark})
    assert (again.status, again.headers["ETag"] == mark) == (200, False)


@pytest.mark.parametrize("stage", ("capture", "rectify"))
def test_steps_have_pictures_of_their_own(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor, stage: str
) -> None:
    assert ana.get(f"/s/{game(watched).id}/watch.jpg?stage={stage}").status == 200
    assert watcher.asked == [("picture", stage)]


@pytest.mark.parametrize(
    "wish", ("stage=x", "stage=settle", "odd=0", "stage=../keys.json", "doubt=0", "doubt=-1", "doubt=²")
)
def test_a_picture_that_is_none_is_not_there(watched: Serving, ana: Visitor, wish: str) -> None:
    assert ana.get(f"/s/{game(watched).id}/watch.jpg?{quote(wish, safe='=')}").status == 404


def test_no_picture_is_said(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    watcher.show(status=Status.NO_CAMERA)
    page, picture = ana.get(f"/s/{game(watched).id}"), ana.get(f"/s/{game(watched).id}/watch.jpg")

    assert (picture.status, picture.text) == (503, "There is no picture.")
    assert "watch.jpg" not in page.text
    assert "Nothing is lost: look at its cable, or tap in what happens." in said(page)


@pytest.mark.parametrize(
    ("status", "words"),
    (
        (Status.STARTING, "The camera is starting."),
        (Status.BLIND, "The table cannot be found in the picture."),
        (Status.NO_CAMERA, "There is no picture from the camera."),
        (Status.MOVING, "Something moves"),
        (Status.WATCHING, "Lay down the first pieces"),
    ),
)
def test_every_state_of_the_camera_has_its_words(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor, status: Status, words: str
) -> None:
    watcher.show(status=status)

    assert words in said(ana.get(f"/s/{game(watched).id}"))


@pytest.mark.parametrize(
    ("familiarity", "words", "taught"),
    (
        (Familiarity.KNOWN, "The camera knows these pieces", False),
        (Familiarity.STRANGE, "The camera does not know these pieces yet", True),
        (Familiarity.SMALL, "The pieces are too small in the camera", True),
    ),
)
def test_it_is_said_whether_the_camera_knows_the_pieces(
    watched: Serving,
    watcher: PretendedWatcher,
    ana: Visitor,
    familiarity: Familiarity,
    words: str,
    taught: bool,
) -> None:
    watcher.show(status=Status.WATCHING, familiarity=familiarity)
    page = said(ana.get(f"/s/{game(watched).id}"))

    assert (words in page, "count from a photo at the end" in page) == (True, taught)


@pytest.mark.parametrize("familiarity", (Familiarity.STRANGE, Familiarity.SMALL))
def test_who_has_strange_pieces_is_led_to_teaching_them(tmp_path: Path, familiarity: Familiarity) -> None:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    boxes = BoxService(tmp_path)
    house = House(
        table, PinRateLimiter(PIN), b"s" * 32, listeners=8, watcher=cast("Any", watcher), boxes=boxes
    )
    session = begin(table)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING, familiarity=familiarity)
    with serving(create_app(house), house) as served:
        page = served.unlocked().get(f"/s/{session.id}")
    table.close()

    assert (page.status, 'href="/box/kingdomino"' in page.text) == (200, True)
    assert said(page).count("count from a photo at the end") == 1, "said once"


def test_what_the_watcher_says_goes_first(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    watcher.show(status=Status.BLIND, said=_("Two markers are covered."))
    page = said(ana.get(f"/s/{game(watched).id}"))

    assert ("Two markers are covered." in page, "cannot be found" in page) == (True, False)


def test_where_the_table_is_not_found_the_cameras_own_picture_is_shown(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(status=Status.BLIND)
    page = ana.get(f"/s/{game(watched).id}").text

    assert "watch.jpg?stage=capture" in page
    assert 'class="overlay"' not in page


def test_what_was_read_is_drawn_in_millimetres(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    seen = (Observation("f0", 100, 50, 0, 0.9, "f1"),)
    odd = Contradiction(_("It lies elsewhere."), Area(900, 500, 80, 40))
    watcher.show(
        seen=seen,
        unknown=(Area(700, 700, 60, 60),),
        reading=Reading((proposal(watched),), (), (odd,)),
        status=Status.WATCHING,
    )
    page = ana.get(f"/s/{game(watched).id}").text
    drawn = re.findall(
        r'<g class="(\w+)">\s*(?:<polygon class="halo"[^>]*>\s*)?<polygon class="line" points="([^"]*)"', page
    )

    assert 'viewBox="0 0 1600.0 900.0"' in page or 'viewBox="0 0 1600 900"' in page
    assert drawn == [
        ("seen", "80.0,30.0 120.0,30.0 120.0,70.0 80.0,70.0"),
        ("unknown", "670.0,670.0 730.0,670.0 730.0,730.0 670.0,730.0"),
        ("proposed", "420.0,260.0 420.0,340.0 380.0,340.0 380.0,260.0"),
        ("contradicted", "860.0,480.0 940.0,480.0 940.0,520.0 860.0,520.0"),
    ]
    assert 'class="dim"' not in page
    assert re.search(r'translate\(400 246.0\)"><g class="mark"><text>39</text>', page)


def test_the_first_thing_disputed_stands_out_on_the_picture(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    odd = [Contradiction(_("Number %(n)d.", n=n), Area(300 * n, 500, 80, 40)) for n in (1, 2, 3)]
    doubt = Doubt(_("Which one?"), (Choice((proposal(watched).event,)),), HERE)
    watcher.show(reading=Reading((), (doubt,), tuple(odd)), status=Status.PAUSED, said=odd[0].text)
    path = f"/s/{game(watched).id}"
    page = ana.get(path)

    assert re.findall(r'<g class="(\w+)">', page.text) == ["later", "later", "contradicted", "mark"]
    assert "M260.0,480.0 340.0,480.0 340.0,520.0 260.0,520.0Z" in page.text
    assert "Number 1. 1 of 3" in said(page)
    assert ("Which one?" in said(page), "Number 2." in said(page)) == (False, False)
    assert ana.get(f"{path}/watch.jpg?odd=0&v={watcher.watch.version}").status == 200
    assert watcher.asked[-1] == ("crop", odd[0].area)
    assert ana.get(f"{path}/watch.jpg?odd=7&v=1").status == 204
    watcher.show(reading=Reading((), (doubt,)), status=Status.WATCHING, said=None)
    assert "Which one?" in said(ana.get(path))


def test_one_press_is_told_in_full(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    events = ("2 lays 39 at 0,2 N", "2 takes 25", "1 takes 10", "line 1 2 3 4", "2 discards 39")
    watcher.show(reading=Reading(tuple(proposal(watched, event) for event in events)))

    rows = re.findall(r"<li>(.*?)</li>", ana.get(f"/s/{game(watched).id}").text, re.DOTALL)
    told = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows if "deed" in row]

    places = told[0].partition(" · ")[0]
    assert places.startswith("R Rui places domino 39")
    assert told == [
        f"{places} · chooses domino 25",
        "A Ana chooses domino 10",
        "4 New line: 1 · 2 · 3 · 4",
        "R Rui discards domino 39",
    ]


def test_lamps_and_buttons_are_told_in_words(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(
        lamps=Lamps((Lamp.PULSE, Lamp.STEADY), Lamp.BLINK),
        announcement=Announcement(_("pressed: recorded"), 0, 3),
    )
    page = ana.get(f"/s/{game(watched).id}")

    assert re.findall(r'aria-label="(\w+: lamp[^"]*)"', page.text) == [
        "Ana: lamp pulsing: press to confirm",
        "Rui: lamp on: this player's turn",
        "Everybody: lamp flashing: look at the page",
    ]
    assert "Ana pressed: recorded" in said(page)
    assert "/virtual/" not in page.text, "real buttons are pushed on the table"


def test_how_it_works_is_told_in_eight_steps(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    names = "capture rectify settle locate classify read record show".split()
    watcher.show(stages=tuple(PipelineStage(name, number + 0.5) for number, name in enumerate(names[:7])))
    page = ana.get(f"/s/{game(watched).id}?how=1")

    assert re.findall(r'<li id="step-(\w+)">', page.text) == names
    assert re.findall(r"<small>([\d.]+ ms)</small>", page.text) == [f"{n}.5 ms" for n in range(7)]
    assert re.findall(r'id="shown-(\w+)"', page.text) == ["capture", "rectify", "locate"]
    assert "When somebody confirms, by a button or a tap." in said(page)
    watcher.show(alone=True)
    alone = said(ana.get(f"/s/{game(watched).id}?how=1"))
    assert "By itself when all is clear, as you allowed it." in alone
    assert "When somebody confirms, by a button or a tap." not in alone


def test_nothing_is_inline_under_the_camera(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    doubt = Doubt(_("?"), (Choice((proposal(watched).event,)),), HERE)
    odd = Contradiction(_("It lies elsewhere."), HERE)
    for status in Status:
        watcher.show(
            status=status,
            reading=Reading((proposal(watched),), (doubt,), (odd,)),
            announcement=Announcement(_("<b>"), 0, 1),
        )
        for wish in ("", "?how=1", "?view=drawn", "?doubt=7", "?doubt=²", "?view=x"):
            answer = ana.ask("GET", f"/s/{game(watched).id}{wish}".replace("²", "%C2%B2"))
            assert (answer.status, forbidden(answer.text)) == (200, []), (status, wish)
            assert "<b></span>" not in answer.text


def test_the_stream_tells_what_the_camera_shows(watched: Serving, watcher: PretendedWatcher) -> None:
    id, first = game(watched).id, watcher.watch.version
    listener = Listener(watched.port, id)

    def told() -> str:
        while not (line := listener.line()).startswith("data: "):
            assert line, "the stream has ended"
        return line.removeprefix("data: ").strip()

    assert told() == f'{{"seq": 11, "watch": {first}}}'
    watcher.show(status=Status.MOVING)
    assert told() == f'{{"seq": 11, "watch": {first + 1}}}'
    watcher.show(session="")
    assert told() == '{"seq": 11}'
    listener.close()


def test_a_page_drawn_for_all_is_drawn_again_for_news_of_the_camera(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    path, inner = f"/s/{game(watched).id}", {"X-Fragment": "1"}

    before = ana.get(path, **inner).text
    assert ana.get(path, **inner).text == before
    watcher.show(reading=Reading((proposal(watched),)))
    after = ana.get(path, **inner).text

    assert ("proposing" in before, "proposing" in after) == (False, True)
    assert f'data-watch="{watcher.watch.version}"' in after


@pytest.mark.parametrize(
    ("status", "words"),
    (
        (Status.STARTING, "The camera is starting."),
        (Status.WATCHING, "The camera watches Kingdomino."),
        (Status.NO_CAMERA, "look at its cable"),
        (Status.BLIND, "The table cannot be found"),
    ),
)
def test_the_first_page_says_how_the_camera_is(
    watcher: PretendedWatcher, ana: Visitor, status: Status, words: str
) -> None:
    watcher.show(status=status, camera="front door")
    page = said(ana.get("/"))

    assert words in page
    assert "front door" in page
    watcher.show(status=Status.WATCHING, session="")
    assert "The camera is ready: start a game" in said(ana.get("/"))


def test_without_a_camera_the_first_page_says_so(watched: Serving) -> None:
    bare = create_app(House(watched.house.sessions, PinRateLimiter(PIN), b"s" * 32)).test_client()

    assert "No camera yet: everything is tapped in" in bare.get("/").text
    assert bare.get(f"/s/{game(watched).id}/watch.jpg").status_code == 404
    assert bare.get("/table").status_code == 404


def test_the_first_page_says_what_this_is_until_somebody_has_played(tmp_path: Path) -> None:
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    client = create_app(House(table, PinRateLimiter(PIN), b"s" * 32)).test_client()
    sentence = "The companion counts the points of your board game"

    fresh = client.get("/").text
    people = (Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE))
    table.begin(GAMES["kingdomino"], Setup(people), Source.DEMO)
    demonstrated = client.get("/").text
    table.begin(GAMES["kingdomino"], Setup(people), Source.PAGE)
    played = client.get("/").text
    table.close()

    assert [sentence in page for page in (fresh, demonstrated, played)] == [True, True, False]
