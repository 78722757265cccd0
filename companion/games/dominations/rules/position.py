"""Where a game of Dominations stands: everything on the table, why, and what it is waiting for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.core.message import Message
from companion.games.dominations.rules.board import Board
from companion.games.dominations.rules.box import (
    COPIES,
    ERAS,
    HAND,
    LIMITS,
    MARKERS,
    QUESTIONS,
    ROLES,
    TURNS,
    Amounts,
    Domain,
    Rulings,
)
from companion.games.dominations.rules.cards import Cards, Monument, printed_cards
from companion.games.dominations.rules.effects import CardEffect, Trigger
from companion.games.dominations.rules.events import Event, Plain, Ruled
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.placing import Place
from companion.games.dominations.rules.roles import RoleComparison
from companion.games.dominations.rules.titles import card_title
from companion.games.dominations.rules.tree import CAMPFIRE, Planted, Tree

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


class LedgerUnit(StrEnum):
    """What a line of the ledger counts besides Knowledge, whose Domain is its own unit."""

    INFLUENCE = "influence"
    POINTS = "points"


@dataclass(frozen=True)
class LedgerLine:
    """One number that changed, and why."""

    era: int
    round: int
    player: int
    unit: LedgerUnit | Domain
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
            if line.unit is LedgerUnit.POINTS:
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

    def effects_of(self, card: Planted) -> tuple[CardEffect, ...]:
        """What one card does; rulebook 004, "Desenvolva uma Maestria": once turned over, the other side."""
        if card.key == CAMPFIRE:
            return ()
        if card.level:
            return self.monument(card.key).levels[card.level - 1].side.effects
        mastery = self.cards.masteries[card.key]
        side = mastery.advanced if card.advanced else mastery.basic
        return side.effects if side else ()

    def monument(self, key: str) -> Monument:
        return self.cards.monuments[key]

    def title(self, key: str) -> Message:
        """What the table calls a card."""
        cards = self.cards
        card = cards.masteries.get(key) or cards.monuments.get(key) or cards.objectives.get(key)
        return card_title(key, card.title if card else key, key in self.taught)


def start(players: int, rulings: Mapping[str, str]) -> Position:
    """Rulebook 004, "Preparação": no Knowledge, limits of 5, and the Initiative in the order people sit until told."""
    return Position((Seat(),) * players, tuple(range(players)), rulings=rulings, turns=(0,) * players)


def with_seat(position: Position, player: int, seat: Seat) -> Position:
    seats = (*position.seats[:player], seat, *position.seats[player + 1 :])
    return replace(position, seats=seats)
