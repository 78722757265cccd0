"""What `make` does for whoever starts here, with a pip of our own instead of the network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")} | {
    "PORT": ""
}

PIP = """#!/bin/sh
[ ! -e full ]
"""


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """As much of a clone as an installation looks at."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    shutil.copytree(HOUSE / "requirements", tmp_path / "requirements")
    for name in ("Makefile", "pyproject.toml", "hatch_build.py"):
        shutil.copy(HOUSE / name, tmp_path / name)
    pip = tmp_path / ".venv" / "bin" / "pip"
    pip.write_text(PIP)
    pip.chmod(0o755)
    (tmp_path / ".venv" / "venv.stamp").touch()
    return tmp_path


def test_an_installation_that_fails_is_tried_again_next_time(sources: Path) -> None:
    (sources / "full").touch()

    failed = make(sources, "install")

    assert (failed.returncode, (sources / ".venv" / "run.stamp").exists()) == (2, False)
    (sources / "full").unlink()
    assert make(sources, "install").returncode == 0
    assert (sources / ".venv" / "run.stamp").exists()


@pytest.mark.parametrize("target", ("run", "install", "test"))
def test_words_that_were_edited_are_compiled_before_they_are_used(sources: Path, target: str) -> None:
    words = sources / "companion" / "translations" / "es" / "LC_MESSAGES"
    words.mkdir(parents=True)
    (words / "companion.po").touch()
    compiled = "companion/translations/es/LC_MESSAGES/companion.mo"

    said = make(sources, "--dry-run", target)
    (words / "companion.mo").touch()
    again = make(sources, "--dry-run", target)

    assert (f"--output-file {compiled}" in said.stdout, compiled in again.stdout) == (True, False)


@pytest.mark.parametrize(
    ("words", "command"),
    (
        ((), ".venv/bin/companion serve --demo"),
        (("PORT=8001",), ".venv/bin/companion serve --demo --port 8001"),
    ),
)
def test_make_run_takes_a_port_along(words: tuple[str, ...], command: str) -> None:
    said = make(HOUSE, "--dry-run", "run", *words)

    assert said.stdout.splitlines()[-1] == command
