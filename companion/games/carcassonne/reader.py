"""What has happened on a table of Carcassonne since the log's last entry, and what is not clear."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
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
    around,
    offset_in,
)
from companion.games.carcassonne.asking import (
    as_it_lies,
    choices_of_parts,
    choices_of_tiles,
    choices_of_ways,
    no_follower,
    something_else,
)
from companion.games.carcassonne.board import NOTHING_NEAR, Placement
from companion.games.carcassonne.disagreement import contradictions
from companion.games.carcassonne.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.moves import apply
from companion.games.carcassonne.position import Phase, Position
from companion.games.carcassonne.seen import CLEAR, LETTERS, SIDE, SURE, Figure, Seen, Tile, sort_out
from companion.games.carcassonne.tiles import Cell, fitting_turns
from companion.games.carcassonne.variants import Variant
from companion.games.carcassonne.words import PLACING, action, kind

MOST_NEW = 3
"""More new tiles than that are no turns that were missed."""


def read(
    setup: Setup, position: Position, observations: Sequence[Observation], unknown: Sequence[Area] = ()
) -> Reading:
    if Variant.SCORE_ONLY in position.variants:
        return Reading(waiting=action(position))
    seen = sort_out(setup, position, observations)
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
    seen: Seen
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
    def _new(self) -> list[Tile]:
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
                return self._tile_laid()
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
            self._ask_which_first(first)
            return False
        tile = first[0]
        if tile.seen.confidence < SURE:
            self._ask_which_tile(tile)
            return False
        owner = self._laid_by_another(tile)
        if owner is not None:
            self._ask_who(tile, owner)
            return False
        return self._propose(TileLaid(self.now.player, tile.placement), tile.area, tile.seen.confidence)

    def _waits(self) -> Message:
        if self.seen.loose:
            return _("A tile touches no other: push it up to them.")
        return action(self.now)

    def _orders(self, new: Sequence[Tile]) -> Iterator[Sequence[Tile]]:
        """In which order these tiles can have been laid, by the rules and by whose followers are on them."""
        return (order for order in permutations(new) if self._possible(order))

    def _possible(self, order: Sequence[Tile]) -> bool:
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

    def _likely(self, new: Sequence[Tile]) -> list[Tile]:
        """What may have come first although not all of it is as it should be: what lies beside the board."""
        frontier = self.now.board.frontier
        return sorted(new, key=lambda tile: (_cell(tile) not in frontier, self._laid_by_another(tile) or -1))[
            :1
        ]

    def _on(self, tile: Tile) -> list[Figure]:
        return [one for one in self.seen.figures if one.cell == _cell(tile)]

    def _laid_by_another(self, tile: Tile) -> int | None:
        """Whose followers are on a tile, when they are not of the player whose turn it is."""
        players = [one.player for one in self._on(tile)]
        return players[0] if players and self.now.player not in players else None

    def _ask_which_first(self, tiles: Sequence[Tile]) -> None:
        player = self.now.player
        question = _("There is more than one new tile. Which one is from %(name)s?", name=self._name(player))
        self._ask(question, choices_of_tiles(player, tiles), around([tile.area for tile in tiles]))

    def _ask_which_tile(self, tile: Tile) -> None:
        letters = [LETTERS[label] for label in (tile.seen.label, tile.seen.runner_up) if label in LETTERS]
        ways = [way for letter in dict.fromkeys(letters) for way in self._ways(tile.placement, letter)]
        answers = choices_of_ways(self.now.player, tile, ways)
        question = _("The new tile is not seen clearly. Which one is it?")
        self._ask(question, [*answers, something_else()], tile.area)

    def _ways(self, seen: Placement, letter: str) -> Iterator[Placement]:
        """How a type of tile may lie there: as it is seen if that is legal, else in any legal way."""
        turns = fitting_turns(letter, self.now.board.frontier.get((seen.x, seen.y), NOTHING_NEAR))
        for turn in (seen.turn,) if seen.turn in turns else turns:
            yield Placement(letter, seen.x, seen.y, turn)

    def _ask_who(self, tile: Tile, owner: int) -> None:
        question = _(
            "It is the turn of %(name)s, but the follower on the new tile is one of %(owner)s. Whose tile is it?",
            name=self._name(self.now.player),
            owner=self._name(owner),
        )
        lies = as_it_lies(TileLaid(owner, tile.placement))
        laid = Choice((lies,), _("%(owner)s laid it, out of turn", owner=self._name(owner)))
        self._ask(question, [laid, Choice((), _("We put that right"))], tile.area)

    # -- the follower -----------------------------------------------------------------------------------------------

    def _follower_placed(self) -> bool:
        cell, player = self.now.laid, self.now.player
        tile = self.seen.tiles.get(cell) if cell else None
        mine = [one for one in self.seen.figures if one.cell == cell and one.player == player]
        if tile is None or (not mine and not self._may_hide_one(tile)):
            # Only the next tile shows that no follower comes.
            return self._propose(NoFollower(player), None, 1, shown=bool(self._new))
        free = [id for _x, _y, id in self.now.claims]
        if not mine:
            self._ask_whether(tile, free)
            return False
        figure = mine[0]
        parts = [part for part in figure.parts if part in free] or list(figure.parts[:1])
        if len(parts) > 1:
            self._ask_where(tile, figure, parts)
            return False
        event = FollowerPlaced(player, (*figure.cell, parts[0]))
        if not figure.sure:
            self._ask_whether_placed(figure, event)
            return False
        return self._propose(event, figure.area, max(SURE, figure.seen.confidence))

    def _may_hide_one(self, tile: Tile) -> bool:
        """Whether something may stand on a tile that was not recognised."""
        if tile.seen.confidence < CLEAR:
            return bool(self.now.claims)
        near = (offset_in(tile.area, area.x, area.y) for area in self.unknown)
        return bool(self.now.claims) and any(max(abs(dx), abs(dy)) < SIDE / 2 for dx, dy in near)

    def _ask_whether(self, tile: Tile, parts: Sequence[str]) -> None:
        player = self.now.player
        question = _(
            "The new tile is not seen clearly. Is a follower of %(name)s on it?", name=self._name(player)
        )
        answers = choices_of_parts(player, tile, parts)
        self._ask(question, [no_follower(player), *answers], tile.area)

    def _ask_where(self, tile: Tile, figure: Figure, parts: Sequence[str]) -> None:
        answers = choices_of_parts(figure.player, tile, parts)
        question = _("Where does the follower of %(name)s stand?", name=self._name(figure.player))
        self._ask(question, [*answers, something_else()], figure.area)

    def _ask_whether_placed(self, figure: Figure, event: FollowerPlaced) -> None:
        question = _(
            "A follower is not seen clearly: %(name)s %(what)s?",
            name=self._name(event.player),
            what=PLACING[kind(event.segment)],
        )
        answers = Choice((event,), _("Yes")), no_follower(event.player), something_else()
        self._ask(question, answers, figure.area)

    # -- believing and asking ---------------------------------------------------------------------------------------

    def _propose(self, event: Event, area: Area | None, confidence: float, shown: bool = True) -> bool:
        """Believe an event; when it is against the rules, people are asked instead."""
        try:
            self.now = apply(self.now, event)
        except IllegalEvent as error:
            self._ask_about_rules(event, area, error.message)
            return False
        self.proposals.append(Proposal(event, area, confidence, shown))
        return True

    def _ask_about_rules(self, event: Event, area: Area | None, reason: Message) -> None:
        lies = as_it_lies(event)
        answers = [Choice((lies,), _("It lies there all the same"))] if lies else []
        answers.append(Choice((), _("We lay it differently")))
        self._ask(_("That is against the rules: %(reason)s", reason=reason), answers, area)

    def _ask(self, question: Message, choices: Iterable[Choice], area: Area | None) -> None:
        before = tuple(proposal.event for proposal in self.proposals)
        # An answer stands on what was seen before it: all of it is recorded together, in its order.
        whole = tuple(
            Choice((*before, *choice.events) if choice.events else (), choice.text) for choice in choices
        )
        self.doubts.append(Doubt(question, whole, area, self.now.player))

    def _name(self, player: int) -> str:
        return self.setup.players[player].name


def _cell(tile: Tile) -> Cell:
    return tile.placement.x, tile.placement.y
