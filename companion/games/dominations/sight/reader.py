"""What has happened on a table of Dominations since the log's last entry: territories are read, all else is tapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Contradiction, Doubt, Mark, Observation, Proposal, Reading
from companion.games.dominations.page.recolouring import next_to_lay, recolouring_wish
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.events import Event, TerritoryLaid, TurnEnded
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.sight.asking import (
    against_the_rules,
    colours_unread,
    which_first,
    which_territory,
    worker_or_next,
)
from companion.games.dominations.sight.disagreement import contradictions
from companion.games.dominations.sight.faces import SPOTS
from companion.games.dominations.sight.placed import (
    SURE_CONFIDENCE,
    AlignedTable,
    SeenTerritory,
    align,
    tile_of,
)
from companion.games.dominations.text.words import current_action

MOST_NEW = 2
"""A turn brings one territory, and the Worker another."""
MOST_CANDIDATES = 4
"""Territories offered where a colour is not clear."""


def read_table(
    position: Position, observations: Sequence[Observation], unknown: Sequence[Area] = ()
) -> Reading:
    placed = align(position.board, observations)
    if not placed.begun:
        return _nothing_of_the_board(position)
    found = tuple(contradictions(position, placed, unknown, MOST_NEW))
    new = [one for cell, one in placed.territories.items() if cell not in position.board.pieces]
    if not 0 < len(new) <= MOST_NEW or position.held or position.stage not in OF_A_TURN:
        return Reading(contradictions=found, waiting=_waits(position, placed))
    if len(new) > 1:
        return Reading(doubts=tuple(_which_first(position, new)), contradictions=found)
    proposals, doubts = _laid(position, new[0])
    return Reading(proposals, doubts, found)


def _nothing_of_the_board(position: Position) -> Reading:
    if position.board.tiles:
        return Reading(contradictions=(Contradiction(_("The territories of this game are not to be seen.")),))
    return Reading(waiting=_("Lay the Cradle in the middle of the table."))


def _waits(position: Position, placed: AlignedTable) -> Message:
    if position.held or position.stage is not GameStage.GROWTH:
        return current_action(position)
    if placed.loose:
        return _("A territory touches no other: push it up to them.")
    if not placed.card:
        return _("Lay the card with the colours where the camera sees it.")
    return current_action(position)


def _laid(position: Position, new: SeenTerritory) -> tuple[tuple[Proposal, ...], tuple[Doubt, ...]]:
    """What a new territory says: all of its colours are shown before anything counts."""
    marks, tile = marks_of(new), new.tile
    if position.stage is not GameStage.GROWTH and _may_be_workers(position) and tile and new.sure:
        workers = _events(position, new, tile, second=True)
        return (), (worker_or_next(workers, _events(position, new, tile), new, marks),)
    if not new.tints:
        return (), (colours_unread(new, marks),)
    if not new.sure or tile is None:
        ways = [_events(position, new, way) for way in candidate_tiles(new)]
        return (), (which_territory(ways, new, marks),)
    events = _events(position, new, tile)
    try:
        now = position
        for event in events:
            now = apply(now, event)
    except IllegalEvent as error:
        return (), (against_the_rules(error.message, events, new, marks),)
    *before, laid = (Proposal(event, None, 1.0, shown=False) for event in events)
    return (*before, replace(laid, area=new.area, confidence=new.seen.confidence, marks=marks)), ()


def _events(position: Position, new: SeenTerritory, tile: Tile, second: bool = False) -> tuple[Event, ...]:
    """The territory laid, and before it the end of a turn that nobody has told."""
    player = next_to_lay(position)
    if position.stage is GameStage.GROWTH or second or player is None:
        return (TerritoryLaid(position.player, tile, new.cell),)
    return (TurnEnded(position.player), TerritoryLaid(player, tile, new.cell))


def _may_be_workers(position: Position) -> bool:
    worker = "worker" in position.seats[position.player].roles
    return position.stage is GameStage.CONSTRUCTION and position.again and worker


def _which_first(position: Position, new: Sequence[SeenTerritory]) -> Iterator[Doubt]:
    """Of several new territories, one was laid first."""
    unclear = [one for one in new if not one.sure]
    if unclear:
        for one in unclear[:1]:
            yield from _laid(position, one)[1]
        return
    yield which_first([(one, _events(position, one, tile)) for one in new if (tile := one.tile)])


def candidate_tiles(new: SeenTerritory) -> Iterator[Tile]:
    """What territory it may be, the likeliest first: where a colour is not clear, the next one too."""
    letters = [
        ((tint.letter, 1.0),)
        if tint.confidence >= SURE_CONFIDENCE
        # Without any confidence, the next colour is as likely as the first.
        else ((tint.letter, 1 + tint.confidence), (tint.runner_up, 1 - tint.confidence))
        for tint in new.tints
    ]
    ways = sorted(product(*letters), key=lambda way: -sum(likely for _letter, likely in way))
    found = (tile_of("".join(letter for letter, _likely in way)) for way in ways)
    yield from islice(filter(None, found), MOST_CANDIDATES)


def marks_of(new: SeenTerritory) -> tuple[Mark, ...]:
    """What was read, where; a tap on it leads to where it is put right."""
    letters = "".join(tint.letter for tint in new.tints)
    return tuple(
        Mark(
            x,
            y,
            tint.letter,
            spot.radius,
            tint.confidence < SURE_CONFIDENCE,
            recolouring_wish(new.cell, letters, number),
        )
        for number, ((x, y), tint, spot) in enumerate(zip(new.places, new.tints, SPOTS, strict=False))
    )
