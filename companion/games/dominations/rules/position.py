"""Where a game stands: everything on the table, why, and what it is waiting for; and a draft of it.

A Position is frozen, and equal ones are the same table. Every number that changes is a `LedgerLine`; points are
sums of lines. A Draft is a Position while an event works on it: it asks (`AnswerNeeded`), it objects (and is
overruled with a reason), and nobody sees it before the event is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.rules.board import CAMPFIRE, Board, Planted, Tree
from companion.games.dominations.rules.box import (
    COPIES,
    ERAS,
    HAND,
    LEFT_OPEN,
    LETTERS,
    LIMITS,
    MARKERS,
    QUESTIONS,
    ROLES,
    TURNS,
    Amounts,
    Domain,
    OpenQuestion,
    Rulings,
    settled,
)
from companion.games.dominations.rules.cards import (
    CardEffect,
    Cards,
    Monument,
    Side,
    Trigger,
    card_title,
    printed_cards,
)
from companion.games.dominations.rules.events import Event, Place, Plain, Ruled, Track
from companion.games.dominations.rules.lattice import Cell

ROLE_NAMES: Mapping[str, Message] = {
    "governor": _("Governor"),
    "high_priest": _("High Priest"),
    "diplomat": _("Diplomat"),
    "merchant": _("Merchant"),
    "inventor": _("Inventor"),
    "worker": _("Worker"),
}


@dataclass(frozen=True)
class CardAddition:
    """What a card adds to somebody's Knowledge when Roles are determined."""

    player: int
    amount: int
    why: Message
    domain: Domain | None = None
    """None where nobody has said it."""


@dataclass(frozen=True)
class RoleComparison:
    """How it was determined who takes a Role."""

    role: str
    values: tuple[int, ...]
    """What each player had left, with what cards added."""
    winner: int | None = None
    added: tuple[CardAddition, ...] = ()
    """What of the values is added by cards."""
    open: tuple[CardAddition, ...] = ()
    """What may be added here, and by which somebody else would take the Role."""

    @property
    def tied(self) -> tuple[int, ...]:
        """Who had as much as the winner: between them, the Initiative decided."""
        if self.winner is None:
            return ()
        return tuple(player for player, n in enumerate(self.values) if n == self.values[self.winner])


NOBODY = -1


class GameStage(StrEnum):
    """What the table is waiting for."""

    GROWTH = "growth"
    CONSTRUCTION = "construction"
    DEVELOPMENT = "development"
    DONE = "done"
    EFFECTS = "effects"
    ASSIMILATION = "assimilation"
    ROLES = "roles"
    NEXT = "next"
    OBJECTIVES = "objectives"
    OVER = "over"


OF_A_TURN = frozenset({GameStage.GROWTH, GameStage.CONSTRUCTION, GameStage.DEVELOPMENT, GameStage.DONE})


class Missing(StrEnum):
    """What a number may depend on though nobody has told it."""

    CRADLE = "cradle"
    PIECE = "piece"
    CITY = "city"
    GOALS = "goals"


@dataclass(frozen=True)
class LedgerLine:
    """One number that changed, and why."""

    era: int
    round: int
    player: int
    unit: Track | Domain
    amount: int
    why: Message
    lost: int = 0
    """What a full Reserve could not hold."""
    produced: bool = False
    """Whether it was Produced; everything else was Gained, paid or set by hand."""
    rulings: Rulings = ()
    """The table's rulings that the number depends on, as they were then."""
    where: tuple[str, ...] = ()
    working: str = ""
    objective: bool = False
    """Whether an Objective brought it."""
    without: Missing | None = None
    """What nobody has told, and the number may be more by."""


@dataclass(frozen=True)
class Reminder:
    """Something that a card says in words, or in part: people do it by hand."""

    player: int
    key: str
    effect: CardEffect


class QuestionKind(StrEnum):
    """What a table or a player can be asked in the middle of something."""

    RULING = "ruling"
    DOMAINS = "domains"
    LOCUS = "locus"
    CARD = "card"
    ORDER = "order"
    EFFECT = "effect"


@dataclass(frozen=True)
class PendingQuestion:
    """A question that has to be answered before the last event can count."""

    ask: QuestionKind
    player: int
    """NOBODY when the whole table is asked."""
    about: str
    """A ruling, a card, or the reason for the choice."""
    choices: tuple[str, ...] = ()
    count: int = 0
    """For Domains: how many letters."""


@dataclass(frozen=True)
class HeldEvent:
    """An event that waits for an answer."""

    event: Plain
    answers: tuple[str, ...]
    need: PendingQuestion


@dataclass(frozen=True)
class DroppedEvent:
    """An event that asked something, and by the answer could not happen."""

    event: Plain
    reason: Message
    by: Ruled | None = None
    """The ruling by which it could not, where it was one."""


@dataclass(frozen=True)
class City:
    """A City, wherever it stands."""

    owner: int
    domain: Domain
    level: int
    cell: Cell | None = None

    @property
    def where(self) -> tuple[str, ...]:
        """Its territory, as lines of the ledger tell it."""
        return (str(self.cell),) if self.cell else ()


@dataclass(frozen=True)
class Site:
    """A Monument in play."""

    taken: int = 0
    """How many of its levels somebody has."""
    place: Place | None = None
    rewarded: tuple[int, ...] = ()
    """Whose Cities it has rewarded, once for each of them."""


def _each(amount: int) -> Amounts:
    return dict.fromkeys(Domain, amount)


@dataclass(frozen=True)
class Seat:
    """What a player has."""

    knowledge: Amounts = field(default_factory=lambda: _each(0))
    limits: Amounts = field(default_factory=lambda: _each(LIMITS[0]))
    influence: int = 0
    markers: int = MARKERS
    tree: Tree = field(default_factory=Tree)
    roles: tuple[str, ...] = ()
    objective: str = ""
    achieved: frozenset[int] = frozenset()
    """Goals that people ticked themselves."""
    missed: frozenset[int] = frozenset()
    """Goals of which they said, when the last Era had ended, that they are not reached."""
    goals: int | None = None
    """How many goals of an Objective that nobody has read out are reached, as people say; None until they do."""
    redrawn: bool = False
    produced: Amounts = field(default_factory=lambda: _each(0))
    """What the player has produced in this turn."""


@dataclass(frozen=True)
class Position:
    """Everything on the table."""

    seats: tuple[Seat, ...]
    order: tuple[int, ...]
    """The Initiative track: who is first in ties."""
    board: Board = field(default_factory=Board)
    cities: tuple[City, ...] = ()
    sites: Mapping[str, Site] = field(default_factory=dict)
    cards: Cards = field(default_factory=printed_cards)
    taught: frozenset[str] = frozenset()
    """The cards that this table has read out; of no other anything is applied."""
    rulings: Mapping[str, str] = field(default_factory=dict)
    era: int = 1
    turns: tuple[int, ...] = ()
    """How many turns each player has had in this Era."""
    put_off: frozenset[int] = frozenset()
    """Whose turn began, and others went before: what its start brings was given."""
    player: int = 0
    stage: GameStage = GameStage.GROWTH
    again: bool = False
    """Whether the territory of this turn is laid, and the Worker may add one."""
    ordered: bool = False
    """Whether somebody has said the order of the next Era."""
    compared: tuple[RoleComparison, ...] = ()
    """How the Roles of this Era's end were determined, until the next one begins."""
    determined: int = 0
    righted: frozenset[str] = frozenset()
    """How many numbers had changed when that was done, and which Roles people have put right since."""
    lines: tuple[LedgerLine, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    uncounted: tuple[Reminder, ...] = ()
    """Every one of the whole game: nothing of these is in any number, unless people have put it there."""
    unpaid: frozenset[str] = frozenset()
    """The Monuments beside which a City may stand that the map does not show, until people tell their rewards."""
    held: HeldEvent | None = None
    overruled: tuple[Event, ...] = ()
    left_open: tuple[HeldEvent, ...] = ()
    """What was asked and never answered: people went on, and it brought nothing."""
    dropped: tuple[DroppedEvent, ...] = ()

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def round(self) -> int:
        """Which of the player's turns in this Era it is."""
        return min(self.turns[self.player] + 1, TURNS)

    @property
    def last_turn_over(self) -> bool:
        """Whether nothing but the end of the last Era is left."""
        return self.era == ERAS and self.stage not in OF_A_TURN

    @property
    def begun(self) -> bool:
        """Whether the first turn has been taken."""
        moved = self.player != self.order[0] or self.stage is not GameStage.GROWTH
        return moved or self.era > 1 or any(self.turns)

    @property
    def between_eras(self) -> bool:
        """Whether nobody has had a turn in this Era yet."""
        first = self.player == self.order[0] and self.stage is GameStage.GROWTH
        return first and not any(self.turns) and not self.put_off and not self.again

    @property
    def governed(self) -> bool:
        return any("governor" in seat.roles for seat in self.seats)

    @property
    def governor(self) -> int:
        """Who orders the Initiative before the next Era; NOBODY where that is done, or nobody's office."""
        if self.stage is not GameStage.NEXT or self.ordered:
            return NOBODY
        return next((n for n, seat in enumerate(self.seats) if "governor" in seat.roles), NOBODY)

    @property
    def points(self) -> tuple[int, ...]:
        """What each player has on the Victory track: always a sum of lines."""
        sums = [0] * self.players
        for line in self.lines:
            if line.unit is Track.POINTS:
                sums[line.player] += line.amount
        return tuple(sums)

    def first(self, values: Mapping[int, int]) -> int:
        """Who has most; rulebook 004, "Iniciativa": any tie goes to whoever is nearer the first place."""
        return max(values, key=lambda player: (values[player], -self.order.index(player)))

    def hand_size(self, player: int) -> int:
        """How many territories a player draws up to at the beginning of this Era."""
        return HAND + sum(ROLES[role].tiles for role in self.seats[player].roles)

    def city_at(self, cell: Cell | None) -> City | None:
        return next((city for city in self.cities if cell is not None and city.cell == cell), None)

    def cities_of(self, player: int) -> tuple[City, ...]:
        return tuple(city for city in self.cities if city.owner == player)

    def left_in_the_rack(self, key: str) -> int:
        return COPIES - sum(seat.tree.find(key) is not None for seat in self.seats)

    def ruling(self, question: str) -> str:
        """How this table counts what the rulebook leaves open."""
        return self.rulings.get(question, QUESTIONS[question].answers[0])

    def effects(self, player: int, *triggers: Trigger) -> Iterator[tuple[Planted, CardEffect]]:
        """What the cards of a Tree do at a trigger."""
        for card in self.seats[player].tree.cards:
            for effect in self.effects_of(card):
                if effect.trigger in triggers:
                    yield card, effect

    def side_of(self, card: Planted) -> Side:
        """What counts of a card; rulebook 004, "Desenvolva uma Maestria": once turned over, the other side."""
        if card.level:
            return self.monument(card.key).levels[card.level - 1].side
        mastery = self.cards.masteries[card.key]
        return (mastery.advanced or Side()) if card.advanced else mastery.basic

    def effects_of(self, card: Planted) -> tuple[CardEffect, ...]:
        """What one card does; the Campfire's half Nodi alone count."""
        return () if card.key == CAMPFIRE else self.side_of(card).effects

    def monument(self, key: str) -> Monument:
        return self.cards.monuments[key]

    def title(self, key: str) -> Message:
        """What the table calls a card."""
        card = self.cards.find(key)
        return card_title(key, card.title if card else key, key in self.taught)


def start(players: int, rulings: Mapping[str, str]) -> Position:
    """Rulebook 004, "Preparação": no Knowledge, limits of 5, and the Initiative in the order people sit until told."""
    return Position((Seat(),) * players, tuple(range(players)), rulings=rulings, turns=(0,) * players)


TOP_LIMIT = LIMITS[-1]
"""Above this limit, what is lost brings a point."""


class AnswerNeeded(Exception):
    """The event cannot go on before somebody answers."""

    def __init__(self, need: PendingQuestion) -> None:
        super().__init__(need)
        self.need = need


def check_answer(need: PendingQuestion, answer: str) -> None:
    """Refuse what is not among the choices."""
    if need.ask is QuestionKind.DOMAINS:
        if not re.fullmatch(rf"[{LETTERS}]{{{need.count}}}", answer):
            raise IllegalEvent(
                _n(
                    "Choose one of the six Domains.",
                    "Choose %(count)d times among the six Domains.",
                    need.count,
                )
            )
    elif answer not in need.choices:
        raise IllegalEvent(_("This is not among the choices."))


def is_choice(need: PendingQuestion, answer: str) -> bool:
    """Whether it is among the choices."""
    try:
        check_answer(need, answer)
    except IllegalEvent:
        return False
    return True


def resized_choice(choice: str, need: PendingQuestion) -> str:
    """There may be more Vestigium now, or less: what was chosen first stays, and more of it is the same again."""
    if need.ask is not QuestionKind.DOMAINS or not choice or not {*choice} <= {*LETTERS}:
        return choice
    return (choice * (need.count // len(choice) + 1))[: need.count]


class Draft:
    """A working copy; nobody sees it before the event is done."""

    def __init__(self, position: Position, answers: Sequence[str] = ()) -> None:
        self.position = position
        self.why_not: list[Message] = []
        """What speaks against the event; people may overrule it with a reason."""
        self._answers = [answer for answer in answers if not settled(answer)]
        self._settled = dict(ruling for answer in answers if (ruling := settled(answer)))
        self.consulted: dict[str, str] = {}
        """The rulings that mattered for the event: some of its numbers may depend on them."""
        self.unanswered: list[OpenQuestion] = []
        """Rulings that mattered and that nobody has made."""

    def set(self, **changes: Any) -> None:
        self.position = replace(self.position, **changes)

    def seat(self, player: int) -> Seat:
        return self.position.seats[player]

    def change(self, player: int, **changes: Any) -> None:
        seats = self.position.seats
        seat = replace(seats[player], **changes)
        self.set(seats=(*seats[:player], seat, *seats[player + 1 :]))

    def object_to(self, *objections: Message) -> None:
        self.why_not += objections

    def choose(self, need: PendingQuestion) -> str:
        """The answer to a question, or the question itself."""
        if len(need.choices) == 1 and need.ask is not QuestionKind.DOMAINS:
            return need.choices[0]
        if not self._answers:
            raise AnswerNeeded(need)
        answer = self._answers.pop(0)
        if answer != LEFT_OPEN:
            check_answer(need, answer)
        return answer

    def rule(self, question: OpenQuestion) -> str:
        """The table's ruling, asked for when it matters for the first time."""
        answer = self.position.rulings.get(question) or self._told_along(question)
        self.consulted[question] = answer
        return answer

    def _told_along(self, question: OpenQuestion) -> str:
        if question not in self._settled:
            if QUESTIONS[question].late:
                return QUESTIONS[question].answers[0]
            raise AnswerNeeded(PendingQuestion(QuestionKind.RULING, NOBODY, question))
        if answer := self._settled[question]:
            self.set(rulings={**self.position.rulings, question: answer})
            return answer
        if question not in self.unanswered:
            self.unanswered.append(question)
        return QUESTIONS[question].answers[0]

    def domains(self, player: int, count: int, about: str, whole: bool = False) -> Amounts:
        """Vestigium as its owner splits it, unless its card binds it; rulebook 004, "Conhecimento Vestigium"."""
        if whole and count:
            return dict.fromkeys(self.domains(player, 1, about), count)
        found: dict[Domain, int] = {}
        if count:
            for letter in self.choose(
                PendingQuestion(QuestionKind.DOMAINS, player, about, tuple(LETTERS), count)
            ):
                found[Domain(letter)] = found.get(Domain(letter), 0) + 1
        return found

    def note(self, line: LedgerLine) -> None:
        self.set(lines=(*self.position.lines, line))

    def line(self, player: int, unit: Track | Domain, amount: int, why: Message, **more: Any) -> None:
        self.note(LedgerLine(self.position.era, self.position.round, player, unit, amount, why, **more))

    def remind(self, reminders: Iterable[Reminder]) -> None:
        due = tuple(reminders)
        self.set(
            reminders=(*self.position.reminders, *due),
            uncounted=tuple(dict.fromkeys((*self.position.uncounted, *due))),
        )

    def points(self, player: int, amount: int, why: Message, **more: Any) -> None:
        if amount:
            self.line(player, Track.POINTS, amount, why, **more)

    def influence(self, player: int, amount: int, why: Message, **more: Any) -> None:
        if amount:
            self.change(player, influence=self.seat(player).influence + amount)
            self.line(player, Track.INFLUENCE, amount, why, **more)

    def raise_limit(self, player: int, domain: Domain, limit: int) -> None:
        """Rulebook 004, "Acumulando limites": the highest counts, limits are never added."""
        limits = self.seat(player).limits
        self.change(player, limits={**limits, domain: max(limits[domain], min(limit, TOP_LIMIT))})

    def acquire(
        self, player: int, amounts: Amounts, why: Message, produced: bool = False, **more: Any
    ) -> None:
        """Knowledge for a player, as much as the Reserves hold; rulebook 004, "Limites das Reservas"."""
        given = {domain: amount for domain, amount in amounts.items() if amount > 0}
        over = [domain for domain, amount in given.items() if self._overflows(player, domain, amount)]
        for domain in (domain for domain in Domain if domain in given):
            self._store(player, domain, given[domain], why, produced=produced, **more)
        if over:
            self._overflow(player, over)

    def _overflows(self, player: int, domain: Domain, amount: int) -> bool:
        seat = self.seat(player)
        return seat.limits[domain] >= TOP_LIMIT and seat.knowledge[domain] + amount > TOP_LIMIT

    def _store(self, player: int, domain: Domain, amount: int, why: Message, **more: Any) -> None:
        seat = self.seat(player)
        knowledge, produced = seat.knowledge, seat.produced
        kept = max(0, min(amount, seat.limits[domain] - knowledge[domain]))
        if more.get("produced"):
            produced = {**produced, domain: produced[domain] + amount}
        self.change(player, knowledge={**knowledge, domain: knowledge[domain] + kept}, produced=produced)
        self.line(player, domain, kept, why, lost=amount - kept, **more)

    def _overflow(self, player: int, over: list[Domain]) -> None:
        """One point each time Knowledge would come above 20, however much is lost."""
        points = len(over)
        if points > 1 and self.rule(OpenQuestion.OVERFLOW) == "per_occasion":
            points = 1
        self.points(player, points, _("More than 20 in a Reserve"))

    def keep_beyond(self, player: int, amounts: Amounts, why: Message, **more: Any) -> None:
        """Knowledge that no limit holds back, where the table ruled so."""
        knowledge = {**self.seat(player).knowledge}
        for domain, amount in amounts.items():
            knowledge[domain] += amount
            self.line(player, domain, amount, why, **more)
        self.change(player, knowledge=knowledge)

    def pay(self, player: int, domain: Domain, amount: int, why: Message, **more: Any) -> None:
        """Knowledge that is given away, as much as there is."""
        knowledge = self.seat(player).knowledge
        if knowledge[domain] < amount:
            self.object_to(
                _(
                    "This costs %(cost)d, and there is only %(left)d in the Reserve.",
                    cost=amount,
                    left=knowledge[domain],
                )
            )
        paid = min(amount, knowledge[domain])
        self.change(player, knowledge={**knowledge, domain: knowledge[domain] - paid})
        if paid:
            self.line(player, domain, -paid, why, **more)

    def check(self, because: str) -> None:
        """Refuse what the rules do not allow, unless people say why."""
        if self.why_not and not because:
            raise IllegalEvent(self.why_not[0])

    def finish(self, event: Event, because: str) -> None:
        """The event is done, or it is said why it is refused."""
        self.check(because)
        if self._answers:
            raise IllegalEvent(_("Nothing was asked."))
        if self.why_not:
            self.set(overruled=(*self.position.overruled, event))


def sum_of_amounts(*parts: Mapping[Domain, int]) -> Amounts:
    """The sum of Knowledge, Domain by Domain."""
    return {domain: total for domain in Domain if (total := sum(part.get(domain, 0) for part in parts))}


def count_letters(text: Iterable[str]) -> Amounts:
    """How often each Domain's letter occurs."""
    found = [*text]
    return {domain: found.count(domain) for domain in Domain if domain in found}
