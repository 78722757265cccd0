from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import cli
from companion.commands import COMMANDS
from companion.games import GAMES
from tests.commands.conftest import Companion

HEAVY = ("sqlalchemy", "flask", "alembic", "babel", "waitress", "cv2", "numpy", "PIL")
KINGDOM = '{"cells": [[0, 0, "castle", 0], [1, 0, "lake", 1]]}'


def in_process_of_its_own(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60)


def test_without_words_it_says_what_it_can_do(companion: Companion) -> None:
    said = companion()

    assert (said.code, [name for name in COMMANDS if f"    {name} " not in said.out]) == (0, [])
    assert said.out == companion("--help").out


def test_it_knows_its_version(companion: Companion) -> None:
    said = companion("--version")

    assert (said.code, said.out.split()[0], said.err) == (0, "companion", "")


def test_small_sums_are_not_shared_between_threads() -> None:
    asks = "main(['--version']); print(os.environ['OPENBLAS_NUM_THREADS'])"
    forgets = "import os; os.environ.pop('OPENBLAS_NUM_THREADS', None); from companion.cli import main"
    said = in_process_of_its_own(sys.executable, "-c", f"{forgets}; {asks}")

    assert (said.returncode, said.stdout.split()[-1]) == (0, "1")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(companion: Companion, name: str) -> None:
    said = companion(name, "--help")

    assert (said.code, f"usage: companion {name}" in said.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "expected"),
    (
        (["scoer"], "companion: There is no command “scoer”; did you mean “score”?\n"),
        (["x"], f"companion: There is no command “x”, only {', '.join(COMMANDS)}.\n"),
        (
            ["score", "kingdomino"],
            "companion score: the following arguments are required: FILE (companion score --help)\n",
        ),
        (["score", "chess", "a"], f"companion: There is no game “chess”; we have: {', '.join(GAMES)}.\n"),
        (["--vers"], "companion: unrecognized arguments: --vers (companion --help)\n"),
        (
            ["serve", "--port", "70000"],
            "companion: --port has to be a whole number from 1 to 65535, not 70000.\n",
        ),
        (
            ["serve", "--art", "."],
            "companion: --art and --ground dress the virtual table: use them with --demo.\n",
        ),
        (
            ["serve", "--demo", "--ground", "nothing.jpg"],
            "companion: nothing.jpg cannot be read: No such file or directory.\n",
        ),
    ),
)
def test_a_slip_of_the_finger_is_told_in_one_line(
    companion: Companion, words: list[str], expected: str
) -> None:
    said = companion(*words)

    assert (said.code, said.out, said.err) == (2, "", expected)


def test_a_mistake_of_ours_is_kept_for_whoever_mends_it(
    companion: Companion, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "_version", lambda: 1 // 0)

    said = companion("--version")

    kept = home / "data" / "table-companion" / "errors.log"
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "companion: Something went wrong that should not have: ZeroDivisionError."
        f" Please tell us, with the file {kept}.\n"
    )
    assert "1 // 0" in kept.read_text()


def test_whoever_mends_it_can_ask_for_the_traceback(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEBUG", "1")
    monkeypatch.setattr(cli, "_version", lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        companion("--version")


def test_stopping_with_ctrl_c_is_quiet(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_version", stopped)

    said = companion("--version")

    assert (said.code, said.out, said.err) == (130, "", "")


def test_a_reader_who_leaves_early_hears_no_complaint(home: Path) -> None:
    (home / "many.json").write_text(f"[{','.join([KINGDOM] * 3000)}]")
    words = f"{sys.executable} -m companion score kingdomino --json many.json | head -n 1"

    done = in_process_of_its_own("sh", "-c", words, PYTHONPATH=str(Path(cli.__file__).parents[1]))

    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@pytest.mark.parametrize(
    "words",
    (["--version"], ["--help"], ["serve", "--help"], ["sessions", "--help"], ["score", "kingdomino", "-"]),
)
def test_small_commands_load_nothing_heavy(home: Path, words: list[str]) -> None:
    (home / "-").write_text(KINGDOM)
    program = (
        "import sys; from companion.cli import main; code = main(sys.argv[1:]);"
        f" print(code, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        input=KINGDOM, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])},
    )  # fmt: skip

    assert done.stderr == "0 []\n"
