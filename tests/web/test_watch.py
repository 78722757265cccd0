"""What people do about what the camera reads; and that nothing else is recorded."""

from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic

import pytest

from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Picture, Reading
from companion.core.session import Session
from companion.watch.state import Announcement, Status, WayOut
from companion.web import create_app
from companion.web.watch_presenter import TOLD_S
from tests.web.camera import CHANGED, HERE, LAY, NOT_UNDERSTOOD, game, proposal, recorded, said, version
from tests.web.pretending import PretendedWatcher
from tests.web.serving import MOVES, Serving, begin, play
from tests.web.test_guard import address, rules
from tests.web.visitor import Visitor

NOT_WATCHED = "The camera does not watch this game now. Nothing was recorded."


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
    other = play(watched.house.sessions, begin(watched.house.sessions), *MOVES[:3])
    page = ana.get(f"/s/{other.id}").text

    assert ("watch.jpg" in page, "data-watch" in page) == (False, False)
    assert f'action="/s/{other.id}/follow"' in page
    assert "The camera watches another game now." in page
    assert "The camera watches another game now." not in ana.get(f"/s/{game(watched).id}").text
    assert ana.get(f"/s/{other.id}/watch.jpg").status == 404
    assert ana.post(f"/s/{other.id}/follow").location == f"/s/{other.id}"
    assert watcher.watch.session == other.id
    assert "watch.jpg" in ana.get(f"/s/{other.id}").text


def test_that_the_camera_watches_another_game_is_told_until_a_device_puts_it_away(
    watched: Serving, ana: Visitor
) -> None:
    told, table = "The camera watches another game now.", watched.house.sessions
    other, third = (play(table, begin(table), *MOVES[:3]).id for _game in range(2))

    def tells(who: Visitor, id: str) -> tuple[bool, bool]:
        """On the page, and in what an open page asks for."""
        return told in who.get(f"/s/{id}").text, told in who.get(f"/s/{id}", **{"X-Fragment": "1"}).text

    before = tells(ana, other)
    assert f'action="/s/{other}/away"' in ana.get(f"/s/{other}").text
    assert ana.post(f"/s/{other}/away").location == f"/s/{other}"

    assert before == (True, True)
    assert tells(ana, other) == (False, False)
    assert tells(ana, third) == (True, True), "another game is another matter"
    assert tells(watched.unlocked(), other) == (True, True), "another device has not put it away"
    assert tells(watched.visitor(), other) == (False, False), "whoever only looks could do nothing about it"
    assert f'action="/s/{other}/follow"' in ana.get(f"/s/{other}").text, "the menu still leads back"


@pytest.mark.parametrize(("key", "colours"), (("dominion", "red blue"), ("dominations", "white black")))
def test_a_game_the_camera_knows_nothing_of_is_shown_as_without_one(
    watcher: PretendedWatcher, ana: Visitor, key: str, colours: str
) -> None:
    first, second = colours.split()
    form = {"name0": "Ana", "colour0": first, "name1": "Rui", "colour1": second}
    path = ana.post(f"/new/{key}", form).location
    watcher.show(session=path.removeprefix("/s/"), seq=0)
    page = ana.get(path).text

    assert ("watch.jpg" in page, "data-watch" in page, "view=camera" in page) == (False, False, False)
    assert f'class="{key}' in page


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
        assert (wrong.status, wrong.notices) == (422, ["There is no such answer."])
    assert ana.post(f"{path}/answer", {**version(watcher), "doubt": "0", "choice": "0"}).status == 303
    assert watcher.asked[-1:] == [("answer", 0, 0)]
    assert recorded(watched) == [LAY]


def test_what_a_question_stands_in_the_way_of_cannot_be_confirmed(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    doubt = Doubt(_("Which one is it?"), (Choice((game(watched).game.parse(LAY),)),))
    watcher.show(reading=Reading((proposal(watched),), (doubt,)))

    page = ana.get(f"/s/{game(watched).id}")

    assert "Rui places domino 39" in said(page)
    assert "First answer the question." in said(page)
    assert "/confirm" not in page.text


def test_a_way_out_of_a_disagreement_is_taken(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    ways = (WayOut("table", _("The table is right")), WayOut("look", _("Look again")))
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
    assert "propos" not in page.text, "nothing is proposed until people say how it goes on"
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


HOSTILE = ("", "-1", "1.5", "²", "1" * 16, "0x1", "\0", "true")


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
        ways=(WayOut("look", _("Look again")),),
    )
    before = watcher.watch
    form = {**version(watcher), "doubt": "0", "choice": "0", "way": "look", "alone": "1", name: value}

    answer = ana.post(f"/s/{game(watched).id}/{what}", form)

    assert (answer.status, answer.notices) == (400, [NOT_UNDERSTOOD])
    assert (watcher.watch, recorded(watched)) == (before, [])


@pytest.mark.parametrize("what", ("confirm", "answer", "way", "alone"))
def test_a_game_the_camera_does_not_watch_is_left_alone(watched: Serving, ana: Visitor, what: str) -> None:
    other = begin(watched.house.sessions)

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


TEXT = _("This button is stuck: it does not count until it has been released.")


def stuck(player: int = 1, seconds_ago: float = 0) -> Announcement:
    return Announcement(TEXT, player, 7, monotonic() - seconds_ago)


def test_what_a_button_did_is_not_told_to_who_comes_later(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    path = f"/s/{game(watched).id}"
    watcher.show(announcement=stuck())
    fresh = ana.get(path)
    watcher.show(announcement=stuck(seconds_ago=TOLD_S))
    later = ana.get(path)
    inner = ana.get(path, **{"X-Fragment": "1"})

    assert "Rui This button is stuck" in said(fresh)
    assert ["stuck" in said(page) for page in (later, inner)] == [False, False]


def test_a_page_drawn_once_forgets_what_is_old(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    path, inner = f"/s/{game(watched).id}", {"X-Fragment": "1"}
    watcher.show(announcement=stuck())
    fresh = ana.get(path, **inner)
    watcher.watch = replace(watcher.watch, announcement=stuck(seconds_ago=TOLD_S))
    later = ana.get(path, **inner)

    assert ["stuck" in said(page) for page in (fresh, later)] == [True, False]


def test_a_button_nobody_sits_at_is_told_by_its_number(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(announcement=stuck(player=3))

    assert "Button 4 This button is stuck" in said(ana.get(f"/s/{game(watched).id}"))


def test_an_answer_shows_what_would_lie_there(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    session = game(watched)
    one, other = (
        Choice(
            (session.game.parse("2 discards 39"),), pictures=(Picture(face, unsure=True), Picture("domino-3"))
        )
        for face in ("domino-20", "domino-14")
    )
    watcher.show(reading=Reading(doubts=(Doubt(_("Which one is it?"), (one, other, Choice(()))),)))
    page = ana.get(f"/s/{session.id}").text

    assert re.findall(r'<g id="answer-(domino-\d+)"', page) == ["domino-20", "domino-3", "domino-14"]
    shown = re.findall(
        r'<svg class="(\w*)" viewBox="0 0 800.0 400.0"[^>]*><use href="#answer-(domino-\d+)"', page
    )
    assert shown == [("unsure", "domino-20"), ("", "domino-3"), ("unsure", "domino-14"), ("", "domino-3")]


def test_people_look_at_what_comes_second(watched: Serving, watcher: PretendedWatcher, ana: Visitor) -> None:
    first = Contradiction(_("Domino 4 lies elsewhere."), HERE, player=0)
    second = Contradiction(_("Domino 31 is not on the table."), Area(900, 300, 80, 40), player=1)
    watcher.show(
        status=Status.PAUSED,
        said=_("They disagree."),
        reading=Reading((), (), (first, second)),
        ways=(WayOut("look", _("Look again")),),
    )
    path = f"/s/{game(watched).id}"
    page, other, beyond = (ana.get(f"{path}{wish}") for wish in ("", "?odd=1", "?odd=99"))

    assert all(words in said(page) for words in ("They disagree.", "1 of 2", "Look again"))
    assert 'href="?odd=1"' in page.text
    assert said(beyond) == said(other)
    assert all(words in said(other) for words in ("is not on the table.", "2 of 2", "Back to the first"))
    assert "Look again" not in said(other), "the ways out are about the first"
    assert f"watch.jpg?odd=1&amp;v={watcher.watch.version}" in other.text
    marks = [
        text.split('class="contradicted"')[1].split("translate(")[1][:5] for text in (page.text, other.text)
    ]
    assert marks == ["400 2", "900 2"]


def test_without_a_picture_the_drawn_table_is_a_tap_away(
    watched: Serving, watcher: PretendedWatcher, ana: Visitor
) -> None:
    watcher.show(status=Status.NO_CAMERA)
    blind = ana.get(f"/s/{game(watched).id}")
    watcher.show(status=Status.WATCHING)

    assert "Look at the drawn table meanwhile" in said(blind)
    assert "Look at the drawn table meanwhile" not in said(ana.get(f"/s/{game(watched).id}"))


OFFER = "Let the camera read the table"


@pytest.fixture
def counting(watched: Serving, watcher: PretendedWatcher) -> Session:
    session = begin(watched.house.sessions, options="score_only")
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    return session


def test_the_drawn_table_comes_first_and_the_camera_is_offered(counting: Session, ana: Visitor) -> None:
    path = f"/s/{counting.id}"
    usual, camera, how = (ana.get(f"{path}{wish}") for wish in ("", "?view=camera", "?how=1"))

    assert ("data-count" in usual.text, 'class="scene"' in usual.text, OFFER in said(usual)) == (
        True,
        False,
        True,
    )
    assert re.search(r'href="\?view=camera"[^>]*>[^<]*<svg[^§]*?Let the camera read', usual.text)
    assert ("data-count" in camera.text, 'class="scene"' in camera.text) == (False, True)
    assert OFFER not in said(camera)
    assert "in eight steps" in said(how)


def test_who_looks_at_the_camera_stays_there(counting: Session, ana: Visitor) -> None:
    path = f"/s/{counting.id}"

    assert 'name="view"' not in ana.get(path).text
    assert '<input type="hidden" name="view" value="camera">' in ana.get(f"{path}?view=camera").text
    answer = ana.post(f"{path}/alone", {"alone": "1", "view": "camera"})
    assert answer.location == f"{path}?view=camera"
    assert ana.post(f"{path}/alone", {"alone": "0"}).location == path


def test_nobody_has_thought_where_only_the_end_is_counted(watched: Serving, ana: Visitor) -> None:
    played = game(watched)
    counting = begin(watched.house.sessions, options="score_only")

    assert "Thinking time" in said(ana.get(f"/s/{played.id}/result"))
    assert "Thinking time" not in said(ana.get(f"/s/{counting.id}/result"))
