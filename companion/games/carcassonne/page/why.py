"""What somebody asked about: a feature, a follower or a line of the tally, with the sum it stands for.

The address says it: `about` names a part of a tile on the table, `why` a player's line of the tally.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.games.carcassonne.page.drawing import PartView, part_view
from companion.games.carcassonne.rules.board import Segment
from companion.games.carcassonne.rules.farms import count_unclaimed
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.scoring import Count, count_feature
from companion.games.carcassonne.rules.tiles import FeatureKind
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text.tally import all_counts, count_name, count_places
from companion.games.carcassonne.text.words import place_name

_PLACE = re.compile(r"(-?[0-9]{1,2}),(-?[0-9]{1,2}):([a-z][0-9])")
_LINE = re.compile(r"([0-4])\.([0-9]{1,3})")


@dataclass(frozen=True)
class CountView:
    """A feature, who stands on it, and what it brings or would bring if the game ended now."""

    name: Message
    kind: FeatureKind
    complete: bool
    owners: tuple[int, ...]
    players: tuple[int, ...]
    """Everybody who stands on it."""
    points: int
    working: str
    each: int
    tiles: int
    pennants: int
    places: tuple[str, ...]
    cities: tuple[tuple[str, ...], ...]
    """For a field: the places of each complete city it counts."""


@dataclass(frozen=True)
class Explanation:
    """The answer."""

    counts: tuple[CountView, ...]
    """One, but for fields that are counted city by city."""
    done: bool
    """Whether its points are on the track already."""
    hidden: bool
    """Whether the table plays without looking ahead."""
    at: PartView | None = None
    """The part of a tile that was tapped."""

    @property
    def places(self) -> frozenset[str]:
        return frozenset(place for count in self.counts for place in count.places)


def looking_ahead(position: Position) -> bool:
    """Whether people may see what would be counted if the game ended now."""
    return Variant.PURIST not in position.variants or position.phase is Phase.OVER


def explanation(position: Position, wish: Mapping[str, str]) -> Explanation | None:
    if segment := parse_place(position, wish.get("about", "")):
        return _explain_part(position, segment)
    if found := _LINE.fullmatch(wish.get("why", "")):
        return _explain_line(position, int(found[1]), int(found[2]))
    return None


def parse_place(position: Position, text: str) -> Segment | None:
    """The part of a tile on the table that is named so."""
    found = _PLACE.fullmatch(text)
    segment = (int(found[1]), int(found[2]), found[3]) if found else None
    return segment if segment in position.board.features else None


def _explain_part(position: Position, segment: Segment) -> Explanation:
    now = [count for count in position.outlook if segment in count.segments]
    before = [count for count in reversed(position.scored) if segment in count.segments]
    found = now or before[:1] or [_unclaimed(position, segment)]
    return Explanation(
        counts=tuple(map(count_view, found)),
        done=not now and bool(before),
        hidden=found != before[:1] and not looking_ahead(position),
        at=part_view(position.board, segment),
    )


def _unclaimed(position: Position, segment: Segment) -> Count:
    feature = position.board.features[segment]
    if feature.kind is FeatureKind.FIELD:
        return count_unclaimed(position.board, feature)
    return count_feature(feature, (), position.variants)


def _explain_line(position: Position, player: int, number: int) -> Explanation | None:
    lines = [*_tally_counts(position, player)]
    found = lines[number] if number < len(lines) else None
    return Explanation((count_view(found),), found in position.scored, hidden=False) if found else None


def _tally_counts(position: Position, player: int) -> Iterator[Count | None]:
    """What a player's lines of the tally speak of; nothing for points that were on the track before."""
    if position.table and position.table.points:
        yield None
    for count in all_counts(position):
        yield from [count] * count.owners.count(player)


def count_view(count: Count) -> CountView:
    return CountView(
        name=count_name(count),
        kind=count.kind,
        complete=count.complete,
        owners=count.owners,
        players=tuple(sorted({player for player, _segment in count.holders})),
        points=count.points,
        working=count.working,
        each=count.each,
        tiles=count.tiles,
        pennants=count.pennants,
        places=count_places(count),
        cities=tuple(tuple(sorted(map(place_name, city))) for city in count.cities),
    )
