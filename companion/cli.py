"""The command `companion`: finds the command that is meant, runs it, and says in one line what went wrong."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

from companion.commands import COMMANDS
from companion.commands.terminal import Exit, exit_code, terminal
from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.household.languages import terminal_language, translate_argparse, translate_system

INTERRUPTED = 130
"""What a shell expects of a command that was stopped with Ctrl-C."""

ARGPARSE_SAYS = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("the following arguments are required: %s"),
    _("unrecognized arguments: %s"),
    _("argument %(argument_name)s: %(message)s"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    _("invalid %(type)s value: %(value)r"),
    _("expected one argument"),
    _("ignored explicit argument %r"),
    _("not allowed with argument %s"),
)
"""Sentences of the standard library, listed here so that they can be translated like our own."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Before NumPy is loaded: its threads would spin beside each other for sums too small to share.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except CompanionError as error:
        terminal().complain(error.message)
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has had enough; Python must not try again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.FAILED
    except Exception as error:
        return _tell_bug(error)


def _run(arguments: list[str]) -> int:
    translate_argparse(terminal_language())
    translate_system()
    words = terminal().words
    _check_command(arguments[:1])
    parser = _parser(arguments, lambda message: message.say(words))
    try:
        args = parser.parse_args(arguments)
    except SystemExit as end:  # argparse has told what is wrong, or printed its help
        return int(end.code or Exit.DONE)
    if args.version:
        terminal().say(_version())
        return Exit.DONE
    if args.command is None:
        parser.print_help()
        return Exit.DONE
    # Imported here: help and version need no settings.
    from companion.household.additions import learn_additions

    for problem in learn_additions():
        terminal().complain(problem)
    return int(import_module(COMMANDS[args.command].module).run(args))


def _check_command(name: Sequence[str]) -> None:
    """Refuse a command we do not have, with the nearest one we do."""
    if not name or name[0] in COMMANDS or name[0].startswith("-"):
        return
    # Imported here: only a slip of the finger needs it.
    from difflib import get_close_matches

    nearest = get_close_matches(name[0], COMMANDS, 1, 0.5)
    raise NotationError(
        _(
            "There is no command “%(name)s”; did you mean “%(nearest)s”?",
            name=name[0][:40],
            nearest=nearest[0],
        )
        if nearest
        else _(
            "There is no command “%(name)s”, only %(known)s.", name=name[0][:40], known=", ".join(COMMANDS)
        )
    )


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without repeating the whole usage; options may stand between the other words."""

    _mixing = False

    def parse_known_args(  # type: ignore[override]  # argparse has an overload for each namespace, we have one
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        plain = {"-h", "--help"} & set(args or ()) or any(a.nargs == argparse.PARSER for a in self._actions)
        if self._mixing or plain:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.WRONG_INPUT, f"{self.prog}: {message} ({self.prog} --help)\n")


def _parser(arguments: Sequence[str], say: Say) -> argparse.ArgumentParser:
    """Every command with its help; only the one that is called is imported, for its arguments."""
    parser = _Parser("companion", description=say(_DESCRIPTION), allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help=say(_("Print the version.")))
    listed = parser.add_subparsers(dest="command", metavar=say(_("COMMAND")), title=say(_("commands")))
    for name, command in COMMANDS.items():
        help = say(command.help)
        added = listed.add_parser(name, help=help, description=help, allow_abbrev=False)
        if name in arguments[:1]:
            module: Any = import_module(command.module)
            module.arguments(added, say)
    return parser


_DESCRIPTION: Message = _("A companion beside the table: it keeps the tally and says why.")


def _version() -> str:
    # Imported here: it takes longer than everything else a short command does.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"companion {version('table-companion')}"
    except PackageNotFoundError:
        return "companion"


def _tell_bug(error: Exception) -> int:
    """A mistake of ours: one line for the person, all the rest into a file for whoever mends it."""
    from companion.household import logging

    if os.environ.get("COMPANION_DEBUG"):
        raise error
    kept = logging.keep_traceback(error)
    terminal().complain(
        _(
            "Something went wrong that should not have: %(kind)s. %(next)s",
            kind=type(error).__name__,
            next=_("Please tell us, with the file %(file)s.", file=str(kept))
            if kept
            else _("Set COMPANION_DEBUG=1 and try again to see where."),
        )
    )
    return Exit.FAILED
