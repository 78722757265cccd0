"""A session under a camera: what is shown, what people do about it, and that nothing else is recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from companion.core import notation
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Observation, Proposal, Reading
from companion.core.panel import Lamp, Lamps
from companion.core.session import Session
from companion.games import GAMES
from companion.store.store import Store
from companion.table import Table
from companion.watch.state import Announcement, Stage, Status, Way
from companion.web import House, create_app
from companion.web.pin import Doorkeeper
from tests.web.pretending import PretendedWatcher
from tests.web.serving import MOVES, PIN, Listener, Serving, begin, play, serving
from tests.web.test_guard import address, rules
from tests.web.test_pages import forbidden
from tests.web.visitor import Answer, Visitor

CHANGED = "The table has changed since you looked. Nothing was recorded: look again."
NOT_UNDERSTOOD = "The companion did not understand that. Nothing was recorded."
NOT_WATCHED = "The camera does not watch this game now. Nothing was recorded."
LAY = "2 lays 39 at 0,2 N"
HERE = Area(400, 300, 80, 40, 90)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Serving]:
    """A house whose camera watches a game of Ana and Rui that has come to entry 11."""
    table = Table(Store(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    house = House(table, Doorkeeper(PIN), b"s" * 32, listeners=8, watcher=watcher)
    session = play(table, begin(table), *MOVES)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    with serving(create_app(house), house) as served:
        yield served
    table.close()


@pytest.fixture
def watcher(watched: Serving) -> PretendedWatcher:
    assert isinstance(watched.house.watcher, PretendedWatcher)
    return watched.house.watcher


@pytest.fixture
def ana(watched: Serving) -> Visitor:
    return watched.unlocked()


def game(served: Serving) -> Session:
    watcher = served.house.watcher
    assert watcher
    return served.house.table.session(watcher.watch.session)


def recorded(served: Serving) -> list[str]:
    """What was recorded since the game came to entry 11."""
    session = game(served)
    return [notation.write(session.game, entry.event) for entry in session.entries[11:]]


def proposal(served: Serving, text: str = LAY) -> Proposal:
    return Proposal(game(served).game.parse(text), HERE, 0.97)


def said(answer: Answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def version(watcher: PretendedWatcher) -> dict[str, str]:
    return {"seq": str(watcher.watch.seq), "version": str(watcher.watch.version)}


def test_the_camera_is_shown_first_and_the_drawn_table_on_request(watched: Serving, ana: Visitor) -> None:
    path = f"/s/{game(watched).id}"

    camera, drawn = ana.get(path).text, ana.get(f"{path}?view=drawn").text

    assert f'data-live="{path}/watch.jpg"' in camera
    assert ("kingdomino" in camera, 'class="kingdomino place"' in camera) == (True, False)
    assert ('class="kingdomino place"' in drawn, "watch.jpg" in drawn) == (True, False)
    assert 'href="?view=drawn"' in camera


def test_what_is_tapped_in_beside_the_camera_leads_back_to_the_drawn_table(
    watched: Serving, ana: Visitor
) -> None:
    path = f"/s/{game(watched).id}"
    form = {"event": LAY, "seq": "11", "view": "drawn"}

    assert '<input type="hidden" name="view" value="drawn">' in ana.get(f"{path}?view=drawn").text
    assert ana.post(f"{path}/record", form).location == f"{path}?view=drawn"
    assert ana.post(f"{path}/undo", {"seq": "12"}).location == path
    refused = ana.post(f"{path}/record", {**form, "seq": "4"})
    assert (refused.status, 'class="kingdomino place"' in refused.text) == (409, True)


def test_another_game_is_shown_as_without_a_camera(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    other = play(watched.house.table, begin(watched.house.table), *MOVES[:3])
    page = ana.get(f"/s/{other.id}").text

    assert ("watch.jpg" in page, "data-watch" in page) == (False, False)
    assert f'action="/s/{other.id}/follow"' in page
    assert ana.get(f"/s/{other.id}/watch.jpg").status == 404
    assert ana.post(f"/s/{other.id}/follow").location == f"/s/{other.id}"
    assert watcher.watch.session == other.id
    assert "watch.jpg" in ana.get(f"/s/{other.id}").text


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


@pytest.mark.parametrize("stage", ("capture", "rectify", "settle", "locate"))
def test_steps_have_pictures_of_their_own(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor, stage: str
) -> None:
    assert ana.get(f"/s/{game(watched).id}/watch.jpg?stage={stage}").status == 200
    assert watcher.asked == [("picture", stage)]


@pytest.mark.parametrize("wish", ("stage=x", "stage=../keys.json", "doubt=0", "doubt=-1", "doubt=²"))
def test_a_picture_that_is_none_is_not_there(watched: Serving, ana: Visitor, wish: str) -> None:
    assert ana.get(f"/s/{game(watched).id}/watch.jpg?{quote(wish, safe='=')}").status == 404


def test_no_picture_is_said(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    watcher.show(status=Status.NO_CAMERA)
    page, picture = ana.get(f"/s/{game(watched).id}"), ana.get(f"/s/{game(watched).id}/watch.jpg")

    assert (picture.status, picture.text) == (503, "There is no picture.")
    assert "watch.jpg" not in page.text
    assert "Nothing is lost: see to its cable, or tap in what happens." in said(page)


@pytest.mark.parametrize(
    ("status", "words"),
    (
        (Status.STARTING, "The camera is starting."),
        (Status.BLIND, "The table cannot be found in the picture."),
        (Status.NO_CAMERA, "There is no picture from the camera."),
        (Status.MOVING, "Something moves"),
        (Status.WATCHING, "Play as always"),
    ),
)
def test_every_state_of_the_camera_has_its_words(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor, status: Status, words: str
) -> None:
    watcher.show(status=status)

    assert words in said(ana.get(f"/s/{game(watched).id}"))


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
    assert re.search(r'translate\(400 246.0\)"><g class="mark"><text>39</text>', page)


def test_a_proposal_is_confirmed_once(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    watcher.show(reading=Reading((proposal(watched),)))
    path, form = f"/s/{game(watched).id}", version(watcher)

    page = ana.get(path)
    assert "Rui places domino 39" in said(page)
    assert f'action="{path}/confirm"' in page.text
    assert ana.post(f"{path}/confirm", form).location == path
    assert recorded(watched) == [LAY]
    twice = ana.post(f"{path}/confirm", form)
    assert (twice.status, twice.notices) == (409, [CHANGED])
    assert recorded(watched) == [LAY]
    assert "proposing" not in ana.get(path).text, "the reading is about an older entry"


def test_who_looked_at_an_older_reading_is_told(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(reading=Reading((proposal(watched),)))
    before = version(watcher)
    watcher.show(reading=Reading((proposal(watched, "2 discards 39"),)))

    answer = ana.post(f"/s/{game(watched).id}/confirm", before)

    assert (answer.status, answer.notices, recorded(watched)) == (409, [CHANGED], [])


def test_a_question_is_answered(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    parse = game(watched).game.parse
    choices = (Choice((parse(LAY),)), Choice((), _("Nothing has happened")))
    doubts = (Doubt(_("Which one is it?"), choices, HERE, 1), Doubt(_("And this?"), choices[1:]))
    watcher.show(reading=Reading((), doubts))
    path = f"/s/{game(watched).id}"

    page, second = ana.get(path), ana.get(f"{path}?doubt=1")
    assert "Which one is it?" in said(page)
    assert "1 of 2" in said(page)
    assert "And this?" in said(second)
    assert f"watch.jpg?doubt=0&amp;v={watcher.watch.version}" in page.text
    assert ana.get(f"{path}/watch.jpg?doubt=0").status == 200
    assert watcher.asked[-1] == ("crop", HERE)
    assert ana.get(f"{path}/watch.jpg?doubt=1").status == 404
    assert ana.get(f"{path}/watch.jpg?doubt=7&v=1").status == 204, "an older page asks for what is no more"
    for form in ({"doubt": "2", "choice": "0"}, {"doubt": "1", "choice": "1"}):
        wrong = ana.post(f"{path}/answer", {**version(watcher), **form})
        assert (wrong.status, wrong.notices) == (409, [CHANGED])
    assert ana.post(f"{path}/answer", {**version(watcher), "doubt": "0", "choice": "0"}).status == 303
    assert watcher.asked[-1:] == [("answer", 0, 0)]
    assert recorded(watched) == [LAY]


def test_a_way_out_of_a_disagreement_is_taken(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    ways = (Way("table", _("The table is right")), Way("look", _("Look again")))
    odd = Contradiction(_("Domino 4 lies elsewhere."), HERE, player=0)
    watcher.show(
        status=Status.PAUSED,
        said=_("They disagree."),
        reading=Reading((proposal(watched),), (), (odd,)),
        ways=ways,
    )
    path = f"/s/{game(watched).id}"
    page = ana.get(path)

    assert all(words in said(page) for words in ("They disagree.", "Domino 4 lies elsewhere.", "Look again"))
    assert "proposing" not in page.text, "nothing is proposed until people say how it goes on"
    assert "The table and the page do not agree." in said(ana.get(f"{path}?view=drawn"))
    wrong = ana.post(f"{path}/way", {**version(watcher), "way": "burn"})
    assert (wrong.status, wrong.notices) == (409, [CHANGED])
    assert ana.post(f"{path}/way", {**version(watcher), "way": "look"}).status == 303
    assert (watcher.asked[-1], watcher.watch.status) == (("way", "look"), Status.WATCHING)


def test_recording_alone_is_switched_by_people(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    path = f"/s/{game(watched).id}"
    off = ana.get(path).text

    assert ana.post(f"{path}/alone", {"alone": "1"}).status == 303
    on = ana.get(path)
    assert watcher.watch.alone
    assert ('aria-checked="false"' in off, 'aria-checked="true"' in on.text) == (True, True)
    assert "Records alone when sure" in said(on)
    assert ana.post(f"{path}/alone", {"alone": "yes"}).status == 400
    assert watcher.watch.alone


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
    watcher.show(stages=tuple(Stage(name, number + 0.5) for number, name in enumerate(names[:7])))
    page = ana.get(f"/s/{game(watched).id}?how=1")

    assert re.findall(r'<li id="step-(\w+)">', page.text) == names
    assert re.findall(r"<small>([\d.]+ ms)</small>", page.text) == [f"{n}.5 ms" for n in range(7)]
    assert re.findall(r'id="shown-(\w+)"', page.text) == ["capture", "rectify", "locate"]


HOSTILE = ("", "-1", "1.5", "²", "1" * 10, "0x1", "\0", "true")


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    ("what", "name"),
    (
        *(("confirm", "seq"), ("confirm", "version"), ("answer", "doubt"), ("answer", "choice")),
        *(("way", "version"), ("alone", "alone")),
    ),
)
def test_numbers_that_are_none_change_nothing(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor, what: str, name: str, value: str
) -> None:
    watcher.show(
        reading=Reading((proposal(watched),), (Doubt(_("?"), (Choice((proposal(watched).event,)),)),)),
        ways=(Way("look", _("Look again")),),
    )
    before = watcher.watch
    form = {**version(watcher), "doubt": "0", "choice": "0", "way": "look", "alone": "1", name: value}

    answer = ana.post(f"/s/{game(watched).id}/{what}", form)

    assert (answer.status, answer.notices) == (400, [NOT_UNDERSTOOD])
    assert (watcher.watch, recorded(watched)) == (before, [])


@pytest.mark.parametrize("what", ("confirm", "answer", "way", "alone"))
def test_a_game_the_camera_does_not_watch_is_left_alone(watched: Serving, ana: Visitor, what: str) -> None:
    other = begin(watched.house.table)

    answer = ana.post(f"/s/{other.id}/{what}", {"seq": "1", "version": "1", "alone": "1"})

    assert (answer.status, answer.notices) == (409, [NOT_WATCHED])
    assert ana.post(f"/s/nobody/{what}").status == 404


def test_without_the_pin_nothing_is_changed_and_everything_is_seen(
    watched: Serving, watcher: PretendedWatcher
) -> None:
    watcher.show(reading=Reading((proposal(watched),)))
    guest, id, before = watched.visitor(), game(watched).id, watcher.watch
    app = create_app(watched.house)
    forms = [rule for rule in rules(app, "POST") if rule.endpoint.startswith("watch.")]

    for rule in forms:
        answer = guest.post(address(rule, id), {**version(watcher), "alone": "1", "way": "x"})
        assert answer.location.startswith("/unlock?back="), rule.rule
    assert len(forms) == 5
    assert (watcher.watch, recorded(watched)) == (before, [])
    for rule in rules(app, "GET"):
        if rule.endpoint.startswith("watch."):
            assert guest.get(address(rule, id)).status in (200, 303), rule.rule


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
        (Status.NO_CAMERA, "see to its cable"),
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
    bare = create_app(House(watched.house.table, Doorkeeper(PIN), b"s" * 32)).test_client()

    assert "No camera yet: everything is tapped in" in bare.get("/").text
    assert bare.get(f"/s/{game(watched).id}/watch.jpg").status_code == 404
    assert bare.get("/table").status_code == 404
