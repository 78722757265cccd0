"""Photos that people put before the companion: read, kept in memory until they are recorded, then forgotten."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
    from companion.photos import PhotoRead, PhotoReader

GAME = "kingdomino"
KEPT_S = 30 * 60
"""A photo nobody has recorded by then is forgotten."""
MOST = 6
"""Photos kept at a time: one for each player, and some that are taken again."""
GONE = _("This photo is not here any more: take it again.")
Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Lying:
    """A photo on the desk."""

    session: str
    read: PhotoRead
    jpeg: bytes
    since: float

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.read.picture.shape[:2]
        return width, height


class PhotoDesk:
    """Reads photos one at a time, by what is shipped and by what the household's box has learned."""

    def __init__(self, data: Path, clock: Callable[[], float] = monotonic) -> None:
        self._data, self._clock = data, clock
        self._reading, self._lock = Lock(), Lock()
        self._lying: OrderedDict[str, Lying] = OrderedDict()
        self._reader: PhotoReader | None = None
        self._known = ("", 0)
        """The box that reader knows, and its stamp."""

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
            read = self._by().read_picture(picture)
        token = secrets.token_urlsafe(9)
        with self._lock:
            self._lying[token] = Lying(session, read, jpeg(picture), self._clock())
            self._tidy()
        return token

    def place(self, session: str, token: str, corners: Corners) -> None:
        """Read a photo again, between corners that somebody showed."""
        import numpy as np

        lying = self._of(session, token)
        with self._reading:
            read = self._by().read_picture(lying.read.picture, np.asarray(corners, np.float64))
        with self._lock:
            self._lying[token] = replace(lying, read=read)

    def picture(self, session: str, token: str) -> bytes:
        """The photo as a JPEG."""
        return self._of(session, token).jpeg

    def size(self, session: str, token: str) -> tuple[int, int]:
        """Its width and height."""
        return self._of(session, token).size

    def corners(self, session: str, token: str) -> Corners:
        """Where the corners of the kingdom are, clockwise from the upper left; none when nothing was found."""
        found = self._of(session, token).read.found
        if found is None:
            return ()
        ends = ((-0.5, -0.5), (found.columns - 0.5, -0.5))
        low = found.rows - 0.5
        return found.grid.outline((*ends, (found.columns - 0.5, low), (-0.5, low)))

    def view(self, session: Session, token: str, player: int, fixes: str, at: str) -> PhotoView | None:
        """What the page draws; None when the photo shows no kingdom."""
        taken = self._taken(self._of(session.id, token))
        return photo_view(taken, player, session.position.size, fixes, at) if taken else None

    def learn(self, session: str, token: str, fixes: str) -> int:
        """Let the household's box learn the squares that people put right; how many there were."""
        from companion.vision.boxes import Boxes
        from companion.vision.photo import crop

        lying = self._of(session, token)
        taken = self._taken(lying)
        if taken is None or lying.read.found is None:
            return 0
        found, told = lying.read.found, read_fixes(fixes, taken.corners)
        squares = squares_of(taken, told)
        drawings = [
            (str(squares[cell]), crop(lying.read.picture, found, cell, around=1.0))
            for cell in told
            # What stands on a castle's tile looks otherwise in every game.
            if cell in squares and not str(squares[cell]).startswith("c")
        ]
        boxes = Boxes(self._data)
        boxes.change(boxes.used(GAME), lambda box: box.learned(drawings))
        return len(drawings)

    def forget(self, session: str, token: str) -> None:
        """Throw a photo away."""
        with self._lock:
            if token in self._lying and self._lying[token].session == session:
                del self._lying[token]

    def _of(self, session: str, token: str) -> Lying:
        with self._lock:
            self._tidy()
            lying = self._lying.get(token)
        if lying is None or lying.session != session:
            raise NotationError(GONE)
        return lying

    def _tidy(self) -> None:
        now = self._clock()
        for token in [token for token, one in self._lying.items() if now - one.since > KEPT_S]:
            del self._lying[token]
        while len(self._lying) > MOST:
            self._lying.popitem(last=False)

    def _by(self) -> PhotoReader:
        from companion.photos import PhotoReader
        from companion.vision.boxes import Boxes
        from companion.vision.shipped import shipped

        boxes = Boxes(self._data)
        name = boxes.used(GAME)
        known = name, boxes.stamp(name)
        if self._reader is None or self._known != known:
            self._reader = PhotoReader(boxes.open(name).beside(shipped(GAME)))
            self._known = known
        return self._reader

    def _taken(self, lying: Lying) -> Taken | None:
        found, shown = lying.read.found, lying.read.shown
        if found is None or shown is None:
            return None
        width, height = lying.size
        corners = {cell: found.grid.outline_of(cell) for cell in found.looks.cells}
        return Taken(width, height, corners, shown)
