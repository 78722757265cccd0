"""What stands beside a table: camera, eye, panel and watcher, put together from the settings."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from companion.core.errors import PanelError
from companion.core.game import AnyGame
from companion.core.message import Message
from companion.core.observation import Area
from companion.core.panel import Lamps
from companion.core.session import Session
from companion.core.tinted import Tinted, tinted_pieces
from companion.games import GAMES
from companion.household.settings import Settings
from companion.sessions.table import LiveSessions
from companion.watch.aimer import CalibrationRequests
from companion.watch.loop import LookingEye, WatchLoop
from companion.watch.watcher import TableWatcher

if TYPE_CHECKING:
    from companion.virtual.disturbances import Disturbances
    from companion.virtual.pins import CallLater, MockPins
    from companion.virtual.table import VirtualTable
    from companion.vision.live.triangles import TriangleReader
    from companion.vision.table.aiming import Calibrator
    from hardware.board import PinMap
    from hardware.camera import Camera
    from hardware.panel import Panel

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
    table: LiveSessions,
    virtual: bool = False,
    time: Clock | None = None,
    disturbances: Disturbances | None = None,
) -> Rig:
    """The rig of these settings, or with `virtual` one that needs no hardware; CameraError without a camera."""
    time = time or Clock()
    virtual = virtual or settings.camera.source == "virtual"
    pins_of = "mock" if virtual else settings.panel.pins
    board = _board(settings)
    pins = _mock_pins(board, time) if pins_of == "mock" else None
    desk = _virtual_table(settings, pins, time, disturbances) if virtual and pins else None
    camera = desk.camera if desk else _camera(settings)
    ignore = [Area(x + w / 2, y + h / 2, w, h) for x, y, w, h in settings.camera.ignore]
    rig: Rig

    def show(lamps: Lamps) -> None:
        if rig.panel:
            rig.panel.show(lamps)

    def beep() -> None:
        if rig.panel:
            rig.panel.beep()

    watcher = TableWatcher(table, camera.name, show, settings.camera.record_alone, beep)
    aiming = _aiming(settings.data_folder / "virtual" if desk else settings.data_folder)
    aimer = CalibrationRequests(aiming)
    eye_for = functools.partial(_eye, settings, ignore, desk, aiming)
    rig = Rig(watcher, aimer, WatchLoop(camera, eye_for, watcher, aimer), pins=pins, virtual=desk)
    if aiming.trouble:
        rig.notices = (aiming.trouble,)
    if desk:
        watcher.followed = functools.partial(_set_out, desk)
        desk.watched = functools.partial(_watched, table, watcher)
    if pins_of != "none":
        _add_panel(rig, board, time)
    return rig


def _board(settings: Settings) -> PinMap:
    from hardware.board import PIN_MAP_FILE, load_pin_map

    chosen = settings.panel.board
    board = load_pin_map(Path(chosen).expanduser() if chosen else PIN_MAP_FILE)
    return board if settings.panel.buzzer else replace(board, buzzer=None)


def _mock_pins(board: PinMap, time: Clock) -> MockPins:
    from companion.virtual.pins import MockPins

    return MockPins(board, later=time.later)


def _virtual_table(
    settings: Settings, pins: MockPins, time: Clock, disturbances: Disturbances | None
) -> VirtualTable:
    from companion.virtual.camera import SIZE
    from companion.virtual.disturbances import WELL_LIT, Disturbances
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
    )


def _set_out(desk: VirtualTable, session: Session) -> None:
    """People find their pieces on the virtual table."""
    if session.game.sight:
        start = session.game.start(session.setup)
        desk.set_out(session.game.sight, session.setup, session.position, start)


def _watched(table: LiveSessions, watcher: TableWatcher) -> Session | None:
    """What is played on the virtual table."""
    session = watcher.watch.session
    return table.session(session) if session else None


def _camera(settings: Settings) -> Camera:
    # Imported here: only a companion with a camera needs one.
    from hardware.sources import open_camera

    camera = settings.camera
    return open_camera(camera.source, camera.place, (camera.width, camera.height))


def _aiming(folder: Path) -> Calibrator:
    from companion.vision.table.aiming import Calibrator

    return Calibrator(folder)


def _eye(
    settings: Settings,
    ignore: list[Area],
    desk: VirtualTable | None,
    aiming: Calibrator,
    game: AnyGame | None,
) -> LookingEye:
    """An eye that knows the faces of this game; without one, only the table."""
    from companion.virtual.drawing import rasterize
    from companion.vision.gallery.gallery import DrawnFace
    from companion.vision.live.eye import Eye

    sight, camera = game.sight if game else None, settings.camera
    tinted = tinted_pieces(sight)
    faces = sight.faces if sight and not tinted else ()
    drawn = [DrawnFace(face, rasterize(face, FACE_PX_PER_MM)) for face in faces]
    # The virtual table's own screens lie where the game that is set out leaves room for them.
    ours = [*ignore, *(desk.ignore if desk else ())]
    reader = _reader(tinted) if tinted else None
    eye = Eye(drawn, aiming.mat, camera.still_s, ours, rest_s=camera.rest_s, reader=reader)
    if desk:
        eye.learn_empty(desk.empty())
    return eye


def _reader(tinted: Tinted) -> TriangleReader:
    from companion.virtual.drawing import rasterize
    from companion.vision.gallery.gallery import DrawnFace
    from companion.vision.live.triangles import TriangleReader

    parts = (
        DrawnFace(face, rasterize(face, FACE_PX_PER_MM))
        for face in (tinted.blank, tinted.centre, tinted.card)
    )
    return TriangleReader(tinted, *parts)


def _add_panel(rig: Rig, board: PinMap, time: Clock) -> None:
    from hardware.panel import Panel

    try:
        factory = rig.pins.factory if rig.pins else None
        rig.panel = Panel(board, factory, rig.watcher.press, rig.watcher.trouble, time.clock)
    except PanelError as error:
        rig.notices = (*rig.notices, error.message)
