"""What cards give at their triggers; what they say in words is only shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.box import LETTERS, TRADE_RATE, UNKNOWN, Amounts, Domain, Open
from companion.games.dominations.draft import Draft
from companion.games.dominations.effects import Effect, Measure, Trigger, Unit
from companion.games.dominations.position import City, Position, Reminder
from companion.games.dominations.tree import Planted

Due = tuple[Planted, Effect]
"""An effect, and the card that has it."""


def measure(position: Position, player: int, effect: Effect) -> int:
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


def _nodi(nodi: Amounts, effect: Effect) -> int:
    match effect.measure:
        case Measure.DOMAIN:
            return sum(count > 0 for count in nodi.values())
        case Measure.NODUS_NOT:
            return sum(count for domain, count in nodi.items() if domain != effect.of)
    return nodi[Domain(effect.of)] if effect.of else sum(nodi.values())


def amount_of(position: Position, player: int, effect: Effect) -> int:
    return effect.amount * (measure(position, player, effect) // effect.per)


def reason(draft: Draft, card: Planted) -> Message:
    """A card's name, as the reason for what it gives."""
    title = draft.position.title(card.key)
    return (
        _("%(card)s, level %(level)d", card=title, level=card.level)
        if card.level
        else _("%(card)s", card=title)
    )


def split(draft: Draft, player: int, dues: Iterable[Due]) -> list[Due]:
    """The effects that can be applied; the others become reminders."""
    known: list[Due] = []
    for card, effect in dues:
        if effect.known:
            known.append((card, effect))
        else:
            draft.remind([Reminder(player, card.key, effect)])
    return known


def give(draft: Draft, player: int, dues: Iterable[Due], city: City | None = None, times: int = 1) -> None:
    """Apply effects that happen at once.

    They are simultaneous, and their owner orders them: limits first, then what gives most, which is never worse.
    """
    known = split(draft, player, dues)
    before = draft.position

    def most(due: Due) -> tuple[bool, int]:
        return due[1].trigger is not Trigger.LIMIT, -amount_of(before, player, due[1])

    for card, effect in sorted(known, key=most):
        _give_one(draft, player, card, effect, times * amount_of(draft.position, player, effect), city)


def _give_one(
    draft: Draft, player: int, card: Planted, effect: Effect, amount: int, city: City | None
) -> None:
    why = reason(draft, card)
    if amount <= 0 and effect.trigger is not Trigger.LIMIT:
        return
    working = working_of(draft.position, player, effect)
    match effect.unit:
        case _ if effect.trigger is Trigger.LIMIT:
            draft.raise_limit(player, Domain(effect.about), effect.amount)
        case Unit.POINTS:
            draft.points(player, amount, why, working=working, rulings=draft.marked())
        case Unit.INFLUENCE:
            draft.influence(player, amount, why, working=working, rulings=draft.marked())
        case unit:
            knowledge = knowledge_of(draft, player, unit, amount, card, city)
            gain(draft, player, effect, knowledge, why, working=working)


def knowledge_of(
    draft: Draft, player: int, unit: str, amount: int, card: Planted, city: City | None
) -> Amounts:
    if unit in LETTERS:
        return {Domain(unit): amount}
    if unit == Unit.CITY and city:
        return {city.domain: amount}
    return draft.domains(player, amount, card.key)


def gain(draft: Draft, player: int, effect: Effect, amounts: Amounts, why: Message, **more: Any) -> None:
    """Gained Knowledge: it never makes another effect gain more."""
    seat = draft.seat(player)
    over = any(seat.knowledge[d] + n > seat.limits[d] for d, n in amounts.items())
    if effect.trigger is Trigger.ERA_END and over and draft.rule(Open.ERA_END_LIMIT) == "kept":
        draft.keep_beyond(player, amounts, why, rulings=draft.marked(), **more)
    else:
        draft.acquire(player, amounts, why, **more)


def working_of(position: Position, player: int, effect: Effect) -> str:
    if not effect.measure:
        return ""
    return f"{effect.amount} × {measure(position, player, effect) // effect.per}"


def charge(
    draft: Draft, player: int, target: str, domain: Domain, printed: int, why: Message, **more: Any
) -> None:
    """Pay what something costs; what nobody knows of what makes it cheaper is only shown."""
    split(draft, player, _cheaper(draft.position, player, target, domain))
    draft.pay(player, domain, cost_of(draft.position, player, target, domain, printed), why, **more)


def cost_of(position: Position, player: int, target: str, domain: Domain, printed: int) -> int:
    """Rulebook 004, "Custo 0": after every known reduction, never less than nothing."""
    dues = _cheaper(position, player, target, domain)
    return max(
        0, printed - sum(amount_of(position, player, effect) for _card, effect in dues if effect.known)
    )


def _cheaper(position: Position, player: int, target: str, domain: Domain) -> list[Due]:
    dues = position.effects(player, Trigger.PAY)
    return [due for due in dues if due[1].target == target and due[1].about in ("", UNKNOWN, domain)]


def rate(position: Position, player: int, give: Domain) -> int:
    """How much of a Domain is given for one of another, by all that is known."""
    effects = [effect for _card, effect in position.effects(player, Trigger.TRADE)]
    rates = [effect.amount for effect in effects if effect.known and effect.about in ("", give)]
    return min([TRADE_RATE, *rates])


def from_producing(draft: Draft, player: int, before: Amounts, after: Amounts) -> None:
    """Rulebook 004, "Produzir vs Ganhar": what cards give for Knowledge produced, counted over the whole turn."""
    dues = [*draft.position.effects(player, Trigger.PRODUCE)]
    for card, effect in split(draft, player, _touched(dues, before, after)):
        domain = Domain(effect.about)
        times = after[domain] // effect.every - before[domain] // effect.every
        give(draft, player, [(card, effect)], times=times)


def _touched(dues: Iterable[Due], before: Amounts, after: Amounts) -> Iterator[Due]:
    for card, effect in dues:
        if effect.about not in LETTERS or before[Domain(effect.about)] != after[Domain(effect.about)]:
            yield card, effect
