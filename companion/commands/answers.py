"""What `score` and `replay` have in common: files in, one answer each out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.commands.documents import work_through
from companion.commands.telling import answer_lines
from companion.commands.terminal import Exit, json_argument, terminal
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import GAMES

Asked = tuple[str, Callable[[], Mapping[str, Any]]]
"""The name of a document, and how to get its answer."""


def game_arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=", ".join(GAMES))
    files = say(_("A JSON file with one document or a list of them; “-” reads the standard input."))
    parser.add_argument("files", metavar=say(_("FILE")), nargs="+", help=files)
    json_argument(parser, say)


def answer_documents(
    args: Namespace, files: Iterable[str], find: Callable[[str, str], Iterable[Asked]]
) -> Exit:
    """Print the answer to every document; the exit code is that of the worst."""
    reader, worst = terminal(args), Exit.DONE
    for name, found in work_through(reader, files, find):
        if isinstance(found, Exit):
            worst = max(worst, found)
            continue
        reader.data(found)
        if not reader.json:
            reader.say(name)
            for line in answer_lines(args.game, found):
                reader.say(" ", *line)
    return worst
