"""Files that people hand to a command: read within limits, taken apart, and worked through one by one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from companion.commands.terminal import Exit, Terminal
from companion.core.errors import CompanionError, NotationError, StoreError
from companion.core.message import message as _

LARGEST_FILE = 32_000_000
"""Bytes we read; ten thousand whole games fit."""
LONGEST_NUMBER = 40
"""Digits of a number we read; no game counts that far."""
STANDARD_INPUT = "-"

_TOO_DEEP = _("There are too many lists within lists.")
_WRONG_PLACES = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
Result = TypeVar("Result")


def read_text(file: str) -> str:
    """The text of a file, or of the standard input for `-`."""
    content = _read_bytes(file)
    if len(content) > LARGEST_FILE:
        raise NotationError(_("The file is larger than %(limit)d MB.", limit=LARGEST_FILE // 1_000_000))
    if not content.strip():
        raise NotationError(_("The file is empty."))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise NotationError(_("Line %(line)d is not UTF-8 text.", line=line)) from error


def parse_json(text: str) -> Any:
    """JSON by the letter: no NaN, no infinity, no number without end."""
    try:
        return json.loads(text, parse_int=_whole_number, parse_float=_number, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        raise NotationError(
            _("Not JSON at line %(line)d, column %(column)d.", line=error.lineno, column=error.colno)
        ) from error
    except RecursionError as error:
        raise NotationError(_TOO_DEEP) from error


def documents_in(file: str, text: str) -> Iterable[tuple[str, object]]:
    """What is in the file: one document, or each one of a list, with its name."""
    content = parse_json(text)
    if not isinstance(content, list):
        return [(file, content)]
    if not content:
        raise NotationError(_("The list in this file is empty."))
    return [(f"{file}[{number}]", item) for number, item in enumerate(content)]


def work_through(
    terminal: Terminal,
    files: Iterable[str],
    find: Callable[[str, str], Iterable[tuple[str, Callable[[], Result]]]],
) -> Iterator[tuple[str, Result | Exit]]:
    """The answer to every document of every file; one that is wrong is told, and the others still done."""
    for file in files:
        try:
            found = list(find(file, read_text(file)))
        except CompanionError as error:
            yield file, terminal.wrong(file, error)
            continue
        for name, ask in found:
            try:
                answer = ask()
            except CompanionError as error:
                yield name, terminal.wrong(name, error)
            except RecursionError:
                yield name, terminal.wrong(name, NotationError(_TOO_DEEP))
            else:
                yield name, answer


def _read_bytes(file: str) -> bytes:
    try:
        if file == STANDARD_INPUT:
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
        with Path(file).open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = _("The file cannot be read: %(reason)s.", reason=str(error.strerror))
        raise (NotationError if isinstance(error, _WRONG_PLACES) else StoreError)(reason) from error


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise NotationError(_("%(number)s… is too large a number.", number=digits[:12]))
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise NotationError(_("%(number)s… is too large a number.", number=digits[:12]))
    return number


def _not_json(constant: str) -> NoReturn:
    raise NotationError(_("%(number)s is not a number in JSON.", number=constant))
