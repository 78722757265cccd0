"""`python -m models.train.reading_accuracy`: labelled photos, our own drawings here, are measured by session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photo import KingdomReading
from companion.vision.gallery import squares as galleries
from tests.models.train.conftest import Measure
from tests.vision.photo.kingdoms import SIDE, board, file_of, grown_kingdom, our_gallery, photo, shown_squares


def label(kingdom: Kingdom, **others: object) -> dict[str, Any]:
    squares, bounds = shown_squares(kingdom), kingdom.bounds
    grid = [
        [
            {"terrain": square.terrain.value, "crowns": square.crowns}
            if (square := squares.get((x, y)))
            else {"terrain": "empty", "crowns": 0}
            for x in range(bounds.columns)
        ]
        for y in range(bounds.rows)
    ]
    return {"grid": grid, "score": property_points(kingdom), **others}


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two cropped boards of one evening, a photo of another, and the gallery of our own drawings."""
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    folder = tmp_path / "labelled"
    (folder / "boards").mkdir(parents=True)
    (folder / "photos").mkdir()
    table: dict[str, dict[str, Any]] = {"boards": {}, "photos": {}}
    for seed in (1, 2):
        kingdom = grown_kingdom(seed)
        (folder / "boards" / f"{seed}.jpg").write_bytes(file_of(board(kingdom)))
        table["boards"][f"{seed}.jpg"] = label(kingdom, session="evening")
    (folder / "photos" / "phone1.jpg").write_bytes(file_of(photo(board(grown_kingdom(4)))))
    table["photos"]["phone1.jpg"] = label(grown_kingdom(4))
    (folder / "labels.json").write_text(json.dumps(table), encoding="utf-8")
    return folder


def test_figures_by_session(measure: Measure, photos: Path) -> None:
    said = measure(photos, "--json")

    (rows,) = said.json
    found = {
        row["session"]: (row["photos"], row["squares"], row["squares_right"], row["scores_right"])
        for row in rows
    }
    assert (said.code, found) == (
        0,
        {
            "evening": (2, 50, 50, 2),
            "phone": (1, 25, 25, 1),
            "*": (3, 75, 75, 3),
        },
    )
    assert {"decode", "explain", "all"} <= rows[0]["median_ms"].keys()


def test_whoever_looks_on_sees_how_far_it_is(
    measure: Measure, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = measure(photos)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    seen = measure(photos)

    assert (alone.err, seen.err) == ("", "1 / 3\r2 / 3\r3 / 3\r")


def test_a_score_that_is_silently_wrong_is_named(
    measure: Measure, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photo of another kingdom, and nobody asks anything."""
    monkeypatch.setattr(KingdomReading, "asks", False)
    (photos / "boards" / "2.jpg").write_bytes((photos / "boards" / "1.jpg").read_bytes())

    said = measure(photos)
    ((evening, *_others),) = measure(photos, "--json").json

    assert (evening["scores_right"], evening["scores_silently_wrong"]) == (1, 1)
    assert (evening["silently_wrong"], "Silently wrong: 2.jpg." in said.out) == (["2.jpg"], True)


def changed(photos: Path, **changes: object) -> None:
    """Write something else into the label of the first photo."""
    file = photos / "labels.json"
    table = json.loads(file.read_text("utf-8"))
    table["boards"]["1.jpg"].update(changes)
    file.write_text(json.dumps(table), encoding="utf-8")


def grid(rows: int, columns: int = 5, **castle: object) -> list[list[dict[str, object]]]:
    """A castle amid wheat fields."""
    places: list[list[dict[str, object]]] = [
        [{"terrain": "wheat", "crowns": 0} for _x in range(columns)] for _y in range(rows)
    ]
    if places:
        places[0][0] = {"terrain": "castle", "crowns": 0, **castle}
    return places


@pytest.mark.parametrize(
    ("changes", "expected"),
    (
        ({"score": 99}, "contradicts itself: its squares are worth "),
        ({"score": True}, "cannot be read."),
        ({"score": 36.9}, "cannot be read."),
        ({"grid": grid(0)}, "is no kingdom: "),
        ({"grid": grid(2), "score": 0}, "is no kingdom: "),
        ({"grid": [*grid(4), []], "score": 0}, "is no kingdom: "),
        ({"grid": grid(5, terrain="lake"), "score": 0}, "is no kingdom: "),
        ({"grid": grid(5, crowns=7), "score": 0}, "cannot be read."),
        ({"grid": grid(5, crowns=False), "score": 0}, "cannot be read."),
        ({"grid": 5}, "cannot be read."),
    ),
)
def test_a_label_that_is_none_is_told_with_the_name_of_its_photo(
    measure: Measure, photos: Path, changes: dict[str, object], expected: str
) -> None:
    changed(photos, **changes)

    said = measure(photos)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"companion: The label of 1.jpg {expected}")


def test_what_was_read_is_drawn(measure: Measure, photos: Path, tmp_path: Path) -> None:
    said = measure(photos, "--annotate", tmp_path / "drawn")

    assert said.code == 0
    assert sorted(file.name for file in (tmp_path / "drawn").iterdir()) == [
        "evening_1.jpg",
        "evening_2.jpg",
        "phone_phone1.jpg",
    ]
    legend, evening, *_others = said.out.splitlines()
    assert (legend.startswith("Squares are told by"), evening.startswith("evening: 50 of 50 squares")) == (
        True,
        True,
    )


def test_questions_about_a_whole_kingdom_are_counted(measure: Measure, photos: Path) -> None:
    """Whoever cropped the photo has left a row out."""
    kingdom = grown_kingdom(1)
    (photos / "boards" / "1.jpg").write_bytes(file_of(board(kingdom)[SIDE:]))

    ((evening, _phone, every),) = measure(photos, "--json").json

    assert (evening["kingdoms_asked"], every["kingdoms_asked"]) == (1, 1)
    assert every["questions"] >= evening["questions"] >= 1


@pytest.mark.parametrize(
    ("words", "expected"),
    ((("nowhere",), "labels.json: The file cannot be read: No such file or directory."),),
)
def test_what_is_not_understood(measure: Measure, words: tuple[str, ...], expected: str) -> None:
    said = measure(*words)

    assert (said.code, said.err) == (2, f"companion: {expected}\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    (
        ("{}", "labels.json has neither “boards” nor “photos”."),
        ('{"boards": {}, "photos": {}}', "labels.json names no photo."),
        (
            '{"boards": 5, "photos": {}}',
            "“boards” and “photos” in labels.json name photos, each with its label.",
        ),
        ('{"photos": []}', "“boards” and “photos” in labels.json name photos, each with its label."),
        ('{"boards": {"1.jpg": {"score": 3}}}', "The label of 1.jpg cannot be read."),
        (json.dumps({"boards": {"9.jpg": label(grown_kingdom(1))}}), "9.jpg cannot be read."),
    ),
)
def test_labels_that_are_none(measure: Measure, photos: Path, text: str, expected: str) -> None:
    (photos / "labels.json").write_text(text, encoding="utf-8")

    said = measure(photos)

    assert (said.code, said.err) == (2, f"companion: {expected}\n")
