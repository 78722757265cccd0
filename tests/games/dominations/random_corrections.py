"""Games at random on a map, in numbers alone or in both, and one entry of each that should have said something
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from companion.core.errors import CompanionError
from companion.core.log import CountedEvent
from companion.core.session import Session
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.correction import plain_event
from companion.games.dominations.rules.events import Event, TreePlacement
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from tests.games.dominations.stories import CARDS, FISHING, UNASKED, rich, session_of, started
from tests.games.stories import tell

LETTERS = "TCASPR"
TIERS = ("map", "ledger", "both")
MINING = FISHING.replace("fishing", "mining").replace("Pescaria", "Mineração")


class Mending:
    """A table that tells its turns by chance, in one tier or in both."""

    def __init__(self, players: int, tier: str, seed: int) -> None:
        self.players, self.tier, self.random = players, tier, Random(f"{players} {tier} {seed}")
        self.session = session_of(started(players, UNASKED), _prepared(players).splitlines())

    @property
    def position(self) -> Position:
        position: Position = self.session.position
        return position

    def play(self, turns: int) -> Session:
        for _turn in range(turns):
            if self.position.stage in OF_A_TURN:
                self._turn()
            else:
                self._era()
        return self.session

    def try_to(self, *lines: str) -> bool:
        """Tell the first of these lines that the rules allow, and answer what it asks."""
        for line in lines:
            try:
                self.session = tell(self.session, [line])
            except CompanionError:
                continue
            while held := self.position.held:
                need = held.need
                answer = "".join(self.random.choices(LETTERS, k=need.count)) or self.random.choice(
                    need.choices
                )
                self.session = tell(self.session, [f"{need.player + 1} chooses {answer}"])
            return True
        return False

    def _turn(self) -> None:
        who, roll = self.position.player + 1, self.random.random
        if self.position.stage is GameStage.GROWTH:
            self._territory(who)
        if roll() < 0.3:
            self.try_to(f"{who} trades {self._letter()}2 for {self._letter()}1")
        if roll() < 0.2:
            self._drawn_later()
        if roll() < 0.8:
            self.try_to(*self._constructions(who))
        if roll() < 0.4:
            self.try_to(*self._developments(who))
        if roll() < 0.5:
            self.try_to(f"{who} ends")

    def _letter(self) -> str:
        return self.random.choice(LETTERS)

    def _drawn(self) -> bool:
        return self.tier == "map" or (self.tier == "both" and self.random.random() < 0.5)

    def _territory(self, who: int) -> None:
        free, tiles = [*self.position.board.free], [*self.position.board.tiles]
        lines = [f"{who} produces {self._letter()}2", f"{who} passes"]
        if self._drawn():
            lines.insert(0, f"{who} lays {self._letter()}:{self._dots()} at {self.random.choice(free)}")
        if tiles and self.random.random() < 0.5:
            lines.insert(0, f"{who} reactivates {self.random.choice(tiles)}")
        if self.random.random() < 0.1:
            lines = lines[-1:]
        self.try_to(*lines)
        if "worker" in self.position.seats[who - 1].roles and self.random.random() < 0.3:
            self.try_to(*lines)

    def _dots(self) -> str:
        return "".join(self.random.choices(LETTERS + "V", k=3))

    def _drawn_later(self) -> None:
        if self.tier != "both":
            return
        self.try_to(f"tile {self._letter()}:{self._dots()} at {self.random.choice(self.position.board.free)}")
        lines = [
            f"{city.owner + 1} has {city.domain}{city.level} at {cell}"
            for city in self.position.cities
            for cell in self.position.board.tiles
            if city.cell is None
        ]
        self.try_to(*self.random.sample(lines, len(lines)))

    def _constructions(self, who: int) -> list[str]:
        found = [
            f"{who} upgrades at {city.cell}" if city.cell else f"{who} upgrades {city.domain}{city.level}"
            for city in self.position.cities_of(who - 1)
            if city.level < 3
        ]
        if self._drawn():
            found += [f"{who} builds at {cell}" for cell in self.position.board.tiles]
        else:
            found += [f"{who} builds {letter}" for letter in LETTERS]
        found += [f"{who} raises {key} nodi T1" for key in self.position.sites if self.random.random() < 0.2]
        return self.random.sample(found, len(found))

    def _developments(self, who: int) -> list[str]:
        keys = ("fishing", "mining", "agriculture", "livestock")
        found = [f"{who} develops {key} nodi C1" for key in keys] + [f"{who} advances {key}" for key in keys]
        return self.random.sample(found, len(found))

    def _era(self) -> None:
        leader = max(range(self.players), key=lambda player: self.position.seats[player].influence) + 1
        order = " ".join(map(str, self.random.sample(range(1, self.players + 1), self.players)))
        self.try_to("era effects")
        self.try_to(*(f"{who} assimilates nothing" for who in (leader, *range(1, self.players + 1))))
        self.try_to("era roles")
        self.try_to(f"order {order}")
        self.try_to("era next", "era objectives")


def _prepared(players: int) -> str:
    """Cards, Knowledge in plenty, and the Roles that are used up."""
    lines = [CARDS, MINING, "1 keeps roman and lighthouse", "2 keeps egyptian and gardens"]
    lines += [rich(player, " ".join(f"{letter}20" for letter in LETTERS)) for player in range(1, players + 1)]
    return "\n".join([*lines, "1 holds worker", "2 holds inventor"])


def mended(session: Session, step: CountedEvent, random: Random) -> Event | None:
    """What that entry might have said instead; nothing, too."""
    event = plain_event(step.event)  # type: ignore[arg-type]  # every event that counts is the game's own
    found = [*_others(event, session.fold.before(step.seq), random)]
    return random.choice([None, *found, *found])


def _others(event: events.Plain, position: Position, random: Random) -> Iterator[Event]:
    domain, dots = random.choice([*Domain]), "".join(random.choices(LETTERS + "V", k=3))
    tiles, free = [*position.board.tiles], position.board.free
    match event:
        case events.TerritoryLaid(player):
            yield replace(event, tile=Tile(domain, dots))
            yield replace(event, cell=random.choice(free))
            yield events.Produced(player, {domain: 3})
        case events.Produced(player):
            yield replace(event, amounts={domain: 3})
            yield events.TerritoryLaid(player, Tile(domain, dots), random.choice(free))
        case events.TileTold():
            yield replace(event, tile=Tile(domain, dots))
            yield replace(event, cell=random.choice(free))
        case events.Reactivated() if tiles:
            yield replace(event, cell=random.choice(tiles))
        case events.Built(player):
            yield replace(event, cell=None, domain=domain)
            yield from [replace(event, cell=random.choice(tiles), domain=None)] if tiles else []
            yield replace(event, player=1 - player if player < 2 else 0, because="theirs")
        case events.Developed(key=key):
            yield replace(event, key="mining" if key == "fishing" else "fishing", planting=TreePlacement())
        case events.CardsKept(player):
            yield replace(event, player=1 - player)
        case events.CityTold():
            yield from [replace(event, cell=random.choice(tiles))] if tiles else []
        case events.Ordered(order):
            yield replace(event, order=tuple(random.sample(order, len(order))))
        case events.Traded():
            yield replace(event, give=event.get, get=event.give)
