"""A process of its own that records into a log as fast as it can: `python hammer.py URL NAME ENTRIES SESSION…`.

Each entry that was confirmed is told on the standard output, `session seq event`.
"""

from __future__ import annotations

import sys
from random import Random

from companion.core import notation
from companion.core.errors import StaleSession, UnknownSession
from companion.core.log import Restored, Source, Withdrawn, redoable, undoable
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.repository import SessionRepository
from tests.sessions.evenings import EVENING, evening, move


def grown(session: Session, random: Random) -> Session:
    """One entry more, whatever it is: a move, or undo and redo once the game is over."""
    if not session.turn.over:
        return move(session, random)
    again, back = redoable(session.entries), undoable(session.entries)
    event = Restored(again) if again else Withdrawn(back or 0)
    return session.record(event, Source.PAGE, EVENING)


def main(url: str, name: str, entries: int, ids: list[str]) -> None:
    store, random = SessionRepository(url, GAMES), Random(name)
    for _entry in range(entries):
        id = random.choice(ids)
        try:
            session = grown(store.load(id), random)
            store.append(session)
        except UnknownSession:
            session = evening(id)
            try:
                store.begin(session)
            except StaleSession:
                continue
        except StaleSession:
            continue
        sys.stdout.write(
            f"{id} {session.seq} {notation.write_entry(session.game, session.entries[-1].event)}\n"
        )
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
