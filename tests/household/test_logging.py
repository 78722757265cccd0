from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.household.logging import LARGEST_FILE, begin_logging, keep_traceback


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Logging is everybody's: leave it as it was."""
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def go_wrong() -> None:
    try:
        raise KeyError("domino 49")
    except KeyError:
        logging.getLogger("companion.sessions.live").exception("cannot go on")


def test_a_person_can_read_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin_logging("info", tmp_path)
    logging.getLogger("companion.sessions.live").info("%s chooses domino %d (page)", "Ana", 26)
    logging.getLogger("companion.app").warning("the disk is nearly full")
    logging.getLogger("companion.app").debug("looked around")

    told = [re.sub(r"^\d\d:\d\d:\d\d", "12:03:07", line) for line in capsys.readouterr().err.splitlines()]

    assert told == [
        "12:03:07  live     Ana chooses domino 26 (page)",
        "12:03:07  app      ! the disk is nearly full",
    ]


def test_requests_make_no_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin_logging("debug", tmp_path)
    logging.getLogger("waitress").info("Serving on http://0.0.0.0:8000")
    logging.getLogger("werkzeug").info("GET / 200")
    logging.getLogger("waitress.queue").warning("Task queue depth is 1")

    assert capsys.readouterr().err == ""


def test_a_traceback_goes_into_the_file_and_not_to_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin_logging("info", tmp_path)
    go_wrong()

    told, kept = capsys.readouterr().err, (tmp_path / "errors.log").read_text()

    assert told.endswith("! cannot go on (KeyError: 'domino 49')\n")
    assert "Traceback" not in told
    assert "in go_wrong" in kept


def test_whoever_mends_it_sees_the_traceback_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEBUG", "1")
    begin_logging("info", tmp_path)
    go_wrong()

    assert "in go_wrong" in capsys.readouterr().err


def test_the_file_of_errors_does_not_grow_without_end(tmp_path: Path) -> None:
    (tmp_path / "errors.log").write_text("x" * (LARGEST_FILE + 1))

    kept = keep_traceback(ValueError("again"), tmp_path)

    assert kept == tmp_path / "errors.log"
    assert kept.stat().st_size < 1000
    assert (tmp_path / "errors.old.log").stat().st_size > LARGEST_FILE


def test_a_disk_that_takes_nothing_is_no_second_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    assert keep_traceback(ValueError("lost"), tmp_path / "file") is None
