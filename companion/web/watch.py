"""A session under a camera: its picture, and what people do about what it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, request, url_for

from companion.core.errors import CompanionError, IllegalEvent, StaleSession
from companion.core.message import message as _
from companion.core.observation import Area
from companion.web import forms
from companion.web.access import ViewResult, changes_game
from companion.web.context import house
from companion.web.forms import flag_field, key_field, version_field, whole_field
from companion.web.session import redirect_to_table, render_refusal
from companion.web.watch_presenter import watched_state

if TYPE_CHECKING:
    from companion.watch.watcher import TableWatcher

watch_blueprint = Blueprint("watch", __name__, url_prefix="/s/<id>")

STAGES = ("", "capture", "rectify")
"""The steps a watcher has pictures of; the table from above without one."""

_NOT_WATCHED = _("The camera does not watch this game now. Nothing was recorded.")
_NO_SIGHT = _("This game cannot be watched by a camera yet. Tap in what happens.")


@watch_blueprint.get("/watch.jpg")
def picture(id: str) -> Response:
    """The table from above, a step's own picture (`stage`), or what is asked (`doubt`) or disputed (`odd`)."""
    watcher, watch = house().watcher, watched_state(id)
    stage = request.args.get("stage", "")
    if watcher is None or watch is None or stage not in STAGES:
        abort(404)
    if "doubt" in request.args:
        return _close(watcher, "doubt", [doubt.area for doubt in watch.reading.doubts])
    if "odd" in request.args:
        return _close(watcher, "odd", [odd.area for odd in watch.reading.contradictions])
    return forms.send_picture(lambda: watcher.picture(stage)[1])


def _close(watcher: TableWatcher, what: str, areas: Sequence[Area | None]) -> Response:
    """The place on the table that is asked for, seen from near."""
    numbered = {str(number): area for number, area in enumerate(areas)}
    area, version = numbered.get(request.args[what]), str(watcher.watch.version)
    if area is None and request.args.get("v", version) != version:
        return Response(status=204)  # settled meanwhile: the page that asks is about to be replaced
    if area is None:
        abort(404)
    return forms.send_picture(lambda: watcher.crop(area))


@watch_blueprint.post("/confirm")
@changes_game
def confirm(id: str) -> ViewResult:
    """Record what the camera proposes."""
    return _tried(id, lambda watcher: watcher.confirm(whole_field("seq"), version_field()))


@watch_blueprint.post("/answer")
@changes_game
def answer(id: str) -> ViewResult:
    """Record the answer to a question."""
    return _tried(
        id,
        lambda watcher: watcher.answer(
            whole_field("seq"), version_field(), whole_field("doubt"), whole_field("choice")
        ),
    )


@watch_blueprint.post("/way")
@changes_game
def way(id: str) -> ViewResult:
    """Take a way out where table and log disagree."""
    return _tried(id, lambda watcher: watcher.take(version_field(), key_field("way")))


@watch_blueprint.post("/alone")
@changes_game
def alone(id: str) -> ViewResult:
    """Let the companion record by itself when it is sure, or not."""
    return _tried(id, lambda watcher: watcher.let_alone(flag_field("alone")))


@watch_blueprint.post("/follow")
@changes_game
def follow(id: str) -> ViewResult:
    """Watch this session from now on."""
    session, watcher = house().sessions.session(id), house().watcher
    if watcher is None or session.game.sight is None:
        return render_refusal(id, IllegalEvent(_NO_SIGHT))
    demonstration = house().demonstration
    if demonstration and demonstration.session != id:
        demonstration.stop()  # its hand would go on laying dominoes of another game
    watcher.follow(id)
    return redirect(url_for("play.show", id=id), 303)


@watch_blueprint.get("/<any(confirm, answer, way, alone, follow):_done>")
def back(id: str, _done: str) -> ViewResult:
    """A refused tap leaves a browser without scripts at its address: from there it leads to the table."""
    return redirect(url_for("play.show", id=id), 303)


def _tried(id: str, change: Callable[[TableWatcher], object]) -> ViewResult:
    """Do what was tapped, or show the session as it is with the reason why not."""
    house().sessions.session(id)  # one that is not there gets its answer first
    watcher = house().watcher
    try:
        if watcher is None or watched_state(id) is None:
            raise StaleSession(_NOT_WATCHED)
        change(watcher)
    except CompanionError as error:
        return render_refusal(id, error)
    return redirect_to_table(id)
