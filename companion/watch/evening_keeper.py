"""Keeps an evening while somebody wants it: what the watching loop sees, and what people do.

A picture is kept when something has changed, at most one a second while it moves, and when somebody does something.
Another thread packs and writes them, so that watching waits for no disk. Nothing ever leaves the data folder by itself.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from companion.core import notation
from companion.core.errors import CompanionError, StoreError
from companion.core.log import Filed, Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area
from companion.core.session import Session
from companion.sessions.json_lines import write_session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import entry_row
from companion.watch.evenings import (
    CALIBRATION,
    FILE,
    Deed,
    Did,
    EveningHead,
    EveningRepository,
    deed_row,
    head_row,
)
from companion.watch.state import WatchState

if TYPE_CHECKING:
    from companion.vision.live.eye import Eye, FrameReading
    from companion.watch.watcher import TableWatcher
    from hardware.camera import Pixels

MOVING_S, LOST_S = 1.0, 10.0
"""Between two pictures of a table on which something moves, and of one that is not found."""
LARGEST_EVENING = 2_000_000_000
"""Bytes of one folder."""
LEAST_FREE = 1_000_000_000
"""Bytes that are left free on the disk."""
MOST_PICTURES = 50_000
WAITING = 3
"""Pictures that wait to be written; a disk that is too slow loses those that come then."""
QUALITY = 90
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeepingState:
    """How the evening is being kept."""

    on: bool = False
    name: str = ""
    """The folder that is written now; empty before the first picture."""
    pictures: int = 0
    bytes: int = 0
    said: Message | None = None
    """Why keeping has stopped."""


class EveningKeeper:
    """Belongs to the watching loop, but for what pages ask of it; `calibration` is the folder of what was set there."""

    def __init__(
        self,
        evenings: EveningRepository,
        sessions: LiveSessions,
        watcher: TableWatcher,
        calibration: Path,
        ignore: Callable[[], Sequence[Area]] = tuple,
        still_s: float = 0.8,
        rest_s: float = 4.0,
    ) -> None:
        self.evenings = evenings
        self._sessions, self._watcher, self._calibration = sessions, watcher, calibration
        self._ignore, self._still_s, self._rest_s = ignore, still_s, rest_s
        self._wanted = False
        self._said: Message | None = None
        self._deeds: deque[tuple[float, Deed]] = deque()
        self._writer: EveningWriter | None = None
        self._of: tuple[object, ...] = ()
        """What the folder is about: another session or another calibration has another folder."""
        self._began = self._last = 0.0
        self._seq = 0
        self._settled = False
        watcher.heard = self._heard

    # -- from any thread ----------------------------------------------------------------------------------------

    @property
    def state(self) -> KeepingState:
        writer = self._writer
        state = writer.state if writer else KeepingState()
        return replace(state, on=self._wanted, said=self._said)

    @property
    def free(self) -> int:
        """Bytes that are free for evenings."""
        place = next(one for one in (self.evenings.folder, *self.evenings.folder.parents) if one.is_dir())
        return max(0, shutil.disk_usage(place).free - LEAST_FREE)

    def keep(self, on: bool) -> None:
        """Keep what is seen from now on, or stop; StoreError when there is no room."""
        if on and not self.free:
            raise StoreError(_full())
        self._wanted, self._said = on, None

    def delete(self, name: str) -> None:
        """Delete an evening that is not being written."""
        if self._wanted and name == self.state.name:
            raise StoreError(_("These pictures are being kept just now: stop that first."))
        self.evenings.delete(name)

    def _heard(self, deed: Deed, time: float) -> None:
        if self._wanted:
            self._deeds.append((time, deed))

    # -- the loop's thread --------------------------------------------------------------------------------------

    def see(self, glance: FrameReading, eye: Eye) -> None:
        """Keep what is worth it of a frame that was looked at."""
        try:
            self._see(glance, eye)
        except (OSError, CompanionError) as error:
            self._stop(_cannot(error))
        except Exception as error:
            # Whatever keeping does, watching goes on.
            log.exception("the evening could not be kept")
            self._stop(_cannot(error))

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer:
            writer.close()

    def _see(self, glance: FrameReading, eye: Eye) -> None:
        deeds = [self._deeds.popleft() for _each in range(len(self._deeds))]
        watch = self._watcher.watch
        session = self._sessions.session(watch.session) if self._wanted and watch.session else None
        if self._writer and self._writer.trouble:
            self._stop(self._writer.trouble)
        elif session is None or (session.turn.over and not self._writer):
            self.close()
        else:
            self._take(session, watch, glance, eye, deeds)
            if session.turn.over:
                self.close()

    def _take(
        self,
        session: Session,
        watch: WatchState,
        glance: FrameReading,
        eye: Eye,
        deeds: Sequence[tuple[float, Deed]],
    ) -> None:
        now = glance.frame.time
        about = (session.id, id(eye.empty), eye.mat, self._calibrated)
        if self._writer is None or self._of != about:
            self._begin(session, watch, eye, now)
            self._of = about
            deeds = ()
        told = [(max(0.0, time - self._began), deed_row(deed)) for time, deed in deeds]
        told += [(now - self._began, row) for row in self._entries(session)]
        time = self._due(glance, bool(deeds))
        self._tell(row for row in told if time is None or row[0] < time)
        if time is not None:
            assert self._writer
            if self._writer.picture(glance.frame.pixels, time):
                self._last = time
            else:
                self._settled = False  # the next look tries again
            self._tell(row for row in told if row[0] >= time)

    def _tell(self, rows: Iterable[tuple[float, dict[str, Any]]]) -> None:
        for time, row in rows:
            assert self._writer
            self._writer.row({"time": round(time, 3), **row})

    def _due(self, glance: FrameReading, acted: bool) -> float | None:
        """Since when the table has looked as in this picture, if it is worth keeping."""
        now = glance.frame.time - self._began
        before, self._settled = self._settled, glance.settled
        if self._writer and not self._writer.pictures:
            return max(0.0, now)
        if glance.settled and not before:
            since = now - self._still_s
            return since if self._last < since else None
        apart = LOST_S if glance.picture is None else MOVING_S
        return now if acted or (not glance.settled and now - self._last >= apart) else None

    def _entries(self, session: Session) -> list[dict[str, Any]]:
        """What the log has got since the last picture; what was tapped in by hand is a deed as well."""
        fresh = [entry for entry in session.entries if entry.seq > self._seq]
        self._seq = session.seq
        found = list[dict[str, Any]]()
        for entry in fresh:
            of_itself = entry.source is Source.HOUSE or isinstance(entry.event, Filed)
            if not self._watcher.recorded(entry.seq) and not of_itself:
                line = notation.write_entry(session.game, entry.event)
                found.append(deed_row(Deed(Did.RECORD, events=(line,))))
            found.append({"entry": entry_row(session.game, entry)})
        return found

    def _begin(self, session: Session, watch: WatchState, eye: Eye, now: float) -> None:
        # Imported here: it needs OpenCV, and pages know this module.
        from calibration.storage import load_calibration, save_calibration

        self.close()
        if not self.free:
            raise StoreError(_full())
        head = EveningHead(
            session.id,
            session.game.key,
            tuple(write_session(session)),
            watch.alone,
            self._still_s,
            self._rest_s,
            tuple(
                (area.x - area.width / 2, area.y - area.height / 2, area.width, area.height)
                for area in self._ignore()
            ),
        )
        folder = self.evenings.fresh(datetime.now().astimezone().date().isoformat(), session.id)
        save_calibration(folder, replace(load_calibration(self._calibration)[0], empty=eye.empty))
        self._began, self._last, self._seq, self._settled = now, 0.0, session.seq, False
        self._writer = EveningWriter(folder, lambda: self.free)
        self._writer.row(head_row(head))

    @property
    def _calibrated(self) -> int:
        """When the camera was set up last."""
        try:
            return (self._calibration / CALIBRATION).stat().st_mtime_ns
        except OSError:
            return 0

    def _stop(self, reason: Message) -> None:
        """Keep no more, and say why."""
        log.warning("%s", reason)
        self._wanted, self._said = False, reason
        self.close()


def _full() -> Message:
    return _(
        "The disk is nearly full: no more pictures are kept. Download evenings that you want, and delete them here."
    )


def _cannot(error: Exception) -> Message:
    if isinstance(error, CompanionError):
        return error.message
    reason = error.strerror if isinstance(error, OSError) else None
    return _(
        "The pictures cannot be kept: %(reason)s. Nothing else is lost.",
        reason=reason or type(error).__name__,
    )


class EveningWriter:
    """Writes one folder, one thing after the other, in a thread of its own."""

    def __init__(self, folder: Path, free: Callable[[], int]) -> None:
        self._folder, self._free = folder, free
        self._work = ThreadPoolExecutor(1, thread_name_prefix="evening")
        self._room = BoundedSemaphore(WAITING)
        self._file = (folder / FILE).open("ab")
        self.pictures = 0
        """Handed over to be written."""
        self.trouble: Message | None = None
        """Why nothing more is written."""
        self.state = KeepingState(
            name=folder.name, bytes=sum(path.stat().st_size for path in folder.iterdir())
        )

    def picture(self, pixels: Pixels, time: float) -> bool:
        """Keep a picture that is shown from that time on; False where the disk is too slow for it."""
        if not self._room.acquire(blocking=False):
            return False
        self.pictures += 1
        self._work.submit(self._try, partial(self._picture, pixels, f"{self.pictures:06d}.jpg", time), True)
        return True

    def row(self, row: Mapping[str, Any]) -> None:
        self._work.submit(self._try, partial(self._row, row))

    def close(self) -> None:
        """Once everything is written."""
        self._work.shutdown()
        self._file.close()

    def _try(self, write: Callable[[], object], room: bool = False) -> None:
        try:
            if not self.trouble:
                write()
        except Exception as error:
            log.debug("the evening could not be written", exc_info=True)
            self.trouble = _cannot(error)
        finally:
            if room:
                self._room.release()

    def _picture(self, pixels: Pixels, name: str, time: float) -> None:
        data = _packed(pixels)
        state = self.state
        if state.bytes + len(data) > LARGEST_EVENING or state.pictures >= MOST_PICTURES:
            self.trouble = _("This evening has become very large: no more pictures of it are kept.")
        elif self._free() < len(data):
            self.trouble = _full()
        else:
            path = self._folder / name
            new = path.with_name(f"{name}.new")
            with new.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
            self.state = replace(state, pictures=state.pictures + 1, bytes=state.bytes + len(data))
            self._row({"time": round(time, 3), "frame": name})

    def _row(self, row: Mapping[str, Any]) -> None:
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self.state = replace(self.state, bytes=self.state.bytes + len(line))


def _packed(pixels: Pixels) -> bytes:
    # Imported here: a companion without a camera never needs it.
    import cv2

    done, encoded = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    if not done:
        raise OSError(None, "no JPEG")
    return encoded.tobytes()
