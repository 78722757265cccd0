"""The points of a position as lines that say why; among equals, the Initiative decides."""

from __future__ import annotations

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand
from companion.games.dominations.position import Line, Position, Unit
from companion.games.dominations.rulings import ANSWER_TEXTS


def tally(position: Position) -> Tally:
    """Everything on the Victory track; rulebook 004: most points win, and a tie goes to whoever is nearer the first."""
    lines = tuple(
        TallyLine(line.player, reason(position, line), line.amount, line.working, line.where)
        for line in position.lines
        if line.unit is Unit.POINTS
    )
    nearer = tuple(position.players - position.order.index(player) for player in range(position.players))
    criteria = [
        Criterion("score", _("points"), position.points),
        Criterion("initiative", _("Initiative"), nearer),
    ]
    return Tally(position.players, lines, stand(criteria))


def reason(position: Position, line: Line) -> Message:
    """Why a number changed, when, and by which ruling of the table."""
    told = _("%(why)s, in Era %(era)d", why=line.why, era=line.era)
    for question in line.rulings:
        answer = ANSWER_TEXTS[position.ruling(question)]
        told = _("%(why)s (ruling: %(answer)s)", why=told, answer=answer)
    return told
