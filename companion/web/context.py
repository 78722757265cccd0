"""What every view needs: the house it stands in, and the language of the person looking."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from flask import current_app, g, request

from companion.core.message import BilingualCatalogue, Message, Translator
from companion.core.session import Session
from companion.household.languages import LANGUAGES, best_language, catalogue
from companion.sessions.live import LiveSessions
from companion.virtual.faults import VirtualTableControl
from companion.watch.state import Aimer, Watcher
from companion.web.rate_limiter import PinRateLimiter

DRAWN_PAGES = 32
THEMES = ("auto", "light", "evening")


class DemonstrationProtocol(Protocol):
    """A game that plays itself until somebody takes over."""

    @property
    def session(self) -> str:
        """The session it plays, empty once it has stopped."""
        ...

    def played(self, session: str) -> bool:
        """Whether it plays that session, or has just finished it."""
        ...

    def stop(self) -> None: ...

    def begin_again(self) -> str:
        """Play another game once it has stopped; the answer is the session it plays."""
        ...


class PhotoDeskProtocol(Protocol):
    """Where photos of what people laid are read, and kept until they are recorded."""

    def reads(self, session: Session) -> bool:
        """Whether photos of this table can be read."""
        ...

    def put(self, session: str, sent: Callable[[], bytes]) -> str:
        """Take a photo when it is its turn, read it and keep it under the name that is returned."""
        ...

    def place(self, session: str, token: str, corners: Sequence[tuple[float, float]]) -> str:
        """Read a photo again, between corners that somebody showed; what it is called now."""
        ...

    def now(self, session: str, token: str) -> str:
        """What a photo is called since it was read last."""
        ...

    def latest(self, session: str) -> str:
        """The photo that somebody left without recording all of it; empty where there is none."""
        ...

    def kingdoms(self, session: str, token: str) -> Sequence[Any]:
        """Those of a photo that shows several, before somebody has chosen one of them; else none."""
        ...

    def done(self, session: str, token: str, player: int) -> str:
        """What was read is recorded; the photo's name where it shows more, else it is forgotten."""
        ...

    def trouble(self, session: str, token: str) -> Message | None:
        """What the photo could not be read by."""
        ...

    def picture(self, session: str, token: str) -> bytes: ...

    def size(self, session: str, token: str) -> tuple[int, int]: ...

    def corners(self, session: str, token: str) -> Sequence[tuple[float, float]]:
        """Those of what was found, clockwise from the upper left."""
        ...

    def view(self, session: Session, token: str, player: int, fixes: str, at: str) -> Any:
        """What the game's template draws; None when nothing was found."""
        ...

    def learn(self, session: str, token: str, fixes: str) -> int: ...

    def forget(self, session: str, token: str) -> None: ...


class BoxDeskProtocol(Protocol):
    """Where people teach the companion the pieces of their own box."""

    @property
    def game(self) -> str: ...

    @property
    def used(self) -> str:
        """The box that photos are read by."""
        ...

    @property
    def longest(self) -> int:
        """Pixels of the longer side of a photo that are looked at."""
        ...

    def view(self, name: str, lesson: str, token: str) -> Any:
        """What the game's template draws of a box."""
        ...

    def unopened(self, name: str) -> Any:
        """What it draws of one that cannot be opened."""
        ...

    def put(self, lesson: str, sent: Callable[[], bytes]) -> str:
        """Take a photo when it is its turn, look at it and keep it under the name that is returned."""
        ...

    def judged(self, lesson: str, sent: Callable[[], bytes]) -> Any:
        """What is wrong with a picture, kept by nobody."""
        ...

    def turn(self, token: str) -> None: ...

    def learn(self, name: str, token: str) -> int: ...

    def forget(self, token: str) -> None: ...

    def square(self, token: str, index: int) -> bytes | None: ...

    def drawing(self, name: str, index: int) -> bytes | None: ...

    def rename(self, name: str, label: str, to: str) -> None: ...

    def remove(self, name: str, label: str) -> None: ...

    def drop(self, name: str, label: str, index: int) -> None: ...

    def unlearn(self, name: str, lesson: str) -> None: ...

    def title(self, name: str, title: str, first: str) -> None:
        """Call a box otherwise than all others; `first` is what the page calls the household's first one."""
        ...

    def add(self, title: str, first: str) -> str: ...

    def use(self, name: str) -> None: ...

    def discard(self, name: str) -> None: ...


class PageCache:
    """The pages drawn last, kept for the others who want the very same one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, draw: Callable[[], Any]) -> Any:
        with self._lock:
            if key not in self._pages:
                self._pages[key] = draw()
            while len(self._pages) > DRAWN_PAGES:
                self._pages.popitem(last=False)
            return self._pages[key]


class FirstHeard:
    """Remembers since when the newest of something has been known: a bump of the camera, by how far it went."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._lock = Lock()
        self._newest: tuple[Hashable, float] = ("", 0.0)

    def age(self, news: Hashable) -> float:
        """Seconds since this came up."""
        with self._lock:
            if self._newest[0] != news:
                self._newest = news, self.clock()
            return self.clock() - self._newest[1]


class StreamLimiter:
    """Counts open streams: each keeps one of the server's threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.count = 0

    def enter(self, most: int) -> bool:
        with self._lock:
            if self.count >= most:
                return False
            self.count += 1
            return True

    def leave(self) -> None:
        with self._lock:
            self.count -= 1


@dataclass(frozen=True)
class House:
    """Everything the page is about, put together by `companion.app`."""

    table: LiveSessions
    doorkeeper: PinRateLimiter
    secret: bytes
    names: frozenset[str] = frozenset({"localhost"})
    """Names the page may be called by, besides plain addresses."""
    addresses: Sequence[str] = ()
    """Where tablets and phones find the page, the best first."""
    notices: tuple[Message, ...] = ()
    """What is wrong with the settings, for the host to read."""
    language: str = ""
    theme: str = "auto"
    listeners: int = 128
    demonstration: DemonstrationProtocol | None = None
    watcher: Watcher | None = None
    """Looks at the table through a camera, where there is one."""
    aimer: Aimer | None = None
    """Sets up that camera."""
    virtual: VirtualTableControl | None = None
    """The table that needs no hardware, where it stands in for one."""
    photos: PhotoDeskProtocol | None = None
    """Reads photos that people take themselves."""
    boxes: BoxDeskProtocol | None = None
    """Where boxes are taught."""
    heard: FirstHeard = field(default_factory=FirstHeard)
    drawn: PageCache = field(default_factory=PageCache)
    streams: StreamLimiter = field(default_factory=StreamLimiter)

    @property
    def pin_mark(self) -> str:
        """What a device keeps instead of the PIN; another PIN makes it worthless."""
        return sha256(self.secret + self.doorkeeper.pin.encode()).hexdigest()[:32]


def house() -> House:
    found: House = current_app.extensions["companion"]
    return found


def language() -> str:
    """The language somebody chose, else the browser's, else the settings', else English."""
    if "language" not in g:
        chosen = request.cookies.get("language", "")
        wishes = [tag for tag, _quality in request.accept_languages]
        g.language = chosen if chosen in LANGUAGES else best_language(wishes, house().language or "en")
    found: str = g.language
    return found


def printed_language() -> str:
    """The language of the boxes on this table, where somebody chose one; empty: that of the page."""
    chosen = request.cookies.get("printed", "")
    return chosen if chosen in LANGUAGES else ""


def translator() -> Translator:
    spoken = catalogue(language())
    return BilingualCatalogue(spoken, printed_language()) if printed_language() else spoken


def say(message: Message | str) -> str:
    return message.say(translator()) if isinstance(message, Message) else message


def theme() -> str:
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else house().theme
