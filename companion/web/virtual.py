"""The virtual table as people touch it: pieces, disturbances, faults, and the buttons of its panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import hypot
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup

from companion.core.errors import CompanionError, IllegalEvent, NotationError
from companion.core.log import undoable
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Face, PlacedPiece, offset_in
from companion.core.session import Session
from companion.web.access import ViewResult, changes_game, inside_path
from companion.web.context import existing, house
from companion.web.errors import status_of
from companion.web.forms import NOT_UNDERSTOOD, flag_field, key_field, measure_field, whole_field
from companion.web.watch_presenter import CAMERA, watch_view

if TYPE_CHECKING:
    from companion.virtual.table import VirtualTable

virtual_blueprint = Blueprint("virtual", __name__)

TENTHS = 10
"""Units of the drawings in a millimetre."""
SHORTEST_S, LONGEST_S = 0.02, 5.0
"""How long a button can be held down."""
COMMON = "common"
"""The seat of the button that belongs to everybody."""
NUDGE_MM, TURN_DEGREES = 10, 15
"""How far the arrows move a piece, and turn it."""

_NO_PIECE = _("There is no such piece on this table or in its box. Nothing was moved.")
_NO_SUCH = _("The virtual table has nothing of that name. Nothing was changed.")
_NO_HAND = _("The invisible hand plays the game of the demonstration only.")


@dataclass(frozen=True)
class DrawnPiece:
    """A piece as it is drawn."""

    name: str
    number: int
    """Of its face among all faces."""
    lying: PlacedPiece
    face: Face
    stack: int = 1
    """How many of its look lie in the box; of these, one is drawn."""

    @property
    def size(self) -> tuple[float, float]:
        return self.face.width * TENTHS, self.face.height * TENTHS

    @property
    def reach(self) -> float:
        """How far it reaches from its middle, however it is turned."""
        return hypot(*self.size) / 2

    @property
    def place(self) -> str:
        """Where its drawing goes, as SVG says it."""
        width, height = self.size
        x, y = self.lying.x * TENTHS, self.lying.y * TENTHS
        return (
            f"translate({x:.1f} {y:.1f}) rotate({self.lying.angle:.2f}) translate({-width / 2} {-height / 2})"
        )


@virtual_blueprint.get("/table")
def show() -> ViewResult:
    return render()


@virtual_blueprint.get("/table/version")
def version() -> Response:
    """So that pages can ask whether they are up to date."""
    watcher = house().watcher
    watch = watcher.watch if watcher else None
    seq = _seq(_table(), _session())
    answer = jsonify(seq=seq, **({"watch": watch.version} if watch and watch.session else {}))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@virtual_blueprint.post("/virtual/put")
@changes_game
def put() -> ViewResult:
    """Lay a piece somewhere on the table."""
    table = _table()

    def lay() -> str:
        piece = key_field("piece")
        x, y = measure_field("x", 0, table.width), measure_field("y", 0, table.height)
        table.put(piece, x, y, measure_field("angle", -720, 720) % 360)
        return piece

    return _tried(lay, _NO_PIECE)


@virtual_blueprint.post("/virtual/remove")
@changes_game
def remove() -> ViewResult:
    """Put a piece back into the box."""
    return _tried(lambda: _table().remove(key_field("piece")), _NO_PIECE)


@virtual_blueprint.post("/virtual/switch")
@changes_game
def switch() -> ViewResult:
    return _tried(lambda: _table().switch(key_field("key"), flag_field("on")), _NO_SUCH)


@virtual_blueprint.post("/virtual/cause")
@changes_game
def cause() -> ViewResult:
    return _tried(lambda: _table().cause(key_field("key")), _NO_SUCH)


@virtual_blueprint.post("/virtual/play")
@changes_game
def play() -> ViewResult:
    """Let the invisible hand play, or take one's seat."""

    def change() -> None:
        demonstration = house().demonstration if _has_hand(_session()) else None
        if flag_field("on") and not demonstration:
            raise IllegalEvent(_NO_HAND)
        _table().play(flag_field("on"))
        if demonstration and not flag_field("on"):
            demonstration.stop()  # what is played from here on is somebody's own

    return _tried(change, _NO_SUCH)


@virtual_blueprint.post("/virtual/push")
@changes_game
def push() -> ViewResult:
    """Hold a button of the panel down, and lead back to where it was pushed."""
    try:
        _table().push(_seat(), measure_field("seconds", SHORTEST_S, LONGEST_S))
    except CompanionError as error:
        return render(error.message, status_of(error))
    if "X-Fragment" in request.headers:
        return Response(status=204)
    return redirect(inside_path(request.form.get("back", "")), 303)


@virtual_blueprint.get("/virtual/<any(put, remove, switch, cause, play, push):_done>")
def back(_done: str) -> ViewResult:
    """A refused tap leaves a browser without scripts at its address: from there it leads to the table."""
    return redirect(url_for("virtual.show", piece=request.args.get("piece")), 303)


def render(message: Message | None = None, status: int = 200) -> ViewResult:
    """The virtual table, or its inner part for a page that is open already."""
    table, session = _table(), _session()
    version = _seq(
        table, session
    )  # before anything is looked at: what changes meanwhile makes it another one
    faces = dict(table.faces)
    numbers = {label: number for number, label in enumerate(faces)}

    def drawn(pieces: Sequence[PlacedPiece]) -> list[DrawnPiece]:
        return [DrawnPiece(p.piece, numbers[p.face], p, faces[p.face]) for p in pieces if p.face in faces]

    lying = drawn(table.lying)
    wished = request.values.get("piece", "")
    aside = _stacked(drawn([_turned(piece) for piece in table.aside]), wished)
    held = next((piece for piece in (*lying, *aside) if piece.name == wished), None)
    faults = table.faults
    page = render_template(
        "virtual.html",
        table=table,
        version=version,
        faces=[Markup(face.drawing) for face in faces.values()],  # drawings are our own games' markup
        mark=_mark(faces.values()),
        furniture=[_ours(face, area) for face, area in table.furniture],
        covered=any(_covers(area.lit, piece) for _face, area in table.furniture for piece in table.lying),
        lying=lying,
        aside=aside,
        held=held,
        in_hand=held is not None and held in aside,
        faults=faults,
        odd={name for fault in faults for name in fault.pieces},
        session=session,
        seen=watch_view(session, CAMERA) if session else None,
        undo=undoable(session.entries) if session else None,
        demonstrating=table.playing,
        has_hand=_has_hand(session),
        message=message,
        zoomed=request.values.get("zoom") == "1",
        step={"move": NUDGE_MM, "turn": TURN_DEGREES},
    )
    return page, status


def _stacked(pieces: Sequence[DrawnPiece], wished: str) -> list[DrawnPiece]:
    """One of each look, the one in hand if there is one: a box of many pieces is taken in at a glance."""
    stacks: dict[int, list[DrawnPiece]] = {}
    for piece in pieces:
        stacks.setdefault(piece.number, []).append(piece)
    tops = (next((piece for piece in stack if piece.name == wished), stack[0]) for stack in stacks.values())
    return [replace(top, stack=len(stacks[top.number])) for top in tops]


def _tried(change: Callable[[], str | None], unknown: Message) -> ViewResult:
    """Do what was tapped, or show the table as it is with the reason why not."""
    try:
        piece = change()
    except CompanionError as error:
        return render(error.message, status_of(error))
    except KeyError:
        return render(unknown, 404)
    zoom = "1" if request.form.get("zoom") == "1" else None
    return redirect(url_for("virtual.show", piece=piece, zoom=zoom), 303)


def _table() -> VirtualTable:
    return existing(house().virtual)


def _seq(table: VirtualTable, session: Session | None) -> int:
    """Grows whenever something changes that the page shows, but for what the camera sees."""
    return table.version + (session.seq if session else 0)


def _turned(piece: PlacedPiece) -> PlacedPiece:
    """A piece of the box, turned as it is held."""
    turn = request.values.get("turn", "")
    held = piece.piece == request.values.get("piece") and re.fullmatch("[0-9]{1,3}", turn)
    return replace(piece, angle=float(turn) % 360) if held else piece


def _ours(face: Face, area: Area) -> tuple[DrawnPiece, str]:
    """Our own tablet or lamps, and the corners of what is not read around them."""
    unread = " ".join(f"{x * TENTHS:.0f},{y * TENTHS:.0f}" for x, y in area.lit.corners)
    return DrawnPiece("", -1, PlacedPiece("", face.label, area.x, area.y, area.angle), face), unread


def _covers(area: Area, piece: PlacedPiece) -> bool:
    """Whether a piece's middle lies there."""
    across, down = offset_in(area, piece.x, piece.y)
    return abs(across) < area.width / 2 and abs(down) < area.height / 2


def _has_hand(session: Session | None) -> bool:
    """Whether there is a hand that knows this game."""
    demonstration = house().demonstration
    return session is not None and demonstration is not None and demonstration.played(session.id)


def _session() -> Session | None:
    """The session that the camera over this table watches."""
    watcher = house().watcher
    id = watcher.watch.session if watcher else ""
    try:
        return house().sessions.session(id) if id else None
    except CompanionError:
        return None


def _seat() -> int | None:
    """Whose button; None is everybody's."""
    if request.form.get("seat") == COMMON:
        return None
    session, seat = _session(), whole_field("seat")
    if session is None or seat >= len(session.setup.players):
        raise NotationError(NOT_UNDERSTOOD)
    return seat


def _mark(faces: Iterable[Face]) -> str:
    """Changes when the table gets other faces, so that open pages fetch them."""
    return sha256("".join(face.label + face.drawing for face in faces).encode()).hexdigest()[:12]
