"""What is in the box, and the questions its rulebook leaves open, with their answers.

Numbers are read once from `box.toml`; a Domain is known by one letter everywhere (T C A S P R), besides V for
Vestigium, X for Corruptio and ? for what nobody knows. The first answer of an open question is the most
literal one. Nothing of the game is imported here but the lattice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.game import Option
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.lattice import Cell, parse_cell


class Domain(StrEnum):
    """The six Domains of Knowledge, by the letter that stands for each in notation."""

    TRADE = "T"
    CRAFTS = "C"
    ART = "A"
    SCIENCE = "S"
    POLITICS = "P"
    RELIGION = "R"


VESTIGIUM = "V"
"""Knowledge and Nodi that become one of the six when somebody receives or connects them."""
CORRUPTIO = "X"
"""A black half Nodus: it connects to nothing."""
UNKNOWN = "?"
"""What nobody has told yet; nothing follows from it."""
LETTERS = "".join(Domain)

Amounts = Mapping[Domain, int]
"""Knowledge of some Domains."""

DOMAIN_NAMES: Mapping[Domain, Message] = {
    Domain.TRADE: _("Trade"),
    Domain.CRAFTS: _("Crafts"),
    Domain.ART: _("Art"),
    Domain.SCIENCE: _("Science"),
    Domain.POLITICS: _("Politics"),
    Domain.RELIGION: _("Religion"),
}


# Translators: the first two letters of each Domain's name, different for all six: they stand on the map.
SHORT_NAMES: Mapping[Domain, Message] = {
    Domain.TRADE: _("Tr"),
    Domain.CRAFTS: _("Cr"),
    Domain.ART: _("Ar"),
    Domain.SCIENCE: _("Sc"),
    Domain.POLITICS: _("Po"),
    Domain.RELIGION: _("Re"),
}


def colour_name(letter: str) -> Message:
    """What a resource is called."""
    if letter == VESTIGIUM:
        return _("Vestigium")
    if letter == UNKNOWN:
        return _("unknown")
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else _("none")


@dataclass(frozen=True)
class DomainLook:
    """How a Domain is told from the others: never by its colour alone."""

    letter: str
    key: str
    colour: str
    icon: str


@dataclass(frozen=True)
class CityLevel:
    cost: int
    influence: int
    limit: int


@dataclass(frozen=True)
class Role:
    """A Domination card."""

    key: str
    domain: Domain
    points: int
    points_of_two: int
    """What it brings when two play."""
    once: bool = False
    """Whether it goes back to the common area when its power has been used."""
    tiles: int = 0
    """Territories drawn beyond seven."""
    influence: int = 0
    field: int = 0
    """What a Field produces beyond one."""


class OpenQuestion(StrEnum):
    """The questions that the rulebook leaves open; their answers stand in `box.toml`."""

    JOINS = "joins"
    OVERFLOW = "overflow"
    CITY_INFLUENCE = "city_influence"
    EXCHANGE = "exchange"
    CRADLE = "cradle"
    WHITE = "white"
    BARTER = "barter"
    GOVERNOR_OF_TWO = "governor_of_two"
    ASSIMILATION = "assimilation"
    NODI = "nodi"
    NO_GOVERNOR = "no_governor"
    NO_TILE = "no_tile"
    RAISED_LIMIT = "raised_limit"
    ROLES_COUNTED = "roles_counted"
    COMPARISON = "comparison"
    ERA_END_LIMIT = "era_end_limit"
    LOZENGE = "lozenge"
    MERCHANT = "merchant"
    INVENTOR_AGAIN = "inventor_again"
    EFFECT_ORDER = "effect_order"


@dataclass(frozen=True)
class RulebookQuestion:
    """One of these questions, with its answers."""

    number: str
    key: OpenQuestion
    answers: tuple[str, ...]
    """The first one is taken unless the table rules otherwise."""
    never: bool = False
    """Whether no answer can change a number."""
    late: bool = False
    """Whether logs are older than the question: they never wait for it, and the page asks before it matters."""


_FOLDER = Path(__file__).parents[1]


def load_table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))


_BOX = load_table("box")
_GAME = _BOX["game"]

LOOKS: Mapping[Domain, DomainLook] = {
    Domain(x): DomainLook(letter=x, **look) for x, look in _BOX["domains"].items()
}
ERAS: int = _GAME["eras"]
TURNS: int = _GAME["turns"]
HAND: int = _GAME["hand"]
COPIES: int = _GAME["copies"]
TRADE_RATE: int = _GAME["trade"]
MARKERS: int = _GAME["markers"]
TILES: int = _GAME["tiles"]
LIMITS: tuple[int, ...] = tuple(_GAME["limits"])
VALUES: tuple[int, ...] = tuple(_GAME["values"])
LAPS: Mapping[str, int] = {"influence": _GAME["influence_lap"], "points": _GAME["points_lap"]}
OBJECTIVE_POINTS: tuple[int, ...] = tuple(_GAME["objective_points"])
FINAL_ROLE_POINTS: int = _GAME["final_role_points"]
CITY_LEVELS: Mapping[int, CityLevel] = {int(n): CityLevel(**level) for n, level in _BOX["cities"].items()}
ASSIMILATION: tuple[tuple[int, int], ...] = tuple((r["influence"], r["value"]) for r in _BOX["assimilation"])
CRADLE: frozenset[Cell] = frozenset(map(parse_cell, _BOX["cradle"]["cells"]))


def _role(key: str, row: Mapping[str, Any]) -> Role:
    told = {"points_of_two": row["points"], **row, "domain": Domain(row["domain"])}
    return Role(key=key, **told)


ROLES: Mapping[str, Role] = {key: _role(key, row) for key, row in _BOX["roles"].items()}
Rulings = tuple[tuple[str, str], ...]
"""Questions that the rulebook leaves open, each with its answer."""
QUESTIONS: Mapping[str, RulebookQuestion] = {
    OpenQuestion(row["key"]): RulebookQuestion(
        number,
        OpenQuestion(row["key"]),
        tuple(row["answers"]),
        row.get("never", False),
        row.get("late", False),
    )
    for number, row in _BOX["rulings"].items()
}


def assimilable(influence: int) -> int:
    """The highest value of a Mastery that this much Influence lets the leader assimilate."""
    return next(value for most, value in ASSIMILATION if influence <= most)


LEFT_OPEN = ""
"""The answer of nobody: what was asked brings nothing, and of rulings the most literal counts, once."""
UNASKED = "unasked"
"""The option of a table that wants no questions: the first answer to each of them."""

QUESTION_TEXTS: Mapping[str, Message] = {
    OpenQuestion.JOINS: _(
        "A territory joins several sides. Does a resource on two of them count once, or for each side?"
    ),
    OpenQuestion.OVERFLOW: _(
        "Several Reserves of 20 overflow at once. Is that a point for each of them, or one in all?"
    ),
    OpenQuestion.CITY_INFLUENCE: _(
        "A City rises. Is the Influence of the new level added, or does it replace the old one?"
    ),
    OpenQuestion.EXCHANGE: _("A Locus is closed. Do Cities joined outside its circle pay as well?"),
    OpenQuestion.CRADLE: _("The Cradle lies in a closed circle. Is that a Locus?"),
    OpenQuestion.WHITE: _("A white resource lies beside a coloured one. Is that a concentration?"),
    OpenQuestion.BARTER: _("How much does Barter give?"),
    OpenQuestion.GOVERNOR_OF_TWO: _(
        "Two play, and the third Era ends. Does the Governor bring 3 points, or nothing?"
    ),
    OpenQuestion.ASSIMILATION: _("Does an assimilated Mastery need what its card presupposes?"),
    OpenQuestion.NODI: _("Do Nodi with the Campfire or with a Monument's level count for Objectives?"),
    OpenQuestion.NO_GOVERNOR: _("Nobody is Governor. Does the order stay, or may the table choose it?"),
    OpenQuestion.NO_TILE: _("A player has no territory. May the player pass?"),
    OpenQuestion.RAISED_LIMIT: _("Is a City paid for before its limit is raised?"),
    OpenQuestion.ROLES_COUNTED: _(
        "Cards pay for Roles. Those just obtained, or those held when the Era ends?"
    ),
    OpenQuestion.COMPARISON: _(
        "A card adds to Knowledge when Roles are determined. In one Domain, or in every one?"
    ),
    OpenQuestion.ERA_END_LIMIT: _(
        "A card gives more at the end of the Era than a Reserve holds. Is the rest lost?"
    ),
    OpenQuestion.LOZENGE: _("A lozenge lies in a closed circle. Is that a Locus?"),
    OpenQuestion.MERCHANT: _(
        "The Inventor reactivates a territory. Does its Field bring the Merchant's extra Knowledge?"
    ),
    OpenQuestion.INVENTOR_AGAIN: _(
        "May the Inventor reactivate a territory in place of the Worker's second territory?"
    ),
    OpenQuestion.EFFECT_ORDER: _("Effects are simultaneous, and their order matters. Who says it?"),
}

RULED: Mapping[str, Message] = {
    OpenQuestion.JOINS: _("resources on two sides"),
    OpenQuestion.OVERFLOW: _("several full Reserves"),
    OpenQuestion.CITY_INFLUENCE: _("Influence of Cities"),
    OpenQuestion.EXCHANGE: _("Cities outside the circle"),
    OpenQuestion.CRADLE: _("the Cradle in a circle"),
    OpenQuestion.WHITE: _("white resources"),
    OpenQuestion.BARTER: _("Barter"),
    OpenQuestion.GOVERNOR_OF_TWO: _("the Governor of two"),
    OpenQuestion.ASSIMILATION: _("what assimilated cards need"),
    OpenQuestion.NODI: _("Nodi of the Campfire and of Monuments"),
    OpenQuestion.NO_GOVERNOR: _("nobody is Governor"),
    OpenQuestion.NO_TILE: _("no territory to lay"),
    OpenQuestion.RAISED_LIMIT: _("a City and its limit"),
    OpenQuestion.ROLES_COUNTED: _("cards that pay for Roles"),
    OpenQuestion.COMPARISON: _("cards that add to Knowledge"),
    OpenQuestion.ERA_END_LIMIT: _("limits at the end of the Era"),
    OpenQuestion.LOZENGE: _("a lozenge in a circle"),
    OpenQuestion.MERCHANT: _("the Merchant with the Inventor"),
    OpenQuestion.INVENTOR_AGAIN: _("the Inventor with the Worker"),
    OpenQuestion.EFFECT_ORDER: _("the order of effects"),
}
"""What was asked, in a few words beside the answer."""

ANSWER_TEXTS: Mapping[str, Message] = {
    "once": _("Once"),
    "per_side": _("For each side"),
    "per_domain": _("For each Reserve"),
    "per_occasion": _("One in all"),
    "added": _("Added: 1, 3 and 6 in all"),
    "replaced": _("Replaced: 1, 2 and 3 in all"),
    "all": _("Yes, all of them"),
    "circle": _("No, only those of the circle"),
    "no_part": _("No Locus"),
    "part": _("A Locus"),
    "two_cells": _("A Locus: it fills two places"),
    "no_concentration": _("No concentration"),
    "concentration": _("A concentration"),
    "card": _("As its card says"),
    "three": _("3 points"),
    "nothing": _("Nothing"),
    "free": _("No, only a place in the Tree"),
    "prerequisite": _("Yes, that as well"),
    "masteries": _("No, only those between two Masteries"),
    "keep": _("The order stays"),
    "choose": _("The table chooses"),
    "pass": _("Yes, without Knowledge"),
    "lay": _("No, one has to be drawn"),
    "pay_first": _("Paid for first"),
    "new": _("Those just obtained"),
    "held": _("Those held"),
    "one": _("In one, as its owner chooses"),
    "every": _("In every Domain"),
    "clipped": _("Lost, as always"),
    "kept": _("Kept until the Era ends"),
    "laid": _("No, only for a territory that is laid"),
    "reactivated": _("Yes, there as well"),
    "in_place": _("No, only in place of the first"),
    "as_second": _("Yes, both are used then"),
    "best": _("The companion takes the order that brings most"),
    "owner": _("The owner of the cards says it"),
}

UNASKED_OPTION = Option(
    UNASKED,
    _("No questions about the rules"),
    _("Where the rulebook says nothing, the companion counts in the most literal way, and does not ask."),
)

OPTIONS = (
    UNASKED_OPTION,
    *(
        Option(f"{question.key}_{answer}", ANSWER_TEXTS[answer], QUESTION_TEXTS[question.key], asked=True)
        for question in QUESTIONS.values()
        if not question.never
        for answer in question.answers[1:]
    ),
)

LITERAL: Mapping[str, str] = {question.key: question.answers[0] for question in QUESTIONS.values()}
"""The first answer to each question."""


def rulings_of(options: frozenset[str]) -> Mapping[str, str]:
    """What a table has decided from the start."""
    settled: dict[str, str] = {
        question.key: answer
        for question in QUESTIONS.values()
        for answer in question.answers
        if f"{question.key}_{answer}" in options
    }
    never: dict[str, str] = {
        question.key: question.answers[0] for question in QUESTIONS.values() if question.never
    }
    return {**never, **(LITERAL if UNASKED in options else {}), **settled}


def ruling_told(question: OpenQuestion, answer: str) -> Message:
    """A ruling in words, or that nobody has made it."""
    told = ANSWER_TEXTS[answer] if answer else _("nobody has said")
    return _("%(about)s: %(answer)s", about=RULED[question], answer=told)


def settling(question: str, answer: str) -> str:
    """The word of an entry that brings a ruling along, or says that nobody made it."""
    return f"{question}={answer}"


def settled(word: str) -> tuple[OpenQuestion, str] | None:
    """The ruling that such a word tells; nothing where it is another answer."""
    question, equals, answer = word.partition("=")
    if not equals:
        return None
    if question not in QUESTIONS or answer not in (*QUESTIONS[OpenQuestion(question)].answers, LEFT_OPEN):
        raise IllegalEvent(_("“%(word)s” is no ruling of Dominations.", word=word[:40]))
    return OpenQuestion(question), answer
