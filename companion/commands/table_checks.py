"""What the doctor looks at beside the table: the camera, the markers in its picture, the buttons and lamps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from companion.commands.check import Check, is_companion
from companion.core.errors import CameraError, PanelError
from companion.core.message import Message
from companion.core.message import message as _
from companion.household.settings import CameraSettings as CameraSettings
from companion.household.settings import LoadedSettings

if TYPE_CHECKING:
    from hardware.camera import Frame, Pixels

LOOK_S = 3.0
"""How long we look for a picture, at most."""
PICTURES_LOOKED_AT = 3
"""The first one of many cameras is dark: they are still opening their eye."""
DARKEST, BRIGHTEST = 12, 92
"""Percent: in a darker or brighter picture, pieces cannot be told apart."""
OWNED = ("usb", "pi")
"""Sources that only one program at a time can use."""

_ASK_AGAIN = _("Then ask `companion doctor` again; docs/settings.md says what can be set.")


def check_camera(loaded: LoadedSettings) -> Iterator[Check]:
    chosen = loaded.settings.camera
    unlooked = _unlooked(loaded)
    if unlooked:
        yield Check("camera", True, unlooked)
        return
    try:
        name, frame = _look(chosen)
    except CameraError as error:
        yield Check("camera", False, error.message, _ASK_AGAIN)
        return
    yield _picture(name, frame.pixels)
    yield _table(loaded, frame.pixels)


def check_panel(loaded: LoadedSettings) -> Iterator[Check]:
    chosen = loaded.settings.panel
    if chosen.pins == "none":
        yield Check("panel", True, _("no buttons and lamps are set"))
        return
    # Imported here: only a household with a panel needs one.
    from hardware.board import PIN_MAP_FILE, load_pin_map

    try:
        board = load_pin_map(Path(chosen.board).expanduser() if chosen.board else PIN_MAP_FILE)
    except PanelError as error:
        yield Check("panel", False, error.message, _("Correct the pin map; hardware/wiring.md explains it."))
        return
    if chosen.pins == "gpio" and not is_companion(loaded.settings.web.port):
        from hardware.panel import Panel

        try:
            Panel(board, None, lambda _seat, _long: None, lambda _text, _seat: None).close()
        except PanelError as error:
            yield Check("panel", False, error.message, _ASK_AGAIN)
            return
    count = len(board.spots)
    yield Check("panel", True, _("%(count)d buttons, each with a lamp", count=count))


def _unlooked(loaded: LoadedSettings) -> Message | None:
    """Why there is no camera to look through, if that is well."""
    chosen = loaded.settings.camera
    if chosen.source == "none":
        return _("no camera is set")
    if chosen.source == "virtual":
        return _("the virtual table needs none")
    if chosen.source in OWNED and is_companion(loaded.settings.web.port):
        return _("the companion that is open uses it")
    return None


def _look(chosen: CameraSettings) -> tuple[str, Frame]:
    """The name of the camera and a picture of it; a driver that hangs is left to itself."""
    found: SimpleQueue[tuple[str, Frame] | CameraError] = SimpleQueue()
    Thread(target=_look_for_long, args=(chosen, found), daemon=True).start()
    try:
        result = found.get(timeout=LOOK_S)
    except Empty:
        raise CameraError(_("There is no picture within %(limit)d seconds.", limit=round(LOOK_S))) from None
    if isinstance(result, CameraError):
        raise result
    return result


def _look_for_long(chosen: CameraSettings, found: SimpleQueue[tuple[str, Frame] | CameraError]) -> None:
    try:
        found.put(_newest(chosen))
    except CameraError as error:
        found.put(error)
    except Exception as error:  # drivers fail in ways of their own
        said = " ".join(str(error).split())[:200]
        found.put(CameraError(_("The camera cannot be used: %(said)s.", said=said)))


def _newest(chosen: CameraSettings) -> tuple[str, Frame]:
    # Imported here: only a household with a camera needs one.
    from hardware.sources import open_camera

    size = chosen.width, chosen.height
    camera = open_camera(chosen.source, chosen.place, size, patience_s=LOOK_S * 0.8)
    try:
        frame = camera.frame()
        with suppress(CameraError):
            for _picture in range(1, PICTURES_LOOKED_AT):
                frame = camera.frame()
        return camera.name, frame
    finally:
        camera.close()


def _picture(name: str, pixels: Pixels) -> Check:
    height, width = pixels.shape[:2]
    brightness = round(float(pixels.mean()) / 2.55)
    detail = _(
        "%(camera)s: %(width)d × %(height)d pixels, brightness %(percent)d of 100",
        camera=name,
        width=width,
        height=height,
        percent=brightness,
    )
    if brightness < DARKEST:
        return Check(
            "camera", False, detail, _("Put more light on the table; look whether the lens is covered.")
        )
    fix = _("Put less light on the table: the picture is too bright to tell pieces apart.")
    return Check("camera", brightness <= BRIGHTEST, detail, fix)


def _table(loaded: LoadedSettings, pixels: Pixels) -> Check:
    """Whether the table is found in the picture: by its markers, or by the corners that somebody has shown."""
    from calibration.kept import load_calibration
    from calibration.markers import MarkerFinder

    kept, trouble = load_calibration(loaded.settings.data_folder)
    page = _("The companion's page helps: open its menu, and “Set up the camera”.")
    if trouble:
        return Check("table", False, trouble, page)
    if kept.corners:
        return Check("table", True, _("its corners were shown on the camera's page"))
    found = MarkerFinder(kept.mat).find(pixels)
    return Check(
        "table",
        found.plane is not None,
        _("%(count)d of %(all)d markers are seen", count=len(found.seen), all=len(kept.mat.ids)),
        _(
            "Lay the printed markers flat into the corners of the table, all of them in the picture, none covered. "
            "To print them, or to do without: open the page's menu, and “Set up the camera”."
        ),
    )
