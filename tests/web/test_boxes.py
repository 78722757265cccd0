"""The boxes of a household on the page: named, chosen, forgotten, damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.kingdomino.sight.lessons import LESSONS
from companion.photos.teaching import BoxService
from companion.vision.gallery.box import BoxRepository
from tests.vision.photo.kingdoms import damaged_box
from tests.web.sending import hidden
from tests.web.serving import Serving, household
from tests.web.test_box import asked_for, learned, taken, teach
from tests.web.visitor import Visitor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def house(folder: Path) -> Iterator[Serving]:
    with household(folder, boxes=BoxService(folder)) as served:
        yield served


@pytest.fixture
def ana(house: Serving) -> Visitor:
    return house.unlocked()


def test_boxes_by_names_of_their_own(ana: Visitor, folder: Path) -> None:
    added = ana.post("/box/kingdomino/boxes", {"do": "add", "title": "Caixa da avó"})
    learned(ana, teach(ana, LESSONS[9], taken(LESSONS[9]), "box-1"), "box-1")
    ana.post("/box/kingdomino/boxes", {"do": "title", "box": "box-1", "title": "Nossa caixa"})
    ana.post("/box/kingdomino/boxes", {"do": "use", "box": "box-1"})
    used, page = BoxRepository(folder).used("kingdomino"), ana.get("/box/kingdomino")
    empty = ana.post("/box/kingdomino/boxes", {"do": "add", "title": "  "})
    ana.post("/box/kingdomino/boxes", {"do": "remove", "box": "box-1"})

    assert added.location == "/box/kingdomino?box=box-1"
    assert (used, "Nossa caixa" in page.text) == ("box-1", True)
    assert (empty.status, empty.notices) == (422, ["A box's name has 1 to 40 letters."])
    assert (BoxRepository(folder).used("kingdomino"), BoxRepository(folder).names) == ("kingdomino", [])


@pytest.mark.parametrize("language", ("en", "pt-BR"))
def test_no_two_boxes_are_called_alike(house: Serving, folder: Path, language: str) -> None:
    ana = house.unlocked()
    ana.headers["Accept-Language"] = language
    ours = {"en": " our  BOX", "pt-BR": "nossa caixa"}[language]
    for title in ("Clube", "Praia", "clube ", ours):
        ana.post("/box/kingdomino/boxes", {"do": "add", "title": title})
    box = {"do": "title", "box": "box-2"}

    renamed = ana.post("/box/kingdomino/boxes", {**box, "title": "CLUBE"})
    kept = ana.post("/box/kingdomino/boxes", {**box, "title": "praia"})

    assert (renamed.status, kept.status) == (422, 303)
    if language == "en":
        assert renamed.notices == ["There is a box “CLUBE” already: choose another name."]
    boxes = BoxRepository(folder)
    assert [boxes.title(name) for name in boxes.names] == ["Clube", "praia"]


def test_a_box_that_somebody_removed_does_not_come_back(ana: Visitor, folder: Path) -> None:
    """Another device still shows it."""
    ana.post("/box/kingdomino/boxes", {"do": "add", "title": "Caixa da avó"})
    page = teach(ana, LESSONS[9], taken(LESSONS[9]), "box-1")
    ana.post("/box/kingdomino/boxes", {"do": "remove", "box": "box-1"})

    renamed = ana.post("/box/kingdomino/boxes", {"do": "title", "box": "box-1", "title": "Nossa caixa"})
    learnt = ana.post("/box/kingdomino/learn", {"box": "box-1", "photo": hidden(page, "photo")})

    assert [renamed.notices, learnt.notices] == [["There is no such box any more."]] * 2
    assert BoxRepository(folder).names == []


def test_a_damaged_box_can_be_forgotten(ana: Visitor, folder: Path) -> None:
    (folder / "boxes").mkdir()
    (folder / "boxes" / "kingdomino.npz").write_bytes(b"no box")

    ana.post("/box/kingdomino/boxes", {"do": "add", "title": "Caixa da avó"})

    page = ana.get("/box/kingdomino?box=nowhere")
    ana.post("/box/kingdomino/boxes", {"do": "remove", "box": hidden(page, "box")})

    assert page.notices == [damaged_box("kingdomino")]
    assert ("Yes, forget it" in page.text, 'href="/box/kingdomino?box=box-1"' in page.text) == (
        True,
        True,
    )
    assert asked_for(ana.get("/box/kingdomino")) == "Dominoes 1 to 5"


def test_a_box_that_cannot_be_read_just_now_is_not_forgotten(
    ana: Visitor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned(ana, teach(ana, LESSONS[9], taken(LESSONS[9])))
    file = folder / "boxes" / "kingdomino.npz"
    file.touch()

    def refused(_file: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refused)
        page = ana.get("/box/kingdomino")
    known = BoxRepository(folder).stamp("kingdomino")
    file.chmod(0o600)

    assert page.notices == [
        "The box “kingdomino” cannot be read just now: Permission denied. Nothing of it is lost."
    ]
    assert "Forget this box" not in page.text
    assert BoxRepository(folder).stamp("kingdomino") != known
    assert ana.get("/box/kingdomino").notices == []
