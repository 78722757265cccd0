"""The points of a position as lines that say why; among equals, the Initiative decides."""

from __future__ import annotations

from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand
from companion.games.dominations.rules.position import LedgerUnit, Position
from companion.games.dominations.text.reasons import reason_then


def tally(position: Position) -> Tally:
    """Everything on the Victory track; rulebook 004: most points win, and a tie goes to whoever is nearer the first."""
    lines = tuple(
        TallyLine(line.player, reason_then(line), line.amount, line.working, line.where)
        for line in position.lines
        if line.unit is LedgerUnit.POINTS
    )
    nearer = tuple(position.players - position.order.index(player) for player in range(position.players))
    criteria = [
        Criterion("score", _("points"), position.points),
        Criterion("initiative", _("Initiative"), nearer),
    ]
    return Tally(position.players, lines, stand(criteria))
