"""Reads what has happened since the log's last entry: proposals, doubts, what is waited for, and contradictions.

`read` is a function of the position and of what lies there; nothing is remembered. A table that only wants
its score has its kingdoms read as they lie (`read_kingdoms`), any other is followed event by event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from typing import cast

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import Message
from companion.core.message import message as _
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
)
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoPlaced,
    Event,
    KingdomShown,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import HOME, Kingdom, Placement, kingdom_of
from companion.games.kingdomino.rules.moves import apply
from companion.games.kingdomino.rules.pieces import CASTLE, twins
from companion.games.kingdomino.rules.position import Phase, Position, Variant
from companion.games.kingdomino.rules.problems import fits_one_box, scarce_squares
from companion.games.kingdomino.sight.contradictions import OpenQuestions, contradictions, missing_dominoes
from companion.games.kingdomino.sight.layout import SIDE, domino_name
from companion.games.kingdomino.sight.registration import (
    SQUARE_LABELS,
    STANDING,
    LooseDomino,
    LooseDominoes,
    PlacementSeen,
    RegisteredTable,
    against_the_rules,
    area_of,
    find_lines,
    find_placement,
    ground_of,
    likely_lines,
    numbers_for,
    placement_choices,
    possible_placements,
    sort_out,
    square_area,
)
from companion.games.kingdomino.text.words import describe_event, describe_missing_line

MOST_CHOICES = 4
"""Answers offered to one question."""
BESIDE = 2.5 * SIDE
"""A domino that is nearer than this to a square of a kingdom may be meant to touch it."""
AROUND = 7 * SIDE
"""Around a domino of the lines there may lie others of them."""
_NEAREST_MM = 2.6 * SIDE
"""A square that touches nothing belongs to a kingdom that is nearer than this."""


def read(
    setup: Setup, position: Position, observations: Sequence[Observation], unknown: Sequence[Area] = ()
) -> Reading:
    known = [kingdom.squares for kingdom in position.kingdoms]
    seen = sort_out(setup, known, observations, unknown)
    if Variant.SCORE_ONLY in position.variants:
        return read_kingdoms(setup, position, seen)
    reading = _followed(setup, position, seen)
    if reading.contradictions and any(one and one.label == STANDING for one in seen.castles):
        # Two of them may have the same squares around them: then one is as likely as the other.
        other = _followed(setup, position, sort_out(setup, known, observations, unknown, last_first=True))
        return min(reading, other, key=lambda one: len(one.contradictions))
    return reading


def _followed(setup: Setup, position: Position, seen: RegisteredTable) -> Reading:
    reader = KingdominoReader(setup, position, seen)
    reader.follow()
    return reader.reading()


@dataclass
class KingdominoReader:
    """Follows the table event by event until it shows nothing more.

    Beyond the first question it goes on as if that had its likeliest answer: what follows from it is no disagreement.
    """

    setup: Setup
    before: Position
    seen: RegisteredTable
    now: Position = field(init=False)
    gone: Sequence[int] = field(init=False)
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    asked: OpenQuestions = field(default_factory=OpenQuestions)
    waiting: Message | None = None
    _told: tuple[Position, LooseDominoes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.now = self.before
        self.gone = () if between_games(self.before) else missing_dominoes(self.before, self.seen)

    @property
    def lines(self) -> LooseDominoes:
        """What lies in the lines as they are now."""
        position, lines = self._told or (None, None)
        if lines is None or position is not self.now:
            lines = find_lines(self.now, self.seen.apart, self.gone)
            self._told = self.now, lines
        return lines

    def reading(self) -> Reading:
        found = (
            ()
            if between_games(self.now)
            else contradictions(self.setup, self.now, self.seen, self.lines, self.asked)
        )
        return Reading(tuple(self.proposals), tuple(self.doubts), found, self.waiting)

    def happened(self, event: Event, area: Area | None, confidence: float, shown: bool = True) -> bool:
        """Propose an event that the rules allow, or ask about it when it is not clear."""
        if confidence < SURE:
            answers = Choice((event,), _("Yes")), Choice((), _("No, something else"))
            return self.ask(self._unclear(event), answers, area)
        if not self.doubts:
            self.proposals.append(Proposal(event, area, confidence, shown))
        self.now = apply(self.now, event)
        return True

    def _unclear(self, event: Event) -> Message:
        told = describe_event(event)
        if told.player is None:
            return _("Not seen clearly. %(what)s?", what=told.text)
        return _("Not seen clearly. %(name)s %(what)s?", name=self.name(told.player), what=told.text)

    def ask(self, question: Message, choices: Sequence[Choice], area: Area | None) -> bool:
        """Ask people, unless there is a question already; the first answer is the likeliest."""
        if not self.doubts:
            self.wait(_("Tap in what happened, or put it right on the table."))
            before = tuple(proposal.event for proposal in self.proposals)
            # An answer stands on what was seen before it: all of it is recorded together, in its order.
            whole = tuple(
                replace(choice, events=(*before, *choice.events) if choice.events else ())
                for choice in choices
            )
            self.doubts.append(Doubt(question, whole, area, self.now.player))
        for choice in choices:
            self.asked.dominoes.update(*map(_dominoes, choice.events))
        for event in choices[0].events:
            self.now = apply(self.now, cast(Event, event))
        return True

    def wait(self, text: Message) -> bool:
        """Say what is missing for the next event."""
        if not self.doubts:
            self.waiting = text
        return False

    def name(self, player: int) -> str:
        return self.setup.players[player].name

    def follow(self) -> None:
        while self._next():
            pass

    def _next(self) -> bool:
        """Whether one more event shows."""
        match self.now.phase:
            case Phase.DRAW:
                return self._line_drawn()
            case Phase.CHOOSE_FIRST | Phase.CHOOSE:
                return self._king_set()
            case Phase.PLACE:
                return self._domino_placed()
            case _:
                return False

    # -- the line -----------------------------------------------------------------------------------------------

    def _line_drawn(self) -> bool:
        fresh, length = self.lines.fresh, self.now.line_length
        if between_games(self.now) and (any(self.seen.kingdoms) or self.seen.unclaimed):
            return self.wait(describe_missing_line(self.now, 0))  # the last game has not been cleared away
        if len(fresh) != length:
            return self.wait(describe_missing_line(self.now, len(fresh)))
        numbers, confidence = numbers_for(fresh, self.now), min(one.confidence for one in fresh)
        if numbers is None or confidence < SURE:
            return self._ask_which_line(fresh)
        return self.happened(LineDrawn(tuple(sorted(numbers))), _ground(fresh), confidence)

    def _ask_which_line(self, fresh: Sequence[LooseDomino]) -> bool:
        """Ask with the dominoes drawn, as nobody sees their numbers from the front."""
        unsure = [one for one in fresh if one.confidence < SURE] or fresh
        answers = [
            Choice(
                (LineDrawn(tuple(sorted(numbers))),),
                pictures=tuple(
                    Picture(domino_name(number), unsure=one in unsure)
                    for number, one in zip(numbers, fresh, strict=True)
                ),
            )
            for numbers in likely_lines(fresh, self.now, MOST_CHOICES)
        ]
        if not answers:
            return self.wait(_("The new line cannot be read: lay its dominoes a little apart."))
        self.asked.apart += fresh
        return self.ask(_("Which dominoes are in the new line?"), [*answers, _other()], _ground(unsure))

    # -- kings --------------------------------------------------------------------------------------------------

    def _king_set(self) -> bool:
        """The first king on a free domino of somebody whose turn it may be."""
        lines = self.lines
        for slot in self.now.open_line:
            one = lines.known.get(slot.domino)
            there = one.kings if one and slot.player is None else ()
            kings = {player: king for player, king in there if self._may_choose(player)}
            if len(kings) > 1:
                return self._ask_whose(slot.domino, kings)
            for player, king in kings.items():
                return self._chosen(player, slot.domino, king)
        if self.now.player is None:
            return self.wait(_("Draw a king: who chooses a domino?"))
        return self.wait(_("%(name)s chooses a domino.", name=self.name(self.now.player)))

    def _chosen(self, player: int, domino: int, king: Observation) -> bool:
        lines = self.lines
        sure, area = lines.surety(domino), lines.known[domino].area
        alike = lines.may_have_chosen(player, domino, self.now)
        if len(alike) == 1:
            return self.happened(DominoChosen(player, domino), area, min(king.confidence, sure))
        self.asked.kings.update(alike)
        question = _("Some dominoes look alike. Which one does %(name)s choose?", name=self.name(player))
        return self.ask(
            question, [*(Choice((DominoChosen(player, other),)) for other in alike), _other()], area
        )

    def _ask_whose(self, domino: int, kings: Mapping[int, Observation]) -> bool:
        self.asked.kings.add(domino)
        answers = [Choice((DominoChosen(player, domino),)) for player in kings]
        question = _("More than one king stands on domino %(domino)d. Who chooses it?", domino=domino)
        return self.ask(question, [*answers, _other()], area_of(kings.values()))

    def _may_choose(self, player: int) -> bool:
        if self.now.player is not None:
            return player == self.now.player
        return self.now.kings_left(player) > 0

    # -- dominoes -----------------------------------------------------------------------------------------------

    def _domino_placed(self) -> bool:
        player, domino = self.now.player, self.now.domino
        if player is None or domino is None:
            return False
        squares = self.seen.kingdoms[player]
        if squares is None:
            return self._ask_about_castle(player, domino) or self.wait(
                _("The castle of %(name)s cannot be seen.", name=self.name(player))
            )
        known = self.now.kingdoms[player].squares
        new = {cell: one for cell, one in squares.items() if cell not in known}
        laid = find_placement(domino, new, self.seen.axis(player))
        if self._in_the_line(domino) and (laid is None or set(twins(domino)) & set(self.gone)):
            return self._still_to_place(player, domino)
        legal = self.now.kingdoms[player].placements_of(domino)
        if laid and (laid.placement in legal or laid.confidence >= SURE):
            return self._laid(player, laid, laid.placement in legal, fits=bool(legal))
        if new:
            return self._ask_how_laid(player, domino, new)
        return self._domino_gone(player, domino)

    def _ask_about_castle(self, player: int, domino: int) -> bool:
        """Ask whether it is this player's castle beside which the first domino lies alone, without its king."""
        for castle in self.seen.unclaimed if len(self.now.kingdoms[player].squares) == 1 else ():
            laid = find_placement(domino, castle.squares, castle.home.angle)
            apart = [one for one in self.seen.apart if one.among(castle.squares.values())]
            if (
                laid
                and laid.confidence >= SURE
                and laid.placement in self.now.kingdoms[player].placements_of(domino)
                and len(castle.squares) == 2
                and not any(one.kings for one in apart)
            ):
                self.asked.apart += apart
                question = _(
                    "Domino %(domino)d lies beside something. Is it %(name)s's castle?",
                    domino=domino,
                    name=self.name(player),
                )
                answer = Choice((DominoPlaced(player, laid.placement),), _("Yes"))
                return self.ask(question, [answer, _other()], castle.area)
        return False

    def _in_the_line(self, domino: int) -> bool:
        """Whether it lies there still, and not one that looks like it."""
        known = self.lines.known
        alike = [
            slot.domino
            for slot in (*self.now.line[self.now.placed :], *self.now.next_line)
            if slot.domino in twins(domino)
        ]
        return all(other in known for other in alike) and domino in known[domino].numbers

    def _laid(self, player: int, laid: PlacementSeen, legal: bool, fits: bool) -> bool:
        if not legal:
            return self._ask_about_rules(player, laid, fits)
        if laid.confidence < SURE:
            self._about(player, laid.placement)
        return self.happened(DominoPlaced(player, laid.placement), laid.area, laid.confidence)

    def _about(self, player: int, *laid: Placement) -> None:
        """Remember what in the kingdom people are asked about."""
        squares = self.seen.kingdoms[player] or {}
        self.asked.squares += [squares[cell] for way in laid for cell in way.cells if cell in squares]

    def _ask_about_rules(self, player: int, laid: PlacementSeen, fits: bool) -> bool:
        domino = laid.placement.domino
        reason = self._refusal(player, laid.placement)
        question = (
            _("Domino %(domino)d may not lie there. %(reason)s", domino=domino, reason=reason)
            if fits
            else _(
                "Domino %(domino)d may not lie there. %(reason)s It fits nowhere: it may be put back into the box.",
                domino=domino,
                reason=reason,
            )
        )
        lies = DominoPlaced(player, against_the_rules(laid.placement))
        answers = [Choice((lies,), _("It lies there all the same"))]
        if not fits:
            answers.append(Choice((DominoDiscarded(player, domino),), _("It goes back into the box")))
        answers.append(Choice((), _("We lay it elsewhere") if fits else _("Something else")))
        self._about(player, laid.placement)
        return self.ask(question, answers, laid.area)

    def _refusal(self, player: int, placement: Placement) -> Message:
        try:
            apply(self.now, DominoPlaced(player, placement))
        except IllegalEvent as error:
            return error.message
        raise AssertionError(placement)

    def _ask_how_laid(self, player: int, domino: int, new: Mapping[Cell, Observation]) -> bool:
        found = possible_placements(self.now.kingdoms[player], domino, new)[:MOST_CHOICES]
        if not found:
            return False  # not this domino: told as a disagreement
        area = area_of(new[cell] for cell in sorted({c for way in found for c in way.cells} & new.keys()))
        question = _(
            "%(name)s: domino %(domino)d comes next. How does it lie?", name=self.name(player), domino=domino
        )
        self._about(player, *found)
        return self.ask(question, [*placement_choices(player, found, self.seen.axis(player)), _other()], area)

    def _domino_gone(self, player: int, domino: int) -> bool:
        """The domino is neither in the line nor in the kingdom: in somebody's hand, or back in the box."""
        if domino in self.lines.known:
            return self._still_to_place(player, domino)
        if not self.now.kingdoms[player].placements_of(domino):
            return self._discarded(player, domino)
        name = self.name(player)
        return self.wait(_("%(name)s has domino %(domino)d in hand.", name=name, domino=domino))

    def _discarded(self, player: int, domino: int) -> bool:
        """Back in the box, unless something may hide it; nobody has seen it go there."""
        if self._hidden(player, domino):
            return self.wait(
                _("Something may hide domino %(domino)d: take it away, then look again.", domino=domino)
            )
        return self.happened(DominoDiscarded(player, domino), None, 1, shown=False)

    def _hidden(self, player: int, domino: int) -> bool:
        """Whether it may still lie where it lay, or in the kingdom, where nobody can see it."""
        lines, seen = self.lines, self.seen
        if any(domino in way for way in lines.ways) or seen.single:
            return True
        where = [one.area for one in lines.known.values()]
        castle, squares = seen.homes[player], seen.kingdoms[player] or {}
        kingdom = [square_area(one) for one in (*squares.values(), *((castle,) if castle else ()))]
        if not where:
            return bool(seen.unknown)
        return any(seen.hides(area, AROUND) for area in where) or any(
            seen.hides(area, SIDE) for area in kingdom
        )

    def _still_to_place(self, player: int, domino: int) -> bool:
        name = self.name(player)
        if self._beside(player, domino):
            return self.wait(
                _(
                    "Domino %(domino)d touches nothing in the kingdom of %(name)s: push it up to the others.",
                    name=name,
                    domino=domino,
                )
            )
        if self.now.kingdoms[player].placements_of(domino):
            return self.wait(_("%(name)s places domino %(domino)d.", name=name, domino=domino))
        return self.wait(
            _(
                "Domino %(domino)d fits nowhere in the kingdom of %(name)s: put it back into the box.",
                name=name,
                domino=domino,
            )
        )

    def _beside(self, player: int, domino: int) -> bool:
        """Whether it has left the line for the kingdom, but not quite reached it."""
        one, home = self.lines.known.get(domino), self.seen.homes[player]
        if one is None or home is None or one.king_of(player):
            return False
        there = (home, *(self.seen.kingdoms[player] or {}).values())
        return any(hypot(one.area.x - other.x, one.area.y - other.y) < BESIDE for other in there)


def _ground(dominoes: Sequence[LooseDomino]) -> Area | None:
    return area_of([half for one in dominoes for half in (one.left, one.right)])


def _other() -> Choice:
    return Choice((), _("Something else"))


def between_games(position: Position) -> bool:
    """Whether the table is being cleared for the next game of a dynasty."""
    return position.game_ended and not position.last_game


def _dominoes(event: object) -> tuple[int, ...]:
    """What lies somewhere else by this event."""
    match event:
        case LineDrawn(dominoes):
            return dominoes
        case DominoPlaced(_player, placement):
            return (placement.domino,)
        case DominoDiscarded(_player, domino):
            return (domino,)
    return ()


def read_kingdoms(setup: Setup, position: Position, seen: RegisteredTable) -> Reading:
    whole = _Whole(setup, position, seen)
    whole.ask_whose()
    for player in range(position.players):
        whole.look_at(player)
    return Reading(tuple(whole.proposals), tuple(whole.doubts), tuple(whole.contradictions), whole.waiting)


@dataclass
class _Whole:
    """All kingdoms of a table, each believed only if it can be one."""

    setup: Setup
    position: Position
    seen: RegisteredTable
    kingdoms: list[Kingdom] = field(init=False)
    """As they are seen, or as the log has them where nothing is seen."""
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    waiting: Message | None = None

    def __post_init__(self) -> None:
        pairs = zip(self.seen.kingdoms, self.position.kingdoms, strict=True)
        self.kingdoms = [_kingdom_seen(squares, known.size) if squares else known for squares, known in pairs]

    def ask_whose(self) -> None:
        """Whose the kingdoms are whose castles stand on their tiles, where nothing else is to be asked about them."""
        free = [player for player, squares in enumerate(self.seen.kingdoms) if squares is None]
        free = [player for player in free if len(self.position.kingdoms[player].squares) == 1]
        for castle in self.seen.unclaimed if free else ():
            claimed = self.seen.claimed(free[0], castle)
            whole = _Whole(self.setup, self.position, claimed)
            kingdom = whole.kingdoms[free[0]]
            if not castle.squares or not _fits(kingdom) or any(whole._questions(free[0], castle.squares)):
                continue
            answers = [
                Choice((KingdomShown(one, kingdom),), _("It is %(name)s's", name=self._name(one)))
                for one in free
            ]
            self.doubts.append(Doubt(_("Whose kingdom is this?"), (*answers, _other()), castle.area))
            self.seen = replace(self.seen, apart=claimed.apart, single=claimed.single)

    def look_at(self, player: int) -> None:
        squares, kingdom = self.seen.kingdoms[player], self.kingdoms[player]
        known = self.position.kingdoms[player].squares
        if not squares and len(known) == 1:
            self._not_seen(player)
        elif not squares or dict(kingdom.squares) == dict(known):
            return
        elif not _fits(kingdom):
            self._too_large(player, squares)
        else:
            self._shown(KingdomShown(player, kingdom), squares)

    def _shown(self, event: KingdomShown, squares: Mapping[Cell, Observation]) -> None:
        player, area = event.player, area_of(squares.values())
        question = next(self._questions(player, squares), None)
        if question is None:
            self.proposals.append(Proposal(event, area))
            return
        answers = Choice((event,), _("Count it as it is seen")), Choice((), _("No: look again"))
        self.doubts.append(Doubt(question, answers, area, player))

    def _questions(self, player: int, squares: Mapping[Cell, Observation]) -> Iterator[Message]:
        """Why what is seen may not be the kingdom."""
        kingdom, name = self.kingdoms[player], self._name(player)
        if self._covered(player, squares):
            yield _(
                "Something lies over or beside %(name)s's kingdom: take it away, then look again.", name=name
            )
        beside = sum(self._nearest(one) == player for one in self._loose())
        if (len(squares) + beside) % 2:
            yield _(
                "Half a domino is missing in the kingdom of %(name)s: look whether something covers it.",
                name=name,
            )
        if beside:
            yield _(
                "Beside the kingdom of %(name)s lies a square that touches none of the others: push it up to them.",
                name=name,
            )
        for square, reason in scarce_squares(self.kingdoms):
            if square in kingdom.squares.values():
                yield _("Look at the kingdom of %(name)s again. %(reason)s", name=name, reason=reason)
        if not fits_one_box([kingdom]):
            yield _(
                "No dominoes of the box make the kingdom of %(name)s as it is seen: look whether something covers it.",
                name=name,
            )
        elif all(fits_one_box([one]) for one in self.kingdoms) and not fits_one_box(self.kingdoms):
            yield _(
                "The box has too few dominoes for all these kingdoms: look at that of %(name)s.", name=name
            )
        if min(one.confidence for one in squares.values()) < SURE:
            yield _("Not every square of %(name)s is clear. Is it this kingdom?", name=name)

    def _covered(self, player: int, squares: Mapping[Cell, Observation]) -> bool:
        """Whether something unknown may hide a part of the kingdom, at its edge or in a corner of it."""
        castle = self.seen.homes[player]
        whole = (*squares.values(), *((castle,) if castle else ()))
        return self.seen.hides(ground_of(whole, self.seen.axis(player)), SIDE / 2)

    def _not_seen(self, player: int) -> None:
        name, loose = self._name(player), [one for one in self._loose() if self._nearest(one) is None]
        if self.seen.castles[player] is None and len(loose) > 1:
            text = _("The castle of %(name)s cannot be seen.", name=name)
            self.contradictions.append(Contradiction(text, area_of(loose), player=player))
        self.waiting = self.waiting or _("The kingdom of %(name)s is not seen yet.", name=name)

    def _too_large(self, player: int, squares: Mapping[Cell, Observation]) -> None:
        bounds, size = self.kingdoms[player].bounds, self.position.size
        text = _(
            "The kingdom of %(name)s seems to have %(columns)d by %(rows)d squares, but only %(size)d by %(size)d "
            "are allowed.",
            name=self._name(player),
            columns=bounds.columns,
            rows=bounds.rows,
            size=size,
        )
        self.contradictions.append(Contradiction(text, area_of(squares.values()), player=player))

    def _loose(self) -> Iterator[Observation]:
        """Squares that belong to no kingdom."""
        yield from self.seen.single
        for one in self.seen.apart:
            yield from (one.left, one.right)

    def _nearest(self, loose: Observation) -> int | None:
        """Whose kingdom a square lies beside."""
        away = (
            (hypot(one.x - loose.x, one.y - loose.y), player)
            for player, squares in enumerate(self.seen.kingdoms)
            for one in (squares or {}).values()
        )
        distance, player = min(away, default=(_NEAREST_MM, 0))
        return player if distance < _NEAREST_MM else None

    def _name(self, player: int) -> str:
        return self.setup.players[player].name


def _fits(kingdom: Kingdom) -> bool:
    return max(kingdom.bounds.columns, kingdom.bounds.rows) <= kingdom.size


def _kingdom_seen(squares: Mapping[Cell, Observation], size: int) -> Kingdom:
    return kingdom_of(
        {HOME: CASTLE, **{cell: SQUARE_LABELS[one.label] for cell, one in squares.items()}}, size
    )
