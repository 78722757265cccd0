"""A gallery of a printed board is made of pictures of it, and finds the board again."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from companion.core.errors import ModelError
from companion.vision.photo.keypoints import look_at
from companion.vision.photo.printed import find_printed, load_printed
from models import registry
from models.train.printed import main
from tests.vision.photo.counting_boards import COLUMNS, ROWS, print_drawn, taken
from tests.vision.photo.kingdoms import file_of


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "FOLDER", tmp_path)
    return tmp_path


def test_a_gallery_is_made_of_pictures_without_what_is_black_in_them(shelf: Path) -> None:
    covered = print_drawn().copy()
    covered[:, : covered.shape[1] // 2] = 0
    (shelf / "board.png").write_bytes(file_of(covered, ".png"))

    main([shelf / "board.png"], shelf / "ours", COLUMNS, ROWS)

    board = load_printed("ours")
    assert (board.columns, board.rows) == (COLUMNS, ROWS)
    assert board.places[:, 0].min() > COLUMNS / 2 - 0.5
    assert find_printed(look_at(taken([]).picture, 800), board)


def test_a_gallery_that_was_made_otherwise_is_refused(shelf: Path) -> None:
    data = registry.pack_arrays({"version": np.array(0), "size": np.array([COLUMNS, ROWS])})
    (shelf / "old.npz").write_bytes(data)
    (shelf / "old.toml").write_text(f"sha256 = {json.dumps(sha256(data).hexdigest())}")

    with pytest.raises(ModelError, match=r"old\.npz"):
        load_printed("old")
