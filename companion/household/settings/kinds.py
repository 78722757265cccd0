"""What a setting may be, and how it is declared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _

HOST = re.compile(r"[0-9A-Za-z.:_-]{1,253}")
MOST_AREAS = 8
FARTHEST_MM = 10_000
"""No table is larger."""


@dataclass(frozen=True)
class SettingKind:
    """What a setting may be."""

    expected: Message
    fits: Callable[[object], bool]


def whole_number_kind(fewest: int, most: int) -> SettingKind:
    return SettingKind(
        _("a whole number from %(fewest)d to %(most)d", fewest=fewest, most=most),
        lambda value: isinstance(value, int) and not isinstance(value, bool) and fewest <= value <= most,
    )


def number_kind(fewest: float, most: float) -> SettingKind:
    def fits(value: Any) -> bool:
        return _is_number(value) and fewest <= value <= most

    return SettingKind(
        _("a number from %(fewest)s to %(most)s", fewest=f"{fewest:g}", most=f"{most:g}"), fits
    )


def yes_or_no_kind() -> SettingKind:
    return SettingKind(_("true or false"), lambda value: isinstance(value, bool))


def one_of_kind(*choices: str) -> SettingKind:
    listed = ", ".join(f'"{choice}"' for choice in choices)
    return SettingKind(_("one of %(choices)s", choices=listed), lambda value: value in choices)


def text_kind(expected: Message, pattern: str) -> SettingKind:
    return SettingKind(expected, lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value)))


def hosts_kind() -> SettingKind:
    return SettingKind(
        _('a list of up to 20 names, such as ["games.example.org"]'),
        lambda value: (
            isinstance(value, list)
            and len(value) <= 20
            and all(isinstance(name, str) and HOST.fullmatch(name) for name in value)
        ),
    )


def areas_kind() -> SettingKind:
    return SettingKind(
        _(
            "a list of up to %(most)d rectangles, such as [[0, 0, 300, 200]]: x, y, width and height",
            most=MOST_AREAS,
        ),
        lambda value: isinstance(value, list) and len(value) <= MOST_AREAS and all(map(_is_area, value)),
    )


def setting(default: Any, kind: SettingKind, help: Message) -> Any:
    """A key of the file: its default, what it may be, and what it is for."""
    return field(default=default, metadata={"kind": kind, "help": help})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_area(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4 or not all(map(_is_number, value)):
        return False
    x, y, width, height = value
    return bool(x >= 0 and y >= 0 and width > 0 and height > 0 and max(value) <= FARTHEST_MM)
