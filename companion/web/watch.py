"""A session under a camera: its picture, and what people do about what it reads."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, redirect, request, url_for

from companion.core.errors import CameraError, CompanionError, IllegalEvent, StaleSession
from companion.core.message import message as _
from companion.watch.state import Watcher
from companion.web.context import house, say
from companion.web.fields import flag, key, whole
from companion.web.guard import Answer, changes_game
from companion.web.looking import watched
from companion.web.play import refused, show_again

blueprint = Blueprint("watch", __name__, url_prefix="/s/<id>")

STAGES = ("", "capture", "rectify", "settle", "locate")
"""The steps a watcher may have pictures of; the table from above without one."""

_NOT_WATCHED = _("The camera does not watch this game now. Nothing was recorded.")
_CHANGED = _("The table has changed since you looked. Nothing was recorded: look again.")
_NO_SIGHT = _("This game cannot be watched by a camera yet. Tap in what happens.")


@blueprint.get("/watch.jpg")
def picture(id: str) -> Response:
    """The table from above, a step's own picture (`stage`), or what a question is about (`doubt`)."""
    watcher, watch = house().watcher, watched(id)
    stage, doubt = request.args.get("stage", ""), request.args.get("doubt", "")
    if watcher is None or watch is None or stage not in STAGES:
        abort(404)
    areas = {str(number): doubt.area for number, doubt in enumerate(watch.reading.doubts)}
    area = areas.get(doubt)
    if doubt and area is None:
        if request.args.get("v", str(watch.version)) != str(watch.version):
            return Response(status=204)  # answered meanwhile: the page that asks is about to be replaced
        abort(404)
    try:
        jpeg = watcher.crop(area) if area else watcher.picture(stage)[1]
    except CameraError as error:
        return Response(say(error.message), 503, {"Retry-After": "1"}, mimetype="text/plain")
    response = Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.post("/confirm")
@changes_game
def confirm(id: str) -> Answer:
    """Record what the camera proposes."""
    return _tried(id, lambda watcher: watcher.confirm(whole("seq"), whole("version")))


@blueprint.post("/answer")
@changes_game
def answer(id: str) -> Answer:
    """Record the answer to a question."""
    return _tried(id, _answered)


@blueprint.post("/way")
@changes_game
def way(id: str) -> Answer:
    """Take a way out where table and log disagree."""
    return _tried(id, _taken)


@blueprint.post("/alone")
@changes_game
def alone(id: str) -> Answer:
    """Let the companion record by itself when it is sure, or not."""
    return _tried(id, lambda watcher: watcher.let_alone(flag("alone")))


@blueprint.post("/follow")
@changes_game
def follow(id: str) -> Answer:
    """Watch this session from now on."""
    session, watcher = house().table.session(id), house().watcher
    if watcher is None or session.game.sight is None:
        return refused(id, IllegalEvent(_NO_SIGHT))
    demonstration = house().demonstration
    if demonstration and demonstration.session != id:
        demonstration.stop()  # its hand would go on laying dominoes of another game
    watcher.follow(id)
    return redirect(url_for("play.show", id=id), 303)


@blueprint.get("/<any(confirm, answer, way, alone, follow):_done>")
def back(id: str, _done: str) -> Answer:
    """A refused tap leaves a browser without scripts at its address: from there it leads to the table."""
    return redirect(url_for("play.show", id=id), 303)


def _answered(watcher: Watcher) -> None:
    seq, version, doubt, choice = map(whole, ("seq", "version", "doubt", "choice"))
    doubts = watcher.watch.reading.doubts
    if doubt >= len(doubts) or choice >= len(doubts[doubt].choices):
        raise StaleSession(_CHANGED)
    watcher.answer(seq, version, doubt, choice)


def _taken(watcher: Watcher) -> None:
    version, chosen = whole("version"), key("way")
    if chosen not in [way.key for way in watcher.watch.ways]:
        raise StaleSession(_CHANGED)
    watcher.take(version, chosen)


def _tried(id: str, change: Callable[[Watcher], object]) -> Answer:
    """Do what was tapped, or show the session as it is with the reason why not."""
    house().table.session(id)  # one that is not there gets its answer first
    watcher = house().watcher
    try:
        if watcher is None or watched(id) is None:
            raise StaleSession(_NOT_WATCHED)
        change(watcher)
    except CompanionError as error:
        return refused(id, error)
    return show_again(id)
