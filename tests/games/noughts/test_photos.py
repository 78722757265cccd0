"""The example of docs/adding-a-game.md in photos: taught, read, put right, recorded, by nothing but its own folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.photos.reader import reader_of
from companion.photos.service import PhotoService
from companion.photos.teaching import BoxService
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery.box import BoxRepository
from tests.commands.conftest import Companion, companion  # noqa: F401
from tests.games.noughts.sight import FACES, NoughtsPhotos
from tests.games.noughts.test_noughts import FORM, _listed  # noqa: F401
from tests.vision.photo.kingdoms import SIDE, file_of, photo
from tests.web.sending import hidden, send
from tests.web.serving import Serving, household
from tests.web.visitor import Visitor

BOARD = ("cross blank nought", "blank cross blank", "nought blank cross")
MARKS = {"a3": 0, "c3": 1, "b2": 0, "a1": 1, "c1": 0}
LAID = ((560, 160), (950, 190), (960, 580), (530, 560))
ONE_BENEATH_THE_OTHER = ((600, 160), (800, 170), (805, 780), (590, 770))


def tile(label: str) -> Pixels:
    return np.asarray(rasterize(FACES[label], SIDE / FACES[label].width)[..., :3], np.uint8)


def board(rows: tuple[str, ...] = BOARD) -> bytes:
    """A photo of a board on a table."""
    return file_of(
        photo(np.vstack([np.hstack([tile(label) for label in row.split()]) for row in rows]), LAID)
    )


def lesson() -> bytes:
    """A photo of all tiles, one beneath the other."""
    return file_of(photo(np.vstack([tile(label) for label in FACES]), ONE_BENEATH_THE_OTHER))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Serving]:
    with household(tmp_path, photos=PhotoService(tmp_path), boxes=BoxService(tmp_path)) as served:
        yield served


@pytest.fixture
def ana(house: Serving) -> Visitor:
    return house.unlocked()


def test_the_drawn_tiles_are_read_untaught() -> None:
    reader = reader_of(NoughtsPhotos(), None, None, rasterize)

    shown = reader.read(board()).shown

    assert shown is not None
    assert [" ".join(shown.squares[x, y] for x in range(3)) for y in range(3)] == [*BOARD]


def test_a_box_is_taught_and_a_board_counted_on_the_page(house: Serving, ana: Visitor) -> None:
    untaught = send(ana, "/count/noughts/photo", board())
    taught = ana.get(
        send(ana, "/box/noughts/photo", lesson(), fields={"lesson": "all", "box": "noughts"}).location
    )
    learned = ana.post("/box/noughts/learn", {"box": "noughts", "photo": hidden(taught, "photo")})

    page = ana.get(send(ana, "/count/noughts/photo", board()).location)
    for _question in range(10):
        links = re.findall(r'class="button (?:big answer|primary big)" href="(\?[^"]*)"', page.text)
        if not links:
            break
        page = ana.get("/count/noughts" + unescape(links[0]).partition("#")[0])
    action = re.search(r'action="(/count/noughts/record[^"]*)"', page.text)
    assert action, page.notices
    done = ana.post(
        unescape(action[1]), {"group": hidden(page, "group"), "name_blue": "Ana", "name_red": "Rui"}
    )

    session = house.house.sessions.session(done.location.split("/")[2])
    assert untaught.notices == ["The companion does not know these pieces yet: teach it your box first."]
    assert learned.status == 303
    assert (session.position.marks, session.tally.totals, session.turn.over) == (MARKS, (1, 0), True)


def test_a_table_puts_a_tile_right_and_the_box_learns_it(
    house: Serving, ana: Visitor, tmp_path: Path
) -> None:
    BoxRepository(tmp_path).change(
        "noughts", lambda box: box.learned([(label, tile(label)) for label in FACES]), game="noughts"
    )
    address = ana.post("/new/noughts", FORM).location
    sent = send(ana, f"{address}/photo/1", board())
    fixed = ana.get(f"{sent.location}&fix=10cross.12nought.21nought")

    form = {name: hidden(fixed, name) for name in ("seq", "photo", "fix")}
    done = ana.post(f"{address}/photo/1/record", form)

    assert (done.status, done.location) == (303, address)
    session = house.house.sessions.session(address.rsplit("/", 1)[1])
    assert session.position.marks == {**MARKS, "b3": 0, "b1": 1, "c2": 1}


def test_commands_enrol_and_read_it(companion: Companion, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "all.jpg").write_bytes(lesson())
    (tmp_path / "board.jpg").write_bytes(board())

    enrolled = companion("enrol", "noughts", tmp_path / "all.jpg", "--json")
    odd = companion("enrol", "noughts", tmp_path / "board.jpg")
    read = companion("read", "noughts", tmp_path / "board.jpg", "--json")

    assert json.loads(enrolled.out.splitlines()[-1])["pieces"] == dict.fromkeys(FACES, 1)
    assert "“board” is no piece: a picture is called by what it shows" in odd.err
    (group,) = read.json[0]["groups"]
    assert [" ".join(place["label"] for place in row) for row in group["grid"]] == [*BOARD]


def test_its_box_is_not_the_box_of_another_game(ana: Visitor, tmp_path: Path) -> None:
    taught = ana.get(
        send(ana, "/box/noughts/photo", lesson(), fields={"lesson": "all", "box": "noughts"}).location
    )
    ana.post("/box/noughts/learn", {"box": "noughts", "photo": hidden(taught, "photo")})

    chosen = ana.get("/box")

    assert BoxRepository(tmp_path).of("noughts") == ["noughts"]
    assert BoxRepository(tmp_path).of("kingdomino") == []
    assert all(f'href="/box/{key}"' in chosen.text for key in ("kingdomino", "noughts"))
