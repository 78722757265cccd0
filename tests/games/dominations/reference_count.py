"""Cells and points as notation writes them, for the plain count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import combinations

Corner = tuple[int, int]


def corners(cell: str) -> list[Corner]:
    """The points of a cell such as `2,-1u`, in the order of its dots."""
    i, j = map(int, cell[:-1].split(","))
    return [(i, j), (i + 1, j), (i, j + 1)] if cell[-1] == "u" else [(i + 1, j), (i + 1, j + 1), (i, j + 1)]


def spot(text: str) -> Corner:
    """The point that is written as `@2,-1`."""
    i, j = map(int, text[1:].split(","))
    return i, j


@dataclass(frozen=True)
class Does:
    """One effect: when, how much of what, and by what it grows."""

    when: str
    amount: int
    unit: str
    by: str = ""

    @property
    def line(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.when}: {self.amount}{unit}{f' per {self.by}' if self.by else ''}"


@dataclass(frozen=True)
class Card:
    """A Mastery with both its sides."""

    domain: str
    value: int
    basic: tuple[Does, ...]
    advanced: tuple[Does, ...]
    points: tuple[int, int] = (0, 0)
    influence: tuple[int, int] = (0, 0)
    needs: tuple[str, int] | None = None

    def line(self, key: str) -> str:
        needs = f" needs {self.needs[0]} {self.needs[1]}" if self.needs else ""
        sides = []
        for side, effects in enumerate((self.basic, self.advanced)):
            told = "".join(f' "{effect.line}"' for effect in effects)
            sides.append(f"{self.points[side]} {self.influence[side]}{told}")
        return (
            f'mastery {key} "{key.title()}" {self.domain} {self.value}{needs} advance {self.domain} 3'
            f" basic {sides[0]} advanced {sides[1]}"
        )


def _three(domain: str, when: str, unit: str) -> Card:
    return Card(domain, 3, (Does(when, 1, unit),), (Does(when, 2, unit),), (0, 1), (0, 1))


DECK: dict[str, Card] = {
    "fishing": _three("C", "turn start", "C"),
    "navigation": _three("S", "turn start", "S"),
    "agriculture": _three("C", "produce 2 C", "C"),
    "barter": _three("T", "produce 3 T", "A"),
    "mysticism": _three("R", "produce 2 R", "R"),
    "mining": _three("C", "nodus C", "C"),
    "temples": _three("R", "nodus R", "R"),
    "sculpture": _three("A", "nodus A", "influence"),
    "bards": _three("A", "now", "influence"),
    "artisans": Card("C", 3, (Does("pay mastery", 1, ""),), (Does("pay city", 1, ""),)),
    "pottery": Card("C", 6, (Does("era start", 5, "C"),), (Does("era start", 5, "V"),), (2, 2)),
    "livestock": Card("C", 6, (Does("field", 1, "field"),), (Does("field", 1, "C"),)),
    "bridges": Card("C", 6, (Does("city", 2, "city"),), (Does("build", 3, "T"),)),
    "smuggling": Card("T", 6, (Does("now", 10, "T"),), (Does("now", 4, "V"),)),
    "sanctuary": Card("R", 6, (Does("role", 6, "points"),), (Does("role", 9, "points"),)),
    "caravan": Card("T", 6, (Does("activate", 1, "points"),), (Does("activate", 1, "T"),)),
    "rhetoric": Card("P", 6, (Does("compare", 2, "P"),), (Does("compare", 2, "S"),), (3, 3), (1, 1)),
    "granary": Card("C", 6, (Does("limit C", 15, ""),), (Does("limit C", 20, ""),)),
    "forge": Card(
        "C",
        9,
        (Does("era end", 1, "points", "nodus"),),
        (Does("era end", 2, "points", "nodus not C"),),
        needs=("C", 3),
    ),
    "chemistry": Card(
        "S",
        9,
        (Does("era end", 1, "points", "basic"),),
        (Does("era end", 2, "points", "advanced"),),
        needs=("S", 3),
    ),
    "war": Card(
        "P",
        9,
        (Does("now", 1, "influence", "city"),),
        (Does("now", 1, "influence", "city level"),),
        needs=("C", 3),
    ),
    "mills": Card("C", 6, (Does("era end", 4, "C"),), (Does("era end", 1, "C", "left T"),), (1, 1)),
    "markets": Card("T", 6, (Does("era end", 1, "T", "left C"),), (Does("turn start", 1, "T", "left C"),)),
    "warehouses": Card(
        "C", 9, (Does("era end", 1, "points", "left C"),), (Does("era end", 1, "A", "city"),), needs=("C", 6)
    ),
}

OBJECTIVES: dict[str, tuple[str, ...]] = {
    "roman": ("influence 12", "cities 1:2 2:1", "apart 3", "nodi C2 T1", "masteries 3:2 CR"),
    "greek": ("influence 20", "cities 2:2", "adjacent 2", "control 1", "nodi R1"),
    "maya": ("control 1", "cities 1:4", "apart 2", "adjacent 3", "masteries 6:1 CTP 3:1 C"),
    "norse": ("influence 8", "cities 3:1", "control lighthouse", "apart 4", "nodi A1 S1"),
}


@dataclass(frozen=True)
class Pile:
    """A Monument: the cost and the points of each level, and its reward."""

    shape: str
    levels: tuple[tuple[str, int, int], ...]
    domains: str
    reward: int

    def line(self, key: str) -> str:
        levels = "".join(f" level {domain} {cost} {points} 0" for domain, cost, points in self.levels)
        return f'monument {key} "{key.title()}" {self.shape} reward {self.domains} {self.reward}{levels}'


PILES: dict[str, Pile] = {
    "lighthouse": Pile("lozenge", (("T", 4, 5), ("S", 5, 8), ("T", 4, 12)), "TS", 10),
    "gardens": Pile("circle", (("C", 3, 4), ("C", 4, 6)), "C", 5),
    "wall": Pile("lozenge", (("P", 3, 6), ("P", 5, 9), ("A", 3, 9)), "P", 3),
    "colossus": Pile("circle", (("R", 3, 5),), "RA", 4),
}


ROLES = (
    ("governor", "P", 6),
    ("high_priest", "R", 5),
    ("diplomat", "A", 4),
    ("merchant", "T", 3),
    ("inventor", "S", 2),
    ("worker", "C", 1),
)


@dataclass
class Person:
    """What one player has."""

    knowledge: Counter[str] = field(default_factory=Counter)
    limits: dict[str, int] = field(default_factory=lambda: dict.fromkeys("TCASPR", 5))
    influence: int = 0
    points: int = 0
    markers: int = 15
    cards: dict[str, bool] = field(default_factory=dict)
    levels: list[tuple[str, int]] = field(default_factory=list)
    nodi: Counter[str] = field(default_factory=Counter)
    with_campfire: Counter[str] = field(default_factory=Counter)
    roles: list[str] = field(default_factory=list)
    produced: Counter[str] = field(default_factory=Counter)
    objective: str = ""


def reached(table: PlainTable, player: int, goal: str) -> bool:
    kind, *words = goal.split()
    person = table.people[player]
    mine = {cell: level for cell, (owner, level) in table.cities.items() if owner == player}
    together = groups(set(mine))
    match kind:
        case "influence":
            return person.influence >= int(words[0])
        case "adjacent":
            return max([len(g) for g in together], default=0) >= int(words[0])
        case "apart":
            return len(together) >= int(words[0])
        case "cities":
            levels = sorted(mine.values())
            # The lowest demands take the lowest Cities that will do.
            for level, count in (map(int, w.split(":")) for w in words):
                for _each in range(count):
                    fitting = [n for n in levels if n >= level]
                    if not fitting:
                        return False
                    levels.remove(fitting[0])
            return True
        case "nodi":
            strict = table.rulings.get("nodi") == "masteries"
            nodi = person.nodi - person.with_campfire if strict else person.nodi
            return all(nodi[w[0]] >= int(w[1:]) for w in words)
        case "masteries":
            pairs = zip(words[::2], words[1::2], strict=True)
            return all(owns(person, word, letters) for word, letters in pairs)
    held = [key for key in PILES if controls(table, player, key)]
    return words[0] in held if words[0].isalpha() else len(held) >= int(words[0])


def owns(person: Person, demand: str, letters: str) -> bool:
    value, count = map(int, demand.split(":"))
    return sum(DECK[key].value == value and DECK[key].domain in letters for key in person.cards) >= count


def groups(cells: set[str]) -> list[set[str]]:
    found: list[set[str]] = []
    for cell in cells:
        touching = [g for g in found if any(len(set(corners(cell)) & set(corners(c))) == 2 for c in g)]
        found = [g for g in found if g not in touching] + [{cell}.union(*touching)]
    return found


def controls(table: PlainTable, player: int, key: str) -> bool:
    scores = []
    for number, person in enumerate(table.people):
        near = [c for c in table.neighbours(key) if c in table.cities and table.cities[c][0] == number]
        cards = sum(name == key for name, _level in person.levels)
        scores.append(
            cards + sum(table.cities[c][1] for c in near) + (0.5 if (key, 1) in person.levels else 0)
        )
    if max(scores) <= 0:
        return False
    return table.best(scores) == player


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


class PlainTable(PlainCards):
    """A table whose numbers are moved as people would move them."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.order: list[int] = [*range(players)]
        self.pieces: dict[str, dict[Corner, str]] = {}
        self.fields: dict[str, str] = {}
        self.cradle = ["0,0u", "-1,0d", "-1,0u", "-1,-1d", "0,-1u", "0,-1d"]
        self.lozenges: dict[str, list[str]] = {}
        self.circles: dict[str, Corner] = {}
        self.taken: Counter[str] = Counter()
        self.era = 1
        for cell in self.cradle:
            self.pieces[cell] = {}

    # Territories.

    def beside(self, cell: str) -> list[str]:
        mine = set(corners(cell))
        halves = next((h for h in self.lozenges.values() if cell in h), [])
        return [c for c in self.pieces if len(mine & set(corners(c))) == 2 and c not in halves]

    def around(self, point: Corner) -> list[str]:
        return [cell for cell in self.pieces if point in corners(cell)]

    def loci(self, cell: str) -> list[Corner]:
        found = []
        for point in sorted(corners(cell)):
            ring = self.around(point)
            halves = [half for pair in self.lozenges.values() for half in pair]
            if len(ring) < 6 or (set(ring) & set(self.cradle) and self.rulings.get("cradle") != "part"):
                continue
            if set(ring) & set(halves) and self.rulings.get("lozenge") == "no_part":
                continue
            found.append(point)
        return found

    def lay(self, player: int, field: str, dots: str, cell: str) -> None:
        self.pieces[cell] = {point: dot for point, dot in zip(corners(cell), dots, strict=True) if dot != "-"}
        self.fields[cell] = field
        self.harvest(player, cell, False)

    def harvest(self, player: int, cell: str, again: bool) -> None:
        person, field = self.people[player], self.fields[cell]
        joined, loci, point = self.beside(cell), self.loci(cell), None
        if len(loci) + again > 1 and loci:
            said = self.answers.pop(0)
            point = None if said == "sides" else spot(said)
        elif loci:
            point = loci[0]
        amounts = Counter({field: 2 if "merchant" in person.roles and not again else 1})
        dots = (
            self.sides(cell, joined)
            if point is None
            else [self.pieces[c].get(point, "") for c in self.around(point)]
        )
        amounts.update(dot for dot in dots if dot not in ("", "V"))
        if dots.count("V"):
            amounts.update(self.answers.pop(0))
        for effect in self.does(player, "field"):
            amounts[field if effect.unit == "field" else effect.unit] += effect.amount
        active = [c for c in joined if c in self.cities]
        if point is not None:
            ring = [c for c in self.around(point) if c in self.cities]
            active = ring if self.rulings.get("exchange") == "circle" else [*{*ring, *active}]
        paid = [Counter[str]() for _person in self.people]
        for c in active:
            paid[self.cities[c][0]][self.fields[c]] += self.cities[c][1]
        fired: list[list[Payment]] = [[] for _person in self.people]
        for c in active:
            owner = self.cities[c][0]
            fired[owner] += [Payment(e, city=self.fields[c]) for e in self.does(owner, "activate")]
        self.produce(player, amounts + paid[player], fired[player])
        for owner in self.order:
            if owner != player:
                self.receive(owner, paid[owner])
                self.pay_all(owner, fired[owner])

    def sides(self, cell: str, joined: list[str]) -> list[str]:
        places: list[tuple[str, Corner]] = []
        extra: list[str] = []
        for near in joined:
            for point in set(corners(cell)) & set(corners(near)):
                places += [(cell, point), (near, point)]
                pair = {self.pieces[cell].get(point, ""), self.pieces[near].get(point, "")}
                if len(pair) == 1 and pair <= set("TCASPR"):
                    extra += pair
                elif self.rulings.get("white") == "concentration" and len(pair - {""}) == 2 and "V" in pair:
                    extra += pair - {"V"}
        if self.rulings.get("joins") != "per_side":
            places = [*set(places)]
        return [self.pieces[where].get(point, "") for where, point in places] + extra

    def tell(self, player: int, amounts: Counter[str], other: int, letter: str, paid: int) -> None:
        """A territory that nobody draws, and what it brought somebody else: of how many Cities, if that is sure."""
        self.produce(player, amounts, [])
        self.receive(other, Counter({letter: paid}))
        levels = [n for c, (owner, n) in self.cities.items() if (owner, self.fields[c]) == (other, letter)]
        sizes = {n for n in range(len(levels) + 1) for some in combinations(levels, n) if sum(some) == paid}
        if len(sizes) == 1:
            self.pay_all(other, [Payment(e, city=letter) for e in self.does(other, "activate")] * sizes.pop())

    def produce(self, player: int, amounts: Counter[str], fired: list[Payment]) -> None:
        person = self.people[player]
        before = person.produced.copy()
        person.produced.update(amounts)
        self.receive(player, amounts)
        due = [*fired]
        for effect in self.starting(player, "produce"):
            _produce, every, letter = effect.when.split()
            pairs = person.produced[letter] // int(every) - before[letter] // int(every)
            due.append(Payment(effect, pairs))
        self.pay_all(player, due)

    # Cities, Monuments and cards.

    def pay(self, player: int, letter: str, cost: int, target: str) -> None:
        less = sum(effect.amount for effect in self.does(player, f"pay {target}"))
        self.people[player].knowledge[letter] -= max(0, cost - less)

    def raise_city(self, player: int, cell: str) -> None:
        person, letter = self.people[player], self.fields[cell]
        level = self.cities.get(cell, [player, 0])[1] + 1
        self.pay(player, letter, 3 * level, "city")
        person.markers -= 1
        self.cities[cell] = [player, level]
        person.influence += level
        if level > 1 and self.rulings.get("city_influence") == "replaced":
            person.influence -= level - 1
        person.limits[letter] = max(person.limits[letter], 5 + 5 * level)
        when = "build" if level == 1 else "upgrade"
        self.pay_out(player, self.does(player, "city") + self.does(player, when), city=letter)
        if level == 1:
            for key in self.standing():
                if cell in self.neighbours(key) and letter in PILES[key].domains:
                    person.points += PILES[key].reward

    def standing(self) -> list[str]:
        return [*self.lozenges, *self.circles]

    def neighbours(self, key: str) -> list[str]:
        if key in self.circles:
            return [cell for cell in self.around(self.circles[key]) if cell in self.fields]
        near = {c for half in self.lozenges.get(key, []) for c in self.beside(half)}
        return [cell for cell in near if cell in self.fields]

    def contribute(self, player: int, key: str, place: str) -> None:
        if place.startswith("@"):
            self.circles[key] = spot(place)
        elif place:
            cells, dots = place.split(" dots ")
            self.lozenges[key] = cells.split("+")
            for n, cell in enumerate(self.lozenges[key]):
                self.pieces[cell] = dict(zip(corners(cell), dots[3 * n : 3 * n + 3], strict=True))
        if place:
            for cell in self.neighbours(key):
                if cell in self.cities and self.fields[cell] in PILES[key].domains:
                    self.people[self.cities[cell][0]].points += PILES[key].reward
        letter, cost, points = PILES[key].levels[self.taken[key]]
        self.taken[key] += 1
        self.pay(player, letter, cost, "monument")
        self.people[player].levels.append((key, self.taken[key]))
        self.people[player].points += points

    def plant(self, player: int, key: str, nodi: list[str], others: list[str]) -> None:
        """A Mastery or a Level card has come into the Tree, and made these Nodi; `others` not between Masteries."""
        person = self.people[player]
        person.nodi.update(nodi)
        person.with_campfire.update(others)
        now: list[Does] = []
        if key in DECK:
            card = DECK[key]
            person.cards[key] = False
            person.points += card.points[0]
            person.influence += card.influence[0]
            now = [does for does in card.basic if does.when == "now" or does.when.startswith("limit")]
        made = [effect for letter in nodi for effect in self.does(player, f"nodus {letter}")]
        self.pay_out(player, now + made)

    def turn_over(self, player: int, key: str) -> None:
        person, card = self.people[player], DECK[key]
        person.cards[key] = True
        person.points += card.points[1]
        person.influence += card.influence[1]
        self.pay_out(player, [d for d in card.advanced if d.when == "now" or d.when.startswith("limit")])

    # The end of an Era.

    def begin_turn(self, player: int) -> None:
        self.people[player].produced.clear()
        self.pay_out(player, self.does(player, "turn start"))

    def effects(self) -> None:
        self.era_ending = True
        for player in self.order:
            due = [Payment(effect) for effect in self.does(player, "era end")]
            if self.rulings.get("roles_counted") == "held":
                held = len(self.people[player].roles)
                due += [Payment(effect, held) for effect in self.does(player, "role")]
            self.pay_all(player, due)
        self.era_ending = False

    def influence_counts(self) -> None:
        for person in self.people:
            person.points += person.influence

    def best(self, values: list[float]) -> int:
        return next(player for player in self.order if values[player] == max(values))

    def determine_roles(self) -> None:
        last, new = self.era == 3, [0] * len(self.people)
        for person in self.people:
            person.roles = []
        for role, letter, points in ROLES:
            left = [float(person.knowledge[letter]) for person in self.people]
            if not any(left):
                continue
            extra = [
                sum(e.amount for e in self.does(p, "compare") if e.unit == letter) for p in range(len(left))
            ]
            winner = self.best([a + b for a, b in zip(left, extra, strict=True)])
            person = self.people[winner]
            two_governed = role == "governor" and len(self.people) == 2
            if last:
                person.points += 0 if two_governed and self.rulings.get("governor_of_two") == "nothing" else 3
            else:
                person.points += 0 if two_governed else points
                person.influence += 2 if role == "diplomat" else 0
                person.roles.append(role)
            new[winner] += 1
        if self.rulings.get("roles_counted") != "held":
            for player in self.order:
                if new[player]:
                    self.pay_out(player, self.does(player, "role"), new[player])

    def next_era(self) -> None:
        self.era += 1
        for person in self.people:
            person.knowledge.clear()
        for player in self.order:
            self.pay_out(player, self.does(player, "era start"))
        self.begin_turn(self.order[0])

    def objectives(self) -> None:
        for player, person in enumerate(self.people):
            done = sum(reached(self, player, goal) for goal in OBJECTIVES[person.objective])
            person.points += (0, 10, 20, 40, 70, 100)[done]
