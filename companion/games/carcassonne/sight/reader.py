"""What has happened on a table of Carcassonne since the log's last entry, and what is not clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import (
    Area,
    Choice,
    Contradiction,
    Doubt,
    Observation,
    Proposal,
    Reading,
    offset_in,
)
from companion.games.carcassonne.rules.board import NOTHING_NEAR, Placement
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.tiles import Cell, fitting_turns
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.sight.disagreement import contradictions
from companion.games.carcassonne.sight.questions import Questions
from companion.games.carcassonne.sight.seen import (
    CLEAR,
    LETTER_OF_LABEL,
    SIDE_MM,
    SURE,
    RegisteredTable,
    SeenFollower,
    SeenTile,
    register_board,
    touches,
)
from companion.games.carcassonne.text.words import next_action

MOST_NEW = 3
"""More new tiles than that are no turns that were missed."""


def read_table(
    setup: Setup, position: Position, observations: Sequence[Observation], unknown: Sequence[Area] = ()
) -> Reading:
    if Variant.SCORE_ONLY in position.variants:
        return Reading(waiting=next_action(position))
    seen = register_board(setup, position, observations)
    if not seen.tiles:
        return _nothing_of_the_board(position)
    reader = Reader(setup, position, seen, unknown)
    reader.follow()
    return reader.reading()


def _nothing_of_the_board(position: Position) -> Reading:
    if position.begun:
        return Reading(contradictions=(Contradiction(_("The tiles of this game are not to be seen.")),))
    return Reading(waiting=_("Lay the tile that begins the game in the middle of the table."))


@dataclass
class Reader:
    """Follows the table event by event until it shows nothing more."""

    setup: Setup
    now: Position
    seen: RegisteredTable
    unknown: Sequence[Area]
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    waiting: Message | None = None

    def follow(self) -> None:
        while not self.doubts and self._next():
            pass

    def reading(self) -> Reading:
        new = self._new
        asked = frozenset(_cell(tile) for tile in new) if len(new) <= MOST_NEW else frozenset()
        found = contradictions(self.setup, self.now, self.seen, asked)
        return Reading(tuple(self.proposals), tuple(self.doubts), tuple(found), self.waiting)

    @property
    def _questions(self) -> Questions:
        return Questions(self.setup, self.now.player)

    @property
    def _new(self) -> list[SeenTile]:
        """Tiles that nothing told so far has brought."""
        moved = self.seen.moved.values()
        return [
            tile
            for cell, tile in self.seen.tiles.items()
            if cell not in self.now.board.tiles and tile not in moved
        ]

    def _next(self) -> bool:
        """Whether one more event shows."""
        match self.now.phase:
            case Phase.DRAW | Phase.LAY:
                return not self._placed_against_the_rules() and self._tile_laid()
            case Phase.FOLLOWER:
                return self._follower_placed()
            case _:
                return False

    # -- the tile ---------------------------------------------------------------------------------------------------

    def _tile_laid(self) -> bool:
        new = self._new
        if not new or len(new) > MOST_NEW:
            self.waiting = self._waits()
            return False
        first = list(dict.fromkeys(order[0] for order in self._orders(new))) or self._likely(new)
        if len(first) > 1:
            return self._ask(self._questions.which_tile_was_first(first))
        tile = first[0]
        if tile.seen.confidence < SURE:
            return self._ask(self._questions.which_tile(tile, self._ways(tile)))
        owner = self._laid_by_another(tile)
        if owner is not None:
            return self._ask(self._questions.whose_tile(tile, owner))
        return self._propose(TileLaid(self.now.player, tile.placement), tile.area, tile.seen.confidence)

    def _waits(self) -> Message:
        if self.seen.loose:
            return _("A tile touches no other: push it up to them.")
        return next_action(self.now)

    def _orders(self, new: Sequence[SeenTile]) -> Iterator[Sequence[SeenTile]]:
        """In which order these tiles can have been laid, by the rules and by whose followers are on them."""
        return (order for order in permutations(new) if self._possible(order))

    def _possible(self, order: Sequence[SeenTile]) -> bool:
        position = self.now
        for tile in order:
            if position.phase is Phase.FOLLOWER:
                position = apply(position, NoFollower(position.player))
            if any(one.player != position.player for one in self._on(tile)):
                return False
            try:
                position = apply(position, TileLaid(position.player, tile.placement))
            except IllegalEvent:
                return False
        return True

    def _likely(self, new: Sequence[SeenTile]) -> list[SeenTile]:
        """What may have come first although not all of it is as it should be: what lies beside the board."""
        frontier = self.now.board.frontier
        return sorted(new, key=lambda tile: (_cell(tile) not in frontier, self._laid_by_another(tile) or -1))[
            :1
        ]

    def _on(self, tile: SeenTile) -> list[SeenFollower]:
        return [one for one in self.seen.figures if one.cell == _cell(tile)]

    def _laid_by_another(self, tile: SeenTile) -> int | None:
        """Whose followers are on a tile, when they are not of the player whose turn it is."""
        players = [one.player for one in self._on(tile)]
        return players[0] if players and self.now.player not in players else None

    def _ways(self, tile: SeenTile) -> list[Placement]:
        """What may lie there: each type as it is seen if that is legal, else in any legal way."""
        letters = [
            LETTER_OF_LABEL[label]
            for label in (tile.seen.label, tile.seen.runner_up)
            if label in LETTER_OF_LABEL
        ]
        seen, need = tile.placement, self.now.board.frontier.get(_cell(tile), NOTHING_NEAR)
        fitting = {letter: fitting_turns(letter, need) for letter in letters}
        return [
            Placement(letter, seen.x, seen.y, turn)
            for letter, turns in fitting.items()
            for turn in ((seen.turn,) if seen.turn in turns else turns)
        ]

    # -- the follower -----------------------------------------------------------------------------------------------

    def _follower_placed(self) -> bool:
        cell, player = self.now.laid, self.now.player
        tile = self.seen.tiles.get(cell) if cell else None
        mine = [one for one in self._on(tile) if one.player == player] if tile else []
        between = self._between(tile, player) if tile and not mine else []
        if tile is None or not (mine or between or self._may_hide_one(tile)):
            # Only the next tile shows that no follower comes.
            return self._propose(NoFollower(player), None, 1, shown=bool(self._new))
        if mine:
            return self._one_of_them_placed(tile, mine)
        if between:
            self._leave_out(between)
            return self._ask(self._questions.whether_it_stands_here(tile, self._free))
        return self._ask(self._questions.whether_one_is_hidden(tile, self._free))

    def _one_of_them_placed(self, tile: SeenTile, figures: Sequence[SeenFollower]) -> bool:
        figure = figures[0]
        if len(figures) > 1:
            return self._ask(self._questions.which_follower(tile, figures))
        parts = [part for part in figure.parts if part in self._free] or list(figure.parts[:1])
        if len(parts) > 1:
            return self._ask(self._questions.where_it_stands(tile, figure, parts))
        event = FollowerPlaced(figure.player, (*figure.cell, parts[0]))
        if not figure.sure:
            return self._ask(self._questions.whether_it_was_placed(figure, event))
        return self._propose(event, figure.area, max(SURE, figure.seen.confidence))

    @property
    def _free(self) -> list[str]:
        """The parts of the new tile that may be claimed."""
        return [part for _x, _y, part in self.now.claims]

    def _may_hide_one(self, tile: SeenTile) -> bool:
        """Whether something may stand on a tile that was not recognised."""
        if tile.seen.confidence < CLEAR:
            return bool(self.now.claims)
        near = (offset_in(tile.area, area.x, area.y) for area in self.unknown)
        return bool(self.now.claims) and any(max(abs(dx), abs(dy)) < SIDE_MM / 2 for dx, dy in near)

    def _between(self, tile: SeenTile, player: int) -> list[SeenFollower]:
        """Followers that stand on a neighbour, but so near to the tile that they may be meant for it."""
        return [one for one in self.seen.figures if one.player == player and touches(tile, one.seen)]

    def _leave_out(self, figures: Sequence[SeenFollower]) -> None:
        """They are asked about: nothing else has to be said of them."""
        self.seen = replace(self.seen, figures=tuple(one for one in self.seen.figures if one not in figures))

    def _placed_against_the_rules(self) -> bool:
        """Whether a follower is on the latest tile although its player could place none there."""
        for cell, lay in tuple(self.now.lays.items())[-1:]:
            there = [one for one in self.seen.figures if (one.player, one.cell) == (lay.player, cell)]
            for figure in there[:1] if self._was_closed(cell) else ():
                event = FollowerPlaced(lay.player, (*cell, figure.parts[0]))
                try:
                    apply(replace(self.now, laid=cell, player=lay.player), event)
                except IllegalEvent as error:
                    self._leave_out(there)
                    self._ask(self._questions.whether_it_stays(event, figure.area, error.message))
        return bool(self.doubts)

    def _was_closed(self, cell: Cell) -> bool:
        """Whether nobody has been asked for a follower on a tile, and none was placed."""
        placed = {*self.now.followers, *(segment for one in self.now.scored for _who, segment in one.holders)}
        held = {segment[:2] for segment in placed}
        return self.now.laid is None and cell not in held and cell not in self.now.bare

    # -- believing and asking ---------------------------------------------------------------------------------------

    def _propose(self, event: Event, area: Area | None, confidence: float, shown: bool = True) -> bool:
        """Believe an event; when it is against the rules, people are asked instead."""
        try:
            self.now = apply(self.now, event)
        except IllegalEvent as error:
            return self._ask(self._questions.whether_it_stays(event, area, error.message))
        self.proposals.append(Proposal(event, area, confidence, shown))
        return True

    def _ask(self, doubt: Doubt) -> bool:
        """Wait for an answer."""
        before = tuple(proposal.event for proposal in self.proposals)
        # An answer stands on what was seen before it: all of it is recorded together, in its order.
        whole = tuple(
            Choice((*before, *choice.events) if choice.events else (), choice.text)
            for choice in doubt.choices
        )
        self.doubts.append(replace(doubt, choices=whole))
        return False


def _cell(tile: SeenTile) -> Cell:
    return tile.placement.x, tile.placement.y
