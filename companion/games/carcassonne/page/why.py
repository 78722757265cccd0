"""What somebody asked about: a feature, a follower or a line of the tally, with the sum it stands for.

The address says it: `about` names a part of a tile on the table, `why` a player's line of the tally.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.games.carcassonne.page.drawing import PartView, part
from companion.games.carcassonne.rules.board import Segment
from companion.games.carcassonne.rules.farms import count_unclaimed
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.scoring import Count, count_feature
from companion.games.carcassonne.rules.tiles import Kind
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text.tally import counted, name, places
from companion.games.carcassonne.text.words import place

_PLACE = re.compile(r"(-?[0-9]{1,2}),(-?[0-9]{1,2}):([a-z][0-9])")
_LINE = re.compile(r"([0-4])\.([0-9]{1,3})")


@dataclass(frozen=True)
class CountView:
    """A feature, who stands on it, and what it brings or would bring if the game ended now."""

    name: Message
    kind: Kind
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
class Asked:
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


def asked(position: Position, wish: Mapping[str, str]) -> Asked | None:
    if segment := parse_place(position, wish.get("about", "")):
        return _about(position, segment)
    if found := _LINE.fullmatch(wish.get("why", "")):
        return _line(position, int(found[1]), int(found[2]))
    return None


def parse_place(position: Position, text: str) -> Segment | None:
    """The part of a tile on the table that is named so."""
    found = _PLACE.fullmatch(text)
    segment = (int(found[1]), int(found[2]), found[3]) if found else None
    return segment if segment in position.board.features else None


def _about(position: Position, segment: Segment) -> Asked:
    now = [count for count in position.outlook if segment in count.segments]
    before = [count for count in reversed(position.scored) if segment in count.segments]
    found = now or before[:1] or [_unclaimed(position, segment)]
    return Asked(
        counts=tuple(map(count_view, found)),
        done=not now and bool(before),
        hidden=found != before[:1] and not looking_ahead(position),
        at=part(position.board, segment),
    )


def _unclaimed(position: Position, segment: Segment) -> Count:
    feature = position.board.features[segment]
    if feature.kind is Kind.FIELD:
        return count_unclaimed(position.board, feature)
    return count_feature(feature, (), position.variants)


def _line(position: Position, player: int, number: int) -> Asked | None:
    lines = [*_of(position, player)]
    found = lines[number] if number < len(lines) else None
    return Asked((count_view(found),), found in position.scored, hidden=False) if found else None


def _of(position: Position, player: int) -> Iterator[Count | None]:
    """What a player's lines of the tally speak of; nothing for points that were on the track before."""
    if position.table and position.table.points:
        yield None
    for count in counted(position):
        yield from [count] * count.owners.count(player)


def count_view(count: Count) -> CountView:
    return CountView(
        name=name(count),
        kind=count.kind,
        complete=count.complete,
        owners=count.owners,
        players=tuple(sorted({player for player, _segment in count.holders})),
        points=count.points,
        working=count.working,
        each=count.each,
        tiles=count.tiles,
        pennants=count.pennants,
        places=places(count),
        cities=tuple(tuple(sorted(map(place, city))) for city in count.cities),
    )
