"""What cards bring, written plainly: of what is due at once, every order is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

from tests.games.dominations.deck import DECK, Does
from tests.games.dominations.people import Person

FEW = 6


@dataclass(frozen=True)
class Payment:
    """An effect that is due."""

    effect: Does
    times: int = 1
    city: str = ""
    split: str = ""
    """What Vestigium became."""


def orders(rest: list[Payment]) -> Iterator[list[Payment]]:
    """Every order of a few, what is the same taken once; of more, the one they come in."""
    if len(rest) > FEW:
        yield rest
        return
    if not rest:
        yield []
    for n, payment in enumerate(rest):
        if payment not in rest[:n]:
            yield from ([payment, *others] for others in orders(rest[:n] + rest[n + 1 :]))


class PlainCards:
    """What people have, and what their cards bring them."""

    def __init__(self, players: int) -> None:
        self.people = [Person() for _player in range(players)]
        self.cities: dict[str, list[int]] = {}
        """By cell: whose it is, and its level."""
        self.rulings: dict[str, str] = {}
        self.answers: list[str] = []
        self.era_ending = False

    def does(self, player: int, when: str) -> list[Does]:
        found = []
        for key, turned in self.people[player].cards.items():
            card = DECK[key]
            found += [does for does in (card.advanced if turned else card.basic) if does.when == when]
        return found

    def starting(self, player: int, beginning: str) -> list[Does]:
        found = []
        for key, turned in self.people[player].cards.items():
            card = DECK[key]
            found += [d for d in (card.advanced if turned else card.basic) if d.when.startswith(beginning)]
        return found

    def times(self, player: int, by: str) -> int:
        person = self.people[player]
        owned = [level for owner, level in self.cities.values() if owner == player]
        match by:
            case "nodus":
                return person.nodi.total()
            case "nodus not C":
                return person.nodi.total() - person.nodi["C"]
            case "basic":
                return [*person.cards.values()].count(False)
            case "advanced":
                return [*person.cards.values()].count(True)
            case "city":
                return len(owned)
            case "city level":
                return sum(owned)
            case "left C" | "left T":
                return person.knowledge[by[-1]]
        return 1

    def pay_out(self, player: int, effects: list[Does], times: int = 1, city: str = "") -> None:
        self.pay_all(player, [Payment(effect, times, city) for effect in effects])

    def pay_all(self, player: int, due: list[Payment]) -> None:
        """What happens at once comes in the order that serves its owner best: a few are tried in every order."""
        person = self.people[player]
        for limit in [one.effect for one in due if one.effect.when.startswith("limit")]:
            person.limits[limit.when[-1]] = max(person.limits[limit.when[-1]], limit.amount)
        rest = [one for one in due if not one.effect.when.startswith("limit")]
        rest.sort(key=lambda one: (one.effect.unit in ("points", "influence"), -self.amount(player, one)))
        asked = [one.effect.unit == "V" and self.amount(player, one) > 0 for one in rest]
        rest = [
            replace(p, split=self.answers.pop(0)) if ask else p for p, ask in zip(rest, asked, strict=True)
        ]
        results = []
        for order in orders(rest):
            self.people[player] = deepcopy(person)
            for payment in order:
                self.pay_one(player, payment)
            results.append(self.people[player])
        best = max(results, key=lambda p: (p.points, p.influence, p.knowledge.total()))
        self.people[player] = person
        vars(person).update(vars(best))

    def amount(self, player: int, payment: Payment) -> int:
        return payment.times * payment.effect.amount * self.times(player, payment.effect.by)

    def pay_one(self, player: int, payment: Payment) -> None:
        person, unit, amount = self.people[player], payment.effect.unit, self.amount(player, payment)
        if unit == "points":
            person.points += max(0, amount)
        elif unit == "influence":
            person.influence += max(0, amount)
        elif unit == "V":
            self.receive(player, Counter(payment.split))
        elif amount > 0:
            self.receive(player, Counter({payment.city if unit == "city" else unit: amount}))

    def receive(self, player: int, amounts: Counter[str]) -> None:
        person, spilled = self.people[player], 0
        for letter, amount in amounts.items():
            over = person.knowledge[letter] + amount - person.limits[letter]
            if self.era_ending and self.rulings.get("era_end_limit") == "kept":
                person.knowledge[letter] += amount
                continue
            # What a ruling let somebody keep beyond the limit is not lost by gaining more.
            most = max(person.limits[letter], person.knowledge[letter])
            person.knowledge[letter] = min(most, person.knowledge[letter] + amount)
            spilled += over > 0 and person.limits[letter] == 20
        if spilled:
            person.points += 1 if self.rulings.get("overflow") == "per_occasion" else spilled
