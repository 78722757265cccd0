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
from companion.core.tinted import Tinted, tinted_of
from companion.games import GAMES
from companion.household.settings import Settings
from companion.sessions.table import Table
from companion.watch.aimer import CameraAimer
from companion.watch.loop import Looker, Loop
from companion.watch.watcher import TableWatcher

if TYPE_CHECKING:
    from companion.virtual.disturbances import Disturbances
    from companion.virtual.pins import Later, MockPins
    from companion.virtual.table import VirtualTable
    from companion.vision.live.triangles import TriangleReader
    from companion.vision.table.aiming import Aiming
    from hardware.board import Board
    from hardware.camera import Camera
    from hardware.panel import Panel

FACE_PX_PER_MM = 3.0
"""How finely the faces are drawn that the eye compares with."""


@dataclass
class Rig:
    """Everything between the table and the log."""

    watcher: TableWatcher
    aimer: CameraAimer
    loop: Loop
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
class Time:
    """The clock everything goes by; tests have one that waits for nobody."""

    clock: Callable[[], float] = monotonic
    sleep: Callable[[float], None] = sleep
    later: Later | None = None
    """Does something after so many seconds; None for a thread that does."""
    threaded: bool = True
    """Whether the hand of the virtual table has a thread of its own, or is stepped."""
    pace: float = 0.2
    """Seconds between two frames of the virtual camera."""


def open_rig(
    settings: Settings,
    table: Table,
    virtual: bool = False,
    time: Time | None = None,
    disturbances: Disturbances | None = None,
) -> Rig:
    """The rig of these settings, or with `virtual` one that needs no hardware; CameraError without a camera."""
    time = time or Time()
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
    aimer = CameraAimer(aiming)
    eye_for = functools.partial(_eye, settings, ignore, desk, aiming)
    rig = Rig(watcher, aimer, Loop(camera, eye_for, watcher, aimer), pins=pins, virtual=desk)
    if aiming.trouble:
        rig.notices = (aiming.trouble,)
    if desk:
        watcher.followed = functools.partial(_set_out, desk)
        desk.watched = functools.partial(_watched, table, watcher)
    if pins_of != "none":
        _add_panel(rig, board, time)
    return rig


def _board(settings: Settings) -> Board:
    from hardware.board import FILE, load_board

    chosen = settings.panel.board
    board = load_board(Path(chosen).expanduser() if chosen else FILE)
    return board if settings.panel.buzzer else replace(board, buzzer=None)


def _mock_pins(board: Board, time: Time) -> MockPins:
    from companion.virtual.pins import MockPins

    return MockPins(board, later=time.later)


def _virtual_table(
    settings: Settings, pins: MockPins, time: Time, disturbances: Disturbances | None
) -> VirtualTable:
    from companion.virtual.camera import SIZE
    from companion.virtual.disturbances import PLEASANT, Disturbances
    from companion.virtual.table import VirtualTable

    sight = next(game.sight for game in GAMES.values() if game.sight)
    size = settings.camera.width, settings.camera.height
    return VirtualTable(
        sight,
        pins,
        disturbances=disturbances or Disturbances(on=PLEASANT),
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


def _watched(table: Table, watcher: TableWatcher) -> Session | None:
    """What is played on the virtual table."""
    session = watcher.watch.session
    return table.session(session) if session else None


def _camera(settings: Settings) -> Camera:
    # Imported here: only a companion with a camera needs one.
    from hardware.sources import open_camera

    camera = settings.camera
    return open_camera(camera.source, camera.place, (camera.width, camera.height))


def _aiming(folder: Path) -> Aiming:
    from companion.vision.table.aiming import Aiming

    return Aiming(folder)


def _eye(
    settings: Settings, ignore: list[Area], desk: VirtualTable | None, aiming: Aiming, game: AnyGame | None
) -> Looker:
    """An eye that knows the faces of this game; without one, only the table."""
    from companion.virtual.drawing import draw
    from companion.vision.gallery.gallery import Drawn
    from companion.vision.live.eye import Eye

    sight, camera = game.sight if game else None, settings.camera
    tinted = tinted_of(sight)
    faces = sight.faces if sight and not tinted else ()
    drawn = [Drawn(face, draw(face, FACE_PX_PER_MM)) for face in faces]
    # The virtual table's own screens lie where the game that is set out leaves room for them.
    ours = [*ignore, *(desk.ignore if desk else ())]
    reader = _reader(tinted) if tinted else None
    eye = Eye(drawn, aiming.mat, camera.still_s, ours, rest_s=camera.rest_s, reader=reader)
    if desk:
        eye.learn_empty(desk.empty())
    return eye


def _reader(tinted: Tinted) -> TriangleReader:
    from companion.virtual.drawing import draw
    from companion.vision.gallery.gallery import Drawn
    from companion.vision.live.triangles import TriangleReader

    parts = (Drawn(face, draw(face, FACE_PX_PER_MM)) for face in (tinted.blank, tinted.centre, tinted.card))
    return TriangleReader(tinted, *parts)


def _add_panel(rig: Rig, board: Board, time: Time) -> None:
    from hardware.panel import Panel

    try:
        factory = rig.pins.factory if rig.pins else None
        rig.panel = Panel(board, factory, rig.watcher.press, rig.watcher.trouble, time.clock)
    except PanelError as error:
        rig.notices = (*rig.notices, error.message)
