"""The text of a file that people write: its size and its alphabet are looked at before anything else is."""

from __future__ import annotations

from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _


class UnreadableText(CompanionError):
    """What a file says nobody can read."""

    def __init__(self, message: Message, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
        """Where reading ended; 0 when that is no line of the file."""


def read_settings_text(path: Path, largest: int) -> str:
    """What stands in a file of at most that many bytes."""
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise UnreadableText(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error
    if len(content) > largest:
        raise UnreadableText(_("The file is larger than %(limit)d kB.", limit=largest // 1000))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UnreadableText(_("The file is not saved as UTF-8 text."), line) from error
