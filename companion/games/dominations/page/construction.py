"""Construction and Development as they are tapped.

Cities, Monuments with the place of their piece, Masteries with their Nodi, and the free trade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.page import elements, growth
from companion.games.dominations.page.elements import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    TargetView,
    To,
    Wish,
    action_group,
    cell_target,
    leads,
    point_target,
    printed_text,
)
from companion.games.dominations.rules import construction, events
from companion.games.dominations.rules.board import CRADLE_POINTS, HALVES, NO_DOT, Planted, Spot, Tree
from companion.games.dominations.rules.box import (
    CORRUPTIO,
    DOMAIN_NAMES,
    LETTERS,
    MARKERS,
    VESTIGIUM,
    Domain,
    colour_name,
)
from companion.games.dominations.rules.cards import PieceShape
from companion.games.dominations.rules.construction import meets_prerequisite
from companion.games.dominations.rules.events import Event
from companion.games.dominations.rules.gains import (
    Price,
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
    trade_rate,
)
from companion.games.dominations.rules.growth import ruled_out
from companion.games.dominations.rules.lattice import Cell, Point, cells_beside, parse_point
from companion.games.dominations.rules.position import City, GameStage, Position
from companion.games.dominations.text.notation import write_event
from companion.games.dominations.text.words import territory_number

MOST_NODI = 4
"""A card has four sides."""
IN_THE_TREE = "tree"
"""The place of a card that is still to be tapped."""
NODI_ONLY = "none"
"""The place of a card of which only the Nodi are told."""
HALF_NAMES = (
    _("The half Nodus with the ring: above"),
    _("The half Nodus with the ring: right"),
    _("The half Nodus with the ring: below"),
    _("The half Nodus with the ring: left"),
)
RecordPlacement = Callable[[events.TreePlacement], Action]
"""What records a card, once it is told how it comes into the Tree."""


def pointed_nodi(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("nodi", "")[:MOST_NODI] if letter in LETTERS)


def half_nodi_of(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("half", "")[:MOST_NODI] if letter in HALVES)


def nodi_told(wish: Wish) -> events.TreePlacement:
    return events.TreePlacement(nodi=tuple(sorted(map(Domain, pointed_nodi(wish)), key=[*Domain].index)))


def placement_panel(
    position: Position, player: int, wish: Wish, hand: ActionPanel, take: RecordPlacement
) -> ActionPanel:
    """How a card comes into somebody's Tree; `hand` has its title and the way back."""
    tree = position.seats[player].tree
    drawn = len(tree.cards) > 1 and all(card.spot for card in tree.cards)
    told = wish.get("spot", IN_THE_TREE if drawn else NODI_ONLY)
    free = elements.free_spots(tree) if "against" in wish else elements.fitting_spots(tree)
    if told == IN_THE_TREE:
        ways = {spot: _kept(wish, spot=elements.write_spot(spot)) for spot in free}
        nodi = ActionGroup((Action(_("Only its Nodi"), to=_kept(wish, spot=NODI_ONLY)),))
        view = elements.tree_view(position, tree, ways)
        return ActionPanel(hand.title, (nodi,), (_("Tap where it lies in the Tree."),), hand.back, view)
    for spot in free:
        if elements.write_spot(spot) == told:
            return _halves(position, tree, wish, spot, take)
    return ActionPanel(
        hand.title, (*_nodi(wish), ActionGroup((take(nodi_told(wish)),))), hand.notes, hand.back
    )


def _kept(wish: Wish, **changes: str | None) -> elements.SpotTo:
    """To the same card with other Nodi, or another place."""
    return leads(
        **{key: wish.get(key) for key in ("do", "key", "adv", "at", "at2", "open", "dots")}, **changes
    )


def _nodi(wish: Wish) -> tuple[ActionGroup, ...]:
    """A tap for each Nodus, and for each one a tap that takes it away."""
    nodi = pointed_nodi(wish)
    more = tuple(
        Action(
            DOMAIN_NAMES[domain],
            to=_kept(wish, nodi=nodi + domain.value),
            domain=domain.value,
            number=f"× {nodi.count(domain)}" if domain in nodi else "",
            chosen=domain in nodi,
        )
        for domain in Domain
    )
    less = Action(_("No, without Nodi"), to=_kept(wish))
    place = Action(_("Show its place in the Tree"), to=_kept(wish, spot=IN_THE_TREE))
    return (
        *((ActionGroup(more, None, "grid"),) if len(nodi) < MOST_NODI else ()),
        ActionGroup((less,) if nodi else (place,)),
    )


def _halves(position: Position, tree: Tree, wish: Wish, spot: Spot, take: RecordPlacement) -> ActionPanel:
    """The four half Nodi, each in a tap, the last of which records it; beside a card, only what meets."""
    halves, at = half_nodi_of(wish)[: MOST_NODI - 1], elements.write_spot(spot)
    drawn = elements.tree_view(position, tree, {}, Planted(wish.get("key", ""), spot=spot, halves=halves))
    before = _kept(wish, spot=at, half=halves[:-1]) if halves else _kept(wish, spot=IN_THE_TREE)
    offered = tree.meeting(spot, len(halves)) if "against" not in wish else HALVES
    choices = [
        _half(
            half,
            _kept(wish, spot=at, half=halves + half),
            take(events.TreePlacement(spot, halves + half)) if len(halves) == MOST_NODI - 1 else None,
        )
        for half in offered
    ]
    return ActionPanel(
        HALF_NAMES[len(halves)], (ActionGroup(tuple(choices), None, "grid"),), (), before, drawn
    )


def _half(letter: str, to: elements.SpotTo, last: Action | None) -> Action:
    """A half Nodus; the last one of a card records it."""
    if last is None:
        return Action(half_nodus_name(letter), to=to, domain=letter)
    return Action(half_nodus_name(letter), line=last.line, domain=letter, off=last.off)


def _lit(player: int, halves: str) -> Action:
    return Action(_("The Campfire card"), line=write_event(events.CampfireTold(player, halves)))


def half_nodus_name(letter: str) -> Message:
    if letter in (VESTIGIUM, CORRUPTIO):
        return _("Vestigium") if letter == VESTIGIUM else printed_text("Corruptio")
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else _("none")


def campfire_panel(position: Position, wish: Wish, player: int) -> ActionPanel:
    """The half Nodi of somebody's Campfire card; what nobody knows takes any colour."""
    halves, tree = half_nodi_of(wish)[: MOST_NODI - 1], position.seats[player].tree
    drawn = elements.tree_view(position, tree, {}, replace(tree.cards[0], halves=halves))
    who = str(player + 1)
    choices = tuple(
        _half(
            half,
            leads(do="campfire", who=who, half=halves + half),
            _lit(player, halves + half) if len(halves) == MOST_NODI - 1 else None,
        )
        for half in HALVES
    )
    back = leads(do="campfire", who=who, half=halves[:-1] or None) if halves else leads(look=who)
    return ActionPanel(
        HALF_NAMES[len(halves)], (ActionGroup(choices, None, "grid"),), (_("The Campfire card"),), back, drawn
    )


COAST_SIDES = "1234"
LOZENGE_DOTS = 6
UNTOLD_DOTS = "none"
"""What is printed on a piece, where nobody tells it."""


def told_lozenge(wish: Wish, cells: tuple[Cell, Cell]) -> events.Lozenge:
    """A lozenge as far as it was told."""
    dots = told_dots(wish, LOZENGE_DOTS)
    sides = tuple(int(side) for side in COAST_SIDES if side in wish.get("open", ""))
    return events.Lozenge(cells, dots if len(dots) == LOZENGE_DOTS else NO_DOT * LOZENGE_DOTS, sides)


def told_dots(wish: Wish, most: int) -> str:
    text = wish.get("dots", "")
    return text[:most] if {*text} <= {*LETTERS, VESTIGIUM, NO_DOT} else ""


def asks_for_sides(position: Position, wish: Wish) -> bool:
    """Whether nobody told yet where a coast shows a reward; of other pieces, nothing is asked."""
    return position.monument(wish["key"]).coastal and not (wish.get("dots") or "told" in wish.get("open", ""))


def lozenge_question(position: Position, wish: Wish) -> ActionPanel | None:
    """What is still to be told of a lozenge that has its place; None when nothing is."""
    dots = told_dots(wish, LOZENGE_DOTS)
    if len(dots) == LOZENGE_DOTS or wish.get("dots") == UNTOLD_DOTS:
        return None
    if asks_for_sides(position, wish):
        return _coast(wish)
    skip = Action(_("Without its resources"), to=_to(wish, dots=UNTOLD_DOTS))
    back = _to(wish, dots=dots[:-1] or None) if dots else _to(wish, at2=None, open=None)
    title = _("The resource with the ring: %(number)d of %(count)d", number=len(dots) + 1, count=LOZENGE_DOTS)
    letters = _letters(dots, lambda told: Action(colour_name(told[-1]), to=_to(wish, dots=told)))
    return ActionPanel(title, (letters, ActionGroup((skip,))), (), back)


def _to(wish: Wish, **changes: str | None) -> To:
    kept = {key: wish.get(key) for key in ("do", "key", "at", "at2", "open")}
    return leads(**{**kept, **changes})


def _coast(wish: Wish) -> ActionPanel:
    """Which of its four sides show a reward: nothing touches the others."""
    told = wish.get("open", "")
    sides = tuple(
        Action(
            printed_text(side),
            to=_to(wish, open="".join(sorted({*told} ^ {side})) or None),
            chosen=side in told,
        )
        for side in COAST_SIDES
    )
    these = Action(_("Only these sides"), to=_to(wish, open=f"{told}told"), main=True)
    every = Action(_("All sides, or nobody can tell"), to=_to(wish, open="told"))
    notes = (_("Their numbers are on the map. Nothing may touch the other sides."),)
    last = ActionGroup((these if told else every,))
    title = _("Which sides of the coast show a reward?")
    return ActionPanel(
        title, (ActionGroup(sides, None, "people"), last), notes, _to(wish, at2=None, open=None)
    )


def _letters(told: str, choice: Callable[[str], Action]) -> ActionGroup:
    """The colours that a resource may have."""
    return ActionGroup(
        tuple(_marked(choice(told + letter), letter) for letter in LETTERS + VESTIGIUM + NO_DOT), None, "grid"
    )


def _marked(choice: Action, letter: str) -> Action:
    return Action(choice.text, choice.line, choice.to, letter)


def cradle_panel(wish: Wish) -> ActionPanel:
    """The dots of the Cradle, one after the other; the last one records them all."""
    count = len(CRADLE_POINTS)
    dots = told_dots(wish, count - 1)

    def choice(told: str) -> Action:
        name = colour_name(told[-1])
        if len(told) == count:
            return Action(name, line=write_event(events.CradleTold(told)))
        return Action(name, to=leads(do="cradle", dots=told))

    title = _("The resource with the ring: %(number)d of %(count)d", number=len(dots) + 1, count=count)
    back = leads(do="cradle", dots=dots[:-1] or None) if dots else leads()
    return ActionPanel(title, (_letters(dots, choice),), (_("The dots of the Cradle"),), back)


# ---- the same on the map ----


def side_marks(cells: tuple[Cell, Cell]) -> tuple[tuple[int, int, str], ...]:
    """The numbers of a lozenge's sides, each beside it."""
    near = ((side, next(c for c in cells if side in c.neighbours)) for side in cells_beside(frozenset(cells)))
    found = []
    for number, (side, cell) in enumerate(near, 1):
        (x, y), (a, b) = elements.cell_middle(side), elements.cell_middle(cell)
        found.append(((2 * x + a) // 3, (2 * y + b) // 3, str(number)))
    return tuple(found)


def lozenge_ghosts(
    position: Position, wish: Wish, cells: tuple[Cell, Cell]
) -> tuple[elements.GhostView, ...]:
    """Both halves, with the ring where the next resource lies."""
    dots, half = told_dots(wish, LOZENGE_DOTS), LOZENGE_DOTS // 2
    ask = wish.get("dots") != UNTOLD_DOTS and len(dots) < LOZENGE_DOTS and not asks_for_sides(position, wish)
    return tuple(
        elements.ghost_half(cell, dots[n * half : (n + 1) * half], ask and len(dots) // half == n)
        for n, cell in enumerate(cells)
    )


def cradle_ghosts(wish: Wish) -> tuple[elements.GhostView, ...]:
    """The Cradle's dots as far as they are told, with the ring where the next one lies."""
    dots = told_dots(wish, len(CRADLE_POINTS) - 1)
    places = [elements.dot_places(cell)[cell.corners.index(point)] for cell, point in CRADLE_POINTS]
    told = tuple(elements.Dot(x, y, letter) for (x, y), letter in zip(places, dots, strict=False))
    cell = CRADLE_POINTS[min(len(dots), len(CRADLE_POINTS) - 1)][0]
    return (elements.ghost_cradle(cell, told, places[len(dots)]),)


def turn_menu(position: Position, wish: Wish) -> ActionPanel:
    """After the territory: all that the rest of a turn may bring."""
    groups: tuple[ActionGroup, ...] = ()
    found: list[Action] = []
    if position.stage is GameStage.CONSTRUCTION:
        groups, found = city_choices(position, wish), [*_other_works(position)]
    if position.stage in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT):
        found.append(Action(_("A Mastery"), to=leads(do="mastery")))
    found.append(Action(_("Exchange of Knowledge"), to=leads(do="trade")))
    end = Action(_("End the turn"), line=write_event(events.TurnEnded(position.player)), main=True)
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
        growth.telling_tier(position, wish) == growth.MAP_TIER,
    )
    payable = [domain for domain in Domain if prices[domain, 1].payable or "against" in wish]
    if position.seats[position.player].markers <= 0:
        return
    for domain in payable:
        name = _("City of %(domain)s", domain=DOMAIN_NAMES[domain])
        fields = growth.free_fields(position, domain)
        if not on_map:
            yield _priced(name, events.Built(position.player, None, domain), prices[domain, 1])
        elif len(fields) == 1:
            yield _priced(name, events.Built(position.player, fields[0]), prices[domain, 1])
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
        events.Upgraded(city.owner, city.cell)
        if city.cell
        else events.Upgraded(city.owner, None, city.domain, city.level)
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
    cell = growth.pointed_cell(wish.get("at", ""))
    if cell is None or cell not in position.board.tiles:
        return None
    tile, city, prices = (
        position.board.tiles[cell],
        position.city_at(cell),
        city_prices(position, position.player),
    )
    found = [] if "against" in wish else [*growth.standing_choices(position, cell)]
    title = _("Field of %(domain)s", domain=DOMAIN_NAMES[tile.field])
    price = prices.get((tile.field, city.level + 1 if city else 1))
    mine = city is None or city.owner == position.player or "against" in wish
    if position.stage is GameStage.CONSTRUCTION and price and mine:
        built = (
            (_risen(position, city), _upgrade(city))
            if city
            else (_("Build a City here"), events.Built(position.player, cell))
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


def contribution_panel(position: Position, wish: Wish, place: events.Place | None) -> ActionPanel:
    """One level of a Monument: the Nodi its card makes, and then it is taken."""
    key, player = wish["key"], position.player
    price = level_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: events.Contributed(player, key, place, planting), price)


def masteries_panel(position: Position, wish: Wish) -> ActionPanel:
    """The Masteries that were read out, by Domain, and those that can be turned over."""
    domain = wish.get("dom", "")
    domain = domain if domain in LETTERS and len(domain) == 1 else ""
    prices = mastery_prices(position, position.player)
    found = [_mastery(position, key, price) for key, price in prices.items() if domain in ("", price.domain)]
    found.sort(key=lambda choice: (choice.off, choice.domain))
    turned = [
        _priced(position.title(key), events.Advanced(position.player, key), price)
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
    return _planted(position, wish, lambda planting: events.Developed(player, key, planting), price)


def _planted(
    position: Position, wish: Wish, event: Callable[[events.TreePlacement], Event], price: Price | None
) -> ActionPanel:
    """Where a card's Nodi are told, by colour or by its place in the Tree."""

    def take(planting: events.TreePlacement) -> Action:
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


def trade_panel(position: Position, wish: Wish) -> ActionPanel:
    """Two of one Domain for one of another, as often as one likes."""
    player, give, back = position.player, wish.get("give", ""), leads()
    knowledge = position.seats[player].knowledge
    if give not in [*Domain]:
        found = [
            Action(
                DOMAIN_NAMES[domain],
                to=leads(do="trade", give=domain.value),
                domain=domain.value,
                number=str(amount),
            )
            for domain, amount in knowledge.items()
            if amount >= trade_rate(position, player, domain)
        ]
        notes = () if found else (_("There is not enough of any Domain."),)
        return ActionPanel(
            _("Which Knowledge is given?"), (ActionGroup(tuple(found), None, "grid"),), notes, back
        )
    gives = Domain(give)
    each, text = trade_rate(position, player, gives), wish.get("times", "1")
    most = knowledge[gives] // each
    times = max(1, min(int(text) if text.isdecimal() else 1, most))
    tabs = tuple(
        Action(printed_text(str(n * each)), to=leads(do="trade", give=give, times=str(n)), chosen=n == times)
        for n in range(1, most + 1)
    )
    gets = tuple(
        Action(
            DOMAIN_NAMES[domain],
            line=write_event(events.Traded(player, gives, times * each, domain, times)),
            domain=domain.value,
            number=f"+{times}",
        )
        for domain in Domain
        if domain is not gives
    )
    title = _("%(count)d %(domain)s for …", count=times * each, domain=DOMAIN_NAMES[gives])
    return ActionPanel(
        title, (ActionGroup(tabs, None, "people"), ActionGroup(gets, None, "grid")), (), leads(do="trade")
    )


NO_MAP = "none"
"""The place of a piece that nobody tells: the Monument is counted without one."""

TELL_REWARDS = "rewards"
"""What is done to tell the rewards that no map showed."""


def needs_place(position: Position, wish: Wish) -> bool:
    """Whether the piece of this Monument has no place yet, and the table keeps a map."""
    site = position.sites.get(wish.get("key", ""))
    if site is None or site.place is not None or wish.get("at") == NO_MAP:
        return False
    first = site.taken == 0 or wish.get("do") == "piece"
    return first and bool(position.board.tiles) and growth.telling_tier(position, wish) == growth.MAP_TIER


def told_place(position: Position, wish: Wish) -> events.Place | None:
    """Where the piece was told to stand, once that is told."""
    if not needs_place(position, wish):
        return None
    if position.monument(wish["key"]).shape is PieceShape.CIRCLE:
        return _point(wish.get("at", ""))
    cells = lozenge_cells(wish)
    return told_lozenge(wish, cells) if cells else None


def lozenge_cells(wish: Wish) -> tuple[Cell, Cell] | None:
    """The two places that a lozenge covers, once they are told."""
    one, other = growth.pointed_cell(wish.get("at", "")), growth.pointed_cell(wish.get("at2", ""))
    return (one, other) if one and other else None


def half_told_lozenge(position: Position, wish: Wish) -> tuple[Cell, Cell] | None:
    """The lozenge that is being told, for the map to show."""
    stands = wish.get("do") in ("monument", "piece") and needs_place(position, wish)
    if not stands or position.monument(wish["key"]).shape is PieceShape.CIRCLE:
        return None
    return lozenge_cells(wish)


def _point(text: str) -> Point | None:
    try:
        return parse_point(text) if text.startswith("@") else None
    except NotationError:
        return None


def piece_targets(position: Position, wish: Wish) -> Iterator[TargetView]:
    """Where the piece may stand, or its second half."""
    if not needs_place(position, wish) or told_place(position, wish):
        return
    do, key = wish.get("do"), wish["key"]
    name, pieces = _("It stands here"), position.board.pieces
    if position.monument(key).shape is PieceShape.CIRCLE:
        for point in sorted({corner for cell in pieces for corner in cell.corners}):
            free = position.board.complete(point) and point not in position.board.circles
            if free and not ruled_out(position, point):
                yield point_target(point, name, leads(do=do, key=key, at=str(point)))
        return
    one = growth.pointed_cell(wish.get("at", ""))
    if one is None:
        for cell in position.board.free:
            yield cell_target(cell, name, leads(do=do, key=key, at=str(cell)))
        return
    for cell in one.neighbours:
        if cell not in pieces:
            yield cell_target(cell, name, leads(do=do, key=key, at=str(one), at2=str(cell)))


def piece_panel(position: Position, wish: Wish) -> ActionPanel:
    """The place first and what is printed on the piece, then the card."""
    place = told_place(position, wish)
    if isinstance(place, events.Lozenge) and (asked := lozenge_question(position, wish)):
        return asked
    if wish.get("do") == "piece" and place:
        line = write_event(events.MonumentTold(wish["key"], place))
        return ActionPanel(
            _("Its piece stands there"), action_group((Action(_("Yes"), line=line, main=True),)), (), leads()
        )
    if not needs_place(position, wish) or place:
        return contribution_panel(position, wish, place)
    round_one = position.monument(wish["key"]).shape is PieceShape.CIRCLE
    note = _("Tap the middle of a complete Locus.") if round_one else _("Tap the two places it covers.")
    skip = Action(_("Without the map"), to=leads(do=wish.get("do"), key=wish["key"], at=NO_MAP))
    return ActionPanel(_("Where does its piece stand?"), action_group((skip,)), (note,), leads(do="monument"))


def rewards_panel(position: Position, wish: Wish) -> ActionPanel:
    """Whose Cities a Monument rewards that no map shows beside it: a tap for each City."""
    key, digits = wish["key"], {str(n + 1) for n in range(position.players)}
    told = [int(digit) - 1 for digit in wish.get("who", "")[:MARKERS] if digit in digits]
    monument = position.monument(key)
    people = tuple(
        Action(
            PLAYER_NAME,
            player=player,
            to=leads(do=TELL_REWARDS, key=key, who="".join(str(n + 1) for n in (*told, player))),
        )
        for player in range(position.players)
        if construction.rewards_left(position, key, player) > told.count(player)
    )
    names = tuple(Action(PLAYER_NAME, player=player) for player in told)
    before = tuple(Action(PLAYER_NAME, player=player) for player in position.sites[key].rewarded)
    line = write_event(events.Rewarded(key, tuple(told)))
    done = Action(_("These are rewarded") if told else _("Nobody is rewarded"), line=line, main=True)
    note = _("%(points)d points for each City beside it; one tap for each.", points=monument.reward_points)
    title = _("Whose Cities does “%(card)s” reward?", card=monument.title)
    back = leads(do=TELL_REWARDS, key=key) if told else leads()
    told_before = action_group(before, _("Rewarded before"))
    return ActionPanel(
        title,
        (*action_group(people), *action_group(names, _("Rewarded")), ActionGroup((done,)), *told_before),
        (note,),
        back,
    )
