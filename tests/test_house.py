"""The house stays in order: who may import whom, a README in every room, and nothing that grows too large."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dependency_rule import PACKAGES, violations

HOUSE = Path(__file__).parents[1]


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((HOUSE / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def long_functions(source: str, limit: int = 45) -> list[str]:
    return [
        f"{node.name} is {node.end_lineno - node.lineno + 1} lines long"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno
        and node.end_lineno - node.lineno + 1 > limit
    ]


KINGDOMINO = "companion.games.kingdomino"
CARCASSONNE = "companion.games.carcassonne"
PAGES = "companion.web.pages"
A_HOUSE = frozenset(
    "companion companion.app companion.core companion.core.log companion.games companion.games.carcassonne"
    " companion.games.kingdomino companion.games.kingdomino.sight companion.games.kingdomino.scoring"
    " companion.store companion.table companion.web companion.web.pages companion.virtual companion.virtual.scene"
    " companion.watch companion.watch.loop companion.watch.state hardware hardware.camera calibration".split()
)


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    (
        ("companion.core.log", "import json\nfrom companion.core import session", ""),
        ("companion.core.log", "import numpy", "1 may not import numpy"),
        ("companion.core.log", "from companion import games", "1 may not import companion.games"),
        ("companion.core.log", "from ..games import GAMES", "1 may not import companion.games"),
        ("companion.core.log", "import importlib.resources, tomllib", ""),
        ("companion.core.log", "import os.path", "1 may not use os"),
        ("companion.core.log", "from threading import Lock", "1 may not use threading"),
        ("companion.core.log", "datetime.now(UTC)", "1 may not call now()"),
        ("companion.core.log", "open('log')", "1 may not call open()"),
        ("companion.games", "from companion.games import kingdomino", ""),
        ("companion.games", "from . import kingdomino", ""),
        (
            f"{KINGDOMINO}.scoring",
            "from companion.games import carcassonne",
            f"1 may not import {CARCASSONNE}",
        ),
        (f"{KINGDOMINO}.scoring", "from companion.games import GAMES", "1 may not import companion.games"),
        (KINGDOMINO, "from .scoring import points", ""),
        (KINGDOMINO, "from ..carcassonne import points", f"1 may not import {CARCASSONNE}"),
        (f"{KINGDOMINO}.scoring", "import numpy", "1 may not import numpy"),
        (f"{KINGDOMINO}.sight", "from . import scoring", ""),
        (f"{KINGDOMINO}.sight", "import cv2", "1 may not import cv2"),
        ("companion.store.log", "import sqlalchemy as sa\nfrom companion.core.log import Entry", ""),
        ("companion.store.log", "from companion.web import pages", f"1 may not import {PAGES}"),
        (PAGES, "import flask\nfrom companion.games import GAMES\nimport companion.table", ""),
        (PAGES, "import sqlalchemy", "1 may not import sqlalchemy"),
        (PAGES, "if TYPE_CHECKING:\n  from companion.store import Log", "2 may not import companion.store"),
        (PAGES, "from companion.games import kingdomino", f"1 may not import {KINGDOMINO}"),
        (PAGES, f"import_module('{KINGDOMINO}')", f"1 may not import {KINGDOMINO}"),
        (PAGES, "importlib.import_module('companion.store')", "1 may not import companion.store"),
        ("companion.vision.locate", "import cv2\nimport calibration", ""),
        ("companion.vision.locate", "from companion.games import GAMES", "1 may not import companion.games"),
        ("companion.watch.loop", "from companion import table", ""),
        (
            "companion.watch.loop",
            "from companion.virtual import scene",
            "1 may not import companion.virtual.scene",
        ),
        (PAGES, "from companion.watch import state", ""),
        (PAGES, "from companion.watch import loop", "1 may not import companion.watch.loop"),
        ("companion.app", "import waitress\nimport hardware.camera\nfrom companion import store, web", ""),
        ("companion.app", "def serve():\n  import flask", "2 may not import flask"),
        ("companion", "from companion import core", "1 may not import companion.core"),
        ("companion.attic", "", " is in no room: give it one in tests/dependency_rule.py"),
        ("hardware.camera", "import picamera2", "1 may import picamera2 only inside a function"),
        ("hardware.camera", "class A:\n  import gpiozero", "2 may import gpiozero only inside a function"),
        ("hardware.camera", "async def look():\n  import picamera2", ""),
        ("hardware.camera", "def look():\n  import companion.games", "2 may not import companion.games"),
        ("calibration", "import companion.core.log\nimport companion.app", "2 may not import companion.app"),
        ("models", "from companion import table", "1 may not import companion.table"),
    ),
)
def test_the_dependency_rule_sees_what_breaks_it(module: str, source: str, expected: str) -> None:
    said = violations(module, source, A_HOUSE)

    assert "; ".join(said).removeprefix(module).removeprefix(":") == expected


def test_every_import_keeps_the_dependency_rule() -> None:
    found = {module_name(path): path.read_text("utf-8") for path in sources(*PACKAGES)}

    broken = [
        line for module, source in found.items() for line in violations(module, source, frozenset(found))
    ]

    assert broken == []


def test_every_room_says_what_belongs_in_it() -> None:
    folders = {path.parent for path in sources(*PACKAGES)} - {HOUSE / "companion"}
    rooms = {f for f in folders if f.parent in (HOUSE, HOUSE / "companion", HOUSE / "companion" / "games")}

    assert [str(room.relative_to(HOUSE)) for room in sorted(rooms) if not (room / "README.md").exists()] == []
    assert {HOUSE / "hardware", HOUSE / "companion" / "core"} <= rooms


def test_no_tracked_file_is_over_8_mb() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, capture_output=True, text=True, check=True)
    files = [HOUSE / name for name in listed.stdout.split("\0") if name]

    assert files
    assert [str(f) for f in files if f.is_file() and f.stat().st_size > 8_000_000] == []


def test_no_source_is_over_320_lines() -> None:
    long = [path for path in sources(*PACKAGES, "tests") if len(path.read_text("utf-8").splitlines()) > 320]

    assert [module_name(path) for path in long] == []


def test_no_function_is_over_45_lines() -> None:
    found = {
        module_name(path): long_functions(path.read_text("utf-8")) for path in sources(*PACKAGES, "tests")
    }

    assert {module: functions for module, functions in found.items() if functions} == {}


def test_a_function_of_46_lines_is_seen() -> None:
    body = "  pass\n" * 45

    assert long_functions(f"def fits():\n{body[:-7]}") == []
    assert long_functions(f"class A:\n async def long():\n{body}") == ["long is 46 lines long"]
