"""`reading_accuracy --left-out`: numbers for a session are chosen without it, here with our own drawings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.games.kingdomino.sight import tiling
from companion.photos.reader import PhotoReader
from companion.vision.gallery import squares as galleries
from models.train import thresholds
from models.train.degradation import degraded
from models.train.thresholds import Sample, SampleReader
from tests.models.train.conftest import Measure
from tests.models.train.test_reading_accuracy import label
from tests.vision.photo.kingdoms import PHOTOS, board, file_of, grown_kingdom, our_gallery


@pytest.fixture
def evenings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two evenings with a board each."""
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    monkeypatch.setattr(thresholds, "degraded", lambda picture: list(degraded(picture))[2:3])
    folder = tmp_path / "labelled"
    (folder / "boards").mkdir(parents=True)
    table = {}
    for seed, session in ((1, "friday"), (2, "sunday")):
        (folder / "boards" / f"{seed}.jpg").write_bytes(file_of(board(grown_kingdom(seed))))
        table[f"{seed}.jpg"] = label(grown_kingdom(seed), session=session)
    (folder / "labels.json").write_text(json.dumps({"boards": table}), encoding="utf-8")
    return folder


def test_each_session_is_read_by_numbers_of_the_others(
    measure: Measure, evenings: Path, tmp_path: Path
) -> None:
    others = tmp_path / "others"
    others.mkdir()
    for name in ("1.png", "2.png"):
        (others / name).write_bytes(file_of(np.zeros((300, 400, 3), np.uint8), ".png"))
    before = tiling.NOTHING

    ((friday, sunday, both),) = measure(evenings, "--left-out", "--others", others, "--json").json

    assert friday["photos"]["median_ms"] == {}
    assert [friday["left_out"], sunday["left_out"]] == ["friday", "sunday"]
    assert (friday["photos"]["photos"], friday["spoilt"]["photos"], friday["photos"]["scores_right"]) == (
        1,
        1,
        1,
    )
    assert friday["others"] == {"pictures": 1, "refused": 1, "silently_counted": 0}
    assert friday["chosen"].keys() >= {"tiling.NOTHING", "known", "clear"}
    assert (both["left_out"], both["chosen"].keys()) == (None, friday["chosen"].keys())
    assert before == tiling.NOTHING


def test_what_is_left_out_has_no_part_in_choosing() -> None:
    black = np.zeros((300, 300, 3), np.uint8)
    trial = SampleReader(
        PhotoReader(PHOTOS, our_gallery()), [Sample("a", None, black), Sample("b", None, black)]
    )
    trial._costs[
        thresholds._key(setting := {n.key: n.values[0] for n in thresholds.NUMBERS}, thresholds.NUMBERS)
    ] = [7, 1]

    assert (trial.cost_without("a", setting), trial.cost_without("b", setting)) == (1, 7)


def test_one_session_cannot_be_left_out(measure: Measure, evenings: Path) -> None:
    text = (evenings / "labels.json").read_text("utf-8")
    (evenings / "labels.json").write_text(text.replace("sunday", "friday"), encoding="utf-8")

    said = measure(evenings, "--left-out")

    assert (said.code, said.err) == (
        2,
        "companion: Leaving a session out needs photos of at least two sessions.\n",
    )


def test_pictures_of_other_things_get_no_points(measure: Measure, evenings: Path, tmp_path: Path) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / "black.png").write_bytes(file_of(np.zeros((300, 400, 3), np.uint8), ".png"))
    (others / "broken.jpg").write_bytes(b"nothing")

    said = measure(evenings, "--others", others, "--json")

    assert said.json[0][-1] == {"others": 2, "counted": 0}
