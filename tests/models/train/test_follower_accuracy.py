"""The bench of figures: what it makes of a folder, and what counts as what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.game import Colour
from companion.vision.photo.annotate import save_picture
from companion.vision.photo.figures import Figure, Posture
from companion.vision.photo.grid import Cell
from models.train.follower_accuracy import compared, main
from tests.vision.photo.test_figures import BOARD, figure, taken


def found(colour: Colour, cell: Cell, confidence: float = 0.9) -> Figure:
    return Figure(colour, None, confidence, Posture.STANDING, (0, 0), cell, (0.5, 0.5))


def test_a_folder_of_photos_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = [
        figure(Colour.RED, Posture.STANDING, 2.5, 1.5),
        figure(Colour.YELLOW, Posture.LYING, 0.5, 3.5),
    ]
    scene = taken(BOARD, figures, tilt=40)
    save_picture(scene.picture, tmp_path / "board.png")
    cells = [
        {
            "x": x,
            "y": y,
            "c": corners.mean(axis=0).tolist(),
            "u": ((corners[1] + corners[2] - corners[0] - corners[3]) / 2).tolist(),
            "v": ((corners[2] + corners[3] - corners[0] - corners[1]) / 2).tolist(),
        }
        for (x, y), corners in scene.corners.items()
    ]
    tokens = [
        {"colour": "red", "x": 2, "y": 1, "fx": 0.5, "fy": 0.5, "posture": "standing"},
        {"colour": "yellow", "x": 0, "y": 3},
    ]
    labels = {"photo": "board.png", "cells": cells, "tokens": tokens}
    (tmp_path / "board.json").write_text(json.dumps(labels), encoding="utf-8")
    (tmp_path / "index.json").write_text("[]", encoding="utf-8")
    (tmp_path / "out").mkdir()

    main(tmp_path, "", tmp_path / "out")

    photo, everything = capsys.readouterr().out.splitlines()
    right = ": 2 of 2 right (0 asked), 0 in another colour, 0 on a neighbour, 0 missed; 0 invented, "
    assert (photo.startswith(f"board.png{right}"), everything.startswith(f"all{right}")) == (True, True)
    assert "; 1 of 1 postures; " in photo
    assert (tmp_path / "out" / "board.png").exists()


def test_every_figure_counts_once() -> None:
    tokens = [
        {"colour": "red", "x": 0, "y": 0},
        {"colour": "blue", "x": 1, "y": 0},
        {"colour": "green", "x": 2, "y": 0},
        {"colour": "yellow", "x": 3, "y": 3},
    ]
    seen = (
        found(Colour.RED, (0, 0), 0.4),
        found(Colour.BLACK, (1, 0)),
        found(Colour.GREEN, (2, 1)),
        found(Colour.RED, (5, 5)),
        found(Colour.RED, (6, 6), 0.3),
    )

    told = compared("photo", seen, tokens)

    assert (told.right, told.asked, told.colour, told.neighbour, told.missed) == (1, 1, 1, 1, 1)
    assert (told.invented, told.doubted) == (1, 1)
