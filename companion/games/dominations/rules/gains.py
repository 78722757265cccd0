"""What cards give at their triggers, in the order that serves their owner best, and what things cost with them.

Effects that are only words become reminders. What happens at once is ordered: limits, Knowledge, then what
Knowledge is counted for; up to seven amounts, every order is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.board import Planted
from companion.games.dominations.rules.box import (
    CITY_LEVELS,
    LAPS,
    LEFT_OPEN,
    LETTERS,
    LITERAL,
    ROLES,
    TRADE_RATE,
    UNKNOWN,
    Amounts,
    Domain,
    OpenQuestion,
)
from companion.games.dominations.rules.cards import CardEffect, EffectUnit, KnowledgeCost, Measure, Trigger
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.position import (
    City,
    Draft,
    PendingQuestion,
    Position,
    QuestionKind,
    Reminder,
)

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
        return self.times * effect_amount(position, player, self.effect, self.city)

    @property
    def to_choose(self) -> bool:
        """Whether its owner says which Knowledge it is."""
        return self.effect.unit not in LETTERS and not (self.effect.unit == EffectUnit.CITY and self.city)


def measured(position: Position, player: int, effect: CardEffect, about: City | None = None) -> int:
    """How many of what an amount grows by a player has; of connected Cities, those of the City it is about."""
    seat = position.seats[player]
    own = [city for city in position.cities_of(player) if effect.of in ("", city.domain)]
    match effect.measure:
        case Measure.NODUS | Measure.NODUS_NOT | Measure.DOMAIN:
            return _nodi(seat.tree.count(), effect)
        case Measure.CITY:
            return len(own)
        case Measure.CITY_LEVEL:
            return sum(city.level for city in own)
        case Measure.BOARD_CITY:
            return sum(effect.of in ("", city.domain) for city in position.cities)
        case Measure.CONNECTED_CITY:
            chains = city_groups(own)
            return max((len(chain) for chain in chains if about is None or about.cell in chain), default=0)
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


def city_groups(cities: Iterable[City]) -> list[frozenset[Cell]]:
    """Cities of one player side by side; rulebook 004, "Conectadas"."""
    left = {city.cell for city in cities if city.cell is not None}
    found = []
    while left:
        group, todo = set[Cell](), [left.pop()]
        while todo:
            cell = todo.pop()
            group.add(cell)
            near = left & set(cell.neighbours)
            left -= near
            todo += near
        found.append(frozenset(group))
    return found


def effect_amount(position: Position, player: int, effect: CardEffect, about: City | None = None) -> int:
    return effect.amount * (measured(position, player, effect, about) // effect.per)


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
        chained = effect.measure is Measure.CONNECTED_CITY
        if effect.known and not (chained and any(c.cell is None for c in draft.position.cities_of(player))):
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
    times = measured(draft.position, player, effect, gift.city) // effect.per
    working = f"{effect.amount} × {times}" if effect.measure else ""
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
        return draft.domains(player, amount, gift.card.key, unit == EffectUnit.ONE_DOMAIN)
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


MOST_ORDERED = 7
"""Of more Knowledge gained at once than this, the order is not searched for: what gives most comes first."""
Order = tuple[int, ...]
Worth = tuple[int, int, int]
"""What an order comes to: points before Influence before Knowledge."""


def give_simultaneous(
    draft: Draft, player: int, dues: Iterable[DueEffect], city: City | None = None, times: int = 1
) -> None:
    """Apply effects that happen at once and as often."""
    give_in_best_order(
        draft,
        player,
        [Gift(card, effect, times, city) for card, effect in known_effects(draft, player, dues)],
    )


def give_in_best_order(draft: Draft, player: int, gifts: Sequence[Gift]) -> None:
    """Rulebook 004, "Momento das Cartas": limits, then Knowledge, then what Knowledge is counted for."""
    for gift in gifts:
        if gift.effect.trigger is Trigger.LIMIT:
            give_one(draft, player, gift)
    rest = [gift for gift in gifts if gift.effect.trigger is not Trigger.LIMIT]
    counted = [gift for gift in rest if gift.effect.unit in (EffectUnit.POINTS, EffectUnit.INFLUENCE)]
    position = draft.position
    most = sorted(rest, key=lambda gift: -gift.amount(position, player))
    knowledge = [gift for gift in most if gift not in counted]
    late = [gift for gift in knowledge if gift.to_choose and gift.effect.measure is Measure.LEFT]
    known = [_chosen(draft, player, gift) for gift in knowledge if gift not in late]
    for gift in (*_ordered(draft, player, known, counted), *late, *counted):
        give_one(draft, player, gift)


def _chosen(draft: Draft, player: int, gift: Gift) -> Gift:
    """What Vestigium becomes is asked before the order is searched for, as the order may depend on it."""
    if not gift.to_choose:
        return gift
    amount = max(0, gift.amount(draft.position, player))
    whole = gift.effect.unit == EffectUnit.ONE_DOMAIN
    return replace(gift, chosen=draft.domains(player, amount, gift.card.key, whole))


def _ordered(draft: Draft, player: int, gains: Sequence[Gift], counted: Sequence[Gift]) -> Sequence[Gift]:
    """Of amounts in one Domain each, the largest first come above 20 most often; anything else is tried."""
    of_several = any(gift.chosen and len(gift.chosen) > 1 for gift in gains)
    measured = any(gift.effect.measure is Measure.LEFT for gift in gains)
    kinds = {gift.effect.trigger for gift in gains}
    if len(gains) > MOST_ORDERED or not (of_several or measured or len(kinds) > 1):
        return gains
    # Nobody is asked for a ruling by an order that is only tried; those that are made may decide which it is.
    position = draft.position
    trial = replace(position, lines=(), rulings={**LITERAL, **position.rulings})
    orders, every = _Orders(player, gains, counted), tuple(range(len(gains)))
    worth, order = orders.best(trial, every)
    if position.ruling(OpenQuestion.EFFECT_ORDER) == "owner" and orders.matters(trial, every, worth):
        return _owners_order(draft, player, gains) or [gains[number] for number in order]
    draft.consulted |= {key: answer for key, answer in orders.consulted.items() if key in position.rulings}
    return [gains[number] for number in order]


def _owners_order(draft: Draft, player: int, gains: Sequence[Gift]) -> Sequence[Gift]:
    """Rulebook 004, "Momento das Cartas": the owner resolves them in any order; nothing where nobody says it."""
    left = {f"{gift.card.key}#{number}": gift for number, gift in enumerate(gains, 1)}
    found: list[Gift] = []
    while left:
        first = draft.choose(PendingQuestion(QuestionKind.EFFECT, player, "order", tuple(left)))
        if first == LEFT_OPEN:
            return ()
        found.append(left.pop(first))
    return found


class _Orders:
    """Every order of some gains, what comes to the same tried once."""

    def __init__(self, player: int, gains: Sequence[Gift], counted: Sequence[Gift]) -> None:
        self._player, self._gains, self._counted = player, gains, counted
        self._seen: dict[tuple[Order, Worth, Order], tuple[Worth, Order]] = {}
        self.consulted: dict[str, str] = {}

    def best(self, position: Position, left: Order) -> tuple[Worth, Order]:
        """What the rest comes to in its best order, and that order; of equal ones the first."""
        if not left:
            return self._worth(self._after(position, *self._counted)), ()
        known = (left, self._worth(position), tuple(position.seats[self._player].knowledge.values()))
        if known not in self._seen:
            found = []
            for number in left:
                after = self._after(position, self._gains[number])
                worth, order = self.best(after, tuple(other for other in left if other != number))
                found.append((worth, (number, *order)))
            self._seen[known] = max(found, key=lambda one: one[0])
        return self._seen[known]

    def matters(self, position: Position, left: Order, best: Worth) -> bool:
        """Whether some order comes to less than the best one."""
        if not left:
            return self._worth(self._after(position, *self._counted)) != best
        rest = ((n, tuple(other for other in left if other != n)) for n in left)
        return any(self.matters(self._after(position, self._gains[n]), others, best) for n, others in rest)

    def _after(self, position: Position, *gifts: Gift) -> Position:
        draft = Draft(position)
        for gift in gifts:
            give_one(draft, self._player, gift)
        self.consulted |= draft.consulted
        return draft.position

    def _worth(self, position: Position) -> Worth:
        seat = position.seats[self._player]
        return position.points[self._player], seat.influence, sum(seat.knowledge.values())


@dataclass(frozen=True)
class Price:
    """What something costs a player now."""

    domain: Domain
    printed: int
    cost: int
    """After every known reduction, never less than nothing."""
    short: int
    """How much is missing to pay it."""

    @property
    def payable(self) -> bool:
        return self.short == 0


def price(position: Position, player: int, target: str, domain: Domain, printed: int) -> Price:
    cost = cost_of(position, player, target, domain, printed)
    return Price(domain, printed, cost, max(0, cost - position.seats[player].knowledge[domain]))


def city_prices(position: Position, player: int) -> dict[tuple[Domain, int], Price]:
    """What a City of each Domain and level costs."""
    return {
        (domain, level): price(position, player, "city", domain, row.cost)
        for domain in Domain
        for level, row in CITY_LEVELS.items()
    }


def mastery_prices(position: Position, player: int) -> dict[str, Price]:
    """What each Mastery that was read out, and is not in the Tree, costs."""
    tree, masteries = position.seats[player].tree, position.cards.masteries
    new = (key for key in sorted(position.taught & masteries.keys()) if not tree.find(key))
    return _prices(position, player, "mastery", {key: masteries[key].cost for key in new})


def advance_prices(position: Position, player: int) -> dict[str, Price]:
    """What turning over each basic Mastery of the Tree costs."""
    basic = (card.key for card in position.seats[player].tree.masteries if not card.advanced)
    return _prices(position, player, "advance", {key: position.cards.masteries[key].advance for key in basic})


def level_prices(position: Position, player: int) -> dict[str, Price]:
    """What the next level of each Monument costs."""
    piles = ((key, site, position.monument(key).levels) for key, site in position.sites.items())
    costs = {key: levels[site.taken].cost for key, site, levels in piles if site.taken < len(levels)}
    return _prices(position, player, "monument", costs)


def _prices(
    position: Position, player: int, target: str, costs: Mapping[str, KnowledgeCost | None]
) -> dict[str, Price]:
    """What cards cost now, of all whose cost somebody has told."""
    return {
        key: price(position, player, target, Domain(cost.domain), cost.amount)
        for key, cost in costs.items()
        if cost and cost.known
    }


def unused_roles(position: Position, player: int) -> tuple[str, ...]:
    """The Roles of a player whose power is used once, and was not yet."""
    return tuple(role for role in position.seats[player].roles if ROLES[role].once)


def track_place(value: int, track: str) -> tuple[int, int]:
    """The laps behind a marker, and the place where it stands: 50 Influence and 100 points are a lap."""
    return divmod(value, LAPS[track])
