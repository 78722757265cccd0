"""The phases of Construction and Development as they are tapped: Cities, Monuments and Masteries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.page import growing
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.page.planted import placement_panel
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.rules.development import meets_prerequisite
from companion.games.dominations.rules.events import (
    Advanced,
    Built,
    Contributed,
    Developed,
    Event,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.placing import Place, TreePlacement
from companion.games.dominations.rules.position import City, GameStage, Position
from companion.games.dominations.rules.prospects import (
    Price,
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
)
from companion.games.dominations.text.here import territory_number
from companion.games.dominations.text.notation import write_event


def turn_menu(position: Position, wish: Wish) -> ActionPanel:
    """After the territory: all that the rest of a turn may bring."""
    groups: tuple[ActionGroup, ...] = ()
    found: list[Action] = []
    if position.stage is GameStage.CONSTRUCTION:
        groups, found = city_choices(position, wish), [*_other_works(position)]
    if position.stage in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT):
        found.append(Action(_("A Mastery"), to=leads(do="mastery")))
    found.append(Action(_("Exchange of Knowledge"), to=leads(do="trade")))
    end = Action(_("End the turn"), line=write_event(TurnEnded(position.player)), main=True)
    return ActionPanel(
        _TITLES[position.stage], (*groups, *action_group(found, None, "pairs"), ActionGroup((end,)))
    )


_TITLES = {
    GameStage.CONSTRUCTION: _("Build, develop, or end the turn"),
    GameStage.DEVELOPMENT: _("Develop, or end the turn"),
    GameStage.DONE: _("Anything else? Or end the turn"),
}


def construction_groups(position: Position, wish: Wish) -> tuple[ActionGroup, ...]:
    """Cities and Monuments; against the rules, whatever they cost."""
    return (*city_choices(position, wish), *action_group(_other_works(position), _("Construction")))


def city_choices(position: Position, wish: Wish) -> tuple[ActionGroup, ...]:
    """New Cities by their Domains, and those that can rise, as their numbers stand on the map."""
    kind = "rows" if "against" in wish else "chips"
    new = action_group(_new_cities(position, wish), _("A new City"), kind)
    return (*new, *action_group(_upgrades(position, wish), _("A City to its next level"), kind))


def _other_works(position: Position) -> Iterator[Action]:
    if position.sites:
        yield Action(_("A Monument"), to=leads(do="monument"))
    if "worker" in position.seats[position.player].roles:
        yield Action(_("Worker: a second territory"), to=leads(do="again"), domain="C")


def _new_cities(position: Position, wish: Wish) -> Iterator[Action]:
    """New Cities by Domain; on the map it is told where."""
    prices, on_map = (
        city_prices(position, position.player),
        growing.telling_tier(position, wish) == growing.MAP_TIER,
    )
    payable = [domain for domain in Domain if prices[domain, 1].payable or "against" in wish]
    if position.seats[position.player].markers <= 0:
        return
    for domain in payable:
        name = _("City of %(domain)s", domain=DOMAIN_NAMES[domain])
        fields = growing.free_fields(position, domain)
        if not on_map:
            yield _priced(name, Built(position.player, None, domain), prices[domain, 1])
        elif len(fields) == 1:
            yield _priced(name, Built(position.player, fields[0]), prices[domain, 1])
        elif fields:
            yield Action(
                name,
                to=leads(do="city", dom=domain.value),
                domain=domain.value,
                number=_cost(prices[domain, 1]),
            )


def _upgrades(position: Position, wish: Wish) -> Iterator[Action]:
    prices = city_prices(position, position.player)
    for city in dict.fromkeys(position.cities_of(position.player)):
        price = prices.get((city.domain, city.level + 1))
        if price and (price.payable or "against" in wish):
            choice = _priced(_risen(position, city), _upgrade(city), price)
            number = territory_number(position.board, city.cell) if city.cell else 0
            yield replace(choice, brief=f"→ {city.level + 1}", mark=str(number or ""))


def _risen(position: Position, city: City) -> Message:
    domain, level = DOMAIN_NAMES[city.domain], city.level + 1
    number = territory_number(position.board, city.cell) if city.cell else 0
    if not number:
        return _("%(domain)s City to level %(level)d", domain=domain, level=level)
    return _(
        "%(domain)s City to level %(level)d: territory %(number)d", domain=domain, level=level, number=number
    )


def upgradable_cells(position: Position, wish: Wish) -> Iterator[Cell]:
    """The territories that the choices name by their numbers."""
    if position.stage is GameStage.CONSTRUCTION and not position.held and wish.get("do") is None:
        prices = city_prices(position, position.player)
        for city in position.cities_of(position.player):
            price = prices.get((city.domain, city.level + 1))
            if city.cell and price and (price.payable or "against" in wish):
                yield city.cell


def _upgrade(city: City) -> Event:
    return (
        Upgraded(city.owner, city.cell) if city.cell else Upgraded(city.owner, None, city.domain, city.level)
    )


def _cost(price: Price) -> str:
    return f"−{price.cost}" if price.cost else "0"


def _short(price: Price) -> Message | None:
    """Why something cannot be paid."""
    if price.payable:
        return None
    return _n(
        "%(count)d %(domain)s short",
        "%(count)d %(domain)s short",
        price.short,
        domain=DOMAIN_NAMES[price.domain],
    )


def _priced(name: Message, event: Event, price: Price) -> Action:
    """Something with what it costs, and what is missing or what it would cost without cards."""
    cheaper = _("printed: %(cost)d", cost=price.printed) if price.printed != price.cost else None
    note = _short(price) or cheaper
    return Action(
        name,
        line=write_event(event),
        domain=price.domain.value,
        number=_cost(price),
        note=note,
        off=not price.payable,
    )


def field_panel(position: Position, wish: Wish) -> ActionPanel | None:
    """A territory on the map that was tapped; None where none lies."""
    cell = growing.pointed_cell(wish.get("at", ""))
    if cell is None or cell not in position.board.tiles:
        return None
    tile, city, prices = (
        position.board.tiles[cell],
        position.city_at(cell),
        city_prices(position, position.player),
    )
    found = [] if "against" in wish else [*growing.standing_choices(position, cell)]
    title = _("Field of %(domain)s", domain=DOMAIN_NAMES[tile.field])
    price = prices.get((tile.field, city.level + 1 if city else 1))
    mine = city is None or city.owner == position.player or "against" in wish
    if position.stage is GameStage.CONSTRUCTION and price and mine:
        built = (
            (_risen(position, city), _upgrade(city))
            if city
            else (_("Build a City here"), Built(position.player, cell))
        )
        found.append(_priced(*built, price))
    notes = () if found else (_("Nothing can be built here now."),)
    return ActionPanel(title, action_group(found), notes, leads())


def read_card_groups(position: Position, key: str) -> tuple[ActionGroup, ...]:
    """The way on to a card that was read out a moment ago, where it can be paid."""
    if position.held or position.stage not in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT):
        return ()
    found: tuple[Action, ...] = ()
    if key in (prices := mastery_prices(position, position.player)):
        found = (_mastery(position, key, prices[key]),)
    elif key in position.sites and position.stage is GameStage.CONSTRUCTION:
        found = tuple(
            c for g in monuments_panel(position).groups for c in g.choices if c.to.get("key") == key
        )
    return action_group((choice for choice in found if not choice.off), None)


def monuments_panel(position: Position) -> ActionPanel:
    """The next level of each Monument in the game."""
    prices, found = level_prices(position, position.player), []
    for key, site in position.sites.items():
        levels = position.monument(key).levels
        price = prices.get(key)
        level = _("Level %(level)d of %(count)d", level=site.taken + 1, count=len(levels))
        if price:
            to = leads(do="monument", key=key)
            found.append(
                Action(
                    position.title(key),
                    to=to,
                    domain=price.domain.value,
                    number=_cost(price),
                    note=_("%(level)s – %(short)s", level=level, short=short)
                    if (short := _short(price))
                    else level,
                    off=not price.payable,
                )
            )
        elif site.taken >= len(levels) > 0:
            found.append(Action(position.title(key), note=_("All levels are taken."), off=True))
        else:
            to = leads(do="card", kind="monument", key=key)
            found.append(Action(position.title(key), to=to, note=_("Nobody told yet what it costs.")))
    return ActionPanel(_("Which Monument?"), action_group(found), (), leads())


def contribution_panel(position: Position, wish: Wish, place: Place | None) -> ActionPanel:
    """One level of a Monument: the Nodi its card makes, and then it is taken."""
    key, player = wish["key"], position.player
    price = level_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: Contributed(player, key, place, planting), price)


def masteries_panel(position: Position, wish: Wish) -> ActionPanel:
    """The Masteries that were read out, by Domain, and those that can be turned over."""
    domain = wish.get("dom", "")
    domain = domain if domain in LETTERS and len(domain) == 1 else ""
    prices = mastery_prices(position, position.player)
    found = [_mastery(position, key, price) for key, price in prices.items() if domain in ("", price.domain)]
    found.sort(key=lambda choice: (choice.off, choice.domain))
    turned = [
        _priced(position.title(key), Advanced(position.player, key), price)
        for key, price in advance_prices(position, position.player).items()
        if domain in ("", price.domain)
    ]
    tabs = tuple(
        Action(
            DOMAIN_NAMES[each],
            to=leads(do="mastery", dom=None if domain == each else each.value),
            domain=each.value,
            chosen=domain == each,
        )
        for each in Domain
    )
    new = Action(_("Another card: read it out"), to=leads(do="card", kind="mastery", dom=domain or None))
    return ActionPanel(
        _("Which Mastery?"),
        (
            ActionGroup(tabs, None, "tabs"),
            *action_group(found, _("Develop")),
            *action_group(sorted(turned, key=lambda choice: choice.off), _("Turn over")),
            ActionGroup((new,)),
        ),
        (),
        leads(),
    )


def _mastery(position: Position, key: str, price: Price) -> Action:
    card, left = position.cards.masteries[key], position.left_in_the_rack(key)
    note = None
    if not meets_prerequisite(position, position.player, card) and card.needs:
        needed = DOMAIN_NAMES[Domain(card.needs.domain)] if card.needs.domain in LETTERS else "?"
        note = _("needs %(domain)s of value %(value)d", domain=needed, value=card.needs.amount)
    elif left <= 0:
        note = _("all copies are taken")
    else:
        note = _short(price)
    return Action(
        position.title(key),
        to=leads(do="mastery", key=key),
        domain=price.domain.value,
        number=_cost(price),
        note=note,
        off=note is not None,
    )


def development_panel(position: Position, wish: Wish) -> ActionPanel:
    """One Mastery: the Nodi it makes, and then it is developed."""
    key, player = wish["key"], position.player
    price = mastery_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: Developed(player, key, planting), price)


def _planted(
    position: Position, wish: Wish, event: Callable[[TreePlacement], Event], price: Price | None
) -> ActionPanel:
    """Where a card's Nodi are told, by colour or by its place in the Tree."""

    def take(planting: TreePlacement) -> Action:
        return Action(
            _("Taken with these Nodi") if planting.nodi else _("Taken, its Nodi are not told yet"),
            line=write_event(event(planting)),
            main=True,
            number=_cost(price) if price else "",
            domain=price.domain.value if price else "",
            note=_short(price) if price else None,
            off=price is not None and not price.payable,
        )

    title, ask = position.title(wish["key"]), _("Which Nodi does it make?")
    hand = ActionPanel(title, (), (ask,), leads(do=wish.get("do")))
    return placement_panel(position, position.player, wish, hand, take)
