"""Everybody's board as `companion replay` tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.game import Line
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.dominations.rules.box import DOMAIN_NAMES, Domain
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.roles import ROLE_NAMES


def boards(position: Position) -> Sequence[Mapping[str, Any]]:
    return [_board(position, player) for player in range(position.players)]


def _board(position: Position, player: int) -> Mapping[str, Any]:
    seat = position.seats[player]
    return {
        "knowledge": {domain.value: amount for domain, amount in seat.knowledge.items()},
        "limits": {domain.value: limit for domain, limit in seat.limits.items()},
        "influence": seat.influence,
        "markers": seat.markers,
        "cities": [
            {
                "domain": city.domain.value,
                "level": city.level,
                "place": str(city.cell) if city.cell else None,
            }
            for city in position.cities_of(player)
        ],
        "roles": list(seat.roles),
        "cards": [
            {"card": card.key, "level": card.level, "advanced": card.advanced} for card in seat.tree.cards[1:]
        ],
    }


def tell_board(board: Mapping[str, Any]) -> Iterator[Line]:
    """Reserves with their limits, Influence, Cities and Roles; a line each."""
    limits = board["limits"]
    yield (
        "      ",
        joined(_reserve(letter, have, limits[letter]) for letter, have in board["knowledge"].items()),
    )
    yield ("      ", _("Influence"), f" {board['influence']}")
    if board["cities"]:
        yield ("      ", _("Cities: %(cities)s", cities=joined(map(_city, board["cities"]))))
    for role in board["roles"]:
        yield ("      ", ROLE_NAMES[role])


def _reserve(letter: str, have: int, limit: int) -> Message:
    return _("%(domain)s %(reserve)s", domain=DOMAIN_NAMES[Domain(letter)], reserve=f"{have}/{limit}")


def _city(city: Mapping[str, Any]) -> Message:
    return _("%(domain)s %(level)d", domain=DOMAIN_NAMES[Domain(city["domain"])], level=city["level"])
