"""From what is seen on a table to what has happened since the log's last entry, what is not clear, and where
table and log disagree.

`read_table` proposes only events that `apply` allows; what it refuses, or what is seen with a confidence
below `SURE`, becomes a doubt with choices. Directions in questions are those of the picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from companion.core.errors import IllegalEvent
from companion.core.game import Remark, Setup
from companion.core.lattice import offset, quarter
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import AS_IT_LIES
from companion.core.observation import (
    SURE,
    Area,
    Choice,
    Contradiction,
    Doubt,
    Observation,
    Picture,
    Proposal,
    Reading,
    bounding_box,
    offset_in,
)
from companion.games.carcassonne.rules.board import (
    KIND_OF_LETTER,
    NOTHING_NEAR,
    Cell,
    FeatureKind,
    Placement,
    Segment,
    TurnedTile,
    feature_kind,
    fitting_turns,
)
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.sight.registration import (
    CLEAR,
    LETTER_OF_LABEL,
    SIDE_MM,
    RegisteredTable,
    SeenFollower,
    SeenTile,
    agrees,
    register_board,
    touches,
)
from companion.games.carcassonne.sight.shapes import Point, spot_from_middle
from companion.games.carcassonne.text.words import PLACES_A_FOLLOWER, next_action, tile_label

MOST_NEW = 3
"""More new tiles than that are no turns that were missed."""
MANY_MISSING = 3
"""More missing tiles than that are told together."""


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
        asked = frozenset(tile.cell for tile in new) if len(new) <= MOST_NEW else frozenset()
        found = contradictions(self.setup, self.now, self.seen, asked)
        return Reading(tuple(self.proposals), tuple(self.doubts), tuple(found), self.waiting)

    @property
    def _name(self) -> str:
        """Whose turn it is."""
        return self.setup.players[self.now.player].name

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
        player = self.now.player
        possible = list(dict.fromkeys(order[0] for order in self._orders(new)))
        first = possible or self._likely(new)
        if len(first) > 1:
            question = _("There is more than one new tile. Which one is from %(name)s?", name=self._name)
            area = bounding_box([tile.area for tile in first])
            return self._ask(question, choices_of_tiles(player, first), area)
        tile = first[0]
        confidence, ways = tile.seen.confidence, self._ways(tile)
        if possible and ways == [tile.placement] and tile.seen.label != tile.seen.runner_up:
            confidence = max(confidence, tile.seen.unrivalled)  # what else it looks like cannot lie there
        if confidence < SURE or not tile.like_its_kind:
            question = _("The new tile is not seen clearly. Which one is it?")
            choices = (*choices_of_ways(player, tile, ways), SOMETHING_ELSE)
            return self._ask(question, choices, tile.area)
        owner = self._laid_by_another(tile)
        if owner is not None:
            return self._ask_whose(tile, owner)
        return self._propose(TileLaid(player, tile.placement), tile.area, confidence)

    def _ask_whose(self, tile: SeenTile, owner: int) -> bool:
        other = self.setup.players[owner].name
        question = _(
            "It is the turn of %(name)s, but the follower on the new tile is one of %(owner)s. Whose tile is it?",
            name=self._name,
            owner=other,
        )
        lies = as_it_lies(TileLaid(owner, tile.placement))
        laid = Choice((lies,), _("%(owner)s laid it, out of turn", owner=other))
        return self._ask(question, (laid, Choice((), _("We put that right"))), tile.area)

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
            if not all(one.may_be_of(position.player) for one in self._on(tile)):
                return False
            try:
                position = apply(position, TileLaid(position.player, tile.placement))
            except IllegalEvent:
                return False
        return True

    def _likely(self, new: Sequence[SeenTile]) -> list[SeenTile]:
        """What may have come first although not all of it is as it should be: what lies beside the board."""
        frontier = self.now.board.frontier
        return [min(new, key=lambda tile: (tile.cell not in frontier, self._laid_by_another(tile) or -1))]

    def _on(self, tile: SeenTile) -> list[SeenFollower]:
        return [one for one in self.seen.figures if one.cell == tile.cell]

    def _laid_by_another(self, tile: SeenTile) -> int | None:
        """Whose followers are on a tile, when they are not of the player whose turn it is."""
        figures = self._on(tile)
        return (
            None
            if any(one.may_be_of(self.now.player) for one in figures) or not figures
            else figures[0].player
        )

    def _ways(self, tile: SeenTile) -> list[Placement]:
        """What may lie there: each type as it is seen if that is legal, else in any legal way."""
        letters = [
            LETTER_OF_LABEL[label]
            for label in (tile.seen.label, tile.seen.runner_up)
            if label in LETTER_OF_LABEL
        ]
        seen, need = tile.placement, self.now.board.frontier.get(tile.cell, NOTHING_NEAR)
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
        mine = [one for one in self._on(tile) if one.may_be_of(player)] if tile else []
        mine = [one for one in mine if one.sure] or mine
        between = self._between(tile, player) if tile and not mine else []
        if tile is None or not (mine or between or self._may_hide_one(tile)):
            # Only the next tile shows that no follower comes.
            return self._propose(NoFollower(player), None, 1, shown=bool(self._new))
        if mine:
            return self._one_of_them_placed(tile, mine)
        choices = (self._no_follower, *choices_of_parts(player, tile, self._free))
        if between:
            self._leave_out(between)
            question = _(
                "A follower of %(name)s stands between two tiles. Is it on the new one?", name=self._name
            )
        else:
            question = _(
                "The new tile is not seen clearly. Is a follower of %(name)s on it?", name=self._name
            )
        return self._ask(question, choices, tile.area)

    def _one_of_them_placed(self, tile: SeenTile, figures: Sequence[SeenFollower]) -> bool:
        figure, player = figures[0], self.now.player
        if len(figures) > 1:
            question = _(
                "More than one follower of %(name)s is on the new tile. Which one was placed?",
                name=self._name,
            )
            parts = list(dict.fromkeys(figure.parts[0] for figure in figures))
            return self._ask(question, (*choices_of_parts(player, tile, parts), SOMETHING_ELSE), tile.area)
        parts = [part for part in figure.parts if part in self._free] or list(figure.parts[:1])
        if len(parts) > 1:
            question = _("Where does the follower of %(name)s stand?", name=self._name)
            return self._ask(question, (*choices_of_parts(player, tile, parts), SOMETHING_ELSE), figure.area)
        event = FollowerPlaced(player, (*figure.cell, parts[0]))
        if not figure.sure:
            what = PLACES_A_FOLLOWER[feature_kind(event.segment)]
            question = _("A follower is not seen clearly: %(name)s %(what)s?", name=self._name, what=what)
            yes = Choice((event,), _("Yes"))
            return self._ask(question, (yes, self._no_follower, SOMETHING_ELSE), figure.area)
        return self._propose(event, figure.area, max(SURE, figure.seen.confidence))

    @property
    def _no_follower(self) -> Choice:
        return Choice((NoFollower(self.now.player),), _("No follower"))

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
        return [one for one in self.seen.figures if one.may_be_of(player) and touches(tile, one.seen)]

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
                    self._ask_whether_it_stays(event, figure.area, error.message)
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
            return self._ask_whether_it_stays(event, area, error.message)
        self.proposals.append(Proposal(event, area, confidence, shown))
        return True

    def _ask_whether_it_stays(self, event: Event, area: Area | None, reason: Message) -> bool:
        """Something is against the rules."""
        lies = as_it_lies(event)
        choices = [Choice((lies,), _("It lies there all the same"))] if lies else []
        question = _("That is against the rules: %(reason)s", reason=reason)
        return self._ask(question, (*choices, Choice((), _("We lay it differently"))), area)

    def _ask(self, question: Message, choices: Iterable[Choice], area: Area | None) -> bool:
        """Wait for an answer."""
        before = tuple(proposal.event for proposal in self.proposals)
        # An answer stands on what was seen before it: all of it is recorded together, in its order.
        whole = tuple(
            Choice((*before, *choice.events) if choice.events else (), choice.text) for choice in choices
        )
        self.doubts.append(Doubt(question, whole, area, self.now.player))
        return False


THIS_TILE = _("This tile")
SIDES = (_("to the right"), _("below"), _("to the left"), _("above"))
TURNED_WAYS = (_("not turned"), _("turned to the right"), _("turned halfway round"), _("turned to the left"))
PART_PLACES: Mapping[FeatureKind, Message] = {
    FeatureKind.ROAD: _("On the road"),
    FeatureKind.CITY: _("In the city"),
    FeatureKind.MONASTERY: _("In the monastery"),
    FeatureKind.FIELD: _("In the field"),
}
SOMETHING_ELSE = Choice((), _("Something else"))


def choices_of_tiles(player: int, tiles: Sequence[SeenTile]) -> Iterator[Choice]:
    """One of some tiles that lie there, the next to be recorded."""
    for tile in tiles:
        alike = [(one.seen.x, one.seen.y) for one in tiles if one.placement.tile == tile.placement.tile]
        text = _on_a_side(THIS_TILE, (tile.seen.x, tile.seen.y), alike)
        yield Choice((TileLaid(player, tile.placement),), _pictured(text, tile.placement.tile, tile.angle))


def choices_of_ways(player: int, tile: SeenTile, ways: Sequence[Placement]) -> Iterator[Choice]:
    """What tile it may be that lies in one place, and how it may be turned."""
    for way in ways:
        text, angle = THIS_TILE, tile.angle + 90 * (way.turn - tile.placement.turn)
        if sum(other.tile == way.tile for other in ways) > 1:
            text = _("%(one)s, %(side)s", one=text, side=TURNED_WAYS[quarter(angle, 0)])
        yield Choice((TileLaid(player, way),), _pictured(text, way.tile, angle))


def choices_of_parts(player: int, tile: SeenTile, parts: Sequence[str]) -> Iterator[Choice]:
    """Where on a tile a follower may stand."""
    places = {part: _spot(tile, part) for part in parts}
    for part in parts:
        alike = [place for other, place in places.items() if other[0] == part[0]]
        text = _on_a_side(PART_PLACES[KIND_OF_LETTER[part[0]]], places[part], alike)
        yield Choice((FollowerPlaced(player, (*tile.cell, part)),), text)


def as_it_lies(event: Event) -> Event | None:
    """The event recorded against the rules, where that is possible."""
    return replace(event, because=AS_IT_LIES.text) if isinstance(event, TileLaid | FollowerPlaced) else None


def _pictured(text: Message, letter: str, angle: float) -> Remark:
    """An answer with the tile as it lies on the table."""
    return Remark(text, face=tile_label(letter), angle=angle % 360)


def _spot(tile: SeenTile, part: str) -> Point:
    """Where a follower of that part stands, on the table."""
    dx, dy = offset(*spot_from_middle(tile.placement.tile, part), tile.angle)
    return tile.seen.x + dx, tile.seen.y + dy


def _on_a_side(text: Message, place: Point, alike: Sequence[Point]) -> Message:
    """Where there are several alike, on which side of them this one is."""
    if len(alike) < 2:
        return text
    x = place[0] - sum(one[0] for one in alike) / len(alike)
    y = place[1] - sum(one[1] for one in alike) / len(alike)
    side = (0 if x > 0 else 2) if abs(x) >= abs(y) else (1 if y > 0 else 3)
    return _("%(one)s, %(side)s", one=text, side=SIDES[side])


def contradictions(
    setup: Setup, position: Position, seen: RegisteredTable, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Everything that is not as the log has it; in some places people are asked already."""
    yield from _tiles(position, seen, asked)
    yield from _followers(setup, position, seen)
    yield from _figures(setup, position, seen, asked)


def _tiles(position: Position, seen: RegisteredTable, asked: Collection[Cell]) -> Iterator[Contradiction]:
    board = position.board.tiles
    gone = [cell for cell in reversed(tuple(board)) if cell not in seen.tiles]
    if len(gone) > MANY_MISSING:
        text = _n(
            "%(count)d tile is not where it was.", "%(count)d tiles are not where they were.", len(gone)
        )
        yield Contradiction(text)
    else:
        yield from (_missing_tile(position, cell, seen.moved.get(cell)) for cell in gone)
    for cell, tile in seen.tiles.items():
        known = board.get(cell)
        if known and not agrees(position.board, tile) and tile.plain:
            yield _other_tile(position, cell, known, tile)
    moved = seen.moved.values()
    new = [tile for cell, tile in seen.tiles.items() if cell not in board and cell not in asked]
    for tile in [tile for tile in new if tile not in moved][:1]:
        yield Contradiction(_("There is a tile on the table that the log does not know."), tile.area)


def _missing_tile(position: Position, cell: Cell, moved: SeenTile | None) -> Contradiction:
    known, meant = position.board.tiles[cell], position.lays.get(cell)
    text = _("A tile has been moved.") if moved else _("A tile is not where it was.")
    picture = Picture(tile_label(known.letter), moved.angle if moved else 90 * known.turn)
    return Contradiction(
        text,
        moved.area if moved else None,
        meant,
        replace(meant, placement=moved.placement) if meant and moved else None,
        meant.player if meant else None,
        (picture,),
    )


def _other_tile(position: Position, cell: Cell, known: TurnedTile, tile: SeenTile) -> Contradiction:
    placement, meant = tile.placement, position.lays.get(cell)
    turned = placement.tile == known.letter
    text = _("A tile has been turned.") if turned else _("There lies another tile than the log says.")
    before = Picture(tile_label(known.letter), (tile.angle + 90 * (known.turn - placement.turn)) % 360)
    lies = replace(meant, placement=placement) if meant else None
    return Contradiction(
        text,
        tile.area,
        meant,
        lies,
        meant.player if meant else None,
        (before, Picture(tile_label(placement.tile), tile.angle)),
    )


def _followers(setup: Setup, position: Position, seen: RegisteredTable) -> Iterator[Contradiction]:
    """Followers of the log that are not where they were."""
    for segment, player in position.followers.items():
        tile = seen.tiles.get(segment[:2])
        if tile is None or segment in seen.known:
            continue
        meant = _placing_event(position, player, segment)
        name = setup.players[player].name
        on_it = [one for one in seen.figures if one.cell == segment[:2]]
        there = next((one for one in on_it if one.player == player), None)
        if there is None and tile.seen.confidence >= CLEAR and all(one.plain for one in on_it):
            text = _("The follower of %(name)s is not where it was.", name=name)
            yield Contradiction(text, tile.area, meant, _placed_elsewhere(meant, ""), player)
        elif there and there.plain and segment[2] not in there.parts:
            text = _("The follower of %(name)s has been moved.", name=name)
            yield Contradiction(text, there.area, meant, _placed_elsewhere(meant, there.parts[0]), player)


def _placing_event(position: Position, player: int, segment: Segment) -> TileLaid | FollowerPlaced:
    """The event by which a follower came where the log has it."""
    for event in position.overruled:
        if isinstance(event, FollowerPlaced) and (event.player, event.segment) == (player, segment):
            return event
    lay = position.lays.get(segment[:2])
    if lay and (lay.player, lay.follower) == (player, segment[2]):
        return lay
    return FollowerPlaced(player, segment)


def _placed_elsewhere(event: TileLaid | FollowerPlaced, part: str) -> Event | None:
    """The same event with its follower on another part, or on none."""
    if isinstance(event, TileLaid):
        return replace(event, follower=part)
    return replace(event, segment=(*event.segment[:2], part)) if part else None


def _figures(
    setup: Setup, position: Position, seen: RegisteredTable, asked: Collection[Cell]
) -> Iterator[Contradiction]:
    """Followers that the log does not know; those that were counted earlier have only been forgotten there."""
    moved = {
        (player, segment[:2]) for segment, player in position.followers.items() if segment not in seen.known
    }
    counted = {holder for count in position.scored for holder in count.holders}
    for figure in seen.figures:
        places = {(figure.player, (*figure.cell, part)) for part in figure.parts}
        coming = figure.cell in asked or (figure.cell == position.laid and figure.player == position.player)
        told = (figure.player, figure.cell) in moved or not places.isdisjoint(counted)
        if figure.player is None or not figure.plain:
            continue
        if not told and not coming and figure.cell in position.board.tiles:
            name = setup.players[figure.player].name
            text = _("There is a follower of %(name)s that the log does not know.", name=name)
            yield Contradiction(text, figure.area, *_forgotten_follower(position, figure), figure.player)


def _forgotten_follower(position: Position, figure: SeenFollower) -> tuple[Event | None, Event | None]:
    """What the log says of the turn in which the follower should have been placed, and what it would have to say."""
    player, cell, part = figure.player, figure.cell, figure.parts[0]
    laid = position.lays.get(cell)
    if laid is None or laid.player != player or laid.follower:
        return None, None
    if cell not in position.bare:
        return laid, replace(laid, follower=part)
    # Such an entry does not name its tile: the latest of this player is found by it.
    last = [at for at in position.bare if position.lays[at].player == player][-1]
    return (NoFollower(player), FollowerPlaced(player, (*cell, part))) if last == cell else (None, None)
