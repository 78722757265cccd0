"""The tiles on the table and the features they form together, kept up to date tile by tile.

A board is never changed: laying a tile gives a new one, which shares every feature that the tile does not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.games.carcassonne.rules.tiles import (
    AROUND,
    FACING,
    MONASTERY_ID,
    OPEN_SIDE,
    STEPS,
    TILES,
    Cell,
    FeatureKind,
    TilePart,
    TurnedTile,
    fitting_tiles,
    fitting_turns,
)

Segment = tuple[int, int, str]
"""One part of one tile: its place and the name of the part, as `(3, 7, "c0")`."""

NOTHING_NEAR = OPEN_SIDE * 4
Beside = tuple[tuple[int, int, TurnedTile] | None, ...]
"""What lies on the four sides of a place, clockwise from the north."""


class Placement(NamedTuple):
    """Where a tile lies, and how."""

    tile: str
    x: int
    y: int
    turn: int = 0
    """Quarter turns clockwise."""


@dataclass(frozen=True, eq=False, slots=True)
class Feature:
    """A road, city, monastery or field, over however many tiles; the same thing for each of its segments."""

    kind: FeatureKind
    segments: frozenset[Segment]
    open: int
    """Ends that nothing has met yet; for a monastery the empty places around it."""
    pennants: int = 0
    cities: frozenset[Segment] = frozenset()
    """For a field: the segments of cities that it borders."""

    @property
    def complete(self) -> bool:
        return self.open == 0 and self.kind is not FeatureKind.FIELD

    @property
    def cells(self) -> frozenset[Cell]:
        """The tiles it lies on; a tile that it enters twice is one of them once."""
        return frozenset([segment[:2] for segment in self.segments])


@dataclass(frozen=True)
class Board:
    """Tiles as they lie, rightly or wrongly; everything but the tiles follows from them."""

    tiles: Mapping[Cell, TurnedTile] = field(default_factory=dict)
    """In the order they were laid."""
    features: Mapping[Segment, Feature] = field(default_factory=dict, compare=False, repr=False)
    frontier: Mapping[Cell, str] = field(default_factory=dict, compare=False, repr=False)
    """The empty places beside tiles, and what each of their sides has to show."""

    def laid(self, placement: Placement) -> Board:
        """The board with one more tile; where it does not continue its neighbours, nothing is joined."""
        x, y = placement.x, placement.y
        tile = TILES[placement.tile].turned[placement.turn]
        beside = self._beside(x, y)
        features = dict(self.features)
        for part in tile.parts:
            grown = (
                self._monastery(x, y)
                if part.kind is FeatureKind.MONASTERY
                else _joined(part, x, y, beside, features)
            )
            features.update(dict.fromkeys(grown.segments, grown))
        self._fill_surroundings(x, y, features)
        return Board({**self.tiles, (x, y): tile}, features, self._grown_frontier(x, y, tile.edges))

    def placements(self, letter: str) -> Iterator[Placement]:
        """Every legal place and rotation for a tile; rotations that look alike are counted each."""
        for (x, y), need in self.frontier.items():
            for turn in fitting_turns(letter, need):
                yield Placement(letter, x, y, turn)

    def has_place_for(self, letter: str) -> bool:
        return any(fitting_turns(letter, need) for need in self.frontier.values())

    def holes(self, letters: Iterable[str]) -> tuple[Cell, ...]:
        """The empty places that no tile of these types could fill."""
        left = frozenset(letters)
        return tuple(cell for cell, need in self.frontier.items() if left.isdisjoint(fitting_tiles(need)))

    def completed_by(self, cell: Cell) -> Sequence[Feature]:
        """The features that the tile at this place completes, if it was the last to be laid."""
        x, y = cell
        near = [(x, y, part.id) for part in self.tiles[cell].parts]
        near += [(x + dx, y + dy, MONASTERY_ID) for dx, dy in AROUND]
        touched = dict.fromkeys(self.features[segment] for segment in near if segment in self.features)
        return [feature for feature in touched if feature.complete]

    def mismatches(self) -> Iterator[tuple[Cell, Cell]]:
        """Neighbours that do not continue each other."""
        for (x, y), tile in self.tiles.items():
            for side in (1, 2):
                near = (x + STEPS[side][0], y + STEPS[side][1])
                other = self.tiles.get(near)
                if other is not None and other.edges[side + 2 & 3] != tile.edges[side]:
                    yield (x, y), near

    def _beside(self, x: int, y: int) -> Beside:
        return tuple(
            (x + dx, y + dy, tile) if (tile := self.tiles.get((x + dx, y + dy))) else None for dx, dy in STEPS
        )

    def _monastery(self, x: int, y: int) -> Feature:
        empty = sum((x + dx, y + dy) not in self.tiles for dx, dy in AROUND)
        return Feature(FeatureKind.MONASTERY, frozenset([(x, y, MONASTERY_ID)]), empty)

    def _fill_surroundings(self, x: int, y: int, features: dict[Segment, Feature]) -> None:
        """Every monastery around has one empty place less."""
        for dx, dy in AROUND:
            segment = (x + dx, y + dy, MONASTERY_ID)
            if segment in self.features:
                features[segment] = replace(features[segment], open=features[segment].open - 1)

    def _grown_frontier(self, x: int, y: int, edges: str) -> Mapping[Cell, str]:
        frontier = dict(self.frontier)
        frontier.pop((x, y), None)
        for side, (dx, dy) in enumerate(STEPS):
            near = (x + dx, y + dy)
            if near not in self.tiles:
                need, facing = frontier.get(near, NOTHING_NEAR), (side + 2) % 4
                frontier[near] = need[:facing] + edges[side] + need[facing + 1 :]
        return frontier


def _joined(part: TilePart, x: int, y: int, beside: Beside, features: Mapping[Segment, Feature]) -> Feature:
    """The feature that a part of a new tile forms with all that it meets."""
    met: set[Feature] = set()
    open = len(part.ports)
    letter = part.id[0]
    for port in part.ports:
        neighbour = beside[port // 3]
        if neighbour is not None:
            near_x, near_y, tile = neighbour
            id = tile.ports[FACING[port]]
            if id and id[0] == letter:
                met.add(features[near_x, near_y, id])
                open -= 2  # this end is met, and so is the other one
    return Feature(
        part.kind,
        frozenset([(x, y, part.id)]).union(*[feature.segments for feature in met]),
        open + sum([feature.open for feature in met]),
        part.pennants + sum([feature.pennants for feature in met]),
        frozenset([(x, y, city) for city in part.cities]).union(*[feature.cities for feature in met]),
    )
