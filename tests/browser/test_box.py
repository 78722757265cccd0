"""A box taught on a phone: what to lay down, the photo beside what should lie there, what is still missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.games.kingdomino.sight.lessons import LESSONS
from companion.photos.teaching import BoxService
from companion.vision.gallery.box import Box, BoxRepository
from companion.vision.photo import enrolment
from companion.vision.photo.enrolment import PieceBlock, find_block
from tests.browser.conftest import OpenDevice
from tests.browser.test_photo import FILE, looks_well
from tests.vision.photo.kingdoms import file_of, half, photo
from tests.web.serving import Serving, household
from tests.web.test_box import LAID, taken

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Serving]:
    with household(tmp_path, boxes=BoxService(tmp_path)) as served:
        yield served


@pytest.mark.parametrize(("size", "language"), (("small phone", "pt-BR"), ("lying", "es")))
def test_a_box_is_taught_by_touch(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str, language: str
) -> None:
    photo = tmp_path / "pieces.jpg"
    photo.write_bytes(file_of(taken(LESSONS[9])))
    tablet = device(size, language, at=house)
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/box/kingdomino?lesson={LESSONS[9].key}")
    looks_well(tablet)

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, photo)
    looks_well(tablet)
    tablet.follow("form[action$='/learn'] button")
    looks_well(tablet)

    assert tablet.find(".steps .learned").count() == 1
    tablet.follow("a[href*='pieces=1']")
    looks_well(tablet)
    assert tablet.find(".all a").count() == len(LESSONS[9].labels)


@pytest.mark.parametrize(("size", "language"), (("small phone", "pt-BR"), ("lying", "es")))
def test_a_damaged_box_is_forgotten_by_a_second_touch(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str, language: str
) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", Box().learned([("domino-1-left", half(1, False))]))
    boxes.add("Vovó")
    (boxes.folder / "kingdomino.npz").write_bytes(b"no box")
    tablet = device(size, language, at=house)
    tablet.forgives = ("status of 422",)  # that is what a damaged box is
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/box/kingdomino")
    looks_well(tablet)

    tablet.find("#away summary").tap()
    looks_well(tablet)
    tablet.follow("#away button")

    assert boxes.names == ["box-1"]


@pytest.mark.parametrize("size", ("lying", "small phone"))
def test_backs_are_told_where_squares_should_lie(
    device: OpenDevice, house: Serving, tmp_path: Path, size: str
) -> None:
    backs = tmp_path / "backs.jpg"
    backs.write_bytes(file_of(photo(np.tile(half(46, False) // 2 + 60, (5, 2, 1)), LAID)))
    tablet = device(size, "es", at=house)
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/box/kingdomino?lesson={LESSONS[3].key}")

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, backs)
    looks_well(tablet)

    assert tablet.find(".notice").count() == 1
    assert tablet.find("form[action$='/learn']").count() == 0


def test_a_photo_comes_as_large_as_it_is_looked_at(
    device: OpenDevice, house: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces that a camera above the table sees are small in it."""
    seen = []

    def look(picture: Pixels, columns: int, rows: int) -> PieceBlock:
        seen.append(picture.shape)
        return find_block(picture, columns, rows)

    monkeypatch.setattr(enrolment, "find_block", look)
    (tmp_path / "above.jpg").write_bytes(file_of(np.full((2592, 4608, 3), 90, np.uint8)))
    tablet = device("lying", "en", at=house)
    tablet.forgives = ("status of 422",)  # it shows nothing
    tablet.unlock()
    tablet.page.goto(f"http://127.0.0.1:{house.port}/box/kingdomino")

    with tablet.page.expect_navigation():
        tablet.page.set_input_files(FILE, tmp_path / "above.jpg")

    assert seen == [(2250, enrolment.WORKED_ON, 3)]
