"""Kingdoms read as they lie at the end of a session, for a table that only wants its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import message as _
from companion.core.observation import Choice, Doubt, Observation, Proposal, Reading
from companion.games.kingdomino.events import KingdomShown
from companion.games.kingdomino.kingdom import HOME, Kingdom, kingdom_of
from companion.games.kingdomino.pieces import CASTLE
from companion.games.kingdomino.position import Position
from companion.games.kingdomino.seen import LABELS, Seen, area_of

SURE = 0.5


def read_kingdoms(setup: Setup, position: Position, seen: Seen) -> Reading:
    proposals, doubts = [], []
    for player, squares in enumerate(seen.kingdoms):
        for kingdom in _shown(position, player, squares or {}):
            event, area = KingdomShown(player, kingdom), area_of((squares or {}).values())
            if min(one.confidence for one in (squares or {}).values()) >= SURE:
                proposals.append(Proposal(event, area))
            else:
                question = _(
                    "Not every square of %(name)s is clear. Is it this kingdom?",
                    name=setup.players[player].name,
                )
                answers = Choice((event,)), Choice((), _("No: look again"))
                doubts.append(Doubt(question, answers, area, player))
    return Reading(tuple(proposals), tuple(doubts))


def _shown(position: Position, player: int, squares: Mapping[Cell, Observation]) -> Iterator[Kingdom]:
    """The kingdom that is seen, unless it is the one in the log, or none that could be."""
    if not squares:
        return
    read = {HOME: CASTLE, **{cell: LABELS[one.label] for cell, one in squares.items()}}
    kingdom = kingdom_of(read, position.size)
    fits = max(kingdom.bounds.columns, kingdom.bounds.rows) <= position.size
    if fits and dict(kingdom.squares) != dict(position.kingdoms[player].squares):
        yield kingdom
