"""Which goals a player has reached, and who controls a Monument."""

from __future__ import annotations

from collections import Counter

from companion.games.dominations.box import Domain
from companion.games.dominations.goals import Goal, Kind, Part
from companion.games.dominations.lattice import Cell
from companion.games.dominations.position import City, Position


def reached(position: Position, player: int, masteries_only: bool = False) -> frozenset[int]:
    """The numbers of the goals, counted from 1, that are reached as things stand."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    if objective is None or seat.objective not in position.taught:
        return seat.achieved
    counted = {
        number
        for number, goal in enumerate(objective.goals, 1)
        if goal.known and judge(position, player, goal, masteries_only)
    }
    return seat.achieved | counted


def judge(position: Position, player: int, goal: Goal, masteries_only: bool = False) -> bool:
    """Whether a goal is reached; rulebook 004, "Cartas de Objetivo"."""
    cities = position.cities_of(player)
    most = goal.parts[0].count
    match goal.kind:
        case Kind.CITIES:
            return _levels(cities, goal.parts)
        case Kind.ADJACENT:
            return max(map(len, groups(cities)), default=0) >= most
        case Kind.APART:
            return len(groups(cities)) >= most
        case Kind.CONTROL:
            return _controls(position, player, goal.parts[0])
        case Kind.NODI:
            nodi = position.seats[player].tree.count(masteries_only)
            return all(nodi[Domain(part.key)] >= part.count for part in goal.parts)
        case Kind.INFLUENCE:
            return position.seats[player].influence >= most
        case Kind.MASTERIES:
            return all(_masteries(position, player, part) >= part.count for part in goal.parts)
    return False


def _levels(cities: tuple[City, ...], parts: tuple[Part, ...]) -> bool:
    """A higher City may stand for a lower one, but each counts once."""
    levels = sorted((city.level for city in cities), reverse=True)
    wanted = sorted((int(part.key) for part in parts for _each in range(part.count)), reverse=True)
    return len(wanted) <= len(levels) and all(a >= b for a, b in zip(levels, wanted, strict=False))


def groups(cities: tuple[City, ...]) -> list[frozenset[Cell]]:
    """Cities of one player side by side; rulebook 004, "Conectadas"."""
    left = {city.cell for city in cities if city.cell is not None}
    found = []
    while left:
        group, todo = set[Cell](), [left.pop()]
        while todo:
            cell = todo.pop()
            group.add(cell)
            near = left & set(cell.neighbours)
            left -= near
            todo += near
        found.append(frozenset(group))
    return found


def _controls(position: Position, player: int, part: Part) -> bool:
    if part.key:
        return part.key in position.sites and controller(position, part.key) == player
    return sum(controller(position, key) == player for key in position.sites) >= part.count


def strength(position: Position, player: int, monument: str) -> int:
    """Level cards in the Tree, and the levels of Cities beside the piece."""
    cards = sum(card.key == monument for card in position.seats[player].tree.levels)
    beside = position.board.beside(monument)
    return cards + sum(city.level for city in position.cities_of(player) if city.cell in beside)


def controller(position: Position, monument: str) -> int | None:
    """Who controls a Monument: in a tie, whoever has its first level, and only then by Initiative."""
    strengths = {player: strength(position, player, monument) for player in range(position.players)}
    most = max(strengths.values())
    if not most:
        return None
    tied = {player: value for player, value in strengths.items() if value == most}
    for player in tied:
        if any((c.key, c.level) == (monument, 1) for c in position.seats[player].tree.levels):
            return player
    return position.first(tied)


def _masteries(position: Position, player: int, part: Part) -> int:
    cards = [position.cards.masteries[card.key] for card in position.seats[player].tree.masteries]
    return Counter(c.domain in part.domains and c.value == int(part.key) for c in cards)[True]
