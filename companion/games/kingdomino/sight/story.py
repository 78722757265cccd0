"""What a table tells: events in their order, questions, what is waited for, and disagreements with the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Doubt, Proposal, Reading
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced, Event, LineDrawn
from companion.games.kingdomino.rules.moves import apply
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.disagreement import OpenQuestions, contradictions, missing_dominoes
from companion.games.kingdomino.sight.lines import LooseDominoes, find_lines
from companion.games.kingdomino.sight.seen import SURE, RegisteredTable
from companion.games.kingdomino.text.words import describe_event


@dataclass
class EventFollower:
    """What is told of a table so far.

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
