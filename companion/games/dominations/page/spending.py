"""The phases of Construction and Development as they are tapped: Cities, Monuments and Masteries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.page import growing
from companion.games.dominations.page.choices import Choice, Group, Hand, Wish, group, leads
from companion.games.dominations.page.planted import planted
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.rules.development import meets
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
from companion.games.dominations.rules.placing import Place, Planting
from companion.games.dominations.rules.position import City, Position, Stage
from companion.games.dominations.rules.prospects import (
    Price,
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
)
from companion.games.dominations.text.here import number_of
from companion.games.dominations.text.notation import write_event


def menu(position: Position, wish: Wish) -> Hand:
    """After the territory: all that the rest of a turn may bring."""
    groups: tuple[Group, ...] = ()
    found: list[Choice] = []
    if position.stage is Stage.CONSTRUCTION:
        groups, found = cities(position, wish), [*_other_works(position)]
    if position.stage in (Stage.CONSTRUCTION, Stage.DEVELOPMENT):
        found.append(Choice(_("A Mastery"), to=leads(do="mastery")))
    found.append(Choice(_("Exchange of Knowledge"), to=leads(do="trade")))
    end = Choice(_("End the turn"), line=write_event(TurnEnded(position.player)), main=True)
    return Hand(_TITLES[position.stage], (*groups, *group(found, None, "pairs"), Group((end,))))


_TITLES = {
    Stage.CONSTRUCTION: _("Build, develop, or end the turn"),
    Stage.DEVELOPMENT: _("Develop, or end the turn"),
    Stage.DONE: _("Anything else? Or end the turn"),
}


def construction(position: Position, wish: Wish) -> tuple[Group, ...]:
    """Cities and Monuments; against the rules, whatever they cost."""
    return (*cities(position, wish), *group(_other_works(position), _("Construction")))


def cities(position: Position, wish: Wish) -> tuple[Group, ...]:
    """New Cities by their Domains, and those that can rise, as their numbers stand on the map."""
    kind = "rows" if "against" in wish else "chips"
    new = group(_new_cities(position, wish), _("A new City"), kind)
    return (*new, *group(_upgrades(position, wish), _("A City to its next level"), kind))


def _other_works(position: Position) -> Iterator[Choice]:
    if position.sites:
        yield Choice(_("A Monument"), to=leads(do="monument"))
    if "worker" in position.seats[position.player].roles:
        yield Choice(_("Worker: a second territory"), to=leads(do="again"), domain="C")


def _new_cities(position: Position, wish: Wish) -> Iterator[Choice]:
    """New Cities by Domain; on the map it is told where."""
    prices, on_map = city_prices(position, position.player), growing.tier(position, wish) == growing.MAP
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
            yield Choice(
                name,
                to=leads(do="city", dom=domain.value),
                domain=domain.value,
                number=_cost(prices[domain, 1]),
            )


def _upgrades(position: Position, wish: Wish) -> Iterator[Choice]:
    prices = city_prices(position, position.player)
    for city in dict.fromkeys(position.cities_of(position.player)):
        price = prices.get((city.domain, city.level + 1))
        if price and (price.payable or "against" in wish):
            choice = _priced(_risen(position, city), _upgrade(city), price)
            number = number_of(position.board, city.cell) if city.cell else 0
            yield replace(choice, brief=f"→ {city.level + 1}", mark=str(number or ""))


def _risen(position: Position, city: City) -> Message:
    domain, level = DOMAIN_NAMES[city.domain], city.level + 1
    number = number_of(position.board, city.cell) if city.cell else 0
    if not number:
        return _("%(domain)s City to level %(level)d", domain=domain, level=level)
    return _(
        "%(domain)s City to level %(level)d: territory %(number)d", domain=domain, level=level, number=number
    )


def risen_on(position: Position, wish: Wish) -> Iterator[Cell]:
    """The territories that the choices name by their numbers."""
    if position.stage is Stage.CONSTRUCTION and not position.held and wish.get("do") is None:
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


def _priced(name: Message, event: Event, price: Price) -> Choice:
    """Something with what it costs, and what is missing or what it would cost without cards."""
    cheaper = _("printed: %(cost)d", cost=price.printed) if price.printed != price.cost else None
    note = _short(price) or cheaper
    return Choice(
        name,
        line=write_event(event),
        domain=price.domain.value,
        number=_cost(price),
        note=note,
        off=not price.payable,
    )


def field(position: Position, wish: Wish) -> Hand | None:
    """A territory on the map that was tapped; None where none lies."""
    cell = growing.cell_of(wish.get("at", ""))
    if cell is None or cell not in position.board.tiles:
        return None
    tile, city, prices = (
        position.board.tiles[cell],
        position.city_at(cell),
        city_prices(position, position.player),
    )
    found = [] if "against" in wish else [*growing.standing(position, cell)]
    title = _("Field of %(domain)s", domain=DOMAIN_NAMES[tile.field])
    price = prices.get((tile.field, city.level + 1 if city else 1))
    mine = city is None or city.owner == position.player or "against" in wish
    if position.stage is Stage.CONSTRUCTION and price and mine:
        built = (
            (_risen(position, city), _upgrade(city))
            if city
            else (_("Build a City here"), Built(position.player, cell))
        )
        found.append(_priced(*built, price))
    notes = () if found else (_("Nothing can be built here now."),)
    return Hand(title, group(found), notes, leads())


def just_read(position: Position, key: str) -> tuple[Group, ...]:
    """The way on to a card that was read out a moment ago, where it can be paid."""
    if position.held or position.stage not in (Stage.CONSTRUCTION, Stage.DEVELOPMENT):
        return ()
    found: tuple[Choice, ...] = ()
    if key in (prices := mastery_prices(position, position.player)):
        found = (_mastery(position, key, prices[key]),)
    elif key in position.sites and position.stage is Stage.CONSTRUCTION:
        found = tuple(c for g in monuments(position).groups for c in g.choices if c.to.get("key") == key)
    return group((choice for choice in found if not choice.off), None)


def monuments(position: Position) -> Hand:
    """The next level of each Monument in the game."""
    prices, found = level_prices(position, position.player), []
    for key, site in position.sites.items():
        levels = position.monument(key).levels
        price = prices.get(key)
        level = _("Level %(level)d of %(count)d", level=site.taken + 1, count=len(levels))
        if price:
            to = leads(do="monument", key=key)
            found.append(
                Choice(
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
            found.append(Choice(position.title(key), note=_("All levels are taken."), off=True))
        else:
            to = leads(do="card", kind="monument", key=key)
            found.append(Choice(position.title(key), to=to, note=_("Nobody told yet what it costs.")))
    return Hand(_("Which Monument?"), group(found), (), leads())


def contribution(position: Position, wish: Wish, place: Place | None) -> Hand:
    """One level of a Monument: the Nodi its card makes, and then it is taken."""
    key, player = wish["key"], position.player
    price = level_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: Contributed(player, key, place, planting), price)


def masteries(position: Position, wish: Wish) -> Hand:
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
        Choice(
            DOMAIN_NAMES[each],
            to=leads(do="mastery", dom=None if domain == each else each.value),
            domain=each.value,
            chosen=domain == each,
        )
        for each in Domain
    )
    new = Choice(_("Another card: read it out"), to=leads(do="card", kind="mastery", dom=domain or None))
    return Hand(
        _("Which Mastery?"),
        (
            Group(tabs, None, "tabs"),
            *group(found, _("Develop")),
            *group(sorted(turned, key=lambda choice: choice.off), _("Turn over")),
            Group((new,)),
        ),
        (),
        leads(),
    )


def _mastery(position: Position, key: str, price: Price) -> Choice:
    card, left = position.cards.masteries[key], position.left_in_the_rack(key)
    note = None
    if not meets(position, position.player, card) and card.needs:
        needed = DOMAIN_NAMES[Domain(card.needs.domain)] if card.needs.domain in LETTERS else "?"
        note = _("needs %(domain)s of value %(value)d", domain=needed, value=card.needs.amount)
    elif left <= 0:
        note = _("all copies are taken")
    else:
        note = _short(price)
    return Choice(
        position.title(key),
        to=leads(do="mastery", key=key),
        domain=price.domain.value,
        number=_cost(price),
        note=note,
        off=note is not None,
    )


def development(position: Position, wish: Wish) -> Hand:
    """One Mastery: the Nodi it makes, and then it is developed."""
    key, player = wish["key"], position.player
    price = mastery_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: Developed(player, key, planting), price)


def _planted(position: Position, wish: Wish, event: Callable[[Planting], Event], price: Price | None) -> Hand:
    """Where a card's Nodi are told, by colour or by its place in the Tree."""

    def take(planting: Planting) -> Choice:
        return Choice(
            _("Taken with these Nodi") if planting.nodi else _("Taken, its Nodi are not told yet"),
            line=write_event(event(planting)),
            main=True,
            number=_cost(price) if price else "",
            domain=price.domain.value if price else "",
            note=_short(price) if price else None,
            off=price is not None and not price.payable,
        )

    title, ask = position.title(wish["key"]), _("Which Nodi does it make?")
    hand = Hand(title, (), (ask,), leads(do=wish.get("do")))
    return planted(position, position.player, wish, hand, take)
