"""Pictures of printed pieces and of real cloth on the virtual table; all of them made by program here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.errors import NotationError
from companion.core.observation import Face
from companion.games import GAMES
from companion.virtual.art import Art, PrintedFace, load_art
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene

MIDDLE = 800, 450
RED, GREEN, BLUE, GREY = (40, 40, 200), (40, 160, 40), (200, 100, 40), (120, 120, 120)


def pieces(game: str = "kingdomino") -> Mapping[str, Face]:
    sight = GAMES[game].sight
    assert sight
    return sight.pieces


def picture(*colours: tuple[int, ...], side: int = 100) -> NDArray[np.uint8]:
    """Squares of these colours side by side."""
    return np.concatenate([np.full((side, side, len(one)), one, np.uint8) for one in colours], axis=1)


def keep(folder: Path, name: str, *colours: tuple[int, ...], side: int = 100) -> Path:
    folder.mkdir(exist_ok=True)
    assert cv2.imwrite(str(folder / name), picture(*colours, side=side))
    return folder


def seen(art: Art, x: float, y: float, *, piece: str = "domino-17", seed: int = 1) -> tuple[int, ...]:
    """What an undisturbed camera sees there when that piece lies in the middle, to the nearest 20 levels."""
    scene = Scene(art.dressed(pieces()), 1600, 900)
    scene.put(piece, *MIDDLE)
    camera = VirtualCamera(
        scene, Disturbances(seed, ()), sleep=lambda _seconds: None, ground=art.ground(seed)
    )
    column, row = camera.project(x, y)
    return tuple(round(int(level) / 20) * 20 for level in camera.frame().pixels[round(row), round(column)])


@pytest.mark.parametrize("name", ("17.jpg", "domino-17.png", "Domino_17.PNG", "017.jpeg"))
def test_a_piece_looks_like_the_picture_that_is_named_after_it(name: str, tmp_path: Path) -> None:
    art = load_art(keep(tmp_path, name, RED, BLUE), None, pieces())

    sides = [seen(art, MIDDLE[0] + beside, MIDDLE[1]) for beside in (-20, 20)]

    assert sides == [RED, BLUE]


def test_what_has_no_picture_stays_our_drawing(tmp_path: Path) -> None:
    art = load_art(keep(tmp_path, "17.jpg", RED, BLUE), None, pieces())

    dressed = art.dressed(pieces())

    assert [name for name, face in dressed.items() if isinstance(face, PrintedFace)] == ["domino-17"]
    assert {name: face for name, face in dressed.items() if name != "domino-17"} == {
        name: face for name, face in pieces().items() if name != "domino-17"
    }


@pytest.mark.parametrize(
    ("game", "name", "expected"),
    (
        ("kingdomino", "start_blue.jpg", {"castle-blue"}),
        ("kingdomino", "castle-blue.jpg", {"castle-blue"}),
        ("carcassonne", "X.png", {"tile-X-1"}),
        ("carcassonne", "tile-q.jpg", {"tile-Q-1"}),
    ),
)
def test_names_of_pieces(game: str, name: str, expected: set[str], tmp_path: Path) -> None:
    art = load_art(keep(tmp_path, name, RED), None, pieces(game))

    dressed = art.dressed(pieces(game))

    assert {piece for piece, face in dressed.items() if isinstance(face, PrintedFace)} == expected


def test_a_colour_alone_names_neither_castle_nor_king(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="named after a piece"):
        load_art(keep(tmp_path, "blue.jpg", BLUE), None, pieces())


def test_cut_off_corners_show_what_is_below(tmp_path: Path) -> None:
    art = load_art(keep(tmp_path, "17.png", (*RED, 255), (*BLUE, 0)), None, pieces())

    face = art.dressed(pieces())["domino-17"]

    assert [int(rasterize(face, 1)[20, column, 3]) for column in (20, 60)] == [255, 0]


def test_pieces_lie_on_a_real_table_and_markers_too(tmp_path: Path) -> None:
    cloth = keep(tmp_path / "cloth", "any.jpg", GREY, side=300)
    art = load_art(None, cloth, pieces())

    assert seen(art, 300, 300) == GREY
    assert max(seen(art, 14, 35)) < 60, "a marker's black still lies in the corner"


def test_every_evening_has_a_table_of_its_own(tmp_path: Path) -> None:
    for number, colour in enumerate((RED, GREEN, BLUE)):
        keep(tmp_path, f"{number}.png", colour, side=300)
    art = load_art(None, tmp_path, pieces())

    tables = [seen(art, 300, 300, seed=seed) for seed in range(8)]

    assert tables == [seen(art, 300, 300, seed=seed) for seed in range(8)]
    assert len(set(tables)) == 3


@pytest.mark.parametrize(
    ("name", "colours", "said"),
    (
        (
            "17.jpg",
            (RED,),
            "17.jpg has 100 x 100 pixels, but domino-17 is 80 x 40 mm: turn the picture upright",
        ),
        ("backs.jpg", (RED,), "No picture in .* is named after a piece: castle-blue.jpg, "),
        ("readme.txt", (), r"has 0 pictures \(JPEG or PNG\)"),
    ),
)
def test_what_is_wrong_with_a_folder_is_told(
    name: str, colours: tuple[tuple[int, ...], ...], said: str, tmp_path: Path
) -> None:
    if colours:
        keep(tmp_path, name, *colours)
    else:
        (tmp_path / name).write_text("no picture")

    with pytest.raises(NotationError, match=said):
        load_art(tmp_path, None, pieces())


def test_a_picture_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "17.jpg").write_bytes(b"\xff\xd8 and nothing more")

    with pytest.raises(NotationError, match=r"17.jpg: It is no JPEG or PNG picture, or a damaged one."):
        load_art(tmp_path, None, pieces())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"nowhere cannot be read: No such file or directory."):
        load_art(tmp_path / "nowhere", None, pieces())
