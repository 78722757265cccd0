"""Choosing the camera: what is plugged in, an address or a folder, a picture of it, and going on with it."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.web.access import ViewResult, at_host, changes_game
from companion.web.context import existing, house
from companion.web.errors import status_of
from companion.web.forms import send_kept_picture

camera_choice_blueprint = Blueprint("camera_choice", __name__, url_prefix="/camera/choose")

PLACE_LIMIT = 500


@camera_choice_blueprint.get("")
@changes_game
def show() -> ViewResult:
    return render()


@camera_choice_blueprint.get("/picture.jpg")
@changes_game
def picture() -> ViewResult:
    """What the camera showed that was tried last."""
    tried = existing(house().cameras).tried
    response: Response = send_kept_picture(lambda: tried.jpeg if tried else None)
    response.headers["Cache-Control"] = "no-store"
    return response


@camera_choice_blueprint.post("/try")
@changes_game
def try_it() -> ViewResult:
    """Look through a camera once; nothing is changed by it."""
    try:
        existing(house().cameras).look(*_chosen())
    except CompanionError as error:
        return render(error.message, status_of(error), typed=request.form.get("place", "")[:PLACE_LIMIT])
    return render(tried=True)


@camera_choice_blueprint.post("/use")
@changes_game
def use() -> ViewResult:
    """Go on with that camera from now on, or by the settings file again."""
    cameras = existing(house().cameras)
    try:
        if "forget" in request.form:
            cameras.forget()
        else:
            cameras.use(*_chosen())
    except CompanionError as error:
        return render(error.message, status_of(error))
    return redirect(url_for("camera_choice.show", now=1), 303)


@camera_choice_blueprint.get("/<any(try, use):_done>")
def back(_done: str) -> ViewResult:
    """A refused tap leaves a browser at its address: from there it leads to the choice."""
    return redirect(url_for("camera_choice.show"), 303)


def _chosen() -> tuple[str, str]:
    source, place = request.form.get("source", ""), request.form.get("place", "").strip()[:PLACE_LIMIT]
    if source == "folder" and not at_host():
        # A folder's pictures are anybody's photos: a tablet that knows the PIN need not see them.
        raise NotationError(_("A folder of photos is chosen on the companion's own computer."))
    return source, place


def render(
    message: Message | None = None, status: int = 200, tried: bool = False, typed: str = ""
) -> ViewResult:
    cameras = existing(house().cameras)
    watcher = house().watcher
    page = render_template(
        "camera_choice.html",
        found=cameras.found(),
        used=cameras.settings.camera,
        watch=watcher.watch if watcher else None,
        tried=cameras.tried if tried else None,
        opened="now" in request.args,
        typed=typed,
        source=request.form.get("source", "") if typed else "",
        message=message,
    )
    return page, status
