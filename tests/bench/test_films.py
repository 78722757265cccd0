"""Films out of photos of finished kingdoms; the photo is made of our drawings here."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.pieces import CASTLE, Square, parse_square
from companion.games.kingdomino.sight.layout import KingdominoSight, draw_square
from tests.bench import films
from tests.vision.photo.kingdoms import SIDE, drawn

GRID = (("w0", "w0", ".."), ("f1", "##", "l0"), ("w0", "..", "l0"))
"""Castle, dominoes 1 (wheat, wheat), 19 or 20 … (forest with a crown, wheat) and 7 (lake, lake)."""
TABLE = (90, 120, 150)


def square(sign: str) -> Square:
    return CASTLE if sign == "##" else parse_square(sign)


def label() -> dict[str, object]:
    def one(sign: str) -> dict[str, object]:
        if sign == "..":
            return {"terrain": "empty", "crowns": 0}
        return {"terrain": square(sign).terrain.value, "crowns": square(sign).crowns}

    return {"grid": [[one(sign) for sign in row] for row in GRID], "session": "drawn"}


def board() -> films.Pixels:
    castle = next(face for face in KingdominoSight().faces if face.label == "castle-blue")

    def picture(sign: str) -> films.Pixels:
        if sign == "..":
            return np.full((SIDE, SIDE, 3), TABLE, np.uint8)
        if sign == "##":
            return drawn(castle.drawing, castle.label)
        return drawn(draw_square(square(sign)), sign)

    return np.vstack([np.hstack([picture(sign) for sign in row]) for row in GRID])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A board cut to its edges, and a photo of it on a table."""
    for kind in ("boards", "photos"):
        (tmp_path / kind).mkdir()
    cv2.imwrite(str(tmp_path / "boards" / "board.png"), board())
    photo = np.full((600, 700, 3), TABLE, np.uint8)
    photo[150:390, 200:440] = board()
    cv2.imwrite(str(tmp_path / "photos" / "photo.png"), photo)
    corners = [[199.5, 149.5], [439.5, 149.5], [439.5, 389.5], [199.5, 389.5]]
    labels = {
        "boards": {"board.png": label()},
        "photos": {"photo.png": {**label(), "corners_px_TL_TR_BR_BL": corners}},
    }
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    return tmp_path


def kingdom_of(photo: films.Finished) -> Kingdom:
    kingdom = films.building_order(photo.squares, photo.home, 5, seed=1)
    assert kingdom
    return kingdom


def test_a_kingdom_is_laid_again_as_the_rules_allow_it(folder: Path) -> None:
    photo = next(films.finished(folder))

    kingdom = kingdom_of(photo)

    column, row = photo.home
    assert {(x + column, y + row): square for (x, y), square in kingdom.squares.items()} == photo.squares
    assert len(kingdom.placements) == 3


def test_squares_that_no_box_has_are_no_kingdom() -> None:
    squares = {(0, 0): CASTLE, (1, 0): parse_square("m3"), (2, 0): parse_square("m3")}

    assert films.building_order(squares, (0, 0), 5, seed=1) is None


def test_what_is_taken_away_is_covered_with_the_table_around_it(folder: Path) -> None:
    photo = next(one for one in films.finished(folder) if one.corners)

    shown = films.stage(photo, 1, None, 1)

    away = np.abs(shown.empty.astype(int) - TABLE).max()
    assert away <= 2
    assert (shown.with_cells([photo.home]) != shown.empty).any()


def test_a_film_is_watched_domino_by_domino(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Our drawings are what the camera knows without any box."""
    films.main([str(folder), "--size", "1280x720", "--json", "--into", str(folder / "films"), "--most", "1"])

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    script = json.loads((folder / "films" / "1280x720" / "board" / "script.json").read_text())
    assert [(one["session"], one["films"], one["steps"], one["silently_wrong"]) for one in told] == [
        ("drawn", 1, 3, 0)
    ]
    assert told[0]["right"] + told[0]["asked"] == 3
    assert [len(step["cells"]) for step in script["steps"]] == [1, 3, 5, 7]
