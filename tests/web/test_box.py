"""A box taught on the page: what to lay down, a photo of it, what is missing, what was wrong and is put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.photo import Lesson
from companion.games.kingdomino.sight.lessons import LESSONS
from companion.games.kingdomino.sight.tiling import half_named
from companion.photos.teaching import KEPT_S, BoxService
from companion.vision.gallery.box import BoxRepository
from tests.vision.photo.kingdoms import drawn, file_of, half, photo
from tests.web.sending import hidden, send
from tests.web.serving import Serving, household
from tests.web.visitor import Answer, Visitor

LAID = ((560, 60), (950, 90), (980, 1040), (500, 1010))
FEW = ((560, 60), (950, 90), (960, 690), (530, 660))
LAMP = (0.4, 0.6, 0.9)
"""How much of blue, green and red an old lamp leaves."""
TOWER = ((640, 60), (880, 60), (880, 1020), (640, 1020))


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(folder: Path, clock: Clock) -> Iterator[Serving]:
    with household(folder, boxes=BoxService(folder, clock)) as served:
        yield served


@pytest.fixture
def ana(house: Serving) -> Visitor:
    return house.unlocked()


def pieces_of(lesson: Lesson) -> Pixels:
    """The pieces of a lesson as they lie, seen from straight above."""
    from companion.games.kingdomino.sight.layout import KingdominoSight

    if lesson.columns == 1:
        faces = {face.label: face for face in KingdominoSight().faces}
        return np.vstack([drawn(faces[label].drawing, label) for label in lesson.labels])
    halves = [half(*known) for label in lesson.labels if (known := half_named(label))]
    rows = [halves[at : at + 2] for at in range(0, len(halves), 2)]
    return np.vstack([np.hstack(row) for row in rows])


def taken(lesson: Lesson) -> Pixels:
    """A photo of it."""
    corners = TOWER if lesson.columns == 1 else LAID if lesson.rows == 5 else FEW
    return photo(pieces_of(lesson), corners)


def teach(visitor: Visitor, lesson: Lesson, picture: Pixels, box: str = "kingdomino") -> Answer:
    sent = send(
        visitor,
        "/box/kingdomino/photo",
        file_of(picture),
        fields={"lesson": lesson.key, "box": box},
    )
    return visitor.get(sent.location) if sent.location else sent


def learned(visitor: Visitor, page: Answer, box: str = "kingdomino") -> Answer:
    done = visitor.post("/box/kingdomino/learn", {"box": box, "photo": hidden(page, "photo")})
    return visitor.get(done.location) if done.location else done


def asked_for(page: Answer) -> str:
    """What is to be laid down next."""
    found = re.search(r"Lay down: ([^<]*)", page.text)
    return found[1] if found else ""


def test_one_photo_after_the_other(ana: Visitor, folder: Path) -> None:
    first = ana.get("/box/kingdomino")
    page = learned(ana, teach(ana, LESSONS[0], taken(LESSONS[0])))
    castles = learned(ana, teach(ana, LESSONS[-1], taken(LESSONS[-1])))

    assert [asked_for(one) for one in (first, page, castles)] == [
        "Dominoes 1 to 5",
        "Dominoes 6 to 10",
        "Dominoes 6 to 10",
    ]
    assert "2 of 11 photos" in castles.text
    assert BoxRepository(folder).open("kingdomino").labels == (*LESSONS[0].labels, *LESSONS[-1].labels)
    # Wheat fields, forests and the castle are known; the other fourteen of sixteen kinds of squares are not.
    assert len(re.findall(r"<li><svg class=\"part\"", castles.text)) == 14


def test_a_photo_taken_from_the_other_side_is_turned(ana: Visitor, folder: Path) -> None:
    page = teach(ana, LESSONS[8], np.ascontiguousarray(np.rot90(taken(LESSONS[8]), 2)))

    turned = ana.post("/box/kingdomino/turn", {"photo": hidden(page, "photo")})
    learned(ana, ana.get(turned.location))

    box = BoxRepository(folder).open("kingdomino")
    apart = [
        float(np.abs(cv2.resize(picture, (80, 80)).astype(int) - half(int(n), side == "right")).mean())
        for label, picture in box.drawings
        for _word, n, side in (label.split("-"),)
    ]
    assert len(apart) == 10
    assert max(apart) < 25


def test_a_bad_photo_is_told_and_never_learned(ana: Visitor, folder: Path) -> None:
    blurred = np.asarray(cv2.GaussianBlur(taken(LESSONS[0]), (0, 0), 12), np.uint8)

    page = teach(ana, LESSONS[0], blurred)
    forced = ana.post("/box/kingdomino/learn", {"box": "kingdomino", "photo": hidden(page, "photo")})

    assert page.notices == ["It is out of focus: hold still, go nearer, take it again."]
    assert (forced.status, forced.notices[0]) == (
        400,
        "This photo is not good enough to learn from: take it again.",
    )
    assert BoxRepository(folder).names == []


@pytest.mark.parametrize(
    ("data", "status", "expected"),
    (
        (b"no picture", 422, "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (b"", 400, "Choose a photo first."),
        (file_of(np.zeros((900, 900, 3), np.uint8)), 422, "No block of 2 by 5 squares is seen"),
    ),
)
def test_what_is_no_photo_of_pieces(ana: Visitor, data: bytes, status: int, expected: str) -> None:
    answer = send(ana, "/box/kingdomino/photo", data, "photo.jpg" if data else "", {"lesson": "1-5"})

    assert (answer.status, answer.notices[0].startswith(expected)) == (status, True)
    assert asked_for(answer) == "Dominoes 1 to 5"


def test_pieces_are_put_right(ana: Visitor, folder: Path) -> None:
    for light in (1.0, LAMP):
        photographed = np.asarray(taken(LESSONS[9]) * light, np.uint8)
        learned(ana, teach(ana, LESSONS[9], photographed))
    piece = {"box": "kingdomino", "piece": "domino-48-left"}

    page = ana.get("/box/kingdomino?piece=domino-48-left")
    ana.post("/box/kingdomino/piece", {**piece, "drawing": "10"})
    ana.post("/box/kingdomino/piece", {**piece, "to": "domino-1-left"})
    ana.post("/box/kingdomino/piece", {"box": "kingdomino", "piece": "domino-47-left"})
    gone = ana.post("/box/kingdomino/piece", piece)

    assert "2 drawings" in page.text
    labels = BoxRepository(folder).open("kingdomino").labels
    assert [labels.count(f"domino-{n}-left") for n in (46, 47, 48, 1)] == [2, 0, 0, 1]
    assert (gone.status, gone.notices) == (422, ["There is no piece “domino-48-left” in this box."])


def test_the_same_photo_again_teaches_nothing(ana: Visitor, folder: Path) -> None:
    for _photo in range(2):
        learned(ana, teach(ana, LESSONS[9], taken(LESSONS[9])))

    assert BoxRepository(folder).open("kingdomino").labels == LESSONS[9].labels


def test_dominoes_with_their_backs_up_are_told(ana: Visitor, folder: Path) -> None:
    backs = np.tile(half(46, False) // 2 + 60, (5, 2, 1))

    page = teach(ana, LESSONS[3], photo(backs, LAID))
    anyhow = ana.post("/box/kingdomino/learn", {"box": "kingdomino", "photo": hidden(page, "photo")})

    assert page.notices[0].startswith("These look alike, whatever they are called.")
    assert anyhow.status == 400
    assert BoxRepository(folder).open("kingdomino").labels == ()


def test_the_photo_of_another_lesson_is_noticed_before_it_is_learned(ana: Visitor, folder: Path) -> None:
    learned(ana, teach(ana, LESSONS[0], taken(LESSONS[0])))

    right = teach(ana, LESSONS[1], taken(LESSONS[1]))
    wrong = teach(ana, LESSONS[1], taken(replace(LESSONS[1], key="1-5", labels=LESSONS[0].labels)))

    assert right.notices == []
    assert [notice.partition(": ")[2] for notice in wrong.notices] == [
        "are they the right ones, and the right way round?"
    ]
    assert BoxRepository(folder).open("kingdomino").labels == LESSONS[0].labels


def test_what_was_learned_from_a_photo_is_forgotten_together(ana: Visitor, folder: Path) -> None:
    learned(ana, teach(ana, LESSONS[0], taken(LESSONS[0])))
    learned(ana, teach(ana, LESSONS[1], taken(LESSONS[1])))

    page = ana.get(f"/box/kingdomino?lesson={LESSONS[0].key}")
    done = ana.post("/box/kingdomino/piece", {"box": "kingdomino", "lesson": LESSONS[0].key})

    assert "10 drawings are lost." in page.text
    assert asked_for(ana.get(done.location)) == "Dominoes 1 to 5"
    assert BoxRepository(folder).open("kingdomino").labels == LESSONS[1].labels
    assert ana.post("/box/kingdomino/piece", {"box": "kingdomino", "lesson": "6"}).status == 400


def test_twins_are_told(ana: Visitor) -> None:
    wrong = Lesson("1-5", LESSONS[0].labels, 2)
    # Lakes and forests laid where wheat and forests should be: two names for one drawing.
    page = learned(ana, teach(ana, LESSONS[1], taken(wrong)))
    page = learned(ana, teach(ana, LESSONS[0], taken(wrong)))

    assert "These look too much alike" in page.text


def test_a_piece_is_called_otherwise_once_somebody_chose_what(ana: Visitor, folder: Path) -> None:
    learned(ana, teach(ana, LESSONS[9], taken(LESSONS[9])))

    page = ana.get("/box/kingdomino?piece=domino-48-left")
    answer = ana.post("/box/kingdomino/piece", {"box": "kingdomino", "piece": "domino-48-left", "to": ""})

    assert re.search(r'<select name="to"[^>]* required><option value="" selected disabled>', page.text)
    assert (answer.status, answer.notices) == (400, ["There is no such piece in this game."])
    assert BoxRepository(folder).open("kingdomino").labels == LESSONS[9].labels


def test_a_photo_nobody_looked_at_is_forgotten(ana: Visitor, clock: Clock) -> None:
    page = teach(ana, LESSONS[9], taken(LESSONS[9]))

    clock.now += KEPT_S + 1
    late = ana.post("/box/kingdomino/learn", {"box": "kingdomino", "photo": hidden(page, "photo")})

    assert late.notices == ["This photo is not here any more: take it again."]


def test_only_who_has_the_pin(house: Serving) -> None:
    stranger = house.visitor()

    assert stranger.get("/box/kingdomino").status == 303
    assert stranger.post("/box/kingdomino/boxes", {"do": "add", "title": "Mine"}).location.startswith(
        "/unlock"
    )
