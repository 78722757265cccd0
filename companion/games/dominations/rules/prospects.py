"""What a player could pay for, what is still unused, and how far the goals are: reminders, never advice."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.dominations.rules.box import CITY_LEVELS, LAPS, ROLES, Domain
from companion.games.dominations.rules.gains import cost_of
from companion.games.dominations.rules.position import Position


@dataclass(frozen=True)
class Price:
    """What something costs a player now."""

    domain: Domain
    printed: int
    cost: int
    """After every known reduction, never less than nothing."""
    short: int
    """How much is missing to pay it."""

    @property
    def payable(self) -> bool:
        return self.short == 0


def price(position: Position, player: int, target: str, domain: Domain, printed: int) -> Price:
    cost = cost_of(position, player, target, domain, printed)
    return Price(domain, printed, cost, max(0, cost - position.seats[player].knowledge[domain]))


def city_prices(position: Position, player: int) -> dict[tuple[Domain, int], Price]:
    """What a City of each Domain and level costs."""
    return {
        (domain, level): price(position, player, "city", domain, row.cost)
        for domain in Domain
        for level, row in CITY_LEVELS.items()
    }


def mastery_prices(position: Position, player: int) -> dict[str, Price]:
    """What each Mastery that was read out, and is not in the Tree, costs."""
    tree, masteries = position.seats[player].tree, position.cards.masteries
    return {
        key: price(position, player, "mastery", Domain(masteries[key].domain), masteries[key].value)
        for key in sorted(position.taught & masteries.keys())
        if masteries[key].cost.known and not tree.find(key)
    }


def advance_prices(position: Position, player: int) -> dict[str, Price]:
    """What turning over each basic Mastery of the Tree costs."""
    found = {}
    for card in position.seats[player].tree.masteries:
        cost = position.cards.masteries[card.key].advance
        if not card.advanced and cost and cost.known:
            found[card.key] = price(position, player, "advance", Domain(cost.domain), cost.amount)
    return found


def level_prices(position: Position, player: int) -> dict[str, Price]:
    """What the next level of each Monument costs."""
    found = {}
    for key, site in position.sites.items():
        levels = position.monument(key).levels
        if site.taken < len(levels) and levels[site.taken].cost.known:
            cost = levels[site.taken].cost
            found[key] = price(position, player, "monument", Domain(cost.domain), cost.amount)
    return found


def unused_roles(position: Position, player: int) -> tuple[str, ...]:
    """The Roles of a player whose power is used once, and was not yet."""
    return tuple(role for role in position.seats[player].roles if ROLES[role].once)


def track_place(value: int, track: str) -> tuple[int, int]:
    """The laps behind a marker, and the place where it stands: 50 Influence and 100 points are a lap."""
    return divmod(value, LAPS[track])
