"""A Mastery read out with a few taps: its Domain, what cards of its kind do, what turning it over costs.

Each chip is a way to the same form with one more answer, so that nothing is told twice and nothing is lost. What no
chip says is told in the form below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    To,
    Wish,
    domain_action,
    group,
    printed_text,
)
from companion.games.dominations.rules.box import LETTERS, UNKNOWN, VALUES, Domain, load_table
from companion.games.dominations.rules.cards import parse_effect
from companion.games.dominations.text.words import effect_text

OWN = "@"
"""The card's own Domain, in the effects of a family."""
AMOUNTS = 6
COSTS = 9
"""The highest number among the chips; the form has all."""
Answering = Callable[[Mapping[str, str]], To]
"""The way to the form with some answers changed."""
Fields = Callable[[str, str], Mapping[str, str]]
"""The answers that tell an effect: of which part of the form, and its line."""


@dataclass(frozen=True)
class CardFamily:
    """What cards of one value do in every Domain."""

    value: int
    basic: str
    advanced: str = ""


@cache
def families() -> tuple[CardFamily, ...]:
    return tuple(CardFamily(**row) for row in load_table("families")["family"])


def mastery_chips(told: Wish, answering: Answering, fields: Fields) -> tuple[ActionGroup, ...]:
    """The chips of a Mastery as far as it is told."""
    letter = told.get("domain", "")
    groups = [
        group(_domains(told, answering), _("Domain"), "tabs"),
        group(_families(told, letter, answering, fields), _("What does it do?")),
        group(_numbers(told, "value", VALUES, answering), _("Value"), "people"),
    ]
    if told.get("b1t"):
        groups.append(_row(told, "b1n", range(1, AMOUNTS + 1), answering, _("How much does it give?")))
    if told.get("a1t"):
        groups.append(
            _row(told, "a1n", range(1, AMOUNTS + 1), answering, _("And how much once it is turned over?"))
        )
    cost = {"ad": told.get("ad") or letter}
    groups.append(_row(told, "an", range(1, COSTS + 1), answering, _("Turning it over costs"), cost))
    groups.append(_row(told, "bp", range(AMOUNTS + 1), answering, _("Points printed on it")))
    return tuple(groups)


def _domains(told: Wish, answering: Answering) -> Iterator[Action]:
    """The card's Domain; what was told of its own one follows it."""
    before = told.get("domain", "")
    own = [f"{side}1{end}" for side in "ba" for end in "xud"] + ["ad"]
    for domain in Domain:
        moved = {name: domain.value for name in own if told.get(name) in (before, UNKNOWN)}
        yield domain_action(
            domain, to=answering({"domain": domain.value, **moved}), chosen=domain.value == before
        )


def _families(told: Wish, letter: str, answering: Answering, fields: Fields) -> Iterator[Action]:
    own = letter if letter in [*LETTERS] else UNKNOWN
    for family in families():
        basic, advanced = (line.replace(OWN, own) for line in (family.basic, family.advanced))
        answers = {"value": str(family.value), **fields("b1", basic), **fields("a1", advanced)}
        chosen = all(told.get(name, "") == value for name, value in fields("b1", basic).items() if value)
        yield Action(
            effect_text(parse_effect(basic)),
            to=answering(answers),
            number=str(family.value),
            chosen=chosen,
        )


def _row(
    told: Wish,
    name: str,
    numbers: range,
    answering: Answering,
    about: Message,
    more: Mapping[str, str] = {},
) -> ActionGroup:
    return group(_numbers(told, name, numbers, answering, more), about, "people")


def _numbers(
    told: Wish, name: str, numbers: Iterable[int], answering: Answering, more: Mapping[str, str] = {}
) -> Iterator[Action]:
    for number in map(str, numbers):
        to = answering({**more, name: number})
        yield Action(printed_text(number), to=to, chosen=told.get(name) == number)
