"""The phases of Construction and Development.

Cities, Monuments and their rewards, Masteries, and how cards come into a Tree.

Functions take a Draft and an event, and raise or object; costs go through `gains.charge`. The free trade of
one's own turn is here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import Board, Planted
from companion.games.dominations.rules.box import CITY_LEVELS, COPIES, LETTERS, Domain, OpenQuestion
from companion.games.dominations.rules.cards import (
    KnowledgeCost,
    Mastery,
    Monument,
    PieceShape,
    Trigger,
)
from companion.games.dominations.rules.gains import (
    DueEffect,
    card_reason,
    charge,
    give_simultaneous,
    known_effects,
    trade_rate,
)
from companion.games.dominations.rules.growth import counts_as_locus
from companion.games.dominations.rules.lattice import Cell, Point, cells_beside
from companion.games.dominations.rules.position import (
    NOBODY,
    AnswerNeeded,
    City,
    Draft,
    PendingQuestion,
    Position,
    QuestionKind,
    Site,
)


def need_card(draft: Draft, key: str, shelf: Mapping[str, object]) -> None:
    """Nothing is applied of a card that this table has not read out: it is asked for when it is first taken."""
    if key not in draft.position.taught or key not in shelf:
        raise AnswerNeeded(PendingQuestion(QuestionKind.CARD, NOBODY, key))


def plant_card(draft: Draft, player: int, key: str, level: int, planting: events.TreePlacement) -> None:
    """A card comes into the Tree; rulebook 004, "Momento das Cartas": all that follows is simultaneous."""
    tree = draft.seat(player).tree
    card = Planted(key, level, False, planting.spot, planting.halves, planting.nodi)
    draft.object_to(*tree.against(card))
    draft.change(player, tree=tree.with_card(card))
    _print(draft, player, card)
    position, nodi = draft.position, tree.made_by(card)
    made = [
        due
        for domain in nodi
        for due in position.effects(player, Trigger.NODUS)
        if due[1].about in (domain, "?")
    ]
    give_simultaneous(draft, player, [*_at_once(position, card), *made])


def turn_card_over(draft: Draft, player: int, key: str) -> None:
    """The advanced side replaces the basic one, and what it says happens at once."""
    draft.change(player, tree=draft.seat(player).tree.advanced(key))
    card = draft.seat(player).tree.find(key)
    assert card is not None
    _print(draft, player, card)
    give_simultaneous(draft, player, _at_once(draft.position, card))


def _at_once(position: Position, card: Planted) -> list[DueEffect]:
    effects = position.effects_of(card)
    return [(card, effect) for effect in effects if effect.trigger in (Trigger.NOW, Trigger.LIMIT)]


def _print(draft: Draft, player: int, card: Planted) -> None:
    """The points and the Influence that are printed on the card."""
    side, why = draft.position.side_of(card), card_reason(draft, card)
    draft.points(player, side.points, why)
    draft.influence(player, side.influence, why)


def light_campfire(draft: Draft, event: events.CampfireTold) -> None:
    """The half Nodi of a Campfire, as they lie."""
    before = draft.seat(event.player).tree
    tree = before.with_campfire(event.halves)
    lost = {spot for nodus in before.nodi for spot in nodus.spots} - {
        spot for nodus in tree.nodi for spot in nodus.spots
    }
    if lost - {(0, 0)}:
        raise IllegalEvent(_("The cards beside the Campfire make no Nodus with it then."))
    draft.change(event.player, tree=tree)


def reward_beside(draft: Draft, city: City) -> None:
    """Rulebook 004: a Monument rewards a City once, when it is built, not at each level."""
    for key in draft.position.sites:
        if city.cell in draft.position.board.beside(key):
            reward_city(draft, key, city)


def reward_city(draft: Draft, key: str, city: City) -> None:
    if city.domain in draft.position.monument(key).reward:
        _reward(draft, key, city.owner, city.where)


def _reward(draft: Draft, key: str, owner: int, where: tuple[str, ...] = ()) -> None:
    monument, site = draft.position.monument(key), draft.position.sites[key]
    why = _("Reward of %(monument)s", monument=monument.title)
    draft.points(owner, monument.reward_points, why, where=where)
    rewarded = replace(site, rewarded=(*site.rewarded, owner))
    draft.set(sites={**draft.position.sites, key: rewarded})


def tell_rewards(draft: Draft, event: events.Rewarded) -> None:
    """What a Monument brought to Cities that no map showed beside it."""
    if event.monument not in draft.position.unpaid:
        raise IllegalEvent(_("No rewards of this Monument are left to be told."))
    for owner in event.owners:
        if rewards_left(draft.position, event.monument, owner) < 1:
            raise IllegalEvent(_("This player has not so many Cities that the Monument rewards."))
        _reward(draft, event.monument, owner)
    draft.set(unpaid=draft.position.unpaid - {event.monument})


def rewards_left(position: Position, key: str, owner: int) -> int:
    """How many Cities of a player the Monument may still reward; less than none where it rewarded too many."""
    site, beside = position.sites[key], position.board.beside(key)
    cities = [city for city in position.cities_of(owner) if city.domain in position.monument(key).reward]
    possible = [c for c in cities if c.cell is None or site.place is None or c.cell in beside]
    return len(possible) - site.rewarded.count(owner)


def leave_unpaid(draft: Draft, cities: Iterable[City], monuments: Iterable[str]) -> None:
    """Remember which Monuments may stand beside one of these Cities where no map shows it."""
    position = draft.position
    for key in monuments:
        site, domains = position.sites[key], position.monument(key).reward
        hidden = any(c.domain in domains and (c.cell is None or site.place is None) for c in cities)
        if site.taken and hidden:
            draft.set(unpaid=draft.position.unpaid | {key})


def find_unpaid(draft: Draft, cities: Iterable[City], monuments: Iterable[str]) -> None:
    """The map shows one of these Cities beside a Monument that rewarded fewer of its owner's than lie there."""
    position = draft.position
    for key in monuments:
        beside, domains = position.board.beside(key), position.monument(key).reward
        for owner in {c.owner for c in cities if c.cell in beside and c.domain in domains}:
            lying = [c for c in position.cities_of(owner) if c.cell in beside and c.domain in domains]
            if len(lying) > position.sites[key].rewarded.count(owner):
                draft.set(unpaid=draft.position.unpaid | {key})


HIGHEST_LEVEL = max(CITY_LEVELS)


def build_city(draft: Draft, event: events.Built) -> None:
    """Rulebook 004, "Construindo uma Cidade": on any free Field, whoever laid it and whenever."""
    domain = event.domain
    if event.cell is not None:
        tile = draft.position.board.tiles.get(event.cell)
        if tile is None:
            raise IllegalEvent(_("There lies no territory."))
        if draft.position.city_at(event.cell):
            raise IllegalEvent(_("There is a City on this Field already."))
        domain = tile.field
    if domain is None:
        raise IllegalEvent(_("A City needs a Field, or a Domain."))
    city = City(event.player, domain, 1, event.cell)
    _pay_for_city(draft, city)
    draft.set(cities=(*draft.position.cities, city))
    _acquired(draft, city, Trigger.BUILD)
    reward_beside(draft, city)
    leave_unpaid(draft, [city], draft.position.sites)


def upgrade_city(draft: Draft, event: events.Upgraded) -> None:
    old = rising_city(draft.position, event)
    if old.owner != event.player:
        draft.object_to(_("This City belongs to somebody else."))
    if old.level >= HIGHEST_LEVEL:
        raise IllegalEvent(_("A City has three levels at most."))
    city = replace(old, level=old.level + 1)
    _pay_for_city(draft, city)
    draft.set(cities=_exchanged(draft, old, city))
    _acquired(draft, city, Trigger.UPGRADE)


def rising_city(position: Position, event: events.Upgraded) -> City:
    """The City that rises; without a place, any of that Domain and level."""
    wanted = (event.player, event.domain, event.level, None)
    if event.cell is not None:
        city = position.city_at(event.cell)
    else:
        cities = position.cities
        city = next((c for c in cities if (c.owner, c.domain, c.level, c.cell) == wanted), None)
    if city is None:
        raise IllegalEvent(_("There is no such City."))
    return city


def _exchanged(draft: Draft, old: City, new: City) -> tuple[City, ...]:
    cities = [*draft.position.cities]
    cities[cities.index(old)] = new
    return tuple(cities)


def _pay_for_city(draft: Draft, city: City) -> None:
    """The cost in the Field's Domain, and a marker for each level."""
    player = city.owner
    if draft.seat(player).markers <= 0:
        raise IllegalEvent(_("All City markers of this player are on the table."))
    why, printed = _("City of level %(level)d", level=city.level), CITY_LEVELS[city.level].cost
    charge(draft, player, "city", city.domain, printed, why, where=city.where)
    draft.change(player, markers=draft.seat(player).markers - 1)


def _acquired(draft: Draft, city: City, trigger: Trigger) -> None:
    """Influence and a higher limit come after paying; then what cards give for it."""
    level, player = CITY_LEVELS[city.level], city.owner
    influence = level.influence
    if city.level > 1 and draft.rule(OpenQuestion.CITY_INFLUENCE) == "replaced":
        influence -= CITY_LEVELS[city.level - 1].influence
    why = _("City of level %(level)d", level=city.level)
    draft.influence(player, influence, why, where=city.where)
    draft.raise_limit(player, city.domain, level.limit)
    give_simultaneous(draft, player, draft.position.effects(player, Trigger.CITY, trigger), city)


def tell_city(draft: Draft, event: events.CityTold) -> None:
    """A City that was known by its Domain alone is found on the map."""
    wanted = City(event.player, event.domain, event.level)
    tile = draft.position.board.tiles.get(event.cell)
    if wanted not in draft.position.cities:
        raise IllegalEvent(_("There is no such City."))
    cannot = _("This City cannot stand there: its Field is not free, or of another Domain.")
    if tile is None or draft.position.city_at(event.cell):
        raise IllegalEvent(cannot)
    if tile.field != event.domain:
        draft.object_to(cannot)
        draft.raise_limit(event.player, tile.field, CITY_LEVELS[event.level].limit)
    found = replace(wanted, domain=tile.field, cell=event.cell)
    draft.set(cities=_exchanged(draft, wanted, found))
    find_unpaid(draft, [found], draft.position.sites)


def contribute_level(draft: Draft, event: events.Contributed) -> None:
    """Rulebook 004, "Construindo um Monumento": the levels in their order, by whoever likes."""
    if event.monument not in draft.position.sites:
        draft.object_to(_("This Monument is not in the game."))
    need_card(draft, event.monument, draft.position.cards.monuments)
    site = draft.position.sites.get(event.monument, Site())
    monument = draft.position.monument(event.monument)
    if site.taken >= len(monument.levels):
        raise IllegalEvent(_("All levels of this Monument are taken."))
    if event.place is not None:
        if site.place is not None or site.taken:
            raise IllegalEvent(_("This Monument stands on the table already."))
        draft.set(sites={**draft.position.sites, event.monument: site})
        _stand(draft, monument, event.place)
    level = monument.levels[site.taken]
    if not level.cost.known:
        raise IllegalEvent(_("Nobody has told yet what this card costs: teach it first."))
    why = _("%(card)s, level %(level)d", card=monument.title, level=site.taken + 1)
    charge(draft, event.player, "monument", Domain(level.cost.domain), level.cost.amount, why)
    after = replace(draft.position.sites.get(event.monument, site), taken=site.taken + 1)
    draft.set(sites={**draft.position.sites, event.monument: after})
    if not site.taken:
        leave_unpaid(draft, draft.position.cities, [event.monument])
    plant_card(draft, event.player, event.monument, site.taken + 1, event.planting)


def tell_monument(draft: Draft, event: events.MonumentTold) -> None:
    """The piece of a Monument that was begun without a map is drawn; what it paid is in the ledger."""
    site = draft.position.sites.get(event.monument)
    if site is None or site.place is not None or not site.taken:
        raise IllegalEvent(_("This Monument is not waiting for its place."))
    monument = draft.position.monument(event.monument)
    _set_down(draft, monument, event.place)
    find_unpaid(draft, draft.position.cities, [event.monument])


def _stand(draft: Draft, monument: Monument, place: events.Place) -> None:
    """The piece comes to the table by its card's restriction, and rewards the Cities beside it."""
    _set_down(draft, monument, place)
    beside = draft.position.board.beside(monument.key)
    cities = [city for city in draft.position.cities if city.cell in beside]
    if monument.shape is PieceShape.LOZENGE:
        if not beside:
            draft.object_to(_("A lozenge has to lie side by side with a territory."))
        wanted = monument.beside
        if wanted in {*LETTERS} and not any(city.domain == wanted for city in cities):
            draft.object_to(_("This Monument has to lie beside a City of its Domain."))
    for city in sorted(cities, key=lambda city: draft.position.order.index(city.owner)):
        reward_city(draft, monument.key, city)


def against_place(position: Position, key: str, place: events.Place, later: bool) -> Message | None:
    """Why a Monument's piece may not stand there; `later` where it was begun without a map, and is drawn only now."""
    draft = Draft(position)
    try:
        (_set_down if later else _stand)(draft, position.monument(key), place)
    except AnswerNeeded:
        return None
    except IllegalEvent as error:
        return error.message
    return next(iter(draft.why_not), None)


def _set_down(draft: Draft, monument: Monument, place: events.Place) -> None:
    board = draft.position.board
    if isinstance(place, events.Lozenge) != (monument.shape is PieceShape.LOZENGE):
        raise IllegalEvent(_("This piece has another shape."))
    if isinstance(place, events.Lozenge):
        board = _with_lozenge(board, monument, place)
    else:
        board = _with_circle(draft, board, monument, place)
    site = draft.position.sites[monument.key]
    draft.set(board=board, sites={**draft.position.sites, monument.key: replace(site, place=place)})


def _with_lozenge(board: Board, monument: Monument, place: events.Lozenge) -> Board:
    one, other = place.cells
    if other not in one.neighbours or one in board.pieces or other in board.pieces:
        raise IllegalEvent(_("A lozenge covers two free places side by side."))
    sides = [*cells_beside(frozenset(place.cells))]
    open_sides = {sides[number - 1] for number in place.open} or set(sides)
    shut = frozenset(sides) - open_sides if monument.coastal else frozenset[Cell]()
    if any(cell in board.pieces for cell in shut):
        raise IllegalEvent(_("Nothing may touch a coast but where it shows a reward."))
    return board.with_lozenge(monument.key, place.cells, place.dots, shut)


def _with_circle(draft: Draft, board: Board, monument: Monument, point: Point) -> Board:
    if not board.complete(point) or point in board.circles or not counts_as_locus(board, point, draft.rule):
        raise IllegalEvent(_("A round Monument stands in the middle of a complete Locus."))
    return board.with_circle(monument.key, point)


def develop_mastery(draft: Draft, event: events.Developed) -> None:
    """Rulebook 004, "Desenvolva uma Maestria"."""
    mastery = take_from_rack(draft, event.player, event.key)
    if not meets_prerequisite(draft.position, event.player, mastery):
        draft.object_to(_("The Mastery that this card presupposes is not in the Tree."))
    _pay(draft, event.player, mastery, mastery.cost, "mastery")
    plant_card(draft, event.player, event.key, 0, event.planting)


def take_from_rack(draft: Draft, player: int, key: str) -> Mastery:
    """A copy for this player; rulebook 004, "Regra do 1": never a second one of the same title."""
    need_card(draft, key, draft.position.cards.masteries)
    if draft.seat(player).tree.find(key):
        raise IllegalEvent(_("This Mastery is in the Tree already, and no Tree has two of a kind."))
    if draft.position.left_in_the_rack(key) <= 0:
        raise IllegalEvent(_("All %(count)d copies of this Mastery are taken.", count=COPIES))
    return draft.position.cards.masteries[key]


def meets_prerequisite(position: Position, player: int, mastery: Mastery) -> bool:
    """Whether the Tree has another Mastery of the Domain and the value that a card presupposes."""
    needs = mastery.needs
    if needs is None:
        return True
    owned = [position.cards.masteries[card.key] for card in position.seats[player].tree.masteries]
    return any(card.domain == needs.domain and card.value >= needs.amount for card in owned)


def _pay(draft: Draft, player: int, mastery: Mastery, cost: KnowledgeCost | None, target: str) -> None:
    if cost is None or not cost.known:
        raise IllegalEvent(_("Nobody has told yet what this card costs: teach it first."))
    charge(draft, player, target, Domain(cost.domain), cost.amount, _("%(card)s", card=mastery.title))


def advance_mastery(draft: Draft, event: events.Advanced) -> None:
    """Rulebook 004: pay the cost in the lower left corner, and turn the card over."""
    mastery = turnable(draft, event.player, event.key)
    _pay(draft, event.player, mastery, mastery.advance, "advance")
    turn_card_over(draft, event.player, event.key)


def turnable(draft: Draft, player: int, key: str) -> Mastery:
    card = draft.seat(player).tree.find(key)
    if card is None or card.advanced:
        raise IllegalEvent(_("Only a basic Mastery of one's own Tree is turned over."))
    mastery = draft.position.cards.masteries[key]
    if mastery.advanced is None:
        raise IllegalEvent(_("Nobody has told yet what the other side of this card says: teach it first."))
    return mastery


def trade_knowledge(draft: Draft, event: events.Traded) -> None:
    """Rulebook 004, "Carta de Fogueira": as often as one likes during one's own turn, told at once or one by one."""
    knowledge = draft.seat(event.player).knowledge
    if event.give is event.get:
        raise IllegalEvent(_("Knowledge is traded for that of another Domain."))
    known_effects(draft, event.player, draft.position.effects(event.player, Trigger.TRADE))
    each = trade_rate(draft.position, event.player, event.give)
    if event.got < 1 or event.given != each * event.got:
        draft.object_to(_("%(given)d of one Domain are traded for 1 of another.", given=each))
    if knowledge[event.give] < event.given:
        draft.object_to(_("There is not so much in the Reserve."))
    why = _("Exchange of Knowledge")
    draft.pay(event.player, event.give, event.given, why)
    trades = event.got if event.given == each * event.got else 1
    for _trade in range(trades):
        draft.acquire(event.player, {event.get: event.got // trades}, why)
