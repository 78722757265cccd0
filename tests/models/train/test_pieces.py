"""What is learned from: a folder of pictures, and its pieces made worse by program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from calibration.plane import Pixels
from companion.vision.photo.annotate import save_picture
from models.registry import INPUT_SIDE
from models.train import augmentation
from models.train.augmentation import NOTHING, augmented_batch
from models.train.pieces import DRAWN, Lessons, drawn_pieces, kind_of, picture_set, pieces
from tests.models.train.pieces import six_squares
from tests.vision.photo.kingdoms import half


def plain(height: int, width: int, level: int = 90) -> Pixels:
    return np.full((height, width, 3), level, np.uint8)


def test_pieces_are_turned_but_never_mirrored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augmentation, "CHANGES", ())
    monkeypatch.setattr(augmentation, "NOTHING_SHARE", 0)
    flag = np.zeros((DRAWN, DRAWN, 3), np.uint8)
    for quarter, level in enumerate((250, 160, 20, 90)):  # clockwise from the upper left
        np.rot90(flag, quarter)[: DRAWN // 2, : DRAWN // 2] = level
    rng = np.random.default_rng(0)

    crops, which = augmented_batch(rng, Lessons((picture_set(iter([("flag", flag)])),)), 80)

    small = flag[4:-4, 4:-4][1::2, 1::2][:INPUT_SIDE, :INPUT_SIDE]
    ways = [np.rot90(flat, -turn) for flat in (small, small[:, ::-1]) for turn in range(4)]
    likest = [int(np.argmin([np.abs(crop - way.astype(float)).mean() for way in ways])) for crop in crops]
    assert likest == which.tolist()


def test_some_crops_show_no_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augmentation, "NOTHING_SHARE", 0.5)

    _crops, which = augmented_batch(np.random.default_rng(0), six_squares(), 200)

    assert 60 < np.count_nonzero(which == NOTHING) < 140
    assert set(which.tolist()) == {NOTHING, *range(24)}


def test_what_a_folder_shows(tmp_path: Path) -> None:
    for name, picture in (
        ("07", plain(50, 100)),
        ("start_blue", plain(50, 50)),
        ("tile-A_2", plain(50, 50)),
        ("moat", plain(160, 100)),
    ):
        save_picture(picture, tmp_path / f"{name}.png")

    found = [(label, picture.shape[:2]) for label, picture in pieces(tmp_path)]

    assert found == [
        ("domino-7-left", (50, 50)),
        ("domino-7-right", (50, 50)),
        ("moat-window-1", (50, 50)),
        ("moat-window-2", (50, 50)),
        ("castle-blue", (50, 50)),
        ("tile-A", (50, 50)),
    ]


def test_one_label_in_two_sources_is_one_class_and_what_looks_alike_turned_is_too() -> None:
    scans = picture_set((label, plain(50, 50)) for label in ("tile-B", "tile-F", "domino-1-left"))
    photos = picture_set(iter([("domino-1-left", plain(60, 60))]), share=3)
    lessons = Lessons((scans, photos))

    # Rulebook 001: a monastery alone is the same in every turn, a city from side to side after two quarters.
    assert lessons.first == {"tile-B": 0, "tile-F": 1, "domino-1-left": 3}
    assert [lessons.class_of("tile-F", quarter) for quarter in range(4)] == [1, 2, 1, 2]
    assert lessons.shares.tolist() == [0.25, 0.75]


def test_kinds_are_terrain_and_crowns_of_a_half_and_the_turned_piece_of_others() -> None:
    kinds = [kind_of(*one) for one in (("domino-1-left", 0), ("domino-2-right", 3), ("tile-F", 1))]

    assert kinds == ["w0", "w0", "tile-F 1"]


def test_the_faces_that_the_house_draws_are_learned() -> None:
    labels = {label for game in ("kingdomino", "carcassonne") for label, _ in drawn_pieces(game)}

    assert {"drawn-w0", "drawn-m3", "drawn-castle-blue", "drawn-tile-A", "drawn-tile-X"} <= labels
    assert not {"drawn-king-blue", "drawn-follower-red"} & labels


def test_the_same_seed_makes_the_same_crops() -> None:
    (one, which), (other, same) = (
        augmented_batch(np.random.default_rng((0, 5)), six_squares(), 20) for _ in range(2)
    )

    assert one.shape == (20, INPUT_SIDE, INPUT_SIDE, 3)
    assert (one.tolist(), which.tolist()) == (other.tolist(), same.tolist())


@pytest.mark.parametrize(
    ("folder", "target", "expected"),
    (
        ("missing", "mine", "There is no folder missing."),
        ("empty", "mine", "empty has no pictures of pieces: JPEG or PNG files, named as README.md says."),
        ("words", "mine", "17.png is not a picture, or it is damaged: take it out of the folder."),
        ("nothing", "mine", "17.png is not a picture, or it is damaged: take it out of the folder."),
        ("good", "missing/mine", "There is no folder missing to write mine in."),
    ),
)
def test_what_cannot_be_learned_from_is_told_in_a_line(
    tmp_path: Path, folder: str, target: str, expected: str
) -> None:
    for name in ("empty", "words", "nothing", "good"):
        (tmp_path / name).mkdir()
    (tmp_path / "words" / "17.png").write_text("a line of words")
    (tmp_path / "nothing" / "17.png").write_bytes(b"")
    save_picture(half(17, False), tmp_path / "good" / "17.png")

    house = str(Path(models.__file__).parents[1])
    command = [sys.executable, "-m", "models.train.squares", folder, target]
    said = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": house}, capture_output=True, text=True
    )

    assert (said.returncode, said.stderr) == (1, f"{expected}\n")
