"""What has happened on a table of Kingdomino since the log's last entry, and where table and log disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Doubt, Observation, Proposal, Reading
from companion.games.kingdomino.disagreement import contradictions
from companion.games.kingdomino.events import DominoChosen, DominoDiscarded, DominoPlaced, Event, LineDrawn
from companion.games.kingdomino.fitting import as_it_lies, choices, fitting, half_choices, pair_choices
from companion.games.kingdomino.lines import Lines, find_lines, likely_lines, numbers_for
from companion.games.kingdomino.moves import apply
from companion.games.kingdomino.position import Phase, Position
from companion.games.kingdomino.seen import Apart, Seen, area_of, sort_out
from companion.games.kingdomino.variants import Variant
from companion.games.kingdomino.whole import read_kingdoms
from companion.games.kingdomino.words import describe

SURE = 0.5
"""Confidence below which people are asked."""
MOST_CHOICES = 4


def read(setup: Setup, position: Position, observations: Sequence[Observation]) -> Reading:
    seen = sort_out(setup, [kingdom.squares for kingdom in position.kingdoms], observations)
    if Variant.SCORE_ONLY in position.variants:
        return read_kingdoms(setup, position, seen)
    reader = Reader(setup, position, seen)
    reader.follow()
    return reader.reading()


@dataclass
class Reader:
    """Follows the table event by event until it shows nothing more."""

    setup: Setup
    before: Position
    seen: Seen
    lines: Lines = field(init=False)
    now: Position = field(init=False)
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    waiting: Message | None = None

    def __post_init__(self) -> None:
        self.now = self.before
        self.lines = find_lines(self.now, self.seen.apart)

    def follow(self) -> None:
        while not self.doubts and self._next():
            pass

    def reading(self) -> Reading:
        found = (
            () if self.doubts else contradictions(self.setup, self.now, self.seen, self.lines, self.before)
        )
        return Reading(tuple(self.proposals), tuple(self.doubts), found, self.waiting)

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

    def _propose(self, event: Event, area: Area | None, confidence: float) -> bool:
        """Believe an event; when it is not clear, or against the rules, people are asked instead."""
        try:
            self.now = apply(self.now, event)
        except IllegalEvent as error:
            self._ask_about_rules(event, area, error.message)
            return False
        if confidence < SURE:
            answers = Choice((event,), _("Yes")), Choice((), _("No, something else"))
            self._ask(self._unclear(event), answers, area)
            return False
        self.proposals.append(Proposal(event, area, confidence))
        self.lines = find_lines(self.now, self.seen.apart)
        return True

    def _unclear(self, event: Event) -> Message:
        told = describe(event)
        if told.player is None:
            return _("Not seen clearly. %(what)s?", what=told.text)
        return _("Not seen clearly. %(name)s %(what)s?", name=self._name(told.player), what=told.text)

    def _ask(self, question: Message, choices: Sequence[Choice], area: Area | None) -> None:
        before = tuple(proposal.event for proposal in self.proposals)
        # An answer stands on what was seen before it: all of it is recorded together, in its order.
        whole = tuple(
            Choice((*before, *choice.events) if choice.events else (), choice.text) for choice in choices
        )
        self.doubts.append(Doubt(question, whole, area, self.now.player))

    def _ask_about_rules(self, event: Event, area: Area | None, reason: Message) -> None:
        lies = as_it_lies(event)
        answers = [Choice((lies,), _("It lies there all the same"))] if lies else []
        answers.append(Choice((), _("We lay it differently")))
        self._ask(_("That is against the rules: %(reason)s", reason=reason), answers, area)

    def _name(self, player: int) -> str:
        return self.setup.players[player].name

    # -- the line -----------------------------------------------------------------------------------------------

    def _line_drawn(self) -> bool:
        fresh, length = self.lines.fresh, self.now.line_length
        if not fresh or len(fresh) != length:
            self.waiting = _(
                "A new line is next: %(seen)d of %(count)d dominoes are seen.",
                seen=len(fresh),
                count=length,
            )
            return False
        area = area_of([half for one in fresh for half in (one.left, one.right)])
        numbers = numbers_for(fresh, self.now)
        sure = numbers is not None and min(one.confidence for one in fresh) >= SURE
        if not sure:
            self._ask_which_line(fresh, area)
            return False
        event = LineDrawn(tuple(sorted(numbers or ())))
        return self._propose(event, area, min(one.confidence for one in fresh))

    def _ask_which_line(self, fresh: Sequence[Apart], area: Area | None) -> None:
        lines = likely_lines(fresh, self.now, SURE, MOST_CHOICES)
        answers = [Choice((LineDrawn(tuple(sorted(numbers))),)) for numbers in lines]
        self._ask(_("Which dominoes are in the new line?"), [*answers, _other()], area)

    # -- kings --------------------------------------------------------------------------------------------------

    def _king_set(self) -> bool:
        """The first king on a free domino of somebody whose turn it may be."""
        for slot in self.now.open_line:
            one = self.lines.known.get(slot.domino)
            if slot.player is not None or one is None:
                continue
            for player, king in one.kings:
                if self._may_choose(player):
                    event = DominoChosen(player, slot.domino)
                    return self._propose(event, one.area, king.confidence)
        return False

    def _may_choose(self, player: int) -> bool:
        if self.now.player is not None:
            return player == self.now.player
        return self.now.kings_left(player) > 0

    # -- dominoes -----------------------------------------------------------------------------------------------

    def _domino_placed(self) -> bool:
        player, domino = self.now.player, self.now.domino
        if player is None or domino is None:
            return False
        kingdom = self.now.kingdoms[player]
        squares = self.seen.kingdoms[player]
        if squares is None:
            self.waiting = _("The castle of %(name)s cannot be seen.", name=self._name(player))
            return False
        new = {cell: one for cell, one in squares.items() if cell not in kingdom.squares}
        laid = fitting(domino, new, self._axis(player))
        if laid:
            return self._propose(DominoPlaced(player, laid.placement), laid.area, laid.confidence)
        if new:
            self._ask_how_laid(player, domino, new)
            return False
        return self._domino_gone(player, domino)

    def _axis(self, player: int) -> float:
        castle = self.seen.castles[player]
        return castle.angle if castle else 0

    def _ask_how_laid(self, player: int, domino: int, new: Mapping[Cell, Observation]) -> None:
        kingdom, area = self.now.kingdoms[player], area_of(new.values())
        if len(new) > 2:
            return  # more than one domino: told as a disagreement
        ways = (
            pair_choices(kingdom, domino, new)
            if len(new) == 2
            else half_choices(kingdom, domino, next(iter(new)))
        )
        question = _(
            "%(name)s: domino %(domino)d comes next. How does it lie?", name=self._name(player), domino=domino
        )
        if ways:
            self._ask(question, [*choices(player, ways[:MOST_CHOICES]), _other()], area)

    def _domino_gone(self, player: int, domino: int) -> bool:
        """The domino is neither in the line nor in the kingdom: in somebody's hand, or back in the box."""
        if domino in self.lines.known:
            return False
        if not self.now.kingdoms[player].placements_of(domino):
            return self._propose(DominoDiscarded(player, domino), None, 1)
        name = self._name(player)
        self.waiting = _("%(name)s has domino %(domino)d in hand.", name=name, domino=domino)
        return False


def _other() -> Choice:
    return Choice((), _("Something else"))
