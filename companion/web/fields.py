"""What forms carry, read with limits: whoever sends something else is told so, and nothing happens."""

from __future__ import annotations

import math
import re

from flask import request

from companion.core.errors import NotationError
from companion.core.message import message as _

NOT_UNDERSTOOD = _("The companion did not understand that. Nothing was recorded.")
KEY_LIMIT = 60
"""Longest name of a piece, a switch or a way out."""


def whole_field(name: str, digits: int = 9) -> int:
    """A number that counts something, such as entries."""
    text = request.form.get(name, "")
    if not re.fullmatch(f"[0-9]{{1,{digits}}}", text):
        raise NotationError(NOT_UNDERSTOOD)
    return int(text)


def version_field() -> int:
    """Which of the watcher's snapshots a page showed; they are numbered on over every start."""
    return whole_field("version", 15)


def measure_field(name: str, least: float, most: float) -> float:
    """A number that measures something, between two limits."""
    text = request.form.get(name, "")
    number = float(text) if re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,12})?", text) else math.nan
    if not least <= number <= most:
        raise NotationError(NOT_UNDERSTOOD)
    return number


def flag_field(name: str) -> bool:
    """Something that is switched on or off."""
    text = request.form.get(name, "")
    if text not in ("0", "1"):
        raise NotationError(NOT_UNDERSTOOD)
    return text == "1"


def key_field(name: str) -> str:
    """The name of something that only the companion names."""
    text = request.form.get(name, "")
    if not re.fullmatch(rf"[\w.:-]{{1,{KEY_LIMIT}}}", text, re.ASCII):
        raise NotationError(NOT_UNDERSTOOD)
    return text
