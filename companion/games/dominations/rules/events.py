"""What can happen in a game of Dominations: one frozen value for each line of notation.

Players are counted from 0. `Plain` is what one line tells, `Overrulable` what people may do against the rules
with a reason, `Answered` an event together with the answers to what it asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.dominations.rules.board import Spot, Tile
from companion.games.dominations.rules.box import UNKNOWN, Amounts, Domain
from companion.games.dominations.rules.cards import Card
from companion.games.dominations.rules.lattice import Cell, Point


@dataclass(frozen=True)
class TreePlacement:
    """Where a card comes to lie in a Tree, or the Nodi it makes, or neither."""

    spot: Spot | None = None
    halves: str = UNKNOWN * 4
    nodi: tuple[Domain, ...] = ()


@dataclass(frozen=True)
class Lozenge:
    """The two cells that a lozenge covers."""

    cells: tuple[Cell, Cell]
    dots: str = "------"
    """The resources printed on it: three for each cell, in the order of its corners."""
    open: tuple[int, ...] = ()
    """Which of its four outer sides show a reward, counted in the order of the cells beside it; empty when all do."""


Place = Lozenge | Point
"""Where a Monument's piece stands."""


class EraStep(StrEnum):
    """What the table does together at the end of an Era, in this order."""

    EFFECTS = "effects"
    ROLES = "roles"
    NEXT = "next"
    OBJECTIVES = "objectives"


class Track(StrEnum):
    """What a board counts besides Knowledge."""

    INFLUENCE = "influence"
    POINTS = "points"
    MARKERS = "markers"


@dataclass(frozen=True)
class Plain:
    """What one line tells, without answers to what it asks."""


@dataclass(frozen=True)
class Overrulable(Plain):
    """What people may do against the rules, with a reason."""

    because: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class TurnBound(Overrulable):
    """What begins a turn, or ends it."""

    anew: bool = field(default=False, kw_only=True)
    """Whether it is a turn of its own, though nobody told the end of this player's last, or a turn between them."""


@dataclass(frozen=True)
class Ordered(Overrulable):
    """The order on the Initiative track: by lot at first, by the Governor between Eras."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class CardsKept(Plain):
    """A player kept an Objective and a Monument."""

    player: int
    objective: str
    monument: str


@dataclass(frozen=True)
class Taught(Plain):
    """The table taught a card."""

    card: Card


@dataclass(frozen=True)
class CradleTold(Plain):
    """The dots of the Cradle, if it has any."""

    dots: str


@dataclass(frozen=True)
class CampfireTold(Plain):
    """The half Nodi of a player's Campfire card."""

    player: int
    halves: str


@dataclass(frozen=True)
class Redrawn(Overrulable):
    """A player discarded territories and drew again, as everybody may once before each Era."""

    player: int


@dataclass(frozen=True)
class Ruled(Plain):
    """The table decided a question that the rulebook leaves open."""

    question: str
    answer: str


@dataclass(frozen=True)
class AnswerChosen(Plain):
    """A player's answer to what is asked."""

    player: int
    choice: str


@dataclass(frozen=True)
class TerritoryLaid(TurnBound):
    """A territory was laid."""

    player: int
    tile: Tile
    cell: Cell


@dataclass(frozen=True)
class Produced(TurnBound):
    """What a territory brought, told without a map: to whom how much, own Cities included; an old one lay there."""

    player: int
    amounts: Amounts
    others: tuple[tuple[int, Amounts], ...] = ()
    old: bool = False


@dataclass(frozen=True)
class Reactivated(TurnBound):
    """The Inventor activates a territory that lies there already."""

    player: int
    cell: Cell


@dataclass(frozen=True)
class Passed(TurnBound):
    """A player has no territory to lay."""

    player: int


@dataclass(frozen=True)
class TileTold(Plain):
    """A territory that lay there before anybody drew it on the map; it brings nothing."""

    tile: Tile
    cell: Cell


@dataclass(frozen=True)
class Traded(Overrulable):
    player: int
    give: Domain
    given: int
    get: Domain
    got: int


@dataclass(frozen=True)
class Built(Overrulable):
    """A City was built on a territory; without a place it is known by its Domain alone."""

    player: int
    cell: Cell | None
    domain: Domain | None = None


@dataclass(frozen=True)
class Upgraded(Overrulable):
    """A City rose by a level; without a place it is known by its Domain and the level it had."""

    player: int
    cell: Cell | None
    domain: Domain | None = None
    level: int = 0


@dataclass(frozen=True)
class CityTold(Overrulable):
    """Where a City stands that was known by its Domain alone."""

    player: int
    domain: Domain
    level: int
    cell: Cell


@dataclass(frozen=True)
class Contributed(Overrulable):
    """A player took the next level of a Monument, and placed its piece with the first."""

    player: int
    monument: str
    place: Place | None = None
    planting: TreePlacement = field(default_factory=TreePlacement)


@dataclass(frozen=True)
class MonumentTold(Plain):
    """Where a Monument's piece stands that was begun without a map."""

    monument: str
    place: Place


@dataclass(frozen=True)
class Rewarded(Plain):
    """Whose Cities a Monument rewards that the log could not pay, each once; nobody's, where there are none."""

    monument: str
    owners: tuple[int, ...]


@dataclass(frozen=True)
class Developed(Overrulable):
    player: int
    key: str
    planting: TreePlacement = field(default_factory=TreePlacement)


@dataclass(frozen=True)
class Advanced(Overrulable):
    """A Mastery was turned over."""

    player: int
    key: str


@dataclass(frozen=True)
class TurnEnded(TurnBound):
    player: int


@dataclass(frozen=True)
class StepTaken(Overrulable):
    """A step of the end of an Era."""

    step: EraStep


@dataclass(frozen=True)
class Assimilated(Overrulable):
    """What the leader in Influence assimilated; without a key, nothing."""

    player: int
    key: str = ""
    advanced: bool = False
    planting: TreePlacement = field(default_factory=TreePlacement)


@dataclass(frozen=True)
class Adjusted(Overrulable):
    """A number on somebody's board was not what the log said, or the limit of a Reserve."""

    player: int
    track: Track | Domain
    amount: int
    limit: bool = False


@dataclass(frozen=True)
class RoleTold(Overrulable):
    """A Domination card changed hands otherwise than the log said."""

    player: int | None
    role: str


@dataclass(frozen=True)
class Achieved(Plain):
    """A goal that people counted themselves is reached, or not after all."""

    player: int
    goal: int
    reached: bool = True


@dataclass(frozen=True)
class GoalsTold(Plain):
    """How many goals of an Objective that nobody has read out are reached."""

    player: int
    count: int


@dataclass(frozen=True)
class Answered:
    """Something told together with the answers to what it asks, in the order in which it asks."""

    event: Plain
    choices: tuple[str, ...]

    @property
    def player(self) -> int | None:
        return getattr(self.event, "player", None)

    @property
    def because(self) -> str:
        return getattr(self.event, "because", "")


Event = Plain | Answered
