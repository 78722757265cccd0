"""Where pictures are unpacked, read and learned: one at a time, and what that took of memory is handed back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar

from companion.core.errors import BusyError
from companion.core.message import message as _

MOST_WAITING = 8
"""Photos that are read or wait to be; of a photo that waits nothing is in memory yet."""
LARGE = 1 << 20
"""Bytes of a block that is handed back as soon as nobody needs it any more."""
# What glibc calls these settings in malloc.h.
_TRIM_ABOVE, _LARGE, _ARENAS = -1, -3, -8
T = TypeVar("T")


class PictureWorker:
    """Lets one after the other work on pictures, and sends away whose turn would be too long in coming."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._free, self._turn = BoundedSemaphore(most), Lock()
        _keep_little()

    def do(self, work: Callable[[], T]) -> T:
        """Work as soon as it is one's turn."""
        with self._turn:
            try:
                return work()
            finally:
                _hand_back()

    def do_soon(self, work: Callable[[], T]) -> T:
        """The same, or BusyError where too many wait already."""
        if not self._free.acquire(blocking=False):
            raise BusyError(_("The companion is reading other photos just now: try again in a few seconds."))
        try:
            return self.do(work)
        finally:
            self._free.release()


def _keep_little() -> None:
    """Ask the system's memory for what pictures need: one pool for all threads, large blocks outside of it."""
    if set_to := _known("mallopt"):
        for setting, value in ((_ARENAS, 1), (_LARGE, LARGE), (_TRIM_ABOVE, LARGE)):
            set_to(setting, value)


def _hand_back() -> None:
    if trim := _known("malloc_trim"):
        trim(0)


def _known(name: str) -> Any:
    """A function of the C library, where it has one of that name: glibc does, others need none."""
    try:
        return getattr(ctypes.CDLL(None), name, None)
    except (OSError, TypeError):  # Windows has no library without a name
        return None
