"""What can happen in a game of Dominations: one frozen value for each line of notation.

Players are counted from 0. An event that people may overrule carries `because`; one that may begin a turn out
of order carries `anew`. `Answered` is an event together with the answers to what it asks.
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
    """What can be set right by hand besides Knowledge and limits."""

    INFLUENCE = "influence"
    POINTS = "points"
    MARKERS = "markers"


@dataclass(frozen=True)
class Ordered:
    """The order on the Initiative track: by lot at first, by the Governor between Eras."""

    order: tuple[int, ...]
    because: str = ""


@dataclass(frozen=True)
class CardsKept:
    """A player kept an Objective and a Monument."""

    player: int
    objective: str
    monument: str


@dataclass(frozen=True)
class Taught:
    """The table taught a card."""

    card: Card


@dataclass(frozen=True)
class CradleTold:
    """The dots of the Cradle, if it has any."""

    dots: str


@dataclass(frozen=True)
class CampfireTold:
    """The half Nodi of a player's Campfire card."""

    player: int
    halves: str


@dataclass(frozen=True)
class Redrawn:
    """A player discarded territories and drew again, as everybody may once in each Era."""

    player: int


@dataclass(frozen=True)
class Ruled:
    """The table decided a question that the rulebook leaves open."""

    question: str
    answer: str


@dataclass(frozen=True)
class AnswerChosen:
    """A player's answer to what is asked."""

    player: int
    choice: str


@dataclass(frozen=True)
class TerritoryLaid:
    """A territory was laid."""

    player: int
    tile: Tile
    cell: Cell
    because: str = ""
    anew: bool = False
    """Whether a turn of its own begins, though nobody told the end of this player's last, or a turn between them."""


@dataclass(frozen=True)
class Produced:
    """What a territory brought, told without a map: to whom how much, own Cities included; an old one lay there."""

    player: int
    amounts: Amounts
    others: tuple[tuple[int, Amounts], ...] = ()
    because: str = ""
    anew: bool = False
    old: bool = False


@dataclass(frozen=True)
class Reactivated:
    """The Inventor activates a territory that lies there already."""

    player: int
    cell: Cell
    because: str = ""
    anew: bool = False


@dataclass(frozen=True)
class Passed:
    """A player has no territory to lay."""

    player: int
    because: str = ""
    anew: bool = False


@dataclass(frozen=True)
class TileTold:
    """A territory that lay there before anybody drew it on the map; it brings nothing."""

    tile: Tile
    cell: Cell


@dataclass(frozen=True)
class Traded:
    player: int
    give: Domain
    given: int
    get: Domain
    got: int
    because: str = ""


@dataclass(frozen=True)
class Built:
    """A City was built on a territory; without a place it is known by its Domain alone."""

    player: int
    cell: Cell | None
    domain: Domain | None = None
    because: str = ""


@dataclass(frozen=True)
class Upgraded:
    """A City rose by a level; without a place it is known by its Domain and the level it had."""

    player: int
    cell: Cell | None
    domain: Domain | None = None
    level: int = 0
    because: str = ""


@dataclass(frozen=True)
class CityTold:
    """Where a City stands that was known by its Domain alone."""

    player: int
    domain: Domain
    level: int
    cell: Cell
    because: str = ""


@dataclass(frozen=True)
class Contributed:
    """A player took the next level of a Monument, and placed its piece with the first."""

    player: int
    monument: str
    place: Place | None = None
    planting: TreePlacement = field(default_factory=TreePlacement)
    because: str = ""


@dataclass(frozen=True)
class MonumentTold:
    """Where a Monument's piece stands that was begun without a map."""

    monument: str
    place: Place


@dataclass(frozen=True)
class Rewarded:
    """Whose Cities a Monument rewards that the log could not pay, each once; nobody's, where there are none."""

    monument: str
    owners: tuple[int, ...]


@dataclass(frozen=True)
class Developed:
    player: int
    key: str
    planting: TreePlacement = field(default_factory=TreePlacement)
    because: str = ""


@dataclass(frozen=True)
class Advanced:
    """A Mastery was turned over."""

    player: int
    key: str
    because: str = ""


@dataclass(frozen=True)
class TurnEnded:
    player: int
    because: str = ""
    anew: bool = False


@dataclass(frozen=True)
class StepTaken:
    """A step of the end of an Era."""

    step: EraStep
    because: str = ""


@dataclass(frozen=True)
class Assimilated:
    """What the leader in Influence assimilated; without a key, nothing."""

    player: int
    key: str = ""
    advanced: bool = False
    planting: TreePlacement = field(default_factory=TreePlacement)
    because: str = ""


@dataclass(frozen=True)
class Adjusted:
    """A number on somebody's board was not what the log said, or the limit of a Reserve."""

    player: int
    track: Track | Domain
    amount: int
    limit: bool = False
    because: str = ""


@dataclass(frozen=True)
class RoleTold:
    """A Domination card changed hands otherwise than the log said."""

    player: int | None
    role: str
    because: str = ""


@dataclass(frozen=True)
class Achieved:
    """A goal that people counted themselves is reached, or not after all."""

    player: int
    goal: int
    reached: bool = True


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


Territory = TerritoryLaid | Produced | Reactivated | Passed
"""What begins a turn."""
Overrulable = (
    Ordered
    | Territory
    | Traded
    | Built
    | Upgraded
    | CityTold
    | Contributed
    | Developed
    | Advanced
    | TurnEnded
    | StepTaken
    | Assimilated
    | Adjusted
    | RoleTold
)
"""What people may do against the rules, with a reason."""

Plain = (
    Overrulable
    | CardsKept
    | Taught
    | CradleTold
    | CampfireTold
    | Redrawn
    | Ruled
    | AnswerChosen
    | TileTold
    | MonumentTold
    | Rewarded
    | Achieved
)

Event = Plain | Answered
