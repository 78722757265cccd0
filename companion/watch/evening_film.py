"""An evening that was kept, as a film: what was pressed then is pressed now, and what was tapped in is told again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.log import Corrected, Restored, Source, Withdrawn
from companion.core.message import message as _
from companion.sessions.live import LiveSessions
from companion.watch.evenings import Deed, Did, EveningPart
from companion.watch.film import FilmDeed
from companion.watch.watcher import TableWatcher
from hardware.film import FilmPicture
from hardware.folder_camera import open_photo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.session import Session


def film_of_evening(
    folder: Path, parts: Iterable[EveningPart], watcher: TableWatcher, sessions: LiveSessions
) -> Iterator[FilmPicture | FilmDeed]:
    """The pictures and deeds of an evening, for the session that is watched."""
    for part in parts:
        if part.deed:
            yield FilmDeed(part.time, partial(do_again, part.deed, watcher, sessions))
        elif part.frame:
            file = folder / part.frame
            yield FilmPicture(str(file), part.time, partial(open_photo, file))


def do_again(deed: Deed, watcher: TableWatcher, sessions: LiveSessions) -> None:
    """Do what people did, or CompanionError when the table does not ask for it now."""
    watch = watcher.watch
    match deed.did:
        case Did.PRESS:
            watcher.press(deed.seat, deed.long)
        case Did.CONFIRM:
            watcher.confirm(watch.seq, watch.version)
        case Did.ANSWER:
            _answer(deed, watcher, sessions)
        case Did.WAY:
            watcher.take(watch.version, deed.way)
        case Did.ALONE:
            watcher.let_alone(deed.alone)
        case Did.RECORD:
            _record(deed.events, sessions, sessions.session(watch.session))


def _answer(deed: Deed, watcher: TableWatcher, sessions: LiveSessions) -> None:
    """Give the same answer; where it is not asked now, people said all the same that it happened."""
    watch = watcher.watch
    session = sessions.session(watch.session)
    for number, doubt in enumerate(watch.reading.doubts):
        for place, choice in enumerate(doubt.choices):
            events = tuple(map(session.game.write, choice.events))
            if events == deed.events and (events or str(doubt.question) == deed.question):
                watcher.answer(watch.seq, watch.version, number, place)
                return
    if not deed.events:
        raise IllegalEvent(_("“%(question)s” was asked then, and is not now.", question=deed.question))
    _record(deed.events, sessions, session)


def _record(lines: tuple[str, ...], sessions: LiveSessions, session: Session) -> None:
    events = [notation.parse_entry(session.game, line) for line in lines]
    match events:
        case [Withdrawn()]:
            sessions.undo(session.id, session.seq, Source.PAGE)
        case [Restored()]:
            sessions.redo(session.id, session.seq, Source.PAGE)
        case [Corrected(changes, back)]:
            said = {
                change.seq: notation.NOTHING
                if change.event is None
                else notation.write_entry(session.game, change.event)
                for change in changes
            }
            sessions.correct(session.id, session.seq, said if back is None else back, Source.PAGE)
        case _:
            sessions.record_all(session.id, session.seq, lines, Source.PAGE)
