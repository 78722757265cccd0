"""Where photos lie until their kingdoms are recorded: so many for each table, none of them for long."""

from __future__ import annotations

import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from companion.core.errors import NotationError, StaleSession
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.sight.photographed import KingdomReading

if TYPE_CHECKING:
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
