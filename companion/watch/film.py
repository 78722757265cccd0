"""Plays a film to the watching loop: every picture lies before the camera until the next one comes.

Time is the film's own: nobody sleeps, and what takes long to look at takes no time in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from companion.core import notation
from companion.core.devices import FoundBy
from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.session import Session
from companion.watch.camera_requests import CalibrationRequests
from companion.watch.loop import WatchLoop
from companion.watch.state import WatchState
from companion.watch.watcher import TableWatcher

if TYPE_CHECKING:
    from companion.core.devices import Pixel
    from hardware.camera import Pixels
    from hardware.film import FilmCamera, FilmPicture

LOOK_S = 0.2
"""Between two looks at a picture, as with a camera that hangs above a table."""
BUSY_S, LOOK_SELDOM_S = 3.0, 1.0
"""After so long nothing new is to be expected of a picture: looks are farther apart."""
LONG_S = 30.0
"""A picture that lies longer than this is looked at once more, at its end."""
FIRST = 10
"""Pictures in which the table has to be found."""


@dataclass(frozen=True)
class FilmDeed:
    """Something people did at the table while the film was taken, to be done again."""

    time: float
    """Seconds since the film began."""
    do: Callable[[], object]
    """Does it; CompanionError where the table is not as it was then."""


@dataclass(frozen=True)
class PictureSeen:
    """What one picture came to."""

    number: int
    name: str
    time: float
    watch: WatchState
    """What was read at last, before anything was recorded without a word."""
    recorded: tuple[str, ...] = ()
    """Entries in the game's notation."""
    ms: float = 0
    """Milliseconds that the longest look took, without unpacking the picture."""
    troubles: tuple[Message, ...] = ()
    """Why the picture could not be unpacked, or what could not be done again."""
    damaged: bool = False


@dataclass(frozen=True)
class TableShown:
    """What is said of a film's table; nothing where the pictures have to tell."""

    corners: Sequence[Pixel] = ()
    size: tuple[float, float] | None = None
    """Millimetres."""


def looks(begin: float, end: float) -> Iterator[float]:
    """When a picture is looked at that lies there from one moment to another; the last look is at its end."""
    time, step = begin, LOOK_S
    while time == begin or (time < end - step / 2 and time < begin + LONG_S):
        yield time
        step = LOOK_S if time - begin < BUSY_S else LOOK_SELDOM_S
        time += step
    if end - begin > LOOK_S:
        yield end


@dataclass
class FilmPlayer:
    """One film before one watching loop, with nobody else at its table."""

    camera: FilmCamera
    loop: WatchLoop
    watcher: TableWatcher
    aimer: CalibrationRequests
    session: Callable[[], Session]
    """The log as it is now."""
    table: TableShown = field(default_factory=TableShown)
    believing_s: float | None = None
    """What needs nobody's word is recorded of a picture that lies so long; None records nothing by itself."""
    _seen: int = field(default=0, init=False)
    """Pictures that were looked at."""
    _found: bool = field(default=False, init=False)
    _pixels: Pixels | None = field(default=None, init=False)

    def play(self, items: Iterable[FilmPicture | FilmDeed], last_s: float) -> Iterator[PictureSeen]:
        """What each picture comes to; the last one lies there for so long.

        NotationError as soon as it is clear that the table is in none of the first pictures.
        """
        number = 0
        part: list[FilmPicture | FilmDeed] = []
        for item in items:
            if not isinstance(item, FilmDeed):
                if number:
                    yield self._picture(number, part, item.time)
                    self._require_table(self._seen >= FIRST)
                    part = []
                number += 1
            part.append(item)
        if number:
            yield self._picture(number, part, part[-1].time + last_s)
        self._require_table(self._seen > 0)

    def _picture(self, number: int, part: Sequence[FilmPicture | FilmDeed], end: float) -> PictureSeen:
        """One picture, and what was done while it lay there."""
        before, name, damaged, ms = self.session().seq, "", False, 0.0
        troubles = list[Message]()
        for item, until in zip(part, [*(one.time for one in part[1:]), end], strict=True):
            try:
                if isinstance(item, FilmDeed):
                    item.do()
                else:
                    name = item.name
                    pixels = item.open()
            except CompanionError as error:
                troubles.append(error.message)
                damaged |= not isinstance(item, FilmDeed)
            else:
                if not isinstance(item, FilmDeed):
                    self._lay(pixels, item.time)
            ms = max(ms, self._look(item.time, until)) if self._seen else 0.0
        watch, lay_s = self.watcher.watch, end - part[0].time
        if self.believing_s is not None and lay_s >= self.believing_s and not damaged:
            self.watcher.record_believed()
        after = self.session()
        recorded = [notation.write_entry(after.game, entry.event) for entry in after.entries[before:]]
        return PictureSeen(number, name, part[0].time, watch, tuple(recorded), ms, tuple(troubles), damaged)

    def _lay(self, pixels: Pixels, time: float) -> None:
        self.camera.lay(pixels, time)
        self._pixels = pixels
        if not self._seen:
            if self.table.size:
                self.aimer.set_size(*self.table.size)
            if self.table.corners:
                self.aimer.set_corners(self.table.corners, (pixels.shape[1], pixels.shape[0]))
        self._seen += 1

    def _look(self, begin: float, end: float) -> float:
        """Look at what lies there, again and again; the milliseconds of the longest look."""
        longest = 0.0
        for time in looks(begin, end):
            self.camera.time = time
            if not self._found:
                self.aimer.attend()  # only then do the markers tell how large the table is
            began = perf_counter()
            self.loop.step()
            longest = max(longest, (perf_counter() - began) * 1e3)
            self._found = self._found or self._finds()
            if not self._found and time == begin and self._pixels is not None:
                self._show_outline(self._pixels)
        return longest

    def _show_outline(self, pixels: Pixels) -> None:
        """Without markers, take the table to be what looks like one; the next look tells whether it can be."""
        # Imported here, since it needs OpenCV.
        from calibration.mat import Mat
        from calibration.outline import find_outline

        corners = find_outline(pixels, Mat(*self.aimer.aim.table))
        if corners:
            with suppress(NotationError):
                self.aimer.set_corners(corners, (pixels.shape[1], pixels.shape[0]))

    def _finds(self) -> bool:
        """Whether the table is found; where nobody says how large it is, its markers do."""
        aim = self.aimer.aim
        if aim.measured and not self.table.size:
            self.aimer.set_size(*aim.measured)
        return aim.found is not FoundBy.NOTHING

    def _require_table(self, asked: bool) -> None:
        if asked and not self._found:
            raise NotationError(
                _(
                    "The table is not found: neither its markers nor all of its outline are in the first"
                    " %(count)d pictures. Show its corners in pixels, clockwise from the upper left:"
                    " --corners X,Y X,Y X,Y X,Y",
                    count=self._seen,
                )
            )
