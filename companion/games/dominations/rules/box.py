"""What is in the box, read from the tables beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class RulebookQuestion:
    """One of these questions, with its answers."""

    number: str
    key: OpenQuestion
    answers: tuple[str, ...]
    """The first one is taken unless the table rules otherwise."""
    never: bool = False
    """Whether no answer can change a number."""


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
        number, OpenQuestion(row["key"]), tuple(row["answers"]), row.get("never", False)
    )
    for number, row in _BOX["rulings"].items()
}


def assimilable(influence: int) -> int:
    """The highest value of a Mastery that this much Influence lets the leader assimilate."""
    return next(value for most, value in ASSIMILATION if influence <= most)
