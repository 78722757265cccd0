"""Films out of photos of finished tables; the photos are made of our drawings here."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.carcassonne.rules.board import Board
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import start
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.pieces import CASTLE, Square, parse_square
from companion.games.kingdomino.sight.layout import KingdominoSight, draw_square
from models.train.board_accuracy import labelled
from tests.bench.films.__main__ import main
from tests.bench.films.boards import FilmedBoards, cut_tiles
from tests.bench.films.kingdoms import Finished, building_order, finished
from tests.bench.films.table import Pixels, stage
from tests.vision.photo import boards
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


def board() -> Pixels:
    castle = next(face for face in KingdominoSight().faces if face.label == "castle-blue")

    def picture(sign: str) -> Pixels:
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


def kingdom_of(photo: Finished) -> Kingdom:
    kingdom = building_order(photo.squares, photo.home, 5, seed=1)
    assert kingdom
    return kingdom


def test_a_kingdom_is_laid_again_as_the_rules_allow_it(folder: Path) -> None:
    photo = next(finished(folder))

    kingdom = kingdom_of(photo)

    column, row = photo.home
    assert {(x + column, y + row): square for (x, y), square in kingdom.squares.items()} == photo.squares
    assert len(kingdom.placements) == 3


def test_squares_that_no_box_has_are_no_kingdom() -> None:
    squares = {(0, 0): CASTLE, (1, 0): parse_square("m3"), (2, 0): parse_square("m3")}

    assert building_order(squares, (0, 0), 5, seed=1) is None


def test_what_is_taken_away_is_covered_with_the_table_around_it(folder: Path) -> None:
    photo = next(one for one in finished(folder) if one.corners)

    shown = stage(photo, 1, None, 1)

    away = np.abs(shown.empty.astype(int) - TABLE).max()
    assert away <= 2
    assert (shown.with_pieces([photo.home]) != shown.empty).any()


def test_a_film_is_watched_domino_by_domino(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Our drawings are what the camera knows without any box."""
    main([str(folder), "--size", "1280x720", "--json", "--into", str(folder / "films"), "--most", "1"])

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    script = json.loads((folder / "films" / "1280x720" / "board" / "script.json").read_text())
    assert [(one["session"], one["films"], one["steps"], one["silently_wrong"]) for one in told] == [
        ("drawn", 1, 3, 0)
    ]
    assert told[0]["right"] + told[0]["asked"] == 3
    assert [len(step["cells"]) for step in script["steps"]] == [1, 3, 5, 7]


TILES = 9


@pytest.fixture
def board_folder(tmp_path: Path) -> Path:
    """A board from straight above, turned a quarter, and its label; a disc lies on the tile laid last."""
    kinds = boards.kinds_of(boards.grown_board(4, TILES))
    photo = boards.photo_of(boards.grown_board(4, TILES), tilt=0, drift=0)
    cv2.imwrite(str(tmp_path / "board.png"), np.rot90(photo, -1))
    height = photo.shape[0]
    cells = [
        {
            "x": -y,
            "y": x,
            "letter": kind.letter,
            "rot": (kind.turn + 1) % 4,
            "c": [
                height - (y + boards.TABLE_AROUND + 0.5) * boards.SIDE,
                (x + boards.TABLE_AROUND + 0.5) * boards.SIDE,
            ],
            "u": [boards.SIDE, 0],
        }
        for (x, y), kind in kinds.items()
    ]
    tokens = [{"x": cells[-1]["x"], "y": cells[-1]["y"], "colour": "black"}]
    (tmp_path / "board.json").write_text(json.dumps({"photo": "board.png", "cells": cells, "tokens": tokens}))
    return tmp_path


def test_a_board_is_laid_again_as_the_log_counts_by_the_tile_that_began(board_folder: Path) -> None:
    filmed = FilmedBoards([board_folder], board_folder, most=100, followers=False)
    photo = next(filmed.photos())

    scenes = filmed.scenes(photo, seed=2)

    position = start(len(filmed.setup(photo).players), frozenset())
    for event in scenes[-1].truth:
        position = apply(position, event)
    known = boards.grown_board(4, TILES)
    bare = Board(dict(list(known.tiles.items())[:-1]))
    assert boards.kinds_of(position.board) == boards.kinds_of(bare)
    assert len(scenes) == TILES - 1, "nobody is to stand on a tile that is laid"


def test_tiles_are_cut_upright_out_of_a_labelled_photo(board_folder: Path, tmp_path: Path) -> None:
    into = tmp_path / "cut"
    into.mkdir()

    cut_tiles(next(labelled([board_folder], board_folder)), into)

    def off(file: Path) -> float:
        read = cv2.imread(str(file))
        assert read is not None
        seen = cv2.resize(read, (boards.SIDE, boards.SIDE), interpolation=cv2.INTER_AREA)
        return float(np.abs(seen.astype(int) - boards.tile_drawn(file.name[0])).mean())

    files = sorted(into.iterdir())
    assert len(files) == TILES - 1
    assert max(map(off, files)) < 15


def test_a_film_of_a_board_is_watched_tile_by_tile(
    board_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log follows: what is proposed is recorded by a press, what is asked is answered."""
    words = ["--game", "carcassonne", "--size", "1920x1080", "--json"]

    main([str(board_folder), *words])

    (told,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (told["steps"], told["silently_wrong"], told["wrong_who"]) == (TILES - 2, 0, 0)
    assert told["right"] >= TILES // 2
    assert len(told["milliseconds"]) == TILES - 2
