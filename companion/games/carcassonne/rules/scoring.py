"""What a feature brings, to whom, and why.

Rulebook 001, "Contagem de Pontos", and two older rules for fields that many tables know.

A `Count` is an explained sum: so many things, so many points each, in full for every owner. Nothing is
rounded, nothing is shared out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from companion.core.message import Message
from companion.games.carcassonne.rules.board import (
    AROUND,
    KIND_NAMES,
    UNFINISHED,
    Board,
    Feature,
    FeatureKind,
    Segment,
    place_name,
    reading_order,
)
from companion.games.carcassonne.rules.variants import Variant

Followers = Mapping[Segment, int]
"""Where followers stand, and whose they are."""

Holder = tuple[int, Segment]
"""A follower on a feature: whose it is, and where it stands."""

Holdings = Mapping[Feature, list[Holder]]
"""Every feature that somebody stands on."""

POINTS_OF_A_ROAD_TILE = 1
POINTS_OF_A_CITY_TILE = 2
POINTS_OF_AN_OPEN_CITY_TILE = 1
POINTS_OF_A_SMALL_CITY_TILE = 1
POINTS_OF_A_MONASTERY_TILE = 1
TILES_OF_A_SMALL_CITY = 2
POINTS_OF_A_FED_CITY = 3
POINTS_OF_A_FED_CITY_IN_THE_OLDEST_RULES = 4


@dataclass(frozen=True)
class Count:
    """A feature counted: so many things, so many points each, the full sum to every owner."""

    kind: FeatureKind
    owners: tuple[int, ...]
    """Who gets the points: whoever has most followers on it, all of them in a tie."""
    each: int
    """Points for each tile and pennant, or for each city of a field."""
    segments: frozenset[Segment]
    holders: tuple[Holder, ...]
    """Everybody who stands on it, in the order of the players."""
    complete: bool = False
    tiles: int = 0
    pennants: int = 0
    cities: tuple[frozenset[Segment], ...] = ()
    """For a field: the complete cities it counts."""

    @property
    def name(self) -> Message:
        """What was counted, in a word or two."""
        return (KIND_NAMES if self.complete else UNFINISHED)[self.kind]

    @property
    def counted(self) -> int:
        """How many things bring points."""
        return len(self.cities) if self.kind is FeatureKind.FIELD else self.tiles + self.pennants

    @property
    def points(self) -> int:
        return self.counted * self.each

    @property
    def working(self) -> str:
        """The sum as people write it."""
        if self.pennants and self.kind is not FeatureKind.FIELD:
            return f"({self.tiles} + {self.pennants}) × {self.each}"
        return f"{self.counted} × {self.each}"

    @cached_property
    def place(self) -> Segment:
        """The first of its segments, row by row: features are told in this order."""
        return min(self.segments, key=reading_order)

    @property
    def places(self) -> tuple[str, ...]:
        """The names of everything it speaks of: the feature, and the cities that a field counts."""
        segments = self.segments.union(*self.cities)
        return tuple(place_name(segment) for segment in sorted(segments, key=reading_order))

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody who stands on it."""
        return tuple(sorted({player for player, _segment in self.holders}))

    def at(self, player: int) -> Segment:
        """Where a follower of that player stands on it."""
        return next(segment for holder, segment in self.holders if holder == player)


def holdings(board: Board, followers: Followers) -> Holdings:
    """Every feature that somebody stands on, with all who stand there."""
    found: dict[Feature, list[Holder]] = {}
    for segment, player in followers.items():
        found.setdefault(board.features[segment], []).append((player, segment))
    return found


def owners(holders: Iterable[Holder]) -> tuple[int, ...]:
    """Rulebook 001: whoever has most followers on a feature gets its points, in a tie each of them all."""
    counts = Counter(player for player, _segment in holders)
    most = max(counts.values(), default=0)
    return tuple(sorted(player for player, count in counts.items() if count == most))


def count_feature(feature: Feature, holders: Collection[Holder], variants: Set[str]) -> Count:
    """A road, a city or a monastery as it stands, complete or not."""
    tiles = _tiles(feature)
    return Count(
        kind=feature.kind,
        complete=feature.complete,
        owners=owners(holders),
        each=_points_of_a_tile(feature, tiles, variants),
        tiles=tiles,
        pennants=feature.pennants,
        segments=feature.segments,
        holders=tuple(sorted(holders)),
    )


def _tiles(feature: Feature) -> int:
    if feature.kind is FeatureKind.MONASTERY:
        return 1 + len(AROUND) - feature.open
    return len(feature.cells)


def _points_of_a_tile(feature: Feature, tiles: int, variants: Set[str]) -> int:
    match feature.kind:
        case FeatureKind.ROAD:
            return POINTS_OF_A_ROAD_TILE
        case FeatureKind.MONASTERY:
            return POINTS_OF_A_MONASTERY_TILE
        case _ if not feature.complete:
            return POINTS_OF_AN_OPEN_CITY_TILE
        case _ if tiles == TILES_OF_A_SMALL_CITY and Variant.TWO_TILE_CITIES in variants:
            return POINTS_OF_A_SMALL_CITY_TILE
        case _:
            return POINTS_OF_A_CITY_TILE


def count_told(
    kind: FeatureKind, things: int, pennants: int, owners: tuple[int, ...], variants: Set[str]
) -> Count:
    """What nobody completed, told in numbers: rulebook 001, "Contagem Final"."""
    if kind is FeatureKind.FIELD:
        city_by_city = Variant.FARMS_BY_CITY in variants
        each = POINTS_OF_A_FED_CITY_IN_THE_OLDEST_RULES if city_by_city else POINTS_OF_A_FED_CITY
        return Count(kind, owners, each, frozenset(), (), cities=(frozenset(),) * things)
    return Count(kind, owners, _POINTS_AT_THE_END[kind], frozenset(), (), tiles=things, pennants=pennants)


_POINTS_AT_THE_END: Mapping[FeatureKind, int] = {
    FeatureKind.ROAD: POINTS_OF_A_ROAD_TILE,
    FeatureKind.CITY: POINTS_OF_AN_OPEN_CITY_TILE,
    FeatureKind.MONASTERY: POINTS_OF_A_MONASTERY_TILE,
}


def count_completed(
    completed: Iterable[Feature], followers: Followers, variants: Set[str]
) -> Iterator[Count]:
    """Rulebook 001, "Contagem de estradas, cidades e monastérios concluídos": those that somebody stands on."""
    for feature in completed:
        holders = [(player, segment) for segment, player in followers.items() if segment in feature.segments]
        if holders:
            yield count_feature(feature, holders, variants)


def count_fields(board: Board, held: Holdings, variants: Set[str]) -> Iterator[Count]:
    """Every field with farmers, by the rules of this table; what no city borders brings nothing and is told, too."""
    fields = {feature: holders for feature, holders in held.items() if feature.kind is FeatureKind.FIELD}
    if Variant.FARMS_BY_CITY in variants:
        return _city_by_city(board, fields)
    if Variant.FARMS_ONCE in variants:
        return _once_per_player(board, fields)
    return _field_by_field(board, fields)


def bordering_cities(board: Board, field: Feature) -> tuple[Feature, ...]:
    """The complete cities that a field borders, each once."""
    cities = dict.fromkeys(board.features[segment] for segment in field.cities)
    return tuple(city for city in cities if city.complete)


def count_unclaimed(board: Board, field: Feature) -> Count:
    """What a field that nobody stands on would bring a farmer."""
    return _count(field, [], (), bordering_cities(board, field))


def _field_by_field(board: Board, fields: Holdings) -> Iterator[Count]:
    # Rulebook 001, "Campos": 3 points for each complete city, for the owners of every field that borders it.
    for field, holders in fields.items():
        yield _count(field, holders, owners(holders), bordering_cities(board, field))


def _once_per_player(board: Board, fields: Holdings) -> Iterator[Count]:
    counted: dict[int, set[Feature]] = {}
    for field in sorted(fields, key=lambda field: min(field.segments)):
        cities = bordering_cities(board, field)
        for owner in owners(fields[field]):
            known = counted.setdefault(owner, set())
            yield _count(field, fields[field], (owner,), tuple(city for city in cities if city not in known))
            known.update(cities)


def _city_by_city(board: Board, fields: Holdings) -> Iterator[Count]:
    around: dict[Feature, list[Feature]] = {}
    for field in fields:
        for city in bordering_cities(board, field):
            around.setdefault(city, []).append(field)
    for city, near in around.items():
        holders = [holder for field in near for holder in fields[field]]
        segments = frozenset[Segment]().union(*(field.segments for field in near))
        each = POINTS_OF_A_FED_CITY_IN_THE_OLDEST_RULES
        yield _count(near[0], holders, owners(holders), (city,), each, segments)


def _count(
    field: Feature,
    holders: list[Holder],
    owners: tuple[int, ...],
    cities: tuple[Feature, ...],
    each: int = POINTS_OF_A_FED_CITY,
    segments: frozenset[Segment] | None = None,
) -> Count:
    return Count(
        kind=FeatureKind.FIELD,
        owners=owners,
        each=each,
        segments=segments or field.segments,
        holders=tuple(sorted(holders)),
        cities=tuple(city.segments for city in cities),
    )
