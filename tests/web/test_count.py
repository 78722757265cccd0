"""A finished game counted from a photo, from the first page on: nothing is there before, nothing recorded too early."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

from companion.core import notation
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.reader import PhotoReader
from companion.photos.service import MOST_OUTLINED, NOTHING_BETWEEN, GroupOutline
from companion.web.count import _seen_before
from tests.vision.photo.kingdoms import board, file_of, photo
from tests.web.sending import hidden, send
from tests.web.serving import Serving, begin, play
from tests.web.test_photo import ana, clock, counting, kingdom_of_half_the_box, two_kingdoms  # noqa: F401
from tests.web.visitor import Answer, Visitor

COUNT = "/count/kingdomino"
EXPECTED = sorted(property_points(kingdom_of_half_the_box(which)) for which in (0, 1))


def follow(visitor: Visitor, page: Answer, pattern: str) -> Answer:
    """Tap the first link that looks like that."""
    found = re.search(rf'<a [^>]*href="(\?[^"]*)"[^>]*>(?:(?!</a>).)*?{pattern}', page.text, re.DOTALL)
    assert found, pattern
    return visitor.get(COUNT + unescape(found[1]).partition("#")[0])


def answered(visitor: Visitor, page: Answer) -> Answer:
    """Take the likeliest answer to every question, and go on."""
    for _question in range(40):
        links = re.findall(r'class="button (?:big answer|primary big)" href="(\?[^"]*)"', page.text)
        if not links:
            return page
        page = visitor.get(COUNT + unescape(links[0]).partition("#")[0])
    raise AssertionError("the questions never end")


def outline(visitor: Visitor, page: Answer, corners: str) -> Answer:
    """Show where something lies that was not found."""
    action = re.search(r'action="(/count/kingdomino/corners[^"]*)"', page.text)
    assert action
    named = {
        f"{axis}{number}": at
        for number, place in enumerate(corners.split())
        for axis, at in zip("xy", place.split(","), strict=True)
    }
    asked = {name: hidden(page, name) for name in ("photo", "new")}
    return visitor.post(unescape(action[1]), {**asked, **named})


def record(visitor: Visitor, page: Answer, **names: str) -> Answer:
    action = re.search(r'action="(/count/kingdomino/record[^"]*)"', page.text)
    assert action
    groups = re.findall(r'name="group" value="([^"]*)"', page.text)
    return visitor.post(unescape(action[1]), {"group": groups, **names})


def test_a_finished_game_is_counted_from_one_photo(counting: Serving, ana: Visitor) -> None:  # noqa: F811
    before = [one.id for one in counting.house.sessions.list(50)]

    first = ana.get("/")
    found = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)
    page = answered(ana, found)
    unrecorded = [one.id for one in counting.house.sessions.list(50)]
    done = record(ana, page, name_blue="Ana", name_pink="Rui")

    (id,) = {one.id for one in counting.house.sessions.list(50)} - {*before}
    session = counting.house.sessions.session(id)
    assert f'href="{COUNT}"' in first.text
    assert found.text.count('class="seen"') == 2
    assert re.findall(r'chosen proposed"[^>]*aria-label="(\w+)"', found.text)[0] == "Blue", (
        "as its castle says"
    )
    assert unrecorded == before
    assert (done.status, done.location) == (303, f"/s/{id}/result")
    assert sorted(session.tally.totals) == EXPECTED
    assert (session.turn.over, {player.name for player in session.setup.players}) == (True, {"Ana", "Rui"})
    assert record(ana, page).status == 409, "a tap sent twice counts once"
    assert len(counting.house.sessions.list(50)) == len(before) + 1


def test_everybody_taps_their_colour(ana: Visitor) -> None:  # noqa: F811
    found = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)

    owners = re.findall(r'href="(\?[^"]*who0=green[^"]*)"', found.text)
    named = ana.get(COUNT + unescape(owners[0]))
    again = re.findall(r'href="(\?[^"]*who1=green[^"]*)"', named.text)
    swapped = ana.get(COUNT + unescape(again[0]))

    assert re.findall(r'aria-current="true"><svg class="token ink-(\w+)"', named.text)[0] == "green"
    assert re.findall(r'aria-current="true"><svg class="token ink-(\w+)"', swapped.text)[1] == "green"
    assert "who0=green" not in unescape(again[0])
    assert "Found: 2. What is not outlined does not count." in found.text


def test_a_picture_in_which_nothing_is_found_counts_for_nothing(ana: Visitor) -> None:  # noqa: F811
    empty = np.full((600, 800, 3), (60, 110, 150), np.uint8)

    found = ana.get(send(ana, f"{COUNT}/photo", file_of(empty)).location)

    assert "Found: 0. What is not outlined does not count." in found.text
    assert "Yes, as shown" not in found.text
    assert "<polygon" not in found.text


def test_one_kingdom_is_not_a_game_and_a_second_photo_brings_the_other(
    counting: Serving,  # noqa: F811
    ana: Visitor,  # noqa: F811
) -> None:
    one, other = (file_of(photo(board(kingdom_of_half_the_box(which)))) for which in (0, 1))

    first = answered(ana, ana.get(send(ana, f"{COUNT}/photo", one).location))
    action = re.search(r'action="(/count/kingdomino/photo[^"]*)"', first.text)
    assert action
    both = answered(ana, ana.get(send(ana, unescape(action[1]), other).location))
    done = record(ana, both)

    assert first.notices == ["Somebody's pieces are missing: take a photo of them, too."]
    assert f"{COUNT}/record" not in first.text
    assert done.status == 303
    assert sorted(counting.house.sessions.session(done.location.split("/")[2]).tally.totals) == EXPECTED


def test_what_a_second_photo_shows_again_counts_once(ana: Visitor) -> None:  # noqa: F811
    both, one = two_kingdoms(), file_of(photo(board(kingdom_of_half_the_box(0))))
    page = ana.get(send(ana, f"{COUNT}/photo", both).location)
    action = re.search(r'action="(/count/kingdomino/photo[^"]*)"', page.text)
    assert action

    again = ana.get(send(ana, unescape(action[1]), one).location)
    counted = follow(ana, again, "Number 3 is the same as one before")

    assert page.text.count('class="seen"') == again.text.count('class="seen"') == 2
    assert counted.text.count('class="seen"') == 3


def test_a_game_that_is_going_on_ends_as_the_photo_shows_it(counting: Serving, ana: Visitor) -> None:  # noqa: F811
    session = begin(counting.house.sessions, names=("Zé", "Lia"))
    play(counting.house.sessions, session, "line 4 31 39 41", "1 takes 4")
    menu = ana.get(f"/s/{session.id}")

    sent = send(ana, f"{COUNT}/photo?going={session.id}", two_kingdoms())
    page = answered(ana, ana.get(sent.location))
    done = record(ana, page)

    assert f"{COUNT}?going={session.id}" in menu.text
    assert "The game that is going on ends with this." in page.text
    assert done.location == f"/s/{session.id}/result"
    ended = counting.house.sessions.session(session.id)
    assert [player.name for player in ended.setup.players] == ["Zé", "Lia"]
    assert (ended.turn.over, sorted(ended.tally.totals)) == (True, EXPECTED)
    assert notation.write_entry(ended.game, ended.fold.steps[-3].event) == "end"


def test_a_game_of_other_options_lends_its_people_and_stays_as_it_is(counting: Serving, ana: Visitor) -> None:  # noqa: F811
    session = begin(counting.house.sessions, options="dynasty", names=("Zé", "Lia"))

    sent = send(ana, f"{COUNT}/photo?going={session.id}", two_kingdoms())
    page = answered(ana, ana.get(sent.location))
    done = record(ana, page)

    assert "ends with this" not in page.text
    counted = counting.house.sessions.session(done.location.split("/")[2])
    assert [player.name for player in counted.setup.players] == ["Zé", "Lia"]
    assert counting.house.sessions.session(session.id).seq == session.seq
    assert f'href="/s/{session.id}"' in page.text


def test_where_nothing_is_found_corners_are_dragged(ana: Visitor) -> None:  # noqa: F811
    page = ana.get(send(ana, f"{COUNT}/photo", file_of(np.zeros((700, 900, 3), np.uint8))).location)
    looked = follow(ana, page, "not readable yet")

    assert "not readable yet" in page.text
    assert looked.notices[0].startswith("Nothing of the game is found in this photo.")
    assert 'id="handles"' in looked.text


def test_a_kingdom_that_is_not_found_beside_another_is_outlined(
    counting: Serving,  # noqa: F811
    ana: Visitor,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)
    corners = re.findall(r'<polygon points="([^"]+)"', both.text)[1].split()
    read_table = PhotoReader.read_table
    monkeypatch.setattr(PhotoReader, "read_table", lambda *asked: read_table(*asked)[:1])

    page = answered(ana, ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location))
    shown = follow(ana, page, "Show where it lies")
    outlined = outline(ana, shown, " ".join(corners))
    done = record(ana, answered(ana, ana.get(outlined.location)))

    assert page.text.count('class="seen"') == 1
    assert done.status == 303
    assert sorted(counting.house.sessions.session(done.location.split("/")[2]).tally.totals) == EXPECTED


def test_an_outline_sent_twice_counts_once(ana: Visitor) -> None:  # noqa: F811
    page = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)
    corners = re.findall(r'<polygon points="([^"]+)"', page.text)
    shown = follow(ana, page, "Show where it lies")

    twice = [outline(ana, shown, corners[1]).location for _sent in range(2)]

    assert [re.search(r"look=(\d+)", address)[1] for address in twice] == ["2", "3"]  # type: ignore[index]  # it is there
    for address in twice:
        assert ana.get(re.sub(r"look=\d+", "look=all", address)).text.count('class="seen"') == 2


def group(squares: str, x: float = 0) -> GroupOutline:
    return GroupOutline("a", "", x, 0, 100, None, 0, "", None, tuple(squares))


@pytest.mark.parametrize(
    ("other", "photo", "again"),
    (
        (group("w" * 12, x=40), "one", True),
        (group("w" * 12, x=60), "one", False),
        (group("f" * 12, x=40), "one", True),
        (group("w" * 12, x=60), "two", True),
        (group("w" * 10 + "ff"), "two", False),
    ),
)
def test_what_is_the_same_as_one_before(other: GroupOutline, photo: str, again: bool) -> None:
    """In one photo by its place, since two may well look alike; in another by what lies there."""
    assert list(_seen_before([("one", group("w" * 12)), (photo, other)])) == [1] * again


@pytest.mark.parametrize("squares", ("", "w" * 11))
def test_what_says_too_little_is_the_same_as_nothing(squares: str) -> None:
    few = group(squares)

    assert list(_seen_before([("one", few), ("two", few)])) == []
    assert list(_seen_before([("one", group("")), ("one", group("w" * 12))])) == []


def test_a_name_outlasts_an_option(ana: Visitor) -> None:  # noqa: F811
    page = answered(ana, ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location))
    option = re.search(r'class="chips"><a class="button" href="(\?[^"]*)"', page.text)
    assert option

    named = ana.get(COUNT + unescape(option[1]) + "&name_blue=In%C3%AAs")

    assert 'name="name_blue" value="Inês"' in named.text


def test_what_is_outlined_has_to_be_something_of_the_game(ana: Visitor) -> None:  # noqa: F811
    page = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)
    width, height = (float(side) for side in re.findall(r'viewBox="0 0 (\d+) (\d+)"', page.text)[0])
    left, right, top, low = width * 0.72, width * 0.95, height * 0.8, height * 0.95
    corner = f"{left},{top} {right},{top} {right},{low} {left},{low}"

    refused = outline(ana, follow(ana, page, "Show where it lies"), corner)

    assert (refused.status, refused.notices[0]) == (400, NOTHING_BETWEEN.text)
    assert f'data-corners="{left:.1f},{top:.1f} ' in refused.text, "the fingers' work is not lost"
    assert ana.get(COUNT + "?photos=" + hidden(refused, "photo")).text.count('class="seen"') == 2


def test_a_photo_has_room_for_so_many_kingdoms(ana: Visitor) -> None:  # noqa: F811
    page = ana.get(send(ana, f"{COUNT}/photo", two_kingdoms()).location)
    corners = re.findall(r'<polygon points="([^"]+)"', page.text)
    shown = follow(ana, page, "Show where it lies")

    for _more in range(MOST_OUTLINED - len(corners)):
        assert outline(ana, shown, corners[0]).status == 303
    refused = outline(ana, shown, corners[0])

    assert refused.status == 400
    assert refused.notices[0] == f"A photo has room for {MOST_OUTLINED} kingdoms or boards."


def test_a_game_without_photos_has_no_such_page(counting: Serving, ana: Visitor) -> None:  # noqa: F811
    assert ana.get("/count/dominion").status == 404
    assert ana.get("/count/chess").status == 404
    assert counting.visitor().get(COUNT).status == 303
