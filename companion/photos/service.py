"""Photos of kingdoms put before the companion: read, kept for half an hour, put right, recorded, learned from.

Thread-safe; names of photos cannot be guessed. Nothing of vision is imported before somebody shows a photo."""

from __future__ import annotations

import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from companion.core.errors import NotationError, StaleSession
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session
from companion.games.kingdomino.page.photo import (
    LocatedKingdom,
    PhotoView,
    corrected_squares,
    photo_view,
    read_fixes,
    table_context,
)
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE
from companion.games.kingdomino.rules.position import Variant
from companion.games.kingdomino.sight.photo import KingdomReading
from companion.photos.worker import PictureWorker

if TYPE_CHECKING:
    from companion.photos.reader import ReaderEnsemble
    from companion.vision.photo.extent import LocatedSquares


KEPT_S = 30 * 60
"""A photo nobody has recorded by then is forgotten."""
MOST = 6
"""Photos kept for a table: one for each player, and some that are taken again."""
MOST_IN_ALL = 18
"""Photos kept for all tables together."""
BETWEEN = "~"
"""Between the name of a photo and the number of one of several kingdoms in it."""
AGAIN = "."
"""Before how many times it was read again: what people say of one reading is never said of another."""
GONE = _("This photo is not here any more: take it again.")
ANEW = _("This photo was read again meanwhile. Nothing was recorded: look at what it shows now.")
_NAME = re.compile(rf"([\w-]*)(?:{BETWEEN}([0-9]))?(?:[{AGAIN}]([0-9]{{1,4}}))?", re.ASCII)


@dataclass(frozen=True, eq=False)
class StoredKingdom:
    """What was read of one kingdom, without the picture."""

    found: LocatedSquares | None
    shown: KingdomReading | None
    again: int = 0
    """How many times it was read again since the photo was taken."""


@dataclass(frozen=True, eq=False)
class StoredPhoto:
    """A photo on the shelf."""

    session: str
    kingdoms: tuple[StoredKingdom, ...]
    """Every kingdom in it; one at least, though nothing was found."""
    jpeg: bytes
    size: tuple[int, int]
    """Its width and height."""
    since: float
    trouble: Message | None = None
    """What the photo could not be read by."""
    recorded: Mapping[int, int] = field(default_factory=dict)
    """Whose those kingdoms are that are recorded already."""

    @property
    def done(self) -> bool:
        """Whether everything that could be read is recorded."""
        return all(index in self.recorded or one.shown is None for index, one in enumerate(self.kingdoms))


class PhotoRepository:
    """All photos, by names that nobody guesses."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock, self._lock = clock, Lock()
        self._lying: OrderedDict[str, StoredPhoto] = OrderedDict()
        """The one that nobody has looked at for the longest comes first."""

    def put(self, lying: StoredPhoto) -> str:
        """Keep a photo; its name."""
        token = secrets.token_urlsafe(9)
        with self._lock:
            self._lying[token] = lying
            self._make_room(lying.session)
        return token

    def of(self, session: str, token: str) -> StoredPhoto:
        """A table's photo, or NotationError where it is gone."""
        whole, index, _again = split_name(token)
        with self._lock:
            self._forget_old()
            lying = self._lying.get(whole)
            if lying is None or lying.session != session or not 0 <= index < len(lying.kingdoms):
                raise NotationError(GONE)
            self._lying.move_to_end(whole)
        return lying

    def kingdom(self, session: str, token: str) -> StoredKingdom:
        """What the page showed by that name, or StaleSession where the photo was read again since."""
        _whole, index, again = split_name(token)
        kingdom = self.of(session, token).kingdoms[index]
        if kingdom.again != again:
            raise StaleSession(ANEW)
        return kingdom

    def now(self, session: str, token: str) -> str:
        """What a photo is called since it was read last; all of a photo that shows several has one name for ever."""
        return _now(self.of(session, token), token)

    def latest(self, session: str) -> str:
        """The photo of a table that somebody looked at last; empty without any."""
        with self._lock:
            self._forget_old()
            mine = (name for name, one in reversed(self._lying.items()) if one.session == session)
            latest = next(mine, "")
            return _now(self._lying[latest], latest) if latest else ""

    def put_right(self, token: str, kingdom: StoredKingdom) -> str:
        """A kingdom of a photo was read again; what it is called now."""
        whole, index, _again = split_name(token)
        with self._lock:
            now = self._lying.get(whole)
            if now is None:
                raise NotationError(GONE)
            kingdom = replace(kingdom, again=now.kingdoms[index].again + 1)
            kingdoms = tuple(kingdom if at == index else one for at, one in enumerate(now.kingdoms))
            self._lying[whole] = replace(now, kingdoms=kingdoms)
        return kingdom_name(token, kingdom)

    def done(self, session: str, token: str, player: int) -> str:
        """A kingdom is recorded; the photo's name where it shows others, else it is forgotten."""
        whole, index, _again = split_name(token)
        with self._lock:
            lying = self._lying.get(whole)
            if lying is None or lying.session != session:
                return ""
            lying = replace(lying, recorded={**lying.recorded, index: player})
            if not lying.done:
                self._lying[whole] = lying
                return whole
            del self._lying[whole]
        return ""

    def forget(self, session: str, token: str) -> None:
        """Throw a photo away, with all its kingdoms."""
        whole, _index, _again = split_name(token)
        with self._lock:
            if whole in self._lying and self._lying[whole].session == session:
                del self._lying[whole]

    def _forget_old(self) -> None:
        now = self.clock()
        for token in [token for token, one in self._lying.items() if now - one.since > KEPT_S]:
            del self._lying[token]

    def _make_room(self, session: str) -> None:
        """A table's own photos make room for each other; of all together, those of the table that has most."""
        self._forget_old()
        for token in [token for token, one in self._lying.items() if one.session == session][:-MOST]:
            del self._lying[token]
        while len(self._lying) > MOST_IN_ALL:
            tables = Counter(one.session for one in self._lying.values())
            most = max(tables.values())
            del self._lying[next(name for name, one in self._lying.items() if tables[one.session] == most)]


def split_name(token: str) -> tuple[str, int, int]:
    """The photo's name, which of its kingdoms is meant, and how many times that was read again."""
    found = _NAME.fullmatch(token)
    return (found[1], int(found[2] or 0), int(found[3] or 0)) if found else ("", 0, 0)


def _now(lying: StoredPhoto, token: str) -> str:
    if BETWEEN not in token and len(lying.kingdoms) > 1:
        return token
    return kingdom_name(token, lying.kingdoms[split_name(token)[1]])


def kingdom_name(token: str, kingdom: StoredKingdom) -> str:
    """A kingdom's name as it was read last."""
    first = token.partition(AGAIN)[0]
    return f"{first}{AGAIN}{kingdom.again}" if kingdom.again else first


GAME = "kingdomino"
Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class KingdomOutline:
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


class PhotoService:
    """Reads photos one at a time, by what is shipped and by what the household's box has learned."""

    def __init__(
        self, data: Path, clock: Callable[[], float] = monotonic, workbench: PictureWorker | None = None
    ) -> None:
        self._data, self._shelf, self._workbench = data, PhotoRepository(clock), workbench or PictureWorker()
        self._readers: ReaderEnsemble | None = None
        self._known: tuple[str, int] = ("", 0)
        """The box they know, and its stamp."""
        self._trouble: Message | None = None
        """Why they do not know the box."""

    def reads(self, session: Session) -> bool:
        """Whether photos of this game can be read: a table that only wants its score."""
        return session.game.key == GAME and Variant.SCORE_ONLY in session.setup.options

    def put(self, session: str, sent: Callable[[], bytes]) -> str:
        """Take a photo when it is its turn, read it and keep it; its token, or PictureError."""
        return self._shelf.put(self._workbench.do_soon(lambda: self._read_photo(session, sent)))

    def place(self, session: str, token: str, corners: Corners) -> str:
        """Read a photo again, between corners that somebody showed; what it is called now."""
        lying = self._shelf.of(session, token)
        read = self._workbench.do_soon(lambda: self._read_between(lying.jpeg, corners))
        return self._shelf.put_right(token, read)

    def now(self, session: str, token: str) -> str:
        """What a photo is called since it was read last: what the page showed before may be something else."""
        return self._shelf.now(session, token)

    def latest(self, session: str) -> str:
        """The photo that somebody left without recording all of it; empty where there is none."""
        return self._shelf.latest(session)

    def kingdoms(self, session: str, token: str) -> Sequence[KingdomOutline]:
        """The kingdoms of a photo that shows several, and that nobody has chosen one of; else none."""
        lying = self._shelf.of(session, token)
        if BETWEEN in token or len(lying.kingdoms) < 2:
            return ()
        seen = [_seen(lying, token, index) for index in range(len(lying.kingdoms))]
        return [one for one in seen if one is not None]

    def done(self, session: str, token: str, player: int) -> str:
        """A kingdom is recorded; the photo's name where it shows others, else it is forgotten."""
        return self._shelf.done(session, token, player)

    def trouble(self, session: str, token: str) -> Message | None:
        """What the photo could not be read by."""
        return self._shelf.of(session, token).trouble

    def picture(self, session: str, token: str) -> bytes:
        """The photo as a JPEG."""
        return self._shelf.of(session, token).jpeg

    def size(self, session: str, token: str) -> tuple[int, int]:
        """Its width and height."""
        return self._shelf.of(session, token).size

    def corners(self, session: str, token: str) -> Corners:
        """Where the corners of the kingdom are, clockwise from the upper left; none when nothing was found."""
        from companion.photos.reader import kingdom_corners

        found = self._shelf.kingdom(session, token).found
        return () if found is None else kingdom_corners(found)

    def view(self, session: Session, token: str, player: int, fixes: str, at: str) -> PhotoView | None:
        """What the page draws; None when the photo shows no kingdom."""
        taken = _taken(self._shelf.of(session.id, token).size, self._shelf.kingdom(session.id, token))
        names = [one.name for one in session.setup.players]
        return photo_view(taken, table_context(session.position, names, player), fixes, at) if taken else None

    def learn(self, session: str, token: str, fixes: str) -> int:
        """Let the household's box learn the squares that people put right; how many it has learned."""
        lying, kingdom = self._shelf.of(session, token), self._shelf.kingdom(session, token)
        taken = _taken(lying.size, kingdom)
        if taken is None or kingdom.found is None:
            return 0
        found, told = kingdom.found, read_fixes(fixes, taken.corners)
        squares = corrected_squares(taken, told)
        # What stands on a castle's tile looks otherwise in every game.
        known = {cell: str(squares[cell]) for cell in told if squares.get(cell, CASTLE) != CASTLE}
        if not known:
            return 0
        learned = self._workbench.do(lambda: self._learn(lying.jpeg, found, known))
        if learned < len(known):
            raise NotationError(
                _n(
                    "%(count)d of these squares looks like no drawing of what it is called: something lay on it, "
                    "or it is of another edition, which is learned from photos of your box.",
                    "%(count)d of these squares look like no drawing of what they are called: something lay on them, "
                    "or they are of another edition, which is learned from photos of your box.",
                    len(known) - learned,
                )
            )
        return learned

    def forget(self, session: str, token: str) -> None:
        """Throw a photo away, with all its kingdoms."""
        self._shelf.forget(session, token)

    def _read_photo(self, session: str, sent: Callable[[], bytes]) -> StoredPhoto:
        # Imported here, as below: a companion nobody shows photos to needs none of it.
        from companion.photos.reader import open_photo
        from companion.vision.photo.annotate import to_jpeg

        picture = open_photo(sent())
        reads = self._by().read_table(picture)
        kingdoms = tuple(StoredKingdom(one.found, one.shown) for one in reads)
        height, width = picture.shape[:2]
        return StoredPhoto(
            session, kingdoms, to_jpeg(picture), (width, height), self._shelf.clock(), self._trouble
        )

    def _read_between(self, jpeg: bytes, corners: Corners) -> StoredKingdom:
        from companion.vision.picture_file import decode_picture

        read = self._by().read_between(decode_picture(jpeg), corners)
        return StoredKingdom(read.found, read.shown)

    def _learn(self, jpeg: bytes, found: LocatedSquares, squares: Mapping[Cell, str]) -> int:
        from companion.photos.reader import worth_learning
        from companion.vision.gallery.box import BoxRepository
        from companion.vision.photo.locate import crop_cell
        from companion.vision.picture_file import decode_picture

        picture, boxes = decode_picture(jpeg), BoxRepository(self._data)
        drawings = [(name, crop_cell(picture, found, cell, around=1.0)) for cell, name in squares.items()]
        name = boxes.used(GAME)
        shown = worth_learning(drawings, boxes.open(name), GAME)
        boxes.change(name, lambda box: box.learned(shown))
        return len(shown)

    def _by(self) -> ReaderEnsemble:
        """By what is shipped and by the box that people chose."""
        from companion.photos.reader import household_ensemble
        from companion.vision.gallery.box import BoxRepository

        boxes = BoxRepository(self._data)
        name = boxes.used(GAME)
        known = name, boxes.stamp(name)
        if self._readers is None or self._known != known:
            self._readers, self._trouble = household_ensemble(boxes, GAME)
            self._known = known
        return self._readers


def _taken(size: tuple[int, int], kingdom: StoredKingdom) -> LocatedKingdom | None:
    found, shown = kingdom.found, kingdom.shown
    if found is None or shown is None:
        return None
    corners = {cell: found.grid.outline_of(cell) for cell in found.looks.cells}
    return LocatedKingdom(*size, corners, shown)


def _seen(lying: StoredPhoto, token: str, index: int) -> KingdomOutline | None:
    from companion.photos.reader import kingdom_corners

    read = lying.kingdoms[index]
    if read.found is None:
        return None
    corners = kingdom_corners(read.found)
    xs, ys = zip(*corners, strict=True)
    return KingdomOutline(
        token=kingdom_name(f"{token}{BETWEEN}{index}", read),
        outline=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        x=round(sum(xs) / 4, 1),
        y=round(sum(ys) / 4, 1),
        side=round(min(max(xs) - min(xs), max(ys) - min(ys)), 1),
        points=read.shown.points if read.shown else None,
        questions=len(read.shown.unsure) if read.shown else 0,
        player=lying.recorded.get(index),
    )
