"""What the companion tells while it runs: lines a person can read, and a file for whoever mends it."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from pathlib import Path

QUIET = ("waitress", "werkzeug", "alembic", "sqlalchemy")
"""Libraries that speak of every request or query; only their warnings are for people."""

QUEUE = "waitress.queue"
"""Warns of each request that waits a moment, as the first one does while threads still start: nobody can act on it."""

ERRORS = "errors.log"
LARGEST_FILE = 256_000
"""Bytes of tracebacks we keep."""


def begin_logging(level: str, folder: Path) -> None:
    """Tell everything from this level on at the terminal, and keep the tracebacks in the data folder."""
    told = logging.StreamHandler()
    told.setFormatter(
        _ReadableLines(with_traceback=level == "debug" or bool(os.environ.get("COMPANION_DEBUG")))
    )
    kept = _KeptTracebacks(logging.ERROR)
    kept.folder = folder
    logging.basicConfig(level=level.upper(), handlers=[told, kept], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger(QUEUE).setLevel(logging.ERROR)


def keep_traceback(error: BaseException, folder: Path | None = None) -> Path | None:
    """Write down where an error came from; None when even that fails."""
    try:
        path = (folder or _data_folder()) / ERRORS
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST_FILE:
            path.replace(path.with_suffix(".old.log"))
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"\n{' '.join(sys.argv)}\n{''.join(traceback.format_exception(error))}")
    except OSError:
        return None
    return path


class _ReadableLines(logging.Formatter):
    """`12:03:07  table    Ana chooses domino 26`"""

    def __init__(self, with_traceback: bool) -> None:
        super().__init__("%(asctime)s  %(place)-8s %(mark)s%(message)s", "%H:%M:%S")
        self._with_traceback = with_traceback

    def format(self, record: logging.LogRecord) -> str:
        record.place = record.name.rpartition(".")[2]
        record.mark = "! " if record.levelno >= logging.WARNING else ""
        if self._with_traceback or not record.exc_info:
            return super().format(record)
        shortened = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None})
        kind = record.exc_info[0]
        return f"{super().format(shortened)} ({kind.__name__ if kind else ''}: {record.exc_info[1]})"


class _KeptTracebacks(logging.Handler):
    folder: Path

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            keep_traceback(record.exc_info[1], self.folder)


def _data_folder() -> Path:
    from companion.household.settings import load_settings

    return load_settings().settings.data_folder
