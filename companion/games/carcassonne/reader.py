"""What has happened on a table of Carcassonne since the log's last entry, and what is not clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import Area, Choice, Doubt, Observation, Proposal, Reading, around
from companion.games.carcassonne.board import NOTHING_NEAR, Placement
from companion.games.carcassonne.disagreement import contradictions
from companion.games.carcassonne.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.moves import apply
from companion.games.carcassonne.position import Phase, Position
from companion.games.carcassonne.seen import LETTERS, Figure, Seen, Tile, sort_out
from companion.games.carcassonne.tiles import fitting_turns
from companion.games.carcassonne.words import action, describe

SURE = 0.5
"""Confidence below which people are asked."""
MOST_NEW = 3
"""More new tiles than that are no turns that were missed."""


def read(setup: Setup, position: Position, observations: Sequence[Observation]) -> Reading:
    reader = Reader(setup, position, sort_out(setup, position, observations))
    reader.follow()
    return reader.reading()


@dataclass
class Reader:
    """Follows the table event by event until it shows nothing more."""

    setup: Setup
    now: Position
    seen: Seen
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    waiting: Message | None = None

    def follow(self) -> None:
        while not self.doubts and self._next():
            pass

    def reading(self) -> Reading:
        asked = frozenset((tile.placement.x, tile.placement.y) for tile in self._new)
        found = contradictions(
            self.setup, self.now, self.seen, asked if len(asked) <= MOST_NEW else frozenset()
        )
        return Reading(tuple(self.proposals), tuple(self.doubts), tuple(found), self.waiting)

    @property
    def _new(self) -> list[Tile]:
        """Tiles that nothing told so far has brought."""
        return [tile for cell, tile in self.seen.tiles.items() if cell not in self.now.board.tiles]

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
            self.waiting = action(self.now)
            return False
        first = list(dict.fromkeys(order[0] for order in self._orders(new))) or new[:1]
        if len(first) > 1:
            self._ask_which_first(first)
            return False
        tile = first[0]
        event = TileLaid(self.now.player, tile.placement)
        if tile.seen.confidence < SURE:
            self._ask_which_tile(tile)
            return False
        return self._propose(event, tile.area, tile.seen.confidence)

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

    def _on(self, tile: Tile) -> list[Figure]:
        cell = (tile.placement.x, tile.placement.y)
        return [one for one in self.seen.figures if one.cell == cell]

    def _ask_which_first(self, tiles: Sequence[Tile]) -> None:
        player = self.now.player
        answers = [Choice((TileLaid(player, tile.placement),)) for tile in tiles]
        question = _("There is more than one new tile. Which one is from %(name)s?", name=self._name(player))
        self._ask(question, answers, around([tile.area for tile in tiles]))

    def _ask_which_tile(self, tile: Tile) -> None:
        letters = [LETTERS[label] for label in (tile.seen.label, tile.seen.runner_up) if label in LETTERS]
        ways = [way for letter in letters for way in self._ways(tile.placement, letter)]
        answers = [Choice((TileLaid(self.now.player, way),)) for way in ways]
        self._ask(_("The new tile is not seen clearly. Which one is it?"), [*answers, _other()], tile.area)

    def _ways(self, seen: Placement, letter: str) -> Iterator[Placement]:
        """How a type of tile may lie there: as it is seen if that is legal, else in any legal way."""
        turns = fitting_turns(letter, self.now.board.frontier.get((seen.x, seen.y), NOTHING_NEAR))
        for turn in (seen.turn,) if seen.turn in turns else turns:
            yield Placement(letter, seen.x, seen.y, turn)

    # -- the follower -----------------------------------------------------------------------------------------------

    def _follower_placed(self) -> bool:
        cell, player = self.now.laid, self.now.player
        mine = [one for one in self.seen.figures if one.cell == cell and one.player == player]
        if not mine:
            # Only the next tile shows that no follower comes.
            return self._propose(NoFollower(player), None, 1, shown=bool(self._new))
        figure = mine[0]
        free = [id for _x, _y, id in self.now.claims if id in figure.parts]
        if len(free) > 1:
            self._ask_where(figure, free)
            return False
        event = self._placed(figure, (free or figure.parts)[0])
        return self._propose(event, figure.area, figure.seen.confidence)

    def _placed(self, figure: Figure, part: str) -> FollowerPlaced:
        return FollowerPlaced(figure.player, (*figure.cell, part))

    def _ask_where(self, figure: Figure, parts: Sequence[str]) -> None:
        answers = [Choice((self._placed(figure, part),)) for part in parts]
        question = _("Where does the follower of %(name)s stand?", name=self._name(figure.player))
        self._ask(question, [*answers, _other()], figure.area)

    # -- believing and asking ---------------------------------------------------------------------------------------

    def _propose(self, event: Event, area: Area | None, confidence: float, shown: bool = True) -> bool:
        """Believe an event; when it is not clear, or against the rules, people are asked instead."""
        try:
            self.now = apply(self.now, event)
        except IllegalEvent as error:
            self._ask_about_rules(event, area, error.message)
            return False
        if confidence < SURE:
            answers = Choice((event,), _("Yes")), Choice((), _("No, something else"))
            name, told = self._name(self.now.player), describe(event).text
            self._ask(_("Not seen clearly. %(name)s %(what)s?", name=name, what=told), answers, area)
            return False
        self.proposals.append(Proposal(event, area, confidence, shown))
        return True

    def _ask_about_rules(self, event: Event, area: Area | None, reason: Message) -> None:
        lies = _as_it_lies(event)
        answers = [Choice((lies,), _("It lies there all the same"))] if lies else []
        answers.append(Choice((), _("We lay it differently")))
        self._ask(_("That is against the rules: %(reason)s", reason=reason), answers, area)

    def _ask(self, question: Message, choices: Sequence[Choice], area: Area | None) -> None:
        before = tuple(proposal.event for proposal in self.proposals)
        # An answer stands on what was seen before it: all of it is recorded together, in its order.
        whole = tuple(
            Choice((*before, *choice.events) if choice.events else (), choice.text) for choice in choices
        )
        self.doubts.append(Doubt(question, whole, area, self.now.player))

    def _name(self, player: int) -> str:
        return self.setup.players[player].name


def _as_it_lies(event: Event) -> Event | None:
    """The event recorded against the rules, where that is possible."""
    match event:
        case TileLaid(player, placement, follower):
            return TileLaid(player, placement, follower, AS_IT_LIES.text)
        case FollowerPlaced(player, segment):
            return FollowerPlaced(player, segment, AS_IT_LIES.text)
    return None


def _other() -> Choice:
    return Choice((), _("Something else"))
