"""All that a card says, in words, for the table to compare with the card before it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.message import Message, listed
from companion.core.message import message as _
from companion.games.dominations.page.choices import said
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, UNKNOWN, Domain
from companion.games.dominations.rules.cards import Card, Cost, Mastery, Monument, Objective, Shape, Side
from companion.games.dominations.text.effect_words import effect_text, goal_text

SHAPES = {Shape.LOZENGE: _("a lozenge"), Shape.CIRCLE: _("round")}


def told(card: Card, title: Callable[[str], Message | str]) -> Iterator[Message]:
    match card:
        case Mastery():
            yield from _mastery(card)
        case Monument():
            yield from _monument(card)
        case Objective(goals=goals):
            yield from (goal_text(goal, title) for goal in goals)


def _mastery(card: Mastery) -> Iterator[Message]:
    yield _("%(domain)s of value %(value)s", domain=_domain(card.domain), value=str(card.value or UNKNOWN))
    if card.needs:
        domain, value = _domain(card.needs.domain), str(card.needs.amount or UNKNOWN)
        yield _("Needs a Mastery of %(domain)s of value %(value)s", domain=domain, value=value)
    yield from _side(card.basic)
    if card.advance:
        yield _("Turning it over costs %(cost)s", cost=_cost(card.advance))
    if card.advanced:
        yield _("Turned over:")
        yield from _side(card.advanced)


def _monument(card: Monument) -> Iterator[Message]:
    yield _("Shape: %(shape)s", shape=SHAPES[card.shape])
    if card.coastal:
        yield _("With a coast")
    if card.beside:
        yield _("Lies beside a City of %(domain)s", domain=_domain(card.beside))
    if card.reward:
        yield _(
            "Rewards Cities of %(domains)s with points: %(points)d",
            domains=listed(map(_domain, card.reward)),
            points=card.reward_points,
        )
    for number, level in enumerate(card.levels, 1):
        yield _("Level %(level)d costs %(cost)s", level=number, cost=_cost(level.cost))
        yield from _side(level.side)


def _side(side: Side) -> Iterator[Message]:
    if side == Side():
        yield _("nothing else")
    if side.points:
        yield _("%(count)d points", count=side.points)
    if side.influence:
        yield _("%(count)d Influence", count=side.influence)
    yield from map(effect_text, side.effects)


def _cost(cost: Cost) -> Message:
    return _("%(amount)s %(unit)s", amount=str(cost.amount or UNKNOWN), unit=_domain(cost.domain))


def _domain(letter: str) -> Message:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else said(letter)
