"""Setting up the camera: its picture, markers to print, corners to drag, the empty table, and evenings to keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, render_template, url_for

from companion.core.devices import CalibrationState, FoundBy, camera_bumped, table_moved
from companion.core.errors import CompanionError
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.watch.state import Status
from companion.web import forms
from companion.web.access import ViewResult, changes_game
from companion.web.context import existing, house, language, say
from companion.web.errors import status_of
from companion.web.forms import flag_field, key_field, measure_field
from companion.web.watch_presenter import status_line

if TYPE_CHECKING:
    from companion.watch.camera_requests import CalibrationRequests
    from companion.watch.evening_keeper import EveningKeeper
    from companion.watch.watcher import TableWatcher

camera_blueprint = Blueprint("camera", __name__, url_prefix="/camera")

FARTHEST_PX = 20_000
"""No camera takes larger pictures."""
LARGEST_CM = 9_999
TOLD_MM, TOLD_S = 5.0, 60.0
"""A bump that people are told about, and for how long."""
CORNERS = (_("upper left"), _("upper right"), _("lower right"), _("lower left"))
"""Of the table, clockwise, as its markers are numbered."""


@dataclass(frozen=True)
class MarkerOnPicture:
    """A marker on the picture, or where it should be."""

    name: Message
    seen: bool
    points: str
    """Its outline as SVG says it; empty where it is not seen."""
    x: float
    """Its middle, as is y."""
    y: float


@dataclass(frozen=True)
class SetupStatus:
    """One thing to know about how the camera is set up."""

    text: Message
    icon: str = "info"
    way: str = ""
    """What a button beside it does: `same` or `measured`."""


@camera_blueprint.get("")
def show() -> ViewResult:
    return render()


@camera_blueprint.get("/now")
def now() -> ViewResult:
    """The parts of the page that change by themselves, for a page that is open already."""
    return render(template="camera_now.html")


@camera_blueprint.get("/picture.jpg")
def picture() -> Response:
    """What the camera sees, as it sees it."""
    watcher, aimer = _both()
    aimer.attend()
    return forms.send_picture(lambda: watcher.picture("capture")[1])


@camera_blueprint.get("/markers")
def markers() -> str:
    """How to print the markers, with the sheet as it comes out of the printer."""
    _both()
    return render_template("camera_markers.html")


@camera_blueprint.get("/markers.svg")
def sheet() -> Response:
    """The markers to print, for a table of this size, in the visitor's language."""
    # Imported here: nobody else on the page needs what can draw markers.
    from calibration.sheet import marker_sheet

    _watcher, aimer = _both()
    drawn = marker_sheet(aimer.aim.table, say)
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@camera_blueprint.post("/corners")
@changes_game
def corners() -> ViewResult:
    """Take the table to be where its corners were dragged to."""

    def drag(aimer: CalibrationRequests) -> None:
        width, height = (round(measure_field(side, 16, FARTHEST_PX)) for side in ("width", "height"))
        places = [
            (measure_field(f"x{corner}", 0, FARTHEST_PX), measure_field(f"y{corner}", 0, FARTHEST_PX))
            for corner in range(4)
        ]
        aimer.set_corners(places, (width, height))

    return _tried(drag)


@camera_blueprint.post("/found")
@changes_game
def found() -> ViewResult:
    """Go by the markers again."""
    return _tried(lambda aimer: aimer.set_corners(None, (aimer.aim.width, aimer.aim.height)))


@camera_blueprint.post("/size")
@changes_game
def size() -> ViewResult:
    """Say how large the table is, in centimetres."""
    return _tried(
        lambda aimer: aimer.set_size(
            10 * measure_field("width", 0, LARGEST_CM), 10 * measure_field("height", 0, LARGEST_CM)
        )
    )


@camera_blueprint.post("/empty")
@changes_game
def empty() -> ViewResult:
    """Learn what the empty table looks like, or forget it."""
    return _tried(lambda aimer: aimer.learn_empty() if flag_field("on") else aimer.forget_empty())


@camera_blueprint.post("/keep")
@changes_game
def keep() -> ViewResult:
    """Keep this evening's pictures from now on, or no more."""
    return _tried(lambda _aimer: _keeper().keep(flag_field("on")))


@camera_blueprint.get("/evenings")
def evenings() -> ViewResult:
    """The evenings that were kept, to be downloaded and deleted."""
    return _evenings()


@camera_blueprint.post("/forget")
@changes_game
def forget() -> ViewResult:
    """Delete an evening with all of its pictures."""
    try:
        _keeper().delete(key_field("evening"))
    except CompanionError as error:
        return _evenings(error.message, status_of(error))
    return redirect(url_for("camera.evenings"), 303)


@camera_blueprint.get("/evenings/<name>.zip")
@changes_game
def download(name: str) -> ViewResult:
    """An evening as a file, for people who know the PIN: its pictures show their hands and their home."""
    try:
        packed = _keeper().evenings.zipped(name)
    except CompanionError as error:
        return _evenings(error.message, 404)
    told = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "no-store"}
    return Response(packed, mimetype="application/zip", headers=told)


@camera_blueprint.get("/<any(corners, found, size, empty, keep, forget):_done>")
def back(_done: str) -> ViewResult:
    """A refused tap leaves a browser at its address: from there it leads to the camera."""
    return redirect(url_for("camera.show"), 303)


def render(
    message: Message | None = None, status: int = 200, template: str = "camera_setup.html"
) -> ViewResult:
    watcher, aimer = _both()
    aimer.attend()
    aim, watch = aimer.aim, watcher.watch
    blind = watch.status is Status.NO_CAMERA or not aim.width
    page = render_template(
        template,
        keeper=house().keeper,
        room=room_said,
        aim=aim,
        watch=watch,
        lines=[SetupStatus(status_line(watch) or _("The camera is starting …"), "clock")]
        if blind
        else setup_statuses(aim),
        spots=[] if blind or aim.found is FoundBy.CORNERS else markers_on_picture(aim),
        names=CORNERS,
        blind=blind,
        by_corners=aim.found is FoundBy.CORNERS,
        lost=bool(aim.off_mm),
        message=message,
        centimetres=_centimetres,
    )
    return page, status


def setup_statuses(aim: CalibrationState) -> list[SetupStatus]:
    """What people should know, the most urgent first."""
    said = [_where(aim)]
    if aim.measured:
        here, there = (listed_size(size) for size in (aim.table, aim.measured))
        text = _(
            "By its markers the table measures about %(there)s cm, but it is set to %(here)s cm.",
            here=here,
            there=there,
        )
        said.append(SetupStatus(text, "warning", "measured"))
    if not aim.guarded:
        text = _("The picture around the table is too plain: a bump of the camera would not be noticed.")
        said.append(SetupStatus(text, "warning"))
    if (
        aim.bumped_mm >= TOLD_MM
        and aim.found is FoundBy.MARKERS
        and house().heard.age(aim.bumped_mm) < TOLD_S
    ):
        said.append(SetupStatus(camera_bumped(aim.bumped_mm)))
    if aim.told:
        said.append(SetupStatus(aim.told))
    return said


def listed_size(size: tuple[float, float]) -> str:
    return " × ".join(map(_centimetres, size))


def markers_on_picture(aim: CalibrationState) -> list[MarkerOnPicture]:
    """The markers as they are drawn on the picture; a missing one near its corner."""
    drawn = []
    edges = ((0.07, 0.09), (0.93, 0.09), (0.93, 0.91), (0.07, 0.91))
    for name, marker, edge in zip(CORNERS, aim.ids, edges, strict=True):
        outline = aim.outlines.get(marker, ())
        x, y = _middle(outline) if outline else (edge[0] * aim.width, edge[1] * aim.height)
        points = " ".join(f"{u:g},{v:g}" for u, v in outline)
        drawn.append(MarkerOnPicture(name, marker in aim.markers, points, x, y))
    return drawn


def _where(aim: CalibrationState) -> SetupStatus:
    if aim.off_mm:
        return SetupStatus(table_moved(aim.off_mm), "warning", "same" if aim.corners else "")
    if aim.found is FoundBy.CORNERS:
        # What is told last may question these very corners: then nothing says that all is well.
        return SetupStatus(_("The table is where its corners were shown."), "info" if aim.told else "check")
    missing = [name for name, marker in zip(CORNERS, aim.ids, strict=True) if marker not in aim.markers]
    seen = len(aim.ids) - len(missing)
    if aim.found is FoundBy.NOTHING:
        text = _(
            "The table is not found yet: %(seen)d of 4 markers are seen. Missing: %(missing)s.",
            seen=seen,
            missing=joined(missing) if missing else "–",
        )
        return SetupStatus(text, "warning")
    if not missing:
        return SetupStatus(_("The table is found: all four markers are seen."), "check")
    text = _(
        "The table is found: %(seen)d of 4 markers are seen. Missing: %(missing)s.",
        seen=seen,
        missing=joined(missing),
    )
    return SetupStatus(text, "check")


def _tried(change: Callable[[CalibrationRequests], object]) -> ViewResult:
    """Do what was tapped, or show the page with the reason why not."""
    _watcher, aimer = _both()
    aimer.attend()
    try:
        change(aimer)
    except CompanionError as error:
        return render(error.message, status_of(error))
    return redirect(url_for("camera.show"), 303)


def _evenings(message: Message | None = None, status: int = 200) -> ViewResult:
    keeper = _keeper()
    page = render_template(
        "camera_evenings.html",
        keeper=keeper,
        evenings=keeper.evenings.list(),
        room=room_said,
        message=message,
    )
    return page, status


def _keeper() -> EveningKeeper:
    return existing(house().keeper)


def room_said(bytes: int) -> str:
    """How much room something takes on the disk, in the language's own figures."""
    # Imported here, since Babel is slow to load.
    from babel.numbers import format_decimal

    size, unit = (bytes / 1e9, "GB") if bytes >= 1e9 else (bytes / 1e6, "MB")
    pattern = "0" if unit == "MB" and size >= 10 else "0.0"
    return f"{format_decimal(size, pattern, locale=language().replace('-', '_'))} {unit}"


def _both() -> tuple[TableWatcher, CalibrationRequests]:
    return existing(house().watcher), existing(house().aimer)


def _middle(outline: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _y in outline) / len(outline), sum(y for _x, y in outline) / len(outline)


def _centimetres(millimetres: float) -> str:
    return f"{millimetres / 10:.0f}"
