"""What fields bring at the end: by the rulebook, and by the two older rules that many tables know."""

from __future__ import annotations

from collections.abc import Iterator, Set

from companion.games.carcassonne.rules.board import Board, Feature, Segment
from companion.games.carcassonne.rules.scoring import Count, Holder, Holdings, owners
from companion.games.carcassonne.rules.tiles import FeatureKind
from companion.games.carcassonne.rules.variants import Variant

POINTS_OF_A_CITY = 3
POINTS_OF_A_CITY_IN_THE_OLDEST_RULES = 4


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
        each = POINTS_OF_A_CITY_IN_THE_OLDEST_RULES
        yield _count(near[0], holders, owners(holders), (city,), each, segments)


def _count(
    field: Feature,
    holders: list[Holder],
    owners: tuple[int, ...],
    cities: tuple[Feature, ...],
    each: int = POINTS_OF_A_CITY,
    segments: frozenset[Segment] | None = None,
) -> Count:
    return Count(
        kind=FeatureKind.FIELD,
        complete=False,
        owners=owners,
        each=each,
        tiles=0,
        pennants=0,
        segments=segments or field.segments,
        holders=tuple(sorted(holders)),
        cities=tuple(city.segments for city in cities),
    )
