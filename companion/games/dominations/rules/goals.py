"""The goals of Objectives, in a small language.

    cities 1:5 2:1          five Cities of level 1 and one of level 2, or higher
    adjacent 10             one group of that many Cities side by side
    apart 10                that many groups of Cities, one City alone being a group
    control 1               control of that many Monuments; `control lighthouse` of one
    nodi T8 P5 S3           complete Nodi in the Tree
    influence 30
    masteries 6:4 TS 9:3 TP four of value 6 in Trade or Science, and three of value 9 in Trade or Politics

What holds a question mark, or is none of these, is ticked by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominations.rules.box import LETTERS, UNKNOWN

GOAL_LIMIT = 80
"""Longest text of a goal."""


class GoalKind(StrEnum):
    """What a goal asks for."""

    CITIES = "cities"
    ADJACENT = "adjacent"
    APART = "apart"
    CONTROL = "control"
    NODI = "nodi"
    INFLUENCE = "influence"
    MASTERIES = "masteries"
    TEXT = "text"


@dataclass(frozen=True)
class GoalPart:
    """One requirement of a goal."""

    key: str
    """A level, a Domain, a value or a Monument."""
    count: int
    domains: str = ""


@dataclass(frozen=True)
class Goal:
    """One of the five goals of an Objective."""

    kind: GoalKind
    parts: tuple[GoalPart, ...]
    text: str

    @property
    def known(self) -> bool:
        """Whether it can be counted; otherwise people tick it."""
        return self.kind is not GoalKind.TEXT

    def __str__(self) -> str:
        return self.text


_PAIR = re.compile(r"([1-9]):(\d{1,2})", re.ASCII)
_NODI = re.compile(rf"([{LETTERS}])(\d{{1,2}})", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
_NAME = re.compile(r"[a-z_]{2,24}")


def parse_goal(text: str) -> Goal:
    """The goal that a line of the small language says; what says nothing of the kind is kept as words."""
    if len(text) > GOAL_LIMIT or not text.strip() or not text.isprintable():
        raise NotationError(_("A goal has from 1 to %(limit)d readable characters.", limit=GOAL_LIMIT))
    text = text.strip()
    head, *rest = text.split()
    kind = GoalKind(head) if head in set(GoalKind) else GoalKind.TEXT
    parts = _parts(kind, rest) if UNKNOWN not in text else ()
    return Goal(kind if parts else GoalKind.TEXT, parts, text)


def _parts(kind: GoalKind, words: list[str]) -> tuple[GoalPart, ...]:
    match kind:
        case GoalKind.CITIES:
            return _all([_PAIR.fullmatch(word) for word in words])
        case GoalKind.NODI:
            return _all([_NODI.fullmatch(word) for word in words])
        case GoalKind.ADJACENT | GoalKind.APART | GoalKind.INFLUENCE if len(words) == 1 and _NUMBER.fullmatch(
            words[0]
        ):
            return (GoalPart("", int(words[0])),)
        case GoalKind.CONTROL if len(words) == 1 and (
            _NUMBER.fullmatch(words[0]) or _NAME.fullmatch(words[0])
        ):
            return (GoalPart("", int(words[0])) if words[0].isdecimal() else GoalPart(words[0], 1),)
        case GoalKind.MASTERIES:
            return _masteries(words)
    return ()


def moved_goals(old: Sequence[Goal], new: Sequence[Goal]) -> Mapping[int, int]:
    """The new number of each goal of a card that is read again; what reads otherwise is the one in its place."""
    found: dict[int, int] = {}
    for place, words in ((True, True), (False, True), (True, False)):
        for one, goal in enumerate(old, 1):
            for other, again in enumerate(new, 1):
                taken = one in found or other in found.values()
                if not taken and (one == other or not place) and (goal.text == again.text or not words):
                    found[one] = other
    return found


def _all(found: list[re.Match[str] | None]) -> tuple[GoalPart, ...]:
    parts = [GoalPart(one[1], int(one[2])) for one in found if one]
    return tuple(parts) if len(parts) == len(found) else ()


def _masteries(words: list[str]) -> tuple[GoalPart, ...]:
    parts = []
    for pair, domains in zip(words[::2], words[1::2], strict=False):
        found = _PAIR.fullmatch(pair)
        if not found or not set(domains) <= set(LETTERS):
            return ()
        parts.append(GoalPart(found[1], int(found[2]), domains))
    return tuple(parts) if 2 * len(parts) == len(words) else ()
