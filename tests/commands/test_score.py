from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import Companion

KINGDOM = {"cells": [[0, 0, "castle", 0], [1, 0, "lake", 1], [2, 0, "lake", 2], [0, 1, "wheat", 0]]}
TWO_CASTLES = {"cells": [[0, 0, "castle", 0], [1, 0, "castle", 0]]}


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_a_kingdom_is_scored_for_a_script(companion: Companion, home: Path) -> None:
    said = companion("score", "kingdomino", "--json", write(home / "a.json", KINGDOM))

    assert (said.code, said.err) == (0, "")
    assert [(answer["score"], answer["total_crowns"]) for answer in said.json] == [(6, 3)]


def test_a_kingdom_is_scored_for_a_person(companion: Companion, home: Path) -> None:
    write(home / "a.json", KINGDOM)

    said = companion("score", "kingdomino", "a.json")

    assert said.out.splitlines() == [
        "a.json",
        "  Kingdom: 6 points",
        "      2 × 3 =   6  Lake",
        "      1 × 0 =   0  Wheat field",
        "      Largest property: 2 · crowns: 3",
    ]


def test_several_kingdoms_are_ranked(companion: Companion, home: Path) -> None:
    smaller = {"cells": [[0, 0, "castle", 0], [1, 0, "lake", 3], [1, 1, "lake", 0]]}
    write(home / "a.json", {"players": [KINGDOM, smaller]})

    said = companion("score", "kingdomino", "a.json")

    assert said.out.splitlines()[-4:] == [
        "  Without bonuses: 6 · 6; victory: 1, 2, shared",
        "  With the Middle Kingdom: 6 · 6; victory: 1, 2, shared",
        "  With Harmony: 6 · 6; victory: 1, 2, shared",
        "  With both bonuses: 6 · 6; victory: 1, 2, shared",
    ]


def test_a_question_about_a_domino_is_answered(companion: Companion, home: Path) -> None:
    write(home / "a.json", {**KINGDOM, "domino": 1, "x": 0, "y": -1, "dir": "N"})

    said = companion("score", "kingdomino", "a.json")

    assert said.out.splitlines()[-2:] == ["  The domino fits in 26 ways.", "  This placement is legal."]


def test_a_list_is_worked_through_item_by_item(companion: Companion, home: Path) -> None:
    write(home / "a.json", [KINGDOM, TWO_CASTLES, [], KINGDOM])
    write(home / "b.json", KINGDOM)

    said = companion("score", "kingdomino", "--json", "a.json", "nowhere.json", "b.json")

    assert said.code == 2
    assert [answer.get("error", answer.get("score")) for answer in said.json] == [
        6,
        "A kingdom has one castle; this one has 2.",
        "A JSON object is needed here, not [].",
        6,
        "The file cannot be read: No such file or directory.",
        6,
    ]
    assert [answer["file"] for answer in said.json if "file" in answer] == [
        "a.json[1]",
        "a.json[2]",
        "nowhere.json",
    ]
    assert said.err.splitlines()[0] == "companion: a.json[1]: A kingdom has one castle; this one has 2."


@pytest.mark.parametrize(
    ("content", "expected"),
    (
        (b"", "The file is empty."),
        (b" \n", "The file is empty."),
        (b"[]", "The list in this file is empty."),
        (b"{\n  nope", "Not JSON at line 2, column 3."),
        (b'{"a": "\xff"}', "Line 1 is not UTF-8 text."),
        (b"[" * 200_000, "There are too many lists within lists."),
        (b'{"size": ' + b"9" * 5000 + b"}", "999999999999… is too large a number."),
        (b'{"size": 1e999}', "1e999… is too large a number."),
        (b'{"size": NaN}', "NaN is not a number in JSON."),
        (b'{"size": -Infinity}', "-Infinity is not a number in JSON."),
        (b" " * 32_000_001, "The file is larger than 32 MB."),
        (b"\xef\xbb\xbf[1]", "A JSON object is needed here, not 1."),
        (b'{"cells": [["\\u001b[31m"]]}', "A cell is written [x, y, terrain, crowns], not ['\\x1b[31m']."),
    ),
)
def test_a_file_that_is_no_table_is_told_in_one_line(
    companion: Companion, home: Path, content: bytes, expected: str
) -> None:
    (home / "a.json").write_bytes(content)

    said = companion("score", "kingdomino", "--json", "a.json")

    assert (said.code, [answer["error"] for answer in said.json]) == (2, [expected])
    assert said.err.count("\n") == 1


def test_a_folder_has_to_have_photos(companion: Companion, home: Path) -> None:
    said = companion("score", "kingdomino", home)

    assert (said.code, said.err) == (2, f"companion: {home}: There is no photo in this folder.\n")


def test_the_standard_input_can_be_scored(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(KINGDOM).encode())))

    said = companion("score", "kingdomino", "--json", "-")

    assert [answer["score"] for answer in said.json] == [6]


def test_a_name_cannot_play_tricks_on_the_terminal(companion: Companion) -> None:
    said = companion("score", "kingdomino", "\x1b[31mred.json")

    assert "\x1b" not in said.err
