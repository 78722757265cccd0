"""A household's cards and its Cradle as a file that others can use: lines of notation in a TOML list.

box = [
  'mastery fishing "Pescaria" C 3 basic 0 0 "turn start: 1 C"',
  'cradle TCASPRTCASPR',
]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominations.rules.box import UNKNOWN
from companion.games.dominations.rules.events import CradleTold, Event, Taught
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import parse_event, write_event

MOST_LINES = 200


def parse_box(text: str) -> tuple[Event, ...]:
    """All that such a file tells, or what is wrong with it."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotationError(_("This is no TOML file: %(problem)s", problem=str(error))) from error
    lines = told.get("box")
    if not isinstance(lines, list) or len(lines) > MOST_LINES or not all(isinstance(x, str) for x in lines):
        raise NotationError(
            _("A file of cards is a list called “box” of %(most)d lines at most.", most=MOST_LINES)
        )
    return tuple(map(_of_the_box, lines))


def _of_the_box(line: str) -> Event:
    event = parse_event(line)
    if not isinstance(event, Taught | CradleTold):
        raise NotationError(_("“%(text)s” tells no card, and no Cradle.", text=line[:80]))
    return event


def write_box(position: Position) -> str:
    """The file of what this table knows of its box; an empty text where that is nothing."""
    cards = [card for key in sorted(position.taught) if (card := position.cards.find(key))]
    events: list[Event] = [Taught(card) for card in cards]
    if {*position.board.cradle} - {UNKNOWN}:
        events.append(CradleTold(position.board.cradle))
    return "\n".join(("box = [", *_rows(map(write_event, events)), "]", "")) if events else ""


def _rows(lines: Iterable[str]) -> Iterable[str]:
    """Each as a basic string of TOML."""
    for line in lines:
        escaped = line.replace("\\", "\\\\").replace('"', '\\"')
        yield f'  "{escaped}",'
