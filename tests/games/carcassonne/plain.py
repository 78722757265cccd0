"""The rules once more, as plainly as they can be said: everything is built anew from the tiles, by geometry alone.

It shares nothing with the game but the table of tiles as people wrote it. Two parts are one feature where
they meet in a point of an edge.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games.carcassonne.rules import board

TABLE: Mapping[str, Any] = tomllib.loads((Path(board.__file__).parents[1] / "tiles.toml").read_text("utf-8"))[
    "base"
]

Cell = tuple[int, int]
Spot = tuple[int, int, str]
Point = tuple[int, int]


def sides(letter: str, turn: int) -> list[list[str]]:
    """What a turned tile shows along each side, clockwise from the north: three names, empty where there is nothing."""
    walk = []
    for side in TABLE[letter]["around"].split("/"):
        names = side.split()
        if len(names) == 1:
            names = ["", names[0], ""] if names[0][0] == "c" else [names[0], "", names[0]]
        walk.append(names)
    return walk[-turn:] + walk[:-turn] if turn else walk


def edge_points(x: int, y: int) -> list[list[Point]]:
    """Three points along each side of a place, clockwise, on a grid with six steps a side."""
    along = (1, 3, 5)
    left, top = 6 * x, 6 * y
    return [
        [(left + a, top) for a in along],
        [(left + 6, top + a) for a in along],
        [(left + 6 - a, top + 6) for a in along],
        [(left, top + 6 - a) for a in along],
    ]


@dataclass
class PlainFeature:
    spots: set[Spot] = field(default_factory=set)
    points: list[Point] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return next(iter(self.spots))[2][0]

    @property
    def cells(self) -> set[Cell]:
        return {(x, y) for x, y, _name in self.spots}

    @property
    def closed(self) -> bool:
        """Whether another part meets every one of its ends."""
        return all(count == 2 for count in Counter(self.points).values())


class PlainTable:
    """Tiles and followers as they lie."""

    def __init__(self, lying: Mapping[Cell, tuple[str, int]], followers: Mapping[Spot, int]) -> None:
        self.lying, self.followers = lying, followers
        self.features = self._features()

    def _features(self) -> list[PlainFeature]:
        at: dict[tuple[str, Point], PlainFeature] = {}
        found: list[PlainFeature] = []
        for spot, points in self._spots().items():
            kind = spot[2][0]
            met = {id(at[kind, point]): at[kind, point] for point in points if (kind, point) in at}
            whole = PlainFeature({spot}, list(points))
            for other in met.values():
                whole.spots |= other.spots
                whole.points += other.points
                found.remove(other)
            found.append(whole)
            at.update({(kind, point): whole for point in whole.points})
        return found

    def _spots(self) -> Mapping[Spot, list[Point]]:
        spots: dict[Spot, list[Point]] = {}
        for (x, y), (letter, turn) in self.lying.items():
            for names, points in zip(sides(letter, turn), edge_points(x, y), strict=True):
                for name, point in zip(names, points, strict=True):
                    if name:
                        spots.setdefault((x, y, name), []).append(point)
            if TABLE[letter].get("monastery"):
                spots[x, y, "m0"] = []
        return spots

    def of(self, spot: Spot) -> PlainFeature:
        return next(feature for feature in self.features if spot in feature.spots)

    def around(self, spot: Spot) -> int:
        """The tiles around a monastery, and its own."""
        x, y, _name = spot
        return sum((x + dx, y + dy) in self.lying for dx in (-1, 0, 1) for dy in (-1, 0, 1))

    def complete(self, feature: PlainFeature) -> bool:
        if feature.kind == "m":
            return self.around(next(iter(feature.spots))) == 9
        return feature.kind != "f" and feature.closed

    def free(self, cell: Cell) -> set[str]:
        """The parts of a tile whose feature nobody stands on."""
        parts = [spot for feature in self.features for spot in feature.spots if spot[:2] == cell]
        return {spot[2] for spot in parts if not self.standing(self.of(spot))}

    def standing(self, feature: PlainFeature) -> list[int]:
        return [player for spot, player in self.followers.items() if spot in feature.spots]

    def most(self, standing: Iterable[int]) -> list[int]:
        counts = Counter(standing)
        return [player for player, count in counts.items() if count == max(counts.values())]

    def worth(self, feature: PlainFeature, small_cities: bool) -> int:
        if feature.kind == "r":
            return len(feature.cells)
        if feature.kind == "m":
            return self.around(next(iter(feature.spots)))
        pennants = sum(
            name in TABLE[self.lying[x, y][0]].get("pennants", "").split() for x, y, name in feature.spots
        )
        small = small_cities and len(feature.cells) == 2
        return (len(feature.cells) + pennants) * (2 if self.complete(feature) and not small else 1)

    def cities(self, farm: PlainFeature) -> list[PlainFeature]:
        """The complete cities that touch a field."""
        touched = []
        for x, y, name in farm.spots:
            for contact in TABLE[self.lying[x, y][0]].get("touching", "").split():
                mine, city = contact.split("-")
                if mine == name and (found := self.of((x, y, city))) not in touched:
                    touched.append(found)
        return [city for city in touched if self.complete(city)]

    def completed(self, players: int, cell: Cell, small_cities: bool) -> tuple[list[int], set[Spot]]:
        """What the tile at that place completes brings to each player, and the followers that go home."""
        points, home = [0] * players, set()
        x, y = cell
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        for feature in self.features:
            touched = near & feature.cells if feature.kind == "m" else {cell} & feature.cells
            if touched and self.complete(feature):
                for player in self.most(self.standing(feature)):
                    points[player] += self.worth(feature, small_cities)
                home |= feature.spots & self.followers.keys()
        return points, home

    def final(self, players: int, options: Iterable[str] = ()) -> list[int]:
        """What everybody would get if the game ended now."""
        points = [0] * players
        for feature in self.features:
            if feature.kind != "f":
                for player in self.most(self.standing(feature)):
                    points[player] += self.worth(feature, "two_tile_cities" in options)
        for player, gained in self._farms(set(options)):
            points[player] += gained
        return points

    def _farms(self, options: set[str]) -> list[tuple[int, int]]:
        farms = [feature for feature in self.features if feature.kind == "f" and self.standing(feature)]
        around = defaultdict(list)
        for farm in farms:
            for city in self.cities(farm):
                around[id(city)].append(farm)
        if "farms_by_city" in options:
            crowds = [[player for farm in near for player in self.standing(farm)] for near in around.values()]
            return [(player, 4) for crowd in crowds for player in self.most(crowd)]
        fed = [
            (player, city)
            for city, near in around.items()
            for farm in near
            for player in self.most(self.standing(farm))
        ]
        return [(player, 3) for player, _city in (set(fed) if "farms_once" in options else fed)]


def fits(lying: Mapping[Cell, tuple[str, int]], cell: Cell, letter: str, turn: int) -> bool:
    """Whether a tile may be laid there, by the words of the rulebook."""
    beside = False
    mine = zip(sides(letter, turn), edge_points(*cell), strict=True)
    shown = {point: name[:1] for names, points in mine for name, point in zip(names, points, strict=True)}
    for x, y in ((cell[0] + dx, cell[1] + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))):
        if (x, y) in lying:
            beside = True
            for names, points in zip(sides(*lying[x, y]), edge_points(x, y), strict=True):
                for name, point in zip(names, points, strict=True):
                    if point in shown and shown[point] != name[:1]:
                        return False
    return beside and cell not in lying
