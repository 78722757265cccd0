"""A watcher and a virtual table that only say what a test tells them, and remember what was asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from companion.core.errors import CameraError, StaleSession
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.observation import Area, Face, PlacedPiece
from companion.core.photo import SentPhoto
from companion.core.session import Session
from companion.sessions.live import LiveSessions
from companion.virtual.faults import Disturbance, Fault, bump
from companion.watch.cross_check import asked_about
from companion.watch.state import Announcement, Status, WatchState, first_version

NO_PICTURE = _("There is no picture.")
CHANGED = _("The table has changed since you looked. Nothing was recorded: look again.")


def jpeg(number: int, width: int = 320, height: int = 180) -> bytes:
    """A picture that differs from every other."""
    pixels = np.full((height, width, 3), (70, 90, 60), np.uint8)
    cv2.putText(pixels, str(number), (20, 120), cv2.FONT_HERSHEY_SIMPLEX, 3, (230, 240, 250), 6)
    encoded: Any = cv2.imencode(".jpg", pixels)[1]
    return bytes(encoded)


class PretendedWatcher:
    """Shows what it is given; what people confirm is recorded in the real table."""

    def __init__(self, table: LiveSessions) -> None:
        self.table = table
        self.watch = WatchState(version=first_version())
        self.asked: list[tuple[object, ...]] = []
        self.number = 1

    def show(self, **changes: Any) -> WatchState:
        """Something else is to be seen from now on."""
        self.watch = replace(self.watch, **changes, version=self.watch.version + 1)
        self.table.news.nudge()
        return self.watch

    def leave(self, session: str) -> None:
        if self.watch.session == session:
            self.show(session="")

    def picture(self, stage: str = "") -> tuple[int, bytes]:
        self.asked.append(("picture", stage))
        if self.watch.status is Status.NO_CAMERA:
            raise CameraError(NO_PICTURE)
        return self.number, jpeg(self.number)

    def photo(self, _patience_s: float = 0.0) -> Callable[[], SentPhoto]:
        self.asked.append(("photo",))
        if self.watch.status is Status.NO_CAMERA:
            raise CameraError(NO_PICTURE)
        return lambda: SentPhoto(jpeg(self.number))

    def crop(self, area: Area) -> bytes:
        self.asked.append(("crop", area))
        return jpeg(self.number, 64, 64)

    def confirm(self, seq: int, version: int) -> Session:
        self._check(seq, version)
        return self._record(*(proposal.event for proposal in self.watch.reading.proposals))

    def answer(self, seq: int, version: int, doubt: int, choice: int) -> Session:
        self._check(seq, version)
        asked = asked_about(self.watch.reading, doubt, choice)
        self.asked.append(("answer", doubt, choice))
        return self._record(*asked.choices[choice].events)

    def take(self, version: int, way: str) -> Session:
        self._check(self.watch.seq, version)
        if way not in [known.key for known in self.watch.ways]:
            raise StaleSession(CHANGED)
        self.asked.append(("way", way))
        self.show(status=Status.WATCHING)
        return self.table.session(self.watch.session)

    def let_alone(self, alone: bool) -> None:
        self.show(alone=alone)

    def follow(self, session: str) -> None:
        self.show(session=session, seq=self.table.session(session).seq)

    def press(self, seat: int | None, long: bool = False) -> None:
        said = Announcement(_("pressed: recorded"), seat, self.watch.version + 1)
        self.asked.append(("press", seat, long))
        self.show(announcement=said)

    def _check(self, seq: int, version: int) -> None:
        if (seq, version) != (self.table.session(self.watch.session).seq, self.watch.version):
            raise StaleSession(CHANGED)

    def _record(self, *events: object) -> Session:
        session = self.table.session(self.watch.session)
        for event in events:
            session = self.table.record(session.id, session.seq, session.game.write(event), Source.CAMERA)
        return session


@dataclass
class PretendedTable:
    """A virtual table with nothing behind it: pieces lie where they were put."""

    faces: Mapping[str, Face]
    lying: Sequence[PlacedPiece]
    aside: Sequence[PlacedPiece]
    width: float = 1600
    height: float = 900
    version: int = 1
    switches: Sequence[Disturbance] = (
        Disturbance("lamp", _("A lamp above the table"), _("It dazzles."), 0, 1),
        Disturbance("shake", _("Somebody shakes the table"), _("It wobbles."), 0, 1, on=True),
    )
    faults: Sequence[Fault] = (Fault("bump", _("Bump the camera"), _("It jumps aside."), bump),)
    playing: bool = False
    furniture: Sequence[tuple[Face, Area]] = ()
    asked: list[tuple[object, ...]] = field(default_factory=list)
    watcher: PretendedWatcher | None = None

    def put(self, piece: str, x: float, y: float, angle: float) -> None:
        found = self._take(piece)
        self.lying = (*self.lying, replace(found, x=x, y=y, angle=angle))
        self._changed("put", piece, x, y, angle)

    def remove(self, piece: str) -> None:
        found = self._take(piece)
        self.aside = (*self.aside, found)
        self._changed("remove", piece)

    def switch(self, key: str, on: bool) -> None:
        if key not in [switch.key for switch in self.switches]:
            raise KeyError(key)
        self.switches = tuple(replace(s, on=on) if s.key == key else s for s in self.switches)
        self._changed("switch", key, on)

    def cause(self, key: str) -> None:
        if key not in [fault.key for fault in self.faults]:
            raise KeyError(key)
        self._changed("cause", key)

    def push(self, seat: int | None, seconds: float = 0.1) -> None:
        self._changed("push", seat, seconds)
        if self.watcher:
            self.watcher.press(seat, seconds >= 1)

    def play(self, on: bool) -> None:
        self.playing = on
        self._changed("play", on)

    def _take(self, name: str) -> PlacedPiece:
        found = next((piece for piece in (*self.lying, *self.aside) if piece.piece == name), None)
        if found is None:
            raise KeyError(name)
        self.lying = tuple(piece for piece in self.lying if piece.piece != name)
        self.aside = tuple(piece for piece in self.aside if piece.piece != name)
        return found

    def _changed(self, *asked: object) -> None:
        self.asked.append(asked)
        self.version += 1


class Stopped:
    """A demonstration that has stepped back; its hand knows the game it played."""

    session = ""

    def __init__(self, game: str) -> None:
        self.game = game

    def played(self, session: str) -> bool:
        return session == self.game

    def stop(self) -> None: ...

    def begin_again(self) -> str:
        return self.game


def laid_out(session: Session, watcher: PretendedWatcher | None = None) -> PretendedTable:
    """A table on which everything lies as the session has it; what is left lies in the box."""
    sight = session.game.sight
    assert sight
    table = PretendedTable({face.label: face for face in sight.pieces.values()}, (), (), watcher=watcher)
    middle_x, middle_y = table.width / 2, table.height / 2
    table.lying = tuple(
        replace(piece, x=piece.x + middle_x, y=piece.y + middle_y)
        for piece in sight.arrange(session.setup, session.position)
    )
    out = {piece.piece for piece in table.lying}
    table.aside = tuple(
        PlacedPiece(name, face.label, 0, 0) for name, face in sight.pieces.items() if name not in out
    )
    return table
