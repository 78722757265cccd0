"""A game under a camera that only says what it is told, and what tests ask about it."""

from __future__ import annotations

import re

from companion.core import notation
from companion.core.observation import Area, Proposal
from companion.core.session import Session
from tests.web.pretending import PretendedWatcher
from tests.web.serving import Serving
from tests.web.visitor import Answer

CHANGED = "The table has changed since you looked. Nothing was recorded: look again."
NOT_UNDERSTOOD = "The companion did not understand that. Nothing was recorded."
LAY = "2 lays 39 at 0,2 N"
HERE = Area(400, 300, 80, 40, 90)


def game(served: Serving) -> Session:
    watcher = served.house.watcher
    assert watcher
    return served.house.sessions.session(watcher.watch.session)


def recorded(served: Serving) -> list[str]:
    """What was recorded since the game came to entry 11."""
    session = game(served)
    return [notation.write_entry(session.game, entry.event) for entry in session.entries[11:]]


def proposal(served: Serving, text: str = LAY) -> Proposal:
    return Proposal(game(served).game.parse(text), HERE, 0.97)


def said(answer: Answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def version(watcher: PretendedWatcher) -> dict[str, str]:
    return {"seq": str(watcher.watch.seq), "version": str(watcher.watch.version)}
