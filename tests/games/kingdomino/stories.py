"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.log import Entry
from companion.core.session import Session
from companion.core.tally import Tally
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.text.notation import parse_kingdom
from tests.games.stories import begun, lines_of, refused, start_line, stored

KINGDOMINO = Kingdomino()
SEATS = ("Pink", "Yellow", "Green", "Blue")


def started(players: int, options: str = "") -> str:
    """The line that starts a game of that many players."""
    return start_line(KINGDOMINO, SEATS[:players], options)


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines."""
    return begun(KINGDOMINO, start, lines)


def entries_of(lines: Iterable[str]) -> tuple[Entry, ...]:
    """A log as it would come from a store, nothing checked."""
    return stored(KINGDOMINO, lines)


def play(players: int, story: str = "", options: str = "") -> Position:
    """The position after a story told in notation."""
    position: Position = session_of(started(players, options), lines_of(story)).position
    return position


def refusal(players: int, story: str, line: str, options: str = "") -> str:
    """Why the last line cannot be recorded; an empty text when it can."""
    session = session_of(started(players, options), lines_of(story))
    return refused(session, [line])


def drawn(picture: str, size: int = 5) -> Kingdom:
    """The kingdom of a drawing over several lines, its squares apart."""
    return parse_kingdom(one_line(picture), size)


def one_line(picture: str) -> str:
    """A drawing as the notation of the game writes it."""
    return "/".join(line.replace(" ", "") for line in picture.strip().splitlines())


def document_of(kingdom: Kingdom) -> dict[str, Any]:
    """The kingdom as scripts write it."""
    cells = [[x, y, square.terrain.value, square.crowns] for (x, y), square in kingdom.squares.items()]
    return {"size": kingdom.size, "cells": cells}


def said(tally: Tally, player: int) -> list[tuple[str, int]]:
    """A player's lines of a tally as people read them."""
    return [(str(line.reason), line.points) for line in tally.of(player)]
