"""Whole games by players at random, told in notation to the engine and kept in step on a plain table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.log import Source
from companion.core.session import Session
from companion.games.dominations.rules.eras import untold_goals
from companion.games.dominations.rules.moves import offered_events
from companion.games.dominations.rules.position import GameStage, Position, QuestionKind
from tests.games.dominations.reference_count import DECK, OBJECTIVES, PILES, PlainTable, corners, reached
from tests.games.dominations.stories import DOMINATIONS, session_of, started
from tests.games.stories import EVENING

LETTERS = "TCASPR"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Evening:
    """A game in play."""

    def __init__(self, players: int, seed: int, options: str = "") -> None:
        self.players = players
        self.random = Random(seed)
        self.session: Session = session_of(started(players, options))
        self.plain = PlainTable(players)
        self.trees: list[dict[tuple[int, int], tuple[str, str]]] = [{} for _player in range(players)]
        """By spot: what lies there, and its half Nodi."""

    @property
    def position(self) -> Position:
        position: Position = self.session.position
        return position

    def say(self, line: str) -> bool:
        """Tell the engine, and answer what it asks; whether it has happened."""
        before, self.plain.answers = self.session, []
        try:
            self._record(line)
            while self.position.held:
                self._answer()
        except IllegalEvent:
            self.session = before
            return False
        self.plain.rulings = dict(self.position.rulings)
        dropped: int = len(before.position.dropped)
        return len(self.position.dropped) == dropped

    def _record(self, line: str) -> None:
        event = notation.parse_entry(DOMINATIONS, line)
        self.session = self.session.record(event, Source.DEMO, EVENING)

    def _answer(self) -> None:
        held = self.position.held
        assert held is not None
        need = held.need
        if need.ask is QuestionKind.RULING:
            self._record(DOMINATIONS.write(self.random.choice(offered_events(self.position))))
            return
        if need.ask is QuestionKind.ORDER:
            self._order()
            return
        if need.ask is QuestionKind.DOMAINS:
            choice = "".join(self.random.choices(LETTERS, k=need.count))
        else:
            choice = self.random.choice(need.choices)
        self.plain.answers.append(choice)
        self._record(f"{need.player + 1} chooses {choice}")

    def _order(self) -> None:
        order = self.random.sample(range(self.players), self.players)
        self._record("order " + " ".join(str(p + 1) for p in order))
        self.plain.order = order

    def play(self) -> Iterator[Position]:
        """The whole game; a position after everything that both tables have done."""
        yield from self._prepare()
        while not self.session.turn.over:
            if self.position.stage is GameStage.GROWTH:
                yield from self._turn()
            else:
                yield from self._end_era()

    def _prepare(self) -> Iterator[Position]:
        self._order()
        for key, card in DECK.items():
            assert self.say(card.line(key))
        for key, pile in PILES.items():
            assert self.say(pile.line(key))
        for key, goals in OBJECTIVES.items():
            assert self.say(f'objective {key} "{key.title()}" ' + " ".join(f'"{goal}"' for goal in goals))
        objectives, piles = (
            self.random.sample([*OBJECTIVES], self.players),
            self.random.sample([*PILES], self.players),
        )
        for player in range(self.players):
            halves = "".join(self.random.choices(LETTERS, k=4))
            self.trees[player][0, 0] = ("campfire", halves)
            assert self.say(f"{player + 1} has campfire {halves}")
            assert self.say(f"{player + 1} keeps {objectives[player]} and {piles[player]}")
            self.plain.people[player].objective = objectives[player]
        yield self.position

    def _turn(self) -> Iterator[Position]:
        player = self.position.player
        if self.random.random() < 0.4:
            self._fill(player)
        yield from self._growth(player)
        if "worker" in self.position.seats[player].roles and self.random.random() < 0.5:
            self._lay(player)
            self.plain.people[player].roles.remove("worker")
            yield self.position
        for _trade in range(self.random.randrange(4)):
            self._trade(player)
        self._construct(player)
        yield self.position
        self._develop(player)
        yield self.position
        if self.position.stage in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT, GameStage.DONE):
            self._end_turn(player)
            yield self.position

    def _fill(self, player: int) -> None:
        """A Reserve is set right to its limit, now and then to 20, so that there is something to spend and to lose."""
        everything = self.random.random() < 0.15
        for letter in LETTERS if everything else self.random.choice(LETTERS):
            self._fill_one(player, letter)

    def _fill_one(self, player: int, letter: str) -> None:
        person = self.plain.people[player]
        higher = 20 - person.limits[letter]
        if higher and self.random.random() < 0.3:
            assert self.say(f"{player + 1} adjusts limit {letter} +{higher}")
            person.limits[letter] = 20
        more = person.limits[letter] - person.knowledge[letter]
        if more:
            assert self.say(f"{player + 1} adjusts {letter} +{more}")
            person.knowledge[letter] += more

    def _end_turn(self, player: int) -> None:
        assert self.say(f"{player + 1} ends")
        if self.position.stage is GameStage.GROWTH:
            self.plain.begin_turn(self.position.player)

    def _growth(self, player: int) -> Iterator[Position]:
        chance = self.random.random()
        if "inventor" in self.position.seats[player].roles and chance < 0.5:
            cell = self.random.choice([*self.plain.fields])
            assert self.say(f"{player + 1} reactivates {cell}")
            self.plain.people[player].roles.remove("inventor")
            self.plain.harvest(player, cell, True)
        elif chance > 0.97 and self.say(f"{player + 1} passes"):
            pass
        elif chance > 0.92:
            self._produce(player)
        else:
            self._lay(player)
        yield self.position

    def _produce(self, player: int) -> None:
        """A territory that nobody draws on the map."""
        amounts = Counter(self.random.choices(LETTERS, k=5))
        told = " ".join(f"{letter}{amounts[letter]}" for letter in LETTERS if amounts[letter])
        other = self.random.choice([p for p in range(self.players) if p != player])
        assert self.say(f"{player + 1} produces {told}, {other + 1} T2")
        self.plain.tell(player, amounts, other, "T", 2)

    def _lay(self, player: int) -> None:
        free = [str(cell) for cell in self.position.board.free]
        full = [c for c in free if any(len(self.plain.around(point)) == 5 for point in corners(c))]
        cell = self.random.choice(full if full and self.random.random() < 0.7 else free)
        field, dots = self.random.choice("TCCASPR"), "".join(self.random.choices("TTCCASPRV", k=3))
        assert self.say(f"{player + 1} lays {field}:{dots} at {cell}")
        self.plain.lay(player, field, dots, cell)

    def _trade(self, player: int) -> None:
        give, get = self.random.sample(LETTERS, 2)
        if self.say(f"{player + 1} trades {give}2 for {get}1"):
            self.plain.people[player].knowledge[give] -= 2
            self.plain.receive(player, Counter({get: 1}))

    def _construct(self, player: int) -> None:
        if self.random.random() < 0.35 and self._contribute(player):
            return
        cells = self.random.sample([*self.plain.fields], len(self.plain.fields))
        for cell in cells:
            owner = self.plain.cities.get(cell, [player])[0]
            verb = "upgrades" if cell in self.plain.cities else "builds"
            if owner == player and self.say(f"{player + 1} {verb} at {cell}"):
                self.plain.raise_city(player, cell)
                return

    def _contribute(self, player: int) -> bool:
        for key in self.random.sample([*self.position.sites], self.players):
            place = ""
            if self.position.sites[key].taken == 0 and self.random.random() < 0.9:
                place = self._place(key)
            spots = self._spots(player)
            for spot, halves in spots:
                at = f" at {place}" if place else ""
                if self.say(f"{player + 1} raises {key}{at} in {spot[0]},{spot[1]} {halves}"):
                    self.plain.contribute(player, key, place)
                    self._plant(player, key, spot, halves, level=True)
                    return True
        return False

    def _place(self, key: str) -> str:
        """Somewhere the piece might stand; nowhere when there is no such place."""
        if PILES[key].shape == "circle":
            points = {p for cell in self.plain.fields for p in corners(cell)}
            full = sorted(
                p for p in points if len(self.plain.around(p)) == 6 and p not in self.plain.circles.values()
            )
            return f"@{full[0][0]},{full[0][1]}" if full else ""
        for one in self.random.sample(self.position.board.free, len(self.position.board.free)):
            for other in one.neighbours:
                if other not in self.position.board.pieces:
                    dots = "".join(self.random.choices(LETTERS, k=6))
                    return f"{one}+{other} dots {dots}"
        return ""

    def _spots(self, player: int) -> list[tuple[tuple[int, int], str]]:
        """A few places where a card of this player might come, with half Nodi at random that mostly fit."""
        tree, found = self.trees[player], []
        for _try in range(4):
            x, y = self.random.choice([*tree])
            dx, dy = self.random.choice(STEPS)
            spot = (x + dx, y + dy)
            halves = [self.random.choice("TCASPRVX") for _side in STEPS]
            for side, (sx, sy) in enumerate(STEPS):
                beside = tree.get((spot[0] + sx, spot[1] + sy))
                if beside and self.random.random() < 0.8:
                    halves[side] = beside[1][(side + 2) % 4].replace("V", "T")
            if spot not in tree:
                found.append((spot, "".join(halves)))
        return found

    def _plant(self, player: int, key: str, spot: tuple[int, int], halves: str, level: bool = False) -> None:
        tree, nodi, others = self.trees[player], [], []
        for side, (dx, dy) in enumerate(STEPS):
            beside = tree.get((spot[0] + dx, spot[1] + dy))
            if beside:
                pair = [halves[side], beside[1][(side + 2) % 4]]
                nodi.append(next(half for half in pair if half in LETTERS))
                others += nodi[-1:] if level or beside[0] not in DECK else []
        tree[spot] = (key, halves)
        self.plain.plant(player, key, nodi, others)

    def _develop(self, player: int) -> None:
        owned = self.plain.people[player].cards
        keys = self.random.sample([*DECK], len(DECK))
        for key in keys:
            if key in owned and self.say(f"{player + 1} advances {key}"):
                self.plain.pay(player, DECK[key].domain, 3, "advance")
                self.plain.turn_over(player, key)
                return
            for spot, halves in self._spots(player)[:2] if key not in owned else ():
                if self.say(f"{player + 1} develops {key} in {spot[0]},{spot[1]} {halves}"):
                    self.plain.pay(player, DECK[key].domain, DECK[key].value, "mastery")
                    self._plant(player, key, spot, halves)
                    return

    def _end_era(self) -> Iterator[Position]:
        assert self.say("era effects")
        self.plain.effects()
        yield self.position
        self._assimilate()
        self.plain.influence_counts()
        yield self.position
        assert self.say("era roles")
        self.plain.determine_roles()
        yield self.position
        if self.position.stage is GameStage.OBJECTIVES:
            self._say_what_no_map_shows()
            assert self.say("era objectives")
            self.plain.objectives()
        else:
            if self.position.governor >= 0:
                self._order()
            assert self.say("era next")
            self.plain.next_era()
        yield self.position

    def _say_what_no_map_shows(self) -> None:
        """A Monument that nobody has drawn stands beside no City here."""
        for player in range(self.players):
            for number, goal in untold_goals(self.position, player):
                done = reached(self.plain, player, goal.text)
                assert self.say(f"{player + 1} {'reached' if done else 'missed'} {number}")

    def _assimilate(self) -> None:
        influence = [float(person.influence) for person in self.plain.people]
        player = self.plain.best(influence)
        theirs = {key for p, person in enumerate(self.plain.people) if p != player for key in person.cards}
        for key in self.random.sample(sorted(theirs), len(theirs)):
            if self.say(f"{player + 1} assimilates advanced {key}"):
                self.plain.turn_over(player, key)
                return
            for spot, halves in self._spots(player):
                if self.say(f"{player + 1} assimilates {key} in {spot[0]},{spot[1]} {halves}"):
                    self._plant(player, key, spot, halves)
                    return
        assert self.say(f"{player + 1} assimilates nothing")
