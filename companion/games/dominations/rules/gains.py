"""What cards give at their triggers; what they say in words is only shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import LETTERS, TRADE_RATE, UNKNOWN, Amounts, Domain, OpenQuestion
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import CardEffect, EffectUnit, Measure, Trigger
from companion.games.dominations.rules.position import City, Position, Reminder
from companion.games.dominations.rules.tree import Planted

DueEffect = tuple[Planted, CardEffect]
"""An effect, and the card that has it."""


@dataclass(frozen=True)
class Gift:
    """An effect that is known and happens now."""

    card: Planted
    effect: CardEffect
    times: int = 1
    city: City | None = None
    """The City that it is about."""
    chosen: Amounts | None = None
    """How its owner has split Vestigium."""

    def amount(self, position: Position, player: int) -> int:
        return self.times * effect_amount(position, player, self.effect)

    @property
    def to_choose(self) -> bool:
        """Whether its owner says which Knowledge it is."""
        return self.effect.unit not in LETTERS and not (self.effect.unit == EffectUnit.CITY and self.city)


def measured(position: Position, player: int, effect: CardEffect) -> int:
    """How many of what an amount grows by a player has."""
    seat = position.seats[player]
    match effect.measure:
        case Measure.NODUS | Measure.NODUS_NOT | Measure.DOMAIN:
            return _nodi(seat.tree.count(), effect)
        case Measure.CITY:
            return len(position.cities_of(player))
        case Measure.CITY_LEVEL:
            return sum(city.level for city in position.cities_of(player))
        case Measure.BOARD_CITY:
            return len(position.cities)
        case Measure.MONUMENT_LEVEL:
            return len(seat.tree.levels)
        case Measure.BASIC:
            return sum(not card.advanced for card in seat.tree.masteries)
        case Measure.ADVANCED:
            return sum(card.advanced for card in seat.tree.masteries)
        case Measure.LEFT:
            return seat.knowledge[Domain(effect.of)]
        case Measure.LIMIT:
            return seat.limits[Domain(effect.of)]
        case Measure.ROLE:
            return len(seat.roles)
    return 1


def _nodi(nodi: Amounts, effect: CardEffect) -> int:
    match effect.measure:
        case Measure.DOMAIN:
            return sum(count > 0 for count in nodi.values())
        case Measure.NODUS_NOT:
            return sum(count for domain, count in nodi.items() if domain != effect.of)
    return nodi[Domain(effect.of)] if effect.of else sum(nodi.values())


def effect_amount(position: Position, player: int, effect: CardEffect) -> int:
    return effect.amount * (measured(position, player, effect) // effect.per)


def card_reason(draft: Draft, card: Planted) -> Message:
    """A card's name, as the reason for what it gives."""
    title = draft.position.title(card.key)
    return (
        _("%(card)s, level %(level)d", card=title, level=card.level)
        if card.level
        else _("%(card)s", card=title)
    )


def known_effects(draft: Draft, player: int, dues: Iterable[DueEffect]) -> list[DueEffect]:
    """The effects that can be applied; the others become reminders."""
    known: list[DueEffect] = []
    for card, effect in dues:
        if effect.known:
            known.append((card, effect))
        else:
            draft.remind([Reminder(player, card.key, effect)])
    return known


def give_one(draft: Draft, player: int, gift: Gift) -> None:
    """Apply one effect, as much as it gives now."""
    effect, why = gift.effect, card_reason(draft, gift.card)
    amount = gift.amount(draft.position, player)
    if effect.trigger is Trigger.LIMIT:
        draft.raise_limit(player, Domain(effect.about), effect.amount)
        return
    if amount <= 0:
        return
    working = working_of(draft.position, player, effect)
    match effect.unit:
        case EffectUnit.POINTS:
            draft.points(player, amount, why, working=working)
        case EffectUnit.INFLUENCE:
            draft.influence(player, amount, why, working=working)
        case _:
            gain_knowledge(draft, player, effect, knowledge_of(draft, player, gift), why, working=working)


def knowledge_of(draft: Draft, player: int, gift: Gift) -> Amounts:
    amount, unit = gift.amount(draft.position, player), gift.effect.unit
    if gift.chosen is not None:
        return gift.chosen
    if gift.to_choose:
        return draft.domains(player, amount, gift.card.key)
    return {gift.city.domain if gift.city and unit == EffectUnit.CITY else Domain(unit): amount}


def gain_knowledge(
    draft: Draft, player: int, effect: CardEffect, amounts: Amounts, why: Message, **more: Any
) -> None:
    """Gained Knowledge: it never makes another effect gain more."""
    seat = draft.seat(player)
    over = any(seat.knowledge[d] + n > seat.limits[d] for d, n in amounts.items())
    if effect.trigger is Trigger.ERA_END and over and draft.rule(OpenQuestion.ERA_END_LIMIT) == "kept":
        draft.keep_beyond(player, amounts, why, **more)
    else:
        draft.acquire(player, amounts, why, **more)


def working_of(position: Position, player: int, effect: CardEffect) -> str:
    if not effect.measure:
        return ""
    return f"{effect.amount} × {measured(position, player, effect) // effect.per}"


def charge(
    draft: Draft, player: int, target: str, domain: Domain, printed: int, why: Message, **more: Any
) -> None:
    """Pay what something costs; what nobody knows of what makes it cheaper is only shown."""
    known_effects(draft, player, _cheaper(draft.position, player, target, domain))
    draft.pay(player, domain, cost_of(draft.position, player, target, domain, printed), why, **more)


def cost_of(position: Position, player: int, target: str, domain: Domain, printed: int) -> int:
    """Rulebook 004, "Custo 0": after every known reduction, never less than nothing."""
    dues = _cheaper(position, player, target, domain)
    return max(
        0, printed - sum(effect_amount(position, player, effect) for _card, effect in dues if effect.known)
    )


def _cheaper(position: Position, player: int, target: str, domain: Domain) -> list[DueEffect]:
    dues = position.effects(player, Trigger.PAY)
    return [due for due in dues if due[1].target == target and due[1].about in ("", UNKNOWN, domain)]


def trade_rate(position: Position, player: int, give: Domain) -> int:
    """How much of a Domain is given for one of another, by all that is known."""
    effects = [effect for _card, effect in position.effects(player, Trigger.TRADE)]
    rates = [effect.amount for effect in effects if effect.known and effect.about in ("", give)]
    return min([TRADE_RATE, *rates])


def from_producing(draft: Draft, player: int, before: Amounts, after: Amounts) -> list[Gift]:
    """Rulebook 004, "Produzir vs Ganhar": what cards give for Knowledge produced, counted over the whole turn."""
    dues = [*draft.position.effects(player, Trigger.PRODUCE)]
    gifts = []
    for card, effect in known_effects(draft, player, _touched(dues, before, after)):
        domain = Domain(effect.about)
        times = after[domain] // effect.every - before[domain] // effect.every
        gifts.append(Gift(card, effect, times))
    return gifts


def _touched(dues: Iterable[DueEffect], before: Amounts, after: Amounts) -> Iterator[DueEffect]:
    for card, effect in dues:
        if effect.about not in LETTERS or before[Domain(effect.about)] != after[Domain(effect.about)]:
            yield card, effect
