"""What the camera's page tells in passing, what else it disagrees about, and where it leads without a picture."""

from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic

from companion.core.message import message as _
from companion.core.observation import Area, Choice, Contradiction, Doubt, Picture, Reading
from companion.watch.state import Announcement, Status, WayOut
from companion.web.looking import TOLD_S
from tests.web.camera import HERE, game, said
from tests.web.pretending import PretendedWatcher
from tests.web.serving import Serving
from tests.web.visitor import Visitor

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
