"""All that a card says, in words, for the table to compare with the card before it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.dominations.page.choices import printed_text
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, UNKNOWN, Domain
from companion.games.dominations.rules.cards import (
    Card,
    KnowledgeCost,
    Mastery,
    Monument,
    Objective,
    PieceShape,
    Side,
)
from companion.games.dominations.text.effect_words import effect_text, goal_text

SHAPES = {PieceShape.LOZENGE: _("a lozenge"), PieceShape.CIRCLE: _("round")}


def card_text(card: Card, title: Callable[[str], Message | str]) -> Iterator[Message]:
    match card:
        case Mastery():
            yield from _mastery(card)
        case Monument():
            yield from _monument_text(card)
        case Objective(goals=goals):
            yield from (goal_text(goal, title) for goal in goals)


def _mastery(card: Mastery) -> Iterator[Message]:
    yield _("%(domain)s of value %(value)s", domain=_domain(card.domain), value=str(card.value or UNKNOWN))
    if card.needs:
        domain, value = _domain(card.needs.domain), str(card.needs.amount or UNKNOWN)
        yield _("Needs a Mastery of %(domain)s of value %(value)s", domain=domain, value=value)
    yield from _side_text(card.basic)
    if card.advance:
        yield _("Turning it over costs %(cost)s", cost=_cost_text(card.advance))
    if card.advanced:
        yield _("Turned over:")
        yield from _side_text(card.advanced)


def _monument_text(card: Monument) -> Iterator[Message]:
    yield _("Shape: %(shape)s", shape=SHAPES[card.shape])
    if card.coastal:
        yield _("With a coast")
    if card.beside:
        yield _("Lies beside a City of %(domain)s", domain=_domain(card.beside))
    if card.reward:
        yield _(
            "Rewards Cities of %(domains)s with points: %(points)d",
            domains=joined(map(_domain, card.reward)),
            points=card.reward_points,
        )
    for number, level in enumerate(card.levels, 1):
        yield _("Level %(level)d costs %(cost)s", level=number, cost=_cost_text(level.cost))
        yield from _side_text(level.side)


def _side_text(side: Side) -> Iterator[Message]:
    if side == Side():
        yield _("nothing else")
    if side.points:
        yield _("%(count)d points", count=side.points)
    if side.influence:
        yield _("%(count)d Influence", count=side.influence)
    yield from map(effect_text, side.effects)


def _cost_text(cost: KnowledgeCost) -> Message:
    return _("%(amount)s %(unit)s", amount=str(cost.amount or UNKNOWN), unit=_domain(cost.domain))


def _domain(letter: str) -> Message:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else printed_text(letter)
