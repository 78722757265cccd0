"""Tables that people wrote in TOML: every text has a limit, and an error says where it is and what to do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _

LARGEST_TEXT_FILE = 256_000
"""Characters of a file that we read: both boxes with all their questions fit in it."""
SHOWN = 40
"""Characters of somebody's own text that an error repeats."""

CARD_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
BOX_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")

Row = Mapping[str, Any]


def entry_error(where: Message | str, problem: Message) -> NotationError:
    """The error to raise when something at that place cannot be used."""
    return NotationError(_("%(where)s: %(problem)s", where=where, problem=problem))


def parse_toml(toml: str, where: str) -> Row:
    """The tables of a file, which is called by its name in errors."""
    if len(toml) > LARGEST_TEXT_FILE:
        raise entry_error(
            where, _("The file has more than %(limit)d characters: split it.", limit=LARGEST_TEXT_FILE)
        )
    try:
        return tomllib.loads(toml)
    except (ValueError, RecursionError) as error:
        raise entry_error(where, _("This is no TOML: %(reason)s.", reason=str(error)[:120])) from error


def checked_table(value: object, where: Message | str) -> Row:
    if not isinstance(value, dict):
        raise entry_error(where, _("it needs a heading of its own, in square brackets"))
    return value


def check_keys(row: Row, known: Collection[str], where: Message | str) -> None:
    """Refuse a key that means nothing here, and name the one that was probably meant."""
    for key in row:
        if key not in known:
            meant = ", ".join(get_close_matches(key, known, 1, 0.5) or sorted(known))
            raise entry_error(
                where,
                _("“%(key)s” has no meaning here; known are %(known)s", key=shortened(key), known=meant),
            )


def checked_text(value: object, key: str, limit: int, where: Message | str) -> str:
    """A text that has to be there, in one line and without anything that cannot be seen."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit or not value.isprintable():
        raise entry_error(
            where,
            _("“%(key)s” needs a text of %(limit)d characters at most", key=shortened(key), limit=limit),
        )
    return value.strip()


def shortened(value: str) -> str:
    """Somebody's own text, as much of it as an error repeats."""
    return "".join(sign if sign.isprintable() else "·" for sign in value[:SHOWN])
