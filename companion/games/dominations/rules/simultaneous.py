"""Effects that happen at once: their owner orders them, and this is the order that serves them best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import EffectUnit, Measure, Trigger
from companion.games.dominations.rules.gains import DueEffect, Gift, give_one, known_effects
from companion.games.dominations.rules.position import City, Position
from companion.games.dominations.rules.rulings import LITERAL

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
    return replace(gift, chosen=draft.domains(player, amount, gift.card.key))


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
    orders = _Orders(player, gains, counted)
    _worth, order = orders.best(trial, tuple(range(len(gains))))
    draft.consulted |= {key: answer for key, answer in orders.consulted.items() if key in position.rulings}
    return [gains[number] for number in order]


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

    def _after(self, position: Position, *gifts: Gift) -> Position:
        draft = Draft(position)
        for gift in gifts:
            give_one(draft, self._player, gift)
        self.consulted |= draft.consulted
        return draft.position

    def _worth(self, position: Position) -> Worth:
        seat = position.seats[self._player]
        return position.points[self._player], seat.influence, sum(seat.knowledge.values())
