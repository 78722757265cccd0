"""The log on the page, and putting an earlier entry right: see the difference first, then accept it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.core import notation
from companion.core.correction import Difference
from companion.core.errors import CompanionError, NotationError
from companion.core.game import AnyGame, Remark
from companion.core.log import (
    Corrected,
    CountedEvent,
    Entry,
    Filed,
    Restored,
    Source,
    Started,
    Unreadable,
    Withdrawn,
    effective_events,
    without_effect,
)
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.session import Session, entry_in_words
from companion.sessions.live import CorrectionRequest
from companion.web.access import ViewResult, changes_game
from companion.web.context import house, say
from companion.web.errors import status_of
from companion.web.forms import whole_field
from companion.web.home import form_of, setup_choices, setup_from
from companion.web.session import render_session, tally_rows, wishes

correction_blueprint = Blueprint("correct", __name__, url_prefix="/s/<id>")

_AFTER = _("after a correction")


class Remedy(StrEnum):
    """What people can do about an entry."""

    CORRECT = "correct"
    TAKE_BACK = "take_back"
    BRING_BACK = "bring_back"


@dataclass(frozen=True)
class LogLine:
    """An entry as the list shows it."""

    seq: int
    time: datetime
    source: Source
    deed: Remark
    text: str
    """It in the game's notation, as it was recorded."""
    small: str
    """What counts of it in that notation, to be read beside the words; empty where they say it all."""
    because: Message | str
    counts: bool
    """False when it was taken back, left out, or does not fit."""
    mend: Remedy | None
    """What people can do about it."""
    corrected: bool
    """Whether a later entry changed what it says."""


@dataclass(frozen=True)
class CorrectionQuestion:
    """What a corrected entry asks, and the changes that give each answer."""

    deed: Remark
    text: Message
    answers: Sequence[tuple[Message | Remark | None, list[str]]]


@dataclass(frozen=True)
class ChangeInWords:
    """A change in words: what the entry said, and what it would say."""

    seq: int
    before: Remark | None
    after: Remark | None
    lines: tuple[str, str] = ("", "")
    """Both in the game's notation, where the words do not tell them apart."""


@correction_blueprint.get("/log")
def show(id: str) -> str:
    session = house().sessions.session(id)
    details = "details" in request.args
    return render_template(
        "log.html", session=session, game=session.game, lines=_lines(session), details=details
    )


@correction_blueprint.get("/correct/<int:seq>")
@changes_game
def ask(id: str, seq: int) -> ViewResult:
    """The table as it was before that entry, so that people can show what really happened."""
    session = house().sessions.session(id)
    step = _step(session, seq)
    if isinstance(step.event, Started):
        return _ask_setup(session)
    position = session.fold.before(seq)
    if begin := _as_it_was_told(session, position, step.event):
        return redirect(url_for("correct.ask", id=id, seq=seq, **begin), 303)
    was = notation.write_entry(session.game, step.event)
    wish = {**wishes(), "was": was}
    return render_template(
        "correct.html",
        session=session,
        game=session.game,
        seq=seq,
        deed=entry_in_words(session, step.event),
        view=session.game.page(position, wish),
        turn=session.game.turn(position),
        rows=tally_rows(session),
        lit=frozenset(),
        acting=True,
        ticked=was.split()[1:],
        because=notation.split_reason(was)[1],
        wish=wish,
        record_to=url_for("correct.preview", id=id),
        action=session.game.turn(position).action,
    )


def _as_it_was_told(session: Session, position: object, event: object) -> dict[str, Any]:
    """A correction begins with what the entry says; whoever goes back from there tells it afresh."""
    if request.args.keys() - {"change"} or not _is_a_move(event):
        return {}
    told = dict(session.game.describe(event, position, session.setup.players).told_at)
    return {**told, "told": "1", "change": request.args.getlist("change")} if told else {}


@correction_blueprint.get("/correct")
@changes_game
def preview(id: str) -> ViewResult:
    """What the correction would change, before anything is recorded."""
    session = house().sessions.session(id)
    try:
        asked = _asked(session)
        difference = house().sessions.difference(id, asked, say(_AFTER))
    except CompanionError as error:
        return render_session(session, error.message, status_of(error))
    changes = {} if isinstance(asked, int) else asked
    told = [_told(difference, change.seq, change.event) for change in difference.differing]
    return render_template(
        "difference.html",
        session=session,
        game=session.game,
        difference=difference,
        told=told,
        kept=len(difference.kept - difference.displaced),
        displaced=len(difference.displaced),
        before=session.game.page(difference.before.position, {}),
        after=session.game.page(difference.after.position, {}),
        left_out=[(misfit, entry_in_words(session, misfit.event)) for misfit in difference.left_out],
        changes=_listed(changes),
        details="details" in request.args,
        questions=[] if isinstance(asked, int) else [*_questions(difference, changes)],
    )


@correction_blueprint.post("/correct")
@changes_game
def accept(id: str) -> ViewResult:
    seq = request.form.get("seq", type=int) or 0
    try:
        asked = request.form.get("take_back", type=int) or _asked_before(request.form.getlist("change"))
        house().sessions.correct(id, seq, asked, Source.PAGE, say(_AFTER))
    except CompanionError as error:
        return render_session(house().sessions.session(id), error.message, status_of(error))
    return redirect(url_for("play.show", id=id), 303)


@correction_blueprint.post("/first")
@changes_game
def begin_with(id: str) -> ViewResult:
    """Let somebody else begin: the table is told from their seat on, as long as nobody has moved."""
    session = house().sessions.session(id)
    try:
        first, players = whole_field("first", 1), session.setup.players
        if not session.untouched or not 0 <= first < len(players):
            raise NotationError(_("The game has begun already."))
        setup = replace(session.setup, players=(*players[first:], *players[:first]))
        if first:
            start = notation.write_entry(session.game, Started(setup))
            house().sessions.correct(id, whole_field("seq"), {1: start}, Source.PAGE)
    except CompanionError as error:
        return render_session(session, error.message, status_of(error))
    return redirect(url_for("play.show", id=id), 303)


def _listed(changes: Mapping[int, str]) -> list[str]:
    return [f"{seq}:{text}" for seq, text in changes.items()]


def _questions(difference: Difference, asked: Mapping[int, str]) -> Iterator[CorrectionQuestion]:
    write = difference.after.game.write
    for change, doubt in difference.questions:
        answers = [(one.text, _listed({**asked, change.seq: write(one.events[0])})) for one in doubt.choices]
        yield CorrectionQuestion(entry_in_words(difference.after, change.event), doubt.question, answers)


def _ask_setup(session: Session) -> ViewResult:
    game, form = session.game, form_of(session.setup)
    return render_template(
        "correct_setup.html", session=session, game=game, form=form, **setup_choices(game, form)
    )


def _step(session: Session, seq: int) -> CountedEvent:
    step = next((step for step in effective_events(session.entries) if step.seq == seq), None)
    if step is None:
        abort(404)
    return step


def _told(difference: Difference, seq: int, event: object | None) -> ChangeInWords:
    """What the entry says until now, if no earlier correction took it out, and what it would say."""
    session = difference.before
    step = next((step for step in effective_events(session.entries) if step.seq == seq), None)
    before = entry_in_words(session, step.event) if step else None
    after = entry_in_words(difference.after, event) if event else None
    if step and before and after and _in_words(before) == _in_words(after):
        return ChangeInWords(
            seq, before, after, (_small(session.game, step.event), _small(session.game, event))
        )
    return ChangeInWords(seq, before, after)


def _in_words(told: Remark) -> Remark:
    return replace(told, where=(), told_at=())


def _small(game: AnyGame, event: object) -> str:
    """A move in the game's notation, without the reason that people gave."""
    return notation.split_reason(game.write(event))[0] if _is_a_move(event) else ""


def _is_a_move(event: object) -> bool:
    return not isinstance(event, (Started, Corrected, Unreadable, Filed))


def _asked(session: Session) -> CorrectionRequest:
    """A correction to take back; or those asked for so far, and the newest one from the form that was just sent."""
    correction = request.args.get("take_back", type=int)
    if correction is not None:
        return correction
    changes = _asked_before(request.args.getlist("change"))
    entry = request.args.get("entry", type=int)
    if entry == 1:
        changes[1] = notation.write_entry(session.game, Started(setup_from(session.game, request.args)))
    elif entry is not None:
        text = " ".join([request.args.get("event", ""), *request.args.getlist("with")]).strip()
        changes[entry] = notation.with_reason(text, request.args.get("because", "").strip()[:200])
    return changes


def _asked_before(texts: list[str]) -> dict[int, str]:
    pairs = (text.partition(":") for text in texts)
    return {int(seq): event for seq, _colon, event in pairs if re.fullmatch("[0-9]{1,7}", seq)}


def _lines(session: Session) -> list[LogLine]:
    """The log, the newest entry first; undo and redo show in what they did, not as lines of their own."""
    gone = without_effect(session.entries)
    counting = {step.seq: step.event for step in effective_events(session.entries)}
    misfits = {misfit.seq for misfit in session.fold.misfits}
    found = [
        _line(session, entry, counting.get(entry.seq), entry.seq not in gone and entry.seq not in misfits)
        for entry in session.entries
        if not isinstance(entry.event, (Withdrawn, Restored))
    ]
    return found[::-1]


def _because(game: AnyGame, event: object) -> Message | str:
    """Why people overruled the rules, wherever the game keeps it."""
    return notation.told_reason(notation.split_reason(game.write(event))[1]) if _is_a_move(event) else ""


def _line(session: Session, entry: Entry, counting: object | None, stands: bool) -> LogLine:
    event = counting or entry.event
    of_its_own = isinstance(entry.event, (Corrected, Filed))
    deed = entry_in_words(session, event)
    return LogLine(
        seq=entry.seq,
        time=entry.time,
        source=entry.source,
        deed=deed,
        text=notation.write_entry(session.game, entry.event),
        small="" if deed.whole else _small(session.game, event),
        because=_because(session.game, event),
        counts=stands and (counting is not None or of_its_own),
        mend=_mend(entry, counting, entry.seq in without_effect(session.entries)),
        corrected=counting is not None and counting != entry.event,
    )


def _mend(entry: Entry, counting: object | None, gone: bool) -> Remedy | None:
    if gone or isinstance(entry.event, Filed):
        return None
    if isinstance(entry.event, Corrected):
        return Remedy.TAKE_BACK
    return Remedy.CORRECT if counting is not None else Remedy.BRING_BACK
