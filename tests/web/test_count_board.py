"""A finished game of Carcassonne counted from a photo of its board: questions, who plays, the track, the result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.photos.service import PhotoService
from companion.photos.teaching import BoxService
from companion.sessions.index import summary
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery import squares as galleries
from companion.vision.gallery.box import BoxRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.vision.photo.boards import grown_board, halves_of, kinds_of, photo_of, tiles_drawn
from tests.vision.photo.counting_boards import TRACK, board_known, middle, taken
from tests.vision.photo.kingdoms import file_of
from tests.web.sending import hidden, send
from tests.web.serving import PIN, Serving, serving
from tests.web.visitor import Answer, Visitor

COUNT = "/count/carcassonne"
BOARD = grown_board(11, 20)
PHOTO = file_of(photo_of(BOARD, 11, 0.15))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@contextmanager
def counting_in(folder: Path) -> Iterator[Serving]:
    """A house that reads photos by what is shipped and by our own drawings, as the app does."""
    table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
    photos, boxes = PhotoService(folder, rasterize=rasterize), BoxService(folder)
    house = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=photos, boxes=boxes)
    with serving(create_app(house), house) as served:
        yield served
    table.close()


@pytest.fixture(scope="module")
def counting(folder: Path) -> Iterator[Serving]:
    with counting_in(folder) as served:
        yield served


@pytest.fixture
def ana(counting: Serving) -> Visitor:
    return counting.unlocked()


def link(page: Answer, pattern: str) -> str:
    """The address of the first link like that."""
    found = re.search(rf'<a [^>]*href="(\?[^"]*)"[^>]*>(?:(?!</a>).)*?{pattern}', page.text, re.DOTALL)
    assert found, pattern
    return COUNT + unescape(found[1]).partition("#")[0]


def told(visitor: Visitor, page: Answer, **points: int) -> Answer:
    """Say what each has on the track."""
    carried = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text)
    said = "&".join(f"{name}={unescape(value)}" for name, value in carried if name != "group")
    return visitor.get(f"{COUNT}?{said}&" + "&".join(f"track_{who}={has}" for who, has in points.items()))


def answered(visitor: Visitor, page: Answer) -> Answer:
    """Take the likeliest tile at every question, without a follower, and go on."""
    for _question in range(40):
        links = re.findall(r'class="button (?:big answer|primary big)" href="(\?[^"]*)"', page.text)
        addresses = [unescape(one).partition("#")[0] for one in links]
        if not addresses:
            return page
        bare = (one for one in addresses if re.search(r"[A-X][0-3]\.$", one))
        page = visitor.get(COUNT + next(bare, addresses[0]))
    raise AssertionError("the questions never end")


def test_a_board_is_counted_from_one_photo(counting: Serving, ana: Visitor) -> None:
    before = {one.id for one in counting.house.sessions.list(50)}
    first = ana.get("/")
    page = answered(ana, ana.get(send(ana, f"{COUNT}/photo", PHOTO).location))
    people = ana.get(link(page, 'colour-green"'))
    page = told(ana, people, red=31, blue=44, green=7)
    action = re.search(r'action="(/count/carcassonne/record[^"]*)"', page.text)
    assert action
    group = re.findall(r'name="group" value="([^"]*)"', page.text)

    done = ana.post(unescape(action[1]), {"group": group, "name_red": "Ana", "name_blue": "Rui"})

    (id,) = {one.id for one in counting.house.sessions.list(50)} - before
    session = counting.house.sessions.session(id)
    position: Position = session.position
    lying = {cell: tile.letter for cell, tile in position.board.tiles.items()}
    assert f'href="{COUNT}"' in first.text
    assert (done.status, done.location) == (303, f"/s/{id}/result")
    assert lying == {cell: kind.letter for cell, kind in kinds_of(BOARD).items()}
    assert [player.name for player in session.setup.players] == ["Ana", "Rui", "Green"]
    assert session.tally.totals == (31, 44, 7)
    assert summary(session).counts  # told by one entry, it is a whole game


def test_a_board_that_is_right_teaches_the_box_when_somebody_says_so(
    ana: Visitor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: tiles_drawn())
    page = told(ana, answered(ana, ana.get(send(ana, f"{COUNT}/photo", PHOTO).location)), red=1, blue=2)
    action = re.search(r'action="(/count/carcassonne/record[^"]*)"', page.text)
    assert action
    group = re.findall(r'name="group" value="([^"]*)"', page.text)
    before = BoxRepository(folder).open("carcassonne").labels

    done = ana.post(unescape(action[1]), {"group": group, "learn": "1"})

    learned = BoxRepository(folder).open("carcassonne").labels
    letters = {kind.letter for kind in kinds_of(BOARD).values()}
    assert (done.status, before) == (303, ())
    assert {label.removeprefix("tile-") for label in learned} == letters


def test_a_tile_is_put_right_by_tapping_it_and_whoever_stands_there_plays(ana: Visitor) -> None:
    sent = ana.get(send(ana, f"{COUNT}/photo", PHOTO).location)
    shown = ana.get(f"{COUNT}?photos={photos_of(sent)}&look=0")
    place = re.search(r'href="(\?[^"]*at=[0-9a-z]{2}[^"]*)"', shown.text)
    assert place

    tapped = ana.get(COUNT + unescape(place[1]).partition("#")[0])
    standing = re.findall(r'href="(\?[^"]*-(?:c|r|f|m)\d-green\.[^"]*)"', tapped.text)
    put_right = ana.get(COUNT + unescape(standing[0]).partition("#")[0])
    without = ana.get(f"{COUNT}{unescape(standing[0]).partition('#')[0]}&who=red,blue")

    assert 'class="place told' in put_right.text
    assert "whose colour nobody plays" not in unescape(without.text)


def photos_of(page: Answer) -> str:
    """The name of the photo that a page is about."""
    found = re.search(r"photos=([\w-]+)", page.text)
    assert found
    return found[1]


def test_the_end_is_told_step_by_step_over_the_photo(ana: Visitor) -> None:
    page = answered(ana, ana.get(send(ana, f"{COUNT}/photo", PHOTO).location))
    page = told(ana, page, red=1, blue=2)

    steps = ana.get(link(page, "Final counting"))

    assert "<b>Final counting</b> 0/" in steps.text
    assert "Back to the result" in steps.text


LEFT, RIGHT = map(file_of, halves_of(BOARD, 11))
OTHER = file_of(halves_of(grown_board(12, 20), 12)[1])


def test_a_second_photo_shows_the_rest_of_the_board_with_what_was_said_before(
    counting: Serving, ana: Visitor
) -> None:
    before = {one.id for one in counting.house.sessions.list(50)}
    first = ana.get(send(ana, f"{COUNT}/photo", LEFT).location)
    shown = ana.get(f"{COUNT}?photos={photos_of(first)}&look=0")
    place = re.search(r"at=([0-9a-z]{2})", shown.text)
    assert place

    put_right = f"{COUNT}/photo?photos={photos_of(first)}&look=0&fix0={place[1]}X0."
    second = ana.get(send(ana, put_right, RIGHT).location)
    pictures = re.findall(rf'<image href="({COUNT}/{photos_of(second)}\.jpg[^"]*)"', second.text)
    page = told(ana, answered(ana, ana.get(f"{COUNT}?photos={photos_of(second)}")), red=1, blue=2)
    group = re.findall(r'name="group" value="([^"]*)"', page.text)
    action = re.search(r'action="(/count/carcassonne/record[^"]*)"', page.text)
    assert action
    ana.post(unescape(action[1]), {"group": group})

    (id,) = {one.id for one in counting.house.sessions.list(50)} - before
    position: Position = counting.house.sessions.session(id).position
    lying = sorted(tile.letter for tile in position.board.tiles.values())
    assert "Add a photo of the rest" in shown.text
    assert 'class="place told' in second.text
    assert {ana.get(address).status for address in {*pictures}} == {404}
    assert len({*pictures}) == 2
    assert lying == sorted(kind.letter for kind in kinds_of(BOARD).values())


def test_a_step_of_the_end_is_told_over_the_photo_that_shows_it(ana: Visitor) -> None:
    first = ana.get(send(ana, f"{COUNT}/photo", LEFT).location)
    second = ana.get(send(ana, f"{COUNT}/photo?photos={photos_of(first)}", RIGHT).location)
    state = f"photos={photos_of(second)}"
    shown = ana.get(f"{COUNT}?{state}&look=0")
    monastery = re.search(r'at=([0-9a-z]{2})[^>]*aria-label="[^"]*Tile B', shown.text)
    assert monastery
    tapped = ana.get(f"{COUNT}?{state}&look=0&at={monastery[1]}")
    (standing,) = re.findall(r"fix0=([^&\"]*-m0-red\.)", tapped.text)
    page = answered(ana, ana.get(f"{COUNT}?{state}&fix0={standing}"))

    told_page = told(ana, page, red=1, blue=2)
    steps = link(told_page, "Final counting")
    before, step = (ana.get(steps.replace("step=0", f"step={at}")) for at in (0, 1))

    pictures = [{*re.findall(r'<image href="([^"]*)"', one.text)} for one in (before, step)]
    assert list(map(len, pictures)) == [2, 1]
    assert step.text.count('class="wash ink-red"') == 1


def test_the_rest_of_a_photo_that_is_gone_is_no_board_of_its_own(ana: Visitor) -> None:
    sent = send(ana, f"{COUNT}/photo?photos=gone&look=0", RIGHT)

    assert (sent.status, "This photo is not here any more: take it again." in sent.text) == (400, True)


def test_the_rest_of_a_board_is_added_where_a_session_wants_its_table(
    counting: Serving, ana: Visitor
) -> None:
    players = (Player("Ana", Colour.RED), Player("Rui", Colour.BLUE))
    setup = Setup(players, frozenset({"score_only"}))
    session = counting.house.sessions.begin(GAMES["carcassonne"], setup, Source.PAGE)
    address = f"/s/{session.id}/photo/1"
    first = ana.get(send(ana, address, LEFT).location)
    fields = {"rest_of": hidden(first, "rest_of"), "fix": ""}

    second = send(ana, address, RIGHT, fields=fields)
    refused = send(ana, address, OTHER, fields={"rest_of": hidden(ana.get(second.location), "rest_of")})

    around = {f"x{at}": str(10 + 300 * on) for at, on in enumerate((0, 1, 1, 0))}
    around |= {f"y{at}": str(10 + 300 * on) for at, on in enumerate((0, 0, 1, 1))}
    corners = ana.post(f"{address}/corners", {"photo": hidden(refused, "rest_of"), **around})

    assert (corners.status, "Corners belong to one photo" in corners.text) == (400, True)
    assert len({*re.findall(rf'<image href="({address}/[^"]*)"', ana.get(second.location).text)}) == 2
    assert (refused.status, "does not seem to show the same board" in refused.text) == (400, True)
    assert hidden(refused, "rest_of") in second.location


def test_a_second_photo_of_another_board_is_left_out_and_the_first_stays(ana: Visitor) -> None:
    first = ana.get(send(ana, f"{COUNT}/photo", LEFT).location)
    state = f"photos={photos_of(first)}"

    refused = send(ana, f"{COUNT}/photo?{state}", OTHER)

    assert "This photo does not seem to show the same board" in unescape(refused.text)
    assert (refused.status, ana.get(f"{COUNT}?{state}").status) == (400, 200)
    assert f"{photos_of(first)}.jpg" in refused.text


def test_a_photo_of_something_else_is_no_board(ana: Visitor) -> None:
    empty = np.full((600, 800, 3), (60, 110, 150), np.uint8)

    page = ana.get(send(ana, f"{COUNT}/photo", file_of(empty)).location)

    assert "Nothing of the game is found in this photo." in unescape(page.text)


def test_what_the_track_in_the_photo_shows_is_proposed_and_counts_once_people_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CarcassonnePhotos, "track", TRACK)
    monkeypatch.setattr("companion.photos.reader.load_printed", lambda _name: board_known())
    scene = taken([(Colour.RED, *middle(2)), (Colour.BLUE, *middle(9))])

    with counting_in(tmp_path) as served:
        ana = served.unlocked()
        shown = ana.get(send(ana, f"{COUNT}/photo", file_of(scene.picture)).location)
        asked = answered(ana, ana.get(f"{COUNT}?photos={photos_of(shown)}&who=red,blue,green"))
        page = told(ana, asked, red=52, blue=9, green=0)

    fields = re.findall(r'name="track_(\w+)" value="(\d*)"', asked.text)
    assert fields == [("red", "2"), ("blue", "9"), ("green", "")]
    assert asked.text.count("read from the track") == 2
    assert "check it, and add 12 for each lap" in asked.text
    assert "record it" not in asked.text
    assert "record it" in page.text
