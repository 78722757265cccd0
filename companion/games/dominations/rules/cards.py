"""Cards: Masteries, Monuments and Objectives, those of the tables and those a table has taught."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominations.rules.box import LETTERS, UNKNOWN, VALUES, load_table
from companion.games.dominations.rules.effects import CardEffect, parse_effect
from companion.games.dominations.rules.goals import Goal, parse_goal
from companion.games.dominations.rules.tree import CAMPFIRE

MOST_EFFECTS = 3
"""Effects on one side of a card."""
MOST_LEVELS = 8
HIGHEST_COST = 20
"""No Reserve holds more."""
HIGHEST_POINTS = 60
GOALS = 5
RESERVED = (CAMPFIRE, "nothing")
"""What notation has another use for than as the key of a card."""


class PieceShape(StrEnum):
    """The two shapes of Monuments' pieces."""

    LOZENGE = "lozenge"
    CIRCLE = "circle"


@dataclass(frozen=True)
class KnowledgeCost:
    """Knowledge of one Domain."""

    domain: str
    amount: int

    @property
    def known(self) -> bool:
        return self.domain != UNKNOWN and self.amount > 0

    def __str__(self) -> str:
        return f"{self.domain} {self.amount or UNKNOWN}"


@dataclass(frozen=True)
class Side:
    """One side of a Mastery, or a Level card."""

    effects: tuple[CardEffect, ...] = ()
    points: int = 0
    influence: int = 0


@dataclass(frozen=True)
class Mastery:
    """A Mastery card."""

    key: str
    title: str
    domain: str
    value: int
    needs: KnowledgeCost | None = None
    """The Domain and the least value of another Mastery that has to be in the Tree."""
    advance: KnowledgeCost | None = None
    """What turning it over costs; nothing when nobody knows."""
    basic: Side = Side()
    advanced: Side | None = None

    @property
    def cost(self) -> KnowledgeCost:
        return KnowledgeCost(self.domain, self.value)


@dataclass(frozen=True)
class Level:
    """A level of a Monument."""

    cost: KnowledgeCost
    side: Side = Side()


@dataclass(frozen=True)
class Monument:
    """A Monument card and its pile of levels."""

    key: str
    title: str
    shape: PieceShape
    levels: tuple[Level, ...] = ()
    """Nothing when nobody knows them yet."""
    coastal: bool = False
    """Whether territories may be joined only where its piece shows a reward."""
    beside: str = ""
    """The Domain of a City that a lozenge has to be beside."""
    reward: str = ""
    """The Domains of the Cities it rewards."""
    reward_points: int = 0


@dataclass(frozen=True)
class Objective:
    """An Objective card: five goals."""

    key: str
    title: str
    goals: tuple[Goal, ...]


Card = Mastery | Monument | Objective


@dataclass(frozen=True)
class Cards:
    """Every card that is known, by its key."""

    masteries: Mapping[str, Mastery]
    monuments: Mapping[str, Monument]
    objectives: Mapping[str, Objective]

    def taught(self, card: Card) -> Cards:
        """With one more card, or a known one as the table has it before its eyes."""
        match card:
            case Mastery():
                return Cards({**self.masteries, card.key: card}, self.monuments, self.objectives)
            case Monument():
                return Cards(self.masteries, {**self.monuments, card.key: card}, self.objectives)
            case Objective():
                return Cards(self.masteries, self.monuments, {**self.objectives, card.key: card})


def parse_cost(text: str) -> KnowledgeCost:
    domain, _space, amount = text.partition(" ")
    if domain not in (*LETTERS, UNKNOWN) or not (
        amount == UNKNOWN or (amount.isascii() and amount.isdecimal() and len(amount) < 3)
    ):
        raise NotationError(_("“%(text)s” is no cost: write one like T 6.", text=text[:40]))
    number = 0 if amount == UNKNOWN else int(amount)
    if number > HIGHEST_COST:
        raise NotationError(_("Nothing costs more than %(most)d.", most=HIGHEST_COST))
    return KnowledgeCost(domain, number)


def side_of(effects: Iterable[str], points: int = 0, influence: int = 0) -> Side:
    found = tuple(map(parse_effect, effects))
    if len(found) > MOST_EFFECTS or max(points, influence) > HIGHEST_POINTS:
        raise NotationError(_("This is too much for one side of a card."))
    return Side(found, points, influence)


def checked_card(card: Card) -> Card:
    """The card, when it could be in the box."""
    if card.key in RESERVED:
        raise NotationError(
            _("“%(key)s” stands for something else: give the card another key.", key=card.key)
        )
    match card:
        case Mastery(value=value) if value not in (0, *VALUES):
            raise NotationError(_("A Mastery has the value 3, 6 or 9."))
        case Monument(levels=levels) if len(levels) > MOST_LEVELS:
            raise NotationError(_("A Monument has %(most)d levels at most.", most=MOST_LEVELS))
        case Objective(goals=goals) if len(goals) != GOALS:
            raise NotationError(_("An Objective has %(count)d goals.", count=GOALS))
    return card


def _mastery(key: str, row: Mapping[str, Any]) -> Mastery:
    return Mastery(
        key,
        row["title"],
        row["domain"],
        row["value"],
        parse_cost(row["needs"]) if "needs" in row else None,
        parse_cost(row["advance"]) if "advance" in row else None,
        side_of(row.get("basic", ())),
        side_of(row["advanced"]) if "advanced" in row else None,
    )


def _level(row: Mapping[str, Any]) -> Level:
    return Level(parse_cost(row["cost"]), side_of(row.get("effects", ()), row["points"]))


def _monument(key: str, row: Mapping[str, Any]) -> Monument:
    reward = row.get("reward", {"domains": "", "points": 0})
    levels = tuple(map(_level, row.get("levels", ())))
    told = (row.get("coastal", False), row.get("beside", ""), reward["domains"], reward["points"])
    return Monument(key, row["title"], PieceShape(row["shape"]), levels, *told)


def _objective(key: str, row: Mapping[str, Any]) -> Objective:
    return Objective(key, row["title"], tuple(map(parse_goal, row["goals"])))


@cache
def printed_cards() -> Cards:
    """What the tables know of the box; read when the first game begins."""
    return Cards(
        {key: _mastery(key, row) for key, row in load_table("masteries").items()},
        {key: _monument(key, row) for key, row in load_table("monuments").items()},
        {key: _objective(key, row) for key, row in load_table("objectives").items()},
    )
