"""Files of people's own beside the settings: read by every command, never in the way of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parents[2]
CARDS = """
[box.our-house]
name = "Our house"

[orchard]
name = "Orchard"
pt = "Pomar"
box = "our-house"
cost = 5
types = "victory"
points = "2 per gold"
"""


def score(folder: Path, language: str = "en", *options: str) -> subprocess.CompletedProcess[str]:
    """Count two decks, one of them with a card of the household's own."""
    decks = [{"cards": {"gold": 3, "orchard": 2}}, {"cards": {"duchy": 1}}]
    file = folder / "decks.json"
    file.write_text(json.dumps({"players": decks}), "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "companion", "score", "dominion", *options, str(file)],
        cwd=HOUSE,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder / "config"), "LANG": language, "LC_ALL": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def put(folder: Path, name: str, text: bytes) -> Path:
    path = folder / "config" / "table-companion" / "games" / "dominion" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


def test_a_card_of_ones_own_counts_without_a_line_of_code(tmp_path: Path) -> None:
    put(tmp_path, "orchard.toml", CARDS.encode())
    said = score(tmp_path, "en", "--json")
    answer: dict[str, Any] = json.loads(said.stdout)

    assert (said.returncode, said.stderr) == (0, "")
    assert answer["players"][0]["lines"] == [
        {"card": "orchard", "count": 2, "points": 12, "working": "2 × 3"}
    ]
    assert "Pomar" in score(tmp_path, "pt_BR.UTF-8").stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    (
        (b"[orchard]\ncost = 5", "Card “orchard”: “box” needs a text of 120 characters at most"),
        (b"[[rulings.pomar]]\n", "rulings: rulings.pomar: there is no card “pomar”"),
        (b"\xff\xfe", "The file is not saved as UTF-8 text."),
        (b"#" * 300_000, "The file is larger than 256 kB."),
        (b"#" * 70_000, "A file of cards has 64000 characters at most."),
        (CARDS.replace("orchard", "market").encode(), "There is a card or a box “market” already"),
    ),
)
def test_what_is_wrong_with_a_file_is_told_and_the_others_count(
    tmp_path: Path, text: bytes, problem: str
) -> None:
    put(tmp_path, "orchard.toml", CARDS.encode())
    wrong = put(tmp_path, "wrong.toml", text)
    said = score(tmp_path)

    assert said.returncode == 0
    assert f"{wrong}: {problem}" in said.stderr
    assert "2 × 3 =  12" in said.stdout


def test_without_the_file_the_card_is_unknown(tmp_path: Path) -> None:
    said = score(tmp_path)

    assert said.returncode == 2
    assert (
        "There is no card “orchard”. If it is a card of your own, put its file where it was." in said.stderr
    )
