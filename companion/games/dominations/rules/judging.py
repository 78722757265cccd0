"""Which goals a player has reached, and who controls a Monument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.dominations.rules.box import Domain, OpenQuestion
from companion.games.dominations.rules.goals import Goal, GoalKind, GoalPart
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.position import City, Position


def reached_goals(position: Position, player: int, masteries_only: bool | None = None) -> frozenset[int]:
    """The numbers of the goals, counted from 1, that are reached as things stand, or ticked where nobody counts."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    if objective is None or seat.objective not in position.taught:
        return seat.achieved
    return frozenset(
        number
        for number, goal in enumerate(objective.goals, 1)
        if (
            is_reached(position, player, goal, masteries_only)
            if is_countable(position, player, goal)
            else number in seat.achieved
        )
    )


def contradicted_goals(position: Position, player: int) -> Iterator[tuple[int, Goal]]:
    """The goals that people marked, and that can be counted and come out otherwise."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    for number, goal in enumerate(objective.goals if objective else (), 1):
        marked = number in seat.achieved | seat.missed and is_countable(position, player, goal)
        if marked and is_reached(position, player, goal) != (number in seat.achieved):
            yield number, goal


def is_countable(position: Position, player: int, goal: Goal) -> bool:
    """Whether a goal can be counted; where Cities stand without a place, people count what needs the map."""
    if goal.kind is GoalKind.CONTROL:
        return not any(is_control_uncertain(position, key) for key in _wanted(position, goal.parts[0]))
    if goal.kind is GoalKind.ADJACENT and is_reached(position, player, goal):
        return True  # a City more takes nothing away from those side by side
    if goal.kind in (GoalKind.ADJACENT, GoalKind.APART):
        cities = position.cities_of(player)
        return len(cities) < goal.parts[0].count or all(city.cell is not None for city in cities)
    return goal.known


def untold_goals(position: Position, player: int) -> Iterator[tuple[int, Goal]]:
    """The goals that nobody can count, and of which nobody has said whether they are reached."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    for number, goal in enumerate(objective.goals if objective else (), 1):
        if not is_countable(position, player, goal) and number not in seat.achieved | seat.missed:
            yield number, goal


@dataclass(frozen=True)
class Progress:
    """How far a player is with one requirement of a goal."""

    have: int
    need: int

    @property
    def reached(self) -> bool:
        return self.have >= self.need


def is_reached(position: Position, player: int, goal: Goal, masteries_only: bool | None = None) -> bool:
    """Whether a goal is reached: all of its requirements."""
    return all(part.reached for part in goal_progress(position, player, goal, masteries_only))


def goal_progress(
    position: Position, player: int, goal: Goal, masteries_only: bool | None = None
) -> tuple[Progress, ...]:
    """How far a player is with each requirement; rulebook 004, "Cartas de Objetivo".

    Which Nodi count is as the table ruled, unless it is asked how it would be.
    """
    if masteries_only is None:
        masteries_only = position.ruling(OpenQuestion.NODI) == "masteries"
    cities, most = position.cities_of(player), goal.parts[0].count
    match goal.kind:
        case GoalKind.CITIES:
            return (_levels(cities, goal.parts),)
        case GoalKind.ADJACENT:
            return (Progress(max(map(len, city_groups(cities)), default=0), most),)
        case GoalKind.APART:
            return (Progress(len(city_groups(cities)), most),)
        case GoalKind.CONTROL:
            return (Progress(_controlled(position, player, goal.parts[0]), most),)
        case GoalKind.NODI:
            nodi = position.seats[player].tree.count(masteries_only)
            return tuple(Progress(nodi[Domain(part.key)], part.count) for part in goal.parts)
        case GoalKind.INFLUENCE:
            return (Progress(position.seats[player].influence, most),)
        case _:
            return tuple(Progress(_masteries(position, player, part), part.count) for part in goal.parts)


def _levels(cities: tuple[City, ...], parts: tuple[GoalPart, ...]) -> Progress:
    """A higher City may stand for a lower one, but each counts once."""
    levels = sorted((city.level for city in cities), reverse=True)
    wanted = sorted((int(part.key) for part in parts for _each in range(part.count)), reverse=True)
    met = 0
    for level in wanted:
        if met < len(levels) and levels[met] >= level:
            met += 1
    return Progress(met, len(wanted))


def city_groups(cities: tuple[City, ...]) -> list[frozenset[Cell]]:
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


def _controlled(position: Position, player: int, part: GoalPart) -> int:
    """How many of the Monuments that count are this player's."""
    return sum(controller(position, key) == player for key in _wanted(position, part))


def _wanted(position: Position, part: GoalPart) -> list[str]:
    return [key for key in position.sites if part.key in ("", key)]


def is_control_uncertain(position: Position, monument: str) -> bool:
    """Whether a City may stand beside a Monument that the map does not show there."""
    site = position.sites[monument]
    drawn = site.place is not None and all(city.cell is not None for city in position.cities)
    return site.taken > 0 and bool(position.cities) and not drawn


def control_strength(position: Position, player: int, monument: str) -> int:
    """Level cards in the Tree, and the levels of Cities beside the piece."""
    cards = sum(card.key == monument for card in position.seats[player].tree.levels)
    beside = position.board.beside(monument)
    return cards + sum(city.level for city in position.cities_of(player) if city.cell in beside)


def controller(position: Position, monument: str) -> int | None:
    """Who controls a Monument: in a tie, whoever has its first level, and only then by Initiative."""
    strengths = {player: control_strength(position, player, monument) for player in range(position.players)}
    most = max(strengths.values())
    if not most:
        return None
    tied = {player: value for player, value in strengths.items() if value == most}
    for player in tied:
        if any((c.key, c.level) == (monument, 1) for c in position.seats[player].tree.levels):
            return player
    return position.first(tied)


def _masteries(position: Position, player: int, part: GoalPart) -> int:
    cards = [position.cards.masteries[card.key] for card in position.seats[player].tree.masteries]
    return Counter(c.domain in part.domains and c.value == int(part.key) for c in cards)[True]
