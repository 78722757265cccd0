"""Production, turns and the end of an Era once more, written plainly: lists that change, and nothing of the engine."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tests.games.dominations.corners import Corner, corners, spot
from tests.games.dominations.deck import DECK, OBJECTIVES, PILES, Does
from tests.games.dominations.people import ROLES
from tests.games.dominations.plain_cards import Payment, PlainCards
from tests.games.dominations.plain_goals import reached


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
