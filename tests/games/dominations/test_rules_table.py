"""RULES.md names code and tests that exist, for every rule."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from companion.games.dominations.rules.box import QUESTIONS
from tests.games.dominations.stories import DOMINATIONS

RULES = (DOMINATIONS.folder / "RULES.md").read_text("utf-8")
ROWS = re.findall(
    r"^\| (.+?) \| (?:[^|`]+ \| )?`([\w.]+)` \| `([\w.]+)\.(test_\w+)` \|$", RULES, re.MULTILINE
)


@pytest.mark.parametrize(("rule", "code", "file", "test"), ROWS)
def test_a_rule_names_its_code_and_its_test(rule: str, code: str, file: str, test: str) -> None:
    room, module, *names = code.split(".")
    found: object = import_module(f"companion.games.dominations.{room}.{module}")
    for name in names:
        found = getattr(found, name)

    assert rule
    assert f"def {test}(" in (Path(__file__).parent / f"{file.replace('.', '/')}.py").read_text("utf-8")


def test_every_row_is_whole_and_every_question_is_there() -> None:
    rows = [line for line in RULES.splitlines() if line.startswith("| ") and ".test_" in line]

    assert len(ROWS) == len(rows)
    assert [rule.split()[0] for rule, *_rest in ROWS if re.match(r"A\d", rule)] == [
        question.number for question in QUESTIONS.values()
    ]
