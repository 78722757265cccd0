"""A box taught by the camera above the table, which says how well it sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from companion.core.photo import SentPhoto
from companion.games.kingdomino.sight.lessons import LESSONS
from companion.photos.teaching import BoxService
from companion.watch.camera_requests import CalibrationRequests
from companion.watch.watcher import TableWatcher
from tests.vision.photo.kingdoms import file_of
from tests.web.serving import household
from tests.web.test_box import learned, taken


class Above:
    """A camera above the table, and who sets it up; no game is watched."""

    game = None

    def __init__(self) -> None:
        self.sees = np.zeros((900, 1600, 3), np.uint8)
        self.attended = 0

    def photo(self, _patience_s: float = 0.0) -> Callable[[], SentPhoto]:
        return lambda: SentPhoto(file_of(self.sees))

    def attend(self) -> None:
        self.attended += 1


def test_the_camera_above_the_table_says_how_well_it_sees(tmp_path: Path) -> None:
    camera = Above()
    watching = {"watcher": cast(TableWatcher, camera), "aimer": cast(CalibrationRequests, camera)}
    words = []
    with household(tmp_path, boxes=BoxService(tmp_path), **watching) as served:
        ana = served.unlocked()
        for seen in (camera.sees, cv2.GaussianBlur(taken(LESSONS[0]), (0, 0), 12), taken(LESSONS[0])):
            camera.sees = np.asarray(seen, np.uint8)
            words.append(ana.get(f"/box/kingdomino/now?lesson={LESSONS[0].key}").text.split(": ")[1])
        page = ana.post(
            "/box/kingdomino/photo", {"lesson": LESSONS[0].key, "box": "kingdomino", "camera": "1"}
        )
        learned(ana, ana.get(page.location))
        after = ana.get("/box/kingdomino").text

    assert words == [
        "No block of 2 by 5 squares is seen",
        "It is out of focus",
        "Sharp, and nothing is reflected",
    ]
    assert (camera.attended, "1 of 11 photos" in after) == (4, True)


def test_pieces_that_were_just_learned_are_not_taken_for_the_next(tmp_path: Path) -> None:
    camera = Above()
    watching = {"watcher": cast(TableWatcher, camera), "aimer": cast(CalibrationRequests, camera)}
    with household(tmp_path, boxes=BoxService(tmp_path), **watching) as served:
        ana = served.unlocked()
        camera.sees = np.asarray(taken(LESSONS[0]), np.uint8)
        page = ana.post(
            "/box/kingdomino/photo", {"lesson": LESSONS[0].key, "box": "kingdomino", "camera": "1"}
        )
        learned(ana, ana.get(page.location))
        words = []
        for lesson, laid in ((0, 0), (1, 0), (1, 1)):
            camera.sees = np.asarray(taken(LESSONS[laid]), np.uint8)
            words.append(ana.get(f"/box/kingdomino/now?lesson={LESSONS[lesson].key}").text.split(": ", 1)[1])

    assert words == [
        "Sharp, and nothing is reflected: take it now.",
        "These are still: Dominoes 1 to 5. Lay down: Dominoes 6 to 10.",
        "Sharp, and nothing is reflected: take it now.",
    ]


@pytest.mark.parametrize(
    ("path", "asked"),
    (("boxes", {"do": "remove"}), ("piece", {"lesson": LESSONS[0].key})),
    ids=("box", "lesson"),
)
def test_pieces_that_were_forgotten_are_no_objection(
    tmp_path: Path, path: str, asked: dict[str, str]
) -> None:
    camera = Above()
    camera.sees = np.asarray(taken(LESSONS[0]), np.uint8)
    watching = {"watcher": cast(TableWatcher, camera), "aimer": cast(CalibrationRequests, camera)}
    with household(tmp_path, boxes=BoxService(tmp_path), **watching) as served:
        ana = served.unlocked()
        sent = {"lesson": LESSONS[0].key, "box": "kingdomino", "camera": "1"}
        learned(ana, ana.get(ana.post("/box/kingdomino/photo", sent).location))
        words = [ana.get(f"/box/kingdomino/now?lesson={LESSONS[1].key}").text.split(": ", 1)[1]]
        ana.post(f"/box/kingdomino/{path}", {"box": "kingdomino", **asked})
        words.append(ana.get(f"/box/kingdomino/now?lesson={LESSONS[1].key}").text.split(": ", 1)[1])

    assert words == [
        "These are still: Dominoes 1 to 5. Lay down: Dominoes 6 to 10.",
        "Sharp, and nothing is reflected: take it now.",
    ]


def test_the_table_itself_is_no_block_that_lies_sideways(tmp_path: Path) -> None:
    camera = Above()
    camera.sees[20:880, 40:1560] = 120
    watching = {"watcher": cast(TableWatcher, camera), "aimer": cast(CalibrationRequests, camera)}
    with household(tmp_path, boxes=BoxService(tmp_path), **watching) as served:
        words = served.unlocked().get(f"/box/kingdomino/now?lesson={LESSONS[9].key}").text

    assert "No block of 2 by 3 squares is seen" in words
