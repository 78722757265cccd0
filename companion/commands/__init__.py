"""The commands of `companion`, each imported only when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _


@dataclass(frozen=True)
class Command:
    """Where a command lives: its module has `arguments(parser, say)` and `run(args) -> int`."""

    module: str
    help: Message


COMMANDS: Mapping[str, Command] = {
    "serve": Command("companion.commands.serve", _("Open the page for the table.")),
    "read": Command("companion.commands.read", _("Read what photos of a table show.")),
    "score": Command(
        "companion.commands.score", _("Count the points of a table as it lies, from a file or a photo.")
    ),
    "replay": Command("companion.commands.replay", _("Play a recorded game again, from a file.")),
    "watch": Command("companion.commands.watch", _("Look at a film of a table as at the camera above it.")),
    "setup": Command("companion.commands.setup", _("Say what to put on the table, and how much of it.")),
    "sessions": Command("companion.commands.sessions", _("List, show, export or import games of the log.")),
    "enrol": Command(
        "companion.commands.enrol", _("Learn the pieces of your own box from pictures of them.")
    ),
    "doctor": Command(
        "companion.commands.doctor", _("Look for what could go wrong, and say how to mend it.")
    ),
    "bench": Command("companion.commands.bench", _("Measure how fast the companion is on this computer.")),
}
