"""People with real hands: decks are shuffled and drawn here, apart from the game, and told to it line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

KINGDOM = "moat village smithy militia festival laboratory market witch gardens workshop"
GIVES = {  # cards, actions, buys, coins
    "moat": (2, 0, 0, 0),
    "village": (1, 2, 0, 0),
    "smithy": (3, 0, 0, 0),
    "militia": (0, 0, 0, 2),
    "festival": (0, 2, 1, 2),
    "laboratory": (2, 1, 0, 0),
    "market": (1, 1, 1, 1),
    "witch": (2, 0, 0, 0),
}
COINS = {"copper": 1, "silver": 2, "gold": 3}
COSTS = {"province": 8, "gold": 6, "duchy": 5, "silver": 3, "copper": 0, "estate": 2, "gardens": 4}
COSTS |= {"festival": 5, "laboratory": 5, "market": 5, "witch": 5, "smithy": 4, "militia": 4}
COSTS |= {"village": 3, "moat": 2}
POINTS = {"estate": 1, "duchy": 3, "province": 6, "curse": -1}
WISHES = "province gold witch laboratory market festival smithy militia village silver moat estate".split()


@dataclass
class Person:
    """Somebody's deck, discard pile and hand."""

    random: Random
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=lambda: ["copper"] * 7 + ["estate"] * 3)
    hand: list[str] = field(default_factory=list)
    turns: int = 0

    def draw(self, count: int) -> None:
        for _card in range(count):
            if not self.deck:
                self.deck, self.discard = self.discard, []
                self.random.shuffle(self.deck)
            if self.deck:
                self.hand.append(self.deck.pop())

    @property
    def everything(self) -> Counter[str]:
        return Counter([*self.deck, *self.discard, *self.hand])

    @property
    def points(self) -> int:
        owned = self.everything
        plain = sum(POINTS.get(card, 0) * count for card, count in owned.items())
        return plain + owned["gardens"] * (owned.total() // 10)


@dataclass
class Game:
    """A whole game of these people, and the lines of its log."""

    people: list[Person]
    piles: Counter[str]
    empties: int
    counters: list[tuple[int, int, int]] = field(default_factory=list)
    """Actions, Buys and Coins before anything is bought, turn by turn."""

    @property
    def over(self) -> bool:
        return not self.piles["province"] or sum(not n for n in self.piles.values()) >= self.empties

    def lines(self) -> Iterator[str]:
        yield f"kingdom {KINGDOM}"
        yield "1 starts"
        for person in self.people:
            person.draw(5)
        seat = 0
        while not self.over:
            yield from self.turn(seat)
            seat = (seat + 1) % len(self.people)

    def turn(self, seat: int) -> Iterator[str]:
        person, played = self.people[seat], list[str]()
        person.turns += 1
        actions, buys, coins = 1, 1, 0
        while actions and (playable := [card for card in person.hand if card in GIVES]):
            card = max(playable, key=lambda card: (GIVES[card][1], GIVES[card][0]))
            person.hand.remove(card)
            played.append(card)
            more = GIVES[card]
            person.draw(more[0])
            actions, buys, coins = actions - 1 + more[1], buys + more[2], coins + more[3]
            yield f"{seat + 1} plays {card}"
            if card in ("witch", "militia"):
                yield from self.attack(seat, card)
        for card in COINS:
            if count := person.hand.count(card):
                person.hand = [held for held in person.hand if held != card]
                played += [card] * count
                coins += COINS[card] * count
                # The page has a button for up to five at once.
                yield from (
                    f"{seat + 1} plays {min(5, count - first)} {card}" for first in range(0, count, 5)
                )
        self.counters.append((actions, buys, coins))
        if not any(card in COINS for card in played) and self.choice(person, coins):
            yield f"{seat + 1} to buy"
        while buys and (bought := self.choice(person, coins)):
            buys, coins = buys - 1, coins - COSTS[bought]
            self.piles[bought] -= 1
            person.discard.append(bought)
            # The last Buy ends the turn.
            yield f"{seat + 1} buys {bought}{'' if buys else ' ends'}"
        person.discard += [*played, *person.hand]
        person.hand = []
        person.draw(5)
        if buys:
            yield f"{seat + 1} ends"

    def attack(self, seat: int, card: str) -> Iterator[str]:
        """In turn order; a Moat in the hand is always shown."""
        seats = [(seat + step) % len(self.people) for step in range(1, len(self.people))]
        # Where nothing can be done to anybody any more, nobody is asked.
        asked = card != "witch" or self.piles["curse"]
        shown = [other for other in seats if asked and "moat" in self.people[other].hand]
        hit = [other for other in seats if asked and other not in shown]
        yield from (f"{other + 1} reveals moat" for other in shown)
        for other in hit:
            if card == "militia":
                self.people[other].discard += self.people[other].hand[3:]
                self.people[other].hand = self.people[other].hand[:3]
                yield f"{other + 1} suffers"
            elif self.piles["curse"]:
                self.piles["curse"] -= 1
                self.people[other].discard.append("curse")
                yield f"{other + 1} suffers"

    def choice(self, person: Person, coins: int) -> str:
        """The dearest thing wanted, not too many of a kind."""
        wanted = [card for card in WISHES if self.piles[card] and COSTS[card] <= coins]
        kept = [
            card for card in wanted if card in ("province", "gold", "silver") or person.everything[card] < 2
        ]
        return kept[0] if kept else ""


def game_of(players: int, seed: int) -> Game:
    random = Random(seed)
    victory, boxes = 8 if players == 2 else 12, 1 if players < 5 else 2
    piles = Counter(dict.fromkeys(KINGDOM.split(), 10))
    piles.update(copper=60 * boxes - 7 * players, silver=40 * boxes, gold=30 * boxes)
    piles.update(estate=victory, duchy=victory, province={5: 15, 6: 18}.get(players, victory))
    piles.update(curse=10 * (players - 1), gardens=victory - 10)
    return Game([Person(random) for _seat in range(players)], piles, 3 if players < 5 else 4)
