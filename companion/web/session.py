"""A session on the page: what it looks like now, the taps that move it on, the stream that tells open pages of
news, and how it ended.

A button's value is a line of the game's notation; nothing here turns form fields into moves. Server-sent
events carry only a number: whoever hears of a greater one asks for their own address again.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup

from companion.core.errors import CompanionError, NotationError
from companion.core.game import INKS, Player, Remark
from companion.core.log import Entry, Source, Withdrawn, redoable, undoable
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.session import Session, entry_in_words
from companion.core.tally import Deciding, TallyLine, what_decided
from companion.sessions.exports import bg_stats_link, bg_stats_play
from companion.sessions.index import summary
from companion.web.access import REMEMBER_S, ViewResult, changes_game, may_change
from companion.web.context import House, house, language, printed_language, say, theme
from companion.web.errors import status_of
from companion.web.forms import whole_field
from companion.web.watch_presenter import CAMERA, DRAWN, announced, watch_view, watched_state, watches_another

if TYPE_CHECKING:
    from companion.virtual.demonstration import Demonstration
    from companion.watch.watcher import TableWatcher

play_blueprint = Blueprint("play", __name__, url_prefix="/s")

REASON_LIMIT = 200
WRITTEN = "say"
"""How the names of fields begin in which people write something themselves, to be shown again with the page."""
AWAY, MOST_AWAY = "away", 20
"""The cookie that names games for which a device has put a notice away, and how many of them."""
ROOM = re.compile(r"[a-z]{1,12}[0-9]?")
"""A part of the table that somebody stays in while they tap there; with a number, where everybody has one."""


@dataclass(frozen=True)
class TallyRow:
    """A player in the tally."""

    number: int
    player: Player
    total: int
    rank: int
    gained: int
    """How much the last entry changed the total."""
    fresh: tuple[TallyLine, ...]
    """The lines that were not there before the last entry."""
    lines: tuple[tuple[int, TallyLine], ...]
    """Each with its place among the player's lines, those that bring most first."""

    @property
    def best(self) -> TallyLine | None:
        """The fresh line that brings most."""
        return max(self.fresh, key=lambda line: line.points, default=None)

    @property
    def why(self) -> Message | None:
        """The reason that brings most; where others brought the rest, how many they are."""
        others = len(self.fresh) - 1
        if self.best is None or others < 1 or self.best.points == self.gained:
            return self.best.reason if self.best else None
        return _("%(reason)s, and %(count)d more", reason=self.best.reason, count=others)

    @property
    def sum(self) -> str:
        """How what was gained is reckoned; empty when a line has only grown, whose sum would say something else."""
        return self.best.working if self.best and self.best.points == self.gained else ""

    @property
    def extras(self) -> tuple[TallyLine, ...]:
        """Points that are no sum of what lies on the table: bonuses, earlier games; equal ones are one."""
        found = [
            replace(line, where=()) for _n, line in sorted(self.lines) if line.points and not line.working
        ]
        alike = [(line, found.count(line)) for n, line in enumerate(found) if line not in found[:n]]
        return tuple(
            replace(line, points=count * line.points, working=f"{count} × {line.points}" if count > 1 else "")
            for line, count in alike
        )


@play_blueprint.get("/<id>")
def show(id: str) -> ViewResult:
    """The page; when one tap makes every tablet ask for the same inner part, it is drawn once."""
    session = house().sessions.session(id)
    if "X-Fragment" not in request.headers:
        return render_session(session)
    watch = watched_state(id)
    key = (
        *(id, session.seq, watch.version if watch else None, request.query_string),
        *(
            language(),
            printed_language(),
            theme(),
            may_change(),
            _demonstrating(session),
            _told_elsewhere(session),
            announced(watch) is None,
        ),
    )
    answer: ViewResult = house().drawn.get(key, lambda: render_session(session))
    return answer


@play_blueprint.post("/<id>/record")
@changes_game
def record(id: str) -> ViewResult:
    """Record an event: its notation is the value of the button, `with` the parts people ticked."""
    text = " ".join([request.form.get("event", ""), *request.form.getlist("with")]).strip()
    because = request.form.get("because", "").strip()[:REASON_LIMIT]
    if "overrule" in request.form and not because:
        return render_refusal(id, NotationError(_("Say why, so that everybody understands it later.")))
    return _tried(id, lambda seq: house().sessions.record(id, seq, text, Source.PAGE, because))


@play_blueprint.post("/<id>/draw")
@changes_game
def draw(id: str) -> ViewResult:
    """Let the companion shuffle, for a table without the box."""
    session = house().sessions.session(id)
    if _drawn_already(session, request.form.get("seq", "")):
        return redirect_to_table(id)
    event = session.game.draw(session.position, secrets.randbits(64))
    if event is None:
        return render_refusal(id, NotationError(_("There is nothing to draw now.")))
    return _tried(id, lambda seq: house().sessions.record(id, seq, session.game.write(event), Source.PAGE))


def _drawn_already(session: Session, seq: str) -> bool:
    """Whether the entry after the one a device saw is such a draw: the tap was sent twice, or two tapped."""
    after = next((step for step in session.fold.steps if str(step.seq - 1) == seq), None)
    drawn = after and session.game.draw(session.fold.before(after.seq), 0)
    return after is not None and type(after.event) is type(drawn)


@play_blueprint.post("/<id>/undo")
@changes_game
def undo(id: str) -> ViewResult:
    return _tried(id, lambda seq: house().sessions.undo(id, seq, Source.PAGE))


@play_blueprint.post("/<id>/redo")
@changes_game
def redo(id: str) -> ViewResult:
    return _tried(id, lambda seq: house().sessions.redo(id, seq, Source.PAGE))


@play_blueprint.post("/<id>/take-over")
@changes_game
def take_over(id: str) -> ViewResult:
    """The demonstration, or the invisible hand, stops, and the people go on with its game."""
    demonstration, virtual = house().demonstration, house().virtual
    if virtual and watched_state(id):
        virtual.play(False)
    if demonstration and demonstration.played(id):
        id = demonstration.session or id
        demonstration.stop()
    return redirect_to_table(id)


@play_blueprint.post("/<id>/away")
@changes_game
def dismiss(id: str) -> ViewResult:
    """Say no more on this device that the camera watches another game."""
    answer = redirect(url_for("play.show", id=house().sessions.session(id).id), 303)
    kept = [other for other in _dismissed() if other != id][1 - MOST_AWAY :]
    answer.set_cookie(AWAY, ".".join([*kept, id]), max_age=REMEMBER_S, samesite="Lax")
    return answer


@play_blueprint.get("/<id>/<any(record, draw, undo, redo, away, 'take-over'):_done>")
def back(id: str, _done: str) -> ViewResult:
    """A refused tap leaves a browser without scripts at its address: links and menus there lead to the table."""
    return redirect(f"{url_for('play.show', id=id)}?{request.query_string.decode(errors='replace')}", 303)


def render_session(session: Session, message: Message | None = None, status: int = 200) -> ViewResult:
    """The session's page, or its inner part for a page that is open already."""
    wish = wishes()
    demonstrating = _demonstrating(session)
    view = session.game.page(session.position, wish)
    page = render_template(
        "session.html",
        session=session,
        game=session.game,
        view=view,
        touched=_told_at(session, view.get("touched", ())),
        rows=tally_rows(session),
        lit=_lit(session, wish.get("why", "")),
        wish=wish,
        message=message,
        undo=_told(session, undoable(session.entries)),
        redo=_told(session, redoable(session.entries)),
        taken_back=_taken_back(session),
        demonstrating=demonstrating,
        acting=may_change() and not demonstrating and not (session.filing.closed or session.filing.deleted),
        record_to=url_for("play.record", id=session.id),
        action=session.turn.action,
        seen=watch_view(session),
        elsewhere=_told_elsewhere(session),
    )
    return page, status


def redirect_to_table(id: str) -> ViewResult:
    """Lead back to the table: drawn or under the camera, and to the part of it, as the person had it."""
    view, room = request.form.get("view"), request.form.get("room", "")
    view = view if view in (CAMERA, DRAWN) else None
    return redirect(url_for("play.show", id=id, view=view, room=room if ROOM.fullmatch(room) else None), 303)


def wishes() -> dict[str, str]:
    """What the person points at, from the address; only what they write has letters beyond ASCII."""
    written = {key: value[:REASON_LIMIT] for key, value in request.args.items() if key.startswith(WRITTEN)}
    return {key: value[:100] for key, value in request.args.items() if value.isascii()} | written


def _told_elsewhere(session: Session) -> bool:
    """Whether to say that the camera watches another game: to whoever may change that, until they put it away."""
    return may_change() and watches_another(session) and session.id not in _dismissed()


def _dismissed() -> list[str]:
    """The games of which this device knows that the camera watches another one."""
    return request.cookies.get(AWAY, "").split(".")


def _demonstrating(session: Session) -> bool:
    demonstration, virtual = house().demonstration, house().virtual
    if virtual and virtual.playing and watched_state(session.id):
        return True
    return demonstration is not None and demonstration.session == session.id


def tally_rows(session: Session) -> Sequence[TallyRow]:
    """The players in the order they sit, with what the last entry brought them."""
    tally, positions = session.tally, session.fold.positions
    plain = len(positions) > 1 and session.fold.steps[-1].seq == session.seq
    before = session.game.tally(positions[-2]) if plain else tally
    found = []
    for number, player in enumerate(session.setup.players):
        old = before.of(number)
        found.append(
            TallyRow(
                number=number,
                player=player,
                total=tally.totals[number],
                rank=tally.standing.ranks[number],
                gained=tally.totals[number] - before.totals[number],
                fresh=tuple(line for line in tally.of(number) if line not in old and line.points),
                lines=tuple(sorted(enumerate(tally.of(number)), key=lambda numbered: -numbered[1].points)),
            )
        )
    return found


def _told(session: Session, seq: int | None) -> Remark | None:
    entry: Entry | None = next((entry for entry in session.entries if entry.seq == seq), None)
    return entry_in_words(session, entry.event) if entry else None


def _taken_back(session: Session) -> Remark | None:
    """What the last entry took back, when that is what it did."""
    last = session.entries[-1].event
    return _told(session, last.seq) if isinstance(last, Withdrawn) else None


def _lit(session: Session, why: str) -> frozenset[str]:
    """The places somebody asked about: of a tally's line `player.line`, a problem `p.number`, an entry `e.number`."""
    player, _dot, line = why.partition(".")
    if player == "e":
        told = _told(session, int(line)) if line.isdigit() and len(why) < 12 else None
        return frozenset(told.where if told else ())
    if player == "p":
        problems = session.problems[int(line) :] if line.isdigit() and len(why) < 8 else ()
        return frozenset(problems[0].where if problems else ())
    if not (player.isdigit() and line.isdigit() and len(why) < 8):
        return frozenset()
    lines = session.tally.of(int(player))
    return frozenset(lines[int(line)].where) if int(line) < len(lines) else frozenset()


def _told_at(session: Session, places: Collection[str]) -> Sequence[tuple[int, Remark]]:
    """The entries that count and speak of one of these places, the newest first, each with its number."""
    steps = reversed(session.fold.steps) if places else ()
    told = ((step.seq, entry_in_words(session, step.event)) for step in steps)
    return [(seq, remark) for seq, remark in told if not set(places).isdisjoint(remark.where)]


def _tried(id: str, change: Callable[[int], Session]) -> ViewResult:
    """Do what was tapped, or show the session as it is with the reason why not."""
    try:
        change(whole_field("seq"))
    except CompanionError as error:
        return render_refusal(id, error)
    return redirect_to_table(id)


def render_refusal(id: str, error: CompanionError) -> ViewResult:
    """The session as it is, with the reason why nothing was recorded."""
    return render_session(house().sessions.session(id), error.message, status_of(error))


result_blueprint = Blueprint("result", __name__, url_prefix="/s/<id>")

TOKEN_ART = Path(__file__).parent / "static" / "art.svg"

LETTER = 0.62
"""How wide a letter of a bold text is at most on average, measured by its height."""


@result_blueprint.get("/result", endpoint="show")
def show_result(id: str) -> str:
    session = house().sessions.session(id)
    told = summary(session)
    return render_template(
        "result.html",
        session=session,
        game=session.game,
        rows=_ranked(id),
        summary=told,
        decided=_decided(session),
        bg_stats=bg_stats_link(bg_stats_play(told, session.game, say)),
    )


def _decided(session: Session) -> Deciding | None:
    """What brought the victory, once there is one."""
    return what_decided(session.tally) if session.turn.over else None


@result_blueprint.app_template_filter("letters")
def letters(text: str, room: int, largest: int) -> int:
    """The size of letters by which the text fits into that room of a picture."""
    return min(largest, int(room / (LETTER * max(1, len(text)))))


@result_blueprint.get("/result.svg")
def picture(id: str) -> Response:
    """The result as one picture that stands on its own."""
    session = house().sessions.session(id)
    view = session.game.page(session.position, {})
    drawn = session.game.folder / "static" / "faces.svg"
    faces = Markup(drawn.read_text(encoding="utf-8") if drawn.is_file() else "")
    svg = render_template(
        "result.svg",
        session=session,
        game=session.game,
        view=view,
        rows=_ranked(id),
        summary=summary(session),
        decided=_decided(session),
        faces=faces,
        tokens=_tokens(),
        inks=INKS,
        standalone=True,
    )
    # The picture carries its own style, and may do nothing else.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(svg, mimetype="image/svg+xml", headers=headers)


@result_blueprint.get("/export")
def export(id: str) -> Response:
    session = house().sessions.session(id)
    name = f"{session.game.key}-{session.id}.jsonl"
    return Response(
        house().sessions.export(id),
        mimetype="application/jsonl",
        headers={"Content-Disposition": f"attachment; filename={name}"},
    )


def _tokens() -> Markup:
    """The shapes of the players' colours."""
    drawn = TOKEN_ART.read_text(encoding="utf-8")
    return Markup("".join(re.findall(r'<symbol id="colour-.*?</symbol>', drawn, re.DOTALL)))


def _ranked(id: str) -> list[TallyRow]:
    found = tally_rows(house().sessions.session(id))
    return sorted(found, key=lambda row: (row.rank, row.number))


stream_blueprint = Blueprint("live", __name__)

HEARTBEAT_S = 10.0
"""How long a quiet stream waits before it says that it is still there."""
LOOK_S = 1.0
"""How soon a stream notices that its page has gone, and gives its place to another."""
RETRY_MS = 1000
"""How soon a page asks again after the stream broke."""


@stream_blueprint.get("/s/<id>/events")
def events(id: str) -> Response:
    """Server-sent events: one at once, one for every entry, and a sign of life in between."""
    house().sessions.session(id)  # a session that is not there gets its answer before the stream begins
    if not house().streams.enter(house().listeners):
        return Response("", 503, {"Retry-After": "5"})
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_stream(house(), id, gone), mimetype="text/event-stream")
    response.headers |= {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response.call_on_close(house().streams.leave)
    return response


def _stream(inside: House, id: str, gone: Callable[[], bool]) -> Iterator[str]:
    sessions = inside.sessions
    number = sessions.news.wait(-1, 0)
    yield f"retry: {RETRY_MS}\n\n"
    told, spoke = "", monotonic()
    with sessions.news.watching(id):
        while not (sessions.news.closed or inside.retired.is_set() or gone()):
            nudges = sessions.news.nudges
            try:
                seq = sessions.session(id).seq
            except CompanionError:
                return
            news = json.dumps({"seq": seq, **_seen(inside.watcher, id), **_next(inside.demonstration, id)})
            if news != told:
                yield f"id: {seq}\ndata: {news}\n\n"
                told, spoke = news, monotonic()
            elif monotonic() - spoke >= HEARTBEAT_S:
                yield ": still here\n\n"
                spoke = monotonic()
            number = sessions.news.wait(number, min(LOOK_S, HEARTBEAT_S), nudges)


def _seen(watcher: TableWatcher | None, id: str) -> dict[str, int]:
    """What the camera has to show, where it watches this session."""
    watch = watcher.watch if watcher else None
    return {"watch": watch.version} if watch and watch.session == id else {}


def _next(demonstration: Demonstration | None, id: str) -> dict[str, str]:
    """The game that a demonstration plays now, for pages that show the one before."""
    if demonstration is None or not demonstration.played(id) or demonstration.session == id:
        return {}
    return {"next": demonstration.session}
