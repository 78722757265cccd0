"""The sessions of a household: found again, named, put away, thrown into the bin and fetched back, taken in from
a file and given to other programs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, render_template, request, url_for

from companion.core.errors import CompanionError, NotationError
from companion.core.game import name_key
from companion.core.log import Filed, FiledAs, Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import SESSION_NAME_LIMIT, check_session_name
from companion.games import GAMES
from companion.sessions.exports import bg_stats_play, csv_table
from companion.sessions.index import SessionState, SessionSummary
from companion.sessions.json_lines import read_session
from companion.web.access import ViewResult, changes_game, inside_path
from companion.web.context import house, say
from companion.web.errors import status_of
from companion.web.forms import NOT_UNDERSTOOD

sessions_blueprint = Blueprint("sessions", __name__)

PAGE_LENGTH = 20
FILE_LIMIT = 4 * 1024 * 1024
"""Bytes of a session's file: the longest evening has a tenth."""

STATES = {
    "": _("All"),
    SessionState.OVER: _("Finished"),
    SessionState.GOING: _("Going on"),
    SessionState.CLOSED: _("Put away"),
    "bin": _("Bin"),
}


@dataclass(frozen=True)
class Filter:
    """Which sessions somebody wants to see."""

    game: str = ""
    person: str = ""
    state: str = ""

    def fits(self, session: SessionSummary) -> bool:
        """Whether it is one of them; a demonstration is one only where somebody has kept it."""
        if session.demonstration or session.filing.deleted != (self.state == "bin"):
            return False
        return (
            self.game in ("", session.game)
            and self.state in ("", "bin", session.state)
            and (not self.person or self.person in {name_key(one.name) for one in session.players})
        )


def asked_filter() -> Filter:
    game, state = request.args.get("game", ""), request.args.get("state", "")
    return Filter(
        game if game in GAMES else "",
        name_key(request.args.get("person", "")[:80]),
        state if state in STATES else "",
    )


@sessions_blueprint.get("/sessions")
def show() -> ViewResult:
    return render()


def render(message: Message | None = None, status: int = 200) -> ViewResult:
    index, wanted = house().sessions.index, asked_filter()
    waiting = index.refresh()
    page = request.args.get("page", 0, type=int) if len(request.args.get("page", "")) < 6 else 0
    found = [one for one in index.summaries() if wanted.fits(one)]
    first = max(0, page) * PAGE_LENGTH
    done = request.args.get("done", "")
    return render_template(
        "sessions.html",
        rows=found[first : first + PAGE_LENGTH],
        page=max(0, page),
        more=len(found) > first + PAGE_LENGTH,
        wanted=wanted,
        person=next(
            (p.name for one in found for p in one.players if name_key(p.name) == wanted.person),
            wanted.person,
        ),
        states=STATES,
        waiting=waiting,
        done=next((one for one in index.summaries() if one.id == done), None),
        name_limit=SESSION_NAME_LIMIT,
        back=url_for("sessions.show") + filter_address(wanted),
        message=message,
    ), status


@sessions_blueprint.post("/s/<id>/file")
@changes_game
def file(id: str) -> ViewResult:
    """Name a session, put it away, throw it into the bin, or the other way round."""
    back = inside_path(request.form.get("back", "") or url_for("sessions.show"))
    try:
        said = request.form.get("as", "")
        if said not in set(FiledAs):
            raise NotationError(NOT_UNDERSTOOD)
        name = check_session_name(request.form.get("name", "")) if said == FiledAs.NAMED else ""
        session = house().sessions.file(id, Filed(FiledAs(said), name), Source.PAGE)
    except CompanionError as error:
        return render(error.message, status_of(error))
    watcher = house().watcher
    if watcher and not session.going:
        watcher.leave(id)
    elif watcher and said in (FiledAs.REOPENED, FiledAs.UNDELETED) and not watcher.watch.session:
        watcher.follow(id)
    if said in (FiledAs.DELETED, FiledAs.CLOSED):
        return redirect(url_for("sessions.show", done=id), 303)
    return redirect(back, 303)


@sessions_blueprint.post("/sessions")
@changes_game
def take_in() -> ViewResult:
    """Take in a session that was saved as a file, here or elsewhere."""
    request.max_content_length = FILE_LIMIT
    try:
        sent = request.files.get("file")
        if sent is None or not sent.filename:
            raise NotationError(_("Choose a file first: one that was saved from a session."))
        try:
            with sent.stream as stream:
                text = stream.read(FILE_LIMIT).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise NotationError(_("This is not a session of Table Companion.")) from error
        session = read_session(text.split("\n"), GAMES)
        house().sessions.take_in(session)
    except CompanionError as error:
        return render(error.message, status_of(error))
    return redirect(url_for("play.show", id=session.id), 303)


@sessions_blueprint.get("/sessions.csv")
def table() -> Response:
    """Every result as a table."""
    return _download(csv_table(_counted()), "text/csv", "table-companion.csv")


@sessions_blueprint.get("/sessions.json")
def plays() -> Response:
    """Every result as the app BG Stats describes a play; it documents no file, only a link for each."""
    found = [bg_stats_play(one, GAMES[one.game], say) for one in _counted()]
    return _download(
        json.dumps(found, ensure_ascii=False, indent=1), "application/json", "table-companion.json"
    )


def _counted() -> list[SessionSummary]:
    """All sessions: an export that leaves some out is none."""
    index = house().sessions.index
    index.refresh(None)
    wanted = asked_filter()
    return [one for one in index.summaries() if one.counts and wanted.fits(one)]


def _download(text: str, kind: str, name: str) -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f"attachment; filename={name}"})


def filter_address(wanted: Filter, **changes: str) -> str:
    """The address of the list by another filter."""
    parts = {"game": wanted.game, "person": wanted.person, "state": str(wanted.state), **changes}
    return "?" + urlencode({name: value for name, value in parts.items() if value})
