"""What the doctor says of the files that photos are read by, and of the household's own boxes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import models.registry
from companion.vision.gallery.box import Box, BoxRepository
from models.registry import load_network
from tests.commands.conftest import Companion
from tests.vision.photo.kingdoms import damaged_box, half


def row(companion: Companion, check: str) -> dict[str, Any]:
    (rows,) = companion("doctor", "--json").json
    return next(row for row in rows if row["check"] == check)


def test_good_boxes_are_counted(companion: Companion, home: Path) -> None:
    pictures = [("w0", half(1, False)), ("f0", half(3, False))]
    BoxRepository(home / "data" / "table-companion").save("kingdomino", Box().learned(pictures))

    found = [row(companion, check) for check in ("photos", "boxes")]

    assert [(one["ok"], one["detail"]) for one in found] == [
        (True, "124 squares are known"),
        (True, "2 drawings of your own"),
    ]


def test_a_damaged_box_is_told(companion: Companion, home: Path) -> None:
    boxes = home / "data" / "table-companion" / "boxes"
    boxes.mkdir(parents=True)
    (boxes / "kingdomino.npz").write_bytes(b"PK and then nothing")

    found = row(companion, "boxes")

    assert (found["ok"], found["detail"]) == (
        False,
        damaged_box("kingdomino"),
    )
    file = boxes / "kingdomino.npz"
    assert found["fix"] == f"On the page: menu, Teach it your box, Forget this box. Or remove {file}."


@pytest.mark.parametrize("file", ("kingdomino.npz", "pieces.onnx", "pieces.toml"))
def test_what_photos_are_read_by_is_damaged(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    shutil.copytree(models.registry.FOLDER, tmp_path / "models", ignore=shutil.ignore_patterns("train"))
    (tmp_path / "models" / file).write_bytes(b"")
    monkeypatch.setattr(models.registry, "FOLDER", tmp_path / "models")
    load_network.cache_clear()

    found = row(companion, "photos")

    assert (found["ok"], found["fix"]) == (False, "Install the companion again.")
    assert found["detail"].startswith("models/")
    assert "is missing or damaged: it is not what came with the companion." in found["detail"]
