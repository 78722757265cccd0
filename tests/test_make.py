"""What `make` tells whoever starts here, with a pip of our own instead of the network."""

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
case "$*" in *editable*) exit 0;; esac
echo "Looking in indexes: somewhere"
echo "Collecting flask==3.1.3 (from -r requirements/run.txt (line 17))"
echo "  Downloading flask-3.1.3-py3-none-any.whl (103 kB)"
echo "Processing /wheels/typing_extensions-4.16.0-py3-none-any.whl"
echo "trouble with pip" >&2
[ -e full ] && exit 1
echo "Installing collected packages: flask, typing-extensions"
"""


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """As much of a clone as an installation looks at."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / "requirements").mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements/build.txt", "requirements/run.txt"):
        shutil.copy(HOUSE / name, tmp_path / name)
    pip = tmp_path / ".venv" / "bin" / "pip"
    pip.write_text(PIP)
    pip.chmod(0o755)
    (tmp_path / ".venv" / "venv.stamp").touch()
    return tmp_path


def test_an_installation_names_each_part_and_says_little_else(sources: Path) -> None:
    said = make(sources, "install")

    assert said.stdout.splitlines() == [
        "Installing what the companion needs (once; under a minute on a good line)",
        " flask typing_extensions",
        " Unpacking…",
        "Installing Table Companion itself",
        "Ready: .venv/bin/companion",
    ]
    assert (said.returncode, said.stderr) == (0, "trouble with pip\n")


def test_an_installation_that_fails_is_tried_again_next_time(sources: Path) -> None:
    (sources / "full").touch()

    said = make(sources, "install")

    assert (said.returncode, "Ready" in said.stdout, "trouble with pip" in said.stderr) == (2, False, True)
    assert not (sources / ".venv" / "run.stamp").exists()
    (sources / "full").unlink()
    assert make(sources, "install").returncode == 0


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
