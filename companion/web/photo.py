"""A photo of what lies on the table: taken with the device or chosen from it, read, put right, recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from companion.core.errors import CompanionError, NotationError, StaleSession
from companion.core.log import Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import Corners, PhotoTable, photo_sight
from companion.core.session import Session
from companion.photos.service import NOTHING_BETWEEN
from companion.web import forms
from companion.web.access import ViewResult, changes_game
from companion.web.context import existing, house, say
from companion.web.errors import status_of
from companion.web.forms import NOT_UNDERSTOOD, measure_field, whole_field
from companion.web.home import form_of
from companion.web.session import redirect_to_table, render_session

if TYPE_CHECKING:
    from companion.photos.service import PhotoService

photo_blueprint = Blueprint("photo", __name__, url_prefix="/s/<id>/photo/<int:number>")

PHOTO_LIMIT = 15 * 1024 * 1024
"""Bytes of a photo that is sent; the page makes it smaller before."""
NOWHERE = _(
    "Nothing of the game is found in this photo. Drag the corners to those of the pieces, "
    "or take another photo, from above."
)
LONGEST_FIXES = 2000
"""Letters of what people put right: twenty for each tile of a board with its follower."""
FARTHEST_PX = 20_000
LEAST = 0.01
"""Part of the photo that what lies between the corners fills at least."""


@photo_blueprint.before_request
def allow_photos() -> None:
    """Forms are small everywhere else."""
    request.max_content_length = PHOTO_LIMIT


@photo_blueprint.get("")
@changes_game
def show(id: str, number: int) -> ViewResult:
    return render(id, number)


@photo_blueprint.post("")
@changes_game
def put(id: str, number: int) -> ViewResult:
    """Read the photo that was sent."""
    session, desk = _both(id, number)
    rest_of, fixes = request.form.get("rest_of", ""), ""
    try:
        sent = forms.uploaded_photo(PHOTO_LIMIT)
        if rest_of:
            said = request.form.get("fix", "")[:LONGEST_FIXES]
            token, fixes = desk.add(session.id, rest_of, sent, said)
        else:
            token = desk.put(session.id, session.game, sent)
    except CompanionError as error:
        return render(id, number, error.message, status_of(error), rest_of)
    desk.forget(session.id, request.form.get("photo_before", ""))
    return redirect(url_for("photo.show", id=id, number=number, photo=token, fix=fixes or None), 303)


@photo_blueprint.get("/<token>.jpg")
@changes_game
def picture(id: str, number: int, token: str) -> Response:
    session, desk = _both(id, number)
    shown = request.args.get("picture", 0, int)
    return forms.send_kept_picture(lambda: desk.picture(session.id, token, shown))


@photo_blueprint.post("/corners")
@changes_game
def corners(id: str, number: int) -> ViewResult:
    """Read the photo again between four corners."""
    session, desk = _both(id, number)
    places: Corners = ()
    token = request.form.get("photo", "")
    try:
        places = corners_field()
        check_corners(places, desk.size(session.id, token))
        read = desk.place(session.id, token, places)
    except CompanionError as error:
        return render(id, number, error.message, status_of(error), token, places)
    return redirect(url_for("photo.show", id=id, number=number, photo=read, corners="shown"), 303)


@photo_blueprint.post("/record")
@changes_game
def record(id: str, number: int) -> ViewResult:
    """Record what people have said is right; the photo is forgotten."""
    session, desk = _both(id, number)
    token, fixes = request.form.get("photo", ""), request.form.get("fix", "")[:LONGEST_FIXES]
    try:
        view = desk.view(session.id, token, _table(session, number), fixes, "")
        if view is None or not view.event:
            raise NotationError(NOT_UNDERSTOOD)
        house().sessions.record(id, whole_field("seq"), view.event, Source.PAGE)
    except CompanionError as error:
        return render(id, number, error.message, status_of(error), token)
    # Only now: what was refused must not have taught the box anything.
    trouble = _learned(session.id, token, fixes) if request.form.get("learn") == "1" else None
    more = desk.done(session.id, token, number - 1)
    if trouble:
        return (
            render(id, number, trouble, token=more)
            if more
            else render_session(house().sessions.session(id), trouble)
        )
    if more:
        return redirect(url_for("photo.show", id=id, number=number, photo=more), 303)
    return redirect_to_table(id)


def _learned(id: str, token: str, fixes: str) -> Message | None:
    """Let the box learn what was put right; why it could not, though it is recorded."""
    try:
        existing(house().photos).learn(id, token, fixes)
    except CompanionError as error:
        return _("It is recorded, but the box has not learned from it: %(problem)s", problem=error.message)
    return None


@photo_blueprint.post("/forget")
@changes_game
def forget(id: str, number: int) -> ViewResult:
    """Throw the photo away."""
    session, desk = _both(id, number)
    desk.forget(session.id, request.form.get("photo", ""))
    return redirect(url_for("photo.show", id=id, number=number), 303)


@photo_blueprint.get("/<any(corners, record, forget):_done>")
def back(id: str, number: int, _done: str) -> ViewResult:
    """A refused tap leaves a browser at its address: links there lead to the photo."""
    address = url_for("photo.show", id=id, number=number)
    return redirect(f"{address}?{request.query_string.decode(errors='replace')}", 303)


@dataclass(frozen=True)
class PhotoPage:
    """What a photo shows."""

    size: tuple[int, int] = (0, 0)
    around: Corners = ()
    view: Any = None
    """What was read; None where there is nothing, or several groups that nobody has chosen one of."""
    groups: Sequence[Any] = ()
    """Those several."""
    trouble: Message | None = None


def render(
    id: str,
    number: int,
    message: Message | None = None,
    status: int = 200,
    token: str = "",
    dragged: Corners = (),
) -> ViewResult:
    session, desk = _both(id, number)
    token, seen = token or request.args.get("photo", "")[:40], PhotoPage()
    try:
        if token:
            seen = _seen(session, desk, number, token, dragged)
    except StaleSession as error:
        status = status if message else status_of(error)
        return render(id, number, message or error.message, status, desk.now(session.id, token), dragged)
    except CompanionError as error:
        token, message, status = "", message or error.message, status_of(error)
    if token and seen.view is None and not seen.groups:
        message = message or (NOTHING_BETWEEN if request.args.get("corners") == "shown" else NOWHERE)
    sight, player = existing(photo_sight(session.game)), session.setup.players[number - 1]
    return render_template(
        "photo.html",
        **vars(seen),
        session=session,
        game=session.game,
        player=player,
        player_index=number - 1,
        title=say(sight.title(player.name) if sight.owned else session.game.name),
        titles=sight.title,
        owned=sight.owned,
        number=number,
        photo=token,
        record_to=url_for("photo.record", id=id, number=number),
        after=_after(session, seen.view),
        meant=_meant(session, seen.view),
        left="" if token else desk.latest(session.id),
        chosen=_chosen(seen.groups),
        message=message,
        unfamiliar=bool(token) and not seen.groups and (seen.view is None or seen.view.unfamiliar),
        dragging=request.args.get("corners") == "1" or bool(dragged) or (bool(token) and seen.view is None),
        limit=PHOTO_LIMIT,
        camera=house().watcher is not None and house().aimer is not None,
    ), status


def _seen(session: Session, desk: PhotoService, number: int, token: str, dragged: Corners) -> PhotoPage:
    # What people said of one reading of a photo is not said of the next.
    said = request.values if token == request.values.get("photo") else MultiDict[str, str]()
    groups = desk.several(session.id, token)
    size, trouble = desk.size(session.id, token), desk.trouble(session.id, token)
    if groups:
        return PhotoPage(size, groups=groups, trouble=trouble)
    fixes, at = said.get("fix", "")[:LONGEST_FIXES], said.get("at", "")[:4]
    view = desk.view(session.id, token, _table(session, number), fixes, at)
    return PhotoPage(size, reachable(desk, session.id, token, dragged), view, (), trouble)


def _chosen(groups: Sequence[Any]) -> Any:
    """The group somebody has tapped, or the next one that is nobody's yet."""
    asked = next((one for one in groups if one.token == request.args.get("group", "")), None)
    return asked or next((one for one in groups if one.player is None), None)


def _table(session: Session, number: int) -> PhotoTable:
    return PhotoTable(session.setup, session.position, number - 1)


def _after(session: Session, view: Any) -> Mapping[str, Any] | None:
    """What the game's page draws once a group is recorded."""
    if view is None or not view.event:
        return None
    game, event = session.game, view.settled.event
    return game.page(game.apply(session.position, event), {})


@dataclass(frozen=True)
class MeantOption:
    """An option by which what lies there would be all right."""

    name: Message
    to: str
    """Where it is switched on."""


def _meant(session: Session, view: Any) -> MeantOption | None:
    """The option that a table may have been meant to play by."""
    meant = view.settled.meant if view is not None else ""
    option = next((one for one in session.game.options if one.key == meant), None)
    if option is None:
        return None
    wishes = {**form_of(session.setup), f"option_{meant}": "on"}
    return MeantOption(option.name, url_for("correct.preview", id=session.id, entry=1, **wishes))  # type: ignore[arg-type]


def _both(id: str, number: int) -> tuple[Session, PhotoService]:
    """The session and the desk, where there is something to take a photo of."""
    session, desk = house().sessions.session(id), existing(house().photos)
    if not desk.reads(session) or not 1 <= number <= len(session.setup.players):
        abort(404)
    return session, desk


def corners_field() -> Corners:
    """Four corners that somebody showed."""
    return tuple(
        (measure_field(f"x{corner}", 0, FARTHEST_PX), measure_field(f"y{corner}", 0, FARTHEST_PX))
        for corner in range(4)
    )


def check_corners(corners: Corners, size: tuple[int, int]) -> None:
    """NotationError where corners are none of anything."""
    if not _sound(corners, size):
        raise NotationError(
            _("The corners cross each other, or lie too close together: drag each to its own.")
        )


def reachable(desk: PhotoService, session: str, token: str, dragged: Corners = ()) -> Corners:
    """Corners that a finger can reach, as it left them: what was found may end beyond the photo."""
    width, height = desk.size(session, token)
    corners = dragged or desk.corners(session, token)
    return tuple((min(max(x, 0.0), float(width)), min(max(y, 0.0), float(height))) for x, y in corners)


def _sound(corners: Corners, size: tuple[int, int]) -> bool:
    """Whether corners go round clockwise without crossing, and enclose something."""
    ring = [*corners, *corners[:2]]
    turns = [
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        for (a, b), (_b, c) in pairwise(pairwise(ring))
    ]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise(ring[:5])) / 2
    return min(turns) > 0 and area > LEAST * size[0] * size[1]
