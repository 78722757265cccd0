"""Photos that people put before the companion: read, kept in memory until they are recorded, then forgotten."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.session import Session
from companion.games.kingdomino.photo_page import PhotoView, Taken, photo_view, read_fixes, squares_of
from companion.games.kingdomino.variants import Variant

if TYPE_CHECKING:
    from companion.believing import Readers
    from companion.photos import PhotoRead

GAME = "kingdomino"
KEPT_S = 30 * 60
"""A photo nobody has recorded by then is forgotten."""
MOST = 6
"""Photos kept at a time: one for each player, and some that are taken again."""
BETWEEN = "~"
"""Between the name of a photo and the number of one of several kingdoms in it."""
GONE = _("This photo is not here any more: take it again.")
Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Lying:
    """A photo on the desk."""

    session: str
    reads: tuple[PhotoRead, ...]
    """Of every kingdom in it; of one at least, though nothing was found."""
    jpeg: bytes
    since: float
    recorded: Mapping[int, int] = field(default_factory=dict)
    """Whose those kingdoms are that are recorded already."""

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.reads[0].picture.shape[:2]
        return width, height


@dataclass(frozen=True)
class KingdomSeen:
    """One of several kingdoms in a photo, before anybody has said whose it is."""

    token: str
    outline: str
    """As SVG lists points."""
    x: float
    """Its middle, as is y."""
    y: float
    side: float
    points: int | None
    """None where it cannot be read without help."""
    questions: int
    player: int | None
    """Whose it is, once it is recorded."""


class PhotoDesk:
    """Reads photos one at a time, by what is shipped and by what the household's box has learned."""

    def __init__(self, data: Path, clock: Callable[[], float] = monotonic) -> None:
        self._data, self._clock = data, clock
        self._reading, self._lock = Lock(), Lock()
        self._lying: OrderedDict[str, Lying] = OrderedDict()
        self._readers: Readers | None = None
        self._known = ("", 0)
        """The box they know, and its stamp."""

    def reads(self, session: Session) -> bool:
        """Whether photos of this game can be read: a table that only wants its score."""
        return session.game.key == GAME and Variant.SCORE_ONLY in session.setup.options

    def put(self, session: str, data: bytes) -> str:
        """Read a photo and keep it; its token, or PictureError."""
        # Imported here: a companion nobody shows photos to needs none of it.
        from companion.vision.annotate import jpeg
        from companion.vision.photo import decode, worked_on

        picture = worked_on(decode(data))
        with self._reading:
            reads = self._by().read_table(picture)
        token = secrets.token_urlsafe(9)
        with self._lock:
            self._lying[token] = Lying(session, reads, jpeg(picture), self._clock())
            self._tidy()
        return token

    def place(self, session: str, token: str, corners: Corners) -> None:
        """Read a photo again, between corners that somebody showed."""
        import numpy as np

        lying, (whole, index) = self._of(session, token), _parts(token)
        with self._reading:
            picture, around = lying.reads[index].picture, np.asarray(corners, np.float64)
            read = self._by().read_picture(picture, around)
        with self._lock:
            reads = tuple(read if at == index else one for at, one in enumerate(lying.reads))
            self._lying[whole] = replace(lying, reads=reads)

    def kingdoms(self, session: str, token: str) -> Sequence[KingdomSeen]:
        """The kingdoms of a photo that shows several, and that nobody has chosen one of; else none."""
        lying = self._of(session, token)
        if BETWEEN in token or len(lying.reads) < 2:
            return ()
        seen = [_seen(lying, token, index) for index in range(len(lying.reads))]
        return [one for one in seen if one is not None]

    def done(self, session: str, token: str, player: int) -> str:
        """A kingdom is recorded; the photo's name where it shows others, else it is forgotten."""
        lying, (whole, index) = self._of(session, token), _parts(token)
        recorded = {**lying.recorded, index: player}
        if all(index in recorded or one.shown is None for index, one in enumerate(lying.reads)):
            self.forget(session, whole)
            return ""
        with self._lock:
            self._lying[whole] = replace(lying, recorded=recorded)
        return whole

    def picture(self, session: str, token: str) -> bytes:
        """The photo as a JPEG."""
        return self._of(session, token).jpeg

    def size(self, session: str, token: str) -> tuple[int, int]:
        """Its width and height."""
        return self._of(session, token).size

    def corners(self, session: str, token: str) -> Corners:
        """Where the corners of the kingdom are, clockwise from the upper left; none when nothing was found."""
        from companion.photos import corners_of

        found = self._read(session, token).found
        return () if found is None else corners_of(found)

    def view(self, session: Session, token: str, player: int, fixes: str, at: str) -> PhotoView | None:
        """What the page draws; None when the photo shows no kingdom."""
        taken = self._taken(self._read(session.id, token))
        return photo_view(taken, player, session.position.size, fixes, at) if taken else None

    def learn(self, session: str, token: str, fixes: str) -> int:
        """Let the household's box learn the squares that people put right; how many there were."""
        from companion.vision.boxes import Boxes
        from companion.vision.photo import crop

        read = self._read(session, token)
        taken = self._taken(read)
        if taken is None or read.found is None:
            return 0
        found, told = read.found, read_fixes(fixes, taken.corners)
        squares = squares_of(taken, told)
        drawings = [
            (str(squares[cell]), crop(read.picture, found, cell, around=1.0))
            for cell in told
            # What stands on a castle's tile looks otherwise in every game.
            if cell in squares and not str(squares[cell]).startswith("c")
        ]
        boxes = Boxes(self._data)
        boxes.change(boxes.used(GAME), lambda box: box.learned(drawings))
        return len(drawings)

    def forget(self, session: str, token: str) -> None:
        """Throw a photo away, with all its kingdoms."""
        whole, _index = _parts(token)
        with self._lock:
            if whole in self._lying and self._lying[whole].session == session:
                del self._lying[whole]

    def _of(self, session: str, token: str) -> Lying:
        with self._lock:
            self._tidy()
            whole, index = _parts(token)
            lying = self._lying.get(whole)
        if lying is None or lying.session != session or not 0 <= index < len(lying.reads):
            raise NotationError(GONE)
        return lying

    def _read(self, session: str, token: str) -> PhotoRead:
        return self._of(session, token).reads[_parts(token)[1]]

    def _tidy(self) -> None:
        now = self._clock()
        for token in [token for token, one in self._lying.items() if now - one.since > KEPT_S]:
            del self._lying[token]
        while len(self._lying) > MOST:
            self._lying.popitem(last=False)

    def _by(self) -> Readers:
        """By what is shipped and by the box that people chose."""
        from companion.believing import readers_of
        from companion.vision.boxes import Boxes
        from companion.vision.shipped import shipped

        boxes = Boxes(self._data)
        name = boxes.used(GAME)
        known = name, boxes.stamp(name)
        if self._readers is None or self._known != known:
            self._readers, self._known = readers_of(boxes.open(name), shipped(GAME)), known
        return self._readers

    def _taken(self, read: PhotoRead) -> Taken | None:
        found, shown = read.found, read.shown
        if found is None or shown is None:
            return None
        height, width = read.picture.shape[:2]
        corners = {cell: found.grid.outline_of(cell) for cell in found.looks.cells}
        return Taken(width, height, corners, shown)


def _parts(token: str) -> tuple[str, int]:
    """The photo's name, and which of its kingdoms is meant."""
    whole, _between, number = token.partition(BETWEEN)
    return whole, int(number) if re.fullmatch("[0-9]", number) else 0


def _seen(lying: Lying, token: str, index: int) -> KingdomSeen | None:
    from companion.photos import corners_of

    read = lying.reads[index]
    if read.found is None:
        return None
    corners = corners_of(read.found)
    xs, ys = zip(*corners, strict=True)
    return KingdomSeen(
        token=f"{token}{BETWEEN}{index}",
        outline=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        x=round(sum(xs) / 4, 1),
        y=round(sum(ys) / 4, 1),
        side=round(min(max(xs) - min(xs), max(ys) - min(ys)), 1),
        points=read.shown.points if read.shown else None,
        questions=len(read.shown.unsure) if read.shown else 0,
        player=lying.recorded.get(index),
    )
