"""The log on the page, and putting an earlier entry right: see the difference first, then accept it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.core import notation
from companion.core.errors import CompanionError
from companion.core.game import AnyGame, Remark
from companion.core.log import (
    Corrected,
    Entry,
    Restored,
    Source,
    Started,
    Step,
    Unreadable,
    Withdrawn,
    effective,
    withdrawn,
)
from companion.core.session import Session
from companion.web.context import house
from companion.web.errors import status_of
from companion.web.guard import Answer, changes_game
from companion.web.home import form_of, setup_from
from companion.web.play import render, rows, tell, wishes

blueprint = Blueprint("correct", __name__, url_prefix="/s/<id>")


@dataclass(frozen=True)
class LogLine:
    """An entry as the list shows it."""

    seq: int
    time: datetime
    source: Source
    deed: Remark
    because: str
    counts: bool
    """False when it was taken back, left out, or does not fit."""
    corrected: bool
    """Whether a later entry changed what it says."""


@dataclass(frozen=True)
class Told:
    """A change in words: what the entry said, and what it would say."""

    seq: int
    before: Remark
    after: Remark | None


@blueprint.get("/log")
def show(id: str) -> str:
    session = house().table.session(id)
    return render_template("log.html", session=session, game=session.game, lines=_lines(session))


@blueprint.get("/correct/<int:seq>")
@changes_game
def ask(id: str, seq: int) -> Answer:
    """The table as it was before that entry, so that people can show what really happened."""
    session = house().table.session(id)
    step = _step(session, seq)
    if isinstance(step.event, Started):
        return _ask_setup(session)
    position = session.fold.before(seq)
    wish = wishes()
    return render_template(
        "correct.html",
        session=session,
        game=session.game,
        seq=seq,
        deed=tell(session, step.event),
        view=session.game.page(position, wish),
        turn=session.game.turn(position),
        rows=rows(session),
        lit=frozenset(),
        acting=True,
        ticked=notation.write(session.game, step.event).split()[1:],
        wish=wish,
        record_to=url_for("correct.preview", id=id),
        action=session.game.turn(position).action,
    )


@blueprint.get("/correct")
@changes_game
def preview(id: str) -> Answer:
    """What the correction would change, before anything is recorded."""
    session = house().table.session(id)
    try:
        changes = _asked(session)
        difference = house().table.difference(id, changes)
    except CompanionError as error:
        return render(session, error.message, status_of(error))
    told = [
        Told(c.seq, _before(session, c.seq), tell(session, c.event) if c.event else None)
        for c in difference.changes
    ]
    return render_template(
        "difference.html",
        session=session,
        game=session.game,
        difference=difference,
        told=told,
        before=session.game.page(difference.before.position, {}),
        after=session.game.page(difference.after.position, {}),
        left_out=[(misfit, tell(session, misfit.event)) for misfit in difference.left_out],
        changes=[f"{seq}:{text}" for seq, text in changes.items()],
    )


@blueprint.post("/correct")
@changes_game
def accept(id: str) -> Answer:
    seq = request.form.get("seq", type=int) or 0
    try:
        house().table.correct(id, seq, _asked_before(request.form.getlist("change")), Source.PAGE)
    except CompanionError as error:
        return render(house().table.session(id), error.message, status_of(error))
    return redirect(url_for("play.show", id=id), 303)


def _ask_setup(session: Session) -> Answer:
    game, form = session.game, form_of(session.setup)
    seats = [
        (seat, form.get(f"name{seat}", ""), form.get(f"colour{seat}", "")) for seat in range(game.seats[-1])
    ]
    return render_template("correct_setup.html", session=session, game=game, form=form, seats=seats)


def _step(session: Session, seq: int) -> Step:
    step = next((step for step in effective(session.entries) if step.seq == seq), None)
    if step is None:
        abort(404)
    return step


def _before(session: Session, seq: int) -> Remark:
    return tell(session, _step(session, seq).event)


def _asked(session: Session) -> dict[int, str]:
    """The corrections asked for so far, and the newest one from the form that was just sent."""
    changes = _asked_before(request.args.getlist("change"))
    entry = request.args.get("entry", type=int)
    if entry == 1:
        changes[1] = notation.write(session.game, Started(setup_from(session.game, request.args)))
    elif entry is not None:
        text = " ".join([request.args.get("event", ""), *request.args.getlist("with")])
        changes[entry] = notation.with_reason(text, request.args.get("because", "").strip()[:200])
    return changes


def _asked_before(texts: list[str]) -> dict[int, str]:
    pairs = (text.partition(":") for text in texts)
    return {int(seq): event for seq, _colon, event in pairs if re.fullmatch("[0-9]{1,7}", seq)}


def _lines(session: Session) -> list[LogLine]:
    """The log, the newest entry first; undo and redo show in what they did, not as lines of their own."""
    gone = withdrawn(session.entries)
    counting = {step.seq: step.event for step in effective(session.entries)}
    misfits = {misfit.seq for misfit in session.fold.misfits}
    found = [
        _line(session, entry, counting.get(entry.seq), entry.seq not in gone and entry.seq not in misfits)
        for entry in session.entries
        if not isinstance(entry.event, (Withdrawn, Restored))
    ]
    return found[::-1]


def _because(game: AnyGame, event: object) -> str:
    """Why people overruled the rules, wherever the game keeps it."""
    plain = not isinstance(event, (Started, Corrected, Unreadable))
    return notation.split_reason(game.write(event))[1] if plain else ""


def _line(session: Session, entry: Entry, counting: object | None, stands: bool) -> LogLine:
    event = counting or entry.event
    return LogLine(
        seq=entry.seq,
        time=entry.time,
        source=entry.source,
        deed=tell(session, event),
        because=_because(session.game, event),
        counts=stands and (counting is not None or isinstance(entry.event, Corrected)),
        corrected=counting is not None and counting != entry.event,
    )
