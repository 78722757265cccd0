"""People who have played here: what they played, won and scored, against whom, and how long they thought."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from companion.core.game import name_key
from companion.games import GAMES
from companion.sessions.statistics import game_statistics, people, statistics_of
from companion.web.access import ViewResult
from companion.web.context import house, nameless

people_blueprint = Blueprint("people", __name__, url_prefix="/people")


@people_blueprint.get("")
def show() -> ViewResult:
    index = house().sessions.index
    waiting = index.refresh()
    known = [one for one in index.summaries() if one.game in GAMES]
    return render_template(
        "people.html",
        people=[one for one in people(known, nameless) if one.played or not waiting],
        played=game_statistics(known),
        left_out=sum(not (one.counts or one.demonstration or one.filing.deleted) for one in known),
        waiting=waiting,
    )


@people_blueprint.get("/<person>")
def show_person(person: str) -> ViewResult:
    index = house().sessions.index
    waiting = index.refresh()
    known = [one for one in index.summaries() if one.game in GAMES]
    found = statistics_of(name_key(person), known, nameless)
    if found is None and not waiting:
        abort(404)
    return render_template("person.html", found=found, waiting=waiting)
