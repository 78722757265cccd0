"""`companion read` and `companion score` with photos: squares, points and doubts of kingdoms in our own drawings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.kingdomino.rules.kingdom import Cell, Kingdom
from companion.games.kingdomino.rules.pieces import Square
from companion.games.kingdomino.rules.scoring import middle_kingdom_points, property_points
from companion.vision.gallery import squares as galleries
from tests.commands.conftest import Companion
from tests.vision.photo.kingdoms import (
    ANGLED,
    board,
    file_of,
    grown_kingdom,
    half,
    our_gallery,
    photo,
    shown_squares,
)


@pytest.fixture(autouse=True)
def drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shipped knows our own drawings."""
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())


@pytest.fixture
def kingdom() -> Kingdom:
    return grown_kingdom(4)


def squares(grid: list[list[Mapping[str, Any]]]) -> dict[Cell, tuple[str, int]]:
    return {
        (x, y): (place["terrain"], place["crowns"])
        for y, row in enumerate(grid)
        for x, place in enumerate(row)
    }


def as_told(shown: Mapping[Cell, Square]) -> dict[Cell, tuple[str, int]]:
    return {cell: (square.terrain.value, square.crowns) for cell, square in shown.items()}


def test_a_photo_for_a_script(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    (home / "table.jpg").write_bytes(file_of(photo(board(kingdom))))

    said = companion("read", "kingdomino", "table.jpg", "--json")

    (answer,) = said.json
    (found,) = answer["kingdoms"]
    assert (said.code, said.err, answer["photo"]) == (0, "", "table.jpg")
    assert answer["ms"] > 0
    assert squares(found["grid"]) == as_told(shown_squares(kingdom))
    assert found["score"] == property_points(kingdom)
    unsure = {
        (x, y)
        for y, row in enumerate(found["grid"])
        for x, place in enumerate(row)
        if place["confidence"] < 0.5
    }
    asked = {(x, y) for doubt in found["doubts"] for x, y in doubt["cells"]}
    assert unsure == asked < set(shown_squares(kingdom))


def test_a_photo_for_a_person(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    (home / "table.jpg").write_bytes(file_of(board(kingdom)))

    said = companion("read", "kingdomino", "table.jpg")

    first, points, *rows = said.out.splitlines()
    squares_told = as_told(shown_squares(kingdom))
    expected = [
        [
            "C" if terrain == "castle" else f"{terrain[0]}{crowns}"
            for terrain, crowns in (squares_told[x, y] for x in range(5))
        ]
        for y in range(5)
    ]
    assert first.startswith("table.jpg  ")
    asked = sum(row.startswith("    ?") for row in rows)
    asking = f", with {asked} questions open" if asked else ""
    assert points == f"  Kingdom 1{asking}: {property_points(kingdom)} points"
    assert [row.replace("?", "").split() for row in rows if not row.startswith("    ?")] == expected


def test_empty_places_are_asked_about_at_once(companion: Companion, home: Path) -> None:
    kingdom = grown_kingdom(5, dominoes=11)
    (home / "holes.png").write_bytes(file_of(board(kingdom), ".png"))

    ((answer,), told) = (
        companion("read", "kingdomino", "holes.png", "--json").json,
        companion("read", "kingdomino", "holes.png").out,
    )

    (found,) = answer["kingdoms"]
    empty = {cell for cell, (terrain, _crowns) in squares(found["grid"]).items() if terrain == "empty"}
    (doubt,) = (one for one in found["doubts"] if one.get("reason") == "no domino fits")
    first, second = doubt["candidates"]
    assert empty == set(squares(found["grid"])) - set(shown_squares(kingdom)) != set()
    assert empty == {(x, y) for x, y in doubt["cells"]}
    assert first == {"terrain": "empty", "crowns": 0} != second
    assert max(found["grid"][y][x]["confidence"] for x, y in empty) < 0.5
    assert f"? Are these {len(empty)} places empty: " in told


def test_points_and_why(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    (home / "table.jpg").write_bytes(file_of(board(kingdom)))

    ((answer,), told) = (
        companion("score", "kingdomino", "--json", "table.jpg").json,
        companion("score", "kingdomino", "table.jpg").out,
    )

    (found,) = answer["kingdoms"]
    points = property_points(kingdom)
    assert found["totals"]["middle"] == points + middle_kingdom_points(kingdom)
    assert sum(one["points"] for one in found["properties"]) == found["score"] == points
    assert {(x, y): (terrain, crowns) for x, y, terrain, crowns in found["cells"]} == squares(found["grid"])
    assert re.search(rf"Kingdom 1(, with \d+ questions open)?: {points} points", told)
    assert "Largest property: " in told


def test_a_folder_and_a_document_in_one_go(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    (home / "evening").mkdir()
    for name in ("ana.jpg", "rui.JPG"):
        (home / "evening" / name).write_bytes(file_of(board(kingdom)))
    (home / "evening" / "notes.txt").write_text("hello")
    (home / "told.json").write_text('{"cells": [[0, 0, "castle", 0], [1, 0, "lake", 1]]}')

    said = companion("score", "kingdomino", "told.json", "evening", "--json")

    told, *photos = said.json
    assert (said.code, told["score"]) == (0, 1)
    assert [(Path(one["photo"]).name, len(one["kingdoms"])) for one in photos] == [
        ("ana.jpg", 1),
        ("rui.JPG", 1),
    ]


def test_a_photo_without_a_kingdom_brings_no_points(companion: Companion, home: Path) -> None:
    (home / "carpet.png").write_bytes(file_of(np.full((300, 400, 3), 90, np.uint8), ".png"))

    read = companion("read", "kingdomino", "carpet.png", "--json")
    scored = companion("score", "kingdomino", "carpet.png", "--json")

    assert (read.code, [one["kingdoms"] for one in read.json]) == (0, [[]])
    assert (scored.code, [one["kingdoms"] for one in scored.json]) == (2, [[]])
    assert (
        scored.err
        == "companion: carpet.png: Nothing of the game is seen in this photo, so there are no points.\n"
    )


def test_one_bad_file_keeps_no_other_from_being_read(
    companion: Companion, home: Path, kingdom: Kingdom
) -> None:
    (home / "a.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(100))
    (home / "b.jpg").write_bytes(file_of(board(kingdom))[:2000])
    (home / "c.jpg").write_bytes(file_of(board(kingdom)))
    (home / "line.png").write_bytes(file_of(np.zeros((1, 9000, 3), np.uint8), ".png"))
    (home / "empty").mkdir()
    long = "x" * 300

    said = companion(
        "read", "kingdomino", "empty", "a.heic", "b.jpg", "nowhere.jpg", long, "line.png", "c.jpg", "--json"
    )

    *wrong, right = said.json
    assert (said.code, len(right["kingdoms"])) == (2, 1)
    assert [(one["file"], one["error"].partition(":")[0]) for one in wrong] == [
        ("empty", "There is no photo in this folder."),
        ("a.heic", "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        ("b.jpg", "This file is not a picture, or it is damaged."),
        ("nowhere.jpg", "The file cannot be read"),
        (long, "The file cannot be read"),
        ("line.png", "The picture is too small"),
    ]


def test_a_picture_that_cannot_be_written_costs_no_answer(
    companion: Companion, home: Path, kingdom: Kingdom
) -> None:
    (home / "table.jpg").write_bytes(file_of(board(kingdom)))
    (home / "taken").write_text("a file")

    said = companion("read", "kingdomino", "table.jpg", "--annotate", home / "taken", "--json")

    answer, error = said.json
    assert (said.code, len(answer["kingdoms"])) == (1, 1)
    assert error["error"].startswith("The picture cannot be written: ")


def test_corners_that_somebody_shows(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    large = cv2.resize(photo(board(kingdom)), None, fx=3, fy=3)
    (home / "table.jpg").write_bytes(file_of(np.asarray(large, np.uint8)))
    corners = [f"{3 * x},{3 * y}" for x, y in ANGLED]

    (answer,) = companion("read", "kingdomino", "table.jpg", "--corners", *corners, "--json").json

    assert squares(answer["kingdoms"][0]["grid"]) == as_told(shown_squares(kingdom))


def test_photos_are_drawn_over(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    for folder in ("one", "two"):
        (home / folder).mkdir()
        (home / folder / "ana.jpg").write_bytes(file_of(photo(board(kingdom))))

    said = companion("read", "kingdomino", "one", "two", "--annotate", home / "drawn")

    drawn = {file.name: cv2.imread(str(file)) for file in (home / "drawn").iterdir()}
    assert (said.code, sorted(drawn)) == (0, ["ana-2.jpg", "ana.jpg"])
    green = np.asarray(drawn["ana.jpg"], np.int16)
    assert ((green[..., 1] - green[..., 0] > 80) & (green[..., 1] - green[..., 2] > 80)).sum() > 5000


def test_a_gallery_of_one_s_own(companion: Companion, home: Path, kingdom: Kingdom) -> None:
    folder = home / "cut"
    folder.mkdir()
    for number in (1, 2):
        picture = np.hstack([half(number, False), half(number, True)])
        (folder / f"{number:02}.png").write_bytes(file_of(np.asarray(picture, np.uint8), ".png"))
    (home / "table.jpg").write_bytes(file_of(board(kingdom)))
    companion("enrol", "kingdomino", "--name", "mine", folder)

    mine = companion("read", "kingdomino", "table.jpg", "--gallery", "mine", "--json")
    shipped = companion("read", "kingdomino", "table.jpg", "--gallery", "shipped", "--json")
    unknown = companion("read", "kingdomino", "table.jpg", "--gallery", "yours", "--json")

    assert (mine.code, mine.json[0]["kingdoms"]) == (0, [])
    assert len(shipped.json[0]["kingdoms"]) == 1
    assert (unknown.code, unknown.err) == (2, "companion: There is no box “yours”, only: mine.\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    (
        (("dominion", "a.jpg"), "Photos of Dominion cannot be read yet."),
        (("kingdomino", "empty"), "empty: There is no photo in this folder."),
        (
            ("kingdomino", "a.jpg", "--corners", "1,2", "3,4", "5,6", "x"),
            "A corner is written as two numbers, 120,85, clockwise from the upper left.",
        ),
        (
            ("kingdomino", "a.jpg", "b.jpg", "--corners", "1,2", "3,4", "5,6", "7,8"),
            "Corners belong to one photo, and these are 2.",
        ),
    ),
)
def test_what_is_not_understood(
    companion: Companion, home: Path, words: tuple[str, ...], expected: str
) -> None:
    (home / "empty").mkdir()

    said = companion("read", *words)

    assert (said.code, said.out, said.err) == (2, "", f"companion: {expected}\n")
