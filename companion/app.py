"""Puts the house together: settings, log, sessions, camera, panel, virtual table, page and server.

The only module that knows them all.

What needs OpenCV or a camera is imported inside the functions that open it: without a camera the page starts
without either.
"""

from __future__ import annotations

import errno
import functools
import io
import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Lock, Timer
from time import monotonic, sleep
from typing import TYPE_CHECKING

import segno

from companion.core.devices import Lamps
from companion.core.errors import CompanionError, PanelError, StoreError
from companion.core.game import AnyGame
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Face
from companion.core.photo import face_of
from companion.core.session import Session
from companion.games import GAMES
from companion.household.chosen_camera import with_chosen_camera
from companion.household.languages import at_terminal, catalogue, terminal_language
from companion.household.logging import begin_logging
from companion.household.secrets import load_secrets
from companion.household.settings import CameraSettings, LoadedSettings, Settings
from companion.photos.service import PhotoService
from companion.photos.teaching import BoxService
from companion.photos.worker import PictureWorker
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.camera_chooser import CameraChooser
from companion.watch.camera_requests import CalibrationRequests
from companion.watch.evening_keeper import EveningKeeper
from companion.watch.evenings import EveningRepository
from companion.watch.loop import WatchLoop
from companion.watch.watcher import TableWatcher
from companion.web import House, create_app
from companion.web.access import REQUEST_LIMIT
from companion.web.context import PageCache, StreamLimiter
from companion.web.errors import trouble_page
from companion.web.rate_limiter import PinRateLimiter

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from waitress.server import BaseWSGIServer, MultiSocketServer

    from calibration.plane import Pixels
    from companion.virtual.art import Art
    from companion.virtual.faults import Disturbances
    from companion.virtual.mock_pins import CallLater, MockPins
    from companion.virtual.table import VirtualTable
    from companion.vision.gallery.box import BoxRepository
    from companion.vision.gallery.known import KnownPieces
    from companion.vision.live.eye import Eye
    from companion.vision.table.calibrator import Calibrator
    from hardware.camera import Camera
    from hardware.panel import Panel

    Server = BaseWSGIServer | MultiSocketServer


EVENINGS = "evenings"
"""The folder of evenings, in the data folder."""
FACE_PX_PER_MM = 3.0
"""How finely the faces are drawn that the eye compares with."""


@dataclass
class Rig:
    """Everything between the table and the log."""

    watcher: TableWatcher
    aimer: CalibrationRequests
    loop: WatchLoop
    panel: Panel | None = None
    pins: MockPins | None = None
    """The pins the panel is on, where they are mock ones."""
    virtual: VirtualTable | None = None
    keeper: EveningKeeper | None = None
    """Keeps an evening's pictures, where there is a folder for them."""
    notices: tuple[Message, ...] = ()
    """What could not be reached, and what to do."""

    def start(self) -> None:
        if self.panel:
            self.panel.start()
        self.loop.start()

    def close(self) -> None:
        """Leave no thread, no lit lamp and no camera behind."""
        for part in (self.virtual, self.loop, self.panel, self.pins):
            if part:
                part.close()


@dataclass(frozen=True)
class Clock:
    """The clock everything goes by; tests have one that waits for nobody."""

    clock: Callable[[], float] = monotonic
    sleep: Callable[[float], None] = sleep
    later: CallLater | None = None
    """Does something after so many seconds; None for a thread that does."""
    threaded: bool = True
    """Whether the hand of the virtual table has a thread of its own, or is stepped."""
    pace: float = 0.2
    """Seconds between two frames of the virtual camera."""


def open_rig(
    settings: Settings,
    sessions: LiveSessions,
    virtual: bool = False,
    time: Clock | None = None,
    disturbances: Disturbances | None = None,
    art: Art | None = None,
) -> Rig:
    """The rig of these settings, or with `virtual` one that needs no hardware; CameraError without a camera."""
    from companion.vision.table.calibrator import Calibrator
    from hardware.pins import PIN_MAP_FILE, load_pin_map

    time = time or Clock()
    virtual = virtual or settings.camera.source == "virtual"
    board = load_pin_map(Path(settings.panel.board).expanduser() if settings.panel.board else PIN_MAP_FILE)
    if not settings.panel.buzzer:
        board = replace(board, buzzer=None)
    pins, desk = None, None
    if virtual or settings.panel.pins == "mock":
        from companion.virtual.mock_pins import MockPins

        pins = MockPins(board, later=time.later)
    if virtual and pins:
        desk = _virtual_table(settings, pins, time, disturbances, art)
        camera: Camera = desk.camera
    else:
        from hardware.sources import open_camera

        chosen = settings.camera
        camera = open_camera(chosen.source, chosen.place, (chosen.width, chosen.height))
    rig: Rig

    def show(lamps: Lamps) -> None:
        if rig.panel:
            rig.panel.show(lamps)

    def beep() -> None:
        if rig.panel:
            rig.panel.beep()

    def watched() -> Session | None:
        id = watcher.watch.session
        return sessions.session(id) if id else None

    kept = settings.data_folder / "virtual" if desk else settings.data_folder
    aiming = Calibrator(kept)
    pieces = PieceSource(settings.data_folder)
    rig = watch_through(camera, sessions, settings.camera, aiming, pieces, desk, show, beep)
    watcher, rig.pins = rig.watcher, pins
    rig.keeper = rig.loop.keeper = EveningKeeper(
        EveningRepository(settings.data_folder / EVENINGS),
        sessions,
        watcher,
        kept,
        functools.partial(_ours, settings.camera, desk),
        settings.camera.still_s,
        settings.camera.rest_s,
    )
    if aiming.trouble:
        rig.notices = (aiming.trouble,)
    if desk:
        watcher.followed = functools.partial(_set_out, desk)
        desk.watched = watched
    if pins or settings.panel.pins != "none":
        from hardware.panel import Panel

        try:
            factory = pins.factory if pins else None
            rig.panel = Panel(board, factory, watcher.press, watcher.trouble, time.clock)
        except PanelError as error:
            rig.notices = (*rig.notices, error.message)
    return rig


def watch_through(
    camera: Camera,
    sessions: LiveSessions,
    chosen: CameraSettings,
    aiming: Calibrator,
    pieces: PieceSource,
    desk: VirtualTable | None = None,
    show: Callable[[Lamps], object] = lambda _lamps: None,
    beep: Callable[[], object] = lambda: None,
) -> Rig:
    """What looks at a table through this camera: the same above a table, on the virtual one and in a film."""
    watcher = TableWatcher(sessions, camera.name, show, chosen.record_alone, beep)
    aimer = CalibrationRequests(aiming)
    eye_for = functools.partial(_eye, chosen, desk, aiming, pieces)
    return Rig(watcher, aimer, WatchLoop(camera, eye_for, watcher, aimer, taught=pieces.stamp), virtual=desk)


def _virtual_table(
    settings: Settings, pins: MockPins, time: Clock, disturbances: Disturbances | None, art: Art | None
) -> VirtualTable:
    from companion.virtual.camera import SIZE
    from companion.virtual.faults import WELL_LIT, Disturbances
    from companion.virtual.table import VirtualTable

    sight = next(game.sight for game in GAMES.values() if game.sight)
    size = settings.camera.width, settings.camera.height
    return VirtualTable(
        sight,
        pins,
        disturbances=disturbances or Disturbances(on=WELL_LIT),
        size=size if all(size) and settings.camera.source == "virtual" else SIZE,
        clock=time.clock,
        sleep=time.sleep,
        threaded=time.threaded,
        pace=time.pace,
        art=art,
    )


def _set_out(desk: VirtualTable, session: Session) -> None:
    """People find their pieces on the virtual table."""
    if session.game.sight:
        start = session.game.start(session.setup)
        desk.set_out(session.game.sight, session.setup, session.position, start)


def _eye(
    camera: CameraSettings,
    desk: VirtualTable | None,
    aiming: Calibrator,
    pieces: PieceSource,
    game: AnyGame | None,
) -> Eye:
    """An eye that knows the pieces of this game; without one, only the table."""
    from companion.vision.gallery.known import known_pieces
    from companion.vision.live.eye import Eye

    known = pieces.known(game) if game else known_pieces(())
    eye = Eye(known, aiming.mat, camera.still_s, _ours(camera, desk), rest_s=camera.rest_s)
    if desk:
        eye.learn_empty(desk.empty())
    return eye


def _ours(camera: CameraSettings, desk: VirtualTable | None) -> list[Area]:
    """Where nothing is read; the virtual table's screens lie where the game that is set out leaves room for them."""
    said = [Area(x + w / 2, y + h / 2, w, h) for x, y, w, h in camera.ignore]
    return [*said, *(desk.ignore if desk else ())]


@dataclass(frozen=True)
class PieceSource:
    """Where what a camera knows of a game comes from: our drawings, what is shipped, and a household's box."""

    data: Path
    """The folder of the household's boxes."""
    box: str = ""
    """The box to read by; empty for the one that people chose."""

    def known(self, game: AnyGame) -> KnownPieces:
        """Every piece of this game: as we draw it, as the household taught it, as it is shipped."""
        from companion.vision.gallery.box import Box, BoxError
        from companion.vision.gallery.known import DrawnFace, known_pieces
        from companion.vision.gallery.squares import load_shipped
        from models.registry import is_shipped, network_of

        if game.sight is None:
            return known_pieces(())
        drawn = (DrawnFace(face, _rasterize(face, FACE_PX_PER_MM)) for face in game.sight.faces)
        taught = Box()
        try:
            taught = self._boxes.open(self._name(game))
        except BoxError as error:
            log.warning("pieces are read without the household's box: %s", error)
        shipped = load_shipped(game.key) if is_shipped(game.key) else None
        return known_pieces(drawn, face_of(game), taught.drawings, shipped, network_of(game.key))

    def stamp(self, game: AnyGame) -> object:
        """Something else whenever another box is used, or something was taught to it."""
        name = self._name(game)
        return name, self._boxes.stamp(name)

    def _name(self, game: AnyGame) -> str:
        return self.box or self._boxes.used(game.key)

    @functools.cached_property
    def _boxes(self) -> BoxRepository:
        from companion.vision.gallery.box import BoxRepository

        return BoxRepository(self.data)


WORKERS = 8
"""Threads for pages, besides one for each open stream."""

RECENT = 10
"""Sessions among which one may still be going on after a new start."""

log = logging.getLogger(__name__)


def page_addresses(port: int) -> list[str]:
    """Where other devices find the page: numbers, since names of the form `.local` fail on many phones."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # sends nothing: it only asks which of our addresses would be used
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    found = found or ["127.0.0.1"]
    return [f"http://{address}:{port}/" for address in dict.fromkeys(found)]


def page_names(settings: Settings) -> frozenset[str]:
    host = socket.gethostname().lower()
    return frozenset({"localhost", host, f"{host}.local", *(name.lower() for name in settings.web.names)})


def open_house(loaded: LoadedSettings, port: int) -> House:
    """Open the log and everything that stands on it, or StoreError."""
    settings = loaded.settings
    sessions = open_sessions(settings.store_url)
    # After the log: while that cannot be opened, nobody needs a PIN, nor words about it with every new try.
    keys = load_secrets(settings.data_folder, settings.web.pin)
    folder, workbench = settings.data_folder, PictureWorker() if find_spec("cv2") else None
    return House(
        sessions=sessions,
        doorkeeper=PinRateLimiter(keys.pin),
        secret=keys.secret,
        names=page_names(settings),
        addresses=page_addresses(port),
        notices=loaded.problems,
        language=settings.page.language,
        theme=settings.page.theme,
        listeners=settings.web.listeners,
        photos=PhotoService(folder, workbench=workbench, rasterize=_rasterize) if workbench else None,
        boxes=BoxService(folder, workbench=workbench) if workbench else None,
    )


def _rasterize(face: Face, px_per_mm: float) -> Pixels:
    from companion.virtual.rasterizer import rasterize

    return rasterize(face, px_per_mm)


def _furnished(
    house: House, said: Settings, reopen: Callable[[], None], demo: bool, game: str, art: Art | None
) -> tuple[House, Rig | None]:
    """The house with its rig, and with what chooses another camera; a demonstration keeps the virtual table."""
    if demo:
        return with_rig(house, said, demo, game, art)
    settings = with_chosen_camera(said)
    if find_spec("cv2"):
        house = replace(house, cameras=CameraChooser(settings, reopen))
    return with_rig(house, settings, demo, game, art)


def with_rig(
    house: House, settings: Settings, demo: bool, game: str = "", art: Art | None = None
) -> tuple[House, Rig | None]:
    """The house with the camera, the panel and, for a demonstration, the hand that plays on the virtual table."""
    if not demo and settings.camera.source == "none" and settings.panel.pins == "none":
        return house, None
    try:
        rig = open_rig(settings, house.sessions, virtual=demo, art=art)
    except CompanionError as error:
        log.warning(at_terminal(error.message))
        return replace(house, notices=(*house.notices, error.message)), None
    house = replace(
        house,
        watcher=rig.watcher,
        aimer=rig.aimer,
        virtual=rig.virtual,
        keeper=rig.keeper,
        notices=(*house.notices, *rig.notices),
    )
    if demo:
        house = _with_demonstration(house, rig, game)
    else:
        _resume(house.sessions, rig)
    rig.start()
    return house, rig


def _with_demonstration(house: House, rig: Rig, key: str) -> House:
    from companion.virtual.demonstration import Demonstration

    assert rig.virtual is not None
    words = catalogue(house.language or terminal_language())
    game = GAMES.get(key) or next(game for game in GAMES.values() if game.sight)
    demonstration = Demonstration(house.sessions, game, words, rig.watcher, rig.virtual)
    demonstration.start()
    return replace(house, demonstration=demonstration)


def _resume(sessions: LiveSessions, rig: Rig) -> None:
    """After a new start the camera looks at the game that was going on."""
    for listed in sessions.list(RECENT):
        try:
            session = sessions.session(listed.id)
        except CompanionError as error:
            log.debug("this session cannot be gone on with: %s", error)
            continue
        if session.game.sight and session.going:
            rig.watcher.follow(session.id)
            return


def open_sessions(url: str) -> LiveSessions:
    store = SessionRepository(url, GAMES)
    try:
        return LiveSessions(store)
    except StoreError:
        store.close()
        raise


class RetryingApplication:
    """The application a server runs: the page, or why there is none yet; it tries again with each visit."""

    def __init__(
        self,
        build: Callable[[], House],
        furnish: Callable[[House], tuple[House, Rig | None]] = lambda house: (house, None),
    ) -> None:
        self._build, self._furnish = build, furnish
        self._rig: Rig | None = None
        self._bare: House | None = None
        self._lock = Lock()
        self._page: WSGIApplication | None = None
        self.house: House | None = None
        self.trouble: CompanionError | None = None
        self.open()

    def open(self) -> None:
        with self._lock:
            if self._page:
                return
            try:
                house = self._build()
            except StoreError as error:
                if str(error) != str(self.trouble):
                    log.error(at_terminal(error.message))
                self.trouble = error
            else:
                self._bare = house
                self._move_in()

    def refurnish(self) -> None:
        """Open camera and panel anew, by the settings as they are now; log, sessions and tablets stay as they are."""
        with self._lock:
            if not self._bare or not self.house:
                return
            self._move_out()
            self.house.retired.set()
            self._move_in()
            self.house.sessions.news.nudge()  # open streams notice that they are of the house before

    def _move_in(self) -> None:
        assert self._bare
        # Whatever is remembered of the house before ends with it: open streams go by `retired`.
        fresh = replace(self._bare, retired=Event(), drawn=PageCache(), streams=StreamLimiter())
        try:
            self.house, self._rig = self._furnish(fresh)
        except CompanionError as error:
            # A page without a camera is better than none: everything can be tapped in.
            log.warning(at_terminal(error.message))
            self.house, self._rig = replace(fresh, notices=(*fresh.notices, error.message)), None
        self._page = create_app(self.house)

    def _move_out(self) -> None:
        if self.house and self.house.demonstration:
            self.house.demonstration.stop()
        if self._rig:
            self._rig.close()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if self._page is None:
            self.open()
        page = self._page or trouble_page(self.trouble)
        return page(environ, start_response)

    def close_streams(self) -> None:
        if self.house:
            self.house.sessions.news.close()

    def close(self) -> None:
        self._move_out()
        if self.house:
            self.house.sessions.close()


def serve(
    loaded: LoadedSettings,
    host: str | None = None,
    port: int | None = None,
    demo: bool = False,
    game: str = "",
    open_browser: bool = False,
    art: Art | None = None,
) -> int:
    """Run the page until somebody stops it; 0 when it was stopped, 1 when it could not start."""
    web = loaded.settings.web
    host, port = host or web.host, port or web.port
    begin_logging(loaded.settings.log.level, loaded.settings.data_folder)
    for problem in loaded.problems:
        log.warning(at_terminal(problem))
    door = RetryingApplication(
        functools.partial(open_house, loaded, port),
        lambda house: _furnished(house, loaded.settings, lambda: door.refurnish(), demo, game, art),
    )
    try:
        server = _server(door, host, port, web.listeners)
    except (OSError, ValueError) as error:  # a name that is no address is a ValueError
        door.close()
        print(at_terminal(_port_trouble(host, port, error)))
        return 1
    _welcome(door, port)
    if open_browser:
        Timer(0.5, webbrowser.open, (f"http://127.0.0.1:{port}/",)).start()

    def leave(_signal: int, _frame: object) -> None:
        # Open streams end first: the server would wait for them.
        door.close_streams()
        sys.exit(0)

    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, leave)
    try:
        server.run()
    finally:
        door.close()
    return 0


def _server(door: RetryingApplication, host: str, port: int, listeners: int) -> Server:
    # Imported here: nobody but a server needs it.
    from waitress.server import create_server

    return create_server(
        door,
        host=host,
        port=port,
        threads=listeners + WORKERS,
        connection_limit=4 * (listeners + WORKERS),
        channel_timeout=20,
        cleanup_interval=5,
        channel_request_lookahead=1,
        # More than we take, so that the page itself can say what was too large.
        max_request_body_size=64 * REQUEST_LIMIT,
        max_request_header_size=32 * 1024,
        asyncore_use_poll=True,
        ident="Table Companion",
        clear_untrusted_proxy_headers=False,
    )


def _port_trouble(host: str, port: int, error: OSError | ValueError) -> Message:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return _(
            "Port %(port)d is in use, perhaps by another companion."
            " Stop that one, or choose another: companion serve --port %(other)d, or make run PORT=%(other)d",
            port=port,
            other=port + 1,
        )
    return _(
        "The page cannot listen on %(host)s, port %(port)d: %(reason)s.",
        host=host,
        port=port,
        reason=str(error.strerror) if isinstance(error, OSError) else _("there is no such address"),
    )


def _welcome(door: RetryingApplication, port: int) -> None:
    """The address and a picture of it, where the trouble is shown if there is any; the PIN of an open house."""
    address = page_addresses(port)[0]
    picture = io.StringIO()
    segno.make(address, micro=False).terminal(picture, compact=True, border=2)
    print(picture.getvalue())
    print(at_terminal(_("On this computer:  %(address)s", address=f"http://127.0.0.1:{port}/")))
    print(at_terminal(_("Phones, tablets:   %(address)s", address=address)))
    if door.house:
        print(at_terminal(_("PIN to change the game: %(pin)s", pin=door.house.doorkeeper.pin)))
    print(at_terminal(_("Stop with Ctrl+C; nothing is lost.")))
