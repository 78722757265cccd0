"""Photos of finished tables put before the companion: read, kept for half an hour, put right, recorded, learned from.

Thread-safe; names of photos cannot be guessed. Nothing of vision is imported before somebody shows a photo."""

from __future__ import annotations

import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from companion.core.errors import NotationError, StaleSession
from companion.core.game import AnyGame
from companion.core.lattice import Cell, LatticeMove
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.photo import AnyPhotoSight, AnyReading, Corners, PhotoTable, SentPhoto, photo_sight
from companion.core.session import Session
from companion.photos.view import (
    MOST_TOGETHER,
    PhotographedGroup,
    PhotoView,
    PicturePlaces,
    corrected_squares,
    moved_fixes,
    photo_view,
    read_fixes,
    teaching,
)
from companion.photos.worker import PictureWorker

if TYPE_CHECKING:
    from companion.photos.reader import PhotoRead, PhotoReader, Rasterize
    from companion.vision.photo.extent import LocatedSquares


KEPT_S = 30 * 60
"""A photo nobody has recorded by then is forgotten."""
MOST = 6
"""Photos kept for a table: one for each player, and some that are taken again."""
MOST_IN_ALL = 18
"""Photos kept for all tables together."""
MOST_OUTLINED = 10
"""Groups of pieces in a photo, with those that people outlined."""
BETWEEN = "~"
"""Between the name of a photo and the number of one of several groups in it."""
AGAIN = "."
"""Before how many times it was read again: what people say of one reading is never said of another."""
GONE = _("This photo is not here any more: take it again.")
RECORDING = _("Somebody else records this already: look for it among the past sessions.")
ANEW = _("This photo was read again meanwhile. Nothing was recorded: look at what it shows now.")
NOTHING_BETWEEN = _("What lies between these corners is nothing of the game: there are no points.")
APART = _(
    "This photo does not seem to show the same board, so it was left out. A few pieces have to be in both photos: "
    "take it again, with more of the pieces that the one before shows."
)
_NAME = re.compile(rf"([\w-]*)(?:{BETWEEN}([0-9]))?(?:[{AGAIN}]([0-9]{{1,4}}))?", re.ASCII)


@dataclass(frozen=True, eq=False)
class StoredGroup:
    """What was read of one group of pieces, without the picture."""

    views: tuple[LocatedSquares, ...]
    """Where each picture shows it: one, but for a board that several pictures show together; none where nothing was
    found."""
    shown: AnyReading | None
    again: int = 0
    """How many times it was read again since the photo was taken."""


@dataclass(frozen=True, eq=False)
class StoredPicture:
    """What is seen of a photo."""

    jpeg: bytes
    width: int
    height: int


@dataclass(frozen=True, eq=False)
class StoredPhoto:
    """A photo on the shelf, or several that show one board together."""

    session: str
    game: AnyGame
    groups: tuple[StoredGroup, ...]
    """Every group in it; one at least, though nothing was found."""
    pictures: tuple[StoredPicture, ...]
    since: float
    trouble: Message | None = None
    """What the photo could not be read by."""
    recorded: Mapping[int, int] = field(default_factory=dict)
    """Whose those groups are that are recorded already."""

    @property
    def sight(self) -> AnyPhotoSight:
        """How its game is read: photos of others are never put there."""
        sight = photo_sight(self.game)
        assert sight is not None
        return sight

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in which groups are outlined."""
        return self.pictures[0].width, self.pictures[0].height

    @property
    def done(self) -> bool:
        """Whether everything that could be read is recorded."""
        return all(index in self.recorded or one.shown is None for index, one in enumerate(self.groups))


class PhotoRepository:
    """All photos, by names that nobody guesses."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock, self._lock = clock, Lock()
        self._lying: OrderedDict[str, StoredPhoto] = OrderedDict()
        """The one that nobody has looked at for the longest comes first."""
        self._claimed: set[str] = set()
        """Those that somebody is recording."""

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
            if lying is None or lying.session != session or not 0 <= index < len(lying.groups):
                raise NotationError(GONE)
            self._lying.move_to_end(whole)
        return lying

    def group(self, session: str, token: str) -> StoredGroup:
        """What the page showed by that name, or StaleSession where the photo was read again since."""
        _whole, index, again = split_name(token)
        group = self.of(session, token).groups[index]
        if group.again != again:
            raise StaleSession(ANEW)
        return group

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

    def put_right(self, token: str, group: StoredGroup) -> str:
        """A group of a photo was read again; what it is called now."""
        whole, index, _again = split_name(token)
        with self._lock:
            now = self._lying.get(whole)
            if now is None:
                raise NotationError(GONE)
            group = replace(group, again=now.groups[index].again + 1)
            groups = tuple(group if at == index else one for at, one in enumerate(now.groups))
            self._lying[whole] = replace(now, groups=groups)
        return group_name(token, group)

    def add(self, token: str, group: StoredGroup) -> int:
        """One more group of a photo, after those that were found; its number among them."""
        with self._lock:
            now = self._lying.get(token)
            if now is None:
                raise NotationError(GONE)
            if len(now.groups) >= MOST_OUTLINED:
                raise NotationError(
                    _("A photo has room for %(limit)d kingdoms or boards.", limit=MOST_OUTLINED)
                )
            self._lying[token] = replace(now, groups=(*now.groups, group))
            return len(now.groups)

    def done(self, session: str, token: str, player: int) -> str:
        """A group is recorded; the photo's name where it shows others, else it is forgotten."""
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

    def forget(self, session: str, token: str) -> bool:
        """Throw a photo away, with all its groups; whether it was still there."""
        whole, _index, _again = split_name(token)
        with self._lock:
            self._claimed.discard(whole)
            there = whole in self._lying and self._lying[whole].session == session
            if there:
                del self._lying[whole]
        return there

    def claim(self, session: str, tokens: Sequence[str]) -> None:
        """Keep photos for who records them now; StaleSession where somebody else does."""
        names = {split_name(token)[0] for token in tokens}
        with self._lock:
            there = {name for name in names if name in self._lying and self._lying[name].session == session}
            if there != names or self._claimed & names:
                raise StaleSession(RECORDING)
            self._claimed |= names

    def release(self, tokens: Sequence[str]) -> None:
        """Nothing was recorded after all."""
        with self._lock:
            self._claimed -= {split_name(token)[0] for token in tokens}

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
    """The photo's name, which of its groups is meant, and how many times that was read again."""
    found = _NAME.fullmatch(token)
    return (found[1], int(found[2] or 0), int(found[3] or 0)) if found else ("", 0, 0)


def _now(lying: StoredPhoto, token: str) -> str:
    if BETWEEN not in token and len(lying.groups) > 1:
        return token
    return group_name(token, lying.groups[split_name(token)[1]])


def group_name(token: str, group: StoredGroup) -> str:
    """A group's name as it was read last."""
    first = token.partition(AGAIN)[0]
    return f"{first}{AGAIN}{group.again}" if group.again else first


INSET = 0.15
"""From the photo's edge to where pieces are guessed that nobody has found, in parts of its sides."""


@dataclass(frozen=True)
class GroupOutline:
    """A group of pieces in a photo, before anybody has said whose it is; most of the photo where nothing is found."""

    token: str
    outline: str
    """As SVG lists points; "" where nothing is found."""
    x: float
    """Its middle, as is y."""
    y: float
    side: float
    points: int | None
    """None where it cannot be read without help."""
    questions: int
    colour: str
    """Whose it seems to be, by a piece that says so."""
    player: int | None
    """Whose it is, once it is recorded."""
    squares: tuple[str, ...] = ()
    """What was read of its squares, sorted."""


class PhotoService:
    """Reads photos one at a time, by what is drawn, shipped, and learned by the household's box."""

    def __init__(
        self,
        data: Path,
        clock: Callable[[], float] = monotonic,
        workbench: PictureWorker | None = None,
        rasterize: Rasterize | None = None,
    ) -> None:
        self._data, self._shelf, self._workbench = data, PhotoRepository(clock), workbench or PictureWorker()
        self._rasterize = rasterize
        self._readers: dict[str, tuple[tuple[str, int], PhotoReader, Message | None]] = {}
        """By game: the box that it knows with its stamp, the reader, and why it does not know the box."""

    def reads(self, session: Session) -> bool:
        """Whether photos of this session can be read: of a table that only wants its score."""
        sight = photo_sight(session.game)
        return sight is not None and session.setup.options >= sight.options

    def put(self, session: str, game: AnyGame, sent: Callable[[], SentPhoto]) -> str:
        """Take a photo when it is its turn, read it and keep it; its token, or PictureError."""
        return self._shelf.put(self._workbench.do_soon(lambda: self._read_photo(session, game, sent)))

    def add(
        self, session: str, token: str, sent: Callable[[], SentPhoto], fixes: str = ""
    ) -> tuple[str, str]:
        """Take a photo that shows more of the board of another one; what both are called together, and what people had
        put right, where it lies now. NotationError where it is not clear that it is the same board: then the other
        photo stays what it is."""
        lying, group = self._shelf.of(session, token), self._shelf.group(session, token)
        if len(lying.pictures) >= MOST_TOGETHER:
            raise NotationError(_("At most %(limit)d photos show one board.", limit=MOST_TOGETHER))
        more = self._workbench.do_soon(lambda: self._read_photo(session, lying.game, sent))
        if group.shown is None:
            whole, fixes = more, ""
        else:
            whole, move = self._workbench.do(lambda: self._joined(lying, group, more))
            fixes = moved_fixes(lying.sight, fixes, group.views[0].looks.cells, move)
        if not self._shelf.forget(session, token):
            raise StaleSession(ANEW)
        return self._shelf.put(whole), fixes

    def place(self, session: str, token: str, corners: Corners) -> str:
        """Read a photo again, between corners that somebody showed; what it is called now."""
        lying = self._shelf.of(session, token)
        if len(lying.pictures) > 1:
            raise NotationError(
                _("Corners belong to one photo: begin again, and show them before you add another.")
            )
        return self._shelf.put_right(
            token, self._workbench.do_soon(lambda: self._read_between(lying, corners))
        )

    def outline(self, session: str, token: str, corners: Corners) -> int:
        """Read a group that was not found, between corners that somebody showed; its number, after the others.

        NotationError where nothing of the game lies there.
        """
        lying = self._shelf.of(session, token)
        group = self._workbench.do_soon(lambda: self._read_between(lying, corners))
        if group.shown is None:
            raise NotationError(NOTHING_BETWEEN)
        return self._shelf.add(token, group)

    def now(self, session: str, token: str) -> str:
        """What a photo is called since it was read last: what the page showed before may be something else."""
        return self._shelf.now(session, token)

    def latest(self, session: str) -> str:
        """The photo that somebody left without recording all of it; empty where there is none."""
        return self._shelf.latest(session)

    def groups(self, session: str, token: str) -> Sequence[GroupOutline]:
        """Every group of pieces in a photo, the unreadable ones among them."""
        lying = self._shelf.of(session, token)
        return [_seen(lying, token, index) for index in range(len(lying.groups))]

    def several(self, session: str, token: str) -> Sequence[GroupOutline]:
        """The groups of a photo that shows several, and that nobody has chosen one of; else none."""
        alone = BETWEEN in token or len(self._shelf.of(session, token).groups) < 2
        return () if alone else self.groups(session, token)

    def done(self, session: str, token: str, player: int) -> str:
        """A group is recorded; the photo's name where it shows others, else it is forgotten."""
        return self._shelf.done(session, token, player)

    def trouble(self, session: str, token: str) -> Message | None:
        """What the photo could not be read by."""
        return self._shelf.of(session, token).trouble

    def picture(self, session: str, token: str, number: int = 0) -> bytes:
        """The photo as a JPEG, or one of several that show a board together."""
        pictures = self._shelf.of(session, token).pictures
        if not 0 <= number < len(pictures):
            raise NotationError(GONE)
        return pictures[number].jpeg

    def size(self, session: str, token: str) -> tuple[int, int]:
        """Its width and height."""
        return self._shelf.of(session, token).size

    def corners(self, session: str, token: str) -> Corners:
        """Where the corners of the group are, clockwise from the upper left; none when nothing was found."""
        from companion.photos.reader import group_corners

        views = self._shelf.group(session, token).views
        if not views:
            return ()
        found = views[0]
        # In a mirror they go round the other way.
        return group_corners(found)[::-1] if found.mirrored else group_corners(found)

    def view(self, session: str, token: str, table: PhotoTable, fixes: str, at: str) -> PhotoView | None:
        """What the page draws; None when the photo shows nothing of the game."""
        lying = self._shelf.of(session, token)
        taken = _taken(lying, self._shelf.group(session, token))
        return photo_view(lying.game, lying.sight, taken, table, fixes, at) if taken else None

    def colours(self, session: str, token: str, fixes: str) -> Sequence[str]:
        """Whose pieces lie in a group that is everybody's, as it was read and as people put it right."""
        lying, group = self._shelf.of(session, token), self._shelf.group(session, token)
        taken = _taken(lying, group)
        if taken is None:
            return ()
        told = read_fixes(lying.sight, fixes, taken.cells)
        unsure = tuple(one for one in taken.shown.unsure if one.cell not in told)
        squares = corrected_squares(lying.sight, taken.shown, told)
        return replace(taken.shown, squares=squares, unsure=unsure).colours

    def on_track(self, session: str, token: str) -> Mapping[str, int]:
        """What each colour has on the track, as far as the pictures of a group show it clearly."""
        lying, group = self._shelf.of(session, token), self._shelf.group(session, token)
        return lying.sight.track.read(one.track for one in group.views) if lying.sight.track else {}

    def learn(self, session: str, token: str, fixes: str, every: bool = False) -> int:
        """Let the household's box learn the squares that people put right, or all of a group that they say is right;
        how many it has learned. Of all, those that do not look like what they are called are left out in silence."""
        lying, group = self._shelf.of(session, token), self._shelf.group(session, token)
        taken = _taken(lying, group)
        if taken is None:
            return 0
        told = read_fixes(lying.sight, fixes, taken.cells)
        squares = corrected_squares(lying.sight, taken.shown, told)
        known = list(teaching(lying.sight, squares, squares if every else told))
        if not known:
            return 0
        learned = self._workbench.do(lambda: self._learn(lying, group.views, taken.best, known))
        if learned < len(known) and not every:
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
        """Throw a photo away, with all its groups."""
        self._shelf.forget(session, token)

    @contextmanager
    def recording(self, session: str, tokens: Sequence[str]) -> Iterator[None]:
        """While somebody records photos nobody else does: StaleSession. Where that fails, they stay."""
        self._shelf.claim(session, tokens)
        try:
            yield
        except BaseException:
            self._shelf.release(tokens)
            raise

    def _read_photo(self, session: str, game: AnyGame, sent: Callable[[], SentPhoto]) -> StoredPhoto:
        # Imported here, as below: a companion nobody shows photos to needs none of it.
        from companion.vision.photo.annotate import to_jpeg
        from companion.vision.picture_file import opened, working_size

        photo = sent()
        picture = working_size(opened(photo))
        lying = photo.pieces(game.key, picture.shape[1])
        reader, trouble = self._reader(game)
        groups = tuple(map(_stored, reader.read_table(picture, lying)))
        height, width = picture.shape[:2]
        kept = StoredPicture(to_jpeg(picture), width, height)
        return StoredPhoto(session, game, groups, (kept,), self._shelf.clock(), trouble)

    def _joined(
        self, lying: StoredPhoto, group: StoredGroup, more: StoredPhoto
    ) -> tuple[StoredPhoto, LatticeMove]:
        """Both photos as one that shows all of a board, and how the first one's places are counted now."""
        new = more.groups[0].views
        views, shown = self._reader(lying.game)[0].join([*group.views, *new]) if new else ((None,), None)
        laid = tuple(one for one in views if one is not None)
        if len(laid) < len(views) or shown is None:
            raise NotationError(APART)
        (x, y), (column, row) = group.views[0].looks.cells[0], laid[0].looks.cells[0]
        pictures, groups = (*lying.pictures, *more.pictures), (StoredGroup(laid, shown),)
        whole = replace(lying, pictures=pictures, groups=groups, since=more.since)
        return whole, LatticeMove(0, column - x, row - y)

    def _read_between(self, lying: StoredPhoto, corners: Corners) -> StoredGroup:
        from companion.vision.picture_file import decode_picture

        picture = decode_picture(lying.pictures[0].jpeg)
        return _stored(self._reader(lying.game)[0].read_between(picture, corners))

    def _learn(
        self,
        lying: StoredPhoto,
        views: Sequence[LocatedSquares],
        best: Mapping[Cell, int],
        squares: Sequence[tuple[Cell, str, int]],
    ) -> int:
        import numpy as np

        from companion.photos.reader import worth_learning
        from companion.vision.gallery.box import BoxRepository
        from companion.vision.photo.locate import crop_cell
        from companion.vision.picture_file import decode_picture

        game, boxes = lying.game.key, BoxRepository(self._data)
        pictures = [decode_picture(one.jpeg) for one in lying.pictures]
        drawings = [
            (
                name,
                np.ascontiguousarray(np.rot90(crop_cell(pictures[at], views[at], cell, around=1.0), turns)),
            )
            for cell, name, turns in squares
            for at in [best[cell]]
        ]
        name = boxes.used(game)
        shown = worth_learning(drawings, boxes.open(name), game, lying.sight)
        boxes.change(name, lambda box: box.learned(shown), game=game)
        return len(shown)

    def _reader(self, game: AnyGame) -> tuple[PhotoReader, Message | None]:
        """By what is drawn, shipped, and by the box that people chose; and what is wrong with that box."""
        from companion.photos.reader import household_reader
        from companion.vision.gallery.box import BoxRepository

        boxes, sight = BoxRepository(self._data), photo_sight(game)
        assert sight is not None
        name = boxes.used(game.key)
        known = name, boxes.stamp(name)
        if game.key not in self._readers or self._readers[game.key][0] != known:
            self._readers[game.key] = known, *household_reader(boxes, game.key, sight, self._rasterize)
        return self._readers[game.key][1:]


def _stored(read: PhotoRead) -> StoredGroup:
    return StoredGroup((read.found,) if read.found else (), read.shown)


def _taken(lying: StoredPhoto, group: StoredGroup) -> PhotographedGroup | None:
    from companion.photos.reader import best_views

    if not group.views or group.shown is None:
        return None
    pictures = tuple(
        PicturePlaces(
            picture.width, picture.height, {cell: found.outline_of(cell) for cell in found.looks.cells}
        )
        for picture, found in zip(lying.pictures, group.views, strict=False)
    )
    return PhotographedGroup(pictures, group.shown, best_views(group.views))


def _seen(lying: StoredPhoto, token: str, index: int) -> GroupOutline:
    from companion.photos.reader import group_corners

    read, (width, height) = lying.groups[index], lying.size
    near, far = INSET, 1 - INSET
    corners = (
        group_corners(read.views[0])
        if read.views
        else [(u * width, v * height) for u, v in ((near, near), (far, near), (far, far), (near, far))]
    )
    xs, ys = zip(*corners, strict=True)
    name = token if len(lying.groups) == 1 else f"{token}{BETWEEN}{index}"
    return GroupOutline(
        token=group_name(name, read),
        outline=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners) if read.views else "",
        x=round(sum(xs) / 4, 1),
        y=round(sum(ys) / 4, 1),
        side=round(min(max(xs) - min(xs), max(ys) - min(ys)), 1),
        points=read.shown.points if read.shown else None,
        questions=len(read.shown.questions) if read.shown else 0,
        colour=read.shown.colour if read.shown else "",
        player=lying.recorded.get(index),
        squares=tuple(sorted(map(str, read.shown.squares.values()))) if read.shown else (),
    )
