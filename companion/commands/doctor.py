"""`companion doctor`: looks for what could go wrong before it does, and says how to mend it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from companion.commands.checks import CHECKS
from companion.commands.terminal import Exit, config_argument, json_argument, terminal
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.household.settings import load_settings

NAMES: Mapping[str, Message] = {
    "python": _("python"),
    "settings": _("settings"),
    "folder": _("folder"),
    "disk": _("disk"),
    "log": _("log"),
    "writing": _("writing"),
    "port": _("port"),
    "network": _("network"),
    "languages": _("languages"),
    "photos": _("photos"),
    "boxes": _("boxes"),
    "camera": _("camera"),
    "table": _("table"),
    "panel": _("panel"),
}
"""What each check is called at the terminal, in ten letters at most; scripts read its key."""


def arguments(parser: ArgumentParser, say: Say) -> None:
    config_argument(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    reader, loaded = terminal(args), load_settings(args.config)
    rows: list[dict[str, Any]] = []
    for look in CHECKS:
        for found in look(loaded):
            row = {
                "check": found.check,
                "ok": found.ok,
                "detail": reader.put(found.detail),
                "fix": "" if found.ok else reader.put(found.fix),
            }
            rows.append(row)
            reader.say("✓" if found.ok else "✗", f"{reader.put(NAMES[found.check]):10}", found.detail)
            if not found.ok:
                reader.say(" " * 12, "→", found.fix)
    reader.data(rows)
    wrong = sum(not row["ok"] for row in rows)
    if wrong:
        reader.say(_n("%(count)d thing needs you.", "%(count)d things need you.", wrong))
        return Exit.FAILED
    reader.say(_("All is well."))
    return Exit.DONE
