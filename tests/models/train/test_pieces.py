"""What is learned from: a folder of pictures, and its pieces made worse by program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from companion.vision.photo.annotate import save_picture
from models.registry import INPUT_SIDE
from models.train import augmentation
from models.train.augmentation import DRAWN, augmented_batch, in_four_turns
from tests.models.train.pieces import six_squares
from tests.vision.photo.kingdoms import half


def test_pieces_are_turned_but_never_mirrored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augmentation, "CHANGES", ())
    arrow = np.zeros((1, DRAWN, DRAWN, 3), np.uint8)
    arrow[0, :, : DRAWN // 3] = 255
    arrow[0, : DRAWN // 3, : 2 * DRAWN // 3] = 255
    rng = np.random.default_rng(0)

    crops, which = augmented_batch(rng, in_four_turns(arrow), 80)

    small = arrow[0, 4:-4, 4:-4][1::2, 1::2][:INPUT_SIDE, :INPUT_SIDE]
    ways = [np.rot90(flat, -turn) for flat in (small, small[:, ::-1]) for turn in range(4)]
    likest = [int(np.argmin([np.abs(crop - way.astype(float)).mean() for way in ways])) for crop in crops]
    assert likest == which.tolist()


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
