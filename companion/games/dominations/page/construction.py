"""Construction and Development as they are tapped.

Cities, Monuments with the place of their piece, Masteries with their Nodi, and the free trade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.page import elements, growth
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    ActionPanel,
    TargetView,
    To,
    Wish,
    cell_target,
    domain_action,
    group,
    leads,
    panel,
    player_action,
    point_target,
    printed_text,
)
from companion.games.dominations.page.preview import brings_rows, brought
from companion.games.dominations.rules import construction, events
from companion.games.dominations.rules.board import CRADLE_POINTS, HALVES, NO_DOT, Planted, Spot, Tree
from companion.games.dominations.rules.box import (
    DOMAIN_NAMES,
    LETTERS,
    MARKERS,
    UNKNOWN,
    VESTIGIUM,
    Domain,
    OpenQuestion,
    colour_name,
)
from companion.games.dominations.rules.cards import PieceShape
from companion.games.dominations.rules.construction import meets_prerequisite
from companion.games.dominations.rules.events import Event, Lozenge, Place, TreePlacement
from companion.games.dominations.rules.gains import (
    Price,
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
    trade_rate,
)
from companion.games.dominations.rules.growth import EXCHANGE, counts_as_locus
from companion.games.dominations.rules.lattice import Cell, Point, cells_beside, parse_point
from companion.games.dominations.rules.position import City, GameStage, Position
from companion.games.dominations.text.notation import write_event
from companion.games.dominations.text.words import half_nodus_text, territory_number

MOST_NODI = 4
"""A card has four sides."""
IN_THE_TREE = "tree"
"""The place of a card that is still to be tapped."""
NODI_ONLY = "none"
"""The place of a card of which only the Nodi are told."""
SEVERAL_NODI = "several"
"""The same, of a card that makes more than one."""
HALF_NAMES = (
    _("The half Nodus with the ring: above"),
    _("The half Nodus with the ring: right"),
    _("The half Nodus with the ring: below"),
    _("The half Nodus with the ring: left"),
)
RecordPlacement = Callable[[TreePlacement], Action]
"""What records a card, once it is told how it comes into the Tree."""


def placement_panel(
    position: Position, player: int, wish: Wish, title: Message, take: RecordPlacement, **more: Any
) -> ActionPanel:
    """How a card comes into somebody's Tree; `more` is the way back, and what is said of its Nodi."""
    tree = position.seats[player].tree
    drawn = len(tree.cards) > 1 and all(card.spot for card in tree.cards)
    told = wish.get("spot", IN_THE_TREE if drawn else NODI_ONLY)
    free = elements.free_spots(tree) if "against" in wish else elements.fitting_spots(tree)
    if told == IN_THE_TREE:
        ways = {spot: _kept(wish, spot=elements.write_spot(spot)) for spot in free}
        nodi = Action(_("Only its Nodi"), to=_kept(wish, spot=NODI_ONLY))
        more |= {
            "notes": (_("Tap where it lies in the Tree."),),
            "tree": elements.tree_view(position, tree, ways),
        }
        return panel(title, group((nodi,)), **more)
    for spot in free:
        if elements.write_spot(spot) == told:
            return _halves(position, tree, wish, spot, take)
    return _nodi(wish, title, take, **more)


def _kept(wish: Wish, **changes: str | None) -> To:
    """To the same card with other Nodi, or another place."""
    return leads(
        **{key: wish.get(key) for key in ("do", "key", "adv", "at", "at2", "open", "dots")}, **changes
    )


def _nodi(wish: Wish, title: Message, take: RecordPlacement, **more: Any) -> ActionPanel:
    """A card with one Nodus is taken with a tap on its colour; of several, each is a tap, and one takes them away."""
    nodi = _told_letters(wish, "nodi", LETTERS)
    place = Action(_("Show its place in the Tree"), to=_kept(wish, spot=IN_THE_TREE))
    if not nodi and wish.get("spot") != SEVERAL_NODI:
        one = (
            replace(
                take(TreePlacement(nodi=(domain,))),
                text=DOMAIN_NAMES[domain],
                domain=domain.value,
                main=False,
                note=None,
                number="",
            )
            for domain in Domain
        )
        several = Action(_("More than one Nodus"), to=_kept(wish, spot=SEVERAL_NODI))
        untold = take(TreePlacement())
        return panel(
            title, group(one, None, "grid"), group((several, place), None, "pairs"), group((untold,)), **more
        )
    each = (
        domain_action(
            domain,
            to=_kept(wish, nodi=nodi + domain.value, spot=wish.get("spot")),
            number=f"× {nodi.count(domain)}" if domain in nodi else "",
            chosen=domain in nodi,
        )
        for domain in (Domain if len(nodi) < MOST_NODI else ())
    )
    less = Action(_("No, without Nodi"), to=_kept(wish))
    told = TreePlacement(nodi=tuple(sorted(map(Domain, nodi), key=[*Domain].index)))
    return panel(
        title, group(each, None, "grid"), group((less if nodi else place,)), group((take(told),)), **more
    )


def _told_letters(wish: Wish, key: str, allowed: str) -> str:
    return "".join(letter for letter in wish.get(key, "")[:MOST_NODI] if letter in allowed)


def _halves(position: Position, tree: Tree, wish: Wish, spot: Spot, take: RecordPlacement) -> ActionPanel:
    """The four half Nodi, each in a tap, the last of which records it; beside a card, only what meets."""
    halves, at = _told_letters(wish, "half", HALVES)[: MOST_NODI - 1], elements.write_spot(spot)
    drawn = elements.tree_view(position, tree, {}, Planted(wish.get("key", ""), spot=spot, halves=halves))
    before = _kept(wish, spot=at, half=halves[:-1]) if halves else _kept(wish, spot=IN_THE_TREE)
    offered = tree.meeting(spot, len(halves)) if "against" not in wish else HALVES
    found = (
        _half(
            halves + half,
            lambda told: _kept(wish, spot=at, half=told),
            lambda told: take(TreePlacement(spot, told)),
        )
        for half in offered
    )
    return panel(HALF_NAMES[len(halves)], group(found, None, "grid"), back=before, tree=drawn)


def _half(told: str, to: Callable[[str], To], last: Callable[[str], Action]) -> Action:
    """A half Nodus behind those that are told; the last one of a card records them all."""
    name = half_nodus_text(told[-1])
    if len(told) < MOST_NODI:
        return Action(name, to=to(told), domain=told[-1])
    return replace(last(told), text=name, domain=told[-1], main=False, note=None, number="")


def campfire_panel(position: Position, wish: Wish, player: int) -> ActionPanel:
    """The half Nodi of somebody's Campfire card; what nobody knows takes any colour."""
    halves = _told_letters(wish, "half", HALVES)[: MOST_NODI - 1]
    tree, who, name = position.seats[player].tree, str(player + 1), _("The Campfire card")
    drawn = elements.tree_view(position, tree, {}, replace(tree.cards[0], halves=halves))
    found = (
        _half(
            halves + half,
            lambda told: leads(do="campfire", who=who, half=told),
            lambda told: Action(name, line=write_event(events.CampfireTold(player, told))),
        )
        for half in HALVES
    )
    back = leads(do="campfire", who=who, half=halves[:-1] or None) if halves else leads(look=who)
    return panel(HALF_NAMES[len(halves)], group(found, None, "grid"), notes=(name,), back=back, tree=drawn)


COAST_SIDES = "1234"
LOZENGE_DOTS = 6
UNTOLD_DOTS = "none"
"""What is printed on a piece, where nobody tells it."""


def told_lozenge(wish: Wish, cells: tuple[Cell, Cell]) -> Lozenge:
    """A lozenge as far as it was told."""
    dots = told_dots(wish, LOZENGE_DOTS)
    sides = tuple(int(side) for side in COAST_SIDES if side in wish.get("open", ""))
    if len(dots) < LOZENGE_DOTS:
        dots = (UNKNOWN if wish.get("dots") == UNTOLD_DOTS else NO_DOT) * LOZENGE_DOTS
    return Lozenge(cells, dots, sides)


def told_dots(wish: Wish, most: int) -> str:
    text = wish.get("dots", "")
    return text[:most] if {*text} <= {*LETTERS, VESTIGIUM, NO_DOT, UNKNOWN} else ""


def asks_for_sides(position: Position, wish: Wish) -> bool:
    """Whether nobody told yet where a coast shows a reward; of other pieces, nothing is asked."""
    return position.monument(wish["key"]).coastal and not (wish.get("dots") or "told" in wish.get("open", ""))


def lozenge_question(position: Position, wish: Wish) -> ActionPanel | None:
    """What is still to be told of a lozenge that has its place; None when nothing is."""
    dots = told_dots(wish, LOZENGE_DOTS)
    if len(dots) == LOZENGE_DOTS or wish.get("dots") == UNTOLD_DOTS:
        return None
    if asks_for_sides(position, wish):
        return _coast(position, wish)
    skip = Action(_("Nobody can tell"), to=_to(wish, dots=UNTOLD_DOTS))
    bare = Action(_("It has no dots"), to=_to(wish, dots=NO_DOT * LOZENGE_DOTS))
    back = _to(wish, dots=dots[:-1] or None) if dots else _to(wish, at2=None, open=None)
    title = _("The resource with the ring: %(number)d of %(count)d", number=len(dots) + 1, count=LOZENGE_DOTS)
    letters = _letters(dots, lambda told: Action(colour_name(told[-1]), to=_to(wish, dots=told)))
    choices = (skip,) if dots else (bare, skip)
    return panel(title, letters, group(choices, None, "pairs"), back=back)


def _to(wish: Wish, **changes: str | None) -> To:
    kept = {key: wish.get(key) for key in ("do", "key", "at", "at2", "open")}
    return leads(**{**kept, **changes})


def _touching_sides(position: Position, wish: Wish) -> str:
    """The sides of a coast where something lies already: they show a reward, or it could not stand there."""
    cells = lozenge_cells(wish)
    beside = [*cells_beside(frozenset(cells))] if cells else []
    return "".join(str(n) for n, cell in enumerate(beside, 1) if cell in position.board.pieces)


def _coast(position: Position, wish: Wish) -> ActionPanel:
    """Which of its four sides show a reward: nothing touches the others."""
    touching = _touching_sides(position, wish)
    told = "".join(sorted({*wish.get("open", ""), *touching}))
    sides = (
        Action(
            printed_text(side),
            to=_to(wish, open="".join(sorted(({*told} ^ {side}) | {*touching})) or None),
            chosen=side in told,
        )
        for side in COAST_SIDES
    )
    these = Action(_("Only these sides"), to=_to(wish, open=f"{told}told"), main=True)
    every = Action(_("All sides, or nobody can tell"), to=_to(wish, open="told"))
    return panel(
        _("Which sides of the coast show a reward?"),
        group(sides, None, "people"),
        group((these if wish.get("open") else every,)),
        notes=(_("Their numbers are on the map. Nothing may touch the other sides."),),
        back=_to(wish, at2=None, open=None),
    )


def _letters(told: str, choice: Callable[[str], Action], also: str = "") -> ActionGroup:
    """The colours that a resource may have, and what else can be said of it."""
    letters = LETTERS + VESTIGIUM + NO_DOT + also
    return group((replace(choice(told + letter), domain=letter) for letter in letters), None, "grid")


def cradle_ways() -> tuple[ActionGroup, ...]:
    """How the dots of the Cradle can be told: one by one, that there are none, or that nobody knows."""
    bare, unknown = (write_event(events.CradleTold(dot * len(CRADLE_POINTS))) for dot in (NO_DOT, UNKNOWN))
    tell = Action(_("Tell its dots"), to=leads(do="cradle"), main=True)
    others = (Action(_("It has no dots"), line=bare), Action(_("Nobody can tell"), line=unknown))
    return group((tell,)), group(others, None, "pairs")


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
    notes = (_("The dots of the Cradle: they are remembered for all later games."),)
    return panel(title, _letters(dots, choice, UNKNOWN), notes=notes, back=back)


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
        elements.ghost_view(cell, "", dots[n * half : (n + 1) * half], ask and len(dots) // half == n)
        for n, cell in enumerate(cells)
    )


def cradle_ghosts(wish: Wish) -> tuple[elements.GhostView, ...]:
    """The Cradle's dots as far as they are told, with the ring where the next one lies."""
    dots = told_dots(wish, len(CRADLE_POINTS) - 1)
    places = [elements.dot_places(cell)[cell.corners.index(point)] for cell, point in CRADLE_POINTS]
    told = (elements.Dot(*at, letter) for at, letter in zip(places, dots, strict=False) if letter != NO_DOT)
    ghost = elements.ghost_view(CRADLE_POINTS[len(dots)][0], "", "", False)
    return (replace(ghost, dots=tuple(told), asked=places[len(dots)]),)


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
    return panel(_TITLES[position.stage], *groups, group(found, None, "pairs"), group((end,)))


_TITLES = {
    GameStage.CONSTRUCTION: _("Build, develop, or end the turn"),
    GameStage.DEVELOPMENT: _("Develop, or end the turn"),
    GameStage.DONE: _("Anything else? Or end the turn"),
}


def construction_groups(position: Position, wish: Wish) -> tuple[ActionGroup, ...]:
    """Cities and Monuments; against the rules, whatever they cost."""
    return (*city_choices(position, wish), group(_other_works(position), _("Construction")))


def city_choices(position: Position, wish: Wish) -> tuple[ActionGroup, ...]:
    """New Cities by their Domains, and those that can rise, as their numbers stand on the map."""
    kind = "rows" if "against" in wish else "chips"
    new = group(_new_cities(position, wish), _("A new City"), kind)
    return new, group(_upgrades(position, wish), _("A City to its next level"), kind)


def _other_works(position: Position) -> Iterator[Action]:
    if position.sites:
        yield Action(_("A Monument"), to=leads(do="monument"))
    roles = position.seats[position.player].roles
    if "worker" in roles:
        yield Action(_("Worker: a second territory"), to=leads(do="again"), domain="C")
    unsaid = OpenQuestion.INVENTOR_AGAIN not in position.rulings
    if "worker" in roles and "inventor" in roles and (unsaid or growth.may_reactivate(position)):
        yield Action(_("Inventor: reactivate a territory"), to=leads(do="invent"), domain="S")


def _new_cities(position: Position, wish: Wish) -> Iterator[Action]:
    """New Cities by Domain; on the map it is told where."""
    prices = city_prices(position, position.player)
    on_map = growth.telling_tier(position, wish) == growth.MAP_TIER
    if position.seats[position.player].markers <= 0:
        return
    for domain in Domain:
        price, fields = prices[domain, 1], growth.free_fields(position, domain)
        if not (price.payable or "against" in wish) or (on_map and not fields):
            continue
        name = _("City of %(domain)s", domain=DOMAIN_NAMES[domain])
        if len(fields) > 1 or (fields and _undrawn(position)):
            # Where it stands says what later territories pay for it: asked while everybody sees it.
            yield Action(
                name, to=leads(do="city", dom=domain.value), domain=domain.value, number=_cost(price)
            )
        else:
            built = (
                events.Built(position.player, fields[0])
                if fields
                else events.Built(position.player, None, domain)
            )
            yield _priced(name, built, price)


def _undrawn(position: Position) -> bool:
    """Whether a territory was told in numbers, so that a City may stand on one that no map shows."""
    return any(line.produced and not line.where and line.why != EXCHANGE for line in position.lines)


def off_the_map(position: Position, wish: Wish) -> Iterator[Action]:
    """A City on a territory that was told in numbers: it has no place until somebody taps its Field."""
    letter = wish.get("dom", "")
    if letter in [*Domain] and _undrawn(position):
        price = city_prices(position, position.player)[Domain(letter), 1]
        name = _("On a territory that is not on the map")
        yield _priced(name, events.Built(position.player, None, Domain(letter)), price)


def doubtful_panel(position: Position, wish: Wish, doubtful: tuple[tuple[City, Cell], ...]) -> ActionPanel:
    """Rulebook 004, "Intercâmbio": before a territory is joined, who owns a City there has to be known."""
    choices = (
        Action(
            _(
                "The City of level %(level)d stands on territory %(number)d",
                level=city.level,
                number=territory_number(position.board, cell),
            ),
            player=city.owner,
            line=write_event(events.CityTold(city.owner, city.domain, city.level, cell)),
            domain=city.domain.value,
        )
        for city, cell in doubtful
    )
    none = Action(
        _("None of them stands there"),
        to=leads(do=wish.get("do"), at=wish.get("at"), tier=wish.get("tier"), sure="1"),
    )
    note = _("A City without a place on the map may be paid by this territory.")
    back = leads(do=wish.get("do"), tier=wish.get("tier"))
    return panel(_("Where does this City stand?"), group(choices), group((none,)), notes=(note,), back=back)


def _rising(position: Position, wish: Wish) -> Iterator[tuple[City, Price]]:
    """The player's Cities that can rise, with what that costs."""
    prices = city_prices(position, position.player)
    for city in dict.fromkeys(position.cities_of(position.player)):
        price = prices.get((city.domain, city.level + 1))
        if price and (price.payable or "against" in wish):
            yield city, price


def _upgrades(position: Position, wish: Wish) -> Iterator[Action]:
    for city, price in _rising(position, wish):
        number = territory_number(position.board, city.cell) if city.cell else 0
        choice = _priced(_risen(position, city), _upgrade(city), price)
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
        yield from (city.cell for city, _price in _rising(position, wish) if city.cell)


def _upgrade(city: City) -> Event:
    if city.cell:
        return events.Upgraded(city.owner, city.cell)
    return events.Upgraded(city.owner, None, city.domain, city.level)


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


def _at_price(name: Message, price: Price, **more: Any) -> Action:
    """Something with what it costs, unless it says otherwise with what is missing to pay it."""
    about = {
        "domain": price.domain.value,
        "number": _cost(price),
        "note": _short(price),
        "off": not price.payable,
    }
    return Action(name, **{**about, **more})


def _priced(name: Message, event: Event, price: Price) -> Action:
    """What is recorded at once, with what it would cost without cards."""
    cheaper = _("printed: %(cost)d", cost=price.printed) if price.printed != price.cost else None
    return _at_price(name, price, line=write_event(event), note=_short(price) or cheaper)


def field_panel(position: Position, wish: Wish) -> ActionPanel | None:
    """A territory on the map that was tapped; None where none lies."""
    cell = growth.pointed_cell(wish.get("at", ""))
    if cell is None or cell not in position.board.tiles:
        return None
    tile, city = position.board.tiles[cell], position.city_at(cell)
    found = [] if "against" in wish else [*growth.standing_choices(position, cell)]
    price = city_prices(position, position.player).get((tile.field, city.level + 1 if city else 1))
    mine = city is None or city.owner == position.player or "against" in wish
    if position.stage is GameStage.CONSTRUCTION and price and mine:
        name = _risen(position, city) if city else _("Build a City here")
        event = _upgrade(city) if city else events.Built(position.player, cell)
        choice = _priced(name, event, price)
        brings = brought(position, event, position.player)
        found.append(replace(choice, note=choice.note if choice.off else brings or choice.note))
    notes = () if found else (_("Nothing can be built here now."),)
    title = _("Field of %(domain)s", domain=DOMAIN_NAMES[tile.field])
    return panel(title, group(found), notes=notes, back=leads())


def read_card_groups(position: Position, key: str) -> tuple[ActionGroup, ...]:
    """The way on to a card that was read out a moment ago, where it can be paid."""
    if position.held or position.stage not in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT):
        return ()
    found: list[Action] = []
    if key in (prices := mastery_prices(position, position.player)):
        found = [_mastery(position, key, prices[key])]
    elif key in position.cards.masteries and key in position.taught:
        found = [_unpriced(position, key)]
    elif key in position.sites and position.stage is GameStage.CONSTRUCTION:
        found = [_monument(position, key, {})]
    payable = [choice for choice in found if not choice.off]
    return (group(payable),) if payable else ()


def monuments_panel(position: Position, wish: Wish) -> ActionPanel:
    """The next level of each Monument in the game; why not, before anything of it is told."""
    found = (_monument(position, key, wish) for key in position.sites)
    return panel(_("Which Monument?"), group(found), back=leads())


def _monument(position: Position, key: str, wish: Wish) -> Action:
    title, taken, levels = position.title(key), position.sites[key].taken, len(position.monument(key).levels)
    if price := level_prices(position, position.player).get(key):
        level, short = _("Level %(level)d of %(count)d", level=taken + 1, count=levels), _short(price)
        why = short or _nowhere(position, {**wish, "do": "monument", "key": key})
        note = _("%(level)s – %(short)s", level=level, short=why) if why else level
        to = leads() if why and "against" not in wish else leads(do="monument", key=key)
        return _at_price(title, price, to=to, note=note, off=why is not None)
    if taken >= levels > 0:
        return Action(title, note=_("All levels are taken."), off=True)
    to = leads(do="card", kind="monument", key=key)
    return Action(title, to=to, note=_("Nobody told yet what it costs."))


def masteries_panel(position: Position, wish: Wish) -> ActionPanel:
    """The Masteries that were read out, by Domain, and those that can be turned over."""
    domain = wish.get("dom", "")
    domain = domain if domain in LETTERS and len(domain) == 1 else ""
    prices = mastery_prices(position, position.player)
    found = [_mastery(position, key, price) for key, price in prices.items() if domain in ("", price.domain)]
    found += [_unpriced(position, key) for key in _without_price(position) if not domain]
    turned = [
        _priced(position.title(key), events.Advanced(position.player, key), price)
        for key, price in advance_prices(position, position.player).items()
        if domain in ("", price.domain)
    ]
    tabs = (
        domain_action(
            each, to=leads(do="mastery", dom=None if domain == each else each.value), chosen=domain == each
        )
        for each in Domain
    )
    new = Action(_("Another card: read it out"), to=leads(do="card", kind="mastery", dom=domain or None))
    return panel(
        _("Which Mastery?"),
        group(tabs, None, "tabs"),
        group(sorted(found, key=lambda choice: (choice.off, choice.domain)), _("Develop")),
        group(sorted(turned, key=lambda choice: choice.off), _("Turn over")),
        group((new,)),
        back=leads(),
    )


def _without_price(position: Position) -> Iterator[str]:
    """The Masteries that were read out though nobody could tell all that they cost."""
    tree, masteries = position.seats[position.player].tree, position.cards.masteries
    for key in sorted(position.taught & masteries.keys()):
        mine = tree.find(key)
        if mine is None and not masteries[key].cost.known:
            yield key


def _unpriced(position: Position, key: str) -> Action:
    """A card that cannot be taken before more of it is told; it stays where people look for it."""
    note = _("Nobody has told its Domain or its value: read it out again")
    return Action(position.title(key), to=leads(do="card", kind="mastery", key=key), note=note)


def _mastery(position: Position, key: str, price: Price) -> Action:
    card, note = position.cards.masteries[key], _short(price)
    if not meets_prerequisite(position, position.player, card) and card.needs:
        needed = DOMAIN_NAMES[Domain(card.needs.domain)] if card.needs.domain in LETTERS else "?"
        note = _("needs %(domain)s of value %(value)d", domain=needed, value=card.needs.amount)
    elif position.left_in_the_rack(key) <= 0:
        note = _("all copies are taken")
    to = leads(do="mastery", key=key)
    return _at_price(position.title(key), price, to=to, note=note, off=note is not None)


def development_panel(position: Position, wish: Wish) -> ActionPanel:
    """One Mastery: the Nodi it makes, and then it is developed."""
    key, player = wish["key"], position.player
    price = mastery_prices(position, player).get(key)
    return _planted(position, wish, lambda planting: events.Developed(player, key, planting), price)


def _planted(
    position: Position, wish: Wish, event: Callable[[TreePlacement], Event], price: Price | None
) -> ActionPanel:
    """Where a card's Nodi are told, by colour or by its place in the Tree."""

    def take(planting: TreePlacement) -> Action:
        name = _("Taken with these Nodi") if planting.nodi else _("Taken, its Nodi are not told yet")
        line = write_event(event(planting))
        return _at_price(name, price, line=line, main=True) if price else Action(name, line=line, main=True)

    notes, back = (_("Which Nodi does it make?"),), leads(do=wish.get("do"))
    title = position.title(wish["key"])
    return placement_panel(position, position.player, wish, title, take, notes=notes, back=back)


def trade_panel(position: Position, wish: Wish) -> ActionPanel:
    """Two of one Domain for one of another, as often as one likes."""
    player, give = position.player, wish.get("give", "")
    knowledge = position.seats[player].knowledge
    if give not in [*Domain]:
        found = [
            domain_action(domain, to=leads(do="trade", give=domain.value), number=str(amount))
            for domain, amount in knowledge.items()
            if amount >= trade_rate(position, player, domain)
        ]
        notes = () if found else (_("There is not enough of any Domain."),)
        return panel(_("Which Knowledge is given?"), group(found, None, "grid"), notes=notes, back=leads())
    gives = Domain(give)
    each, text = trade_rate(position, player, gives), wish.get("times", "1")
    most = knowledge[gives] // each
    times = max(1, min(int(text) if text.isdecimal() else 1, most))
    tabs = (
        Action(printed_text(str(n * each)), to=leads(do="trade", give=give, times=str(n)), chosen=n == times)
        for n in range(1, most + 1)
    )
    gets = (
        domain_action(
            domain,
            line=write_event(events.Traded(player, gives, times * each, domain, times)),
            number=f"+{times}",
        )
        for domain in Domain
        if domain is not gives
    )
    title = _("%(count)d %(domain)s for …", count=times * each, domain=DOMAIN_NAMES[gives])
    return panel(title, group(tabs, None, "people"), group(gets, None, "grid"), back=leads(do="trade"))


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


def told_place(position: Position, wish: Wish) -> Place | None:
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
    """Where the piece may stand, or its second half: only where nothing speaks against it, unless people say why."""
    if not needs_place(position, wish) or told_place(position, wish):
        return
    do, key, name = wish.get("do"), wish["key"], _("It stands here")
    allowed = (
        place for place, why in _possible_places(position, key, do) if "against" in wish or why is None
    )
    one, seen = growth.pointed_cell(wish.get("at", "")), set[Cell]()
    for place in allowed:
        if isinstance(place, Point):
            yield point_target(place, name, leads(do=do, key=key, at=str(place)))
            continue
        first, second = place.cells
        cell, told = (
            (first, {"at": str(first)}) if one is None else (second, {"at": str(one), "at2": str(second)})
        )
        if one in (None, first) and cell not in seen:
            seen.add(cell)
            yield cell_target(cell, name, leads(do=do, key=key, **told))


def _possible_places(position: Position, key: str, do: str | None) -> Iterator[tuple[Place, Message | None]]:
    """Where there is room for the piece, each with what speaks against it."""
    board, later = position.board, do == "piece"
    if position.monument(key).shape is PieceShape.CIRCLE:
        points = sorted({corner for cell in board.pieces for corner in cell.corners})
        places: list[Place] = [p for p in points if board.complete(p) and p not in board.circles]
        places = [
            p for p in places if isinstance(p, Point) and counts_as_locus(board, p, position.rulings.get)
        ]
    else:
        places = [
            Lozenge((one, other))
            for one in board.free
            for other in one.neighbours
            if other not in board.pieces and not board.at_a_coast(other)
        ]
    for place in places:
        yield place, construction.against_place(position, key, place, later)


def _nowhere(position: Position, wish: Wish) -> Message | None:
    """Why the piece of a Monument fits nowhere on the map now; None where it does, or needs no place."""
    if not needs_place(position, wish) or "against" in wish:
        return None
    reasons = [why for _place, why in _possible_places(position, wish["key"], wish.get("do"))]
    if None in reasons:
        return None
    if not reasons:
        return _("A round Monument stands in the middle of a complete Locus.")
    beside = [why for why in reasons if why and why.text.startswith("This Monument has to lie")]
    return (beside or reasons)[0]


def piece_panel(position: Position, wish: Wish) -> ActionPanel:
    """The place first and what is printed on the piece, then the card."""
    place = told_place(position, wish)
    if isinstance(place, Lozenge) and (asked := lozenge_question(position, wish)):
        return asked
    if wish.get("do") == "piece" and place:
        line = write_event(events.MonumentTold(wish["key"], place))
        yes = Action(_("Yes"), line=line, main=True)
        return panel(_("Its piece stands there"), group((yes,)), back=leads())
    if not needs_place(position, wish) or place:
        key, player = wish["key"], position.player
        price = level_prices(position, player).get(key)
        told = _planted(position, wish, lambda told: events.Contributed(player, key, place, told), price)
        rows = [*brings_rows(position, events.Contributed(player, key, place))]
        return replace(told, groups=(*told.groups, group(rows, _("What this brings")))) if rows else told
    if nowhere := _nowhere(position, wish):
        skip = Action(_("Without the map"), to=leads(do=wish.get("do"), key=wish["key"], at=NO_MAP))
        where = _("It can stand nowhere on the map now.")
        return panel(where, group((skip,)), notes=(nowhere,), back=leads(do="monument"))
    round_one = position.monument(wish["key"]).shape is PieceShape.CIRCLE
    note = _("Tap the middle of a complete Locus.") if round_one else _("Tap the two places it covers.")
    skip = Action(_("Without the map"), to=leads(do=wish.get("do"), key=wish["key"], at=NO_MAP))
    back = leads(do="monument")
    return panel(_("Where does its piece stand?"), group((skip,)), notes=(note,), back=back)


def rewards_panel(position: Position, wish: Wish) -> ActionPanel:
    """Whose Cities a Monument rewards that no map shows beside it: a tap for each City."""
    key, digits = wish["key"], {str(n + 1) for n in range(position.players)}
    told = [int(digit) - 1 for digit in wish.get("who", "")[:MARKERS] if digit in digits]
    monument = position.monument(key)
    people = (
        player_action(
            player, to=leads(do=TELL_REWARDS, key=key, who="".join(str(n + 1) for n in (*told, player)))
        )
        for player in range(position.players)
        if construction.rewards_left(position, key, player) > told.count(player)
    )
    line = write_event(events.Rewarded(key, tuple(told)))
    done = Action(_("These are rewarded") if told else _("Nobody is rewarded"), line=line, main=True)
    return panel(
        _("Whose Cities does “%(card)s” reward?", card=monument.title),
        group(people),
        group(map(player_action, told), _("Rewarded")),
        group((done,)),
        group(map(player_action, position.sites[key].rewarded), _("Rewarded before")),
        notes=(
            _n(
                "%(count)d point for each City beside it; one tap for each.",
                "%(count)d points for each City beside it; one tap for each.",
                monument.reward_points,
            ),
        ),
        back=leads(do=TELL_REWARDS, key=key) if told else leads(),
    )
