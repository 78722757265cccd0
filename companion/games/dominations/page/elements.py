"""What templates draw: actions to tap, and map and Civilization Trees as shapes.

A side of a territory and a card of a Tree are 100 units long, y grows downwards. An Action records a line of
notation, leads to other wishes of the address, or only stands there; nothing is kept beside the log and the
address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.message import Message
from companion.games.dominations.rules.board import (
    CAMPFIRE,
    FARTHEST,
    NO_DOT,
    NO_HALF,
    STEPS,
    BoardPiece,
    Planted,
    Spot,
    Tree,
)
from companion.games.dominations.rules.box import DOMAIN_NAMES, LOOKS, UNKNOWN, Domain
from companion.games.dominations.rules.cards import Initials
from companion.games.dominations.rules.lattice import Cell, Point
from companion.games.dominations.rules.position import OF_A_TURN, Position

Wish = Mapping[str, str]
"""What somebody points at; it comes with the address."""
To = Mapping[str, str | None]
"""Where a tap leads: the wishes of the next page, None for one that ends."""

WISHES = (
    *("tier", "do", "at", "at2", "col", "who", "g1", "g2", "g3", "g4", "key", "adv", "nodi", "mix", "dom"),
    *("give", "get", "times", "order", "look", "check", "kind", "objective", "tile"),
    *("spot", "half", "open", "dots", "shown", "room", "sure", "keep"),
)
"""Every wish of this page but the fields of the card form, and `against`, which stays until it is put away."""

CARD_SIDE = 100
HALF_MIDDLES = ((50, 18), (82, 50), (50, 82), (18, 50))
"""Where a card's half Nodi are drawn: above, right, below, left."""


@dataclass(frozen=True)
class HalfView:
    """A half Nodus."""

    x: int
    y: int
    letter: str


@dataclass(frozen=True)
class CardSquare:
    """A card that lies in a Tree."""

    x: int
    y: int
    title: Message | None
    """Nothing for the Campfire."""
    letter: str
    """Its Domain; nothing for the Campfire and for Monuments."""
    halves: tuple[HalfView, ...]
    told: bool = False
    """Whether it is the one that is being told."""
    asked: tuple[int, int] | None = None
    """Where the half Nodus lies that is told next."""


@dataclass(frozen=True)
class TreeSpotView:
    """A place of a Tree that can be tapped."""

    x: int
    y: int
    spot: str
    to: To


@dataclass(frozen=True)
class TreeView:
    """Everything of a Tree whose place is known."""

    left: int
    top: int
    columns: int
    rows: int
    cards: tuple[CardSquare, ...]
    spots: tuple[TreeSpotView, ...] = ()


def write_spot(spot: Spot) -> str:
    return f"{spot[0]},{spot[1]}"


def free_spots(tree: Tree) -> tuple[Spot, ...]:
    """The places beside the cards of a Tree."""
    beside = {(x + dx, y + dy) for x, y in tree.at for dx, dy in STEPS} - tree.at.keys()
    return tuple(spot for spot in sorted(beside) if max(map(abs, spot)) <= FARTHEST)


def fitting_spots(tree: Tree) -> tuple[Spot, ...]:
    """The free places where a card can make a Nodus with every card beside it."""
    sides = range(len(STEPS))
    return tuple(spot for spot in free_spots(tree) if all(tree.meeting(spot, side) for side in sides))


def tree_view(
    position: Position, tree: Tree, ways: Mapping[Spot, To], told: Planted | None = None
) -> TreeView:
    """A Tree with the places that can be tapped; the card that is being told hides one that lies there."""
    lying = (card for card in tree.cards if card.spot is not None and not (told and card.spot == told.spot))
    cards = [_card(position, card) for card in lying]
    if told:
        asked = HALF_MIDDLES[len(told.halves)] if len(told.halves) < len(HALF_MIDDLES) else None
        cards.append(replace(_card(position, told), told=True, asked=asked))
    spots = tuple(
        TreeSpotView(x * CARD_SIDE, y * CARD_SIDE, write_spot((x, y)), to) for (x, y), to in ways.items()
    )
    corners = [*((card.x, card.y) for card in cards), *((spot.x, spot.y) for spot in spots)]
    xs, ys = zip(*corners, strict=True)
    columns, rows = (max(xs) - min(xs)) // CARD_SIDE + 1, (max(ys) - min(ys)) // CARD_SIDE + 1
    return TreeView(min(xs), min(ys), columns, rows, tuple(cards), spots)


def _card(position: Position, card: Planted) -> CardSquare:
    assert card.spot is not None
    x, y = card.spot
    mastery = position.cards.masteries.get(card.key)
    letter = mastery.domain if mastery and not card.level else ""
    title = None if card.key == CAMPFIRE else position.title(card.key)
    halves = zip(HALF_MIDDLES, card.halves, strict=False)
    drawn = (HalfView(*at, letter=half) for at, half in halves if half not in (UNKNOWN, NO_HALF))
    return CardSquare(x * CARD_SIDE, y * CARD_SIDE, title, letter, tuple(drawn))


@dataclass(frozen=True)
class Action:
    """Something to tap."""

    text: Message
    line: str = ""
    """What it records; without a line it leads on, and where it leads nowhere either it only stands there."""
    to: To = field(default_factory=dict)
    domain: str = ""
    """Whose icon and letter stand before the words."""
    note: Message | None = None
    number: Message | str = ""
    main: bool = False
    chosen: bool = False
    off: bool = False
    """Whether it cannot be paid now."""
    player: int | None = None
    """Whose token stands before the words."""
    brief: str = ""
    """What is shown where there is no room for the words."""
    mark: str = ""
    """The number that stands on the map where this would happen."""
    against: str = ""
    """Who is said to act against the rules from there on."""


@dataclass(frozen=True)
class Stepper:
    """A number with a button on either side."""

    name: Message
    number: int
    less: Action | None
    more: Action | None
    domain: str = ""
    of: int = 0
    """The limit, where there is one."""
    far: tuple[Action | None, Action | None] | None = None
    """Larger steps down and up, where a number may be far from right."""


@dataclass(frozen=True)
class ActionGroup:
    """Choices that belong together."""

    choices: tuple[Action, ...] = ()
    name: Message | None = None
    kind: str = "rows"
    """How they lie: one in a row, or side by side."""
    steppers: tuple[Stepper, ...] = ()
    folded: bool = False
    """Whether it is seldom needed, and opened by its name."""
    last: bool = False
    """Whether it is what people come to in the end."""
    notes: tuple[Message, ...] = ()
    """What is said below them, where it may change while they are tapped."""

    @property
    def at_the_foot(self) -> bool:
        """What is done most and what ends something always stand in the same place."""
        return self.last or any(choice.main for choice in self.choices)


@dataclass(frozen=True)
class ActionPanel:
    """What stands beside the map: what can be done now."""

    title: Message
    groups: tuple[ActionGroup, ...] = ()
    notes: tuple[Message, ...] = ()
    back: To | None = None
    """Where a way back leads; nothing where there is none."""
    tree: TreeView | None = None
    """The Civilization Tree that is tapped in."""


def leads(**wishes: str | None) -> To:
    """To a page with these wishes and no others."""
    return {key: wishes.get(key) for key in WISHES}


PLAYER_NAME = Message("")
"""Instead of words: the name of the player whose token stands there."""


def printed_text(text: str) -> Message:
    """Printed words, which no catalogue knows."""
    return Message("%(text)s", {"text": text})


def player_action(player: int, **more: Any) -> Action:
    """A tap on a player's token; `more` as in Action."""
    return Action(PLAYER_NAME, player=player, **more)


def domain_action(domain: Domain, **more: Any) -> Action:
    """A tap on a Domain, by its name, icon and letter."""
    return Action(DOMAIN_NAMES[domain], domain=domain.value, **more)


def told_player(position: Position, text: str | None) -> int | None:
    """The player that an address tells, counted from 1 there; None where it tells nobody of this table."""
    return int(text) - 1 if text in {str(n + 1) for n in range(position.players)} else None


def panel(
    title: Message,
    *groups: ActionGroup,
    notes: Iterable[Message] = (),
    back: To | None = None,
    tree: TreeView | None = None,
) -> ActionPanel:
    """What can be done now; groups without choices are left out."""
    found = tuple(group for group in groups if group.choices or group.steppers)
    return ActionPanel(title, found, tuple(notes), back, tree)


def group(choices: Iterable[Action], name: Message | None = None, kind: str = "rows") -> ActionGroup:
    return ActionGroup(tuple(choices), name, kind)


SIDE = 100
HEIGHT = 87
"""Of a triangle with that side."""
FIELD, ABOVE_CITY, CITY = 9, 13, -13
"""How far above the middle a Field is named, towards its point, alone and with a City, which is at its broad side."""
INSET = 0.08
"""How far inside the sides of a place it is outlined, of the way to its middle."""
INTO = 0.42
"""How far from a corner towards the middle its resource lies."""
SHOWN_SEPARATOR = "_"
"""Between the places that an address asks to show."""
ROUND = SIDE
"""What is left free round everything that lies there."""


@dataclass(frozen=True)
class Dot:
    """A resource of a territory."""

    x: int
    y: int
    letter: str


@dataclass(frozen=True)
class TileView:
    """A filled place of the map."""

    place: str
    points: str
    middle: tuple[int, int]
    mark: tuple[int, int]
    """Where its Field is named."""
    stands: tuple[int, int]
    """Where a City stands: at the broad side."""
    letter: str
    colour: str
    dots: tuple[Dot, ...]
    owner: int | None
    """Whose City stands there."""
    level: int
    monument: str
    last: bool
    number: int = 0
    """Territories are counted as they were laid; words name them so."""


@dataclass(frozen=True)
class PieceView:
    """A Monument's piece on the map."""

    title: Message
    middle: tuple[int, int]
    round: bool

    @property
    def initials(self) -> Message:
        return Initials("", title=self.title)


@dataclass(frozen=True)
class TargetView:
    """A place that can be tapped."""

    place: str
    points: str
    middle: tuple[int, int]
    name: Message
    to: To
    filled: bool = False
    """Whether something lies there."""


@dataclass(frozen=True)
class OutlineView:
    """A territory that is marked: the one that was tapped, or one that can be."""

    points: str
    chosen: bool


@dataclass(frozen=True)
class GhostView:
    """The territory that is being told."""

    points: str
    middle: tuple[int, int]
    mark: tuple[int, int]
    field: str
    dots: tuple[Dot, ...]
    asked: tuple[int, int] | None
    """Where the resource lies that is told next."""


def shown_address(cells: Iterable[Cell]) -> str:
    """Places that are to be shown, as an address tells them."""
    return SHOWN_SEPARATOR.join(map(str, cells))


def on_page(i: int, j: int) -> tuple[int, int]:
    """A point of the lattice on the page."""
    return i * SIDE + j * SIDE // 2, -j * HEIGHT


def cell_corners(cell: Cell) -> list[tuple[int, int]]:
    return [on_page(point.i, point.j) for point in cell.corners]


def cell_outline(cell: Cell) -> str:
    return " ".join(f"{x},{y}" for x, y in cell_corners(cell))


def cell_middle(cell: Cell) -> tuple[int, int]:
    corners = cell_corners(cell)
    return sum(x for x, _y in corners) // 3, sum(y for _x, y in corners) // 3


def _aside(cell: Cell, far: int) -> tuple[int, int]:
    """A point nearer the tip of a place, or nearer its broad side."""
    x, y = cell_middle(cell)
    return x, y + (far if cell.down else -far)


def dot_places(cell: Cell) -> list[tuple[int, int]]:
    """Where the three resources of a place are drawn."""
    x, y = cell_middle(cell)
    return [(round(a + INTO * (x - a)), round(b + INTO * (y - b))) for a, b in cell_corners(cell)]


def tile_views(position: Position) -> Iterator[TileView]:
    last = next(reversed([*position.board.tiles]), None)
    numbers = {cell: number for number, cell in enumerate(position.board.tiles, 1)}
    for cell, piece in position.board.pieces.items():
        city = position.city_at(cell)
        field = piece.tile.field if piece.tile else None
        yield TileView(
            place=str(cell),
            points=cell_outline(cell),
            middle=cell_middle(cell),
            mark=_aside(cell, ABOVE_CITY if city else FIELD),
            stands=_aside(cell, CITY),
            letter=field.value if field else "",
            colour=LOOKS[field].colour if field else "",
            dots=tuple(_dots(cell, piece)),
            owner=city.owner if city else None,
            level=city.level if city else 0,
            monument=piece.monument,
            last=cell == last,
            number=numbers.get(cell, 0),
        )


def _dots(cell: Cell, piece: BoardPiece) -> Iterator[Dot]:
    for (x, y), point in zip(dot_places(cell), cell.corners, strict=True):
        dot = piece.dots.get(point, NO_DOT)
        if dot not in (NO_DOT, UNKNOWN):
            yield Dot(x, y, dot)


def piece_views(position: Position) -> Iterator[PieceView]:
    """Each piece with its name, in its middle."""
    for point, key in position.board.circles.items():
        yield PieceView(position.title(key), on_page(*point), True)
    halves: dict[str, list[Cell]] = {}
    for cell, piece in position.board.pieces.items():
        if piece.monument:
            halves.setdefault(piece.monument, []).append(cell)
    for key, cells in halves.items():
        xs, ys = zip(*map(cell_middle, cells), strict=True)
        yield PieceView(position.title(key), (sum(xs) // len(xs), sum(ys) // len(ys)), False)


def outline_view(cell: Cell, chosen: bool) -> OutlineView:
    x, y = cell_middle(cell)
    inside = ((round(a + INSET * (x - a)), round(b + INSET * (y - b))) for a, b in cell_corners(cell))
    return OutlineView(" ".join(f"{a},{b}" for a, b in inside), chosen)


def cell_target(cell: Cell, name: Message, to: To, filled: bool = False) -> TargetView:
    return TargetView(str(cell), cell_outline(cell), cell_middle(cell), name, to, filled)


def point_target(point: Point, name: Message, to: To) -> TargetView:
    """A point where six territories meet."""
    x, y = on_page(*point)
    around = ((x - 26, y - 26), (x + 26, y - 26), (x + 26, y + 26), (x - 26, y + 26))
    return TargetView(str(point), " ".join(f"{a},{b}" for a, b in around), (x, y), name, to)


def ghost_view(cell: Cell, field: str, dots: str, asks: bool) -> GhostView:
    """A place as far as it was told: its Field, its resources in the order of the corners, a ring for the next one."""
    places = dot_places(cell)
    told = (Dot(x, y, letter) for (x, y), letter in zip(places, dots, strict=False) if letter != NO_DOT)
    asked = places[len(dots)] if asks else None
    return GhostView(cell_outline(cell), cell_middle(cell), _aside(cell, FIELD), field, tuple(told), asked)


def map_bounds(position: Position, places: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Left, top, width and height of all that lies there, and of where something may come to lie."""
    cells = [*position.board.pieces, *(places if position.stage in OF_A_TURN else ())]
    corners = [corner for cell in cells for corner in cell_corners(cell)]
    xs, ys = zip(*corners, strict=True)
    left, top = min(xs) - ROUND // 4, min(ys) - ROUND // 4
    return left, top, max(xs) - left + ROUND // 4, max(ys) - top + ROUND // 4
