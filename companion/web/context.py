"""What every view needs: the house it stands in, and the language of the person looking."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from flask import abort, current_app, g, request

from companion.core.game import COLOUR_NAMES, Colour, Player, name_key
from companion.core.message import BilingualCatalogue, Message, Translator
from companion.household.languages import LANGUAGES, best_language, catalogue
from companion.sessions.live import LiveSessions
from companion.web.rate_limiter import PinRateLimiter

if TYPE_CHECKING:
    from companion.photos.service import PhotoService
    from companion.photos.teaching import BoxService
    from companion.virtual.demonstration import Demonstration
    from companion.virtual.table import VirtualTable
    from companion.watch.camera_chooser import CameraChooser
    from companion.watch.camera_requests import CalibrationRequests
    from companion.watch.evening_keeper import EveningKeeper
    from companion.watch.watcher import TableWatcher

Part = TypeVar("Part")

DRAWN_PAGES = 32
THEMES = ("auto", "light", "evening")


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

    sessions: LiveSessions
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
    demonstration: Demonstration | None = None
    watcher: TableWatcher | None = None
    """Looks at the table through a camera, where there is one."""
    aimer: CalibrationRequests | None = None
    """Sets up that camera."""
    cameras: CameraChooser | None = None
    """Chooses another camera."""
    keeper: EveningKeeper | None = None
    """Keeps the pictures of an evening."""
    virtual: VirtualTable | None = None
    """The table that needs no hardware, where it stands in for one."""
    photos: PhotoService | None = None
    """Reads photos that people take themselves."""
    boxes: BoxService | None = None
    """Where boxes are taught."""
    heard: FirstHeard = field(default_factory=FirstHeard)
    drawn: PageCache = field(default_factory=PageCache)
    streams: StreamLimiter = field(default_factory=StreamLimiter)
    retired: Event = field(default_factory=Event)
    """Set once another house, with another camera, has taken its place."""

    @property
    def pin_mark(self) -> str:
        """What a device keeps instead of the PIN; another PIN makes it worthless."""
        return sha256(self.secret + self.doorkeeper.pin.encode()).hexdigest()[:32]


def existing(part: Part | None) -> Part:
    """A part that this house has, or what a view found; the answer is 404 where there is none."""
    if part is None:
        abort(404)
    return part


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


@cache
def _colour_keys(colour: Colour) -> frozenset[str]:
    return frozenset(name_key(COLOUR_NAMES[colour].say(catalogue(code))) for code in LANGUAGES)


def nameless(player: Player) -> bool:
    """Whether somebody goes by their own colour, in whatever language that was written."""
    return name_key(player.name) in _colour_keys(player.colour)


def theme() -> str:
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else house().theme
