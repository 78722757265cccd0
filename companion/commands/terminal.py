"""What commands print: JSON for scripts, sentences for people, complaints on the other stream."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

from companion.core.errors import CompanionError
from companion.core.message import Message, Say, Translator
from companion.core.message import message as _
from companion.household.languages import catalogue, terminal_language

Item = TypeVar("Item")


class Exit(IntEnum):
    """What scripts may rely on."""

    DONE = 0
    FAILED = 1
    WRONG_INPUT = 2


@dataclass(frozen=True)
class Terminal:
    """Somebody, or a script, reads what a command says."""

    words: Translator
    json: bool = False

    def say(self, *parts: Message | str) -> None:
        """One line for a person; silent when a script reads."""
        if not self.json:
            print(*map(self.put, parts))

    def data(self, value: object) -> None:
        """One line of JSON for a script; pure ASCII, so that no terminal and no odd name can spoil it."""
        if self.json:
            print(json.dumps(value, allow_nan=False))

    def complain(self, *parts: Message | str) -> None:
        print("companion:", *map(self.put, parts), file=sys.stderr)

    def counted(self, items: Sequence[Item]) -> Iterator[Item]:
        """The same items; whoever looks on at a terminal sees how far it is, until the next line covers that."""
        for number, item in enumerate(items, 1):
            self.progress(number, len(items))
            yield item

    def progress(self, number: int, count: int = 0) -> None:
        """Tell whoever looks on at a terminal how far it is; a count of 0 is not known."""
        if sys.stderr.isatty():
            print(f"{number} / {count or '…'}", end="\r", file=sys.stderr, flush=True)

    def wrong(self, file: str, error: CompanionError) -> Exit:
        """Say what is wrong with one file of several."""
        self.data({"file": file, "error": self.put(error.message)})
        self.complain(f"{file}:", error.message)
        return exit_code(error)

    def put(self, part: Message | str) -> str:
        """In the reader's language, and nothing in it that could play tricks on a terminal."""
        text = part.say(self.words) if isinstance(part, Message) else part
        return "".join(sign if sign.isprintable() else "�" for sign in text)


def terminal(args: Namespace | None = None) -> Terminal:
    return Terminal(catalogue(terminal_language()), bool(getattr(args, "json", False)))


def exit_code(error: CompanionError) -> Exit:
    """A disk, a camera or a file of ours that fails is not the reader's fault; all else is what was handed to us."""
    return Exit.FAILED if isinstance(error, (OSError, RuntimeError)) else Exit.WRONG_INPUT


def json_argument(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument(
        "--json", action="store_true", help=say(_("Print JSON for scripts, one object a line."))
    )


def config_argument(parser: ArgumentParser, say: Say) -> None:
    help = say(_("The settings file to use instead of the one found."))
    parser.add_argument("--config", type=Path, metavar=say(_("FILE")), help=help)
