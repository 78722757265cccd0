"""A game told again from its log, move by move: the table as it was, the points, and their course over the game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from companion.core.game import Colour, Player, Remark
from companion.core.log import Entry, Started
from companion.core.session import Session
from companion.web.access import ViewResult
from companion.web.context import house
from companion.web.session import tally_rows, wishes

replay_blueprint = Blueprint("replay", __name__, url_prefix="/s/<id>/replay")

WIDTH, HEIGHT = 1000, 200
"""Of the drawn curve, without the players' signs at its end."""
SIGN = 44
"""How far apart the players' signs are at least."""


@dataclass(frozen=True)
class Curve:
    """A player's points over the game, as a line."""

    player: Player
    line: str
    """Its corners, as SVG has them."""
    sign: float
    """How far down the player's sign stands at the end of it."""

    @property
    def colour(self) -> Colour:
        return self.player.colour


@replay_blueprint.get("")
def show(id: str) -> ViewResult:
    session = house().sessions.session(id)
    last = len(session.fold.steps)
    told = request.args.get("at", "")
    at = min(int(told), last) if re.fullmatch("[0-9]{1,6}", told) else last
    then = as_it_was(session, at)
    curves: Sequence[Curve] = house().drawn.get(("curves", id, session.seq), lambda: score_curves(session))
    return render_template(
        "replay.html",
        session=then,
        game=then.game,
        view=then.game.page(then.position, wishes()),
        rows=tally_rows(then),
        wish=wishes(),
        lit=frozenset(),
        acting=False,
        seen=None,
        record_to="",
        action=then.turn.action,
        at=at,
        last=last,
        deed=_deed(session, at),
        curves=curves,
        moment=WIDTH * at / max(1, last),
        width=WIDTH,
        height=HEIGHT,
    )


def as_it_was(session: Session, at: int) -> Session:
    """The session after so many of the events that count, by all that was put right since."""
    first, *_later = session.entries
    steps = {step.seq: step.event for step in session.fold.steps[:at]}
    begun = Entry(first.seq, Started(session.setup), first.source, first.time)
    told = [
        Entry(entry.seq, steps[entry.seq], entry.source, entry.time)
        for entry in session.entries
        if entry.seq in steps
    ]
    return Session(session.id, session.game, (begun, *told))


def score_curves(session: Session) -> Sequence[Curve]:
    """Everybody's points after each event."""
    totals = [session.game.tally(position).totals for position in session.fold.positions]
    low = min(0, *(min(row) for row in totals))
    high = max(1, *(max(row) for row in totals))
    steps = max(1, len(totals) - 1)
    found = []
    for seat, player in enumerate(session.setup.players):
        heights = [HEIGHT * (high - row[seat]) / (high - low) for row in totals]
        corners = (f"{WIDTH * step / steps:.1f},{height:.1f}" for step, height in enumerate(heights))
        found.append((heights[-1], player, " ".join(corners)))
    signs = _apart([height for height, _player, _line in found])
    return [Curve(player, line, sign) for (_height, player, line), sign in zip(found, signs, strict=True)]


def _apart(heights: Sequence[float]) -> Sequence[float]:
    """Where signs stand that belong at these heights: in their order, none over another."""
    order = sorted(range(len(heights)), key=lambda seat: heights[seat])
    highest = max(0.0, min(heights, default=0.0) - SIGN * (len(heights) - 1) / 2)
    placed: dict[int, float] = {}
    for seat in order:
        placed[seat] = max(heights[seat], highest)
        highest = placed[seat] + SIGN
    over = max(0.0, max(placed.values(), default=0.0) - HEIGHT)
    return [placed[seat] - over for seat in range(len(heights))]


def _deed(session: Session, at: int) -> Remark | None:
    """What the event did that the table shows the end of."""
    if not at:
        return None
    position = session.fold.positions[at - 1]
    return session.game.describe(session.fold.steps[at - 1].event, position, session.setup.players)
