"""Teaching a box: one photo of a lesson at a time, looked at before it is learned.

And what the page shows of the box.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from companion.core.errors import ModelError, NotationError
from companion.core.game import AnyGame
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Face
from companion.core.photo import AnyPhotoSight, Lesson, SentPhoto, missing_labels, next_lesson, photo_sight
from companion.photos.worker import PictureWorker

if TYPE_CHECKING:
    from calibration.plane import Pixels
    from companion.vision.gallery.box import Box, BoxRepository


@dataclass(frozen=True, eq=False)
class LessonPhoto:
    """The pieces of one photo, cut out, before the box learns them."""

    lesson: Lesson
    squares: tuple[Pixels, ...]
    complaints: tuple[Message, ...]
    """What is wrong with the photo, and what to do; it is not learned then."""
    since: float


@dataclass(frozen=True)
class LessonStep:
    """One photo of those to take."""

    lesson: Lesson
    lacking: int
    """Squares of it that have no drawing yet."""


@dataclass(frozen=True)
class TaughtPiece:
    """A piece of the box with all its drawings."""

    label: str
    name: Message
    face: Face
    drawings: tuple[int, ...]


@dataclass(frozen=True)
class LookAlikes:
    """Two pieces of different kinds that look too much alike."""

    one: TaughtPiece
    other: TaughtPiece


@dataclass(frozen=True)
class BoxView:
    """A box as the page shows it."""

    name: str
    title: str
    used: bool
    """Whether photos are read by it."""
    boxes: Sequence[tuple[str, str]]
    """Every box by its file's name and by what people call it."""
    steps: Sequence[LessonStep]
    lesson: Lesson
    """What to lay down next."""
    missing: Sequence[Face]
    """A drawing of each kind of which there is none."""
    twins: Sequence[LookAlikes]
    pieces: Sequence[TaughtPiece]
    drawings: int
    laid: LessonPhoto | None
    strange: Sequence[str]
    """Pieces of the photo that look like others which the box knows."""
    stamp: int
    """Changes when the box does, so that no browser shows old drawings."""

    @property
    def known(self) -> int:
        """Drawings of the pieces to lay down."""
        return sum(len(piece.drawings) for piece in self.pieces if piece.label in self.lesson.labels)

    @property
    def done(self) -> int:
        return sum(not step.lacking for step in self.steps)


@dataclass(frozen=True)
class UnreadableBox:
    """A box whose file cannot be read, with the others beside it."""

    name: str
    boxes: Sequence[tuple[str, str]]
    """Every box by its file's name and by what people call it."""
    lost: bool
    """Whether it can only be forgotten; else it can be read another time."""


KEPT_S = 30 * 60
"""A photo that nobody has let the box learn by then is forgotten."""
MOST = 4
"""Photos kept at a time."""
PAIRS_TOLD = 6
GONE = _("This photo is not here any more: take it again.")


class BoxService:
    """Teaches the boxes of every game, each at its own desk."""

    def __init__(
        self, data: Path, clock: Callable[[], float] = monotonic, workbench: PictureWorker | None = None
    ) -> None:
        self._data, self._clock, self._workbench = data, clock, workbench or PictureWorker()
        self._desks: dict[str, BoxDesk] = {}

    def of(self, game: AnyGame) -> BoxDesk | None:
        """Where boxes of a game are taught; None where none of its photos can be read."""
        sight = photo_sight(game)
        if sight is None:
            return None
        fresh = BoxDesk(self._data, game.key, sight, self._clock, self._workbench)
        return self._desks.setdefault(game.key, fresh)


class BoxDesk:
    """Looks at photos of a game's pieces, and keeps what people say is right."""

    def __init__(
        self,
        data: Path,
        game: str,
        sight: AnyPhotoSight,
        clock: Callable[[], float],
        workbench: PictureWorker,
    ) -> None:
        self.game, self.sight = game, sight
        self._data, self._clock = data, clock
        self._workbench, self._lock, self._opening = workbench, Lock(), Lock()
        self._laid: OrderedDict[str, LessonPhoto] = OrderedDict()
        self._opened: tuple[tuple[str, int], Box] | None = None
        """The box that was looked at last, with its stamp: a page of drawings asks for it a hundred times."""
        self._told: tuple[tuple[str, int], tuple[tuple[str, str], ...]] = (("", -1), ())
        self._taught: LessonPhoto | None = None
        """What a box has learned last, until one is changed otherwise or forgotten."""

    @property
    def used(self) -> str:
        """The box that photos are read by."""
        return self._boxes.used(self.game)

    @property
    def longest(self) -> int:
        """Pixels of the longer side of a photo that are looked at."""
        from companion.vision.photo.enrolment import WORKED_ON

        return WORKED_ON

    def view(self, name: str, lesson: str, token: str) -> BoxView:
        """What the page draws of a box; without a name, of the one that is used."""
        used, names = self._boxes.used(self.game), self._names()
        name = name if name in names else used
        box, stamp = self._open(name), self._boxes.stamp(name)
        laid = self._of(token) if token else None
        pieces = {label: self._piece(box, label) for label in sorted(box.known, key=self._order)}
        return BoxView(
            name=name,
            title=box.title,
            used=name == used,
            boxes=[(other, box.title if other == name else self._title(other)) for other in names],
            steps=[LessonStep(one, len(one.lacking(box.known))) for one in self.sight.lessons],
            lesson=laid.lesson if laid else next_lesson(self.sight, lesson, box.known),
            missing=[self.sight.face(label) for label in missing_labels(self.sight, box.known)],
            twins=[LookAlikes(pieces[a], pieces[b]) for a, b in self._alike(box, (name, stamp))],
            pieces=tuple(pieces.values()),
            drawings=len(box.labels),
            laid=laid,
            strange=self._strange(box, laid) if laid and not laid.complaints else (),
            stamp=stamp,
        )

    def unopened(self, name: str) -> UnreadableBox:
        """What the page draws of a box that cannot be opened."""
        from companion.vision.gallery.box import BoxError, DamagedBox

        names, lost = self._names(), False
        name = name if name in names else self._boxes.used(self.game)
        try:
            self._open(name)
        except BoxError as error:
            lost = isinstance(error, DamagedBox)
        return UnreadableBox(name, [(other, self._title(other)) for other in names], lost)

    @cached_property
    def _boxes(self) -> BoxRepository:
        # Imported here, as below: a companion whose box nobody teaches needs none of it.
        from companion.vision.gallery.box import BoxRepository

        return BoxRepository(self._data)

    def _names(self) -> Sequence[str]:
        """Every box: the household's first one, be it empty, and the one that photos are read by come first."""
        return list(dict.fromkeys((self.game, self._boxes.used(self.game), *self._boxes.of(self.game))))

    @property
    def _pieces(self) -> Sequence[str]:
        """Everything the box has to show, in the order in which it is laid down."""
        return [label for lesson in self.sight.lessons for label in lesson.labels]

    def _piece(self, box: Box, label: str) -> TaughtPiece:
        drawings = tuple(index for index, known in enumerate(box.labels) if known == label)
        return TaughtPiece(label, self.sight.name(label), self.sight.face(label), drawings)

    def _order(self, label: str) -> tuple[int, str]:
        pieces = self._pieces
        return (pieces.index(label) if label in pieces else len(pieces)), label

    def put(self, lesson: str, sent: Callable[[], SentPhoto]) -> str:
        """Take a photo when it is its turn, cut the pieces out and judge it; the name it is kept by."""
        laid = self.judged(lesson, sent)
        token = secrets.token_urlsafe(9)
        with self._lock:
            self._laid[token] = laid
            self._tidy()
        return token

    def judged(self, lesson: str, sent: Callable[[], SentPhoto]) -> LessonPhoto:
        """What a picture shows of a lesson, kept by nobody."""
        return self._workbench.do_soon(lambda: self._judged(lesson, sent))

    def objection(self, lesson: str, sent: Callable[[], SentPhoto]) -> Message | None:
        """Why a photo of a lesson should not be taken just now, in words; None when it should."""
        laid = self.judged(lesson, sent)
        if laid.complaints:
            return laid.complaints[0]
        still = self._taught
        if still is None or not self._workbench.do(lambda: _same_pieces(still, laid)):
            return None
        return _(
            "These are still: %(known)s. Lay down: %(pieces)s.",
            known=still.lesson.name,
            pieces=laid.lesson.name,
        )

    def _judged(self, lesson: str, sent: Callable[[], SentPhoto]) -> LessonPhoto:
        from companion.photos.checks import not_squares_complaint
        from companion.vision.photo.enrolment import WORKED_ON, find_block
        from companion.vision.picture_file import opened

        chosen = next_lesson(self.sight, lesson)
        found = find_block(opened(sent(), WORKED_ON), chosen.columns, chosen.rows)
        odd = not_squares_complaint(list(zip(chosen.labels, found.squares, strict=True)), self.sight)
        return LessonPhoto(
            chosen, found.squares, (*found.complaints, *((odd,) if odd else ())), self._clock()
        )

    def turn(self, token: str) -> None:
        """Turn the photo by half a turn: it was taken from the other side of the table."""
        import numpy as np

        with self._lock:
            laid = self._known(token)
            squares = tuple(np.ascontiguousarray(np.rot90(one, 2)) for one in reversed(laid.squares))
            self._laid[token] = replace(laid, squares=squares)

    def learn(self, name: str, token: str) -> int:
        """Let the box learn a photo's pieces; how many squares there were."""
        laid = self._of(token)
        if laid.complaints:
            raise NotationError(_("This photo is not good enough to learn from: take it again."))
        pieces = tuple(zip(laid.lesson.labels, laid.squares, strict=True))
        self._change(name, lambda box: box.learned(pieces))
        self._taught = laid
        self.forget(token)
        return len(laid.squares)

    def forget(self, token: str) -> None:
        with self._lock:
            self._laid.pop(token, None)

    def square(self, token: str, index: int) -> bytes | None:
        """One of the squares cut out of a photo, as a JPEG."""
        squares = self._of(token).squares
        return _jpeg(squares[index]) if index < len(squares) else None

    def drawing(self, name: str, index: int) -> bytes | None:
        """One of the drawings of a box, as a JPEG."""
        box = self._open(name)
        return _jpeg(box.pictures[index]) if index < len(box.labels) else None

    def rename(self, name: str, label: str, to: str) -> None:
        """Say that a piece is another one."""
        if to not in self._pieces:
            raise NotationError(_("There is no such piece in this game."))
        self._change(name, lambda box: box.renamed(label, to))

    def remove(self, name: str, label: str) -> None:
        """Forget all drawings of a piece."""
        self._change(name, lambda box: box.without(label))

    def drop(self, name: str, label: str, index: int) -> None:
        """Forget one drawing of a piece."""
        self._change(name, lambda box: box.dropped(index, label))

    def unlearn(self, name: str, lesson: str) -> None:
        """Forget all drawings of the pieces of a lesson: other ones lay there."""
        labels = next((one.labels for one in self.sight.lessons if one.key == lesson), None)
        if labels is None:
            raise NotationError(_("There is no such piece in this game."))
        self._change(name, lambda box: box.only([label for label in box.known if label not in labels]))

    def title(self, name: str, title: str, first: str) -> None:
        """Call a box otherwise than all others; `first` is what the page calls the household's first one."""

        def titled(box: Box) -> Box:
            self._boxes.unlike(title, {self.game: first}, name)
            return box.titled(title)

        self._change(name, titled)

    def add(self, title: str, first: str) -> str:
        """A new box, empty, that photos are not read by yet."""
        return self._boxes.add(title, {self.game: first}, self.game)

    def use(self, name: str) -> None:
        """Read photos by this box from now on."""
        self._boxes.use(self.game, name)

    def discard(self, name: str) -> None:
        """Forget a box."""
        self._boxes.remove(name)
        self._taught = None

    def _change(self, name: str, done: Callable[[Box], Box]) -> None:
        def change(box: Box) -> Box:
            self._boxes.check(self.game, name)  # asked here, where nobody removes it at the same time
            return done(box)

        self._workbench.do(lambda: self._boxes.change(name, change, game=self.game))
        self._taught = None

    def _open(self, name: str) -> Box:
        with self._opening:
            now = name, self._boxes.stamp(name)
            if self._opened is None or self._opened[0] != now:
                self._opened = None  # two of them at a time would take twice as much
                self._opened = now, self._boxes.open(name)
            return self._opened[1]

    def _title(self, name: str) -> str:
        from companion.vision.gallery.box import BoxError

        try:
            return self._boxes.title(name)
        except BoxError:
            return ""

    def _alike(self, box: Box, known: tuple[str, int]) -> tuple[tuple[str, str], ...]:
        told = self._told
        if told[0] != known:
            try:
                pairs = self._workbench.do(lambda: tuple(box.alike(self.sight.kind)))
            except ModelError:  # told by whatever needs what is damaged; the box itself is well
                pairs = ()
            told = self._told = known, tuple((one, other) for one, other, _score in pairs)[:PAIRS_TOLD]
        return told[1]

    def _strange(self, box: Box, laid: LessonPhoto) -> tuple[str, ...]:
        """The pieces that would contradict what the box knows, once it has learned the photo."""
        from companion.photos.checks import contradicting_pieces

        def found(box: Box) -> set[str]:
            return {*contradicting_pieces(box.gallery(), self.sight)} if box.labels else set()

        new = tuple(zip(laid.lesson.labels, laid.squares, strict=True))
        odd = self._workbench.do(lambda: found(box.learned(new)) - found(box))
        return tuple(
            part[0]
            for label in self._pieces
            if (part := self.sight.part(label)) and part[1] == 0 and part[0] in odd
        )

    def _of(self, token: str) -> LessonPhoto:
        with self._lock:
            return self._known(token)

    def _known(self, token: str) -> LessonPhoto:
        self._tidy()
        if token not in self._laid:
            raise NotationError(GONE)
        return self._laid[token]

    def _tidy(self) -> None:
        now = self._clock()
        for token in [token for token, one in self._laid.items() if now - one.since > KEPT_S]:
            del self._laid[token]
        while len(self._laid) > MOST:
            self._laid.popitem(last=False)


def _same_pieces(learned: LessonPhoto, laid: LessonPhoto) -> bool:
    """Whether the pieces of another lesson, which have just been learned, lie there yet."""
    import numpy as np

    from companion.vision.gallery.box import TOO_ALIKE
    from companion.vision.gallery.squares import embed, network_crop

    if learned.lesson.key == laid.lesson.key or len(learned.squares) != len(laid.squares):
        return False
    one, other = (
        embed(np.stack([network_crop(square) for square in photo.squares])) for photo in (learned, laid)
    )
    return bool(((one * other).sum(axis=1) > TOO_ALIKE).all())


def _jpeg(picture: Pixels) -> bytes:
    from companion.vision.photo.annotate import to_jpeg

    return to_jpeg(picture)
