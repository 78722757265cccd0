"""What the page of Dominations draws: tracks, Trees, Cities, the map and the buttons that need no words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations import notation, words
from companion.games.dominations.board import NO_DOT, Piece
from companion.games.dominations.box import DOMAIN_NAMES, LOOKS, UNKNOWN, Domain
from companion.games.dominations.cards import Objective
from companion.games.dominations.events import Event, Ruled
from companion.games.dominations.judging import controller, progress, reached
from companion.games.dominations.lattice import Cell
from companion.games.dominations.offers import offered
from companion.games.dominations.position import Position, Unit
from companion.games.dominations.prospects import on_track
from companion.games.dominations.roles import ROLE_NAMES
from companion.games.dominations.rulings import ANSWER_TEXTS
from companion.games.dominations.tally import reason

SIDE = 100
HEIGHT = 87
"""Of a triangle with that side."""
SHOWN = 14
"""How many of the last numbers that changed are shown."""
EXAMPLE = "1 lays T:TCR at 0,0d"

UNIT_NAMES: Mapping[Unit, Message] = {Unit.INFLUENCE: _("Influence"), Unit.POINTS: _("points")}


@dataclass(frozen=True)
class Button:
    """A line of notation, and what is written on its button."""

    line: str
    text: Message


@dataclass(frozen=True)
class Track:
    """A Reserve."""

    letter: str
    name: Message
    colour: str
    amount: int
    limit: int


@dataclass(frozen=True)
class SeatView:
    """What a player has."""

    tracks: tuple[Track, ...]
    influence: int
    points: int
    stands: Mapping[str, tuple[int, int]]
    """By track: the laps behind a marker, and its place."""
    markers: int
    cities: tuple[str, ...]
    roles: tuple[Message, ...]
    cards: tuple[str, ...]
    objective: str
    goals: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class TileView:
    """A filled place of the map."""

    place: str
    points: str
    middle: tuple[int, int]
    letter: str
    colour: str
    dots: tuple[tuple[int, int, str], ...]
    city: str
    """Whose City stands there, and its level."""


@dataclass(frozen=True)
class LineView:
    """A number that changed."""

    player: int
    unit: Message
    amount: int
    lost: int
    why: Message


def page(position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG001
    tiles = tuple(tile_view(position, cell) for cell in position.board.pieces)
    return {
        "era": position.era,
        "round": position.round,
        "order": position.order,
        "stage": position.stage.value,
        "seats": tuple(seat_view(position, player) for player in range(position.players)),
        "tiles": tiles,
        "bounds": bounds(position),
        "buttons": tuple(buttons(position)),
        "reminders": tuple(
            (reminder.player, position.title(reminder.key), str(reminder.effect))
            for reminder in position.reminders
        ),
        "sites": tuple(
            (position.title(key), site.taken, controller(position, key))
            for key, site in position.sites.items()
        ),
        "rulings": dict(position.rulings),
        "ledger": tuple(ledger(position)),
        "example": EXAMPLE,
    }


def seat_view(position: Position, player: int) -> SeatView:
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    points = position.points[player]
    return SeatView(
        tracks=tuple(
            Track(d.value, DOMAIN_NAMES[d], LOOKS[d].colour, seat.knowledge[d], seat.limits[d])
            for d in Domain
        ),
        influence=seat.influence,
        points=points,
        stands={"influence": on_track(seat.influence, "influence"), "points": on_track(points, "points")},
        markers=seat.markers,
        cities=tuple(f"{city.domain}{city.level}" for city in position.cities_of(player)),
        roles=tuple(ROLE_NAMES[role] for role in seat.roles),
        cards=tuple(
            f"{position.title(c.key)}{f' {c.level}' if c.level else ' +' if c.advanced else ''}"
            for c in seat.tree.cards[1:]
        ),
        objective=objective.title if objective else "",
        goals=tuple(goals(position, player, objective)) if objective else (),
    )


def goals(position: Position, player: int, objective: Objective) -> Iterator[tuple[str, bool]]:
    """Each goal with how far it is, and whether it is reached."""
    done = reached(position, player)
    for number, goal in enumerate(objective.goals, 1):
        parts = progress(position, player, goal) if goal.known else ()
        far = ", ".join(f"{part.have}/{part.need}" for part in parts)
        yield f"{goal.text} {far}".strip(), number in done


def buttons(position: Position) -> list[Button]:
    """What can be recorded without telling a territory or a card."""
    return [Button(notation.write_event(event), label(event)) for event in offered(position)]


def label(event: Event) -> Message:
    return ANSWER_TEXTS[event.answer] if isinstance(event, Ruled) else words.describe(event).text


def tile_view(position: Position, cell: Cell) -> TileView:
    piece, city = position.board.pieces[cell], position.city_at(cell)
    corners = [drawn(point.i, point.j) for point in cell.corners]
    return TileView(
        place=str(cell),
        points=" ".join(f"{x},{y}" for x, y in corners),
        middle=(sum(x for x, _y in corners) // 3, sum(y for _x, y in corners) // 3),
        letter=piece.tile.field.value if piece.tile else "",
        colour=LOOKS[piece.tile.field].colour if piece.tile else "",
        dots=tuple(dots(piece, corners)),
        city=f"{city.owner + 1}:{'I' * city.level}" if city else "",
    )


def dots(piece: Piece, corners: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """The resources of a piece, each near its corner."""
    middle = (sum(x for x, _y in corners) / 3, sum(y for _x, y in corners) / 3)
    for (x, y), dot in zip(corners, piece.dots.values(), strict=False):
        if dot not in (NO_DOT, UNKNOWN):
            yield round(x + 0.3 * (middle[0] - x)), round(y + 0.3 * (middle[1] - y)), dot


def ledger(position: Position) -> Iterator[LineView]:
    """The last numbers that changed, the newest first."""
    for line in reversed(position.lines[-SHOWN:]):
        unit = UNIT_NAMES[line.unit] if isinstance(line.unit, Unit) else DOMAIN_NAMES[line.unit]
        yield LineView(line.player, unit, line.amount, line.lost, reason(position, line))


def drawn(i: int, j: int) -> tuple[int, int]:
    """A point of the lattice on the page, where y grows downwards."""
    return i * SIDE + j * SIDE // 2, -j * HEIGHT


def bounds(position: Position) -> tuple[int, int, int, int]:
    """Left, top, width and height of everything that lies there."""
    corners = [drawn(p.i, p.j) for cell in position.board.pieces for p in cell.corners]
    xs, ys = zip(*corners, strict=True)
    return min(xs) - SIDE, min(ys) - SIDE, max(xs) - min(xs) + 2 * SIDE, max(ys) - min(ys) + 2 * SIDE
